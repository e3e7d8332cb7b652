//! What the model is told at a turn, taken apart: the page, the steps so far, the notices, and what came of its calls since then.

use legwork_testkit::sites::vendor::{Asked, Exchange};

use crate::attacks::orders::Word;

/// A prompt of a turn.
#[derive(Debug, Default)]
pub(super) struct Prompt {
    /// The lines of the page that is shown.
    page: Vec<String>,
    /// What was done so far, a line each.
    steps: Vec<String>,
    /// What we say besides.
    ours: Vec<String>,
    /// Whether the model has read the page since it is shown.
    pub(super) was_read: bool,
    /// What it was told since then, as far as it is told once more.
    pub(super) results: String,
    /// What there is to call.
    pub(super) tools: Vec<String>,
}

impl Prompt {
    /// Takes apart what was asked.
    pub(super) fn read(asked: &Asked) -> Self {
        let told = |turn: &Exchange| match turn {
            Exchange::Told(words) => Some(words.clone()),
            Exchange::Said(..) => None,
        };
        let mut told = asked.turns.iter().filter_map(told);
        let mut prompt = Self::of(&told.next().unwrap_or_default());
        prompt.results = told.collect::<Vec<_>>().join("\n");
        prompt.was_read = asked.called().iter().any(|(tool, _)| *tool == "read");
        prompt.tools.clone_from(&asked.tools);
        prompt
    }

    fn of(told: &str) -> Self {
        let mut prompt = Self::default();
        let mut lines = told.lines().map(str::to_owned);
        while let Some(line) = lines.next() {
            let Some(mark) = line.strip_prefix("<untrusted ") else {
                prompt.ours.push(line);
                continue;
            };
            let end = format!("</{mark}");
            let inside: Vec<String> = lines.by_ref().take_while(|line| *line != end).collect();
            if prompt.ours.last().is_some_and(|line| line == "Steps so far:") {
                prompt.steps = inside;
            } else if inside.first().is_some_and(|line| line.starts_with("page \"")) {
                prompt.page = inside;
            }
        }
        prompt
    }

    /// The number of what is called so: by its name, or as the n-th of its role.
    pub(super) fn number(&self, words: &[Word]) -> Option<u32> {
        let mut controls = self.page.iter().filter_map(|line| control(line));
        let found = match words {
            [Word::Quoted(wanted)] => controls.find(|(_, _, name)| name == wanted),
            [Word::Bare(wanted), Word::Bare(place)] => {
                controls.filter(|(_, role, _)| role == wanted).nth(place.parse::<usize>().ok()? - 1)
            }
            _ => None,
        };
        found.map(|(number, ..)| number)
    }

    /// Whether a dialog of the browser is open.
    pub(super) fn has_dialog(&self) -> bool {
        self.page.iter().any(|line| line.starts_with("browser dialog "))
    }

    /// Whether what was done last came to nothing. What was held and left after a yes did not.
    pub(super) fn has_failed(&self) -> bool {
        let was_sent = self.is_told("a person said yes to this and it was sent");
        !was_sent && self.steps.last().is_some_and(|line| line.split(' ').nth(1) == Some("FAILED"))
    }

    /// Whether a person said yes to what has to be done again for it.
    pub(super) fn is_to_be_repeated(&self) -> bool {
        self.is_told("do the same again now")
    }

    fn is_told(&self, words: &str) -> bool {
        self.ours.iter().any(|line| line.starts_with("! ") && line.contains(words))
    }
}

/// A line that can be acted on: its number, role and name.
fn control(line: &str) -> Option<(u32, &str, String)> {
    let (number, rest) = line.trim_start().split_once(' ')?;
    let (role, rest) = rest.split_once(" \"")?;
    let (mut name, mut signs) = (String::new(), rest.chars());
    loop {
        match signs.next()? {
            '"' => return Some((number.parse().ok()?, role, name)),
            '\\' => name.push(signs.next()?),
            sign => name.push(sign),
        }
    }
}

#[test]
fn a_prompt_is_taken_apart() {
    let told = "Errand: x\nSteps so far:\n<untrusted 07>\n1 click 2 button \"A\" (x): fine\n2 FAILED click 3 button \"B\" (x): no\n</07>\n\
        ! a person said yes to this; do the same again now, it will be sent\nobservation o1\n<untrusted 07>\n\
        page \"T\" \"http://a/\"\nbrowser dialog confirm \"Sure?\"\n  3 button \"Say \\\"B\\\"\" !\n4 button \"\"\n</07>\nWhat is next?";
    let prompt = Prompt::of(told);
    assert!(prompt.has_failed() && prompt.has_dialog() && prompt.is_to_be_repeated());
    let bare = |text: &str| Word::Bare(text.to_owned());
    assert_eq!(prompt.number(&[Word::Quoted("Say \"B\"".into())]), Some(3));
    assert_eq!(prompt.number(&[bare("button"), bare("2")]), Some(4));
    assert_eq!(prompt.number(&[Word::Quoted("C".into())]), None);
}
