//! A service in words for people.

use legwork_runtime::services::{AuthRule, Predicate, Prepare, Service};

use super::errand;
use crate::{output::Output, plain::plain};

/// What it does, where it may go and what it may take, and its conditions.
pub(super) fn lines(service: &Service, output: Output) -> Vec<String> {
    let Service { name, description, start, goal, prompt, data, domains, limits, .. } = service;
    let head = output.strong(&plain(name));
    let mut lines =
        vec![format!("{head}: {}", plain(description)), format!("command: {}", errand::command_of(service))];
    let mut say = |what: &str, words: &str| {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        lines.push(format!("{what}: {}", plain(&words)));
    };
    say("start", start);
    say("goal", goal.as_str());
    for (name, datum) in data {
        let default = datum.default.as_ref().map_or(String::new(), |value| format!(" [default: {value}]"));
        say(&format!("--data {name}="), &format!("{}{default}", datum.about));
    }
    if !prompt.is_empty() {
        say("told to the model", prompt);
    }
    say("may load", &domains.read.join(", "));
    say("is about", &domains.write.join(", "));
    let minutes = limits.millis / 60_000;
    say("limits", &format!("{} turns, {}, {minutes} minutes", limits.turns, limits.money));
    for Prepare { url, click } in &service.prepare {
        let places: Vec<String> = url.iter().map(ToString::to_string).collect();
        let at = if url.is_empty() { String::new() } else { format!(", at {}", places.join(" or ")) };
        say("clicked before", &format!("{} named {}{at}", click.role, quoted(&click.name)));
    }
    for (what, predicates) in [
        ("asked about if", &service.checkpoint),
        ("done if", &service.success),
        ("failed if", &service.failure),
    ] {
        predicates.iter().map(Predicate::to_string).for_each(|words| say(what, &words));
    }
    for AuthRule { when, wants } in &service.auth {
        let wants = wants.map_or("to know who you are", |wants| wants.words());
        say(&format!("wants {wants} if"), &when.to_string());
    }
    lines
}

fn quoted(all: &[String]) -> String {
    all.iter().map(|one| format!("{one:?}")).collect::<Vec<_>>().join(" or ")
}
