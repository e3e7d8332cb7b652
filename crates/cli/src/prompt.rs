//! Asks on a terminal. Only an explicit yes is one.

use std::{
    future::Future,
    io::{BufRead, BufReader, Read, Write},
    thread,
    time::Duration,
};

use legwork_api::{Answered, Desks, Shown};
use legwork_runtime::{Answer, ApprovalId, Approvals, CancellationToken, Standing};
use tokio::{sync::mpsc, time::sleep};

use crate::card;

/// How many lines may wait to be read.
const WAITING_LINES: usize = 16;
/// The longest line that is looked at, in bytes.
const LONGEST: u64 = 1_024;

/// How often other instances are asked whether there is something new.
const OFTEN: Duration = Duration::from_millis(250);

/// How long after the end of the input a signal may come that explains it.
const HANGUP: Duration = Duration::from_millis(100);

/// What is said of the third answer, where a question offers it.
const ERRAND_OFFER: &str =
    "nobody knows what this does: `errand` approves it and what else goes there until the session ends";

/// What counts as a yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Yes {
    /// `y` or `yes`, of somebody who named the question.
    Short,
    /// `yes` alone, of somebody whom the question came upon.
    Whole,
}

/// What came of a question on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    /// An explicit yes.
    Yes,
    /// A yes for the rest of the errand.
    Errand,
    /// Anything else that was typed.
    Other,
    /// The input has ended.
    Nothing,
    /// It was called off.
    CalledOff,
}

/// Reads on a thread of its own: a read of a terminal can't be called off, and nobody should wait for it at the end.
pub(crate) fn lines_of(input: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel(WAITING_LINES);
    let work = move || {
        let mut input = BufReader::new(input);
        loop {
            let mut line = Vec::new();
            match input.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            if sender.blocking_send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    };
    if let Err(error) = thread::Builder::new().name("terminal".into()).spawn(work) {
        tracing::error!(%error, "the terminal can't be read");
    }
    lines
}

/// Shows a question, and what counts as a yes to it.
pub(crate) fn show(out: &mut impl Write, shown: &Shown, yes: Yes) {
    // Who can't be shown it does not say yes to it either.
    let _ = writeln!(out, "{}", card::lines(shown).join("\n"));
    if shown.offers_errand {
        let _ = writeln!(out, "{ERRAND_OFFER}");
    }
    let _ = match yes {
        Yes::Short => write!(out, "Approve? [y/N] "),
        Yes::Whole => write!(out, "Approve? Type yes; anything else is a no: "),
    };
    let _ = out.flush();
}

/// What is typed next; none at the end of the input. A terminal that is closed ends the input and sends a signal, and the signal counts.
async fn next_line(lines: &mut mpsc::Receiver<String>) -> Option<String> {
    let line = lines.recv().await;
    if line.is_none() {
        sleep(HANGUP).await;
    }
    line
}

/// What is said to a question that is shown.
pub(crate) async fn said(lines: &mut mpsc::Receiver<String>, yes: Yes, cancel: &CancellationToken) -> Said {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Said::CalledOff,
        line = next_line(lines) => match line {
            None => Said::Nothing,
            Some(line) if is_yes(&line, yes) => Said::Yes,
            Some(line) if line.trim().eq_ignore_ascii_case("errand") => Said::Errand,
            Some(_) => Said::Other,
        },
    }
}

fn is_yes(line: &str, yes: Yes) -> bool {
    let word = line.trim();
    word.eq_ignore_ascii_case("yes") || (yes == Yes::Short && word.eq_ignore_ascii_case("y"))
}

/// Where questions come from that are asked one after the other.
pub(crate) trait Questions {
    /// The oldest one that waits, as soon as there is one.
    fn next(&mut self) -> impl Future<Output = Shown>;
    /// How it was decided, once it is.
    fn decided(&self, id: &str) -> impl Future<Output = String>;
    /// Answers it; whether that counts.
    fn answer(&self, id: &str, answer: Answer) -> impl Future<Output = bool>;
}

