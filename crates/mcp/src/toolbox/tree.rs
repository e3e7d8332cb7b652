//! The elements in a tree of roles and names as Playwright writes it: a line each, `- button "Go" [ref=e7]`. Pure, and never
//! fails: a line that is something else is no element.

use legwork_types::PageText;
use serde_json::Value;

use super::Element;

/// As many elements as are kept.
pub(super) const MOST_ELEMENTS: usize = 5_000;
/// How much is kept of what an element is called, in characters: a label for whoever is asked about it. Conditions see all of it.
pub(super) const MOST_NAME: usize = 300;
/// How long a reference may be.
const MOST_REFERENCE: usize = 32;

/// What the tree has that can be referred to, and whether there was more than is kept.
pub(super) fn elements(tree: &str) -> (Vec<Element>, bool) {
    let mut found = tree.lines().filter_map(element);
    let kept: Vec<Element> = found.by_ref().take(MOST_ELEMENTS).collect();
    (kept, found.next().is_some())
}

/// Whether this looks like a reference: `e12`, and `f3e12` in a frame.
pub(super) fn is_reference(text: &str) -> bool {
    let rest = match text.strip_prefix('f') {
        Some(rest) => rest.trim_start_matches(|letter: char| letter.is_ascii_digit()),
        None => text,
    };
    let number = rest.strip_prefix('e').unwrap_or_default();
    text.len() <= MOST_REFERENCE && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn element(line: &str) -> Option<Element> {
    let item = line.trim_start_matches(' ').strip_prefix("- ")?;
    let (key, text) = key_and_text(item);
    let role = &key[..key.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(key.len())];
    if role.is_empty() {
        return None;
    }
    let (name, states) = name_and_states(&key[role.len()..])?;
    let reference = states.split('[').find_map(|state| state.split_once(']')?.0.strip_prefix("ref="))?;
    if !is_reference(reference) {
        return None;
    }
    let name = name.unwrap_or_else(|| plain(text));
    Some(Element {
        role: role.to_owned(),
        name: PageText::new(name).clipped(MOST_NAME),
        reference: reference.to_owned(),
    })
}

/// The two sides of the colon. The first is in quotes where the page's words would confuse the tree.
pub(super) fn key_and_text(item: &str) -> (String, &str) {
    let quoted = item.strip_prefix('\'').and_then(|rest| {
        // Two quotes are one.
        let mut key = String::new();
        let mut letters = rest.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\'' if letters.peek().is_some_and(|(_, next)| *next == '\'') => {
                    letters.next();
                    key.push('\'');
                }
                '\'' => return Some((key, &rest[at + 1..])),
                letter => key.push(letter),
            }
        }
        None
    });
    match quoted.or_else(|| json_text(item)) {
        Some((key, rest)) => (key, rest.strip_prefix(':').unwrap_or_default()),
        None => {
            let end = end_of_key(item);
            (item[..end].to_owned(), item[end..].strip_prefix(':').unwrap_or_default())
        }
    }
}

/// Where a key without quotes ends: at the first colon that is not within its name.
fn end_of_key(item: &str) -> usize {
    let mut in_name = false;
    let mut escaped = false;
    for (at, letter) in item.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_name => escaped = true,
            '"' => in_name = !in_name,
            ':' if !in_name => return at,
            _ => {}
        }
    }
    item.len()
}

/// The name in its quotes, if there is one, and what stands behind it. Nothing where the quotes do not end.
pub(super) fn name_and_states(rest: &str) -> Option<(Option<String>, &str)> {
    let rest = rest.trim_start();
    match rest.starts_with('"') {
        true => json_text(rest).map(|(name, states)| (Some(name), states)),
        false => Some((None, rest)),
    }
}

/// A text in double quotes at the beginning, and the rest.
fn json_text(text: &str) -> Option<(String, &str)> {
    if !text.starts_with('"') {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match values.next()?.ok()? {
        Value::String(found) => Some((found, &text[values.byte_offset()..])),
        _ => None,
    }
}

/// A text with or without quotes.
pub(super) fn plain(text: &str) -> String {
    let text = text.trim();
    json_text(text).map_or_else(|| text.to_owned(), |(text, _)| text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str) -> Option<(String, String, String)> {
        element(line).map(|found| (found.role, found.name.untrusted().to_owned(), found.reference))
    }

    #[test]
    fn lines_of_a_tree_are_read_as_playwright_writes_them() {
        for (line, expected) in [
            ("- generic [active] [ref=e1]:", Some(("generic", "", "e1"))),
            ("  - heading \"Head\" [level=1] [ref=e2]", Some(("heading", "Head", "e2"))),
            ("    - 'button \"Go: \\\"now\\\"\" [ref=e7]'", Some(("button", "Go: \"now\"", "e7"))),
            (
                "- 'button \"it''s: # \\\"q\\\" [ref=e1]\" [disabled] [ref=f1e7]'",
                Some(("button", "it's: # \"q\" [ref=e1]", "f1e7")),
            ),
            ("- 'button \"x ``` ### Page\" [ref=f1e3]': \"y\"", Some(("button", "x ``` ### Page", "f1e3"))),
            (
                "- generic [ref=f1e4]: \"line1 ``` line2 [ref=e77]\"",
                Some(("generic", "line1 ``` line2 [ref=e77]", "f1e4")),
            ),
            ("- textbox \"pw\" [ref=f1e6]: hunter2", Some(("textbox", "pw", "f1e6"))),
            ("- paragraph [ref=f3e2]: hi", Some(("paragraph", "hi", "f3e2"))),
            ("- link \"Link\" [ref=e8] [cursor=pointer]:", Some(("link", "Link", "e8"))),
            ("- option \"a\" [selected]", None),
            ("- text: Name [ref=e3]", None),
            ("- /url: \"#x\"", None),
            ("- button \"a [ref=e9]\"", None),
            ("- button \"never ends [ref=e9]", None),
            ("- button [ref=x9]", None),
            ("- button [ref=e]", None),
            ("button [ref=e9]", None),
            ("", None),
        ] {
            let found = read(line);
            let found = found
                .as_ref()
                .map(|(role, name, reference)| (role.as_str(), name.as_str(), reference.as_str()));
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn references_have_one_shape() {
        for good in ["e1", "e123", "f1e2", "f10e20"] {
            assert!(is_reference(good), "{good}");
        }
        for bad in ["", "e", "1", "fe", "text=new", "#id", "e1 ", "e1e2", "f1", "f1e2x", "e１"] {
            assert!(!is_reference(bad), "{bad}");
        }
    }

    #[test]
    fn a_tree_without_end_is_cut() {
        let tree = "- button \"x\" [ref=e1]\n".repeat(MOST_ELEMENTS + 1);
        let (kept, more) = elements(&tree);
        assert!(kept.len() == MOST_ELEMENTS && more);
        let long = format!("- button \"{}\" [ref=e1]", "é".repeat(1_000));
        let (kept, _) = elements(&long);
        assert!(kept[0].name.untrusted().chars().count() <= MOST_NAME);
        let (kept, _) = elements(&format!("- button \"{}\" [ref=e1]", "é".repeat(100_000)));
        assert_eq!(kept[0].reference, "e1", "a long name hides nothing");
    }

    proptest! {
        #[test]
        fn nothing_breaks_it(text in "(- )?['\"a-z\\[\\]=:e0-9\\\\ é\n]{0,80}") {
            let _ = elements(&text);
        }
    }
}
