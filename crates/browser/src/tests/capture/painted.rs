//! What a person sees is told, and nothing else: whatever hides one thing among many that are alike.
//!
//! Words that begin with `seen` must be in a look, as text or as a name; words that begin with `gone` must not.

use super::*;

/// Five ordinary entries, so that the next one has something to be like.
const ALIKE: &str = "<div><p>one</p></div><div><p>two</p></div><div><p>three</p></div><div><p>four</p></div><div><p>five</p></div>";

/// What hides the sixth of them, in a style sheet or in its own markup.
const HIDDEN_AMONG_ALIKE: &[&str] = &[
    "<div style='position:absolute; left:-9999px'><p>gone1</p></div>",
    "<div style='color:#fff'><p>gone2</p></div>",
    "<div style='color:transparent'><p>gone3</p></div>",
    "<div style='font-size:0'><p>gone4</p></div>",
    "<div style='text-indent:-9999px'><p>gone5</p></div>",
    "<div style='transform:translateX(-9999px)'><p>gone6</p></div>",
    "<style>#b{display:none}</style><div id=b><p>gone7</p></div>",
    "<style>#c p{opacity:0}</style><div id=c><p>gone8</p></div>",
    "<style>[data-x] p{visibility:hidden}</style><div data-x=1><p>gone9</p></div><div><p>seen9</p></div>",
    "<style>div:nth-child(7) p{display:none}</style><div><p>gone10</p></div>",
    "<style>.mark ~ div{display:none}</style><i class=mark></i><div><p>gone11</p></div>",
    "<style>.far .near p{position:absolute; left:-9999px}</style><section class=far><div class=near><div><p>gone12</p></div></div></section>",
    "<style>input:not(:checked) + div{opacity:0}</style><input type=checkbox><div><p>gone13</p></div>",
    "<style>@keyframes away{to{opacity:0}} .off{animation:away 1ms forwards}</style><div class=off id=off><p>gone14</p></div>",
    "<div id=moved><p>gone15</p></div><script>moved.animate([{opacity:0},{opacity:0}],{duration:1e9})</script>",
];

const FAINT: &[&str] = &[
    "<p style='opacity:.01'>gone1</p><p style='opacity:.5'>seen1</p>",
    "<p style='filter:opacity(0)'>gone2</p>",
    "<p style='clip-path:inset(100%)'>gone3</p>",
    "<p style='scale:0'>gone4</p>",
    "<p style='translate:-9999px 0'>gone5</p>",
    "<p style='margin-left:-9999px'>gone6</p>",
    "<p style='color:#fefefe'>gone7</p>",
    "<p style='color:color(srgb 1 1 1)'>gone8</p>",
    "<p style='color:oklch(1 0 0)'>gone9</p>",
    "<div style='opacity:.2'><div style='opacity:.2'><p>gone10</p></div></div>",
    "<details><summary>seen11</summary>gone11<p>gone12</p></details><details open><summary>x</summary>seen13</details>",
    "<div style='contain:strict; width:0; height:0'><p>gone14</p></div>",
];

const CONTROLS: &[&str] = &[
    "<style>.r:nth-child(9){cursor:pointer}</style><div><b class=r>a</b><b class=r>b</b><b class=r>c</b><b class=r>d</b><b class=r>e</b>
       <b class=r>f</b><b class=r>g</b><b class=r>h</b><b class=r data-wanted>seen1</b></div>",
    "<style>#s{cursor:pointer}</style><div>a</div><div>b</div><div>c</div><div>d</div><div>e</div><div id=s data-wanted>seen2</div>",
    "<div style='width:200px; overflow-x:auto; overflow-y:hidden; white-space:nowrap'>
       <button style='width:150px'>a</button><button style='width:150px'>b</button><button data-wanted>seen3</button></div>",
    "<div style='width:200px; height:50px; overflow-x:hidden; overflow-y:auto; white-space:nowrap'>
       <button style='width:250px'>a</button><button>gone4</button></div>",
    "<div style='display:flex; flex-direction:column-reverse; height:60px; overflow:auto'>
       <button style='flex:none; height:50px'>a</button><button style='flex:none; height:50px'>b</button>
       <button style='flex:none; height:50px' data-wanted>seen5</button></div>",
    "<div style='writing-mode:vertical-rl; width:100px; height:60px; overflow:auto'>
       <p><button>a</button><p><button>b</button><p><button>c</button><p><button>d</button><p><button data-wanted>seen6</button></div>",
    "<div style='height:3000px'></div><div style='transform:translate(0)'><button style='position:fixed; top:10px' data-wanted>seen7</button></div>",
    "<div style='overflow:hidden; height:0; transform:translate(0)'><button style='position:absolute'>gone8</button></div>",
    "<picture><img onclick=1 alt=seen9 width=50 height=50 data-wanted></picture>",
    "<svg width=100 height=50><g role=checkbox aria-label=seen10 data-wanted><rect width=50 height=50 /></g></svg>",
    "<div style='cursor:pointer' data-wanted>seen11 <button>Wish</button></div>",
    "<style>.row{display:flex}</style><a href=a><span>a</span><span>b</span></a><a href=b><span>c</span><span>d</span></a>
       <a href=c><span>e</span><span>f</span></a><button class=row data-wanted><span>seen12</span><span>apart</span></button>",
    "<style>.c .lab{display:none}</style><a href=a><span class=lab>x</span></a><a href=b><span class=lab>y</span></a>
       <a href=c><span class=lab>z</span></a><a href=d><span class=lab>w</span></a>
       <a href=e class=c data-wanted><span class=lab>gone13</span> seen13</a>",
];

