//! What controls are and hold, on pages that make it hard to tell: roles in roles, secrets, endless names.

use legwork_observe::capture::FrameLook;

use super::*;

/// Opens a page with this body, looks at it, and hands over what was seen in it.
async fn seen_in(body: &str) -> FrameLook {
    seen_with(body, async |_, _| ()).await
}

/// The same, with more to ask while the page is there.
async fn seen_with(body: &str, ask: impl AsyncFnOnce(&Tab, &Capture)) -> FrameLook {
    let page = format!("<!doctype html><title>Fields</title><body>{body}");
    let stage = Stage::on(Site::builder().page("/", page).start().await).await;
    let tab = stage.at("/").await;
    assert!(tab.loaded(&soon()).await);
    let mut look = capture(&tab).await;
    ask(&tab, &look).await;
    stage.end().await;
    look.page.frames.remove(0).look
}

fn roles(look: &FrameLook) -> Vec<&str> {
    look.controls.iter().map(|control| &*control.role).collect()
}

#[tokio::test]
async fn roles_in_roles_without_their_container_are_told_at_once() {
    let nested = |role: &str| {
        let open = format!("<div tabindex=0 role={role}>");
        format!("{}x{}", open.repeat(40), "</div>".repeat(40))
    };
    let body = ["treeitem", "listitem", "option"].map(nested).concat();
    let look = seen_with(&body, async |tab, _| {
        let began = Instant::now();
        capture(tab).await;
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    })
    .await;
    assert_eq!(look.controls.len(), 120);
    assert!(roles(&look).iter().all(|role| *role == "generic"), "{:?}", roles(&look));
}

#[tokio::test]
async fn a_role_counts_in_its_container_through_others_of_its_kind() {
    let item = "<div tabindex=0 role=treeitem>";
    let body = format!(
        "<div role=tree>{}x{}</div><div tabindex=0 role=option><div role=list><p tabindex=0 role=listitem>x</p></div></div>",
        item.repeat(40),
        "</div>".repeat(40),
    );
    let look = seen_in(&body).await;
    let (items, rest) = look.controls.split_at(40);
    assert!(items.iter().all(|item| &*item.role == "treeitem"));
    let rest: Vec<_> = rest.iter().map(|control| &*control.role).collect();
    assert_eq!(rest, ["generic", "listitem"]);
}

#[tokio::test]
async fn a_table_is_judged_once_for_all_of_its_cells() {
    let body = "<table></table><script>
      document.querySelector('table').innerHTML = `<tr>${'<td onclick=1>x'.repeat(1000)}`.repeat(19);
    </script>";
    let look = seen_in(body).await;
    // A busy machine may not get through all of them.
    assert!(look.controls.len() > 1000, "{}", look.controls.len());
    assert!(roles(&look).iter().all(|role| *role == "LayoutTableCell"));
}

#[tokio::test]
async fn tags_are_short_and_well_formed() {
    let body = r"<script>
      for (const tag of ['x\ud800y', 'x'.repeat(1 << 20)]) {
        const el = document.createElement(tag);
        el.tabIndex = 0;
        el.textContent = 'here';
        el.setAttribute('data-key', 'a key');
        document.body.append(el, document.createElement('br'));
      }
    </script>";
    let look = seen_with(body, async |tab, look| {
        for control in &look.page.frames[0].look.controls {
            let element = element(&look.page.frames[0], control);
            let located = tab.locate(&element, &look.epoch, &soon()).await.unwrap();
            let Located::Here { tag, .. } = located else { panic!("{located:?}") };
            assert_eq!(*tag, *control.tag);
        }
    })
    .await;
    let tags: Vec<_> = look.controls.iter().map(|control| &*control.tag).collect();
    assert_eq!(tags, ["x\u{fffd}y", &"x".repeat(80)]);
}

/// Everything that left the page.
fn written(look: &FrameLook) -> String {
    serde_json::to_string(look).unwrap()
}

fn names(look: &FrameLook) -> Vec<&str> {
    look.controls.iter().map(|control| control.name.untrusted()).collect()
}

