//! Whoever is asked in the demo: somebody at the terminal, a script with `--yes`, or nobody.

use std::path::{Path, PathBuf};

use legwork_api::Shown;
use legwork_runtime::{
    Answer, Approvals, CancellationToken, Standing,
    errands::{self, People, Question, Someone},
};

use crate::{
    card,
    errand::Terminal,
    output::{Form, Output},
    picture::Destination,
    plain::plain,
};

/// Whoever is asked.
pub(super) struct Person {
    /// Where the page beside a question is saved.
    picture: PathBuf,
    says_yes: bool,
    terminal: Terminal,
    output: Output,
}

impl Person {
    pub(super) fn new(folder: &Path, says_yes: bool, output: Output, stop: &CancellationToken) -> Self {
        let picture = folder.join("checkout.jpg");
        Self { picture, says_yes, terminal: Terminal::of(output, stop), output }
    }

    /// Whether anybody is there.
    pub(super) fn someone(&self) -> Someone {
        self.terminal.someone()
    }

    /// Shows a question that nobody at a terminal is asked.
    fn show(&self, shown: &Shown, answer: &str) {
        if self.output.form == Form::Text {
            for line in card::lines(shown) {
                let _ = self.output.line(&format!("     {line}"));
            }
            let _ = self.output.line(&format!("     {answer}"));
        }
    }
}

impl People for Person {
    async fn ask(&mut self, question: &Question) -> errands::Answer {
        self.terminal.ask(question).await
    }

    async fn attend(&mut self, desk: &Approvals) {
        for approval in desk.waiting() {
            if let Some(jpeg) = approval.picture()
                && let Ok(()) = Destination::choose(&self.picture).and_then(|file| file.write(&jpeg))
                && self.output.form == Form::Text
            {
                let file = plain(&self.picture.display().to_string());
                let _ = self.output.line(&format!("     saved {file}: the page before the press"));
            }
            let (answer, words) = match (self.says_yes, self.someone()) {
                (true, _) => (Answer::Yes, "--yes was given: the answer is yes."),
                (false, Someone::Present) => continue,
                (false, Someone::Absent) => (
                    Answer::No,
                    "There is no terminal here to answer in: run this in one, and type yes or no. No answer is a no.",
                ),
            };
            self.show(&Shown::of(&approval, Standing::Waiting), words);
            // It may have been withdrawn meanwhile.
            let _ = desk.answer(&approval.id, answer);
        }
        self.terminal.attend(desk).await;
    }
}
