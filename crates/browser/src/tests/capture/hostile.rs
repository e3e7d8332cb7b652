//! Pages that are too much: each is looked at in bounded time, into a bounded result that says what it lacks.

use legwork_observe::{
    Boundary,
    capture::{FrameLook, NodeRef},
    tokens,
};
use legwork_types::contract::ObserveOptions;

use super::*;

/// What a look may weigh, whatever the page is.
const MOST_BYTES: usize = 8 << 20;

/// What the text of an observation may cost.
const MOST_TOKENS: u32 = 2_000;

/// What the process with all its looks may weigh.
const MOST_KB: u64 = 1_500_000;

/// Opens a page with this body and script, looks at it, and proves that the tab is as good as before.
async fn look_at(body: &str, check: impl AsyncFnOnce(&Tab, &Capture)) {
    let page = format!("<!doctype html><title>Too much</title><body>{body}");
    let site = Site::builder().page("/", page).page("/endless", "<script>for (;;);</script>").start().await;
    let stage = Stage::in_turn(site).await;
    let tab = stage.tab().await;
    // Chromium itself needs its time for such a page, on a busy machine.
    let patience = Limit::within(Duration::from_secs(60));
    tab.navigate(&stage.page("/"), &patience).await.expect("the page opens");
    let main = tab.frames().await.unwrap()[0].id.clone();
    tab.value::<f64>(&main, "document.body.offsetHeight", &patience).await.expect("the page is laid out");
    let look = capture(&tab).await;
    let weight = serde_json::to_vec(&look.page).unwrap().len();
    assert!(weight <= MOST_BYTES, "{weight} bytes");
    is_told_in_bounds(&look);
    check(&tab, &look).await;
    assert!(legwork_testkit::rss_kb(std::process::id()) < MOST_KB);
    stage.still_works().await;
    stage.end().await;
}

/// The text that a model reads is short, and states whatever the look lacks.
fn is_told_in_bounds(look: &Capture) {
    let understood = understood(look);
    let reading =
        understood.read(&ObserveOptions::default(), None, &Boundary::new(7)).expect("it can be read");
    let (text, cost) = (&reading.text, tokens::estimate(&reading.text));
    assert!(cost <= MOST_TOKENS, "{cost} tokens");
    let sum = |count: &dyn Fn(&FrameLook) -> u32| -> u32 {
        look.page.frames.iter().map(|frame| count(&frame.look)).sum()
    };
    let over = sum(&|look| look.left_out.over_budget + look.left_out.cut_texts);
    let unchecked = sum(&|look| look.left_out.closed_roots_unchecked);
    let stated = [
        (over, format!("{over} over limits")),
        (unchecked, format!("{unchecked} closed root")),
        (look.page.unreachable.len() as u32, format!("{} unreachable frame", look.page.unreachable.len())),
        (sum(&|look| look.left_out.hidden), " hidden".to_owned()),
        (u32::from(reading.observation.has_more), " more".to_owned()),
    ];
    let footer = text.lines().rev().take(3).collect::<Vec<_>>().join("\n");
    for (_, words) in stated.iter().filter(|(count, _)| *count > 0) {
        assert!(footer.contains(words.as_str()), "{words:?} is not in {footer:?}");
    }
    let shown = reading.observation.affordances.len();
    assert_eq!(reading.observation.has_more, shown < understood.scene().items.len(), "{shown} are shown");
}

fn main_look(look: &Capture) -> &FrameLook {
    &look.page.frames[0].look
}

/// How many controls there are, listed or not.
fn accounted_for(look: &FrameLook) -> usize {
    look.controls.len() + (look.left_out.over_budget + look.left_out.hidden) as usize
}

#[tokio::test]
async fn two_hundred_thousand_nodes() {
    let body = "<script>
      const part = '<div>words <b>more</b> <i>words</i></div>'.repeat(19) + '<div><a href=#>link</a> <s>x</s></div>';
      document.body.innerHTML = part.repeat(3334);
    </script>";
    look_at(body, async |_, look| {
        let look = main_look(look);
        assert_eq!(accounted_for(look), 3334);
        assert!(!look.controls.is_empty() && look.left_out.over_budget > 0, "{:?}", look.left_out);
    })
    .await;
}

