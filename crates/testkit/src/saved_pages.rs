//! Real pages of the web, saved and published in a Python package, which `scripts/setup tests` has fetched.

use std::path::PathBuf;

use axum::{
    extract::Path,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};

use crate::{SiteBuilder, cache::cache};

/// What the pages may do: show themselves, without scripts and without a word to the outside.
const POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; \
                      frame-src 'self'; form-action 'self'; base-uri 'self'; script-src 'none'";

/// Adds the saved pages to a site, under `/saved/`.
pub fn serve(site: SiteBuilder) -> SiteBuilder {
    let names = names();
    site.route("/saved/{name}", get(async move |Path(name): Path<String>| answer(&names, &name)))
}

/// The addresses of `count` of them, evenly spaced over their sorted names.
pub fn addresses(count: usize) -> Vec<String> {
    let names = names();
    let step = (names.len() / count).max(1);
    names.iter().step_by(step).take(count).map(|name| format!("/saved/{name}")).collect()
}

fn answer(names: &[String], name: &str) -> Response {
    if !names.iter().any(|known| known == name) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let text = std::fs::read(folder().join(name)).expect("a saved page can be read");
    // No charset: each page says its own.
    ([(header::CONTENT_TYPE, "text/html"), (header::CONTENT_SECURITY_POLICY, POLICY)], text).into_response()
}

fn names() -> Vec<String> {
    let folder = folder();
    let Ok(entries) = std::fs::read_dir(&folder) else {
        panic!("there are no saved pages in {}; run `scripts/setup tests`", folder.display());
    };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().expect("a plain name"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".html")).collect();
    names.sort();
    assert!(
        names.len() > 900,
        "{} holds too few pages; remove it and run `scripts/setup tests`",
        folder.display()
    );
    names
}

fn folder() -> PathBuf {
    cache().join("saved-pages/formasaurus-0.10.0")
}
