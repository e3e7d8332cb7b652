//! A look of a toolbox as a page of somebody else's browser: controls with what is in them, headings and texts, in order. Pure, and
//! never fails. Nothing is left out in silence: a line that is no line of a tree is kept as words, and the page is told as cut.

use legwork_runtime::errands::{ForeignPage, ForeignPart, ForeignTab};
use legwork_types::PageText;

use super::{
    Snapshot,
    tree::{MOST_ELEMENTS, MOST_NAME, is_reference, key_and_text, name_and_states, plain},
};

/// States that are told, as the tree writes them.
const STATES: [&str; 8] =
    ["checked", "disabled", "expanded", "selected", "pressed", "active", "invalid", "checked=mixed"];

/// The page that a look shows. Names and texts are whole: conditions are asked about them, and the look itself is bounded.
pub(super) fn page_of(look: &Snapshot) -> ForeignPage {
    let mut parts: Vec<ForeignPart> = Vec::new();
    let mut cut = look.cut;
    // Where nothing can be referred to it is no tree: other servers tell a page in plain words.
    let is_tree = !look.elements.is_empty();
    for line in look.content.untrusted().lines().filter(|line| !line.trim().is_empty()) {
        let is_full = parts.len() >= MOST_ELEMENTS;
        match if is_tree { read(line) } else { Read::Words(words(line)) } {
            Read::Address(depth, address) => {
                let owner = parts.iter_mut().rfind(|part| part.depth < depth);
                if let Some(link) = owner.filter(|part| part.address.is_none()) {
                    link.address = Some(address);
                }
            }
            Read::Words(_) | Read::Part(_) if is_full => cut = true,
            Read::Words(part) => {
                // It may have been meant as an element.
                cut |= is_tree;
                parts.push(part);
            }
            Read::Part(part) => {
                let list = parts.iter_mut().rfind(|one| one.depth < part.depth);
                let list = list.filter(|list| {
                    part.role == "option" && matches!(list.role.as_str(), "combobox" | "listbox")
                });
                match list {
                    // What can be chosen belongs to its list.
                    Some(list) => {
                        if part.is("selected") {
                            list.value = Some(part.name.clone());
                        }
                        list.options.push(part.name);
                    }
                    None => parts.push(part),
                }
            }
        }
    }
    let tabs = look.notes.iter().filter_map(|note| tab(note.untrusted())).collect();
    ForeignPage {
        url: look.url.clone(),
        title: look.title.clone(),
        is_unlisted: !is_tree && !parts.is_empty(),
        is_unread: look.is_unread,
        parts,
        tabs,
        cut,
        ..ForeignPage::default()
    }
}

enum Read {
    Part(ForeignPart),
    Address(usize, PageText),
    /// No line of a tree, or none that could be read.
    Words(ForeignPart),
}

fn read(line: &str) -> Read {
    let item = line.trim_start_matches(' ');
    let depth = line.len() - item.len();
    let Some(item) = item.strip_prefix("- ") else { return Read::Words(words(line)) };
    if let Some(address) = item.strip_prefix("/url:") {
        return Read::Address(depth, PageText::new(plain(address)));
    }
    if let Some(hint) = item.strip_prefix("/placeholder:") {
        return Read::Part(ForeignPart { depth, ..words(&plain(hint)) });
    }
    element(item, depth).map_or_else(|| Read::Words(words(line)), Read::Part)
}

fn element(item: &str, depth: usize) -> Option<ForeignPart> {
    let (key, text) = key_and_text(item);
    let role = &key[..key.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(key.len())];
    let (name, rest) = name_and_states(&key[role.len()..])?;
    if role.is_empty() || !are_states(rest) {
        return None;
    }
    let states = || rest.split('[').filter_map(|state| Some(state.split_once(']')?.0));
    let reference = states().find_map(|state| state.strip_prefix("ref=")).filter(|text| is_reference(text));
    let words = PageText::new(plain(text));
    let (name, value) = match name {
        Some(name) => (PageText::new(name), Some(words).filter(|words| !words.is_blank())),
        None if matches!(role, "textbox" | "searchbox" | "combobox" | "spinbutton") => {
            (PageText::default(), Some(words).filter(|words| !words.is_blank()))
        }
        None => (words, None),
    };
    let known = states().filter_map(|state| STATES.iter().find(|known| **known == state));
    Some(ForeignPart {
        depth,
        role: role.to_owned(),
        name,
        value,
        states: known.filter(|state| **state != "active").copied().collect(),
        options: Vec::new(),
        address: None,
        reference: reference.map(str::to_owned),
        is_pointed_at: states().any(|state| state == "cursor=pointer"),
    })
}

/// Whether this is a row of states in brackets and nothing else.
fn are_states(rest: &str) -> bool {
    let mut rest = rest.trim();
    while let Some((_, behind)) = rest.strip_prefix('[').and_then(|state| state.split_once(']')) {
        rest = behind.trim_start();
    }
    rest.is_empty()
}

/// A line as nothing but words.
fn words(line: &str) -> ForeignPart {
    let depth = line.len() - line.trim_start_matches(' ').len();
    ForeignPart { depth, role: "text".to_owned(), name: PageText::new(line.trim()), ..ForeignPart::default() }
}