/// Looks at a page whose last elements are beyond all limits: these, ten times, with this done to each of them.
async fn look_beyond_the_limits(last: &str, script: &str, check: impl AsyncFnOnce(&FrameLook)) {
    let body = format!(
        "<style>last-one {{ display: block; height: 20px }}</style><div></div><script>
          document.querySelector('div').innerHTML = '<b></b>'.repeat(125000) + '{last}'.repeat(10);
          for (const last of document.querySelectorAll('last-one')) {{ {script} }}
        </script>"
    );
    look_at(&body, async |_, look| {
        let look = main_look(look);
        assert!(look.left_out.cut_texts > 0, "{:?}", look.left_out);
        check(look).await;
    })
    .await;
}

#[tokio::test]
async fn open_roots_beyond_the_limits() {
    let script = "last.attachShadow({ mode: 'open' }).innerHTML = '<button>in it</button>'";
    look_beyond_the_limits("<last-one></last-one>", script, async |look| {
        assert_eq!((look.controls.len(), look.left_out.over_budget), (0, 10));
    })
    .await;
}

#[tokio::test]
async fn closed_roots_beyond_the_limits() {
    let script = "last.attachShadow({ mode: 'closed' }).innerHTML = '<button>in it</button>'";
    look_beyond_the_limits("<last-one></last-one>", script, async |look| {
        assert_eq!(look.controls.len(), 0);
    })
    .await;
}

#[tokio::test]
async fn pointers_beyond_the_limits() {
    look_beyond_the_limits("<last-one>press</last-one>", "last.style.cursor = 'pointer'", async |look| {
        assert_eq!(look.controls.len(), 0);
    })
    .await;
}

#[tokio::test]
async fn a_hundred_thousand_links() {
    let body = "<script>document.body.innerHTML = '<a href=#>a link</a> '.repeat(100000)</script>";
    look_at(body, async |tab, look| {
        let frame = &look.page.frames[0];
        assert_eq!(accounted_for(&frame.look), 100_000);
        assert!(frame.look.left_out.over_budget >= 80_000, "{:?}", frame.look.left_out);
        let last = element(frame, frame.look.controls.last().unwrap());
        let located = tab.locate(&last, &look.epoch, &soon()).await.unwrap();
        assert!(matches!(located, Located::Here { .. }), "{located:?}");
    })
    .await;
}

#[tokio::test]
async fn a_hundred_thousand_pixels_and_eight_thousand_screens_of_page() {
    for (height, screens) in [(100_000, 1), (720, 8_000)] {
        let screen = format!("<div style=height:{height}px><a href=#>a link</a></div>");
        let body = format!("<style>body {{ margin: 0 }}</style>{}", screen.repeat(screens));
        look_at(&body, async |tab, look| {
            assert_eq!(accounted_for(main_look(look)), screens);
            let all = f64::from(height) * screens as f64;
            assert_eq!(read::<f64>(tab, "document.documentElement.scrollHeight").await, all);
            // In front, and at the far end.
            for _ in 0..2 {
                let picture = tab.screenshot(&soon()).await.expect("a picture is taken");
                assert_eq!(legwork_testkit::jpeg_size(&picture), (1280, 720));
                assert!(picture.len() < 1_000_000, "{} bytes", picture.len());
                gesture(tab, "scrollTo(0, 1e9)").await.unwrap();
            }
            assert_eq!(read::<f64>(tab, "scrollY").await, all - 720.0);
            is_told_in_bounds(&capture(tab).await);
        })
        .await;
    }
}

#[tokio::test]
async fn ten_megabytes_in_one_text() {
    let body = "<p></p><button>beside it</button><script>document.querySelector('p').textContent = 'words '.repeat(1.7e6)</script>";
    look_at(body, async |_, look| {
        let look = main_look(look);
        assert_eq!(look.controls.len(), 1);
        assert_eq!(look.left_out.cut_texts, 1);
        let texts: usize = look.texts.iter().map(|text| text.untrusted().len()).sum();
        assert!((500..5000).contains(&texts), "{texts} bytes of text");
    })
    .await;
}

#[tokio::test]
async fn a_hundred_thousand_options() {
    let body = "<select></select><input list=all><datalist id=all></datalist><script>
      for (const list of document.querySelectorAll('select, datalist')) list.innerHTML = '<option>an option'.repeat(100000);
    </script>";
    look_at(body, async |_, look| {
        let controls = &main_look(look).controls;
        assert_eq!(controls.len(), 2);
        for control in controls {
            assert_eq!(control.attributes.option_count, Some(100_000));
            assert!(control.attributes.options.len() <= 50);
        }
    })
    .await;
}

