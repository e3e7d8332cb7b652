//! What is about to leave the browser, as it was caught on the wire and before anybody made sense of it.

use crate::TabId;

/// A request that a page, a frame or a worker is about to send. Everything in it is written by the page or on its behalf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Its method, as it was given.
    pub method: String,
    /// The whole address, without a fragment.
    pub url: String,
    /// What it is for.
    pub kind: OutgoingKind,
    /// Its headers; names in lower case.
    pub headers: Vec<(String, String)>,
    /// What it carries.
    pub body: OutgoingBody,
    /// Who sends it.
    pub sender: Sender,
    /// Whether an answer to another request sends it on to here.
    pub redirected: bool,
    /// The addresses that it was sent on from, the first one first; empty where that is not known.
    pub hops: Vec<String>,
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutgoingKind {
    /// The document of a tab.
    Page,
    /// The document of a frame within a page.
    Frame,
    /// What a script asks for.
    Script,
    /// A message that nobody waits for an answer to: beacons, pings, reports.
    Beacon,
    /// What a page is made of: a picture, a script, a style, a font. It carries nothing but its address.
    Piece,
    /// Anything else.
    Other,
}

/// What a request carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutgoingBody {
    /// Nothing.
    None,
    /// These bytes, all of them.
    Bytes(Vec<u8>),
    /// Something that can't be read here, a file for one.
    Unread,
}

/// Who sends a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sender {
    /// The tab; none for a worker of a whole session.
    pub tab: Option<TabId>,
    /// The address of the page in that tab.
    pub page: Option<String>,
    /// The address of the document that asks; for a document's own request the one that it takes the place of.
    pub document: Option<String>,
    /// The load that this document came from.
    pub loader: Option<String>,
    /// Whether it is a worker.
    pub is_worker: bool,
}

impl Outgoing {
    /// The first header of this name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}