/// Those of this process.
impl Questions for &Approvals {
    async fn next(&mut self) -> Shown {
        let mut changes = self.changes();
        loop {
            changes.mark_unchanged();
            if let Some(approval) = self.waiting().into_iter().next() {
                return Shown::of(&approval, Standing::Waiting);
            }
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    async fn decided(&self, id: &str) -> String {
        Approvals::decided(self, &ApprovalId(id.to_owned())).await.word().to_owned()
    }

    async fn answer(&self, id: &str, answer: Answer) -> bool {
        Approvals::answer(self, &ApprovalId(id.to_owned()), answer).is_ok()
    }
}

/// Those of all running instances of this user.
pub(crate) struct Everywhere;

impl Questions for Everywhere {
    async fn next(&mut self) -> Shown {
        loop {
            if let Some(shown) = Desks::find().waiting().await.into_iter().next() {
                return shown;
            }
            sleep(OFTEN).await;
        }
    }

    async fn decided(&self, id: &str) -> String {
        loop {
            sleep(OFTEN).await;
            match Desks::find().show(id).await {
                Ok(shown) if shown.standing == "waiting" => {}
                Ok(shown) => return shown.standing,
                // Whoever asked is gone.
                Err(_) => return Standing::Withdrawn.word().to_owned(),
            }
        }
    }

    async fn answer(&self, id: &str, answer: Answer) -> bool {
        matches!(Desks::find().answer(id, answer).await, Ok(Answered::Taken))
    }
}

/// Why nobody is asked any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// It was called off.
    CalledOff,
    /// The input has ended.
    NoInput,
}

/// What is typed, and whether somebody may be in the middle of an answer to a question that is gone.
pub(crate) struct Keyboard {
    pub(crate) lines: mpsc::Receiver<String>,
    is_in_between: bool,
}

impl Keyboard {
    pub(crate) fn new(lines: mpsc::Receiver<String>) -> Self {
        Self { lines, is_in_between: false }
    }

    /// The answer to a question that is shown here: a line that was begun after it. None if the input has ended, or it was called off.
    pub(crate) async fn answer(
        &mut self,
        question: &str,
        out: &mut impl Write,
        cancel: &CancellationToken,
    ) -> Option<String> {
        // What was typed before the question is no answer to it.
        while self.lines.try_recv().is_ok() {
            self.is_in_between = false;
        }
        if self.is_in_between {
            let _ = writeln!(out, "there is another question: press Enter to see it");
            self.line(cancel).await?;
        }
        let _ = write!(out, "{question}");
        let _ = out.flush();
        self.is_in_between = true;
        self.line(cancel).await
    }

