//! A look of a toolbox as a page of somebody else's browser: controls with what is in them, headings and texts, in order. Pure, and
//! never fails: a line that is something else is left out.

use legwork_runtime::errands::{ForeignPage, ForeignPart, ForeignTab};
use legwork_types::PageText;

use super::{
    Snapshot,
    tree::{MOST_ELEMENTS, MOST_LINE, MOST_NAME, is_reference, key_and_text, name_and_states, plain},
};

/// The most options of a list that are kept.
const MOST_OPTIONS: usize = 100;

/// States that are told, as the tree writes them.
const STATES: [&str; 8] =
    ["checked", "disabled", "expanded", "selected", "pressed", "active", "invalid", "checked=mixed"];

/// The page that a look shows.
pub(super) fn page_of(look: &Snapshot) -> ForeignPage {
    let mut parts: Vec<ForeignPart> = Vec::new();
    let mut cut = look.cut;
    for line in look.content.untrusted().lines() {
        let is_full = parts.len() >= MOST_ELEMENTS;
        match read(line) {
            None => {}
            Some(Read::Address(depth, address)) => {
                let owner = parts.iter_mut().rfind(|part| part.depth < depth);
                if let Some(link) = owner.filter(|part| part.address.is_none()) {
                    link.address = Some(address);
                }
            }
            Some(Read::Part(part)) => {
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
                        if list.options.len() < MOST_OPTIONS {
                            list.options.push(part.name);
                        }
                    }
                    None if is_full => cut = true,
                    None => parts.push(part),
                }
            }
        }
    }
    let tabs = look.notes.iter().filter_map(|note| tab(note.untrusted())).collect();
    ForeignPage { url: look.url.clone(), title: look.title.clone(), parts, tabs, dialog: None, cut }
}

enum Read {
    Part(ForeignPart),
    Address(usize, PageText),
}

fn read(line: &str) -> Option<Read> {
    let line = &line[..line.floor_char_boundary(MOST_LINE)];
    let item = line.trim_start_matches(' ');
    let depth = line.len() - item.len();
    let item = item.strip_prefix("- ")?;
    let text_of = |text: &str| PageText::new(plain(text)).clipped(MOST_NAME);
    if let Some(address) = item.strip_prefix("/url:") {
        return Some(Read::Address(depth, PageText::new(plain(address)).clipped(MOST_LINE)));
    }
    let (key, text) = key_and_text(item);
    let role = &key[..key.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(key.len())];
    if role.is_empty() {
        return None;
    }
    let (name, rest) = name_and_states(&key[role.len()..])?;
    let states = || rest.split('[').filter_map(|state| Some(state.split_once(']')?.0));
    let reference = states().find_map(|state| state.strip_prefix("ref=")).filter(|text| is_reference(text));
    let words = text_of(text);
    let (name, value) = match name {
        Some(name) => (PageText::new(name).clipped(MOST_NAME), Some(words).filter(|words| !words.is_blank())),
        None if matches!(role, "textbox" | "searchbox" | "combobox" | "spinbutton") => {
            (PageText::default(), Some(words).filter(|words| !words.is_blank()))
        }
        None => (words, None),
    };
    let known = states().filter_map(|state| STATES.iter().find(|known| **known == state));
    Some(Read::Part(ForeignPart {
        depth,
        role: role.to_owned(),
        name,
        value,
        states: known.filter(|state| **state != "active").copied().collect(),
        options: Vec::new(),
        address: None,
        reference: reference.map(str::to_owned),
        is_pointed_at: states().any(|state| state == "cursor=pointer"),
    }))
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
}
