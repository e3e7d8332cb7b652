//! What a model is told, taken apart: the newest page, the steps so far, and the notices.

/// How the reason of a step begins in the list of steps, and how that of a wait.
const STEPPED: &str = " (step ";
const WAITED: &str = " (after step ";

/// A prompt of a turn or of the judge.
#[derive(Debug, Default)]
pub(super) struct Prompt<'a> {
    /// The lines of the newest page.
    page: Vec<&'a str>,
    /// What we say below it.
    footer: Vec<&'a str>,
    /// What was done so far, as far as it is told at length.
    past: Vec<Past>,
    /// What the model has to know besides.
    notices: Vec<&'a str>,
}

/// One thing that was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Past {
    /// The step of this number, counted from one, went well.
    Done(usize),
    /// It did not.
    Failed(usize),
    /// Something was waited for after it.
    Waited(usize),
}

impl<'a> Prompt<'a> {
    /// Takes a prompt apart. What a page wrote stands in fences and is never taken for ours.
    pub(super) fn read(told: &'a str) -> Self {
        let mut prompt = Self::default();
        let lines: Vec<&str> = told.lines().collect();
        let (mut rest, mut before) = (lines.as_slice(), "");
        while let [line, after @ ..] = rest {
            rest = after;
            match fenced(line, after) {
                Some((inside, beyond)) => {
                    rest = beyond;
                    if before == "Steps so far:" {
                        prompt.past = inside.iter().filter_map(|line| Past::read(line)).collect();
                    } else if inside.first().is_some_and(|first| first.starts_with("page \"")) {
                        prompt.page = inside.to_vec();
                        prompt.footer.clear();
                    }
                }
                None => {
                    prompt.notices.extend(line.strip_prefix("! "));
                    prompt.footer.push(line);
                }
            }
            before = line;
        }
        prompt
    }

    /// The number of the first control of this role and name that can be used.
    pub(super) fn find(&self, role: &str, name: &str) -> Option<u32> {
        let mut controls = self.page.iter().filter_map(|line| Control::read(line));
        let found =
            controls.find(|control| control.role == role && control.name == name && !control.is_disabled);
        found.map(|control| control.number)
    }

    /// Whether the page says this, in any case of letters.
    pub(super) fn says(&self, words: &str) -> bool {
        let words = words.to_lowercase();
        self.page.iter().any(|line| line.to_lowercase().contains(&words))
    }

    /// Whether there is more of the page than is shown, and nothing was looked for in it yet.
    pub(super) fn has_more(&self) -> bool {
        let has = |words: &str| self.footer.iter().any(|line| line.contains(words));
        has(" more") && has(": cursor ") && !has(" outside")
    }

    /// What was done last.
    pub(super) fn last(&self) -> Option<Past> {
        self.past.last().copied()
    }

    /// How often the same happened last.
    pub(super) fn times(&self, past: Past) -> usize {
        self.past.iter().rev().take_while(|one| **one == past).count()
    }

    /// Whether what was held on the wire has left after a yes.
    pub(super) fn was_sent(&self) -> bool {
        self.notices.iter().any(|notice| notice.contains("said yes") && notice.contains("it was sent"))
    }

    /// Whether the last step may have been done in a browser that is gone.
    pub(super) fn was_sent_before(&self) -> bool {
        self.notices.iter().any(|notice| notice.contains("is not sent again"))
    }

    /// The first notice, for whoever asks why something failed.
    pub(super) fn notice(&self) -> &'a str {
        self.notices.first().copied().unwrap_or("nobody said why")
    }
}

/// What stands in the fence that this line opens, and what follows it. A fence that was cut off is none.
fn fenced<'l, 'a>(line: &str, after: &'l [&'a str]) -> Option<(&'l [&'a str], &'l [&'a str])> {
    let mark = line.strip_prefix("<untrusted ")?.strip_suffix('>')?;
    let end = after.iter().position(|line| *line == format!("</{mark}>"))?;
    Some((after.get(..end)?, after.get(end + 1..)?))
}

