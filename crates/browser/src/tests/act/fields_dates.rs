//! Dates, times, sliders and colours: what they hold afterwards, and how often the page heard of it.

use super::{fields_kit::*, *};

#[tokio::test]
async fn dates_and_times_are_written_by_keys() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_dates.html").await;
    for (name, id, wanted) in [
        ("Day", "day", "2026-11-06"),
        ("Filled day", "filled", "2026-11-16"),
        ("Bounded day", "bounded", "2026-03-15"),
        ("Time", "time", "21:30"),
        ("Fine time", "fine", "00:05:09"),
        ("Moment", "moment", "2026-11-16T09:30"),
        ("Month", "month", "2026-07"),
        ("Week", "week", "2026-W46"),
    ] {
        assert!(done(&stage, name, fill(wanted)).await, "{name}");
        assert_eq!(held(&tab, id).await, wanted, "{name}");
    }
    let changes = told(&tab, "field_dates", &["change"]).await;
    assert!(changes.iter().all(|change| !change.ends_with('!')), "by keys alone: {changes:?}");
    // The page hears of the whole value alone wherever a single key can complete it.
    for (id, wanted) in [("day", "2026-11-06"), ("time", "21:30"), ("moment", "2026-11-16T09:30")] {
        let heard: Vec<_> =
            changes.iter().filter(|change| change.starts_with(&format!("change:{id}="))).collect();
        assert_eq!(heard, [&format!("change:{id}={wanted}")]);
    }
    assert!(!done(&stage, "Day", fill("2026-11-06")).await, "nothing is sent where it is so already");
    stage.end().await;
}

#[tokio::test]
async fn parts_that_take_no_keys_are_written_all_the_same() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_dates.html").await;
    assert!(done(&stage, "Fixed hour", fill("09:15")).await);
    assert_eq!(held(&tab, "hour").await, "09:15");
    stage.end().await;
}

#[tokio::test]
async fn a_date_in_another_form_is_refused_before_anything_is_sent() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_dates.html").await;
    for (name, given, form) in [
        ("Day", "16.11.2026", "2026-11-16"),
        ("Time", "9:30 pm", "21:30"),
        ("Moment", "2026-11-16", "2026-11-16T21:30"),
        ("Month", "November", "2026-11"),
        ("Week", "46", "2026-W46"),
        ("Colour", "red", "#1a2b3c"),
        ("Volume", "7", "within its bounds and steps"),
        ("Volume", "loud", "within its bounds and steps"),
    ] {
        let (not, sent) = refused(&stage, name, fill(given)).await;
        assert!(!sent && why(&not).contains(form), "{name}: {not:?}");
    }
    assert_eq!(events(&tab, "field_dates").await, []);
    stage.end().await;
}

#[tokio::test]
async fn dates_are_cleared() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_dates.html").await;
    assert!(done(&stage, "Filled day", Deed::Clear).await);
    assert_eq!(told(&tab, "field_dates", &["change"]).await, ["change:filled="]);
    assert!(!done(&stage, "Filled day", Deed::Clear).await);
    assert!(done(&stage, "Filled day", fill("2026-11-16")).await);
    assert_eq!(held(&tab, "filled").await, "2026-11-16");
    stage.end().await;
}

#[tokio::test]
async fn sliders_are_moved_by_keys_and_colours_are_written() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_dates.html").await;
    assert!(done(&stage, "Volume", fill("35")).await);
    let heard = ["input:volume=30", "change:volume=30", "input:volume=35", "change:volume=35"];
    assert_eq!(told(&tab, "field_dates", &["input", "change"]).await, heard);
    assert!(done(&stage, "Volume", fill("0")).await);
    assert_eq!(held(&tab, "volume").await, "0");
    assert!(!done(&stage, "Volume", fill("0")).await);
    assert!(done(&stage, "Long", fill("50000")).await);
    assert_eq!(held(&tab, "long").await, "50000");
    assert!(done(&stage, "Colour", fill("#FF8800")).await);
    assert_eq!(held(&tab, "colour").await, "#ff8800");
    let heard = told(&tab, "field_dates", &["input", "change"]).await;
    assert!(heard.contains(&"change:colour=#ff8800!".to_owned()), "{heard:?}");
    stage.end().await;
}