    async fn line(&mut self, cancel: &CancellationToken) -> Option<String> {
        let line = tokio::select! {
            biased;
            () = cancel.cancelled() => None,
            line = next_line(&mut self.lines) => line,
        };
        self.is_in_between = line.is_none();
        line
    }
}

/// Asks one question after the other, until it is called off or nobody is there. Whatever is no yes is a no: other words, the end of
/// the input, an interrupt, and nothing at all for so long.
pub(crate) async fn attend(
    questions: &mut impl Questions,
    keyboard: &mut Keyboard,
    out: &mut impl Write,
    patience: Option<Duration>,
    cancel: &CancellationToken,
) -> Left {
    let Keyboard { lines, is_in_between } = keyboard;
    loop {
        // What is typed before a question is there is no answer to it.
        let shown = tokio::select! {
            biased;
            () = cancel.cancelled() => return Left::CalledOff,
            shown = questions.next() => shown,
            line = next_line(lines) => match line {
                Some(_) => {
                    *is_in_between = false;
                    continue;
                }
                None => return Left::NoInput,
            },
        };
        while lines.try_recv().is_ok() {
            *is_in_between = false;
        }
        if *is_in_between {
            let _ = writeln!(out, "there is another question: press Enter to see it");
            tokio::select! {
                biased;
                () = cancel.cancelled() => return Left::CalledOff,
                line = next_line(lines) => match line {
                    Some(_) => *is_in_between = false,
                    None => return Left::NoInput,
                },
            }
            // It may have been answered meanwhile.
            continue;
        }
        show(out, &shown, Yes::Whole);
        // Whoever stops waiting for the answer may leave somebody in the middle of it.
        *is_in_between = true;
        let over = async {
            match patience {
                Some(patience) => sleep(patience).await,
                None => std::future::pending().await,
            }
        };
        let said = tokio::select! {
            biased;
            standing = questions.decided(&shown.id) => {
                let _ = writeln!(out, "\nanswered elsewhere: {standing}");
                continue;
            }
            said = said(lines, Yes::Whole, cancel) => {
                *is_in_between = false;
                said
            }
            () = over => {
                let _ = writeln!(out, "\nno answer in time");
                Said::Other
            }
        };
        let answer = match said {
            Said::Yes => Answer::Yes,
            Said::Errand if shown.offers_errand => Answer::YesForErrand,
            Said::Errand | Said::Other | Said::Nothing | Said::CalledOff => Answer::No,
        };
        let word = match (questions.answer(&shown.id, answer).await, answer) {
            (true, Answer::Yes) => "approved",
            (true, Answer::YesForErrand) => "approved, also from now on",
            (true, Answer::No) => "denied: it is not sent",
            (false, _) => "answered elsewhere",
        };
        let new_line = if matches!(said, Said::Nothing | Said::CalledOff) { "\n" } else { "" };
        let _ = writeln!(out, "{new_line}{word}");
        match said {
            Said::CalledOff => return Left::CalledOff,
            Said::Nothing => return Left::NoInput,
            Said::Yes | Said::Errand | Said::Other => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use legwork_runtime::{Card, Question, USUAL_LIFE};
    use legwork_types::contract::SessionId;

    use super::*;

    #[tokio::test]
    async fn only_an_explicit_yes_is_one() {
        let never = CancellationToken::new();
        for (typed, expected) in [
            ("y\n", Said::Yes),
            ("Yes\r\n", Said::Yes),
            (" y \n", Said::Yes),
            ("y", Said::Yes),
            ("errand\n", Said::Errand),
            ("e\n", Said::Other),
            ("\n", Said::Other),
            ("n\n", Said::Other),
            ("yep\n", Said::Other),
            ("yy\n", Said::Other),
            ("1\n", Said::Other),
            ("\u{feff}y\n", Said::Other),
            ("", Said::Nothing),
        ] {
            let mut lines = lines_of(Cursor::new(typed.to_owned()));
            assert_eq!(said(&mut lines, Yes::Short, &never).await, expected, "{typed:?}");
            let whole = typed.trim().eq_ignore_ascii_case("yes");
            let mut lines = lines_of(Cursor::new(typed.to_owned()));
            assert_eq!(said(&mut lines, Yes::Whole, &never).await == Said::Yes, whole, "{typed:?}");
        }
        let mut lines = lines_of(Cursor::new("y\n"));
        never.cancel();
        assert_eq!(said(&mut lines, Yes::Short, &never).await, Said::CalledOff, "an interrupt is stronger");
    }

    fn question() -> Question {
        let card = Card { method: "POST".into(), origin: "https://shop.example".into(), ..Card::default() };
        Question {
            session: SessionId("s".into()),
            act: None,
            page: String::new(),
            card,
            said: None,
            offers_errand: false,
        }
    }

    /// Asks at a desk, and says what happens there after each step until the question is decided.
    async fn standing_after(
        typed: Option<&str>,
        patience: Option<Duration>,
        cancel: CancellationToken,
    ) -> (Standing, String) {
        standing_of(question(), typed, patience, cancel).await
    }

    async fn standing_of(
        question: Question,
        typed: Option<&str>,
        patience: Option<Duration>,
        cancel: CancellationToken,
    ) -> (Standing, String) {
        let desk = Approvals::new(USUAL_LIFE);
        let (sender, lines) = mpsc::channel(4);
        let mut keyboard = Keyboard::new(lines);
        // Typed before anything was asked: no answer.
        sender.try_send("y\n".to_owned()).unwrap();
        let approval = desk.ask(question, || ());
        let calls_off = cancel.child_token();
        let (typed, sender) = (typed.map(str::to_owned), Some(sender));
        let mut out = Told { text: vec![], typed, sender, calls_off: calls_off.clone() };
        let mut asked = &desk;
        tokio::select! {
            _ = attend(&mut asked, &mut keyboard, &mut out, patience, &calls_off) => {}
            _ = desk.decided(&approval.id) => {}
        }
        (desk.standing(&approval.id), String::from_utf8(out.text).unwrap())
    }

    /// A terminal at which somebody types as soon as the question is there, or leaves.
    struct Told {
        text: Vec<u8>,
        typed: Option<String>,
        sender: Option<mpsc::Sender<String>>,
        calls_off: CancellationToken,
    }

    impl Write for Told {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.text.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            match (self.typed.take(), &self.sender) {
                (Some(typed), _) if typed == "leaves" => self.sender = None,
                (Some(typed), _) if typed == "interrupts" => self.calls_off.cancel(),
                (Some(typed), Some(sender)) => sender.try_send(typed).unwrap(),
                _ => {}
            }
            Ok(())
        }
    }

    #[tokio::test]
    async fn whatever_is_no_yes_denies() {
        let never = CancellationToken::new();
        let (standing, text) = standing_after(Some("yes\n"), None, never.clone()).await;
        assert_eq!(standing, Standing::Approved);
        assert!(
            text.contains("would send POST https://shop.example\n") && text.contains("Approve? Type yes"),
            "{text}"
        );
        for no in ["n\n", "y\n", "\n", "sure\n", "errand\n", "leaves"] {
            assert_eq!(standing_after(Some(no), None, never.clone()).await.0, Standing::Denied, "{no}");
        }
        assert_eq!(standing_after(Some("interrupts"), None, never.clone()).await.0, Standing::Denied);
        assert_eq!(standing_after(None, Some(Duration::from_millis(1)), never).await.0, Standing::Denied);
    }

    #[tokio::test]
    async fn a_half_typed_answer_does_not_land_on_another_question() {
        let (desk, never) = (Approvals::new(USUAL_LIFE), CancellationToken::new());
        let (sender, lines) = mpsc::channel(4);
        let mut keyboard = Keyboard::new(lines);
        // The first one is shown, and answered elsewhere while somebody types; whoever asked waits no more.
        let first = desk.ask(question(), || ());
        let mut out = Vec::new();
        {
            let mut asked = &desk;
            let mut attended = Box::pin(attend(&mut asked, &mut keyboard, &mut out, None, &never));
            let shown = tokio::time::timeout(Duration::from_millis(50), &mut attended).await;
            assert!(shown.is_err(), "it waits for an answer");
        }
        desk.answer(&first.id, Answer::No).unwrap();
        let second = desk.ask(question(), || ());
        sender.try_send("yes\n".to_owned()).unwrap();
        let mut asked = &desk;
        let again = attend(&mut asked, &mut keyboard, &mut out, None, &never);
        let _ = tokio::time::timeout(Duration::from_millis(50), again).await;
        assert_eq!(
            desk.standing(&second.id),
            Standing::Waiting,
            "what was begun before it is no answer to it"
        );
        // So with a question of the errand itself: only what is typed after it counts.
        let asks = async { keyboard.answer("Which grind? ", &mut out, &never).await };
        let typing = async {
            sender.send("s\n".to_owned()).await.unwrap();
            sender.send("whole bean\n".to_owned()).await.unwrap();
        };
        let (said, ()) = tokio::join!(asks, typing);
        assert_eq!(said.as_deref(), Some("whole bean\n"), "{}", String::from_utf8_lossy(&out));
    }

    #[tokio::test]
    async fn a_yes_for_the_errand_is_a_whole_word_where_it_is_offered() {
        let never = CancellationToken::new();
        let offered = || Question { offers_errand: true, ..question() };
        let (standing, text) = standing_of(offered(), Some("errand\n"), None, never.clone()).await;
        assert_eq!(standing, Standing::Approved);
        assert!(text.contains(ERRAND_OFFER), "{text}");
        let (standing, _) = standing_of(offered(), Some("e\n"), None, never).await;
        assert_eq!(standing, Standing::Denied);
    }

    #[test]
    fn the_question_is_shown_whole_and_ends_with_the_prompt() {
        let mut out = Vec::new();
        show(&mut out, &card::example(), Yes::Short);
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("would send POST https://shop.example/order\n")
                && text.ends_with("\nApprove? [y/N] ")
        );
    }
}
