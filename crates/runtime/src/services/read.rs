//! From the text of a file to a service, or to the line and the reason why not.

use legwork_agent::{
    Limits,
    service::{
        AuthRule, ElementRule, Named, Predicate, Prepare, ROLES, Reaching, TOOLS, UrlRule, Wanted, folded,
    },
};
use legwork_policy::places::{AddressClass, Place, PlaceRule, classify};
use legwork_types::{Code, PageUrl, Problem, model::MicroUsd};
use url::{Host, Url};

use super::{
    goal::{Goal, is_datum},
    service::{Datum, LIMITS, Service},
    shape::{DomainsShape, ElementShape, LimitsShape, NamedShape, PredicateShape, Shape},
};
use crate::slips::{Step, line_at, line_of, near, nearest, quoted, steps_of, words};

/// The largest file, in bytes.
pub const LARGEST: usize = 64 << 10;
/// The longest goal and the longest words about a service, in characters: they are told at every turn.
const LONGEST: usize = 4_000;
/// The longest name, in characters.
const LONGEST_NAME: usize = 40;

/// The most that a file may say of turns, minutes and dollars. Files are passed on; who wants more says so when an errand begins.
const MOST: (i64, i64, f64) = (100, 60, 20.0);

const EVERYTHING: &str =
    "docs/services.md tells all that can be written; `legwork services new NAME` begins a file";

/// What is wrong at one place of a file.
struct Slip {
    steps: Vec<Step>,
    why: String,
    hint: String,
}

/// Where something stands in the file.
#[derive(Clone)]
struct At(Vec<Step>);

impl At {
    fn key(key: &str) -> Self {
        Self(vec![Step::Key(key.to_owned())])
    }

    fn then(&self, key: &str) -> Self {
        Self([self.0.clone(), vec![Step::Key(key.to_owned())]].concat())
    }

    fn item(&self, index: usize) -> Self {
        Self([self.0.clone(), vec![Step::At(index)]].concat())
    }

    fn slip(&self, why: impl Into<String>, hint: impl Into<String>) -> Slip {
        Slip { steps: self.0.clone(), why: why.into(), hint: hint.into() }
    }
}

/// The service that a text describes. `shown` names the file for people.
pub fn read(text: &str, shown: &str) -> Result<Service, Problem> {
    let invalid = |message: String, hint: &str| Problem::new(Code::ServiceInvalid, message, hint);
    if text.len() > LARGEST {
        let hint = "see whether it is the right file";
        return Err(invalid(format!("{shown} can't be used"), hint)
            .because(format!("it has more than {LARGEST} bytes")));
    }
    let document = toml::Deserializer::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_at(text, span.start));
        invalid(format!("{shown}, line {line}: it can't be read as TOML"), EVERYTHING)
            .because(error.message().to_owned())
    })?;
    let shape: Shape = serde_path_to_error::deserialize(document).map_err(|error| {
        let steps = steps_of(error.path());
        misshapen(&steps, error.inner(), text, shown)
    })?;
    service(shape).map_err(|Slip { steps, why, hint }| {
        let line = line_of(&steps, text).map_or(String::new(), |line| format!(", line {line}"));
        invalid(format!("{shown}{line}: {} can't be used", Step::path(&steps)), &hint).because(why)
    })
}

/// A key that is not known, one that is missing, or a value of another kind.
fn misshapen(steps: &[Step], error: &toml::de::Error, text: &str, shown: &str) -> Problem {
    let span = || error.span().map(|span| line_at(text, span.start));
    let line = line_of(steps, text).or_else(span);
    let at = line.map_or(shown.to_owned(), |line| format!("{shown}, line {line}"));
    let (path, said) = (Step::path(steps), error.message());
    let invalid = |message: String, hint: String| Problem::new(Code::ServiceInvalid, message, hint);
    if quoted(said, "unknown field").is_some() {
        let hint = near(said).map_or_else(|| EVERYTHING.to_owned(), |word| format!("did you mean {word}?"));
        let known: Vec<&str> = words(said).into_iter().skip(1).collect();
        return invalid(format!("{at}: {path} is not known"), hint)
            .because(format!("known here: {}", known.join(", ")));
    }
    if let Some(key) = quoted(said, "missing field") {
        // What is missing from the file as a whole is missing at no line of it.
        let (at, path) =
            if steps.is_empty() { (shown, key.to_owned()) } else { (&*at, format!("{path}.{key}")) };
        return invalid(format!("{at}: {path} is missing"), EVERYTHING.to_owned());
    }
    let cause = said.split('\n').next().unwrap_or_default();
    invalid(format!("{at}: {path} can't be used"), EVERYTHING.to_owned()).because(cause)
}

