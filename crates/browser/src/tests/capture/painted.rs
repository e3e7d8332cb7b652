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
    "<style>@keyframes away{to{opacity:0}} .off{animation:away 1ms -1s forwards}</style><div class=off id=off><p>gone14</p></div>",
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
    "<p style='clip-path:polygon(0 0, 0 0, 0 0)'>gone15</p><p style='clip-path:polygon(0 0, 100% 0, 100% 100%)'>seen15</p>",
    "<p style='clip-path:inset(0 100% 0 0)'>gone16</p><p style='clip-path:inset(1% 10% 1% 0)'>seen16</p>",
    "<p style='clip-path:ellipse(0 0)'>gone17</p><p style='clip-path:circle(90%)'>seen17</p>",
    "<p style='mask-image:linear-gradient(transparent, #0000)'>gone18</p><p style='mask-image:linear-gradient(#000, transparent)'>seen18</p>",
    "<style>:root{color-scheme:dark}</style><p style='color:#fff'>seen19</p><p style='color:#fff; background:#fff'>gone19</p>",
];

/// Words among words of the same line, or of the same box.
const AMONG_WORDS: &[&str] = &[
    "<style>.h{display:none}</style><p>seen1 <em>seen2</em> <span class=h>gone1</span> <b>seen3 <i>seen4 <u class=h>gone2</u></i></b></p>",
    "<style>.f em{opacity:0}</style><p><span class=f>seen1 <em>gone1</em></span> <span>seen2 <em>seen3</em></span></p>",
    "<p>seen1 <span hidden>gone1</span> <span><span style='visibility:hidden'>gone2</span></span> <code>seen2</code></p>",
    "<style>.w{color:#fff} .d{background:#000}</style><p>seen1 <b class=w>gone1</b> <span class=d>gone2 <b class=w>seen2</b></span></p>",
    "<p>seen1 <span>seen2 <span style='position:absolute; left:-5000px'>gone1</span></span> <b>seen3</b></p>",
    "<p style='padding-left:60px; text-indent:-60px'>seen1 <b>seen2</b></p><p style='text-indent:-9999px'><b>gone1</b></p>",
    "<div style='position:relative; left:20px'><p>seen1</p><p style='margin-left:-5000px'><b>gone1</b></p><p>seen2</p></div>",
    "<div style='position:absolute; left:-5000px'><p>gone1 <b>gone2</b></p><p style='position:relative; left:5010px'>seen1</p></div>",
    "<div style='overflow:hidden; width:300px; height:100px'><p>seen1</p><p style='transform:translateY(500px)'>gone1</p></div>",
    "<div style='overflow:hidden; height:20px'><p style='margin:0; height:20px'>seen1</p><p>gone1 <b>gone2</b></p></div>",
    "<div style='overflow:auto; height:30px'><p>seen1</p><p>seen2</p><p style='position:relative; left:-5000px'>gone1</p></div>",
    "<div style='overflow:hidden; height:0'><div style='overflow:auto; height:50px'><p>gone1</p></div></div><p>seen1</p>",
    "<div style='overflow:hidden; height:20px'><div style='height:20px'>seen1</div><div style='overflow:auto; height:50px'><p>gone1</p></div></div>",
    "<style>.never .a::before{content:'gone1 '} .x .c::before{content:'seen1 '}</style>
       <div class=x><a href=1><span class=a>seen2</span></a> <a href=2><span class=c>seen3</span></a></div>",
    "<x-a>seen1</x-a> <x-a>seen2</x-a> <x-a class=off>gone1</x-a> <x-a>seen3</x-a><script>
       for (const host of document.querySelectorAll('x-a')) host.attachShadow({ mode: 'open' }).innerHTML =
         '<style>:host(.off){opacity:0} ::slotted(b){display:none}</style><slot></slot>';</script>",
    "<x-a>seen1 <b>gone1</b></x-a> <x-b>seen2 <b>seen3</b></x-b><script>
       for (const host of document.querySelectorAll('x-a,x-b')) host.attachShadow({ mode: 'open' }).innerHTML =
         (host.localName === 'x-a' ? '<style>::slotted(b){display:none}</style>' : '') + '<slot></slot>';</script>",
];

