//! A process that is killed at any moment: whatever it was told is written is there, and the next one goes on.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::{collections::BTreeMap, env, ffi::OsStr, path::Path, thread, time::Duration};

use legwork_store::{Blob, Check, Fact, Fate, Owner, Says, Store, Submission, Task, TaskId, TaskState, Tier};
use legwork_testkit::long_or_short;
use serde::{Deserialize, Serialize};

use self::support::{
    answered, approval, asked, at, chance::Chance, committing, ended, entry, everything::everything, id,
    intent, other::Other, other::tell, owner, parked, step, submission, verdict,
};

const FOLDER: &str = "LEGWORK_TEST_FOLDER";
const NAME: &str = "LEGWORK_TEST_NAME";
const SEED: &str = "LEGWORK_TEST_SEED";

/// How long a process lives that nobody kills.
const LIFE: Duration = Duration::from_secs(120);
/// How many processes use one folder after one another.
const IN_A_ROW: usize = 5;

/// What somebody tells about one call, before it and after it.
#[derive(Debug, Serialize, Deserialize)]
enum Told {
    Will(Call),
    Did(Call),
}

/// Which facts it writes about which task. A claim does not know beforehand which task it will be.
#[derive(Debug, Serialize, Deserialize)]
struct Call {
    task: Option<TaskId>,
    facts: Vec<Fact>,
}

/// Somebody who hands tasks in and does them, until it is killed.
struct Busy {
    store: Store,
    me: Owner,
    chance: Chance,
    count: u64,
}

/// Not a test by itself: the process that is killed runs this one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_busy() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let (name, seed) = (env::var(NAME).unwrap(), env::var(SEED).unwrap().parse().unwrap());
    let store = Store::open(Path::new(&folder), Check::Quick).await.unwrap();
    let mut busy = Busy { store, me: owner(&name), chance: Chance::of(seed), count: 0 };
    let _ = tokio::time::timeout(LIFE, busy.live()).await;
    panic!("nobody killed {name}");
}

impl Busy {
    async fn live(&mut self) {
        self.clear_up().await;
        loop {
            self.submits().await;
            if let Some(task) = self.claims().await {
                self.does(&task).await;
            }
        }
    }

    /// What those before could not bring to an end.
    async fn clear_up(&mut self) {
        for task in everything(&self.store).await.unwrap().tasks {
            let why = "its worker is gone".to_owned();
            match task.state {
                TaskState::Running => self.says(&task.id, Fact::Requeued { why }).await,
                TaskState::Waiting if task.owner.is_some() => {
                    self.says(&task.id, Fact::Released { why }).await;
                }
                TaskState::Paused => self.says(&task.id, Fact::Resumed).await,
                _ => {}
            }
        }
    }

    fn will(&mut self, task: Option<&TaskId>, facts: &[Fact]) -> legwork_types::Timestamp {
        self.count += 1;
        tells(&Told::Will(Call { task: task.cloned(), facts: facts.to_vec() }));
        at(self.count)
    }

    /// A name that nobody else has.
    fn name(&self) -> String {
        format!("{}-{}", self.me.0, self.count)
    }

    async fn submits(&mut self) {
        let task = id(&self.name());
        let key = (self.chance.below(2) == 0).then(|| self.name());
        let submission = Submission { key, ..submission("coffee") };
        let facts = vec![Fact::Submitted { submission: submission.clone() }];
        let now = self.will(Some(&task), &facts);
        self.store.submit(task.clone(), submission, now).await.unwrap();
        did(&task, facts);
    }

    async fn claims(&mut self) -> Option<Task> {
        let facts = vec![Fact::Claimed { owner: self.me.clone() }];
        let now = self.will(None, &facts);
        let task = self.store.claim(&self.me, now).await.unwrap();
        tells(&Told::Did(match &task {
            Some(task) => Call { task: Some(task.id.clone()), facts },
            None => Call { task: None, facts: vec![] },
        }));
        task
    }

    async fn records(&mut self, task: &Task, facts: Vec<Fact>) {
        let now = self.will(Some(&task.id), &facts);
        self.store.record(&task.id, &task.fence().unwrap(), facts.clone(), now).await.unwrap();
        did(&task.id, facts);
    }

