//! Whether an errand is done: signs on the page first, then a judge. And the plan, which says by what one will see it.

use legwork_types::model::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    decide::HeardCall,
    event::{PageNote, Plan},
    spec::{Indicator, Proof},
};

/// What the page shows of success or failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sign {
    /// A sign of success, and none of failure.
    Success(String),
    /// A sign of failure: it outranks every sign of success.
    Failure(String),
    /// There should be a sign, and there is none.
    Missing,
    /// There may be signs, and the page could not be read as it is now.
    Unreadable,
    /// Nobody said what the signs are.
    NothingToLookFor,
}

/// Looks for signs. Failure comes first.
pub(crate) fn sign(proof: &Proof, page: &PageNote) -> Sign {
    let shown = |signs: &[Indicator]| signs.iter().find(|sign| is_shown(sign, page)).map(words);
    if let Some(sign) = shown(&proof.failure) {
        return Sign::Failure(sign);
    }
    let has_signs = !proof.failure.is_empty() || !proof.success.is_empty();
    // A page that can't be read may be another one by now; and what is not known to its end may end badly.
    let is_hidden = |sign: &Indicator| match sign {
        Indicator::Url(_) => is_clipped(&page.url),
        Indicator::Title(_) => is_clipped(&page.title),
        Indicator::Text(_) => page.is_cut,
    };
    if has_signs && (page.words.is_none() || proof.failure.iter().any(is_hidden)) {
        return Sign::Unreadable;
    }
    match shown(&proof.success) {
        Some(sign) => Sign::Success(sign),
        None if proof.success.is_empty() => Sign::NothingToLookFor,
        None => Sign::Missing,
    }
}

/// Whether an address or a title may be too long to be known to its end.
fn is_clipped(text: &str) -> bool {
    text.ends_with('…')
}

/// Whether a sign is there. What somebody typed into a field, what is asked of an address and our own words about the page are no signs.
fn is_shown(sign: &Indicator, page: &PageNote) -> bool {
    let folded = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let holds = |text: &str, part: &str| !folded(part).is_empty() && folded(text).contains(&folded(part));
    match sign {
        Indicator::Url(part) => {
            let address = if part.contains(['?', '#']) { page.url.as_str() } else { page.place() };
            !part.is_empty() && address.contains(part.as_str())
        }
        Indicator::Title(part) => holds(&page.title, part),
        Indicator::Text(part) => page.words.as_ref().is_some_and(|words| holds(words, part)),
    }
}

fn words(sign: &Indicator) -> String {
    match sign {
        Indicator::Url(part) => format!("its address contains {part:?}"),
        Indicator::Title(part) => format!("its title contains {part:?}"),
        Indicator::Text(part) => format!("it says {part:?}"),
    }
}

/// What a planner calls.
pub(crate) fn plan_tool() -> ToolSpec {
    let text = |what: &str| json!({"type": "string", "description": what});
    ToolSpec {
        name: "create_plan".into(),
        description: "Gives the plan.".into(),
        schema: json!({
            "type": "object",
            "properties": {
                "plan": text("The steps, in order, in a few sentences"),
                "successCriteria": text("What a page or an answer must show at the end"),
                "url": text("Where to begin, if that is known"),
                "actionItems": {"type": "array", "items": {"type": "string"}, "description": "3 to 6 words each"},
            },
            "required": ["plan", "successCriteria"],
        }),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlanInput {
    plan: String,
    success_criteria: String,
    url: Option<String>,
    #[serde(default)]
    action_items: Vec<String>,
}

/// The plan that was called for.
pub(crate) fn read_plan(calls: &[HeardCall]) -> Result<Plan, String> {
    let call = calls.iter().find(|call| call.tool == "create_plan").ok_or("create_plan was not called")?;
    let PlanInput { plan, success_criteria, url, action_items } =
        serde_json::from_str(&call.input).map_err(|error| format!("the plan can't be read: {error}"))?;
    if plan.trim().is_empty() || success_criteria.trim().is_empty() {
        return Err("the plan and its criteria must not be empty".to_owned());
    }
    let url = url.map(|url| url.trim().to_owned()).filter(|url| !url.is_empty());
    Ok(Plan { plan: clipped(&plan), success_criteria: clipped(&success_criteria), url, action_items })
}

/// As much of a plan as is kept: it is told at every turn.
fn clipped(text: &str) -> String {
    const MOST: usize = 600;
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST).collect()
}

/// The plan where none could be had: the goal itself.
pub(crate) fn simplest_plan(goal: &str) -> Plan {
    Plan {
        plan: "Do what the user asks, step by step.".to_owned(),
        success_criteria: format!("What the user asked for is done: {}", clipped(goal)),
        ..Plan::default()
    }
}

/// What a judge says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is done.
    Done(String),
    /// It is not.
    NotDone(String),
    /// Nobody can tell: there is no verdict, or nothing that it rests on.
    Unknown,
}