/// Another tab, as `- 1: [Title](https://…)`.
fn tab(note: &str) -> Option<ForeignTab> {
    let (index, rest) = note.trim().strip_prefix("- ")?.split_once(':')?;
    let rest = rest.trim_start();
    if rest.starts_with("(current)") {
        return None;
    }
    let title = rest.strip_prefix('[')?.split_once("](").map(|(title, _)| title)?;
    Some(ForeignTab { index: index.trim().parse().ok()?, title: PageText::from(title).clipped(MOST_NAME) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::normalise, *};

    #[test]
    fn a_look_is_a_page_with_its_controls_texts_and_tabs() {
        let look = "### Open tabs\n- 0: (current) [A](http://a/)\n- 1: [B [x]](http://b/)\n### Page\n- Page URL: http://a/\n\
            - Page Title: A\n### Snapshot\n```yaml\n- generic [active] [ref=e1]:\n  - heading \"Head\" [level=1] [ref=e2]\n  \
            - text: Name\n  - textbox \"Name\" [ref=e3]: Ada\n  - combobox \"Bag\" [ref=e4]:\n    - option \"250 g\"\n    \
            - option \"1 kg\" [selected]\n  - checkbox \"Gift\" [checked] [ref=e5]\n  - link \"Help\" [ref=e6] [cursor=pointer]:\n    \
            - /url: /help\n    - generic [ref=e7]: Help\n  - button \"Buy\" [disabled] [ref=e8]\n  - generic [ref=e9] [cursor=pointer]: More\n```";
        let page = page_of(&normalise(&json!(look)).unwrap());
        let controls: Vec<String> = page
            .controls()
            .map(|(number, part)| {
                let value = part.value.as_ref().map(|value| value.untrusted()).unwrap_or_default();
                format!(
                    "{number} {} {} {value} {:?} {:?}",
                    part.role,
                    part.name.untrusted(),
                    part.states,
                    part.reference
                )
            })
            .collect();
        assert_eq!(
            controls,
            [
                "1 textbox Name Ada [] Some(\"e3\")",
                "2 combobox Bag 1 kg [] Some(\"e4\")",
                "3 checkbox Gift  [\"checked\"] Some(\"e5\")",
                "4 link Help  [] Some(\"e6\")",
                "5 button Buy  [\"disabled\"] Some(\"e8\")",
                "6 generic More  [] Some(\"e9\")",
            ]
        );
        assert_eq!(page.control(2).unwrap().options, ["250 g".into(), "1 kg".into()]);
        assert_eq!(page.control(4).unwrap().address, Some("/help".into()));
        assert!(page.parts.iter().any(|part| part.role == "text" && part.name == "Name".into()));
        assert_eq!((page.url.untrusted(), page.title.untrusted()), ("http://a/", "A"));
        assert!(!page.cut);
    }
    fn page(content: &str) -> ForeignPage {
        page_of(&normalise(&json!({"url": "http://a/", "title": "A", "content": content})).unwrap())
    }

    fn has(page: &ForeignPage, words: &str) -> bool {
        page.parts.iter().any(|part| part.name.untrusted().contains(words))
    }

    #[test]
    fn what_is_long_is_whole_and_what_is_strange_is_kept_and_told() {
        let long = "x ".repeat(20_000);
        for (line, words, cut) in [
            (format!("- text: {long}refused"), "refused", false),
            (format!("- text: \"{long}refused\""), "refused", false),
            (format!("- button \"{long}Finish\" [ref=e7]"), "Finish", false),
            (format!("- 'button \"{long}: Finish\" [ref=e7]'"), "Finish", false),
            (
                "- textbox \"Name\" [ref=e7]:\n    - /placeholder: as on the card".into(),
                "as on the card",
                false,
            ),
            ("- button \"never ends [ref=e7]".into(), "never ends", true),
            ("- button /Fin\\d/ [ref=e7]".into(), "Fin", true),
            ("Your membership has ended".into(), "has ended", true),
            ("- Your membership has ended".into(), "has ended", true),
        ] {
            let page = page(&format!("- heading \"A\" [ref=e1]\n  {line}"));
            assert!(has(&page, words), "{words}");
            assert_eq!((page.cut, page.is_unlisted, page.is_unread), (cut, false, false), "{words}");
        }
        let clicked = page(&format!("- button \"{long}Finish\" [ref=e7]"));
        assert_eq!(clicked.control(1).unwrap().reference.as_deref(), Some("e7"), "it can still be clicked");
        let many: String = (0..300).map(|at| format!("    - option \"Land {at}\"\n")).collect();
        let list = page(&format!("- combobox \"Country\" [ref=e2]:\n{many}"));
        assert!(list.control(1).unwrap().options.len() == 300 && !list.cut);
    }

    #[test]
    fn a_server_that_tells_plain_words_is_read_and_lists_nothing() {
        let told = page("Welcome back\n\n  - done: your membership has ended\n- Cancelled\n");
        assert!(has(&told, "your membership has ended") && has(&told, "Cancelled") && has(&told, "Welcome"));
        assert!(told.is_unlisted && !told.cut && told.controls().next().is_none());
        let empty = page("");
        assert!(!empty.is_unlisted && !empty.is_unread && !empty.cut, "an empty page is one");
        let unread = page_of(&normalise(&json!("### Page\n- Page URL: http://a/\n")).unwrap());
        assert!(unread.is_unread, "without a tree nothing is known");
    }
}
