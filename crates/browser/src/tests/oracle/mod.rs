//! The walker's roles and names are held to Chromium's own accessibility tree, on difficult and on real pages.

mod verdict;

use std::time::{Duration, Instant};

use legwork_cdp::{
    Reply, SessionId,
    protocol::{accessibility, dom, page, runtime},
};
use legwork_observe::capture::FrameCapture;
use legwork_testkit::{PAGES, saved_pages};
use verdict::{Ours, TreeNode, Verdict, compare, missing, unlisted};

use super::*;
use crate::tab::WORLD;

/// How many nodes are asked about at once: well below what a connection lets wait.
const AT_ONCE: usize = 100;

const HOSTILE: &str = "names_hostile.html";

/// Pages with controls on them: made for names, for roles, for looks, and like sites.
const CORPUS: [&str; 6] = ["names_", "roles_", "look_", "site_", "shadow_open", "frames_with_forms"];

#[tokio::test]
async fn oracle_agrees_on_difficult_pages() {
    let stage = Stage::new().await;
    let corpus = PAGES
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| CORPUS.iter().any(|kind| name.starts_with(kind)) && *name != HOSTILE);
    let pages: Vec<String> = corpus.map(|name| format!("/pages/{name}")).collect();
    assert!(pages.len() >= 30, "the corpus is there: {pages:?}");
    judge(&stage, "difficult pages", &pages).await.holds(0.99);
    stage.end().await;
}

#[tokio::test]
async fn oracle_agrees_on_pages_of_the_benchmark() {
    let stage = Stage::on(Site::builder().bench_pages().start().await).await;
    // The largest of them says nothing that the others don't, ten thousand times.
    let pages = ["/form", "/shop", "/dashboard", "/deep", "/frames", "/shadow"].map(str::to_owned);
    judge(&stage, "pages of the benchmark", &pages).await.holds(0.99);
    stage.end().await;
}

#[tokio::test]
async fn oracle_agrees_on_saved_pages_of_the_web() {
    let stage = Stage::on(saved_pages::serve(Site::builder()).start().await).await;
    let count = legwork_testkit::long_or_short(100, 20);
    let verdict = judge(&stage, "saved pages", &saved_pages::addresses(count)).await;
    assert!(verdict.hits > 100 * count, "the pages are full of controls: {verdict}");
    verdict.holds(0.97);
    stage.end().await;
}

#[tokio::test]
async fn names_stay_short_on_a_hostile_page() {
    let stage = Stage::alone().await;
    let tab = stage.at(&format!("/pages/{HOSTILE}")).await;
    let look = tab.capture(&CaptureOptions::default(), &soon()).await.unwrap();
    let said: Vec<&str> =
        look.page.frames[0].look.controls.iter().map(|control| control.name.untrusted()).collect();
    assert!(said.len() > 100, "{} controls were found", said.len());
    assert!(said.iter().all(|name| name.encode_utf16().count() <= 300));
    assert!(said.iter().any(|name| name.starts_with("long long")));
    assert!(said.iter().any(|name| name.contains("label")));
    stage.end().await;
}

/// Judges these pages both ways: what the look lists, and what the tree offers beyond it.
async fn judge(stage: &Stage, what: &str, pages: &[String]) -> Verdict {
    let begun = Instant::now();
    let mut total = Verdict::default();
    for path in pages {
        let tab = stage.at(path).await;
        assert!(tab.loaded(&soon()).await, "{path} never came to rest");
        total.add(judge_page(&tab).await);
    }
    let took = begun.elapsed().as_secs_f64();
    eprintln!("oracle: {} {what} in {took:.1} s: {total}{}", pages.len(), total.classes());
    total
}

