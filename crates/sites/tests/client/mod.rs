//! A visitor without a browser: raw HTTP with cookies, one connection per request.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, unreachable_pub)]

use std::{
    collections::BTreeMap,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
};

use serde_json::Value;
use url::form_urlencoded::Serializer;

/// A visitor of one site.
pub struct Client {
    address: SocketAddr,
    pub cookies: BTreeMap<String, String>,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Page {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Page {
    /// A header; empty where there is none.
    pub fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value)
    }

    /// The token of the page.
    pub fn token(&self) -> String {
        self.between("name=\"csrf-token\" content=\"", "\"")
    }

    /// The value of the hidden field.
    pub fn hidden(&self, name: &str) -> String {
        self.between(&format!("name=\"{name}\" value=\""), "\"")
    }

    pub fn between(&self, before: &str, after: &str) -> String {
        let (_, rest) =
            self.body.split_once(before).unwrap_or_else(|| panic!("no {before} in {}", self.body));
        rest.split_once(after).unwrap().0.to_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// Where the answer leads.
    pub fn leads_to(&self) -> &str {
        assert_eq!(self.status, 303, "{}", self.body);
        self.header("location")
    }

    #[track_caller]
    pub fn says(&self, text: &str) -> &Self {
        assert!(self.body.contains(text), "no {text:?} in {}", self.body);
        self
    }
}

impl Client {
    pub fn of(address: SocketAddr) -> Self {
        Self { address, cookies: BTreeMap::new() }
    }

    pub fn get(&mut self, path: &str) -> Page {
        self.ask("GET", path, "", "")
    }

    /// Sends a form as it is.
    pub fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let body = Serializer::new(String::new()).extend_pairs(fields).finish();
        self.ask("POST", path, "application/x-www-form-urlencoded", &body)
    }

    /// Sends a form from a page, with its token.
    pub fn send(&mut self, page: &Page, path: &str, fields: &[(&str, &str)]) -> Page {
        let token = page.token();
        let mut fields = fields.to_vec();
        fields.push(("csrf", &token));
        self.post(path, &fields)
    }

    pub fn call(&mut self, path: &str, body: &Value) -> Page {
        self.ask("POST", path, "application/json", &body.to_string())
    }

    /// Goes where the answer leads.
    pub fn follow(&mut self, page: &Page) -> Page {
        let path = page.leads_to().to_owned();
        self.get(&path)
    }

    pub fn log_in(&mut self, email: &str, password: &str) -> Page {
        let page = self.get("/login");
        self.send(&page, "/login", &[("email", email), ("password", password)])
    }

    pub fn ask(&mut self, method: &str, path: &str, kind: &str, body: &str) -> Page {
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            cookies.join("; "),
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        for cookie in head.lines().filter_map(|line| line.strip_prefix("set-cookie: ")) {
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Page { status, head: head.to_owned(), body: body.to_owned() }
    }
}