impl Past {
    /// Reads a line such as `3 FAILED click 5 button "Go" (step 3 of 9): it is covered`.
    fn read(line: &str) -> Option<Self> {
        let (number, deed) = line.split_once(' ')?;
        number.parse::<u32>().ok()?;
        // Names that a page wrote stand before our reason, so the last one is ours.
        let (waited, stepped) = (deed.rfind(WAITED), deed.rfind(STEPPED));
        let begin = waited.map(|at| at + WAITED.len()).max(stepped.map(|at| at + STEPPED.len()))?;
        let step = deed.get(begin..)?.split([' ', ':', ')']).next()?.parse().ok()?;
        Some(match deed.starts_with("FAILED ") {
            _ if waited > stepped => Self::Waited(step),
            true => Self::Failed(step),
            false => Self::Done(step),
        })
    }
}

/// One line that can be acted on: `12 link "Add to basket"` and its states.
struct Control<'a> {
    number: u32,
    role: &'a str,
    name: String,
    is_disabled: bool,
}

impl<'a> Control<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (number, rest) = line.trim_start().split_once(' ')?;
        let number = number.parse().ok()?;
        let (role, rest) = rest.split_once(' ')?;
        let (name, mut rest) = unquoted(rest)?;
        let mut is_disabled = false;
        while let Some((bare, quoted)) = rest.split_once('"') {
            is_disabled |= bare.split(' ').any(|word| word == "disabled");
            rest = unquoted(rest.get(rest.len() - quoted.len() - 1..)?)?.1;
        }
        is_disabled |= rest.split(' ').any(|word| word == "disabled");
        Some(Self { number, role, name, is_disabled })
    }
}

/// What stands between the quotes at the beginning, and what follows them.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix('"')?;
    let mut words = String::new();
    let mut signs = text.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return Some((words, text.get(at + 1..)?)),
            '\\' => words.push(signs.next()?.1),
            _ => words.push(sign),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_is_read_with_its_name_and_whether_it_can_be_used() {
        let read = |line| Control::read(line).map(|one| (one.number, one.role, one.name, one.is_disabled));
        for (line, wanted) in [
            (r#"12 link "Add to basket""#, Some((12, "link", "Add to basket", false))),
            (
                r#"  3 button "Say \"yes\" \\ no" focused !danger"#,
                Some((3, "button", r#"Say "yes" \ no"#, false)),
            ),
            (r#"5 button "Place order" disabled"#, Some((5, "button", "Place order", true))),
            (r#"2 combobox "Bag" ="a disabled one" of "a" "b""#, Some((2, "combobox", "Bag", false))),
            (r#"2 combobox "Bag" ="x \" disabled " disabled of "a""#, Some((2, "combobox", "Bag", true))),
            (r#""5" "28 November 2026""#, None),
            (r#"## "What""#, None),
            (r#"form3"#, None),
            (r#"4 link "cut"#, None),
        ] {
            let wanted = wanted.map(|(number, role, name, is_off)| (number, role, name.to_owned(), is_off));
            assert_eq!(read(line), wanted, "{line}");
        }
    }

    #[test]
    fn what_was_done_is_read_from_our_reasons_alone() {
        for (line, past) in [
            (r#"3 click 5 button "Go" (step 3 of 9): document changed"#, Some(Past::Done(3))),
            (r#"3 FAILED click 5 button "Go" (step 3 of 9): covered"#, Some(Past::Failed(3))),
            (r#"4 wait 1 s (after step 3 of 9: not there): nothing"#, Some(Past::Waited(3))),
            (r#"4 FAILED wait for "x" (after step 3 of 9: not there): nothing"#, Some(Past::Waited(3))),
            (r#"3 click 5 button "A (step 8 of 9): x" (step 3 of 9): document changed"#, Some(Past::Done(3))),
            (r#"3 click 5 button "Go" (step 3 of 9): 1 request (POST)"#, Some(Past::Done(3))),
            (r#"3 click 5 button "A (after step 8 of" (step 3 of 9): x"#, Some(Past::Done(3))),
            ("(4 earlier ones)", None),
            (r#"1 click 2 button "Go""#, None),
        ] {
            assert_eq!(Past::read(line), past, "{line}");
        }
    }
}
