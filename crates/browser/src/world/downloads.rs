//! What pages may put on the disk: how much, how many, for how long, under which names. Pure.

use std::{collections::HashMap, time::Duration};

/// Limits of one context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DownloadLimits {
    /// How many files in all.
    pub files: u32,
    /// How many bytes for one file.
    pub bytes: u64,
    /// How many at the same time.
    pub at_once: u32,
    /// How long one may take.
    pub time: Duration,
}

impl Default for DownloadLimits {
    fn default() -> Self {
        Self { files: 50, bytes: 200 * 1024 * 1024, at_once: 5, time: Duration::from_secs(600) }
    }
}

#[derive(Debug)]
enum Download {
    /// It will get this name.
    Running(String),
    /// Called off; until the browser says that it is over, it may still be completed.
    Cancelled,
}

#[derive(Debug, Default)]
pub(crate) struct Downloads {
    limits: DownloadLimits,
    known: HashMap<String, Download>,
    begun: u32,
    taken: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DownloadVerdict {
    Wait,
    /// It may run, and must be over by then.
    WaitAtMost(Duration),
    Cancel {
        why: &'static str,
    },
    Keep {
        name: String,
        bytes: u64,
    },
    /// It was completed although it was called off.
    Discard,
    Dropped,
}

impl Downloads {
    pub(crate) fn new(limits: DownloadLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Whether this download is one of ours.
    pub(crate) fn knows(&self, guid: &str) -> bool {
        self.known.contains_key(guid)
    }

    /// Those that are not over yet.
    pub(crate) fn running(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    /// The names of those that will be kept, if they come to their end.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.known.values().filter_map(|download| match download {
            Download::Running(name) => Some(name.as_str()),
            Download::Cancelled => None,
        })
    }

    pub(crate) fn began(&mut self, guid: &str, suggested: &str) -> DownloadVerdict {
        // It becomes a file name; a browser that is not ours may say anything.
        if guid.is_empty() || !guid.chars().all(|c| c.is_ascii_hexdigit() || c == '-') {
            return DownloadVerdict::Cancel { why: "its id is not one" };
        }
        self.begun = self.begun.saturating_add(1);
        let running = self.known.values().filter(|download| matches!(download, Download::Running(_))).count();
        if self.begun > self.limits.files {
            return self.cancel(guid, "too many downloads");
        }
        if running as u32 >= self.limits.at_once {
            return self.cancel(guid, "too many downloads at the same time");
        }
        let name = unused(&safe_name(suggested), &self.taken);
        self.taken.push(name.clone());
        self.known.insert(guid.to_owned(), Download::Running(name));
        DownloadVerdict::WaitAtMost(self.limits.time)
    }

    pub(crate) fn progressed(
        &mut self,
        guid: &str,
        received: f64,
        total: f64,
        state: &str,
    ) -> DownloadVerdict {
        let over = matches!(state, "completed" | "canceled");
        let download = if over { self.known.remove(guid) } else { None };
        let most = self.limits.bytes as f64;
        let too_large = received > most || total > most;
        match (state, download) {
            ("completed", Some(Download::Cancelled)) => DownloadVerdict::Discard,
            ("completed", Some(Download::Running(_))) if too_large => DownloadVerdict::Discard,
            ("completed", Some(Download::Running(name))) => {
                DownloadVerdict::Keep { name, bytes: received as u64 }
            }
            ("canceled", Some(Download::Running(_))) => DownloadVerdict::Dropped,
            (_, None) if too_large && matches!(self.known.get(guid), Some(Download::Running(_))) => {
                self.cancel(guid, "larger than a download may be")
            }
            _ => DownloadVerdict::Wait,
        }
    }

    /// A download has had its time.
    pub(crate) fn had_its_time(&mut self, guid: &str) -> DownloadVerdict {
        match self.known.get(guid) {
            Some(Download::Running(_)) => self.cancel(guid, "took longer than a download may"),
            Some(Download::Cancelled) | None => DownloadVerdict::Wait,
        }
    }

    fn cancel(&mut self, guid: &str, why: &'static str) -> DownloadVerdict {
        // A flood of refused ones is not remembered for ever; what is forgotten goes with the folder.
        if self.known.len() < 1_000 {
            self.known.insert(guid.to_owned(), Download::Cancelled);
        }
        DownloadVerdict::Cancel { why }
    }
}

/// A plain file name, whatever the server wished for: no folder, no device, no leading dot, no control character, short.
pub(crate) fn safe_name(wished: &str) -> String {
    let last = wished.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last
        .chars()
        .map(|c| if c.is_control() || "<>:\"|?*".contains(c) || is_bidi(c) { '_' } else { c })
        .collect();
    let plain = plain.trim_matches(|c: char| c == '.' || c.is_whitespace());
    let (stem, extension) = match plain.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 16 => {
            (stem, format!(".{extension}"))
        }
        _ => (plain, String::new()),
    };
    let stem = clip_bytes(stem, 100);
    let device = ["con", "prn", "aux", "nul"].contains(&stem.to_ascii_lowercase().as_str());
    match stem {
        "" => format!("download{extension}"),
        _ if device => format!("_{stem}{extension}"),
        _ => format!("{stem}{extension}"),
    }
}

