//! Where somebody was logged in, and what is known of that after a loss: by host, because each has logins of its own.

use std::collections::BTreeMap;

use serde::Serialize;
use url::Url;

use crate::event::PageNote;

/// What is known of who was once seen to be logged in at a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
enum Login {
    /// They are.
    There,
    /// The browser was lost, and no page of the host has said since whether they still are.
    Open,
    /// They are not any more, because of a loss.
    Lost,
}

/// The hosts where somebody was seen to be logged in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Logins(BTreeMap<String, Login>);

impl Logins {
    /// Another browser took the place of the one that is gone: whatever was known is open, and may have to be told once more.
    pub(super) fn browser_lost(&mut self) {
        self.0.values_mut().for_each(|login| *login = Login::Open);
    }

    /// Whether this page would be the first of its host to show, after a loss, that nobody is logged in any more. A page of another
    /// browser is one of those after the loss.
    pub(crate) fn would_be_lost_at(&self, page: &PageNote) -> bool {
        page.logged_in == Some(false) && self.0.contains_key(&host(page))
    }

    /// A page was seen. Says whether it is the first of its host to show, after a loss, that nobody is logged in any more.
    pub(super) fn seen(&mut self, page: &PageNote) -> bool {
        let host = host(page);
        match (page.logged_in, self.0.get(&host)) {
            (Some(true), _) => {
                self.0.insert(host, Login::There);
            }
            (Some(false), Some(Login::Open)) => {
                self.0.insert(host, Login::Lost);
                return true;
            }
            // Somebody logged out, which no loss did.
            (Some(false), Some(Login::There)) => {
                self.0.remove(&host);
            }
            (Some(false), Some(Login::Lost) | None) | (None, _) => {}
        }
        false
    }
}

/// Cookies are kept by host, and ports share them. An address without a host stands for itself.
fn host(page: &PageNote) -> String {
    let url = Url::parse(&page.url).ok();
    url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_else(|| page.url.clone())
}