/// What a judge calls.
pub(crate) fn judge_tool() -> ToolSpec {
    ToolSpec {
        name: "validate_task".into(),
        description: "Says whether the errand is done.".into(),
        schema: json!({
            "type": "object",
            "properties": {
                "taskAssessment": {"type": "string", "description": "What the evidence shows, in one or two sentences"},
                "completionQuality": {"type": "string", "enum": ["failed", "partial", "complete", "excellent"]},
                "feedback": {"type": "string", "description": "What is missing, if anything is"},
            },
            "required": ["taskAssessment", "completionQuality"],
        }),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VerdictInput {
    #[serde(default)]
    task_assessment: String,
    completion_quality: String,
    feedback: Option<String>,
}

/// The verdict. One that can't be read is none for success.
pub(crate) fn read_verdict(calls: &[HeardCall]) -> Verdict {
    let call = calls.iter().find(|call| call.tool == "validate_task");
    let Some(input) = call.and_then(|call| serde_json::from_str::<VerdictInput>(&call.input).ok()) else {
        return Verdict::Unknown;
    };
    let VerdictInput { task_assessment, completion_quality, feedback } = input;
    match completion_quality.as_str() {
        "complete" | "excellent" if task_assessment.trim().is_empty() => Verdict::Unknown,
        "complete" | "excellent" => Verdict::Done(clipped(&task_assessment)),
        "failed" | "partial" => {
            Verdict::NotDone(clipped(&feedback.filter(|words| !words.is_empty()).unwrap_or(task_assessment)))
        }
        _ => Verdict::Unknown,
    }
}

/// Whether an answer has the shape that was asked for, or what is wrong with it.
pub fn fits_schema(answer: &Value, schema: &Value) -> Result<(), String> {
    const NAME: &str = "mem:///answer.json";
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.use_loader(Box::new(Nowhere));
    let none = |error: boon::CompileError| format!("the schema of the answer is none: {error:#}");
    compiler.add_resource(NAME, schema.clone()).map_err(none)?;
    let index = compiler.compile(NAME, &mut schemas).map_err(none)?;
    schemas.validate(answer, index).map_err(|error| {
        let mut leaf = &error;
        while let Some(cause) = leaf.causes.first() {
            leaf = cause;
        }
        format!("`answer` does not have the shape that was asked for: {leaf}")
    })
}

/// A schema stands for itself: nothing is fetched for it.
struct Nowhere;

impl boon::UrlLoader for Nowhere {
    fn load(&self, url: &str) -> Result<Value, Box<dyn std::error::Error>> {
        Err(format!("{url} is not part of the schema").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(url: &str, title: &str, view: &str) -> PageNote {
        PageNote {
            observation: "o1".into(),
            url: url.into(),
            title: title.into(),
            view: "what the model is shown: Something went wrong".into(),
            words: Some(view.into()),
            digest: 1,
            ..PageNote::default()
        }
    }

    #[test]
    fn signs_of_failure_come_first() {
        let proof = Proof {
            failure: vec![Indicator::Text("Something went wrong".into()), Indicator::Url("/error".into())],
            success: vec![
                Indicator::Text("membership is cancelled".into()),
                Indicator::Title("Thank".into()),
            ],
        };
        let says = |words: &str| sign(&proof, &page("https://a.example/x", "Account", words));
        assert_eq!(
            says("Your Membership is CANCELLED."),
            Sign::Success("it says \"membership is cancelled\"".into())
        );
        let both = says("Your membership is cancelled. something went wrong");
        assert_eq!(both, Sign::Failure("it says \"Something went wrong\"".into()));
        assert_eq!(says("Your account"), Sign::Missing);
        assert_eq!(
            says("Your  membership\nis cancelled"),
            Sign::Success("it says \"membership is cancelled\"".into())
        );
        let asked = sign(&proof, &page("https://a.example/x?next=/error", "Account", ""));
        assert_eq!(asked, Sign::Missing, "what is asked of an address is no sign");
        let nothing = Proof { success: vec![], ..proof.clone() };
        assert_eq!(sign(&nothing, &page("https://a.example", "", "")), Sign::NothingToLookFor);
        assert!(matches!(sign(&nothing, &page("https://a.example/error", "", "")), Sign::Failure(_)));
        // What can't be read shows nothing, neither good nor bad.
        let url = Proof { success: vec![Indicator::Url("/x".into())], ..proof.clone() };
        let unread = |url: &str| PageNote { words: None, ..page(url, "", "") };
        assert_eq!(sign(&url, &unread("https://a.example/x")), Sign::Unreadable);
        assert_eq!(sign(&nothing, &unread("https://a.example/x")), Sign::Unreadable);
        assert!(matches!(sign(&nothing, &unread("https://a.example/error")), Sign::Failure(_)));
        assert_eq!(sign(&url, &page("https://a.example/x/and/so/on…", "", "fine")), Sign::Unreadable);
        let cut = PageNote { is_cut: true, ..page("https://a.example/x", "", "fine") };
        assert_eq!(sign(&nothing, &cut), Sign::Unreadable, "what was cut off may have been a failure");
        let by_text = Proof { failure: vec![Indicator::Text("no".into())], ..url.clone() };
        let long = page("https://a.example/x/and/so/on…", "Films, series…", "fine");
        assert!(
            matches!(sign(&by_text, &long), Sign::Success(_)),
            "nothing of the failure could be hidden there"
        );
        assert_eq!(sign(&Proof::default(), &unread("https://a.example/x")), Sign::NothingToLookFor);
        let empty = Proof { success: vec![Indicator::Text(String::new())], failure: vec![] };
        assert_eq!(sign(&empty, &page("https://a.example", "", "words")), Sign::Missing);
    }

    fn called(tool: &str, input: &str) -> Vec<HeardCall> {
        vec![HeardCall { id: "1".into(), tool: tool.into(), input: input.into() }]
    }

    #[test]
    fn a_verdict_that_can_not_be_read_is_no_success() {
        let done = called("validate_task", r#"{"taskAssessment":"ok","completionQuality":"complete"}"#);
        assert_eq!(read_verdict(&done), Verdict::Done("ok".into()));
        for input in [
            r#"{"taskAssessment":"ok","completionQuality":"partial","feedback":"pay"}"#,
            r#"{"completionQuality":"failed"}"#,
        ] {
            assert!(matches!(read_verdict(&called("validate_task", input)), Verdict::NotDone(_)), "{input}");
        }
        for (tool, input) in [
            ("validate_task", r#"{"completionQuality":"superb"}"#),
            ("validate_task", r#"{"completionQuality":"complete"}"#),
            ("validate_task", r#"{"taskAssessment":" ","completionQuality":"excellent"}"#),
            ("validate_task", "{"),
            ("create_plan", "{}"),
        ] {
            assert_eq!(read_verdict(&called(tool, input)), Verdict::Unknown, "{input}");
        }
        assert_eq!(read_verdict(&[]), Verdict::Unknown);
    }

    #[test]
    fn a_plan_needs_its_criteria() {
        let whole = r#"{"plan":"Go  there.","successCriteria":"An order number","url":" ","actionItems":["Go there"]}"#;
        let plan = read_plan(&called("create_plan", whole)).unwrap();
        assert_eq!((plan.plan.as_str(), plan.url, plan.action_items.len()), ("Go there.", None, 1));
        for input in [r#"{"plan":"x"}"#, r#"{"plan":" ","successCriteria":"x"}"#, "7"] {
            assert!(read_plan(&called("create_plan", input)).is_err(), "{input}");
        }
    }

    #[test]
    fn an_answer_has_the_shape_that_was_asked_for() {
        let schema =
            json!({"type": "object", "required": ["price"], "properties": {"price": {"type": "number"}}});
        assert_eq!(fits_schema(&json!({"price": 3.5}), &schema), Ok(()));
        assert!(fits_schema(&json!({"price": "3.5"}), &schema).unwrap_err().contains("price"));
        assert!(fits_schema(&json!({}), &schema).is_err());
    }
}
