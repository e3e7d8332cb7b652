//! Which model is asked, where, and with which key. Pure: what the surroundings say comes in, a choice or a clear refusal comes out.

use std::fmt;

use legwork_types::{Code, Problem};
use url::{Host, Url};

use crate::price::Runs;

/// The model that is asked where nobody chose one.
pub const DEFAULT_MODEL: &str = "claude-opus-4-6";

/// Where a local Ollama listens.
const OLLAMA: &str = "http://127.0.0.1:11434";

/// What the user and the surroundings say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The model: from the flag, `LEGWORK_MODEL` or the settings.
    pub model: Option<String>,
    /// Where to ask: from the flag, `LEGWORK_BASE_URL` or the settings.
    pub base_url: Option<String>,
    /// `LEGWORK_WIRE`: what is spoken wherever `base_url` points to: `messages`, `chat`, `responses` or `gemini`.
    pub wire: Option<String>,
    /// `LEGWORK_API_KEY`: a key for wherever `base_url` points to.
    pub key: Option<Key>,
    /// `ANTHROPIC_API_KEY`.
    pub anthropic: Option<Key>,
    /// `OPENAI_API_KEY`.
    pub openai: Option<Key>,
    /// `GEMINI_API_KEY`, else `GOOGLE_API_KEY`.
    pub gemini: Option<Key>,
    /// `OPENROUTER_API_KEY`.
    pub openrouter: Option<Key>,
    /// `OLLAMA_HOST`.
    pub ollama: Option<String>,
}

impl Wishes {
    /// What the variables of the environment say; empty ones say nothing.
    pub fn of_environment(read: impl Fn(&str) -> Option<String>) -> Self {
        let read = |name| read(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let key = |name| read(name).map(Key);
        Self {
            model: read("LEGWORK_MODEL"),
            base_url: read("LEGWORK_BASE_URL"),
            wire: read("LEGWORK_WIRE"),
            key: key("LEGWORK_API_KEY"),
            anthropic: key("ANTHROPIC_API_KEY"),
            openai: key("OPENAI_API_KEY"),
            gemini: key("GEMINI_API_KEY").or_else(|| key("GOOGLE_API_KEY")),
            openrouter: key("OPENROUTER_API_KEY"),
            ollama: read("OLLAMA_HOST"),
        }
    }

    /// The same surroundings for another model, which is asked where the first one can't answer. It is asked at the same server, unless
    /// it is of another vendor whose key is there.
    #[must_use]
    pub fn for_fallback(&self, model: &str) -> Self {
        let first = self.model.as_deref().unwrap_or(DEFAULT_MODEL);
        let mut same = Self { model: Some(model.to_owned()), ..self.clone() };
        if Family::of(first) == Family::of(model) {
            return same;
        }
        // What is spoken there was said of the first one.
        same.wire = None;
        let own = match Family::of(model) {
            Family::Anthropic => &self.anthropic,
            Family::OpenAi => &self.openai,
            Family::Gemini => &self.gemini,
            Family::Other if model.contains('/') => &self.openrouter,
            Family::Other => &None,
        };
        if own.is_some() {
            same.base_url = None;
        }
        same
    }
}

/// A key. It is shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(pub(crate) String);

impl From<&str> for Key {
    fn from(key: &str) -> Self {
        Self(key.to_owned())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// How a vendor is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's Chat, which many others speak too.
    OpenAi,
    /// OpenAI's Responses.
    Responses,
    /// Gemini's own.
    Gemini,
}

impl Wire {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::OpenAi, Self::Responses, Self::Gemini];

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "messages",
            Self::OpenAi => "chat",
            Self::Responses => "responses",
            Self::Gemini => "gemini",
        }
    }
}

/// A model that can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// How it is spoken to.
    pub wire: Wire,
    /// Where.
    pub base: Url,
    /// With which key.
    pub key: Option<Key>,
    /// Whether it runs on this machine.
    pub runs: Runs,
}

/// What comes of the wishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// A model.
    Model(Model),
    /// Whether a local Ollama has one is to be found out there; otherwise the problem stands.
    AskOllama {
        /// Where it may listen.
        base: Url,
        /// The model that was wished for.
        model: Option<String>,
        /// What is wrong if there is none.
        otherwise: Box<Problem>,
    },
}