fn value<'l>(look: &'l FrameLook, name: &str) -> Option<&'l str> {
    let control = look.controls.iter().find(|control| control.name.untrusted() == name);
    let control = control.unwrap_or_else(|| panic!("{name} among {:?}", names(look)));
    control.attributes.value.as_ref().map(|value| value.untrusted())
}

const DOTTED: &str = "<style>.pin { -webkit-text-security: disc }</style>";

#[tokio::test]
async fn what_a_field_shows_as_dots_is_dots_in_names_around_it() {
    let body = format!(
        "{DOTTED}<table role=grid><tr><td role=gridcell tabindex=0>PIN <input class=pin value=abc></table>
        <a href=/x>Go <input class=pin value=abc></a> <a href=/y>Say <textarea class=pin>abc</textarea></a>
        <a href=/z>Slide <input type=password role=slider value=abc></a>
        <div id=code contenteditable class=pin>a<b>bc</b></div><button aria-labelledby=code></button>
        <div id=self contenteditable class=pin aria-labelledby=self>abc</div>"
    );
    let look = seen_in(&body).await;
    assert!(!written(&look).contains("abc"), "{:?}", names(&look));
    for name in ["PIN •••", "Go •••", "Say •••", "Slide •••"] {
        assert!(names(&look).contains(&name), "{name} among {:?}", names(&look));
    }
    assert_eq!(names(&look).iter().filter(|name| **name == "•••").count(), 2, "{:?}", names(&look));
}

