//! What is done at each turn: to controls that the page shows in its first part, and so that each step changes what it shows. Pure.

use legwork_types::contract::Action;

use super::TURNS;

/// The boxes that the shop's list is narrowed down with.
const BOXES: [&str; 10] =
    ["Compact", "Sturdy", "Quiet", "Bright", "Folding", "Light", "Heavy", "Classic", "Modern", "Portable"];
/// The list of orders to sort by, and what it offers, beginning with what is not chosen at first.
const LIST: &str = "Sort by";
const ORDERS: [&str; 3] = ["Price", "Rating", "Relevance"];

/// One thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A box is ticked.
    Check(&'static str),
    /// A tick is taken away.
    Uncheck(&'static str),
    /// Another order is chosen.
    Sort(&'static str),
}

impl Step {
    /// The step of a turn, counted from one: box after box, all ticked and all unticked again, with another order in between.
    pub(super) fn of_turn(turn: usize) -> Self {
        let (pair, is_box) = (turn.saturating_sub(1) / 2, turn % 2 == 1);
        let (order, name) = (ORDERS[pair % ORDERS.len()], BOXES[pair % BOXES.len()]);
        match (is_box, pair / BOXES.len() % 2) {
            (false, _) => Self::Sort(order),
            (true, 0) => Self::Check(name),
            (true, _) => Self::Uncheck(name),
        }
    }

    /// As a brain is told.
    pub(super) fn words(self) -> String {
        match self {
            Self::Check(name) => format!("check checkbox {name:?}"),
            Self::Uncheck(name) => format!("uncheck checkbox {name:?}"),
            Self::Sort(order) => format!("choose combobox {LIST:?} with {order:?}"),
        }
    }

    /// The control that it is done to, and what is done there.
    pub(super) fn on(self) -> (&'static str, Action) {
        match self {
            Self::Check(name) => (name, Action::Check {}),
            Self::Uncheck(name) => (name, Action::Uncheck {}),
            Self::Sort(order) => {
                let label = Some(order.to_owned());
                (LIST, Action::SelectOption { value: None, label, index: None })
            }
        }
    }
}

/// What the page shows after all turns, in the words of an observation.
pub(super) fn shows() -> Vec<String> {
    let last = |turn| match Step::of_turn(turn) {
        Step::Check(name) => format!("checkbox {name:?} checked"),
        Step::Uncheck(name) => format!("checkbox {name:?}\n"),
        Step::Sort(order) => format!("combobox {LIST:?} ={order:?}"),
    };
    vec![last(TURNS - 1), last(TURNS)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_does_something_else_than_the_page_shows() {
        let mut ticked: Vec<&str> = vec![];
        let mut order = "Relevance";
        for turn in 1..=TURNS {
            match Step::of_turn(turn) {
                Step::Check(name) => {
                    assert!(!ticked.contains(&name), "{turn}");
                    ticked.push(name);
                }
                Step::Uncheck(name) => {
                    assert!(ticked.contains(&name), "{turn}");
                    ticked.retain(|one| *one != name);
                }
                Step::Sort(other) => {
                    assert_ne!(order, other, "{turn}");
                    order = other;
                }
            }
        }
        assert_eq!(ticked.len(), BOXES.len());
        assert_eq!(shows(), [r#"checkbox "Portable" checked"#, r#"combobox "Sort by" ="Rating""#]);
    }

    #[test]
    fn a_step_is_told_as_a_person_would() {
        let words: Vec<String> = [1, 2, 21].map(|turn| Step::of_turn(turn).words()).into();
        let expected = [
            r#"check checkbox "Compact""#,
            r#"choose combobox "Sort by" with "Price""#,
            r#"uncheck checkbox "Compact""#,
        ];
        assert_eq!(words, expected);
    }
}
