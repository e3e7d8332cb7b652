//! What is next: the first step that is not done and can be, or what stands in its way.

use serde_json::json;

use super::{
    Brain,
    prompt::{Past, Prompt},
    step::{Deed, Step},
};
use crate::vendor::{Asked, Reply};

/// Seconds to wait for a control, one after the other: no two the same, so that nobody takes it for a circle.
const PATIENCE: [&str; 4] = ["1", "2", "4", "8"];
/// How often a step is tried.
const MOST_TRIES: usize = 3;
/// How often the words of success are waited for.
const MOST_WAITS: usize = 3;

/// The answer at a turn.
pub(super) fn next(brain: &Brain, asked: &Asked) -> Reply {
    let told = asked.told();
    let prompt = Prompt::read(&told);
    if !asked.has_tool("act") {
        return last_word(brain, &prompt);
    }
    match done(brain, &prompt) {
        Ok(done) => go_on(brain, &prompt, done.max(submitted(brain, asked))),
        Err(why) => give_up(&why),
    }
}

/// Where nothing more may be done, the page alone says how it went.
fn last_word(brain: &Brain, prompt: &Prompt<'_>) -> Reply {
    match brain.missing(prompt) {
        None => succeed(brain),
        Some(words) => give_up(&format!("there is no turn left, and the page does not say {words:?}")),
    }
}

/// How many steps are behind us, or why it can't go on.
fn done(brain: &Brain, prompt: &Prompt<'_>) -> Result<usize, String> {
    let failed = match prompt.last() {
        None => return Ok(0),
        Some(Past::Done(step) | Past::Waited(step)) => return Ok(step),
        Some(Past::Failed(step)) => step,
    };
    let before = failed.saturating_sub(1);
    let words = brain.steps.get(before).map(String::as_str).unwrap_or_default();
    let step = Step::read(words);
    let is_there = step.is_some_and(|step| step.call(prompt, "").is_some());
    if prompt.was_sent() || !is_there {
        return Ok(failed);
    }
    let is_optional = step.is_some_and(|step| step.is_optional);
    let tries = if is_optional { 1 } else { MOST_TRIES };
    if prompt.times(Past::Failed(failed)) < tries {
        return Ok(before);
    }
    match is_optional {
        true => Ok(failed),
        false => Err(format!("{words} does not work: {}", prompt.notice())),
    }
}

/// How many steps are behind us by what was said since the page was shown: a summary is no act, so no list has it.
fn submitted(brain: &Brain, asked: &Asked) -> usize {
    let called = asked.called();
    let was_said = |words: &String| match Step::read(words).map(|step| step.deed) {
        Some(Deed::Submit { summary, .. }) => {
            called.iter().any(|(tool, input)| *tool == "submit_for_approval" && input["summary"] == summary)
        }
        _ => false,
    };
    brain.steps.iter().rposition(was_said).map_or(0, |at| at + 1)
}

fn go_on(brain: &Brain, prompt: &Prompt<'_>, done: usize) -> Reply {
    let all = brain.steps.len();
    for (number, words) in (1..).zip(&brain.steps).skip(done) {
        let Some(step) = Step::read(words) else {
            return give_up(&format!("nobody understands this step: {words}"));
        };
        if let Some((tool, input)) = step.call(prompt, &format!("step {number} of {all}")) {
            return Reply::call(tool, input);
        }
        if !step.is_optional {
            return not_there(prompt, done, words, &step);
        }
    }
    match brain.missing(prompt) {
        None => succeed(brain),
        Some(words) if prompt.times(Past::Waited(done)) < MOST_WAITS => {
            let why = format!("after step {done} of {all}: the page does not say it yet");
            Reply::call("act", json!({"action": "wait", "value": words, "why": why}))
        }
        Some(words) => give_up(&format!("all steps are done, and the page does not say {words:?}")),
    }
}

/// Looks further, waits, and gives up in the end.
fn not_there(prompt: &Prompt<'_>, done: usize, words: &str, step: &Step<'_>) -> Reply {
    if let Deed::On { name, .. } = step.deed
        && prompt.has_more()
    {
        return Reply::call("observe", json!({"find": name}));
    }
    match PATIENCE.get(prompt.times(Past::Waited(done))) {
        Some(seconds) => {
            let why = format!("after step {done}: what the next one needs is not there yet");
            Reply::call("act", json!({"action": "wait", "value": seconds, "why": why}))
        }
        None => give_up(&format!("the page does not show what this needs: {words}")),
    }
}

fn succeed(brain: &Brain) -> Reply {
    let mut input = json!({"status": "success", "reason": brain.says, "evidence": brain.evidence()});
    if let Some(answer) = &brain.answer {
        input["answer"] = answer.clone();
    }
    Reply::call("complete_task", input)
}

fn give_up(why: &str) -> Reply {
    Reply::call("complete_task", json!({"status": "failed", "reason": why, "evidence": "none"}))
}
