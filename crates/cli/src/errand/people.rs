//! Whoever sits at the terminal, if anybody does.

use std::io::{self, IsTerminal};

use legwork_runtime::{
    Approvals, CancellationToken,
    errands::{Answer, People, Question, Reason, Someone},
};

use crate::{
    output::{Form, Output},
    plain::plain,
    prompt::{Keyboard, attend, lines_of},
};

/// The window that somebody sees to a page in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Window {
    /// That of our own browser, where it has one.
    #[default]
    Ours,
    /// That of the toolbox's.
    Toolbox,
}

/// Whoever sits at the terminal.
pub(crate) struct Terminal {
    /// What is typed; none where nobody can type.
    keyboard: Option<Keyboard>,
    window: Window,
    stop: CancellationToken,
}

impl Terminal {
    /// Somebody, where there is a terminal to ask in.
    pub(crate) fn of(output: Output, stop: &CancellationToken) -> Self {
        let is_there = io::stdin().is_terminal() && io::stderr().is_terminal() && output.form == Form::Text;
        let keyboard = is_there.then(|| Keyboard::new(lines_of(io::stdin())));
        Self { keyboard, window: Window::default(), stop: stop.clone() }
    }

    /// The same before this window.
    pub(crate) fn before(self, window: Window) -> Self {
        Self { window, ..self }
    }

    /// Whether anybody is there.
    pub(crate) fn someone(&self) -> Someone {
        if self.keyboard.is_some() { Someone::Present } else { Someone::Absent }
    }
}

impl People for Terminal {
    async fn ask(&mut self, question: &Question) -> Answer {
        let Some(keyboard) = &mut self.keyboard else { return Answer::Nothing };
        let line = keyboard.answer(&words(question, self.window), &mut io::stderr(), &self.stop).await;
        answer(question, line.as_deref())
    }

    async fn attend(&mut self, desk: &Approvals) {
        let Some(keyboard) = &mut self.keyboard else { return };
        let mut own = desk;
        let _ = attend(&mut own, keyboard, &mut io::stderr(), None, &self.stop).await;
    }
}

/// A question, with what counts as an answer.
fn words(question: &Question, window: Window) -> String {
    match question {
        Question::Approve { action, reason } => format!(
            "the model asks: may it {}? ({})\nType yes; anything else is a no: ",
            plain(action),
            plain(reason)
        ),
        Question::Tell { question } => {
            format!(
                "the model asks: {}\nYour answer (do not type secrets; empty for none): ",
                plain(question)
            )
        }
        Question::Checkpoint { action, why, url } => format!(
            "at {}\nthe next step: {}\nyou are asked before it because {}\nType yes; anything else is a no: ",
            plain(url),
            plain(action),
            plain(why)
        ),
        Question::TakeOver { wants, url } => {
            let window = match window {
                Window::Ours => "the browser (there is one with --headed)",
                Window::Toolbox => "the toolbox's browser",
            };
            format!(
                "the page at {} wants {}. See to it in the window of {window}, then type yes to go on; anything else ends the errand: ",
                plain(url),
                wants.words()
            )
        }
        Question::Extend { out_of } => {
            let what = match out_of {
                Reason::MaxTurnsExceeded => "turns",
                Reason::MaxTokensExceeded => "tokens",
                Reason::BudgetExceeded => "money",
                Reason::TimeExceeded => "time",
                _ => "it",
            };
            format!(
                "the errand has taken all that it may of {what}. As much again? Type yes; anything else ends it: "
            )
        }
    }
}

/// What a line means as an answer. Only a whole yes is one.
fn answer(question: &Question, line: Option<&str>) -> Answer {
    let Some(line) = line.map(str::trim) else { return Answer::Nothing };
    match question {
        Question::Tell { .. } if line.is_empty() => Answer::Nothing,
        Question::Tell { .. } => Answer::Words(line.to_owned()),
        _ if line.eq_ignore_ascii_case("yes") => Answer::Yes,
        _ => Answer::No,
    }
}

#[cfg(test)]
mod tests {
    use legwork_runtime::services::Wanted;

    use super::*;

    #[test]
    fn only_a_whole_yes_is_one_and_words_are_words() {
        let approve =
            Question::Approve { action: "take the \u{1b}[2Jdearer".into(), reason: "sold out".into() };
        let take_over = Question::TakeOver { wants: Wanted::Login, url: "https://a.example/login".into() };
        let tell = Question::Tell { question: "Which grind?".into() };
        for (line, said) in [
            (Some("yes\n"), Answer::Yes),
            (Some("y\n"), Answer::No),
            (Some("\n"), Answer::No),
            (None, Answer::Nothing),
        ] {
            assert_eq!(answer(&approve, line), said, "{line:?}");
            assert_eq!(answer(&take_over, line), said, "{line:?}");
            assert_eq!(answer(&Question::Extend { out_of: Reason::BudgetExceeded }, line), said, "{line:?}");
        }
        assert_eq!(answer(&tell, Some(" whole bean \n")), Answer::Words("whole bean".into()));
        assert_eq!(answer(&tell, Some("\n")), Answer::Nothing);
        let told = |window| words(&take_over, window);
        assert!(told(Window::Ours).contains("with --headed"));
        assert!(told(Window::Toolbox).contains("the window of the toolbox's browser, then"));
        assert!(words(&approve, Window::Ours).contains("\\u{1b}[2J"), "what a model says moves no cursor");
    }
}
