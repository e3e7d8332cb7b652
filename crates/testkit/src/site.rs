//! A page server that is two sites at once: `127.0.0.1:PORT` and `localhost:PORT`.
//!
//! Chromium counts the two hosts as different sites, so a frame of one in the other is a real cross-site frame
//! in a process of its own.

use std::{
    collections::HashMap,
    io::ErrorKind,
    net::{Ipv6Addr, TcpListener},
    path::PathBuf,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    extract::Request,
    http::{HeaderName, StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::MethodRouter,
    serve::ListenerExt,
};

use legwork_types::HostPort;

use crate::{
    bench_pages::bench_pages,
    folder,
    ledger::{Hit, Ledger, record},
    pages::PAGES,
    routes,
    server_thread::ServerThread,
};

/// A running page server; it stops, with every open connection, when dropped.
///
/// Besides the difficult pages under `/pages/` and what the builder was given it serves: `/never-ends` (part of
/// a page, then a byte per second for ever), `/no-answer` (takes the request, sends nothing), `/slow?ms=`,
/// `/redirect?to=`, `/status/{code}`, `/download/{name}` (`?bytes=N`, `?endless=1`),
/// `/cookie/set?name=&value=`, `/cookie/show` and `/echo`.
#[derive(Debug)]
pub struct Site {
    port: u16,
    ledger: Ledger,
    _thread: ServerThread,
}

/// What a site will serve. Made by [`Site::builder`].
#[derive(Debug, Default)]
pub struct SiteBuilder {
    pages: HashMap<String, Page>,
    router: Router,
}

/// A page, and what its server says along with it.
#[derive(Debug, Default)]
struct Page {
    text: String,
    headers: Vec<(String, String)>,
}

impl Site {
    /// Starts a site with the difficult pages and the special behaviours alone.
    pub async fn start() -> Self {
        Self::builder().start().await
    }

    /// Starts to describe a site with pages of its own.
    pub fn builder() -> SiteBuilder {
        SiteBuilder::default()
    }

    /// The address of `path` on the first site, host `127.0.0.1`.
    pub fn url(&self, path: &str) -> String {
        address(&self.here(), path)
    }

    /// The address of `path` on the other site, host `localhost`.
    pub fn other_url(&self, path: &str) -> String {
        address(&self.other(), path)
    }

    /// The origin of the first site, as `{{HERE}}` in pages.
    pub fn here(&self) -> String {
        here(self.port)
    }

    /// The origin of the other site, as `{{OTHER}}` in pages.
    pub fn other(&self) -> String {
        other(self.port)
    }

    /// The port of both sites.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Both sites as the grants that let a browser reach them.
    pub fn grants(&self) -> Vec<HostPort> {
        grants(self.port)
    }

    /// Every request so far, in order of arrival.
    pub fn hits(&self) -> Vec<Hit> {
        self.ledger.hits()
    }

    /// The requests for `path` so far: with any query, unless `path` has one.
    pub fn hits_of(&self, path: &str) -> Vec<Hit> {
        let mut hits = self.hits();
        hits.retain(|hit| hit.is_for(path));
        hits
    }
}

/// The ports of the sites that this process has started.
static STARTED: Mutex<Vec<u16>> = Mutex::new(Vec::new());

/// Every site that this process has started, as grants that let a browser reach them: for tests that start a program.
pub fn grants_of_all_sites() -> Vec<HostPort> {
    STARTED.lock().expect("a whole list").iter().flat_map(|port| grants(*port)).collect()
}

fn grants(port: u16) -> Vec<HostPort> {
    let hosts = ["127.0.0.1", "localhost"];
    hosts.iter().map(|host| format!("{host}:{port}").parse().expect("a host and a port")).collect()
}

impl SiteBuilder {
    /// Serves `text` under `path`: as HTML, or as a script where the path ends in `.js`. In it `{{HERE}}` and
    /// `{{OTHER}}` become the origins of the two sites.
    pub fn page(mut self, path: &str, text: impl Into<String>) -> Self {
        assert!(path.starts_with('/'), "the path of a page starts with a slash: {path}");
        self.pages.entry(path.to_owned()).or_default().text = text.into();
        self
    }

    /// Has the page under `path` come with a header. What stands for the two origins in pages does so here too.
    pub fn header(mut self, path: &str, name: &str, value: impl Into<String>) -> Self {
        self.pages.entry(path.to_owned()).or_default().headers.push((name.to_owned(), value.into()));
        self
    }

    /// Serves `path` by handlers of the test's own, for example `get(|| async { "hello" })`.
    pub fn route(mut self, path: &str, handlers: MethodRouter) -> Self {
        self.router = self.router.route(path, handlers);
        self
    }

    /// Serves the pages of the benchmark.
    pub fn bench_pages(self) -> Self {
        bench_pages().into_iter().fold(self, |builder, page| builder.page(page.path, page.body))
    }

    /// Serves the files of a folder, as they are on disk, under `path`.
    pub fn folder(self, path: &str, folder: impl Into<PathBuf>) -> Self {
        self.route(&format!("{path}/{{*file}}"), folder::files(folder.into()))
    }

    /// Starts the site.
    pub async fn start(self) -> Site {
        self.start_blocking()
    }

    /// Starts the site from code without a runtime.
    pub fn start_blocking(self) -> Site {
        let (port, listeners) = bind_both();
        STARTED.lock().expect("a whole list").push(port);
        let ledger = Ledger::default();
        let bundled = PAGES.iter().map(|(name, text)| {
            (format!("/pages/{name}"), Page { text: (*text).to_owned(), headers: vec![] })
        });
        let filled_in = |text: &str| text.replace("{{HERE}}", &here(port)).replace("{{OTHER}}", &other(port));
        let pages: HashMap<String, Page> = bundled
            .chain(self.pages)
            .map(|(path, page)| {
                let headers = page.headers.into_iter().map(|(name, value)| (name, filled_in(&value)));
                (path, Page { text: filled_in(&page.text), headers: headers.collect() })
            })
            .collect();
        let pages = Arc::new(pages);
        let app = routes::special()
            .merge(self.router)
            .fallback(async move |request: Request| serve_page(&pages, request.uri().path()))
            .layer(middleware::from_fn_with_state(ledger.clone(), record));
        let thread = ServerThread::start(move || serve(listeners, app));
        Site { port, ledger, _thread: thread }
    }
}

async fn serve(listeners: Vec<TcpListener>, app: Router) {
    let mut servers = tokio::task::JoinSet::new();
    for listener in listeners {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener for the runtime");
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let app = app.clone();
        servers.spawn(async move { axum::serve(listener, app).await });
    }
    servers.join_all().await;
}

fn serve_page(pages: &HashMap<String, Page>, path: &str) -> Response {
    let Some(page) = pages.get(path) else {
        return (StatusCode::NOT_FOUND, format!("no page {path}")).into_response();
    };
    let kind =
        if path.ends_with(".js") { "text/javascript; charset=utf-8" } else { "text/html; charset=utf-8" };
    let usual = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
    let mut response = (usual, page.text.clone()).into_response();
    for (name, value) in &page.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).expect("the name of a header");
        response.headers_mut().append(name, value.parse().expect("the value of a header"));
    }
    response
}

/// Binds one port on both loopback addresses, or on the IPv4 one alone where there is no IPv6.
fn bind_both() -> (u16, Vec<TcpListener>) {
    for _ in 0..100 {
        let four = TcpListener::bind(("127.0.0.1", 0)).expect("a port on 127.0.0.1");
        let port = four.local_addr().expect("a bound port").port();
        let mut listeners = vec![four];
        match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
            Ok(six) => listeners.push(six),
            // Another process has this port on ::1; `localhost` would lead there.
            Err(problem) if problem.kind() == ErrorKind::AddrInUse => continue,
            Err(_) => {}
        }
        for listener in &listeners {
            listener.set_nonblocking(true).expect("a listener that does not block");
        }
        return (port, listeners);
    }
    panic!("no port that is free on both 127.0.0.1 and ::1");
}

fn here(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

fn other(port: u16) -> String {
    format!("http://localhost:{port}")
}

fn address(origin: &str, path: &str) -> String {
    assert!(path.starts_with('/'), "a path starts with a slash: {path}");
    format!("{origin}{path}")
}
