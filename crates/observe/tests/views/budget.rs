//! Views stay within their budget, whatever a page does.

use legwork_observe::{capture::GroupKind, tokens};
use legwork_types::TabId;
use legwork_types::contract::{Banner, Dialog, Include, Modal, ObserveOptions, Severity, Tab};

use crate::counted::COUNTED;
use crate::support::{Scribe, boundary, shop};

/// A page that wants to be expensive.
fn greedy(words: &str) -> Scribe {
    let mut page = Scribe::new(&words.repeat(20));
    page.scene.page.final_url = format!("https://shop.test/?{}", words.repeat(20)).into();
    page.scene.page.primary_heading = Some(words.repeat(10).into());
    page.scene.page.modals = vec![Modal { title: Some(words.into()), excerpt: Some(words.into()) }; 50];
    page.scene.page.banners = vec![Banner { severity: Severity::Info, text: words.into() }; 5];
    page.scene.page.dialogs = vec![Dialog { kind: "alert".into(), message: words.into() }; 9];
    let tab = |nth| Tab { tab_id: TabId::nth(nth), url: words.into(), title: words.into(), active: nth == 1 };
    page.scene.page.tabs = (1..40).map(tab).collect();
    for _ in 0..10 {
        page.within(GroupKind::Modal, words, |page| {
            for _ in 0..15 {
                page.heading(2, words).text(words);
                let control = page.control("textbox", words);
                control.value = Some(words.into());
                control.constraints.options = vec![words.into(); 5];
            }
        });
    }
    page
}

const WORDS: &[&str] = &[
    "Proceed to the checkout now ",
    "漢字仮名交じり文",
    "龘靐齉爩鱻麤",
    "😀👨‍👩‍👧‍👦🏳️‍🌈",
    "ᏣᎳᎩᎦᏬᏂᎯ",
    "𝔗𝔥𝔢",
    "xqzjkvwp",
    "!@#$%^&*()",
    "مرحبا بالعالم ",
    "สวัสดีชาวโลก",
    "\"\\\u{202e}\n",
    "0123456789",
    "\u{301}",
    "qL8mZ0xVt3bRk1f",
    "         a",
    "------",
];

#[test]
fn two_thousand_tokens_whatever_the_page_writes() {
    for words in WORDS {
        let long: String = words.chars().cycle().take(200).collect();
        let look = greedy(&long).look();
        let include = vec![Include::Text];
        let mut options = ObserveOptions { max_affordances: 200, include, ..ObserveOptions::default() };
        for _ in 0..2 {
            let reading = look.read(&options, None, &boundary()).unwrap();
            let cost = tokens::estimate(&reading.text);
            assert!(cost <= 2_000, "{words}: {cost}\n{}", reading.text);
            assert!(!reading.observation.affordances.is_empty(), "{words}");
            assert!(reading.text.lines().count() < 400);
            options.cursor = reading.observation.next_cursor;
        }
    }
}

#[test]
fn a_monster_of_a_name_is_cut_and_the_next_page_goes_on() {
    let mut page = Scribe::default();
    page.control("button", &"ᏣᎳᎩ ".repeat(10_000));
    page.control("button", "Next");
    let look = page.look();
    let options = ObserveOptions { max_tokens: Some(1), ..ObserveOptions::default() };
    let first = look.read(&options, None, &boundary()).unwrap();
    assert!(tokens::estimate(&first.text) <= 200, "{}", first.text);
    assert!(first.text.contains("\n1 button \"ᏣᎳᎩ"), "{}", first.text);
    assert!(first.text.contains("…\""), "{}", first.text);
}

#[test]
fn never_above_100_kb() {
    for words in ["word ", "ᏣᎳᎩ", "a          ", "\u{1b}\u{7}x"] {
        let long: String = words.chars().cycle().take(10_000).collect();
        let look = greedy(&long).look();
        let options = ObserveOptions {
            max_affordances: 200,
            max_tokens: Some(u32::MAX),
            include: vec![Include::Text, Include::Boxes],
            ..ObserveOptions::default()
        };
        let reading = look.read(&options, None, &boundary()).unwrap();
        assert!(reading.text.len() <= 100_000, "{words}: {}", reading.text.len());
        let json = serde_json::to_vec(&reading.observation).unwrap();
        assert!(json.len() <= 100_000, "{words}: {}", json.len());
        for one in &reading.observation.affordances {
            let begin = format!("{} textbox", one.action_id);
            assert!(reading.text.lines().any(|line| line.trim_start().starts_with(&begin)), "{begin}");
        }
    }
}

/// All controls of a large shop, page after page: the estimate is above the true count, which is 8,900 at most.
#[test]
fn reading_a_whole_shop_costs_little() {
    let look = shop(150).named("o17");
    for (most, bound) in [(50, 9_800), (200, 9_500)] {
        let mut options = ObserveOptions { max_affordances: most, ..ObserveOptions::default() };
        let (mut cost, mut seen, mut prices) = (0, 0, 0);
        loop {
            let reading = look.read(&options, None, &boundary()).unwrap();
            cost += tokens::estimate(&reading.text);
            seen += reading.observation.affordances.len();
            prices += reading.text.matches(" EUR\"").count();
            match reading.observation.next_cursor {
                None => break,
                cursor => options.cursor = cursor,
            }
        }
        assert_eq!((seen, prices), (783, 150));
        assert!(cost <= bound, "{most}: {cost}");
    }
}

/// True counts of o200k for texts of many kinds: the estimate is never far below and seldom far above.
#[test]
fn estimates_are_close_to_what_a_tokenizer_counts() {
    let mut ratios = Vec::new();
    for &(text, count) in COUNTED {
        let ratio = f64::from(tokens::estimate(text)) / f64::from(count);
        assert!((0.8..=2.2).contains(&ratio), "{ratio} {text}");
        ratios.push(ratio);
    }
    let average = ratios.iter().sum::<f64>() / ratios.len() as f64;
    assert!((1.0..=1.3).contains(&average), "{average}");
}
