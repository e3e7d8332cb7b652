//! Fields of every kind in every place: what they hold afterwards, and what the page heard on the way.

use std::path::PathBuf;

use legwork_types::{
    Tick,
    contract::{FieldValue, FormFill},
};

use super::{fields_kit::*, places_kit::*, *};

const OFF: Deed = Deed::Tick(Tick::Off);

#[tokio::test]
async fn ticks_are_taken_off_by_one_press_in_every_place() {
    let mut place = Place::new().await;
    let kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "input", "change"];
    for page in PLACES {
        place.go(page).await;
        place.does("Ticked", OFF).await;
        let all = [
            "pointerdown:ticked=true",
            "mousedown:ticked=true",
            "pointerup:ticked=true",
            "mouseup:ticked=true",
            "click:ticked=false",
            "input:ticked=false",
            "change:ticked=false",
        ];
        assert_eq!(place.took(&kinds).await, all, "{page}");
        assert!(!done(&place.stage, "Ticked", OFF).await, "{page}");
        assert_eq!(place.took(&kinds).await, [""; 0], "nothing is sent where it is so already: {page}");
    }
    place.end().await;
}

#[tokio::test]
async fn what_was_written_is_taken_out_in_every_place() {
    let mut place = Place::new().await;
    for page in PLACES {
        place.go(page).await;
        for id in ["word", "rich"] {
            let name = if id == "word" { "Word" } else { "Rich" };
            place.does(name, Deed::Clear).await;
            let all = place.took(&["beforeinput", "input"]).await;
            assert_eq!(all.first(), Some(&format!("beforeinput:{id}=old")), "{page}: {all:?}");
            let last = all.last().map(|event| event.trim_end());
            assert_eq!(last, Some(format!("input:{id}=").as_str()), "{page}: {all:?}");
            assert!(!done(&place.stage, name, Deed::Clear).await, "{page}");
        }
    }
    place.end().await;
}

#[tokio::test]
async fn rich_text_is_written_in_every_place() {
    let mut place = Place::new().await;
    for page in PLACES {
        place.go(page).await;
        place.does("Rich", fill("new words")).await;
        let all = place.took(&["beforeinput", "input"]).await;
        assert_eq!(all.first().map(String::as_str), Some("beforeinput:rich=old"), "{page}: {all:?}");
        assert_eq!(all.last().map(String::as_str), Some("input:rich=new words"), "{page}: {all:?}");
        assert!(all.iter().all(|event| !event.ends_with('!')), "{page}: {all:?}");
    }
    place.end().await;
}

#[tokio::test]
async fn dates_times_sliders_and_colours_are_set_in_every_place() {
    let mut place = Place::new().await;
    let kinds = ["input", "change"];
    for page in PLACES {
        place.go(page).await;
        // Each of them has a part that a single key completes: the page hears of the whole value alone.
        for (name, id, wanted) in [
            ("Day", "day", "2026-11-06"),
            ("Time", "time", "21:30"),
            ("Moment", "moment", "2026-11-16T09:30"),
            ("Month", "month", "2026-11"),
            ("Week", "week", "2026-W06"),
        ] {
            place.does(name, fill(wanted)).await;
            let all = place.took(&["keydown", "input", "change"]).await;
            assert!(all[0].starts_with(&format!("keydown:{id}=")), "{page}: {all:?}");
            let changes: Vec<&String> = all.iter().filter(|event| event.starts_with("change:")).collect();
            assert_eq!(changes, [&format!("change:{id}={wanted}")], "{page}: {all:?}");
            assert!(all.iter().all(|event| !event.ends_with('!')), "{page}: {all:?}");
        }
        place.does("Volume", fill("35")).await;
        let all = ["input:volume=30", "change:volume=30", "input:volume=35", "change:volume=35"];
        assert_eq!(place.took(&kinds).await, all, "{page}");
        // No key reaches the window in which colours are chosen: this value alone is written by script, which the page can tell.
        place.does("Colour", fill("#ff8800")).await;
        let all = ["input:colour=#ff8800!", "change:colour=#ff8800!"];
        assert_eq!(place.took(&kinds).await, all, "{page}");
    }
    place.end().await;
}