fn service(shape: Shape) -> Result<Service, Slip> {
    let Shape { name, description, verb, start, goal, prompt, data, domains, limits, .. } = &shape;
    for (key, word) in [("name", name), ("verb", verb)] {
        if !is_name(word) {
            let hint = "write small letters, digits and hyphens, such as my-gym";
            return Err(At::key(key).slip(format!("{word:?} is no name"), hint));
        }
    }
    for (key, words, most) in
        [("description", description, 200), ("goal", goal, LONGEST), ("prompt", prompt, LONGEST)]
    {
        if words.trim().is_empty() && key != "prompt" {
            return Err(At::key(key).slip("it says nothing", "say it in a sentence"));
        }
        if words.chars().count() > most {
            return Err(At::key(key).slip(format!("it has more than {most} characters"), "say it shorter"));
        }
    }
    let start = beginning(start)?;
    let domains = reaching(domains, &start)?;
    let goal = goal_of(goal, data.keys().map(String::as_str).collect())?;
    let reader = Reader { start: &start, domains: &domains };
    let all = |key: &str, about: &[PredicateShape], kind| reader.predicates(&At::key(key), about, kind);
    let prepare = shape.prepare.iter().enumerate().map(|(index, one)| {
        let at = At::key("prepare").item(index);
        Ok(Prepare {
            url: reader.urls(&at.then("url"), &one.url)?,
            click: named(&at.then("click"), &one.click)?,
        })
    });
    let prepare = prepare.collect::<Result<_, Slip>>()?;
    if shape.success.is_empty() {
        let hint = "add [[success]] with text, url or element of the page that shows that it is done";
        return Err(At::key("success").slip("without it nothing could be proved", hint));
    }
    Ok(Service {
        name: name.clone(),
        description: description.split_whitespace().collect::<Vec<_>>().join(" "),
        verb: verb.clone(),
        start: start.to_string(),
        goal,
        prompt: prompt.trim().to_owned(),
        data: data
            .iter()
            .map(|(name, one)| {
                (name.clone(), Datum { about: one.about.clone(), default: one.default.clone() })
            })
            .collect(),
        limits: limits_of(limits)?,
        prepare,
        checkpoint: all("checkpoint", &shape.checkpoint, Kind::Act)?,
        success: all("success", &shape.success, Kind::Page)?,
        failure: all("failure", &shape.failure, Kind::Page)?,
        auth: reader.auth(&shape.auth)?,
        domains,
    })
}

/// Whether a service, or what is done there, may be called so.
pub fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty() && name.len() <= LONGEST_NAME && !name.starts_with('-') && name.chars().all(fits)
}

fn beginning(start: &str) -> Result<Url, Slip> {
    let at = At::key("start");
    let hint = "write a whole address, such as https://www.stream.example/account";
    let url = PageUrl::parse(start).map_err(|refusal| at.slip(refusal.to_string(), hint))?;
    let url = Url::parse(url.as_str()).map_err(|error| at.slip(error.to_string(), hint))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(at.slip("it names a user", "leave out what stands before the @"));
    }
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => classify(address.into()) == AddressClass::Loopback,
        Some(Host::Ipv6(address)) => classify(address.into()) == AddressClass::Loopback,
        None => false,
    };
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_here => Ok(url),
        _ => Err(at.slip("it is not https, and not on this machine", hint)),
    }
}