/// Chooses.
pub fn choose(wishes: &Wishes) -> Result<Choice, Problem> {
    let name = wishes.model.clone().unwrap_or_else(|| DEFAULT_MODEL.to_owned());
    if let Some(base) = &wishes.base_url {
        return at_base(wishes, base).map(Choice::Model);
    }
    let known = |wire, base: &str, key: &Option<Key>| {
        let key = key.clone()?;
        let base = Url::parse(base).ok()?;
        Some(Choice::Model(Model { name: name.clone(), wire, base, key: Some(key), runs: Runs::Elsewhere }))
    };
    let found = match Family::of(&name) {
        Family::Anthropic => known(Wire::Anthropic, "https://api.anthropic.com/", &wishes.anthropic),
        Family::OpenAi => known(Wire::Responses, "https://api.openai.com/v1/", &wishes.openai),
        Family::Gemini => {
            known(Wire::Gemini, "https://generativelanguage.googleapis.com/v1beta/", &wishes.gemini)
        }
        Family::Other if name.contains('/') => {
            known(Wire::OpenAi, "https://openrouter.ai/api/v1/", &wishes.openrouter)
        }
        Family::Other => None,
    };
    if let Some(found) = found {
        return Ok(found);
    }
    let otherwise = missing(wishes, &name);
    // A model that belongs to a vendor is not looked for elsewhere; nor is anything, where a key shows what the user has in mind.
    let keys = [&wishes.anthropic, &wishes.openai, &wishes.gemini, &wishes.openrouter];
    let has_key = keys.iter().any(|key| key.is_some());
    let is_local = Family::of(&name) == Family::Other;
    if is_local || (wishes.model.is_none() && !has_key) {
        let base = ollama(wishes.ollama.as_deref())?;
        return Ok(Choice::AskOllama { base, model: wishes.model.clone(), otherwise: Box::new(otherwise) });
    }
    Err(otherwise)
}

/// Whose a model is, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Anthropic,
    OpenAi,
    Gemini,
    Other,
}

impl Family {
    pub(crate) fn of(model: &str) -> Self {
        let begins = |words: &[&str]| words.iter().any(|word| model.starts_with(word));
        if begins(&["claude"]) {
            Self::Anthropic
        } else if begins(&["gpt-oss"]) {
            Self::Other
        } else if begins(&["gpt", "chatgpt", "o1", "o3", "o4"]) {
            Self::OpenAi
        } else if begins(&["gemini"]) {
            Self::Gemini
        } else {
            Self::Other
        }
    }
}

fn at_base(wishes: &Wishes, base: &str) -> Result<Model, Problem> {
    let base = address(base, "--base-url")?;
    let runs = if is_loopback(&base) { Runs::Here } else { Runs::Elsewhere };
    // A key that was made for a vendor goes to that vendor and to nobody else.
    let vendors = [
        ("anthropic.com", &wishes.anthropic),
        ("openai.com", &wishes.openai),
        ("googleapis.com", &wishes.gemini),
        ("openrouter.ai", &wishes.openrouter),
    ];
    let vendors = vendors.iter().find(|(domain, _)| is_of(&base, domain)).and_then(|(_, key)| key.as_ref());
    let key = wishes.key.as_ref().or(vendors).cloned();
    if key.is_some() && base.scheme() == "http" && runs == Runs::Elsewhere {
        return Err(Problem::new(
            Code::ModelNotConfigured,
            format!("a key would be sent to {base} without encryption"),
            "give --base-url with https, or unset the key",
        ));
    }
    let name = match &wishes.model {
        Some(name) => name.clone(),
        None if is_of(&base, "anthropic.com") => DEFAULT_MODEL.to_owned(),
        None => {
            let hint =
                format!("name one with --model or LEGWORK_MODEL; most servers list theirs at {base}models");
            let message = format!("no model is named for {base}");
            return Err(Problem::new(Code::ModelNotConfigured, message, hint));
        }
    };
    let wire = match &wishes.wire {
        Some(wish) => wished(wish)?,
        None => spoken(&name, &base),
    };
    Ok(Model { name, wire, base, key, runs })
}