/// A file in a folder of its own.
fn file() -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("first.txt");
    std::fs::write(&path, "words").unwrap();
    (folder, vec![path])
}

#[tokio::test]
async fn files_are_given_in_every_place() {
    let mut place = Place::new().await;
    let (_folder, files) = file();
    let upload = async |stage: &Stage, name: &str| {
        let looked = looked(stage).await;
        let asked = files.iter().map(|file| file.display().to_string()).collect();
        let intent = Intent::OnElement { target: looked.number(name), deed: Deed::Upload(asked) };
        stage.context.act(looked.permit_with(intent, &files, None), &looked.aims(), &soon()).await
    };
    for page in PLACES {
        place.go(page).await;
        upload(&place.stage, "File").await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        let all = [r"input:file=C:\fakepath\first.txt", r"change:file=C:\fakepath\first.txt"];
        assert_eq!(place.took(&["click", "input", "change"]).await, all, "{page}");
        upload(&place.stage, "Attach").await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        // The page's own script presses the hidden field; the press that led to it is real.
        let all = [
            "mousedown:attach=",
            "click:attach=",
            "click:unseen=!",
            r"input:unseen=C:\fakepath\first.txt",
            r"change:unseen=C:\fakepath\first.txt",
        ];
        assert_eq!(place.took(&["mousedown", "click", "input", "change"]).await, all, "{page}");
    }
    place.end().await;
}

#[tokio::test]
async fn lists_of_the_page_are_chosen_from_in_every_place() {
    let mut place = Place::new().await;
    let kinds = ["mousedown", "click"];
    for page in PLACES {
        place.go(page).await;
        place.does("Combo", label("Green")).await;
        assert_eq!(place.note().await, "combo:Green", "{page}");
        let all =
            ["mousedown:combo=", "click:combo=", "mousedown:combo-green=Green", "click:combo-green=Green"];
        assert_eq!(place.took(&kinds).await, all, "{page}");
        place.does("List", label("Red")).await;
        assert_eq!(place.note().await, "list:Red", "{page}");
        assert_eq!(place.took(&kinds).await, ["mousedown:list-red=Red", "click:list-red=Red"], "{page}");
        assert!(!done(&place.stage, "List", label("Red")).await, "{page}");
    }
    place.end().await;
}

#[tokio::test]
async fn forms_are_filled_in_in_order_in_every_place() {
    let mut place = Place::new().await;
    for page in PLACES {
        place.go(page).await;
        let looked = looked(&place.stage).await;
        let fields = [
            ("Kind", "Two"),
            ("Word", "new"),
            ("Ticked", "false"),
            ("Day", "2026-11-06"),
            ("Rich", "words"),
            ("Combo", "Red"),
            ("Volume", "30"),
        ];
        let fills = fields.map(|(name, value)| FormFill {
            action_id: looked.number(name),
            value: FieldValue::Text(value.to_owned()),
        });
        let numbers: Vec<ActionId> = fills.iter().map(|fill| fill.action_id).collect();
        let permit = looked.permit_with(Intent::FillForm(fills.into()), &[], None);
        let done = place.stage.context.act(permit, &looked.aims(), &soon()).await;
        let done = done.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        assert_eq!(done.receipt.effects.fields_changed, numbers, "{page}");
        assert_eq!(place.note().await, "combo:Red", "{page}");
        let all = place.took(&["input", "change", "click"]).await;
        assert!(all.iter().all(|event| !event.ends_with('!')), "{page}: {all:?}");
        let ends = [
            "change:kind=Two",
            "input:word=new",
            "change:ticked=false",
            "change:day=2026-11-06",
            "input:rich=words",
            "click:combo-red=Red",
            "change:volume=30",
        ];
        let places = ends.map(|end| all.iter().position(|event| event == end));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{page}: {places:?} of {all:?}");
    }
    place.end().await;
}
