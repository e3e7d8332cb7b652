//! Numbers without the name of a look: one that is of an earlier snapshot is refused, whatever has that place now. The server of the
//! page is the witness.

use crate::support::{
    Legwork,
    mcp::{Talk, number, text},
};
use legwork_testkit::{Site, axum::routing::post};
use serde_json::json;

/// A list whose first entry brings another one before it.
fn list() -> Site {
    let page = "<!doctype html><title>List</title><main><button id=more>More</button><button id=keep>Keep</button></main><script>
        const note = (words) => fetch('/note', { method: 'POST', body: words });
        more.onclick = () => {
            more.insertAdjacentHTML('beforebegin', '<button>Show</button>');
            more.previousSibling.onclick = () => note('show');
            note('more');
        };
        keep.onclick = () => note('keep');
        </script>";
    Site::builder().page("/", page).route("/note", post(|| async { "taken" })).start_blocking()
}

fn notes(site: &Site) -> Vec<String> {
    site.hits_of("/note").iter().map(|hit| hit.body_text()).collect()
}

#[test]
fn a_ref_of_an_earlier_snapshot_presses_nothing() {
    let legwork = Legwork::new();
    for group in ["compat", "annie"] {
        let site = list();
        let mut talk =
            Talk::greeted_with(&legwork, &["--tools", group], &[("BROWSER_AGENT_ENABLED", "true")]);
        let first = text(&talk.call("browser_navigate", json!({ "url": site.url("/") })));
        let [more, keep] = ["More", "Keep"].map(|name| number(&first, &format!("button \"{name}\"")));
        talk.call("browser_click", json!({ "ref": more }));
        let refused = text(&talk.call("browser_click", json!({ "ref": keep })));
        assert!(refused.contains("STALE_OBSERVATION"), "{group}: {refused}");
        assert_eq!(notes(&site), ["more"], "{group}");
        let keep = number(&refused, "button \"Keep\"");
        let done = text(&talk.call("browser_click", json!({ "ref": keep })));
        assert!(done.starts_with("done: click "), "{group}: {done}");
        assert_eq!(notes(&site), ["more", "keep"], "{group}");
        talk.end();
    }
}

#[test]
fn a_ref_of_a_session_that_is_closed_presses_nothing_in_the_next_one() {
    let (legwork, site) = (Legwork::new(), list());
    let mut talk = Talk::greeted(&legwork, &["--tools", "default,compat"]);
    let first = talk.told("browser_navigate", json!({ "url": site.url("/") }));
    let keep = number(&first, "button \"Keep\"");
    let sessions = talk.told("browser_tabs", json!({}));
    let session = sessions.split(' ').find(|word| word.starts_with("bs_")).expect("the session is listed");
    talk.told("browser_close", json!({ "sessionId": session }));
    let second = talk.told("browser_navigate", json!({ "url": site.url("/") }));
    talk.refused("browser_click", json!({ "ref": keep }), "STALE_OBSERVATION");
    assert!(notes(&site).is_empty());
    talk.told("browser_click", json!({ "ref": number(&second, "button \"Keep\"") }));
    assert_eq!(notes(&site), ["keep"]);
    assert_eq!(talk.end(), 0);
    legwork.assert_clean();
}
