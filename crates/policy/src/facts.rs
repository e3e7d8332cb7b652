//! What a verdict is made from.

use std::path::PathBuf;

use legwork_types::{
    PageText,
    contract::{ActionId, Dialog, Fingerprint, ObservationId, Risk, SessionId},
};

use crate::secrets::{FieldFacts, SecretRule};

/// What is known of the page and of what is acted on.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The session.
    pub session: SessionId,
    /// The look that the caller decided on.
    pub observation: ObservationId,
    /// The page's host, and port where it is not the usual one.
    pub domain: String,
    /// Everything that the intent names.
    pub targets: Vec<TargetFacts>,
    /// What keys go to, if it is on the list of what can be acted on.
    pub focused: Option<TargetFacts>,
    /// The browser's dialog that waits.
    pub dialog: Option<Dialog>,
    /// The files that are to be given away, as the intent names them.
    pub files: Vec<FileFacts>,
    /// What stands between the page and the network.
    pub wire: Wire,
    /// The address of the page.
    pub address: PageText,
    /// The secrets that there are, without their values.
    pub secrets: Vec<SecretRule>,
    /// Why it is to be taken for dangerous whatever it seems. This raises the risk and never lowers it.
    pub caution: Option<String>,
}

/// What stands between a page and the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wire {
    /// Nothing that could be vouched for: what is dangerous has to be asked about before it is done.
    #[default]
    Open,
    /// A barrier in a browser that somebody else started: what else is done in it, and by which ways, nobody can tell. Nothing that can't
    /// be undone is done, and no secret is typed.
    Degraded,
    /// Whatever would write is caught on its way and judged by what it carries. What is dangerous may be tried: the question comes
    /// when it is known what exactly would leave.
    Guarded,
}

/// What is known of one element.
#[derive(Debug, Clone)]
pub struct TargetFacts {
    /// Its number.
    pub action: ActionId,
    /// What it is known by.
    pub fingerprint: Fingerprint,
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: PageText,
    /// How much harm a press on it might do, or what is chosen in it.
    pub risk: Risk,
    /// How much harm Enter might do in it besides pressing it: it may send what it is a field of.
    pub sends: Option<Risk>,
    /// Whether it belongs to a proof of being human.
    pub in_captcha: bool,
    /// What is known of it as a field.
    pub field: FieldFacts,
}

/// A file on this machine.
#[derive(Debug, Clone)]
pub struct FileFacts {
    /// As the caller wrote it.
    pub asked: String,
    /// Where it really is, links followed; none if there is no such file.
    pub real: Option<PathBuf>,
}

/// What the caller said to a question.
#[derive(Debug, Clone, Default)]
pub struct Confirmation {
    /// Whether it said yes.
    pub confirm: bool,
    /// The words that it echoed.
    pub text: Option<String>,
}