    async fn says(&mut self, task: &TaskId, fact: Fact) {
        let now = self.will(Some(task), std::slice::from_ref(&fact));
        self.store.say(task, fact.clone(), now).await.unwrap();
        did(task, vec![fact]);
    }

    async fn keeps(&mut self, task: &Task) {
        let name = format!("ota-{}.jpg", self.chance.below(3));
        let bytes = self.chance.number().to_le_bytes().repeat(1 + self.chance.below(3_000) as usize);
        let size = bytes.len() as u64;
        let blob = Blob { name: name.clone(), bytes: size, digest: String::new(), tier: Tier::Hot };
        let now = self.will(Some(&task.id), &[Fact::Kept { blob }]);
        let mine = (&task.id, &task.fence().unwrap());
        let blob = self.store.keep(mine, &name, bytes, Tier::Hot, now).await.unwrap();
        did(&task.id, vec![Fact::Kept { blob }]);
    }

    async fn answers(&mut self, task: &TaskId, name: &str, says: Says) {
        let fact = answered(name, says.clone());
        let now = self.will(Some(task), std::slice::from_ref(&fact));
        self.store.answer(&approval(name), verdict(says), now).await.unwrap();
        did(task, vec![fact]);
    }

    /// A few things, and then perhaps the end.
    async fn does(&mut self, task: &Task) {
        for _ in 0..self.chance.below(8) {
            let name = self.name();
            match self.chance.below(12) {
                0..=2 => self.records(task, vec![step(u32::try_from(self.count).unwrap())]).await,
                3 => self.records(task, vec![entry("a word")]).await,
                // Enough of these, and the database moves what it has written.
                4 => self.records(task, vec![entry(&"word ".repeat(8_000))]).await,
                5..=6 => self.keeps(task).await,
                7 => {
                    self.records(task, vec![asked(&name), parked(&name)]).await;
                    self.answers(&task.id, &name, Says::Yes).await;
                    self.records(task, vec![Fact::Woken, committing(&name, Some(&name))]).await;
                    let fate = Fate::Sent;
                    self.records(task, vec![Fact::Committed { intent: intent(&name), fate }]).await;
                }
                8 => {
                    self.records(task, vec![step(1), asked(&name), parked(&name)]).await;
                    self.says(&task.id, Fact::Released { why: "a restart".into() }).await;
                    return self.answers(&task.id, &name, Says::No).await;
                }
                9 => self.records(task, vec![committing(&name, None), step(2)]).await,
                10 => {
                    self.says(&task.id, Fact::PauseWanted).await;
                    self.records(task, vec![Fact::Paused]).await;
                    return self.says(&task.id, Fact::Resumed).await;
                }
                _ => return self.says(&task.id, Fact::Requeued { why: "once more".into() }).await,
            }
        }
        self.records(task, vec![entry("over"), ended()]).await;
    }
}

fn tells(told: &Told) {
    tell(&serde_json::to_string(told).unwrap());
}

fn did(task: &TaskId, facts: Vec<Fact>) {
    tells(&Told::Did(Call { task: Some(task.clone()), facts }));
}

/// What we were told is written, task by task, and the call that we were not told the end of.
#[derive(Debug, Default)]
struct Known {
    written: BTreeMap<TaskId, Vec<Fact>>,
    under_way: Option<Call>,
}

impl Known {
    fn hear(&mut self, line: &str) {
        match serde_json::from_str(line).unwrap() {
            Told::Will(call) => self.under_way = Some(call),
            Told::Did(call) => {
                self.under_way = None;
                self.written.entry(call.task.unwrap_or_else(|| id("none"))).or_default().extend(call.facts);
            }
        }
        self.written.retain(|_, facts| !facts.is_empty());
    }