fn reaching(domains: &DomainsShape, start: &Url) -> Result<Reaching, Slip> {
    let at = At::key("domains");
    let rules = |key: &str, texts: &[String]| {
        let at = at.then(key);
        let read = |(index, text): (usize, &String)| {
            let hint = "write hosts such as www.stream.example or *.stream.example";
            let rule: PlaceRule =
                text.parse().map_err(|error| at.item(index).slip(format!("{error}"), hint))?;
            if rule.is_of_everybody() {
                let why = format!("anybody can have a host below {text}: it is a public suffix");
                return Err(at.item(index).slip(why, "name the hosts of the service itself"));
            }
            Ok(rule)
        };
        texts.iter().enumerate().map(read).collect::<Result<Vec<PlaceRule>, Slip>>()
    };
    let (read, write) = (rules("read", &domains.read)?, rules("write", &domains.write)?);
    let covers =
        |url: &str| Place::of_url(url).is_ok_and(|place| read.iter().any(|rule| rule.covers(&place)));
    if !covers(start.as_str()) {
        let host = start.host_str().unwrap_or_default();
        let why = format!("the browser may not load {host}: it is not among domains.read");
        return Err(At::key("start").slip(why, format!("add {host:?} to domains.read")));
    }
    for (index, (rule, text)) in write.iter().zip(&domains.write).enumerate() {
        let at = at.then("write").item(index);
        if !rule.names_one_host() || text.contains("://") || text.contains(':') {
            return Err(
                at.slip(format!("{text:?} is no host"), "write a host alone, such as www.stream.example")
            );
        }
        if !covers(&format!("https://{text}/")) {
            return Err(at.slip("what may not be loaded is no place to write to", "add it to domains.read"));
        }
    }
    let own = || vec![start.host_str().unwrap_or_default().to_owned()];
    let words = |rules: &[PlaceRule]| rules.iter().map(ToString::to_string).collect::<Vec<_>>();
    Ok(Reaching { read: words(&read), write: if write.is_empty() { own() } else { words(&write) } })
}

fn goal_of(text: &str, data: Vec<&str>) -> Result<Goal, Slip> {
    if let Some(wrong) = data.iter().find(|name| !is_datum(name)) {
        let hint = "write small letters, digits, hyphens and underscores";
        return Err(At::key("data").then(wrong).slip(format!("{wrong:?} is no name"), hint));
    }
    let at = At::key("goal");
    let goal = Goal::read(text).map_err(|why| at.slip(why, EVERYTHING))?;
    match goal.names().into_iter().find(|name| !data.contains(name)) {
        None => Ok(goal),
        Some(name) => {
            let hint = match nearest(name, data) {
                Some(near) => format!("did you mean {{{near}}}?"),
                None => format!("add [data.{name}] with about = \"…\", or write {{{{ for a brace"),
            };
            Err(at.slip(format!("nothing says what {{{name}}} is"), hint))
        }
    }
}

fn limits_of(limits: &LimitsShape) -> Result<Limits, Slip> {
    let at = At::key("limits");
    let (most_turns, most_minutes, most_dollars) = MOST;
    let within = |key: &str, number: Option<i64>, most: i64, hint: &str| match number {
        Some(number) if !(1..=most).contains(&number) => {
            Err(at.then(key).slip(format!("{number} is not a number from 1 to {most}"), hint))
        }
        number => Ok(number.and_then(|number| u32::try_from(number).ok())),
    };
    let turns = within("turns", limits.turns, most_turns, EVERYTHING)?;
    let more = "a file may say no more; say more for one errand by --max-time SECONDS";
    let minutes = within("minutes", limits.minutes, most_minutes, more)?;
    if let Some(dollars) = limits.dollars.filter(|dollars| !(*dollars > 0.0 && *dollars <= most_dollars)) {
        let hint = "write 2.50, for example; say more for one errand by --budget USD";
        return Err(at.then("dollars").slip(format!("{dollars} is no sum up to {most_dollars}"), hint));
    }
    Ok(Limits {
        turns: turns.unwrap_or(LIMITS.turns),
        money: limits.dollars.map_or(LIMITS.money, MicroUsd::of_dollars),
        millis: minutes.map_or(LIMITS.millis, |minutes| u64::from(minutes) * 60_000),
        ..LIMITS
    })
}

/// An element that is clicked without anybody being asked: by its role and its whole name.
fn named(at: &At, shape: &NamedShape) -> Result<Named, Slip> {
    known(&at.then("role"), std::slice::from_ref(&shape.role), ROLES, "role")?;
    said(&at.then("name"), &shape.name)?;
    Ok(Named { role: shape.role.clone(), name: shape.name.clone() })
}

/// What a condition is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Act,
    Page,
    Login,
}

/// Reads conditions of one file.
struct Reader<'a> {
    start: &'a Url,
    domains: &'a Reaching,
}

