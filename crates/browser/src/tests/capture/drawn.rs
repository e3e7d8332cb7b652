//! What words may not be enough for, on real pages: what script draws, and controls that nothing tells of.

use super::*;

/// A canvas with something on it.
fn painted(attributes: &str) -> String {
    format!(
        "<canvas {attributes}></canvas><script>
           const board = document.querySelector('canvas').getContext('2d');
           board.fillStyle = 'green';
           board.fillRect(10, 10, 80, 40);
         </script>"
    )
}

/// Pages with their names, and whether words are not enough for what is in sight of them.
fn pages() -> Vec<(&'static str, String, bool)> {
    let icon = "<svg width=20 height=20><path d='M2 2L18 18'/></svg>";
    let board = "width=400 height=300";
    vec![
        ("painted", painted(board), true),
        ("without a canvas", "<p>A board of eight by eight</p>".to_owned(), false),
        ("named as a part", painted(&format!("{board} aria-label=Board tabindex=0")), true),
        ("picture with a name", painted(&format!("{board} role=img aria-label='Sales by month'")), false),
        ("picture without a name", painted(&format!("{board} role=img")), true),
        ("small", painted("width=80 height=40 aria-label=Trend"), false),
        ("not laid out", painted(&format!("{board} hidden")), false),
        ("invisible", painted(&format!("{board} style='visibility:hidden'")), false),
        ("transparent", format!("<div style='opacity:0'>{}</div>", painted(board)), false),
        ("without a size", painted("width=400 height=300 style='width:0; height:0'"), false),
        ("out of reach", painted(&format!("{board} style='position:absolute; left:-9999px'")), false),
        ("further down", format!("<div style='height:3000px'></div>{}", painted(board)), false),
        (
            "cut off",
            format!("<div style='overflow:hidden; width:90px; height:300px'>{}</div>", painted(board)),
            false,
        ),
        (
            "in a shadow root",
            "<x-board></x-board><script>
               document.querySelector('x-board').attachShadow({ mode: 'closed' }).innerHTML = '<canvas width=400 height=300>';
             </script>"
                .to_owned(),
            true,
        ),
        ("in a frame of another site", far("/painted", "width=500 height=400"), true),
        ("in a hidden frame of another site", far("/painted", "style='display:none'"), false),
        ("in a small frame of another site", far("/painted", "width=90 height=400"), false),
        ("button with a picture", format!("<h1>Player</h1><button>{icon}</button>"), true),
        (
            "button with a picture and a label",
            format!("<h1>Player</h1><button aria-label=Play>{icon}</button>"),
            false,
        ),
        ("button with a picture, off", format!("<h1>Player</h1><button disabled>{icon}</button>"), false),
    ]
}

/// A frame from the other site.
fn far(path: &str, attributes: &str) -> String {
    format!("<iframe src='{{{{OTHER}}}}{path}' {attributes}></iframe>")
}

#[tokio::test]
async fn words_are_enough_unless_something_is_drawn_or_nameless() {
    let pages = pages();
    let path = |name: &str| format!("/{}", name.replace(' ', "-"));
    let site = pages.iter().fold(Site::builder(), |site, (name, body, _)| {
        site.page(&path(name), format!("<!doctype html><title>{name}</title><body>{body}"))
    });
    let stage = Stage::on(site.start().await).await;
    for (name, _, is_drawn) in &pages {
        let tab = stage.at(&path(name)).await;
        assert!(tab.loaded(&soon()).await, "{name} loads");
        let look = capture(&tab).await;
        let surfaces: Vec<_> = look.page.frames.iter().map(|frame| &frame.look.surfaces).collect();
        assert_eq!(understood(&look).is_drawn(), *is_drawn, "{name}: {surfaces:?}");
        if *name == "picture with a name" {
            let texts: Vec<_> = look.page.frames[0].look.texts.iter().map(|text| text.untrusted()).collect();
            assert_eq!(texts, ["Sales by month"], "it is told in words instead");
        }
    }
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_stands_still_has_one_digest_and_a_letter_makes_another() {
    let page = "<!doctype html><title>Still</title><h1>Form</h1><label>Town <input></label>
        <label><input type=checkbox> Gift</label><div style='height:3000px'></div><p>End</p>";
    let stage = Stage::on(Site::builder().page("/", page).start().await).await;
    let tab = stage.at("/").await;
    assert!(tab.loaded(&soon()).await);
    let mut digests = vec![understood(&capture(&tab).await).digest()];
    assert_eq!(understood(&capture(&tab).await).digest(), digests[0], "nothing has happened");
    for change in [
        "document.querySelector('input').value = 'B'",
        "document.querySelector('[type=checkbox]').checked = true",
        "document.querySelector('input').focus()",
        "scrollTo(0, 1000)",
        "document.querySelector('p').textContent = 'The end'",
        "document.title = 'Moved'",
    ] {
        in_the_page::<serde::de::IgnoredAny>(&tab, &format!("void ({change})")).await;
        let digest = understood(&capture(&tab).await).digest();
        assert!(!digests.contains(&digest), "{change} makes another");
        digests.push(digest);
    }
    stage.end().await;
}
