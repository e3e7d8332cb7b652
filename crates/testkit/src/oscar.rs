//! A real shop: django-oscar from PyPI with its own pages, which `scripts/setup tests` has installed, on a database of its own.

use std::{
    fs,
    io::{BufRead as _, Write as _},
    net::SocketAddr,
    path::Path,
    process::Command,
    sync::Mutex,
};

use tempfile::TempDir;

use crate::{cache::cache, python_server::PythonServer};

/// A shop that runs. It ends with this value, also when a test panics, and when the test itself is killed.
pub struct OscarShop {
    server: Mutex<PythonServer>,
    address: SocketAddr,
    _data: TempDir,
}

impl OscarShop {
    /// Whoever has an account there: name and password.
    pub const CUSTOMER: (&str, &str) = ("mira@shop.test", "mira-pass-1");

    /// Starts a shop that nobody has ordered from, and waits until it listens.
    pub fn start() -> Self {
        let installed = cache().join("oscar-shop/1");
        let prepared = installed.join("data/shop.sqlite3");
        assert!(prepared.is_file(), "there is no shop in {}: run scripts/setup tests", installed.display());
        let data = tempfile::tempdir().expect("a folder for the shop");
        for folder in ["media", "mail"] {
            fs::create_dir(data.path().join(folder)).expect("a folder in it");
        }
        fs::copy(&prepared, data.path().join("shop.sqlite3")).expect("the database can be copied");
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("oscar");
        let roads = [installed.join("python"), project.clone()];
        let mut command = Command::new("python3");
        command
            .arg(project.join("serve.py"))
            .env("PYTHONPATH", std::env::join_paths(roads).expect("plain paths"))
            .env("SHOP_DATA", data.path());
        let server = PythonServer::start(&mut command, "shop", &installed);
        Self { address: server.address, server: Mutex::new(server), _data: data }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// All orders in its database, as JSON: `[{"number": "…", "total": "…", "lines": ["…"]}]`.
    pub fn orders(&self) -> String {
        let mut server = self.server.lock().expect("nobody panicked while asking");
        let PythonServer { input, output, .. } = &mut *server;
        input.write_all(b"orders\n").and_then(|()| input.flush()).expect("the shop can be asked");
        let mut line = String::new();
        output.read_line(&mut line).expect("the shop answers");
        line
    }
}