#[tokio::test]
async fn attributes_of_a_megabyte() {
    let body = "<a></a><input><div role=button tabindex=0></div><select><option></select><iframe></iframe><form><button></form><script>
      const names = ['href', 'aria-label', 'title', 'class', 'id', 'value', 'placeholder', 'role', 'name', 'data-testid', 'autocomplete',
        'pattern', 'min', 'aria-describedby', 'aria-labelledby', 'aria-valuetext', 'contenteditable', 'tabindex', 'action', 'coords', 'label', 'lang'];
      for (const el of document.querySelectorAll('html, body, body *:not(script)')) {
        for (const name of names) el.setAttribute(name, (el.getAttribute(name) ?? '') + ' ' + name.repeat(1 << 16));
        el.setAttribute('aria-owns', Array.from({ length: 1e5 }, (_, i) => 'id' + i).join(' '));
      }
      document.title = 'title '.repeat(2e5);
    </script><button aria-labelledby></button><script>
      const ids = Array.from({ length: 1e5 }, (_, i) => 'id' + i);
      document.querySelector('body > button').setAttribute('aria-labelledby', ids.join(' '));
      document.querySelector('body > button').setAttribute('aria-describedby', ids.join(' '));
    </script>";
    look_at(body, async |tab, look| {
        let weight = serde_json::to_vec(&look.page).unwrap().len();
        assert!(weight < 100_000, "{weight} bytes");
        assert!(main_look(look).controls.len() >= 5);
        listing(tab, look).await;
    })
    .await;
}

#[tokio::test]
async fn five_hundred_frames() {
    let body = "<script>
      document.body.innerHTML = '<iframe width=50 height=20></iframe>'.repeat(500);
      for (let i = 0; i < 500; i += 1) frames[i].document.body.innerHTML = '<button>in a frame</button>';
    </script>";
    look_at(body, async |tab, look| {
        let frames = tab.frames().await.unwrap().len();
        assert_eq!(look.page.frames.len() + look.page.unreachable.len(), frames);
        assert!((2..=100).contains(&look.page.frames.len()), "{}", look.page.frames.len());
        assert!(look.page.unreachable.len() >= 400);
    })
    .await;
}

#[tokio::test]
async fn twenty_thousand_custom_elements_without_a_root() {
    let body = "<style>x-plain { display: block; height: 10px }</style><div></div><script>document.querySelector('div').innerHTML = '<x-plain></x-plain>'.repeat(20000)</script>";
    look_at(body, async |tab, first| {
        assert_eq!(main_look(first).left_out.closed_roots_unchecked, 19_500);
        let second = capture(tab).await;
        assert_eq!(main_look(&second).left_out.closed_roots_unchecked, 19_000, "the next look asks others");
    })
    .await;
}

#[tokio::test]
async fn two_thousand_shadow_roots_in_one_another() {
    let body = "<div></div><script>
      let host = document.querySelector('div');
      for (let i = 0; i < 2000; i += 1) {
        const root = host.attachShadow({ mode: 'open' });
        root.innerHTML = '<button>b</button><div></div>';
        host = root.lastChild;
      }
    </script>";
    look_at(body, async |_, look| {
        let look = main_look(look);
        assert_eq!(accounted_for(look), 2000);
        assert!(look.controls.len() > 100, "{:?}", look.left_out);
    })
    .await;
}

#[tokio::test]
async fn closed_roots_in_one_another_beyond_all_patience() {
    let body = "<div style='height:20px'></div><script>
      let host = document.querySelector('div');
      for (let i = 0; i < 50; i += 1) {
        const root = host.attachShadow({ mode: 'closed' });
        root.innerHTML = '<button>b</button><div style=\"height:20px\"></div>';
        host = root.lastChild;
      }
    </script>";
    look_at(body, async |tab, first| {
        let listed = main_look(first).controls.len();
        assert!(listed >= 4, "{listed}");
        assert!(main_look(first).left_out.closed_roots_unchecked > 0, "{:?}", main_look(first).left_out);
        let second = capture(tab).await;
        assert!(main_look(&second).controls.len() > listed, "the next look goes deeper");
    })
    .await;
}

#[tokio::test]
async fn a_page_that_never_stops_growing() {
    let body = "<button>first</button><script>
      const grow = () => { for (let i = 0; i < 20; i += 1) document.body.append(Object.assign(document.createElement('button'), { textContent: 'more' })); };
      setInterval(grow, 0);
      (function onFrame() { grow(); requestAnimationFrame(onFrame); })();
      new MutationObserver(() => { document.body.title += 'x'; }).observe(document.body, { childList: true });
    </script>";
    look_at(body, async |tab, look| {
        let before = main_look(look).controls.len();
        assert!(before >= 1);
        let later = capture(tab).await;
        assert!(main_look(&later).controls.len() > before, "it grows");
    })
    .await;
}

