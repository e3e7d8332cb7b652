//! Every page of both sites, found by its links: it answers, and has what assistive software needs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod client;

use std::collections::BTreeSet;

use client::{Client, Page};
use legwork_sites::Bundled;

/// What is wrong with a page, if anything.
fn problem(page: &Page) -> Option<&'static str> {
    let body = &page.body;
    let title = page.between("<title>", "</title>");
    let labels = |id: &str| body.contains(&format!("for=\"{id}\""));
    let fields = body.split("<input ").chain(body.split("<select ")).chain(body.split("<textarea ")).skip(1);
    let unnamed = fields
        .filter_map(|field| field.split_once('>').map(|(field, _)| field))
        .filter(|field| {
            field.contains("name=")
                && !field.contains("type=\"hidden\"")
                && !field.contains("type=\"radio\"")
                && !field.contains("type=\"checkbox\"")
        })
        .any(|field| {
            let id = field.split_once("id=\"").and_then(|(_, rest)| rest.split_once('"')).map(|(id, _)| id);
            !(field.contains("aria-label=") || id.is_some_and(labels))
        });
    if !body.contains("<html lang=\"en\">") {
        Some("no language")
    } else if title.trim().is_empty() || title.starts_with(" ·") {
        Some("no title")
    } else if body.matches("<h1").count() != 1 {
        Some("not one h1")
    } else if body.matches("<main").count() != 1 || !body.contains("<header") || !body.contains("<footer") {
        Some("landmarks are missing")
    } else if unnamed {
        Some("a field without a label")
    } else if body.contains("http://") || body.contains("https://") {
        Some("an address outside")
    } else {
        None
    }
}

/// Follows every link from the start, and gives the number of pages.
fn crawl(client: &mut Client, start: &[&str]) -> usize {
    let mut waiting: Vec<String> = start.iter().map(|path| (*path).to_owned()).collect();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        assert!(seen.len() < 500, "the crawl does not end");
        let page = client.get(&path);
        if page.status == 303 {
            waiting.push(page.leads_to().to_owned());
            continue;
        }
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(problem(&page), None, "{path}: {}", page.body);
        let links = page.body.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for link in links.filter(|link| !link.starts_with('#') && *link != "data:,") {
            assert!(link.starts_with('/'), "{path} links to {link}");
            waiting.push(link.replace("&amp;", "&"));
        }
    }
    seen.len()
}

#[test]
fn every_link_of_the_coffee_shop_leads_to_a_good_page() {
    let sites = Bundled::start().unwrap();
    let mut client = Client::of(sites.coffee_address());
    assert!(crawl(&mut client, &["/", "/search?q=a"]) > 15);
    client.log_in("demo@example.test", "oak-and-steam-42");
    let page = client.get("/account/subscriptions/596215?edit=1");
    client.send(&page, "/basket/add-instalment", &[("subscription", "596215"), ("slot", "5")]);
    client.send(&page, "/basket/add", &[("slug", "first-frost")]);
    assert!(crawl(&mut client, &["/", "/checkout"]) > 30);
    client.send(&page, "/checkout/address", &[("address", "studio")]);
    client.send(&page, "/checkout/delivery", &[("delivery", "express")]);
    client.send(&page, "/checkout/payment-method", &[("method", "invoice")]);
    crawl(
        &mut client,
        &[
            "/checkout/delivery",
            "/checkout/payment-method",
            "/checkout/review",
            "/checkout/review?pay=script",
        ],
    );
    let effects = sites.coffee_ledger();
    assert_eq!((effects.count("order-placed"), effects.count("subscription-cancelled")), (0, 0));
}

#[test]
fn every_link_of_the_streaming_service_leads_to_a_good_page() {
    let sites = Bundled::start().unwrap();
    let mut client = Client::of(sites.stream_address());
    crawl(&mut client, &["/", "/browse"]);
    client.log_in("demo@example.test", "soft-glow-77");
    assert!(crawl(&mut client, &["/"]) > 14);
    let page = client.get("/account");
    client.send(&page, "/account/leaving/step/1", &[("reason", "other")]);
    crawl(&mut client, &["/account/leaving/step/2"]);
    client.send(&page, "/account/membership/cancel", &[]);
    crawl(&mut client, &["/account/cancelled", "/account"]);
    assert_eq!(sites.stream_ledger().count("membership-cancelled"), 1);
}

#[tokio::test]
async fn both_sites_run_inside_a_runtime_and_end_when_dropped() {
    let sites = Bundled::start().unwrap();
    let (coffee, stream) = (sites.coffee_address(), sites.stream_address());
    assert_eq!(Client::of(coffee).get("/").status, 200);
    assert!(sites.stream_url("/help").ends_with("/help"));
    assert_ne!(coffee, stream);
    drop(sites);
    assert!(std::net::TcpStream::connect(coffee).is_err() && std::net::TcpStream::connect(stream).is_err());
}

#[test]
fn a_body_that_is_too_large_is_refused() {
    let sites = Bundled::start().unwrap();
    let large = "x".repeat(70_000);
    let answer = Client::of(sites.coffee_address()).post("/basket/add", &[("slug", &large)]);
    assert_eq!(answer.status, 413);
}
