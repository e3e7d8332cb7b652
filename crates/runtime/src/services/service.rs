//! A service, and the errand that it becomes with what the user gives.

use std::collections::BTreeMap;

use legwork_agent::{
    Limits, Preset, Spec,
    service::{Asked, AuthRule, Predicate, Prepare, Reaching, ServiceRules, UrlRule},
};
use legwork_types::{Code, PageUrl, Problem};
use serde::Serialize;
use url::Url;

use super::goal::Goal;
use crate::{Confines, PlaceRule};

/// What is done often at one place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Service {
    /// What it is called.
    pub name: String,
    /// What it does, in one line.
    pub description: String,
    /// What is done there: the verb of the command.
    pub verb: String,
    /// Where it begins.
    pub start: String,
    /// What is to be done.
    pub goal: Goal,
    /// What the model is told of the service.
    pub prompt: String,
    /// What the user may give, by name.
    pub data: BTreeMap<String, Datum>,
    /// Where the browser may go.
    pub domains: Reaching,
    /// What it may take.
    pub limits: Limits,
    /// What is done before the model is asked.
    pub prepare: Vec<Prepare>,
    /// When somebody is asked before an act.
    pub checkpoint: Vec<Predicate>,
    /// What proves success.
    pub success: Vec<Predicate>,
    /// What proves failure.
    pub failure: Vec<Predicate>,
    /// By what one sees that the page wants to know who one is.
    pub auth: Vec<AuthRule>,
}

/// Something that the user gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Datum {
    /// What it is.
    pub about: String,
    /// What it is where nobody says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// What the user gives along.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// By name.
    pub data: BTreeMap<String, String>,
    /// Where the service is instead: all that is about the host of its start is about this one then.
    pub start: Option<PageUrl>,
}

/// The limits of a service of which nothing is said.
pub(super) const LIMITS: Limits = Preset::Service.limits();

/// The errand, and what the service adds to it. What proves success and failure is among the latter: signs can't say all of it.
pub fn spec_of(service: &Service, given: &Given) -> Result<(Spec, ServiceRules), Problem> {
    let mut data: BTreeMap<String, String> = BTreeMap::new();
    for (name, datum) in &service.data {
        data.extend(datum.default.clone().map(|value| (name.clone(), value)));
    }
    data.extend(given.data.clone());
    let goal = service.goal.filled(&data).map_err(|name| missing(service, name))?;
    let moved = given.start.as_ref().map(|to| Move::between(&service.start, to.as_str())).transpose()?;
    let spec = Spec {
        start_url: Some(given.start.as_ref().map_or(service.start.clone(), ToString::to_string)),
        limits: service.limits,
        data,
        ..Spec::new(&goal)
    };
    let rules = ServiceRules {
        service: service.name.clone(),
        checkpoint: service.checkpoint.clone(),
        auth: service.auth.clone(),
        success: service.success.clone(),
        failure: service.failure.clone(),
        prepare: service.prepare.clone(),
        prompt: service.prompt.clone(),
        domains: service.domains.clone(),
        asked: Asked::AtTheWire,
    };
    Ok((spec, moved.map_or(rules.clone(), |moved| moved.rules(rules))))
}

/// Where an errand of the service may go, of all that may be reached anyway: it loads what it names, and changes something only at the
/// sites that it is about.
pub fn confines(domains: &Reaching) -> Result<Confines, Problem> {
    let read = |place: &String| {
        place.parse::<PlaceRule>().map_err(|error| {
            let hint = "write hosts such as www.stream.example or *.stream.example under domains";
            Problem::new(Code::ServiceInvalid, "a place of the service can't be used", hint)
                .because(error.to_string())
        })
    };
    let write = domains.write.clone();
    Ok(Confines { read: domains.read.iter().map(read).collect::<Result<_, _>>()?, write })
}

fn missing(service: &Service, name: &str) -> Problem {
    let about = service.data.get(name).map(|datum| datum.about.as_str()).unwrap_or_default();
    let message = format!("{} needs {name}, and nobody said what it is", service.name);
    Problem::new(Code::Usage, message, format!("say it by --data {name}=…")).because(about)
}

/// A service that stands elsewhere.
struct Move {
    from: Url,
    to: Url,
}

impl Move {
    fn between(from: &str, to: &str) -> Result<Self, Problem> {
        let read = |url: &str| {
            let web = Url::parse(url).ok().filter(|url| url.has_host());
            web.ok_or_else(|| {
                let hint = "write a whole address, such as https://www.stream.example/account";
                Problem::new(Code::InvalidUrl, "a service does not begin there", hint)
            })
        };
        Ok(Self { from: read(from)?, to: read(to)? })
    }

    fn rules(&self, rules: ServiceRules) -> ServiceRules {
        let at = |url: &[UrlRule]| url.iter().map(|url| url.moved(&self.from, &self.to)).collect();
        let moved = |predicate: Predicate| Predicate { url: at(&predicate.url), ..predicate };
        let all = |predicates: Vec<Predicate>| predicates.into_iter().map(&moved).collect();
        let auth = rules.auth.into_iter().map(|rule| AuthRule { when: moved(rule.when), ..rule }).collect();
        let prepare = rules.prepare.into_iter().map(|one| Prepare { url: at(&one.url), ..one }).collect();
        let Reaching { mut read, mut write } = rules.domains;
        let place = self.to.host_str().unwrap_or_default().to_owned();
        read.push(self.to.port().map_or(place.clone(), |port| format!("{place}:{port}")));
        write.push(place);
        ServiceRules {
            checkpoint: all(rules.checkpoint),
            auth,
            success: all(rules.success),
            failure: all(rules.failure),
            prepare,
            domains: Reaching { read, write },
            ..rules
        }
    }
}
