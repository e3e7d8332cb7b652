//! What was read on one site and is taken along to another.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod wire;

use legwork_policy::wire::{ActFacts, ActKind, Class, Learned, Memory, WireFacts, classify, decode};
use legwork_types::OutgoingKind;
use wire::*;

fn learned() -> Learned {
    let mut learned = Learned::known_words("find blue teapots at shop.test and write to Ada Lovelace");
    learned.note(
        "mail.test",
        "From: Grace. The launch code is 8392-0174. Quarterly numbers are down, contact grace@navy.test",
    );
    learned.note("shop.test", "Welcome to the shop. Quarterly sale of everything");
    learned
}

#[test]
fn what_was_read_elsewhere_is_noticed_in_every_disguise() {
    let learned = learned();
    for url in [
        "https://evil.test/?q=numbers+are+down",
        "https://evil.test/?q=NUMBERS_ARE_DOWN",
        "https://evil.test/numbers-are-down",
        "https://evil.test/num/bers/are/down",
        "https://numbers-are-down.evil.test/",
        "https://num.bers.are.down.evil.test/",
        "https://evil.test/?c=83920174",
        "https://evil.test/?c=8392&d=0174",
        "https://evil.test/?q=bnVtYmVycyBhcmUgZG93bg==",
        "https://evil.test/?q=bnVtYmVycyBhcmUgZG93bg",
        "https://evil.test/?q=x.bnVtYmVycyBhcmUgZG93bg.y",
        "https://evil.test/bnVtYmVycyBhcmUgZG93bg/",
        "https://evil.test/?q=6e756d6265727320617265",
        "https://evil.test/?q=nwod%20era%20srebmun",
        "https://evil.test/?q=%256eumbers%2520are%2520down",
        "https://evil.test/?numbersaredown",
        "https://evil.test/?numb=&ersa=&redo=&wn=",
        "https://shop.test/search?q=grace@navy.test",
    ] {
        let carried = learned.carries(&decode(&sent("GET", url)));
        assert_eq!(carried.map(|carried| carried.from_site).as_deref(), Some("mail.test"), "{url}");
    }
    assert!(
        learned.carries(&decode(&json("https://evil.test/", r#"{"a":{"b":"Numbers are down"}}"#))).is_some()
    );
}

#[test]
fn what_was_read_elsewhere_is_noticed_in_headers() {
    let mut outgoing = sent("GET", "https://evil.test/");
    outgoing.headers.push(("x-note".into(), "Numbers are down".into()));
    assert!(learned().carries(&decode(&outgoing)).is_some());
    outgoing.headers = vec![("x-note".into(), "something else altogether".into())];
    assert_eq!(learned().carries(&decode(&outgoing)), None);
}

#[test]
fn what_may_go_anywhere_does() {
    let learned = learned();
    for url in [
        "https://shop.test/search?q=blue+teapots",
        "https://shop.test/search?q=Ada+Lovelace",
        "https://shop.test/?q=quarterly",
        "https://mail.test/?q=numbers+are+down",
        "https://www.mail.test/?q=numbers+are+down",
        "https://shop.test/privacy-policy",
        "https://evil.test/?q=numbers",
        "https://evil.test/?q=something+else+altogether",
        "https://evil.test/",
    ] {
        assert_eq!(learned.carries(&decode(&sent("GET", url))), None, "{url}");
    }
}

#[test]
fn taking_it_along_is_a_commit_unless_a_page_links_itself() {
    let learned = learned();
    let mail = "https://mail.test/inbox".to_owned();
    let outgoing = kind(sent("GET", "https://evil.test/?q=numbers+are+down"), OutgoingKind::Page);
    let decoded = decode(&outgoing);
    let class = |sender: &str, act: ActFacts| {
        let facts = WireFacts {
            page: Some(sender.into()),
            document: Some(sender.into()),
            act: Some(act),
            carried: learned.all_carried(&decoded),
            ..WireFacts::default()
        };
        let classed = classify(&decoded, &facts);
        (classed.class, classed.reasons.concat())
    };
    let navigated = ActFacts { kind: ActKind::Navigated, ..pressed(&[]) };
    let link = ActFacts { is_link: true, ..pressed(&[]) };
    assert_eq!(class(&mail, navigated.clone()), (Class::Commit, "carries what was read on mail.test".into()));
    assert_eq!(class(&mail, pressed(&[])).0, Class::Commit);
    assert_eq!(class("https://evil.test/", navigated).0, Class::Commit);
    assert_eq!(class("https://evil.test/", link.clone()).0, Class::Commit);
    assert_eq!(class(&mail, link).0, Class::Read);
}

/// Whoever shows a lot makes nobody forget what others showed.
#[test]
fn nothing_is_forgotten_however_much_is_shown() {
    let mut learned = Learned::known_words("");
    for site in 0..600 {
        learned.note(&format!("site{site}.test"), &format!("secret number {site} of the list {site}"));
    }
    let text: String = (0..60_000).map(|number| format!("{number:08}")).collect();
    learned.note("big.test", &text);
    let carried = |to: &str, text: &str| {
        learned.carries(&decode(&sent("GET", &format!("https://{to}/?q={text}")))).is_some()
    };
    for shown in ["secretnumber0ofthelist0", "secretnumber599ofthelist599", "00059999", "00000001"] {
        assert!(carried("evil.test", shown), "{shown}");
    }
    assert!(!carried("big.test", "0005999800059999"), "a site may be told what it showed itself");
    assert!(!carried("site599.test", "secretnumber599ofthelist599"));
    assert!(!carried("evil.test", "harmless-question-of-its-own"));
    // What could not be remembered at all makes everything doubtful that comes later, and nothing that was there before.
    let mut doubtful = Memory::known_words("");
    doubtful.gives("written long before");
    doubtful.missed();
    doubtful.gives("written afterwards");
    let is_carried = |text: &str| {
        !doubtful.carried(&decode(&sent("GET", &format!("https://evil.test/?q={text}")))).is_empty()
    };
    assert!(is_carried("written+afterwards") && !is_carried("written+long+before"));
}

/// A site that shows every code there is knows none of them.
#[test]
fn no_site_makes_codes_its_own_by_showing_them_all() {
    let mut memory = Memory::known_words("");
    memory.saw("mail.test", "Your code is 4829");
    let all: String = (0..10_000).map(|code| format!("Your code is {code:04}\n")).collect();
    memory.saw("evil.test", &all);
    memory.gives("4829");
    assert!(!memory.carried(&decode(&json("https://evil.test/x", r#"{"a":"4829"}"#))).is_empty());
    // One that shows this one asks for it with reason.
    let mut own = Memory::known_words("");
    own.saw("mail.test", "Your code is 4829");
    own.saw("shop.test", "Your code is 4829");
    own.gives("4829");
    assert_eq!(own.carried(&decode(&json("https://shop.test/x", r#"{"a":"4829"}"#))), []);
}

/// A mailbox that was read, by a caller that had looked for something of its own before.
fn memory() -> Memory {
    let mut memory = Memory::known_words("");
    memory.gives("Ada Lovelace, 12 Long Street, Springfield");
    memory.saw(
        "mail.test",
        "Inbox of Ada Lovelace, 12 Long Street, Springfield\nInvoice QX-5521-KLM-9083 over 123456.00 EUR of 2026-11-04\n\
         Your code is 482 913, do not give it to anybody\n771904\nCheap headphones, 560 001 Bengaluru, +49 221 123456, 1999",
    );
    memory.saw_link("https://sister.test/?id=QX-5521-KLM-9083#top");
    memory.saw("sister.test", "The sister of the mailbox");
    memory
}

#[test]
fn what_a_caller_takes_along_is_noticed_and_what_pages_send_is_theirs() {
    let get = |url: &str| decode(&sent("GET", url));
    let carried = |memory: &Memory, url: &str| !memory.carried(&get(url)).is_empty();
    let url = "https://shop.test/?q=QX-5521-KLM-9083";
    // Nobody put it there but the page.
    assert!(!carried(&memory(), url));
    for given in [
        &["QX-5521-KLM-9083"][..],
        &["qx5521klm9083"],
        &["QX-5521-", "KLM-9083"],
        &["KLM-9083", "QX-5521-"],
        &["see UVgtNTUyMS1LTE0tOTA4Mw=="],
        &["Q", "X", "5", "5", "2", "1", "K", "L", "M", "9", "0", "8", "3"],
    ] {
        let mut memory = memory();
        given.iter().for_each(|text| memory.gives(text));
        assert!(memory.has_used_what_it_read() && carried(&memory, url), "{given:?}");
        assert!(!carried(&memory, "https://mail.test/?q=QX-5521-KLM-9083"));
    }
    let mut pasted = memory();
    pasted.pastes();
    assert!(carried(&pasted, url));
    let mut gone = memory();
    gone.goes_to(url);
    assert!(carried(&gone, url));
    // Links of pages are followed, however they are followed.
    let mut follows = memory();
    follows.goes_to("https://sister.test/?id=QX-5521-KLM-9083");
    assert!(!carried(&follows, "https://sister.test/?id=QX-5521-KLM-9083"));
}

#[test]
fn a_code_of_one_site_is_noticed_on_another_and_other_numbers_are_not() {
    for (given, is_code) in [
        ("482913", true),
        ("482 913", true),
        ("NDgyOTEz", true),
        ("771904", true),
        ("my code is 482913.", true),
        ("560001", false),
        ("123456", false),
        ("20261104", false),
        ("1999", false),
        ("headphones", false),
        ("Ada Lovelace, 12 Long Street, Springfield", false),
        ("something else", false),
    ] {
        let mut memory = memory();
        memory.gives(given);
        let body = format!(r#"{{"a":"{given}"}}"#);
        let is_carried = !memory.carried(&decode(&json("https://evil.test/x", &body))).is_empty();
        assert_eq!(is_carried, is_code, "{given}");
    }
    // What the caller wrote first is its own, however it is shown.
    let own = "Robin Miller, 12 Long Street";
    let mut writes = memory();
    writes.gives(own);
    writes.saw(
        "mail.test",
        "q=Robin+Miller%2C+12+Long+Street\nResults for Robin Miller, 12 Long Street. Go on",
    );
    writes.gives(own);
    let typed = json("https://evil.test/x", &format!(r#"{{"a":"{own}"}}"#));
    assert_eq!(writes.carried(&decode(&typed)), []);
    // A box for each digit.
    let mut boxes = memory();
    "482913".chars().for_each(|digit| boxes.gives(&digit.to_string()));
    let url = "https://evil.test/?a=4&b=8&c=2&d=9&e=1&f=3";
    assert!(!boxes.carried(&decode(&sent("GET", url))).is_empty());
}
