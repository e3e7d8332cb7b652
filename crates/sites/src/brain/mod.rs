//! Brains for the scripted vendor: whole errands as data, followed by looking at what the model is told. Nothing in them thinks.
//!
//! A brain remembers nothing. How far it is follows from the steps that the prompt lists, because every act says in its `why` which step
//! it is; so one brain can run several errands at once, and go on with one that was broken off.

mod prompt;
mod ready;
mod step;
mod turn;

use serde_json::{Value, json};

use crate::vendor::{Asked, Reply};
use prompt::Prompt;

pub use ready::{cancellation, cancellation_without_secrets, coffee, instalment};

/// An errand as a script.
///
/// A step is what a person would say: `click button "Place order"`, `fill textbox "Name" with "Robin"`,
/// `secret textbox "Password" with "password"`, `choose combobox "Bag" with "1 kg"`, `check radio "Home"`, `uncheck …`, `hover …`,
/// `goto "https://…"`, `submit for approval "what will be done" "what it costs"`. One that begins with `?` is left out where the page does
/// not show it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Brain {
    /// What a user would say.
    pub goal: String,
    /// The path of the page on which it begins.
    pub begins: String,
    /// What the planner says.
    pub plan: String,
    /// By what one will see that it is done, as the planner says.
    pub success_criteria: String,
    /// The plan in a few words each.
    pub action_items: Vec<String>,
    /// What is done, in order.
    pub steps: Vec<String>,
    /// What the page must say at the end, all of it.
    pub shows: Vec<String>,
    /// What is done instead where the model is told that the last step may have been done: to find out whether it was.
    pub checks: Vec<String>,
    /// What the page must say then.
    pub checked: Vec<String>,
    /// The last words to the user.
    pub says: String,
    /// What the user wanted to know.
    pub answer: Option<Value>,
}

impl Brain {
    /// What a model with this brain answers: as the planner, as the judge, or at a turn.
    pub fn reply(&self, asked: &Asked) -> Reply {
        if asked.has_tool("create_plan") {
            self.plan()
        } else if asked.has_tool("validate_task") {
            self.judge(&asked.told())
        } else if !self.checks.is_empty() && Prompt::read(&asked.told()).was_sent_before() {
            turn::next(&self.checking(), asked)
        } else {
            turn::next(self, asked)
        }
    }

    /// This brain as the script of a [`Vendor`](crate::vendor::Vendor).
    pub fn script(self) -> impl FnMut(&Asked) -> Reply + Send + 'static {
        move |asked| self.reply(asked)
    }

    /// The same where it is only to be found out whether it was done.
    fn checking(&self) -> Self {
        Self { steps: self.checks.clone(), shows: self.checked.clone(), checks: vec![], ..self.clone() }
    }

    fn plan(&self) -> Reply {
        let plan = json!({
            "plan": self.plan, "successCriteria": self.success_criteria, "actionItems": self.action_items,
        });
        Reply::call("create_plan", plan)
    }

    /// A judge that looks: what counts is the last page, and nothing that anybody says.
    fn judge(&self, told: &str) -> Reply {
        let prompt = Prompt::read(told);
        let is_checked = !self.checks.is_empty() && self.checking().missing(&prompt).is_none();
        let verdict = match self.missing(&prompt).filter(|_| !is_checked) {
            None => json!({"taskAssessment": self.evidence(), "completionQuality": "complete"}),
            Some(words) => json!({
                "taskAssessment": "The last page does not show that it is done.",
                "completionQuality": "partial",
                "feedback": format!("the last page does not say {words:?}"),
            }),
        };
        Reply::call("validate_task", verdict)
    }

    /// The first of the words of success that the page does not say.
    fn missing(&self, prompt: &Prompt<'_>) -> Option<&str> {
        self.shows.iter().map(String::as_str).find(|words| !prompt.says(words))
    }

    fn evidence(&self) -> String {
        let words: Vec<String> = self.shows.iter().map(|words| format!("{words:?}")).collect();
        format!("The page says {}", words.join(", "))
    }
}

#[cfg(test)]
mod tests;