fn page(body: &str) -> String {
    format!("<!doctype html><title>Painted</title><body>{body}")
}

/// All words of a look: its texts and the names of its controls.
fn words_of(look: &Capture) -> Vec<String> {
    let look = &look.page.frames[0].look;
    let names = look.controls.iter().map(|control| &control.name);
    names.chain(&look.texts).flat_map(|text| text.untrusted().split(' ').map(str::to_owned)).collect()
}

fn marked<'a>(body: &'a str, mark: &str) -> BTreeSet<&'a str> {
    let is_end = |c: char| !c.is_ascii_alphanumeric();
    body.match_indices(mark)
        .map(|(at, _)| &body[at..at + body[at..].find(is_end).unwrap_or(body.len() - at)])
        .collect()
}

async fn tells_what_is_seen(bodies: impl Iterator<Item = String>) {
    let bodies: Vec<String> = bodies.collect();
    let mut site = Site::builder();
    for (number, body) in bodies.iter().enumerate() {
        site = site.page(&format!("/{number}"), page(body));
    }
    let stage = Stage::with(site.start().await, &[]).await;
    for (number, body) in bodies.iter().enumerate() {
        let tab = stage.at(&format!("/{number}")).await;
        tab.loaded(&soon()).await;
        let look = capture(&tab).await;
        let words = words_of(&look);
        let told = |word: &&str| words.iter().any(|other| other == word);
        let missing: Vec<&str> = marked(body, "seen").into_iter().filter(|word| !told(word)).collect();
        let leaked: Vec<&str> = marked(body, "gone").into_iter().filter(told).collect();
        assert!(
            missing.is_empty() && leaked.is_empty(),
            "{body}\nmissing {missing:?}, told {leaked:?}: {words:?}"
        );
        let wanted = body.matches("data-wanted").count();
        let mut found = 0;
        for control in &look.page.frames[0].look.controls {
            let located = tab.locate(&element(&look.page.frames[0], control), &look.epoch, &soon()).await;
            let Ok(Located::Here { attributes, .. }) = located else { panic!("{control:?} is {located:?}") };
            found += usize::from(attributes.iter().any(|(name, _)| name.untrusted() == "data-wanted"));
        }
        assert_eq!(found, wanted, "{body}\n{:?}", look.page.frames[0].look.controls);
    }
    stage.end().await;
}

#[tokio::test]
async fn one_that_is_hidden_among_many_alike() {
    tells_what_is_seen(HIDDEN_AMONG_ALIKE.iter().map(|body| format!("{ALIKE}{body}"))).await;
}

#[tokio::test]
async fn what_is_too_faint_or_elsewhere() {
    tells_what_is_seen(FAINT.iter().map(|&body| body.to_owned())).await;
}

#[tokio::test]
async fn controls_by_their_looks_and_in_odd_places() {
    tells_what_is_seen(CONTROLS.iter().map(|&body| body.to_owned())).await;
}

#[tokio::test]
async fn controls_in_running_text_far_down_a_long_page() {
    let prose = "Words that go on and on until nobody reads them any more. ".repeat(6);
    let entry = |number: usize| {
        format!(
            "<li>{prose}<span style='cursor:pointer' data-wanted>seen{number}</span> {prose} \
             <span tabindex=0 data-wanted>seenx{number}</span> <a href=/{number} data-wanted>seeny{number}</a></li>"
        )
    };
    let body: String = (0..40).map(entry).collect();
    tells_what_is_seen([format!("<ul>{}</ul>", body)].into_iter()).await;
}

#[tokio::test]
async fn a_link_that_goes_on_in_the_next_line_is_not_covered() {
    let body = "<main style='width:400px; font:16px monospace'><p>Lorem ipsum dolor sit amet <a href=/y>consectetur adipiscing elit</a> sed do.</p></main>
      <div style='position:relative'><button>under</button><div style='position:absolute; inset:0; background:red'></div></div>";
    let stage = Stage::with(Site::builder().page("/", page(body)).start().await, &[]).await;
    let tab = stage.at("/").await;
    let look = capture(&tab).await;
    let covered = look.page.frames[0].look.controls.iter().map(|control| control.state.has(Flag::Covered));
    assert_eq!(covered.collect::<Vec<_>>(), [false, true]);
    stage.end().await;
}
