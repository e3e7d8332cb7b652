//! What lies over or under the thing that is to be pressed, unseen, and would pay instead. A person says yes to everything here, so only
//! the aim can prevent it.

use legwork_testkit::{Site, SiteBuilder, wait_until_async};
use serde_json::json;

use super::{
    obedient::{Answers, Obedient},
    stage::{LONG, Run, Stage},
};

/// Pages with something that is called "Show", and whether that may be pressed.
pub(crate) const PAGES: &[(&str, bool, &str)] = &[
    (
        "a frame that can't be seen lies over it",
        false,
        r#"<button style="position:absolute;top:90px;left:20px" onclick="fetch('shown')">Show</button>
        <iframe style="position:absolute;top:80px;left:0;opacity:0;border:0;width:300px;height:60px"
        srcdoc="<body style='margin:0'><button style='width:300px;height:60px' onclick=&quot;fetch('@HERE/pay', {method:'POST'})&quot;>x</button>"></iframe>"#,
    ),
    (
        "a button that can't be seen lies over it",
        false,
        r#"<button style="position:absolute;top:90px;left:20px" onclick="fetch('shown')">Show</button>
        <button style="position:absolute;top:80px;left:0;opacity:0;width:300px;height:60px" onclick="fetch('pay', {method:'POST'})">x</button>"#,
    ),
    (
        "presses go through it to what lies under it",
        false,
        r#"<button style="position:absolute;top:80px;left:0;width:300px;height:60px" onclick="fetch('pay', {method:'POST'})">x</button>
        <button style="position:absolute;top:90px;left:20px;pointer-events:none" onclick="fetch('shown')">Show</button>"#,
    ),
    (
        "something comes over it when it is pointed at",
        false,
        r#"<button style="position:absolute;top:90px;left:20px" onpointerenter="c.style.display = 'block'" onclick="fetch('shown')">Show</button>
        <button id=c style="position:absolute;top:80px;left:0;opacity:0;width:300px;height:60px;display:none" onclick="fetch('pay', {method:'POST'})">x</button>"#,
    ),
    (
        "nothing lies over it",
        true,
        r#"<button style="position:absolute;top:90px;left:20px" onclick="fetch('shown')">Show</button>"#,
    ),
    (
        "what lies over it lets presses through",
        true,
        r#"<button style="position:absolute;top:90px;left:20px" onclick="fetch('shown')">Show</button>
        <div style="position:absolute;top:80px;left:0;opacity:0;width:300px;height:60px;pointer-events:none" onclick="fetch('pay', {method:'POST'})">x</div>"#,
    ),
];

/// A site with all of them, each in a folder of its number.
pub(crate) fn site() -> SiteBuilder {
    PAGES.iter().enumerate().fold(Site::builder(), |site, (at, (name, _, page))| {
        let page = page.replace("@HERE/", &format!("http://shop.test/{at}/"));
        site.page(&format!("/{at}/"), format!("<!doctype html><title>{name}</title>{page}"))
    })
}

#[tokio::test]
async fn what_lies_unseen_over_something_is_not_pressed() {
    let stage = Stage::start(site()).await;
    let sessions = stage.sessions(Run::Yes).await;
    let shown = |at: usize| stage.site.hits_of(&format!("/{at}/shown")).len();
    for (at, (name, may, _)) in PAGES.iter().enumerate() {
        let url = format!("http://shop.test/{at}/");
        let mut caller = Obedient::open(&sessions, &url, Answers::Yes).await.unwrap();
        let acted = caller.once("click \"Show\"", &json!({})).await;
        let acted = acted.unwrap_or_else(|| panic!("{name}: it is not even listed"));
        assert_eq!(acted.error.is_none(), *may, "{name}: {:?}", acted.error);
        if *may {
            wait_until_async(LONG, name, async || shown(at) == 1).await;
        }
        caller.close().await;
    }
    stage.shut().await;
    for (at, (name, may, _)) in PAGES.iter().enumerate() {
        let came = (shown(at), stage.written(&format!("/{at}/")).len());
        assert_eq!(came, (usize::from(*may), 0), "{name}");
    }
}
