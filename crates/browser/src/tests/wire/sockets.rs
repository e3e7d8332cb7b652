//! Sockets: nobody can see what goes through them, so none opens unless its origin is listed.

use legwork_testkit::axum::{http::HeaderMap, routing::get};

use super::*;

/// A page that tries from everywhere, and tells who got how far.
const TRIES: &str = r#"<!doctype html><title>Tries</title><iframe id=blank></iframe>
<script>
const told = document.documentElement.dataset;
const address = location.origin.replace("http", "ws") + "/socket";
window.attempt = (name, Socket) => {
  try {
    const socket = new Socket(address + "?" + name);
    socket.onopen = () => { told[name] = "open"; };
    socket.onerror = () => { told[name] ??= "failed"; };
  } catch (e) { told[name] = String(e); }
};
attempt("page", WebSocket);
attempt("frame", blank.contentWindow.WebSocket);
const inner = document.createElement("iframe");
inner.srcdoc = "<script>parent.attempt('srcdoc', WebSocket)<\/script>";
document.body.append(inner);
const work = `const s = new WebSocket("${address}?worker"); s.onopen = () => postMessage("open"); s.onerror = () => postMessage("failed")`;
const worker = new Worker(URL.createObjectURL(new Blob([work])));
worker.onmessage = e => { told.worker ??= e.data; };
told.others = [typeof WebSocketStream, typeof WebTransport, typeof RTCPeerConnection].join();
</script>"#;

/// What `/socket` was asked for: an upgrade that it refuses, which is seen on the wire all the same.
async fn tries(sockets: impl Fn(&Site) -> Vec<String>) -> (Stage, Tab) {
    let refused = get(|_: HeaderMap| async { legwork_testkit::axum::http::StatusCode::IM_A_TEAPOT });
    let site = Site::builder().page("/", TRIES).route("/socket", refused).start().await;
    let browser = Lent::shared().await;
    let options = ContextOptions {
        sockets: sockets(&site),
        barrier: Arc::new(Everything),
        ..ContextOptions::default()
    };
    let context = browser.new_context(&options, &soon()).await.unwrap();
    let stage = Stage { site, context, browser };
    let tab = stage.at("/").await;
    until("all have tried", async || {
        read::<u32>(
            &tab,
            "['page', 'frame', 'srcdoc', 'worker'].filter(n => document.documentElement.dataset[n]).length",
        )
        .await
            == 4
    })
    .await;
    (stage, tab)
}

#[tokio::test]
async fn no_socket_opens_where_none_is_listed() {
    let (stage, tab) = tries(|_| vec![]).await;
    assert_eq!(stage.site.hits_of("/socket").len(), 0);
    assert_eq!(read::<String>(&tab, "(({ page, frame, srcdoc, worker }) => [page, frame, srcdoc, worker].join())(document.documentElement.dataset)").await, "failed,failed,failed,failed");
    assert_eq!(
        read::<String>(&tab, "document.documentElement.dataset.others").await,
        "undefined,undefined,undefined"
    );
}

#[tokio::test]
async fn sockets_of_listed_origins_are_tried() {
    let (stage, _) = tries(|site| vec![site.here()]).await;
    assert_eq!(stage.site.hits_of("/socket").len(), 4);
}
