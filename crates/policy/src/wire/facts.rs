//! What is known besides the request itself when it is put into a class.

use std::sync::Arc;

use legwork_types::Outgoing;

use super::{Carried, Decoded, same_site, secrets};
use crate::secrets::{Mask, SecretText};

/// What is known of who sends a request, and why.
#[derive(Debug, Clone, Default)]
pub struct WireFacts {
    /// The address of the page in the tab.
    pub page: Option<String>,
    /// The address of the document that asks.
    pub document: Option<String>,
    /// What the request itself says where it is from: its `Origin`.
    pub origin: Option<String>,
    /// Whether an answer to another request sends it on to here.
    pub redirected: bool,
    /// The addresses that it was sent on from.
    pub hops: Vec<String>,
    /// What is being done to the page while it is sent.
    pub act: Option<ActFacts>,
    /// Whether the page just asked a question by `confirm()` or `prompt()`.
    pub asked: bool,
    /// The sites that the errand is about: hosts or whole addresses.
    pub own_sites: Vec<String>,
    /// What the operator calls preparing.
    pub prepare: Vec<PrepareRule>,
    /// Secrets of the operator that were typed. To be set by [`WireFacts::knowing`].
    pub secrets: Vec<BoundSecret>,
    /// Whether the request holds one of them, anywhere, that may not go where it goes.
    pub leaks: bool,
    /// What the request carries of what was read elsewhere.
    pub carried: Vec<Carried>,
}

/// What is being done to a page.
#[derive(Debug, Clone, Default)]
pub struct ActFacts {
    /// Why what it is done to is dangerous; empty if it isn't.
    pub danger: Vec<String>,
    /// Whether that is a link.
    pub is_link: bool,
    /// What is done.
    pub kind: ActKind,
}

/// What is done to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ActKind {
    /// Something is pressed.
    Pressed,
    /// Something is written or chosen.
    Typed,
    /// The tab is sent to an address by us.
    Navigated,
    /// The tab goes back or forward, or loads its page once more.
    History,
    /// Something else.
    #[default]
    Other,
}

/// What the operator calls preparing, besides what is known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrepareRule {
    /// `https://shop.example`, with the port where it is not the usual one.
    pub origin: String,
    /// The beginning of the path, by whole segments.
    pub path: String,
}

/// A secret of the operator, as the wire needs to know it.
#[derive(Clone)]
pub struct BoundSecret {
    /// What must not be known.
    pub(super) value: SecretText,
    /// The origins that may get it.
    pub(super) origins: Vec<String>,
    /// Finds it.
    pub(super) mask: Arc<Mask>,
}

impl BoundSecret {
    /// A secret that only these origins may get.
    pub fn new(value: impl Into<SecretText>, origins: Vec<String>) -> Self {
        let value = value.into();
        let mask = Arc::new(Mask::of([value.expose()]));
        Self { value, origins, mask }
    }

    /// Whether a request holds it though it may not go where it goes.
    pub fn is_in(&self, outgoing: &Outgoing) -> bool {
        secrets::leaks(outgoing, self)
    }
}

impl std::fmt::Debug for BoundSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoundSecret").field("origins", &self.origins).finish_non_exhaustive()
    }
}

impl WireFacts {
    /// What a request itself tells of its sender.
    pub fn of(outgoing: &Outgoing) -> Self {
        Self {
            page: outgoing.sender.page.clone(),
            document: outgoing.sender.document.clone(),
            origin: outgoing.header("origin").map(str::to_owned),
            redirected: outgoing.redirected,
            hops: outgoing.hops.clone(),
            ..Self::default()
        }
    }

    /// The same where these secrets are known: looked for in the whole request, its headers included.
    #[must_use]
    pub fn knowing(self, typed: &[BoundSecret], outgoing: &Outgoing) -> Self {
        let leaks = typed.iter().any(|secret| secrets::leaks(outgoing, secret));
        Self { leaks, secrets: typed.to_vec(), ..self }
    }

    /// Every address that says who the sender is. An empty page has none of its own.
    fn senders(&self) -> impl Iterator<Item = &str> {
        let all = [&self.page, &self.document, &self.origin].into_iter().flatten().map(String::as_str);
        all.filter(|address| !matches!(*address, "" | "about:blank" | "about:srcdoc"))
    }

    /// Whether everybody who might be the sender is of the site that it is sent to. Not if nobody is known.
    pub(super) fn stays_within(&self, decoded: &Decoded) -> bool {
        let mut senders = self.senders().peekable();
        senders.peek().is_some() && senders.all(|sender| same_site(sender, &decoded.address))
    }

    /// Whether servers of one site sent it on, and nobody else had a hand in it.
    pub(super) fn is_sent_on(&self, decoded: &Decoded) -> bool {
        let own = |hop: &String| same_site(hop, &decoded.address);
        self.redirected && self.stays_within(decoded) && !self.hops.is_empty() && self.hops.iter().all(own)
    }

    /// Whether any danger is known of what is being done.
    pub(super) fn is_dangerous(&self) -> bool {
        self.act.as_ref().is_some_and(|act| !act.danger.is_empty())
    }

    /// Whether this is sent because the tab goes back or forward.
    pub(super) fn is_history(&self) -> bool {
        self.act.as_ref().is_some_and(|act| act.kind == ActKind::History)
    }
}