    /// All that was told is there in its order, and of the call that was under way all or nothing.
    fn is_in(&mut self, logs: &BTreeMap<TaskId, Vec<Fact>>) {
        for (task, facts) in &self.written {
            let log = logs.get(task).unwrap_or_else(|| panic!("{task} is lost"));
            assert!(log.starts_with(facts), "{task}: {log:?} does not begin with {facts:?}");
        }
        let more: Vec<(&TaskId, &[Fact])> = logs
            .iter()
            .map(|(task, log)| (task, &log[self.written.get(task).map_or(0, Vec::len)..]))
            .filter(|(_, more)| !more.is_empty())
            .collect();
        match (more.as_slice(), self.under_way.take()) {
            ([], _) => {}
            ([(task, more)], Some(call)) => {
                assert!(call.task.as_ref().is_none_or(|one| one == *task), "{task} and not {call:?}");
                assert_eq!(more.len(), call.facts.len(), "{more:?} of {call:?}");
                assert!(more.iter().zip(&call.facts).all(|(one, other)| is_same(one, other)), "{more:?}");
            }
            (more, call) => panic!("{more:?}, and only {call:?} was under way"),
        }
        self.written = logs.clone();
    }
}

/// What a picture is by its content is known afterwards alone.
fn is_same(written: &Fact, announced: &Fact) -> bool {
    match (written, announced) {
        (Fact::Kept { blob }, Fact::Kept { blob: other }) => {
            (&blob.name, blob.bytes) == (&other.name, other.bytes)
        }
        (one, other) => one == other,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_killed_loses_nothing_that_was_told_to_be_written() {
    let (mut chance, runs) = (Chance::new(), long_or_short(200, 25));
    let (mut killed_in_a_call, mut went_on) = (0, 0);
    for row in 0..runs.div_ceil(IN_A_ROW) {
        let folder = tempfile::tempdir().unwrap();
        let mut known = Known::default();
        for run in 0..IN_A_ROW {
            let seed = chance.number().to_string();
            let name = format!("w{row}-{run}");
            let variables: [(&str, &OsStr); 3] =
                [(FOLDER, folder.path().as_os_str()), (NAME, name.as_ref()), (SEED, seed.as_ref())];
            let mut other = Other::begin("somebody_busy", variables);
            // In one run of five it may not even have a database.
            let (count, delay) = match chance.below(5) {
                0 => (0, chance.below(60_000)),
                _ => (chance.below(120), chance.below(5_000)),
            };
            for _ in 0..count {
                known.hear(&other.tells().expect("it lives until it is killed"));
            }
            // Not to wait for anything: any moment has to do.
            thread::sleep(Duration::from_micros(delay));
            other.kill().iter().for_each(|line| known.hear(line));
            killed_in_a_call += usize::from(known.under_way.is_some());

            let store = Store::open(folder.path(), Check::Whole).await.unwrap();
            let all = everything(&store).await.unwrap();
            all.hangs_together();
            let logs = all.logs().into_iter();
            let logs = logs.map(|(task, log)| (task, log.into_iter().map(|line| line.fact).collect()));
            known.is_in(&logs.collect());
            went_on += usize::from(run > 0 && all.tasks.iter().any(|task| task.epoch > 1));
            store.close().await;
        }
        bring_to_an_end(folder.path(), known.written.len()).await;
    }
    assert!(killed_in_a_call > runs / 4 && went_on > runs / 10, "{killed_in_a_call}, {went_on}");
}

/// Whatever was left, another process does: no task is lost.
async fn bring_to_an_end(folder: &Path, tasks: usize) {
    let store = Store::open(folder, Check::Whole).await.unwrap();
    for mut task in everything(&store).await.unwrap().tasks {
        if task.owner.is_some() {
            let why = "its worker is gone".to_owned();
            task = store.say(&task.id, Fact::Requeued { why }, at(1)).await.unwrap();
        }
        if task.state == TaskState::Paused {
            store.say(&task.id, Fact::Resumed, at(1)).await.unwrap();
        } else if let Some(question) = task.waits_for {
            store.answer(&question, verdict(Says::No), at(1)).await.unwrap();
        }
    }
    assert_eq!(store.intents(Fate::Open).await.unwrap(), [], "nobody is left who would know");
    while let Some(task) = store.claim(&owner("me"), at(2)).await.unwrap() {
        store.record(&task.id, &task.fence().unwrap(), vec![ended()], at(3)).await.unwrap();
    }
    let counts = store.counts().await.unwrap();
    assert!(counts.is_empty() || counts == [(TaskState::Ended, tasks as u64)], "{counts:?} of {tasks}");
    everything(&store).await.unwrap().hangs_together();
    store.close().await;
}
