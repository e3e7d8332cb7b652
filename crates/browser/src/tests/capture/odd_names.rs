//! Pages whose own names are ours, or whose elements are not what their tags say.

use super::*;

/// Opens a page with this body and looks at it: as ever, and by the accessibility tree.
async fn look_at(body: &str, check: impl AsyncFn(&Tab, &Capture)) {
    let site = Site::builder()
        .page("/", format!("<!doctype html><body>{body}"))
        .page("/in", "<!doctype html><button data-key=framed>framed</button>");
    let stage = Stage::on(site.start().await).await;
    let tab = stage.at("/").await;
    assert!(tab.loaded(&soon()).await, "the page loads");
    for source in [Source::Walker, Source::AccessibilityTree] {
        let options = CaptureOptions { source, ..CaptureOptions::default() };
        let look = tab.capture(&options, &soon()).await.expect("the page can be looked at");
        assert_eq!(look.page.unreachable, []);
        check(&tab, &look).await;
    }
    stage.end().await;
}

async fn keys(tab: &Tab, look: &Capture) -> Vec<String> {
    listing(tab, look).await.into_iter().map(|one| one.key).collect()
}

#[tokio::test]
async fn a_frame_with_the_name_of_the_walker() {
    for origin in ["{{HERE}}", "{{OTHER}}"] {
        let body = format!(
            "<button data-key=outside>outside</button><iframe name=legwork src='{origin}/in'></iframe>\
             <div id=host style='height:30px'></div><div id=opened></div><script>
               host.attachShadow({{ mode: 'closed' }}).innerHTML = '<button data-key=closed>closed</button>';
               opened.attachShadow({{ mode: 'open' }}).innerHTML = '<iframe src=\"{origin}/in\"></iframe>';
             </script>"
        );
        look_at(&body, async |tab, look| {
            assert_eq!(keys(tab, look).await, ["outside", "closed", "framed", "framed"]);
            assert!(look.page.frames[1..].iter().all(|frame| frame.owner.is_some()));
        })
        .await;
    }
}

#[tokio::test]
async fn elements_with_the_name_of_the_walker() {
    let body = "<form name=legwork><input name=version data-key=field></form><button id=legwork data-key=one>one</button>\
                <a id=legwork href=# data-key=two>two</a><i id=legworkSheets></i>";
    look_at(body, async |tab, look| assert_eq!(keys(tab, look).await, ["field", "one", "two"])).await;
}

#[tokio::test]
async fn a_picture_with_slots_in_a_closed_root() {
    let body =
        "<x-host style='display:block;height:60px'><button data-key=light>light</button></x-host><script>
      document.querySelector('x-host').attachShadow({ mode: 'closed' }).innerHTML =
        '<svg width=20 height=20><slot></slot></svg><button data-key=closed>closed</button><slot></slot>';
    </script>";
    look_at(body, async |tab, look| assert_eq!(keys(tab, look).await, ["closed", "light"])).await;
}

#[tokio::test]
async fn closed_roots_of_hosts_without_a_size() {
    let body = "<button data-key=page>page</button><div id=widget></div><x-chat></x-chat><div id=late></div><script>
      const fixed = (key, at) => `<button data-key=${key} style='position:fixed;left:${at}px;top:80px'>${key}</button>`;
      widget.attachShadow({ mode: 'closed' }).innerHTML = fixed('widget', 0);
      document.querySelector('x-chat').attachShadow({ mode: 'closed' }).innerHTML = fixed('chat', 200);
      addEventListener('grow', () => late.attachShadow({ mode: 'closed' }).innerHTML = fixed('late', 400));
    </script>";
    look_at(body, async |tab, look| {
        let grown = keys(tab, look).await.len() > 3;
        if !grown {
            assert_eq!(keys(tab, look).await, ["page", "widget", "chat"]);
            let frame = &tab.frames().await.unwrap()[0];
            tab.evaluate(&frame.id, "dispatchEvent(new Event('grow'))", &soon()).await.unwrap();
        }
        assert_eq!(keys(tab, &capture(tab).await).await, ["page", "widget", "chat", "late"]);
    })
    .await;
}
