//! What is kept beside the log of a task, such as pictures: how it is named, and for how long it is kept. Pure.

use std::{collections::HashMap, time::Duration};

use legwork_types::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{TaskId, moment};

/// For how long something is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// As long as there is room.
    Hot,
    /// For as many days as the operator wants to be able to look it up.
    Audit,
}

impl Tier {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::Audit => "audit",
        }
    }
}

/// Something that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Blob {
    /// Its name in its task.
    pub name: String,
    /// How large it is.
    pub bytes: u64,
    /// What it is, by its content.
    pub digest: String,
    /// For how long it is kept.
    pub tier: Tier,
}

/// The same with whose it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptBlob {
    /// Whose.
    pub task: TaskId,
    /// When it was kept.
    #[serde(with = "moment")]
    pub at: Timestamp,
    /// What.
    pub blob: Blob,
}

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// The most of one task.
    pub most_of_task: usize,
    /// How many of a task go at once where there are more.
    pub at_once: usize,
    /// The most bytes of all tasks.
    pub most_bytes: u64,
    /// How long what is kept to be looked up stays.
    pub audit: Duration,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            most_of_task: 100,
            at_once: 10,
            most_bytes: 200 * 1024 * 1024,
            audit: Duration::from_secs(7 * 24 * 60 * 60),
        }
    }
}

impl Room {
    /// Which of these have to go now: of a task with too many its oldest, of all that is hot the oldest until the rest fits, and
    /// whatever was kept for long enough.
    pub fn surplus<'b>(&self, kept: &'b [KeptBlob], now: Timestamp) -> Vec<&'b KeptBlob> {
        let mut oldest_first: Vec<&KeptBlob> = kept.iter().collect();
        oldest_first.sort_by(|one, other| {
            (one.at, &one.task, &one.blob.name).cmp(&(other.at, &other.task, &other.blob.name))
        });
        let is_hot = |one: &&KeptBlob| one.blob.tier == Tier::Hot;
        let (hot, audit): (Vec<&KeptBlob>, Vec<&KeptBlob>) = oldest_first.into_iter().partition(is_hot);
        let mut gone: Vec<&KeptBlob> =
            audit.into_iter().filter(|one| one.at.after(self.audit) <= now).collect();
        let mut of_tasks: HashMap<&TaskId, usize> = HashMap::new();
        for one in &hot {
            *of_tasks.entry(&one.task).or_default() += 1;
        }
        for count in of_tasks.values_mut() {
            // A few at once, so that not each new one costs an old one.
            *count = match count.saturating_sub(self.most_of_task) {
                0 => 0,
                surplus => surplus.max(self.at_once),
            };
        }
        let mut left: Vec<&KeptBlob> = Vec::new();
        for one in hot {
            match of_tasks.get_mut(&one.task).filter(|surplus| **surplus > 0) {
                Some(surplus) => {
                    *surplus -= 1;
                    gone.push(one);
                }
                None => left.push(one),
            }
        }
        let mut bytes: u64 = left.iter().map(|one| one.blob.bytes).sum();
        for one in left {
            if bytes <= self.most_bytes {
                break;
            }
            bytes -= one.blob.bytes;
            gone.push(one);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(task: &str, number: u64, bytes: u64, tier: Tier) -> KeptBlob {
        let blob = Blob { name: format!("ota-{number:04}.jpg"), bytes, digest: String::new(), tier };
        KeptBlob { task: TaskId(task.into()), at: moment::of_millis(number), blob }
    }

    fn names(gone: &[&KeptBlob]) -> Vec<String> {
        gone.iter().map(|one| format!("{}/{}", one.task, one.blob.name)).collect()
    }

    #[test]
    fn a_task_keeps_its_latest_pictures_and_loses_a_few_at_once() {
        let room = Room::default();
        let of = |count: u64| -> Vec<KeptBlob> { (1..=count).map(|n| kept("a", n, 1, Tier::Hot)).collect() };
        assert!(room.surplus(&of(100), moment::of_millis(0)).is_empty());
        let many = of(101);
        let gone = room.surplus(&many, moment::of_millis(0));
        assert_eq!(gone.len(), 10);
        assert_eq!(names(&gone)[0], "a/ota-0001.jpg");
        assert_eq!(room.surplus(&of(150), moment::of_millis(0)).len(), 50);
    }

    #[test]
    fn the_oldest_of_all_go_first_where_there_is_no_room() {
        let room = Room { most_bytes: 10, ..Room::default() };
        let all = [kept("b", 1, 4, Tier::Hot), kept("a", 2, 4, Tier::Hot), kept("a", 3, 4, Tier::Hot)];
        assert_eq!(names(&room.surplus(&all, moment::of_millis(9))), ["b/ota-0001.jpg"]);
        let audit = [kept("b", 1, 400, Tier::Audit), kept("a", 2, 4, Tier::Hot)];
        assert!(
            room.surplus(&audit, moment::of_millis(9)).is_empty(),
            "what is kept to be looked up has its days"
        );
        let week = u64::try_from(room.audit.as_millis()).unwrap();
        assert!(room.surplus(&audit, moment::of_millis(week)).is_empty());
        assert_eq!(names(&room.surplus(&audit, moment::of_millis(week + 1))), ["b/ota-0001.jpg"]);
    }
}
