//! What a request says, taken apart.

use legwork_types::OutgoingKind;

use super::Address;

/// The most fields of one request.
pub(super) const MOST_FIELDS: usize = 2_000;
/// The most levels of lists within lists.
pub(super) const DEEPEST: usize = 64;
/// The most parts of a path.
pub(super) const MOST_SEGMENTS: usize = 200;
/// The most bytes of a body that are taken apart.
pub(super) const LARGEST_BODY: usize = 1 << 20;
/// The most bytes of an address that are taken apart.
pub(super) const LONGEST_ADDRESS: usize = 64 << 10;

/// A request, taken apart. All of it was written by a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// What it asks the server to do: the method, or the one that it says should count instead if that is worse. Upper case.
    pub method: String,
    /// The method that is really sent, in upper case.
    pub sent_method: String,
    /// Where it goes to, without the query.
    pub address: Address,
    /// What it is for.
    pub kind: OutgoingKind,
    /// Everything that has a name and a value, of the query and of the body, in their order.
    pub fields: Vec<Field>,
    /// What is written within those, as JSON or as a form: `payload.amount`.
    pub within: Vec<Field>,
    /// What its body is.
    pub content: Content,
    /// What its header says that the body is, without the mark between its parts.
    pub media_type: String,
    /// What it asks of a GraphQL server; empty if it asks none.
    pub operations: Vec<Operation>,
    /// The files in it.
    pub files: Vec<FilePart>,
    /// Why it can't be inspected, if it can't.
    pub opaque: Option<Opaque>,
    /// SHA-256 of the method, the address, the type of the body and the body itself.
    pub digest: [u8; 32],
    /// How its JSON is built, without names and values; empty if it is something else.
    pub build: String,
    /// Headers that the page chose itself, sorted.
    pub headers: Vec<(String, String)>,
    /// Which loaded document sends it, if the caller knows and filled it in.
    pub document: Option<String>,
}

/// One name with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name; within JSON the way to it: `items.0.price`.
    pub name: String,
    /// Its value; of JSON as it is written there, texts without their quotes.
    pub value: String,
    /// Where it is.
    pub place: Place,
}

/// Where a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A name and password before the host.
    Credentials,
    /// After the question mark of the address.
    Query,
    /// In the body of a form.
    Form,
    /// In a body of several parts.
    Multipart,
    /// In a body of JSON.
    Json,
    /// In a GraphQL request: its text, its name, its variables.
    GraphQl,
    /// A header that says what is to be done.
    Header,
}

/// What a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// There is none.
    Empty,
    /// A form.
    Form,
    /// A form of several parts.
    Multipart,
    /// JSON.
    Json,
    /// GraphQL.
    GraphQl,
    /// Text without any structure: one field without a name.
    Text,
    /// Something else.
    Other,
}

/// One thing that is asked of a GraphQL server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What kind of thing.
    pub kind: OperationKind,
    /// What it calls itself.
    pub name: Option<String>,
    /// The fields that it asks for first, by their real names.
    pub asks: Vec<String>,
    /// What it asks for within those.
    pub within: Vec<Within>,
    /// What it is told in its text: names with values.
    pub told: Vec<(String, String)>,
    /// What it is told by variables: names with those of the variables.
    pub given: Vec<(String, String)>,
}

/// What is asked for within something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Within {
    /// Its real name.
    pub name: String,
    /// Whether it is told something: then it does something rather than being part of an answer.
    pub is_told: bool,
}

/// What kind of thing is asked of a GraphQL server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationKind {
    /// Reads.
    Query,
    /// Writes.
    Mutation,
    /// Listens.
    Subscription,
    /// Only the server knows: its text is not there, or makes no sense.
    Unknown,
}

/// A file within a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePart {
    /// The field that it is the value of.
    pub field: String,
    /// What it is called.
    pub name: String,
    /// How many bytes it has.
    pub bytes: usize,
    /// SHA-256 of them.
    pub digest: [u8; 32],
}

/// Why a request can't be inspected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opaque {
    /// Its body could not be read.
    Unread,
    /// Its body is of a kind that is not known here.
    UnknownKind,
    /// Its body is not what it says it is.
    Broken,
    /// It is too large, or has too many fields or levels.
    TooLarge,
    /// It is compressed or encrypted.
    Encoded,
    /// Its address makes no sense.
    Address,
}

impl Opaque {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Unread => "what it carries could not be read",
            Self::UnknownKind => "what it carries is of a kind that can't be inspected",
            Self::Broken => "what it carries is not what it says it is",
            Self::TooLarge => "it is too large to be inspected",
            Self::Encoded => "what it carries is compressed or encrypted",
            Self::Address => "its address makes no sense",
        }
    }
}

impl Decoded {
    /// Every field, and what is written within them.
    pub(super) fn all(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().chain(&self.within)
    }

    /// Whether its method promises to change nothing.
    pub fn is_safe_method(&self) -> bool {
        is_safe(&self.method) && is_safe(&self.sent_method)
    }
}

/// Whether a method promises to change nothing.
pub(super) fn is_safe(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS")
}