/// What rules can say, in the ways that pages say it.
const BY_RULES: &[&str] = &[
    "<style>[class*='hidden']{display:none} [class^='icon-']{opacity:0}</style><p class=x-hidden>gone1</p><p class=icon-a>gone2</p><p class=x>seen1</p>",
    "<style>[id^=popup]{display:none} [id^=off] b{opacity:0}</style><p id=popup1>gone1</p><p id=off1>seen1 <b>gone2</b></p><p id=on1>seen2 <b>seen3</b></p>",
    "<style>[class*=dark] .t{display:none}</style><div class=so-dark><p class=t>gone1</p></div><div class=light><p class=t>seen1</p></div>",
    "<style>[class$='-gone']{display:none}</style><button data-wanted>seen1 <span class=x-gone>gone1</span></button>",
    "<style>[class*=btn]{cursor:pointer}</style><div class=my-btn data-wanted>seen1</div><div class=other>seen2</div>",
    "<style>[wire\\:loading]{display:none} [wire\\:click]{cursor:pointer}</style><p wire:loading>gone1</p><p wire:click=a data-wanted>seen1</p>",
    "<style>.menu .item{&.off{display:none}}</style><div class=other><p class='item off'>seen1</p></div><div class=menu><p class='item off'>gone1</p></div>",
    "<style>.p:not(.open .p){display:none}</style><div class=open><p class=p>seen1</p></div><div><p class=p>gone1</p></div>",
    "<style>.l:is(.dark *){visibility:hidden}</style><div><a href=1 class=l data-wanted>seen1</a></div><div class=dark><a href=2 class=l>gone1</a></div>",
    "<style>.x{content-visibility:hidden}</style><div class=x>gone1 <p>gone2</p></div><div hidden=until-found>gone3 <p>gone4</p></div><p>seen1</p>",
    "<style>:root{--off:-9999px} .x{margin:0 0 0 var(--off)}</style><p class=x>gone1</p><p>seen1</p>",
    "<style>.x{position:relative; inset-inline-start:-9999px}</style><p class=x>gone1</p><p style='zoom:.01'>gone2</p><p>seen1</p>",
    "<style>.x{opacity:attr(data-o type(<number>), 1)}</style><p class=x data-o=1>seen1</p><p class=x data-o=0>gone1</p>",
    "<style>html,body{overflow-x:hidden} .drawer{position:absolute; right:-400px; width:300px}</style><div class=drawer>gone1 <a href=1>gone2</a></div><p>seen1</p>",
    "<style>.c{display:contents; overflow:hidden}</style><div class=c><p>seen1</p><button data-wanted>seen2</button></div>",
    "<div style='display:flex; justify-content:flex-end; overflow:hidden; width:100px; white-space:nowrap'>
       <div style='flex:none; width:100px'>gone1</div><div style='flex:none; width:100px'>seen1</div></div>",
];