#[tokio::test]
async fn a_frame_that_hangs_costs_only_itself() {
    let body = "<button>outside</button><iframe srcdoc='<button>beside</button>'></iframe><iframe src='{{OTHER}}/endless'></iframe>";
    look_at(body, async |_, look| {
        let listed: usize = look.page.frames.iter().map(|frame| frame.look.controls.len()).sum();
        assert_eq!(listed, 2);
        let [hung] = look.page.unreachable.as_slice() else { panic!("{:?}", look.page.unreachable) };
        assert!(hung.url.untrusted().is_empty() || hung.url.untrusted().ends_with("/endless"), "{hung:?}");
    })
    .await;
}

#[tokio::test]
async fn fifty_thousand_levels_of_markup() {
    let body = format!("<button>above</button>{}<button>below</button>", "<div>".repeat(50_000));
    look_at(&body, async |_, look| {
        assert_eq!(accounted_for(main_look(look)), 2);
        assert!(deepest(main_look(look)) < 10_000);
    })
    .await;
}

#[tokio::test]
async fn fifty_thousand_levels_that_nobody_sees() {
    let body = "<button>above</button><div id=deep hidden></div><script>
      let at = document.getElementById('deep');
      for (let i = 0; i < 50000; i += 1) at = at.appendChild(document.createElement('div'));
      at.innerHTML = '<button>below</button>';
    </script>";
    look_at(body, async |_, look| {
        let look = main_look(look);
        assert_eq!((look.controls.len(), look.left_out.hidden), (1, 1));
    })
    .await;
}

/// Levels that Chromium bears: it overflows its own stack before half as many again, whether anybody looks or not.
const DEEPEST: usize = 2000;

#[tokio::test]
async fn a_page_as_deep_as_chromium_bears() {
    let body = format!(
        "<button>above</button><script>
          let at = document.body;
          for (let i = 0; i < {DEEPEST}; i += 1) at = at.appendChild(document.createElement('div'));
          at.innerHTML = '<button>below</button>';
        </script>"
    );
    look_at(&body, async |_, look| {
        let look = main_look(look);
        assert_eq!(accounted_for(look), 2);
        assert!(deepest(look) < 10_000);
    })
    .await;
}

/// How many groups are in one another.
fn deepest(look: &FrameLook) -> usize {
    let mut depth = vec![0; look.groups.len()];
    for (place, group) in look.groups.iter().enumerate() {
        let below = group.children.iter().filter_map(|child| match child {
            NodeRef::Group(group) => Some(depth[*group as usize]),
            _ => None,
        });
        depth[place] = 1 + below.max().unwrap_or(0);
    }
    depth.into_iter().max().unwrap_or(0)
}

#[tokio::test]
async fn a_page_too_deep_for_chromium_is_a_crash_that_is_told() {
    let body = "<!doctype html><script>
      onload = () => setTimeout(() => {
        let at = document.body;
        for (let i = 0; i < 50000; i += 1) at = at.appendChild(document.createElement('div'));
        at.innerHTML = '<button>below</button>';
      });
    </script><body><p>not yet";
    let stage = Stage::with(Site::builder().page("/", body).start().await, &[]).await;
    let tab = stage.at("/").await;
    let began = Instant::now();
    let mut outcome = tab.capture(&CaptureOptions::default(), &soon()).await;
    while outcome
        .as_ref()
        .is_ok_and(|look| main_look(look).controls.is_empty() && main_look(look).left_out.over_budget == 0)
    {
        outcome = tab.capture(&CaptureOptions::default(), &soon()).await;
        assert!(began.elapsed() < Duration::from_secs(20), "neither a look nor a crash: {outcome:?}");
    }
    match outcome {
        Ok(look) => assert_eq!(accounted_for(main_look(&look)), 1),
        Err(error) => assert!(matches!(error, BrowserError::TabGone { .. }), "{error:?}"),
    }
    stage.end().await;
}

#[tokio::test]
async fn names_that_never_end() {
    let stage = Stage::alone().await;
    let tab = loaded(&stage, "names_hostile.html").await;
    is_told_in_bounds(&capture(&tab).await);
    stage.end().await;
}
