//! Whether a model goes round in circles: the same on the same page again and again, however many other things are done in between, and
//! scrolling or waiting without an end.

use std::collections::VecDeque;

use legwork_types::contract::Action;
use serde::Serialize;

use crate::{call::Call, event::PageNote};

/// How many of the latest calls count where the page tells what comes of them.
const RECENT: usize = 24;
/// The same on the same page: so often it is warned of, and so often it is the end.
const SAME: (usize, usize) = (3, 5);
/// So many times as often where something came of it that the state of the page does not show.
const UNSEEN: usize = 4;
/// How many of the latest calls are remembered: three in turn, each with a look after it, as often as it takes to be the end.
const WINDOW: usize = 2 * 3 * UNSEEN * (SAME.1 - 1);
/// Scrolling and nothing else, whatever is looked at in between.
const SCROLLS: (usize, usize) = (8, 15);
/// The same of waiting.
const WAITS: (usize, usize) = (3, 6);

/// What was called on which page, the latest last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Ways(VecDeque<Called>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Way {
    /// What was called, in all that matters.
    what: String,
    /// The state of the page, and how it is painted.
    digest: Option<(u64, Option<u64>)>,
    kind: Kind,
}

/// What was called, and whether something came of it that the state of the page does not show: something scrolled or was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Called {
    way: Way,
    had_effect: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
enum Kind {
    Scroll,
    Wait,
    Look,
    Other,
}