#[tokio::test]
async fn a_secret_leaves_the_page_nowhere() {
    let body = format!(
        "{DOTTED}<title>Of Hunt ER2/ß</title><p>Your password is hUnt er2/ß, keep it.
        <form action='/go?p=hunt+er2%2F%C3%9F'><input type=password aria-label=Password value='hunt er2/ß'></form>
        <input class=pin type=number aria-label=Pin value=98765> <div contenteditable class=pin>tell<b>nobody</b></div>
        <a href='/a?p=hunt%20er2%2f%c3%9f'>component</a> <a href='/a?p=hunt%20er2/%C3%9F'>whole</a> <a href='/a/98765'>number</a>
        <input aria-label=Copy value='hunt er2/ß'> <input aria-label=Coded value='tellnobody!'>
        <button title='hunt er2/ß' data-testid=98765></button> <button aria-label='Use 98765 now' data-key='hunt er2/ß'></button>
        <p>{}hunt er",
        "word ".repeat(199)
    );
    let look = seen_with(&body, async |tab, look| {
        let frame = &look.page.frames[0];
        for control in &frame.look.controls {
            let located = tab.locate(&element(frame, control), &look.epoch, &soon()).await.unwrap();
            let located = format!("{located:?}").to_lowercase();
            assert!(["hunt", "98765", "nobody"].iter().all(|secret| !located.contains(secret)), "{located}");
        }
    })
    .await;
    let text = written(&look).to_lowercase();
    for secret in ["hunt", "er2", "98765", "nobody"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert_eq!(look.texts[0].untrusted(), "Your password is •••, keep it.");
    assert_eq!(value(&look, "Copy"), Some("•••"));
    assert_eq!(value(&look, "Coded"), Some("•••!"));
    assert!(names(&look).contains(&"Use ••• now"));
    let hrefs: Vec<_> = look.controls.iter().filter_map(|control| control.attributes.href.as_ref()).collect();
    assert_eq!(
        hrefs.iter().map(|href| href.untrusted()).collect::<Vec<_>>(),
        ["/a?p=•••", "/a?p=•••", "/a/•••"]
    );
}

#[tokio::test]
async fn a_secret_that_is_a_word_of_ours_spoils_no_look() {
    let words = ["complete", "button", "generic", "password", "http", "here", "post", "number"];
    let fields = words.map(|word| format!("<input type=password aria-label=x value={word}> ")).concat();
    let body = format!(
        "<form method=post>{fields}<input autocomplete=cc-number aria-label=Card> <button>Go</button></form>"
    );
    let look = seen_with(&body, async |tab, look| {
        listing(tab, look).await;
    })
    .await;
    assert!(look.document.url.untrusted().starts_with("http://"), "{:?}", look.document);
    assert_eq!(&*look.forms[0].method, "post");
    assert_eq!(look.controls[0].attributes.kind, Some("password".into()));
    assert_eq!(look.controls[8].attributes.autocomplete, Some("cc-number".into()));
    assert_eq!(&*look.controls[9].role, "button");
}

#[tokio::test]
async fn a_card_field_is_one_whatever_else_it_has() {
    let others: String = (0..80).map(|number| format!(" data-{number}=x")).collect();
    let body = format!("<input{others} type=tel autocomplete=cc-number name=card id=it placeholder=Card>");
    let look = seen_in(&body).await;
    let attributes = &look.controls[0].attributes;
    let told = [
        &attributes.kind,
        &attributes.autocomplete,
        &attributes.name,
        &attributes.id,
        &attributes.placeholder,
    ];
    let told = told.map(|text| text.as_ref().map_or("", |text| text.untrusted()));
    assert_eq!(told, ["tel", "cc-number", "card", "it", "Card"]);
}

#[tokio::test]
async fn values_and_descriptions_are_of_words_that_are_seen() {
    let hidden = "<script>hidden</script><style>hidden</style><b style='display:none'>hidden</b>
        <b style='visibility:hidden'>hidden</b><i style='opacity:0'><b>hidden</b></i>
        <u style='display:contents; visibility:hidden'>hidden</u>";
    let seen = "<u style='display:contents'>seen</u> <b>words</b>";
    let body = format!(
        "<style>style, script {{ display: block }}</style>
        <div contenteditable aria-label=Editor>{hidden}{seen}</div>
        <input aria-label=Described aria-describedby=hint><div id=hint>{}{hidden}{seen}</div>",
        " ".repeat(5000)
    );
    let look = seen_in(&body).await;
    assert_eq!(value(&look, "Editor"), Some("seen words"));
    assert_eq!(look.controls[1].attributes.description, Some("seen words".into()));
}

#[tokio::test]
async fn spaces_empty_no_name() {
    let spaces = " ".repeat(5000);
    let body = format!(
        "<button>{spaces}Delete account</button> <button>Pay{spaces}<div>{spaces}500</div></button>
        <a href=x>Note <textarea>{spaces}written</textarea></a>
        <select aria-label=Choice><option label='{spaces}chosen'></select>"
    );
    let look = seen_in(&body).await;
    assert_eq!(names(&look)[..3], ["Delete account", "Pay 500", "Note written"]);
    assert_eq!(value(&look, "Choice"), Some("chosen"));
}

#[tokio::test]
async fn what_is_inert_is_switched_off() {
    let body = "<button>on</button><div inert><button>off</button><dialog><button>on</button></dialog></div>
        <button inert>off</button><div id=host inert></div><script>
          document.querySelector('dialog').showModal();
          document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<button>off</button>';
        </script>";
    let look = seen_in(body).await;
    let states: Vec<_> = look.controls.iter().map(|control| control.state.has(Flag::Disabled)).collect();
    assert_eq!(states, names(&look).iter().map(|name| *name == "off").collect::<Vec<_>>());
    assert_eq!(states.iter().filter(|is_off| **is_off).count(), 3, "{:?}", names(&look));
}

#[tokio::test]
async fn many_long_secrets_are_kept_back() {
    let body = "<script>
      const field = (_, i) => `<input type=password aria-label=x value=\"${`ab c${i}%/`.repeat(300)}\">`;
      const link = (_, i) => `<a href=/${i}>${`ab c${i}%/`.repeat(12)} ${'some words of a page, '.repeat(11)}</a><br>`;
      document.body.innerHTML = Array.from({ length: 60 }, field).join('') + Array.from({ length: 2000 }, link).join('');
    </script>";
    let look = seen_in(body).await;
    let name = look.controls[60].name.untrusted();
    assert!(name.starts_with("•••"), "{name}");
}