/// Characters that turn the reading direction, used to disguise an extension.
fn is_bidi(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn clip_bytes(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn unused(name: &str, taken: &[String]) -> String {
    let clash = |name: &str| taken.iter().any(|other| other.eq_ignore_ascii_case(name));
    if !clash(name) {
        return name.to_owned();
    }
    let (stem, extension) =
        name.rsplit_once('.').map_or((name, String::new()), |(s, e)| (s, format!(".{e}")));
    (2..).map(|n| format!("{stem}-{n}{extension}")).find(|name| !clash(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_become_plain() {
        for (wished, name) in [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            ("/abs/x.txt", "x.txt"),
            ("..\\..\\x.exe", "x.exe"),
            ("", "download"),
            ("..", "download"),
            (".bashrc", "bashrc"),
            ("con.txt", "_con.txt"),
            ("a\0b\n.txt", "a_b_.txt"),
            ("évil\u{202e}fdp.exe", "évil_fdp.exe"),
            ("C:x.txt", "C_x.txt"),
            ("a.tar.gz", "a.tar.gz"),
        ] {
            assert_eq!(safe_name(wished), name, "{wished:?}");
        }
    }

    #[test]
    fn the_same_name_twice_does_not_overwrite() {
        let mut downloads = Downloads::default();
        downloads.began("1", "a.txt");
        downloads.began("2", "A.txt");
        assert_eq!(
            downloads.progressed("1", 5.0, 5.0, "completed"),
            DownloadVerdict::Keep { name: "a.txt".into(), bytes: 5 }
        );
        assert_eq!(
            downloads.progressed("2", 5.0, 5.0, "completed"),
            DownloadVerdict::Keep { name: "A-2.txt".into(), bytes: 5 }
        );
    }

    #[test]
    fn floods_and_giants_are_cancelled() {
        let mut downloads =
            Downloads::new(DownloadLimits { files: 3, bytes: 100, at_once: 2, ..DownloadLimits::default() });
        let most = DownloadVerdict::WaitAtMost(DownloadLimits::default().time);
        assert_eq!(downloads.began("1", "a"), most);
        assert_eq!(downloads.began("2", "a"), most);
        assert!(matches!(downloads.began("3", "a"), DownloadVerdict::Cancel { .. }));
        assert!(matches!(
            downloads.progressed("1", 101.0, 0.0, "inProgress"),
            DownloadVerdict::Cancel { .. }
        ));
        assert!(matches!(
            downloads.progressed("2", 0.0, 101.0, "inProgress"),
            DownloadVerdict::Cancel { .. }
        ));
        assert!(matches!(downloads.began("4", "a"), DownloadVerdict::Cancel { .. }), "the fourth of three");
        let climbing = Downloads::default().began("../../x", "a");
        assert!(matches!(climbing, DownloadVerdict::Cancel { .. }), "{climbing:?}");
    }

    #[test]
    fn what_is_completed_against_our_word_is_discarded() {
        let mut downloads =
            Downloads::new(DownloadLimits { files: 9, bytes: 100, at_once: 1, ..DownloadLimits::default() });
        downloads.began("1", "a");
        assert!(matches!(
            downloads.progressed("1", 101.0, 0.0, "inProgress"),
            DownloadVerdict::Cancel { .. }
        ));
        assert_eq!(
            downloads.progressed("1", 150.0, 0.0, "inProgress"),
            DownloadVerdict::Wait,
            "called off once"
        );
        assert_eq!(downloads.progressed("1", 200.0, 200.0, "completed"), DownloadVerdict::Discard);
        downloads.began("2", "b");
        assert_eq!(
            downloads.progressed("2", 500.0, 500.0, "completed"),
            DownloadVerdict::Discard,
            "faster than our word"
        );
        downloads.began("3", "c");
        assert!(matches!(downloads.began("4", "d"), DownloadVerdict::Cancel { .. }));
        assert_eq!(downloads.progressed("4", 5.0, 5.0, "completed"), DownloadVerdict::Discard);
        assert_eq!(downloads.progressed("4", 5.0, 5.0, "completed"), DownloadVerdict::Wait, "old news");
    }

    #[test]
    fn what_has_had_its_time_is_called_off_once_and_leaves_its_place_to_others() {
        let mut downloads = Downloads::new(DownloadLimits { at_once: 1, ..DownloadLimits::default() });
        downloads.began("1", "a");
        downloads.progressed("1", 5.0, 5.0, "completed");
        assert_eq!(downloads.had_its_time("1"), DownloadVerdict::Wait, "it is over");
        downloads.began("2", "b");
        assert!(matches!(downloads.had_its_time("2"), DownloadVerdict::Cancel { .. }));
        assert_eq!(downloads.had_its_time("2"), DownloadVerdict::Wait, "called off already");
        assert!(matches!(downloads.began("3", "c"), DownloadVerdict::WaitAtMost(_)));
        assert_eq!(downloads.progressed("2", 5.0, 5.0, "completed"), DownloadVerdict::Discard);
    }

    proptest! {
        #[test]
        fn every_name_is_one_plain_component(wished in "\\PC{0,400}|[./\\\\a\u{0}-\u{1f}]{0,40}") {
            let name = safe_name(&wished);
            prop_assert!(!name.is_empty() && name.len() <= 120, "{name}");
            prop_assert!(!name.starts_with('.') && !name.contains(['/', '\\', '\0']));
            prop_assert_eq!(std::path::Path::new(&name).components().count(), 1);
        }
    }
}