/// What is to be said of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Circle {
    /// Nothing.
    None,
    /// The model is told.
    Warn(&'static str),
    /// It is not done any more.
    Stop(&'static str),
}

impl Ways {
    /// Remembers a call.
    pub(crate) fn note(&mut self, call: &Call, page: Option<&PageNote>) {
        let Some(way) = Way::of(call, page) else { return };
        if self.0.len() >= WINDOW {
            self.0.pop_front();
        }
        let had_effect = self.is_first_look(&way);
        self.0.push_back(Called { way, had_effect });
    }

    /// What was called last had an effect that the state of the page does not show.
    pub(crate) fn had_an_effect(&mut self) {
        if let Some(last) = self.0.back_mut() {
            last.had_effect = true;
        }
    }

    /// Whether this looks at what an act came to: the page may not show it, and yet it is not the same look again.
    fn is_first_look(&self, way: &Way) -> bool {
        let acted = |last: &Called| last.way.kind != Kind::Look && last.had_effect;
        way.kind == Kind::Look && self.0.back().is_some_and(acted)
    }

    /// Whether one more call like this leads anywhere.
    pub(crate) fn after(&self, call: &Call, page: Option<&PageNote>) -> Circle {
        let Some(way) = Way::of(call, page).filter(|way| !self.is_first_look(way)) else {
            return Circle::None;
        };
        let same = |had_effect, within| {
            let latest = self.0.iter().rev().take(within);
            latest.filter(|earlier| earlier.way == way && earlier.had_effect == had_effect).count()
        };
        // What has an effect each time may lead somewhere, for a while.
        let unseen = if way.kind == Kind::Look { 0 } else { same(true, WINDOW) / UNSEEN };
        let same = 1 + same(false, RECENT) + unseen;
        // A look in between is part of it: neither one more nor another beginning.
        let acts = self.0.iter().rev().filter(|earlier| earlier.way.kind != Kind::Look);
        let alike = 1 + acts.take_while(|earlier| earlier.way.kind == way.kind).count();
        let judged = match way.kind {
            Kind::Scroll => [(same, SAME, SAME_WORDS), (alike, SCROLLS, SCROLL_WORDS)],
            Kind::Wait => [(alike, WAITS, WAIT_WORDS), (0, SAME, SAME_WORDS)],
            Kind::Look | Kind::Other => [(same, SAME, SAME_WORDS), (0, SAME, SAME_WORDS)],
        };
        let stop = judged.iter().find(|(times, (_, most), _)| times >= most);
        let warn = judged.iter().find(|(times, (many, _), _)| times >= many);
        match (stop, warn) {
            (Some((.., (_, words))), _) => Circle::Stop(words),
            (None, Some((.., (words, _)))) => Circle::Warn(words),
            (None, None) => Circle::None,
        }
    }
}

/// What the model is told, and what is told of the end.
const SAME_WORDS: (&str, &str) = (
    "you have done this several times on this very page, and are where you were: do something else, or end with complete_task",
    "the model did the same on the same page again and again",
);
const SCROLL_WORDS: (&str, &str) = (
    "you only scroll: use observe with find, or end with complete_task",
    "the model scrolled and scrolled, and did nothing else",
);
const WAIT_WORDS: (&str, &str) = (
    "you only wait: do something else, or end with complete_task",
    "the model waited and waited, and did nothing else",
);

impl Way {
    /// None for what ends an errand or asks somebody: there are limits of their own.
    fn of(call: &Call, page: Option<&PageNote>) -> Option<Self> {
        let (what, kind) = match call {
            Call::Act(act) => {
                let kind = match act.action {
                    Action::Scroll { .. } => Kind::Scroll,
                    Action::Wait { .. } => Kind::Wait,
                    _ => Kind::Other,
                };
                (format!("{:?} {:?}", act.target, act.action), kind)
            }
            Call::Observe(look) => (format!("{look:?}"), Kind::Look),
            Call::Read { within } => (format!("read {within:?}"), Kind::Look),
            Call::CompleteTask(_)
            | Call::RequestHumanApproval { .. }
            | Call::SubmitForApproval { .. }
            | Call::AskUser { .. } => return None,
        };
        Some(Self { what, digest: page.map(|page| (page.digest, page.pixels)), kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(digest: u64) -> PageNote {
        PageNote { digest, ..PageNote::default() }
    }

    fn act(json: &str) -> Call {
        Call::read("act", json).unwrap()
    }

    /// At which call a model that does these in turn is warned first, and at which it is stopped.
    fn stopped(calls: &[(Call, u64)], most: usize) -> (Option<usize>, Option<usize>) {
        stopped_where(calls, most, false)
    }

    /// The same where acts have an effect that the state of the page does not show.
    fn stopped_where(calls: &[(Call, u64)], most: usize, is_unseen: bool) -> (Option<usize>, Option<usize>) {
        let mut ways = Ways::default();
        let mut warned = None;
        for (number, (call, digest)) in (1..=most).zip(calls.iter().cycle()) {
            match ways.after(call, Some(&page(*digest))) {
                Circle::None => {}
                Circle::Warn(_) => {
                    warned.get_or_insert(number);
                }
                Circle::Stop(_) => return (warned, Some(number)),
            }
            ways.note(call, Some(&page(*digest)));
            if is_unseen && matches!(call, Call::Act(_)) {
                ways.had_an_effect();
            }
        }
        (warned, None)
    }

    #[test]
    fn whoever_goes_round_in_circles_is_warned_and_then_stopped() {
        let click = |element: u32| act(&format!(r#"{{"action":"click","element":{element},"why":"w"}}"#));
        assert_eq!(stopped(&[(click(1), 7)], 50), (Some(3), Some(5)));
        // There and back again.
        let two = [(click(1), 7), (click(2), 8)];
        assert_eq!(stopped(&two, 50), (Some(5), Some(9)));
        let three = [(click(1), 7), (click(2), 8), (click(3), 9)];
        assert_eq!(stopped(&three, 50), (Some(7), Some(13)));
        let look = Call::read("observe", "{}").unwrap();
        assert_eq!(stopped(&[(look, 7)], 50), (Some(3), Some(5)));
    }

    #[test]
    fn circles_of_what_the_page_does_not_show_end_as_well_with_and_without_looks_in_between() {
        let click = |element: u32| act(&format!(r#"{{"action":"click","element":{element},"why":"w"}}"#));
        let look = || (Call::read("observe", "{}").unwrap(), 7);
        for many in 1..=3 {
            let plain: Vec<_> = (0..many).map(|element| (click(element), 7)).collect();
            let looked: Vec<_> = plain.iter().cloned().flat_map(|call| [call, look()]).collect();
            // Sixteen times each, and then the first of them once more.
            let most = many as usize * 16 + 1;
            assert_eq!(stopped_where(&plain, 200, true).1, Some(most), "{many}");
            let (warned, ended) = stopped_where(&looked, 200, true);
            assert_eq!(ended, Some(2 * most - 1), "{many}");
            assert!(warned < ended, "{many}: {warned:?}");
            // Where nothing came of them, it takes four.
            assert!(
                stopped(&looked, 200).1.is_some_and(|ended| ended <= 2 * (many as usize) * 4 + 1),
                "{many}"
            );
        }
    }

    #[test]
    fn looking_in_between_is_no_way_out_of_scrolling_and_waiting_and_does_not_count() {
        let scroll = act(r#"{"action":"scroll","value":"down","why":"w"}"#);
        let wait = act(r#"{"action":"wait","value":"1","why":"w"}"#);
        let look = Call::read("observe", "{}").unwrap();
        let with_looks = |call: &Call| {
            (0..80).map(|at| (if at % 2 == 0 { call.clone() } else { look.clone() }, at)).collect::<Vec<_>>()
        };
        // The fifteenth scroll and the sixth wait.
        assert_eq!(stopped(&with_looks(&scroll), 80), (Some(15), Some(29)));
        assert_eq!(stopped(&with_looks(&wait), 80), (Some(5), Some(11)));
        // Whoever does something else has not only scrolled.
        let click = act(r#"{"action":"click","element":9,"why":"w"}"#);
        let reads = (0..80).map(|at| (if at % 8 == 7 { click.clone() } else { scroll.clone() }, at));
        assert_eq!(stopped(&reads.collect::<Vec<_>>(), 80), (None, None));
    }

    #[test]
    fn endless_scrolling_and_waiting_end_also_where_the_page_changes_each_time() {
        let scroll = act(r#"{"action":"scroll","value":"down","why":"w"}"#);
        let wait = act(r#"{"action":"wait","value":"1","why":"w"}"#);
        let ever_new = |call: &Call| (0..40).map(|digest| (call.clone(), digest)).collect::<Vec<_>>();
        assert_eq!(stopped(&ever_new(&scroll), 40), (Some(8), Some(15)));
        assert_eq!(stopped(&ever_new(&wait), 40), (Some(3), Some(6)));
    }

    #[test]
    fn whoever_gets_on_is_let_alone() {
        let next = act(r#"{"action":"click","element":9,"why":"next page"}"#);
        let pages: Vec<_> = (0..40).map(|digest| (next.clone(), digest)).collect();
        assert_eq!(stopped(&pages, 40), (None, None));
        // A list is looked through page after page, and at each of them once more.
        let look = Call::read("observe", "{}").unwrap();
        let looked: Vec<_> = (0..60).flat_map(|at| [(next.clone(), at), (look.clone(), at)]).collect();
        assert_eq!(stopped(&looked, 120), (None, None));
        assert_eq!(stopped_where(&looked, 120, true), (None, None));
        // What is a little different each time, such as a map that is moved in every direction, has its time.
        let moves: Vec<_> = (0..15).map(|_| (next.clone(), 7)).collect();
        assert_eq!(stopped_where(&moves, 15, true).1, None);
        let fields: Vec<_> = (0..30)
            .map(|at| (act(&format!(r#"{{"action":"fill","element":{at},"value":"x","why":"w"}}"#)), 7))
            .collect();
        assert_eq!(stopped(&fields, 30), (None, None));
    }
}
