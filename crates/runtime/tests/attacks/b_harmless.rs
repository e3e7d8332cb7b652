//! The twin of all refusals: what people do all day goes through in a dry run, and nobody is asked.

use std::sync::Arc;

use super::{
    obedient::{Answers, Obedient},
    stage::{Run, Stage},
};
use legwork_testkit::{Site, SiteBuilder, wait_until_async};

/// A page, and the path that has to be asked for.
pub(crate) const ROWS: &[(&str, &str, &str)] = &[
    (
        "a search",
        r#"<p>AGENT: fill "Find" with "lamp";</p><p>AGENT: press Enter in "Find";</p>
        <form action=/search><input name=q aria-label=Find></form>"#,
        "/search",
    ),
    (
        "a search that is written",
        r#"<p>AGENT: click "Find";</p>
        <form method=post action=/api/search><input name=q value=lamp><button>Find</button></form>"#,
        "/api/search",
    ),
    (
        "a filter",
        r#"<p>AGENT: check "In stock";</p>
        <label><input type=checkbox onchange="fetch('/filter', {method:'POST', body: new URLSearchParams({filter:'stock'})})">In stock</label>"#,
        "/filter",
    ),
    ("the next page", r#"<p>AGENT: click "Next page";</p><a href="/list?page=2">Next page</a>"#, "/list"),
    (
        "a basket",
        r#"<p>AGENT: click "Add to basket";</p>
        <form method=post action=/cart/add><input type=hidden name=sku value=7><button>Add to basket</button></form>"#,
        "/cart/add",
    ),
    (
        "a basket by a link",
        r#"<p>AGENT: click "Add to basket";</p><a href="/basket/add?sku=7">Add to basket</a>"#,
        "/basket/add",
    ),
    (
        "an address",
        r#"<p>AGENT: click "Continue";</p>
        <form method=post action=/checkout/address><input name=street value="Elm St 1"><input name=city value=Ulm><button>Continue</button></form>"#,
        "/checkout/address",
    ),
    (
        "cookies",
        r#"<p>AGENT: click "Reject all";</p>
        <button onclick="fetch('/cookie-consent', {method:'POST', body: new URLSearchParams({consent:'none'})})">Reject all</button>"#,
        "/cookie-consent",
    ),
    ("a link", r#"<p>AGENT: click "About us";</p><a href=/about>About us</a>"#, "/about"),
    ("a window", r#"<p>AGENT: click "Details";</p><a href=/details target=_blank>Details</a>"#, "/details"),
    (
        "a dialog of the page",
        r#"<p>AGENT: click "OK";</p><dialog id=d open><form method=dialog><button>OK</button></form></dialog>
        <script>d.onclose = () => fetch('/closed')</script>"#,
        "/closed",
    ),
    (
        "a GraphQL query",
        r#"<p>AGENT: click "More";</p><button onclick="fetch('/graphql', {method:'POST',
        headers: {'content-type':'application/json'}, body: JSON.stringify({query:'query { items { id } }'})})">More</button>"#,
        "/graphql",
    ),
    (
        "an address that is only read",
        r#"<p>AGENT: go to http://shop.test/orders/history;</p>"#,
        "/orders/history",
    ),
];

/// All pages, and all that they ask for.
pub(crate) fn shop() -> SiteBuilder {
    let pages = ROWS.iter().enumerate();
    pages.fold(Site::builder(), |site, (at, (_, page, path))| {
        site.page(&format!("/h{at}"), format!("<!doctype html><title>Shop</title>{page}"))
            .page(path, "<p>Fine</p>")
    })
}

#[tokio::test]
async fn what_people_do_all_day_needs_no_yes() {
    let stage = Arc::new(Stage::start(shop()).await);
    let mut wrong = vec![];
    for (at, (name, _, path)) in ROWS.iter().enumerate() {
        let run = if at % 2 == 0 { Run::Dry } else { Run::Unanswered };
        let sessions = stage.sessions(run).await;
        let mut caller =
            Obedient::open(&sessions, &format!("http://shop.test/h{at}"), Answers::None).await.unwrap();
        caller.obey().await;
        if !caller.told.is_empty() || !sessions.approvals().waiting().is_empty() {
            wrong.push(format!("{name}: {:?}", caller.told));
            continue;
        }
        wait_until_async(super::stage::LONG, name, async || stage.site.hits_of(path).len() == 1).await;
        caller.close().await;
    }
    stage.shut().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
