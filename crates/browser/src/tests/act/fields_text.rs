//! Writing into text fields and editors of every kind, wherever they are: what the page's own record says of it.

use legwork_types::contract::FieldValue;

use super::{fields_kit::*, *};

#[tokio::test]
async fn text_fields_are_filled_in_by_input_that_pages_trust() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    for (name, id, text) in [
        ("Name", "name", "New \"näme\" 👍"),
        ("Search", "search", "words"),
        ("Mail", "mail", "new@example.org"),
        ("Phone", "phone", "+49 30 1"),
        ("Site", "site", "https://example.org/"),
        ("Count", "count", "12.5"),
        ("Secret", "secret", "hunter2"),
        ("Notes", "notes", "two\nlines"),
    ] {
        let before = events(&tab, "field_texts").await.len();
        assert!(done(&stage, name, fill(text)).await, "{name}");
        assert_eq!(held(&tab, id).await, text, "{name}");
        let events = events(&tab, "field_texts").await.split_off(before);
        assert!(events.iter().all(|event| event.3), "{name}: {events:?}");
        let writes: Vec<_> = events.iter().filter(|event| event.0 == "beforeinput").collect();
        assert!(writes.len() == 1 && writes[0].1 == id, "{name}: {events:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn what_a_page_makes_of_a_value_stays_and_what_it_refuses_is_told() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    done(&stage, "Short", fill("abcdefgh")).await;
    assert_eq!(held(&tab, "short").await, "abcd");
    done(&stage, "Masked", fill("1234567890")).await;
    assert_eq!(held(&tab, "masked").await, "1234 5678 90");
    let (not, sent) = refused(&stage, "Refusing", fill("words")).await;
    assert!(sent && why(&not).contains("took nothing"), "{not:?}");
    let (not, sent) = refused(&stage, "Count", fill("twelve")).await;
    assert!(!sent && why(&not).contains("a number as 12.5"), "{not:?}");
    assert_eq!(held(&tab, "count").await, "3");
    let brief = Limit::within(Duration::from_secs(8));
    for name in ["Fixed", "Off"] {
        let not = looked(&stage).await.act_within(&stage, name, fill("words"), &brief).await.unwrap_err();
        assert!(matches!(not.why, Blocked::Disabled), "{name}: {not:?}");
        assert!(not.permit.is_some());
    }
    let (not, sent) = refused(&stage, "Button", fill("words")).await;
    assert!(!sent && why(&not).contains("nothing can be written"), "{not:?}");
    stage.end().await;
}

#[tokio::test]
async fn editors_are_filled_in_and_only_the_part_that_is_meant() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    done(&stage, "Rich", fill("New words")).await;
    assert_eq!(value(&tab, "document.getElementById('rich').innerText.trim()").await, "New words");
    done(&stage, "Plain", fill("one\ntwo")).await;
    assert_eq!(value(&tab, "document.getElementById('plain').innerText.trim()").await, "one\ntwo");
    done(&stage, "Nested", fill("inner")).await;
    assert_eq!(value(&tab, "document.getElementById('nested').innerText.trim()").await, "inner");
    let outer = value(&tab, "document.getElementById('outer').innerText").await;
    assert!(outer.contains("before") && outer.contains("after"), "{outer}");
    assert!(events(&tab, "field_texts").await.iter().all(|event| event.3));
    stage.end().await;
}

#[tokio::test]
async fn fields_in_frames_and_shadow_roots_are_filled_in() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    for (name, frame, id) in [
        ("Field in open", "field_texts", "open-field"),
        ("Field in closed", "field_texts", "closed-field"),
        ("Field in near", "field_inner.html?near", "field"),
        ("Field in far", "field_inner.html?far", "field"),
    ] {
        assert!(done(&stage, name, fill("new")).await, "{name}");
        assert!(done(&stage, name, type_in("er")).await, "{name}");
        let inputs = told(&tab, frame, &["input"]).await;
        let expected = ["new", "newe", "newer"].map(|text| format!("input:{id}={text}"));
        let own: Vec<_> = inputs.into_iter().filter(|input| input.contains(&format!(":{id}="))).collect();
        assert_eq!(own, expected, "{name}");
    }
    for (name, id) in [("Rich in open", "open-rich"), ("Rich in closed", "closed-rich")] {
        assert!(done(&stage, name, fill("new")).await, "{name}");
        let inputs = told(&tab, "field_texts", &["input"]).await;
        assert_eq!(inputs.last(), Some(&format!("input:{id}=new")), "{name}: {inputs:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn fields_are_cleared_and_an_empty_one_is_left_alone() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    assert!(done(&stage, "Name", Deed::Clear).await);
    assert!(done(&stage, "Mail", fill("")).await);
    assert!(done(&stage, "Notes", Deed::Clear).await);
    assert!(done(&stage, "Rich", Deed::Clear).await);
    assert!(done(&stage, "Field in far", Deed::Clear).await);
    for id in ["name", "mail", "notes"] {
        assert_eq!(held(&tab, id).await, "", "{id}");
    }
    assert_eq!(value(&tab, "document.getElementById('rich').innerText.trim()").await, "");
    assert_eq!(told(&tab, "field_inner.html?far", &["input"]).await, ["input:field="]);
    assert!(!done(&stage, "Name", Deed::Clear).await, "nothing is sent to an empty one");
    let (not, sent) = refused(&stage, "Button", Deed::Clear).await;
    assert!(!sent && why(&not).contains("nothing in it"), "{not:?}");
    stage.end().await;
}

#[tokio::test]
async fn typing_goes_behind_what_is_there_key_by_key() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    done(&stage, "Name", type_in("A é!")).await;
    assert_eq!(held(&tab, "name").await, "Old nameA é!");
    assert_eq!(keys(&tab, "field_texts").await, ["name Shift", "name A", "name  ", "name Shift", "name !"]);
    done(&stage, "Notes", type_in("\nx")).await;
    assert_eq!(held(&tab, "notes").await, "Old notes\nx");
    done(&stage, "Mail", type_in("x")).await;
    assert_eq!(held(&tab, "mail").await, "old@example.orgx");
    done(&stage, "Rich", type_in("er")).await;
    assert!(value(&tab, "document.getElementById('rich').innerText").await.trim().ends_with("er"));
    assert!(events(&tab, "field_texts").await.iter().all(|event| event.3));
    stage.end().await;
}

#[tokio::test]
async fn a_pause_is_kept_from_key_to_key() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    let note = "document.getElementById('search').addEventListener('keydown', ({ timeStamp }) => {
        document.documentElement.dataset.times = `${document.documentElement.dataset.times ?? ''} ${timeStamp}`;
    })";
    gesture(&tab, note).await.unwrap();
    let text = FieldValue::Text("abcd".to_owned());
    done(&stage, "Search", Deed::Type { text, delay_ms: 150 }).await;
    assert_eq!(held(&tab, "search").await, "abcd");
    assert_eq!(keys(&tab, "field_texts").await, ["search a", "search b", "search c", "search d"]);
    let times = value(&tab, "document.documentElement.dataset.times").await;
    let times: Vec<f64> = times.split_whitespace().map(|time| time.parse().unwrap()).collect();
    assert_eq!(times.len(), 4, "{times:?}");
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= 150.0), "{times:?}");
    stage.end().await;
}