async fn judge_page(tab: &Tab) -> Verdict {
    let look = tab.capture(&CaptureOptions::default(), &soon()).await.unwrap();
    let mut verdict = Verdict::default();
    let mut hidden_too: Option<Capture> = None;
    for frame in &look.page.frames {
        let ours = ours(tab, frame, &look.epoch).await;
        let tree = tree(tab, frame).await;
        verdict.add(compare(&ours, &tree));
        let unlisted = unlisted(&ours, &tree);
        if unlisted.is_empty() {
            continue;
        }
        if hidden_too.is_none() {
            let options = CaptureOptions { hidden: HiddenControls::Listed, ..CaptureOptions::default() };
            hidden_too = Some(tab.capture(&options, &soon()).await.unwrap());
        }
        let hidden_too = hidden_too.as_ref().unwrap();
        let same = hidden_too.page.frames.iter().find(|other| other.facts.id == frame.facts.id);
        let all = self::ours(tab, same.expect("the frame is still there"), &hidden_too.epoch).await;
        verdict.add(missing(&unlisted, &all, &tree));
    }
    verdict
}

/// What a look says of a frame's controls, each with the browser's number of its element.
async fn ours(tab: &Tab, frame: &FrameCapture, epoch: &Epoch) -> Vec<Ours> {
    let id = &frame.facts.id;
    let session = tab.session_of(id).await.unwrap();
    let world = page::CreateIsolatedWorld { frame_id: id.as_str(), world_name: WORLD };
    let world = ask(tab, &session, &world).await;
    let kept = runtime::EvaluateToHandle {
        expression: &format!("legwork.elements('{epoch}')"),
        context_id: world.read::<page::IsolatedWorld>().unwrap().execution_context_id,
        object_group: "oracle",
    };
    let kept = ask(tab, &session, &kept).await;
    let nodes = numbers_of(tab, &session, &kept).await;
    assert_eq!(frame.look.controls.len(), nodes.len());
    let ours = frame.look.controls.iter().zip(nodes).map(|(control, backend_node_id)| Ours {
        backend_node_id,
        tag: control.tag.to_string(),
        role: control.role.to_string(),
        name: control.name.untrusted().to_owned(),
    });
    ours.collect()
}

/// Chromium's tree of a frame.
async fn tree(tab: &Tab, frame: &FrameCapture) -> Vec<TreeNode> {
    #[derive(serde::Deserialize)]
    struct Tree {
        nodes: Vec<TreeNode>,
    }
    let id = &frame.facts.id;
    let session = tab.session_of(id).await.unwrap();
    let tree = accessibility::GetFullAxTree { frame_id: Some(id.as_str()) };
    ask(tab, &session, &tree).await.read::<Tree>().unwrap().nodes
}

/// The browser's numbers of the elements in an array behind a handle.
async fn numbers_of(tab: &Tab, session: &SessionId, array: &Reply) -> Vec<i64> {
    let array = array.read::<runtime::Evaluated<'_>>().unwrap();
    let object_id = array.result.object_id.expect("a handle");
    let properties = ask(tab, session, &runtime::GetProperties { object_id, own_properties: true }).await;
    let properties = properties.read::<runtime::Properties<'_>>().unwrap().result;
    let elements = properties.iter().filter(|property| property.name.parse::<usize>().is_ok());
    let handles: Vec<&str> = elements.filter_map(|property| property.value.as_ref()?.object_id).collect();
    let mut numbers = Vec::with_capacity(handles.len());
    for some in handles.chunks(AT_ONCE) {
        let posted = some.iter().map(|object_id| dom::DescribeNode { object_id });
        let posted: Vec<_> =
            posted.map(|describe| tab.link.post(Some(session), &describe).unwrap()).collect();
        for posted in posted {
            let described = posted.reply(&soon()).await.unwrap().read::<dom::Described>().unwrap();
            numbers.push(described.node.backend_node_id);
        }
    }
    numbers
}

async fn ask<C: legwork_cdp::Command>(tab: &Tab, session: &SessionId, command: &C) -> Reply {
    let patience = Limit::within(Duration::from_secs(30));
    tab.call_in(session, command, "asking the oracle", &patience).await.unwrap()
}