/// What is spoken at an address. Nearly everybody speaks OpenAI's Chat; vendors have their own, and Google both.
fn spoken(name: &str, base: &Url) -> Wire {
    match Family::of(name) {
        Family::Anthropic => Wire::Anthropic,
        _ if is_of(base, "openai.com") => Wire::Responses,
        _ if is_of(base, "googleapis.com") && !base.path().ends_with("/openai/") => Wire::Gemini,
        Family::OpenAi | Family::Gemini | Family::Other => Wire::OpenAi,
    }
}

fn wished(wish: &str) -> Result<Wire, Problem> {
    let found = Wire::ALL.into_iter().find(|wire| wire.name() == wish);
    found.ok_or_else(|| {
        let names: Vec<&str> = Wire::ALL.iter().map(|wire| wire.name()).collect();
        let hint = format!("set LEGWORK_WIRE to one of {}, or unset it", names.join(", "));
        Problem::new(Code::ModelNotConfigured, format!("nothing called {wish:?} is spoken to models"), hint)
    })
}

/// Whether an address belongs to this domain.
pub(crate) fn is_of(url: &Url, domain: &str) -> bool {
    let host = url.host_str().unwrap_or_default();
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// What to do where there is no key.
fn missing(wishes: &Wishes, name: &str) -> Problem {
    let (message, set) = match Family::of(name) {
        Family::Anthropic => (format!("there is no key for {name}"), "set ANTHROPIC_API_KEY"),
        Family::OpenAi => (format!("there is no key for {name}"), "set OPENAI_API_KEY"),
        Family::Gemini => (format!("there is no key for {name}"), "set GEMINI_API_KEY"),
        Family::Other if name.contains('/') => {
            (format!("there is no key for {name}"), "set OPENROUTER_API_KEY")
        }
        Family::Other => {
            (format!("nobody is known who has the model {name}"), "say where it is with --base-url")
        }
    };
    let mut ways = vec![set.to_owned()];
    if Family::of(name) != Family::Anthropic {
        ways.push(other_way("claude-…", "ANTHROPIC_API_KEY", wishes.anthropic.is_some()));
    }
    if Family::of(name) != Family::OpenAi {
        ways.push(other_way("gpt-…", "OPENAI_API_KEY", wishes.openai.is_some()));
    }
    if Family::of(name) != Family::Gemini {
        ways.push(other_way("gemini-…", "GEMINI_API_KEY", wishes.gemini.is_some()));
    }
    ways.push("start Ollama with a model that can call tools".to_owned());
    if Family::of(name) != Family::Other || name.contains('/') {
        ways.push("name another server with --base-url".to_owned());
    }
    Problem::new(Code::ModelNotConfigured, message, ways.join(", or "))
}

fn other_way(model: &str, variable: &str, is_set: bool) -> String {
    match is_set {
        true => format!("choose --model {model} ({variable} is set)"),
        false => format!("set {variable} and choose --model {model}"),
    }
}

/// An address of a vendor, with a slash at its end so that paths can follow.
fn address(text: &str, from: &str) -> Result<Url, Problem> {
    let wrong = |cause: &str| {
        let hint = "give an address like http://127.0.0.1:8080/v1";
        Problem::new(Code::ModelNotConfigured, format!("{from} is no address of a model"), hint)
            .because(cause)
    };
    let mut url = Url::parse(text).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("only http and https can be spoken"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("a key does not belong into an address; set LEGWORK_API_KEY"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("there must be nothing after its path"));
    }
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url)
}

/// `OLLAMA_HOST` may be a host, a host with a port or an address.
fn ollama(host: Option<&str>) -> Result<Url, Problem> {
    let Some(host) = host else { return address(OLLAMA, "OLLAMA_HOST") };
    let text = if host.contains("://") { host.to_owned() } else { format!("http://{host}") };
    let mut url = address(&text, "OLLAMA_HOST")?;
    if url.port().is_none() && !host.contains("://") {
        let _ = url.set_port(Some(11434));
    }
    // Where a server listens everywhere, it is asked here.
    if url.host() == Some(Host::Ipv4(std::net::Ipv4Addr::UNSPECIFIED)) {
        let _ = url.set_host(Some("127.0.0.1"));
    }
    Ok(url)
}

pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}