impl Reader<'_> {
    fn predicates(&self, at: &At, shapes: &[PredicateShape], kind: Kind) -> Result<Vec<Predicate>, Slip> {
        let read = |(index, shape): (usize, &PredicateShape)| self.predicate(&at.item(index), shape, kind);
        shapes.iter().enumerate().map(read).collect()
    }

    fn auth(&self, shapes: &[PredicateShape]) -> Result<Vec<AuthRule>, Slip> {
        let words = Wanted::ALL.map(|(word, _)| word);
        let read = |(index, shape): (usize, &PredicateShape)| {
            let at = At::key("auth").item(index);
            known(&at.then("wants"), shape.wants.as_slice(), &words, "kind of proof")?;
            let wants = Wanted::ALL.into_iter().find(|(word, _)| shape.wants.as_deref() == Some(*word));
            Ok(AuthRule {
                when: self.predicate(&at, shape, Kind::Login)?,
                wants: wants.map(|(_, wants)| wants),
            })
        };
        shapes.iter().enumerate().map(read).collect()
    }

    fn predicate(&self, at: &At, shape: &PredicateShape, kind: Kind) -> Result<Predicate, Slip> {
        let PredicateShape { tool, url, element, text, wants } = shape;
        if kind != Kind::Login && wants.is_some() {
            let why = "it is about no page that wants to know who you are";
            return Err(at.then("wants").slip(why, "only [[auth]] says what a page wants"));
        }
        if kind != Kind::Act && !tool.is_empty() {
            let why = "a page is looked at, and nothing is called";
            return Err(at.then("tool").slip(why, "only [[checkpoint]] knows tools"));
        }
        known(&at.then("tool"), tool, TOOLS, "tool")?;
        said(&at.then("text"), text)?;
        let element = element.as_ref().map(|shape| {
            let at = at.then("element");
            let ElementShape { role, name } = shape;
            if role.is_empty() && name.is_empty() {
                return Err(at.slip("it is about no element", "give its role, its name, or both"));
            }
            known(&at.then("role"), role, ROLES, "role")?;
            said(&at.then("name"), name)?;
            Ok(ElementRule { role: role.clone(), name: name.clone() })
        });
        let url = self.urls(&at.then("url"), url)?;
        let predicate =
            Predicate { tool: tool.clone(), url, element: element.transpose()?, text: text.clone() };
        if predicate.is_empty() {
            let parts = if kind == Kind::Act { "tool, url, element or text" } else { "url, element or text" };
            return Err(at.slip("it is empty", format!("give at least one of {parts}")));
        }
        Ok(predicate)
    }

    /// Rules about addresses; a path alone is one of the host of the start.
    fn urls(&self, at: &At, texts: &[String]) -> Result<Vec<UrlRule>, Slip> {
        let reach: Vec<PlaceRule> = self.domains.read.iter().filter_map(|rule| rule.parse().ok()).collect();
        let read = |(index, text): (usize, &String)| {
            let at = if texts.len() == 1 { at.clone() } else { at.item(index) };
            let whole = match text.starts_with('/') {
                true => format!("{}{text}", own_place(self.start)),
                false => text.clone(),
            };
            let hint = "write www.stream.example/account, or /account for the host of the start";
            let rule: UrlRule = whole.parse().map_err(|error| at.slip(format!("{text:?}: {error}"), hint))?;
            let covers = |url: &str| {
                Place::of_url(url).is_ok_and(|place| {
                    let plain = place.over(legwork_policy::places::Scheme::Http);
                    reach.iter().any(|rule| rule.covers(&place) || rule.covers(&plain))
                })
            };
            if !covers(&rule.example()) {
                let why = format!("the browser may not load {text}: it is not among domains.read");
                return Err(at.slip(why, "add its host to domains.read, or write the host as it is there"));
            }
            Ok(rule)
        };
        texts.iter().enumerate().map(read).collect()
    }
}

fn own_place(start: &Url) -> String {
    let host = start.host_str().unwrap_or_default();
    start.port().map_or(host.to_owned(), |port| format!("{host}:{port}"))
}

/// Words that must be among these.
fn known(at: &At, written: &[String], known: &[&str], what: &str) -> Result<(), Slip> {
    let Some(wrong) = written.iter().find(|word| !known.contains(&word.as_str())) else { return Ok(()) };
    let hint = match nearest(wrong, known.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("known: {}", known.join(", ")),
    };
    Err(at.slip(format!("there is no {what} {wrong:?}"), hint))
}

/// Words that are looked for must be some.
fn said(at: &At, texts: &[String]) -> Result<(), Slip> {
    match texts.iter().any(|text| folded(text).is_empty()) {
        true => Err(at.slip("it is blank", "write the words that the page has, or leave it out")),
        false => Ok(()),
    }
}
