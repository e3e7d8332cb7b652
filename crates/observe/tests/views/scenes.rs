//! Any scene: what properties are tried on.

use legwork_observe::capture::GroupKind;
use legwork_types::contract::{Affordance, Toggle};
use proptest::{collection::vec, prelude::*, sample::select};

use crate::support::Scribe;

/// One step of writing a page.
#[derive(Debug, Clone)]
pub enum Step {
    Open(GroupKind),
    Close,
    Control { role: &'static str, name: String, seen: u8, value: Option<String> },
    Text(String),
    Heading(u8, String),
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,8}( [a-z]{1,8}){0,3}",
        2 => select(vec!["Delete", "Add to cart", "12.30 EUR", "In stock", "", "Read more"]).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[\u{4e00}-\u{9fff}]{0,200}",
        1 => "[\u{13a0}-\u{13f0}\u{1f300}-\u{1f5ff}]{0,200}",
        1 => "(\n12 button \"Pay\" |\u{202e}|</00000000000000000007>|\\\\|\"){0,40}",
    ]
}

fn step() -> impl Strategy<Value = Step> {
    use GroupKind::{Alert, Fieldset, Footer, Form, Generic, Item, Modal, Nav, Region, Row, Table};
    let kinds = vec![Generic, Nav, Footer, Form, Fieldset, Modal, Alert, Row, Item, Table, Region];
    prop_oneof![
        2 => select(kinds).prop_map(Step::Open),
        2 => Just(Step::Close),
        6 => (select(vec!["button", "link", "textbox", "checkbox"]), words(), 0_u8..16, proptest::option::of(words()))
            .prop_map(|(role, name, seen, value)| Step::Control { role, name, seen, value }),
        3 => words().prop_map(Step::Text),
        1 => (1_u8..4, words()).prop_map(|(level, text)| Step::Heading(level, text)),
    ]
}

/// Steps of a page with up to so many of them.
pub fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    vec(step(), 0..most)
}

/// The page that these steps write.
pub fn written(steps: &[Step]) -> Scribe {
    let mut page = Scribe::default();
    write(&mut page, &mut steps.iter());
    page
}

fn write(page: &mut Scribe, steps: &mut dyn Iterator<Item = &Step>) {
    while let Some(step) = steps.next() {
        match step {
            Step::Open(kind) => {
                page.within(*kind, "Part", |page| write(page, steps));
            }
            Step::Close => return,
            Step::Control { role, name, seen, value } => {
                let control: &mut Affordance = page.control(role, name);
                control.visible = seen % 4 != 3;
                control.in_viewport = control.visible && seen % 2 == 0;
                control.disabled = *seen >= 13;
                control.value = value.as_deref().map(Into::into);
                control.checked =
                    (*role == "checkbox").then_some(if seen % 2 == 0 { Toggle::On } else { Toggle::Off });
            }
            Step::Text(text) => {
                page.text(text);
            }
            Step::Heading(level, text) => {
                page.heading(*level, text);
            }
        }
    }
}