/// Contents for browsers that can't show an element, and texts that seem to have the colour of what they are on.
const BEHIND: &[&str] = &[
    "<canvas>gone1 <a href=1>gone2</a></canvas><video>gone3 <p>gone4</p></video><noframes>gone5</noframes><noembed>gone6</noembed><p>seen1</p>",
    "<math><semantics><mi>seen1</mi><annotation encoding='application/x-tex'>gone1</annotation></semantics><mphantom><mi>gone2</mi></mphantom></math>",
    "<div style='position:relative; height:200px'><img src='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==' alt=''
       style='position:absolute; inset:0; width:100%; height:100%'><h1 style='position:relative; color:#fff'>seen1</h1></div><p style='color:#fff'>gone1</p>",
    "<div style='position:relative'><div style='position:absolute; inset:0; background:#024'></div><p style='position:relative; color:#fff'>seen1</p></div>
       <div style='position:relative'><p style='position:relative; color:#fff'>gone1</p></div>",
    "<p style='color:#fff; text-shadow:0 0 4px #000'>seen1</p><p style='color:transparent; -webkit-text-stroke:1px #000'>seen2</p>
       <p style='color:transparent; background:linear-gradient(red, blue); background-clip:text'>seen3</p>",
    "<style>.h{position:relative; isolation:isolate} .h::before{content:''; position:absolute; inset:0; z-index:-1; background:#000}</style>
       <div class=h><p style='color:#fff'>seen1</p></div>",
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

/// What is painted over what, in the order that style sheets give it.
const COVERED: &[&str] = &[
    "<div style='position:relative'><p>gone1</p><div style='position:absolute; inset:0; background:#fff'>seen1</div></div><p>seen2</p>",
    "<div style='position:relative'><div style='position:absolute; inset:0; background:#fff'></div><p>gone1</p></div>",
    "<div style='position:relative'><div style='position:absolute; inset:0; background:#fff'></div><p style='position:relative'>seen1</p></div>",
    "<div style='position:relative; z-index:0'><p>seen1</p><div style='position:absolute; inset:0; z-index:-1; background:#eee'></div></div>",
    "<div style='position:relative'><p style='position:relative; z-index:2'>seen1</p><div style='position:absolute; inset:0; z-index:1; background:#eee'></div></div>",
    "<div style='position:relative'><p style='position:relative; z-index:1'>gone1</p><div style='position:absolute; inset:0; z-index:2; background:#eee'></div></div>",
    "<div style='position:relative'><div style='position:relative; z-index:1'><p style='position:relative; z-index:9'>gone1</p></div>
       <div style='position:absolute; inset:0; z-index:2; background:#eee'></div></div>",
    "<div style='position:relative'><div style='position:relative'><p style='position:relative; z-index:9'>seen1</p></div>
       <div style='position:absolute; inset:0; z-index:2; background:#eee'></div></div>",
    "<div style='position:relative'><p>seen1</p><div style='position:absolute; inset:0; background:#fff8'></div></div>",
    "<div style='position:relative'><p>seen1</p><div style='position:absolute; inset:0; background:#fff; opacity:.5'></div></div>",
    "<div style='position:relative'><p>seen1</p><div style='position:absolute; inset:0; background:#fff; visibility:hidden'></div></div>",
    "<div style='position:relative'><p>seen1</p><div style='position:absolute; inset:0; background:#fff; clip-path:inset(0 50% 0 0)'></div></div>",
    "<div style='position:relative'><p>seen1</p><div style='position:absolute; inset:0 99% 0 0; background:#fff'></div></div>",
    "<div style='position:relative'><p>seen1 <b>seen2</b> seen3</p>
       <div style='position:absolute; top:0; height:0; overflow:hidden'><div style='width:900px; height:90px; background:#fff'>gone1</div></div></div>",
    "<p>seen1 <span style='position:relative'>gone1<span style='position:absolute; inset:-1px; background:#fff'></span></span> seen2</p>",
    "<p style='margin:0; height:20px'>gone1</p><div style='position:relative; top:-20px; height:20px; background:#fff'></div>",
    "<p style='margin:0; height:20px'>gone1</p><div style='transform:translateY(-20px); height:20px; background:linear-gradient(red, blue)'></div>",
    "<p style='margin:0; height:20px'>seen1</p><div style='margin-top:-20px; height:20px; background:#fff'></div>",
    "<div style='display:grid'><p style='grid-area:1/1'>gone1</p><p style='grid-area:1/1; z-index:1; translate:0; background:#fff'>seen1</p></div>",
    "<div style='position:fixed; bottom:0; width:100%; height:70%; background:#fff'>seen1</div><p style='margin-top:400px'>seen2</p><p style='height:2000px'>seen3</p>",
    "<p>gone1</p><div style='position:fixed; inset:0; background:#fff'>seen1</div>",
    "<style>.slide{position:absolute; inset:0; background:#eee} .on{z-index:3}</style><div style='position:relative; height:90px'>
       <div class=slide>gone1</div><div class='slide on'>seen1</div><div class=slide>gone2</div></div>",
    "<p>gone1</p><x-a></x-a><script>const inside = document.querySelector('x-a').attachShadow({ mode: 'open' });
       inside.innerHTML = '<style>:host{position:absolute; inset:0; background:#fff}</style><p>seen1</p>'</script>",
    "<p>gone1</p><dialog open style='inset:0; width:auto; height:auto'>seen1</dialog>",
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
    let stage = Stage::on(site.start().await).await;
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
async fn what_is_hidden_among_words_of_the_same_line_or_box() {
    tells_what_is_seen(AMONG_WORDS.iter().map(|&body| body.to_owned())).await;
}

#[tokio::test]
async fn what_rules_hide_in_the_ways_of_real_sheets() {
    tells_what_is_seen(BY_RULES.iter().map(|&body| body.to_owned())).await;
}

#[tokio::test]
async fn what_is_drawn_for_nobody_and_what_only_seems_to_be() {
    tells_what_is_seen(BEHIND.iter().map(|&body| body.to_owned())).await;
}

#[tokio::test]
async fn what_something_is_painted_over() {
    tells_what_is_seen(COVERED.iter().map(ToString::to_string)).await;
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
    let hidden = format!(
        "<style>.tip a{{opacity:0}} .vh{{visibility:hidden}}</style>
         <p>{prose}<span class=tip><a href=/a>gone1</a></span></p><p>{prose}<b><span class=vh><a href=/b>gone2</a></span></b></p>
         <p>See <a href=/c data-wanted>seena</a></p><p>{prose}<em><a href=/d data-wanted>seenb</a></em></p>
         <p>{prose}<span id=host></span></p><script>
           host.attachShadow({{ mode: 'open' }}).innerHTML = '<button data-wanted>seenc</button>';</script>"
    );
    tells_what_is_seen([format!("<ul>{body}</ul>{hidden}")].into_iter()).await;
}

#[tokio::test]
async fn a_link_that_goes_on_in_the_next_line_is_not_covered() {
    let body = "<main style='width:400px; font:16px monospace'><p>Lorem ipsum dolor sit amet <a href=/y>consectetur adipiscing elit</a> sed do.</p></main>
      <div style='position:relative'><button>under</button><div style='position:absolute; inset:0; background:red'></div></div>";
    let stage = Stage::on(Site::builder().page("/", page(body)).start().await).await;
    let tab = stage.at("/").await;
    let look = capture(&tab).await;
    let covered = look.page.frames[0].look.controls.iter().map(|control| control.state.has(Flag::Covered));
    assert_eq!(covered.collect::<Vec<_>>(), [false, true]);
    stage.end().await;
}
