//! What was done so far takes no more of a turn than it may, however much there is to say about it.
#![allow(clippy::unwrap_used, clippy::panic)]

use legwork_agent::{
    Act, ActNote, Call, Entry, Errand, Event, HISTORY_TOKENS, PageNote, Plan, Purpose, Spec, deed,
};
use legwork_observe::tokens::estimate;
use legwork_types::{
    contract::{Action, ActionId, FieldValue, FormFill, Target},
    model::{Message, Part},
};

/// What the list of steps has around it: a line before it, and a fence.
const AROUND: u32 = 45;
const FENCE: &str = "00000000000000000007";

fn page() -> PageNote {
    let view = format!("<untrusted {FENCE}>\npage \"A\"\n1 textbox \"Name\"\n</{FENCE}>\n");
    PageNote {
        observation: "o1".into(),
        url: "https://shop.example/".into(),
        title: "A".into(),
        view,
        words: None,
        is_cut: false,
        digest: 1,
        pixels: None,
        picture: None,
        is_drawn: false,
        ..PageNote::default()
    }
}

/// Fills so many fields with these words.
fn fills(fields: u32, words: &str) -> Act {
    let fill = |number| FormFill { action_id: ActionId(number), value: FieldValue::Text(words.to_owned()) };
    let action = Action::FillForm { fields: (1..=fields).map(fill).collect() };
    Act { target: Target::Page {}, action, why: words.repeat(5) }
}

/// What a model is told of the steps after all of these.
fn told_after(acts: &[Act]) -> String {
    let (_, started) = Errand::begin(Spec::new("Fill in all forms."));
    let mut events = vec![Event::Planned { plan: Plan::default() }, Event::Looked { page: Box::new(page()) }];
    for (number, act) in (1..).zip(acts) {
        let call = Box::new(Call::Act(act.clone()));
        events.push(Event::Called { call, id: "c".into(), ignored: vec![] });
        let brief = "value changed, document changed, 1 request (GET)".repeat(3);
        let done = ActNote {
            trouble: None,
            dispatched: true,
            nothing: false,
            brief,
            words: String::new(),
            sent: vec![],
            caught: None,
            page: Some(page()),
            ..ActNote::default()
        };
        events.push(Event::Acted { number, done: Box::new(done) });
    }
    let log = std::iter::once(started).chain(events.into_iter().map(|event| Entry { at: 0, event }));
    let errand = Errand::replay(&log.collect::<Vec<_>>()).unwrap();
    let request = errand.request(Purpose::Turn, None);
    let [Message::User(parts)] = &request.messages[..] else { panic!("{:?}", request.messages) };
    let Some(Part::Text(now)) = parts.last() else { panic!("{parts:?}") };
    let view = now.find(&page().view).unwrap();
    now[..view].to_owned()
}

#[test]
fn steps_take_no_more_than_they_may() {
    for (fields, words) in
        [(1, "Robin"), (3, "Robin van der Meer of Utrecht"), (40, "with kind regards to all of you")]
    {
        let told = told_after(&vec![fills(fields, words); 30]);
        assert!(estimate(&told) <= HISTORY_TOKENS + AROUND, "{fields}: {} for {told}", estimate(&told));
        let last = told.lines().rfind(|line| line.starts_with("30 fill ")).unwrap();
        assert!(last.contains("): value changed"), "the last one is told at length: {told}");
        assert!(told.contains(" earlier ones)\n"), "{told}");
    }
}

#[test]
fn the_last_step_is_told_even_if_there_is_no_room_for_it() {
    let act = fills(40, "ꙮ𓀀ꙮ𓀀ꙮ𓀀ꙮ𓀀ꙮ𓀀");
    assert!(estimate(&deed(&act, None)) > HISTORY_TOKENS);
    let told = told_after(&[act.clone(), act]);
    assert!(told.contains("\n2 fill ") && !told.contains("\n1 fill "), "{told}");
}
