//! Test equipment: a page server on two sites, difficult pages, browser and process guards, faked endpoints.
//!
//! Nothing here is for production use. A fault in the equipment ends the test at once, with words.

// A test helper that returned errors would only move the same `unwrap` into every test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bench_pages;
mod cable;
mod cache;
mod cdp_stub;
mod fences;
mod folder;
mod guard;
mod jpeg;
mod ledger;
mod length;
mod oscar;
mod own_browser;
mod pages;
mod playwright;
mod process;
mod python_server;
mod routes;
pub mod saved_pages;
mod server_thread;
mod site;
mod small_model;
mod somebodys_browser;
mod tls_shop;
mod wait;

pub use axum;
pub use bench_pages::{BenchPage, bench_pages};
pub use cable::{Break, Cable, Damage};
pub use cdp_stub::CdpStub;
pub use fences::outside_of_fences;
pub use guard::{BROWSER_NAMES, BROWSER_VARIABLE, TempHome, browser_binary};
pub use jpeg::jpeg_size;
pub use ledger::Hit;
pub use legwork_sites as sites;
pub use length::{long_or_short, sampled};
pub use oscar::OscarShop;
pub use own_browser::{end_browser, keep_in};
pub use pages::PAGES;
pub use playwright::{playwright_command, playwright_npx_in, playwright_over_npx};
pub use process::{
    ProcessCounts, chromium_processes, fd_count, process_counts, processes_naming, rss_kb, thread_count,
};
pub use site::{Site, SiteBuilder, grants_of_all_sites};
pub use small_model::SmallModel;
pub use somebodys_browser::SomebodysBrowser;
pub use tls_shop::TlsShop;
pub use wait::{wait_until, wait_until_async};
