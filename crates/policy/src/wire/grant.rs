//! A yes to one request: what it was shown as, and whether what is sent is still that.

use legwork_types::contract::{Fingerprint, ObservationId, SessionId};

use super::{
    Card, Decoded, OpaqueField, Place,
    opaque::{may_hold, why},
};

/// A yes to one request. Good once, until it expires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Whose it is.
    pub session: SessionId,
    /// The look that it was decided on.
    pub observation: ObservationId,
    /// Who sends it: the addresses of the page and of the document in it that asks, as far as they say what page it is.
    pub origin: String,
    /// What was pressed.
    pub target: Option<Fingerprint>,
    /// The request as it was shown.
    pub shown: Decoded,
    /// What a person saw of it.
    pub card: Card,
    /// Which fields may hold something else, as the card lists them.
    pub opaque: Vec<OpaqueField>,
    /// What tells this yes from all others.
    pub nonce: String,
    /// Which rules it was given under.
    pub policy_version: u64,
    /// When it was given, in thousandths of a second since 1970.
    pub made_ms: u64,
    /// Until when it is good.
    pub expires_ms: u64,
}

/// What is different from what was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// It is too late.
    Expired,
    /// The method.
    Method,
    /// The scheme, the host or the port.
    Origin,
    /// The path.
    Path,
    /// A field more or less, or one in another place.
    Fields(String),
    /// The value of a field.
    Value(String),
    /// A file.
    Files,
    /// What the body is, or what is asked in it.
    Content,
    /// A header that the page chose.
    Headers,
    /// It can't be inspected, and it is not exactly the same of the same document.
    NotInspected,
}

impl Grant {
    /// Whether a request is what was shown.
    pub fn matches(&self, now_ms: u64, decoded: &Decoded) -> Result<(), Difference> {
        if now_ms >= self.expires_ms || now_ms < self.made_ms {
            return Err(Difference::Expired);
        }
        let shown = &self.shown;
        if (&shown.method, &shown.sent_method) != (&decoded.method, &decoded.sent_method) {
            return Err(Difference::Method);
        }
        let place = |one: &Decoded| (one.address.scheme.clone(), one.address.host.clone(), one.address.port);
        if place(shown) != place(decoded) {
            return Err(Difference::Origin);
        }
        if shown.address.path != decoded.address.path {
            return Err(Difference::Path);
        }
        if shown.opaque.is_some() || decoded.opaque.is_some() {
            let same = shown.digest == decoded.digest && shown.opaque == decoded.opaque;
            // A body that could not be read has no digest of its own.
            let read = shown.opaque != Some(super::Opaque::Unread);
            let same_document = shown.document.is_some() && shown.document == decoded.document;
            return if same && read && same_document { Ok(()) } else { Err(Difference::NotInspected) };
        }
        // A number is not the text of it: "false" is a yes to some servers.
        if (shown.content, &shown.media_type, &shown.build)
            != (decoded.content, &decoded.media_type, &decoded.build)
            || shown.operations != decoded.operations
        {
            return Err(Difference::Content);
        }
        if !self.headers_match(now_ms, decoded) {
            return Err(Difference::Headers);
        }
        if shown.files != decoded.files {
            return Err(Difference::Files);
        }
        self.fields_match(now_ms, decoded)
    }

    /// Whether the page's own headers are the same, but for tokens.
    fn headers_match(&self, now_ms: u64, decoded: &Decoded) -> bool {
        let (shown, sent) = (&self.shown.headers, &decoded.headers);
        let life = (self.made_ms, now_ms.saturating_add(300_000).min(self.expires_ms));
        shown.len() == sent.len()
            && shown.iter().zip(sent).all(|((name, value), (other, now))| {
                let may_differ =
                    || why(name, value, self.made_ms).is_some_and(|why| may_hold(why, value, now, life));
                name == other && (value == now || may_differ())
            })
    }

    fn fields_match(&self, now_ms: u64, decoded: &Decoded) -> Result<(), Difference> {
        let (shown, sent) = (placed(&self.shown), placed(decoded));
        let names = |list: &[(usize, Place, &str, &str)]| -> Vec<(Place, String)> {
            list.iter().map(|(_, place, name, _)| (*place, (*name).to_owned())).collect()
        };
        let (known, given) = (names(&shown), names(&sent));
        if known != given {
            let differs = given
                .iter()
                .find(|one| !known.contains(one))
                .or_else(|| known.iter().find(|one| !given.contains(one)));
            let differs = differs.or(given.first()).or(known.first());
            return Err(Difference::Fields(differs.map(|(_, name)| name.clone()).unwrap_or_default()));
        }
        for ((at, _, name, value), (_, _, _, now)) in shown.iter().zip(&sent) {
            let opaque = self.opaque.iter().find(|opaque| opaque.at == *at).map(|opaque| opaque.why);
            let life = (self.made_ms, now_ms.saturating_add(300_000).min(self.expires_ms));
            if value != now && !opaque.is_some_and(|why| may_hold(why, value, now, life)) {
                return Err(Difference::Value((*name).to_owned()));
            }
        }
        Ok(())
    }
}

/// Fields by place, within one in their order: servers put together what stands beside each other.
fn placed(decoded: &Decoded) -> Vec<(usize, Place, &str, &str)> {
    let all = decoded.fields.iter().enumerate();
    let mut all: Vec<_> =
        all.map(|(at, field)| (at, field.place, field.name.as_str(), field.value.as_str())).collect();
    all.sort_by_key(|(at, place, ..)| (*place, *at));
    all
}

/// When and for whom a grant is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// Now, in thousandths of a second since 1970.
    pub now_ms: u64,
    /// Whose request it is.
    pub session: SessionId,
    /// Who sends it: the addresses of the page and of the document in it that asks, as far as they say what page it is.
    pub origin: String,
    /// The rules that hold now.
    pub policy_version: u64,
}

/// The most grants that wait at once.
const MOST_GRANTS: usize = 100;

/// Grants that were given and not used yet.
#[derive(Debug, Default)]
pub struct Grants(Vec<Grant>);

impl Grants {
    /// Keeps a grant. Of too many the oldest is forgotten.
    pub fn give(&mut self, grant: Grant) {
        if self.0.len() >= MOST_GRANTS {
            self.0.remove(0);
        }
        self.0.push(grant);
    }

    /// Takes the grant for a request out, if there is one. It is good only this once; what has expired is forgotten.
    pub fn take(&mut self, moment: &Moment, decoded: &Decoded) -> Option<Grant> {
        self.0.retain(|grant| {
            moment.now_ms < grant.expires_ms && grant.policy_version == moment.policy_version
        });
        // What one page was allowed to send is not allowed to another that has come since.
        let fits = |grant: &Grant| {
            (&grant.session, &grant.origin) == (&moment.session, &moment.origin)
                && grant.matches(moment.now_ms, decoded).is_ok()
        };
        let at = self.0.iter().position(fits)?;
        Some(self.0.remove(at))
    }

    /// Forgets all grants of a session, because its errand ended or somebody called it off.
    pub fn forget(&mut self, session: &SessionId) {
        self.0.retain(|grant| grant.session != *session);
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
