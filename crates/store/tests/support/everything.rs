//! All that can be read of a store, to see that it hangs together and that nothing has changed.

use std::collections::{BTreeMap, BTreeSet};

use legwork_store::{
    Approval, Fate, Intent, Line, Page, Standing, Store, StoreError, Task, TaskId, TaskState, View,
};

use super::{follows, is_possible};

/// All of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Everything {
    pub(crate) lines: Vec<Line>,
    pub(crate) views: BTreeMap<TaskId, View>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) counts: Vec<(TaskState, u64)>,
    pub(crate) last: u64,
    pub(crate) approvals: Vec<(Standing, Vec<Approval>)>,
    pub(crate) intents: Vec<(Fate, Vec<Intent>)>,
    pub(crate) pictures: BTreeMap<(TaskId, String), Vec<u8>>,
}

/// Reads all of it.
pub(crate) async fn everything(store: &Store) -> Result<Everything, StoreError> {
    let lines = store.lines(None, 0, usize::MAX).await?;
    let tasks = store.tasks(&Page { most: usize::MAX, ..Page::default() }).await?;
    let ids: BTreeSet<&TaskId> =
        lines.iter().map(|line| &line.task).chain(tasks.iter().map(|task| &task.id)).collect();
    let (mut views, mut pictures) = (BTreeMap::new(), BTreeMap::new());
    for id in ids {
        let Some(view) = store.view(id).await? else { continue };
        for one in &view.blobs {
            let bytes = store.kept(id, &one.blob.name).await?;
            pictures.insert((id.clone(), one.blob.name.clone()), bytes.unwrap_or_default());
        }
        for one in &view.approvals {
            assert_eq!(store.approval(&one.asking.id).await?.as_ref(), Some(one));
        }
        assert_eq!(store.task(id).await?.as_ref(), Some(&view.task));
        views.insert(id.clone(), view);
    }
    let (mut approvals, mut intents) = (vec![], vec![]);
    for standing in Standing::ALL {
        approvals.push((standing, store.approvals(standing).await?));
    }
    for fate in Fate::ALL {
        intents.push((fate, store.intents(fate).await?));
    }
    let (counts, last) = (store.counts().await?, store.last().await?);
    Ok(Everything { lines, views, tasks, counts, last, approvals, intents, pictures })
}

impl Everything {
    /// The lines of each task.
    pub(crate) fn logs(&self) -> BTreeMap<TaskId, Vec<Line>> {
        let mut logs = BTreeMap::<TaskId, Vec<Line>>::new();
        for line in &self.lines {
            logs.entry(line.task.clone()).or_default().push(line.clone());
        }
        logs
    }

    /// What is kept is what the logs lead to, nothing impossible is among it, and however it is asked for it is the same.
    #[track_caller]
    pub(crate) fn hangs_together(&self) {
        let logs = self.logs();
        assert_eq!(logs.keys().collect::<Vec<_>>(), self.views.keys().collect::<Vec<_>>());
        for (id, log) in &logs {
            follows(&self.views[id], log);
            is_possible(&self.views[id]);
            assert!(log.iter().zip(1..).all(|(line, number)| line.number == number), "{log:?}");
        }
        assert_eq!(self.last, self.lines.last().map_or(0, |line| line.seq));
        let listed: BTreeMap<&TaskId, &Task> = self.tasks.iter().map(|task| (&task.id, task)).collect();
        assert_eq!(listed.len(), self.tasks.len());
        assert_eq!(listed, self.views.iter().map(|(id, view)| (id, &view.task)).collect());
        for (state, count) in &self.counts {
            let standing = self.tasks.iter().filter(|task| task.state == *state).count();
            assert_eq!(*count, standing as u64, "{state:?}");
        }
        assert_eq!(self.counts.iter().map(|(_, count)| count).sum::<u64>(), self.tasks.len() as u64);
        for (standing, listed) in &self.approvals {
            let all = self.views.values().flat_map(|view| &view.approvals);
            same(listed, all.filter(|one| one.standing == *standing), |one| &one.asking.id.0);
        }
        for (fate, listed) in &self.intents {
            let all = self.views.values().flat_map(|view| &view.intents);
            same(listed, all.filter(|one| one.fate == *fate), |one| &one.id.0);
        }
    }
}

/// The same in whichever order.
#[track_caller]
fn same<'a, T: PartialEq + std::fmt::Debug + 'a>(
    listed: &'a [T],
    all: impl Iterator<Item = &'a T>,
    name: impl Fn(&T) -> &str,
) {
    let sorted = |mut those: Vec<&'a T>| {
        those.sort_by(|one, other| name(one).cmp(name(other)));
        those
    };
    assert_eq!(sorted(listed.iter().collect()), sorted(all.collect()));
}
