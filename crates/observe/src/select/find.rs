//! Looking controls up by words.

use legwork_types::contract::{Affordance, Find};

use crate::{fold::fold, look::Look};

/// Roles that a question may begin with, and what they stand for.
const ROLES: &[(&str, &[&str])] = &[
    ("button", &["button", "togglebutton"]),
    ("link", &["link"]),
    ("textbox", &["textbox", "searchbox", "spinbutton"]),
    ("field", &["textbox", "searchbox", "spinbutton", "combobox", "listbox"]),
    ("input", &["textbox", "searchbox", "spinbutton", "combobox", "listbox"]),
    ("searchbox", &["searchbox"]),
    ("combobox", &["combobox", "listbox"]),
    ("select", &["combobox", "listbox"]),
    ("dropdown", &["combobox", "listbox"]),
    ("listbox", &["listbox"]),
    ("checkbox", &["checkbox", "menuitemcheckbox"]),
    ("radio", &["radio", "menuitemradio"]),
    ("switch", &["switch"]),
    ("tab", &["tab"]),
    ("option", &["option"]),
    ("menuitem", &["menuitem", "menuitemcheckbox", "menuitemradio"]),
    ("slider", &["slider"]),
    ("spinbutton", &["spinbutton"]),
    ("clickable", &["clickable"]),
];

/// Words to look up.
#[derive(Debug)]
pub(super) struct Search {
    /// The role that it must have.
    role: Option<String>,
    words: Vec<String>,
    /// Whether only the name counts, or value and near text too.
    names_only: bool,
}

impl Search {
    /// What a caller looks for; nothing if the words are blank.
    ///
    /// A role in front narrows the search only if something is found that way: `link account` also finds the button
    /// "Link account".
    pub(super) fn new(look: &Look, find: &Find) -> Option<Self> {
        match find {
            Find::RoleAndName { role, name } => {
                let role = fold(role.trim());
                let words = words(name);
                let given = !role.is_empty() || !words.is_empty();
                given.then(|| Self {
                    role: Some(role).filter(|role| !role.is_empty()),
                    words,
                    names_only: true,
                })
            }
            Find::Text(text) => {
                let words = words(text);
                let (first, rest) = words.split_first()?;
                let is_role = ROLES.iter().any(|(role, _)| role == first)
                    || look.scene().items.iter().any(|item| item.affordance.role == *first);
                if is_role {
                    let narrow = Self { role: Some(first.clone()), words: rest.to_vec(), names_only: false };
                    if look.scene().items.iter().any(|item| narrow.finds(&item.affordance)) {
                        return Some(narrow);
                    }
                }
                Some(Self { role: None, words, names_only: false })
            }
        }
    }

    /// Whether this is one of those looked for: the role fits, and every word stands somewhere.
    pub(super) fn finds(&self, affordance: &Affordance) -> bool {
        if self.role.as_ref().is_some_and(|role| !is_a(&affordance.role, role)) {
            return false;
        }
        let near = [affordance.value.as_ref(), affordance.near_text.as_ref()];
        let mut hay = fold(affordance.name.untrusted());
        for text in near.into_iter().flatten().filter(|_| !self.names_only) {
            hay.push('\n');
            hay.push_str(&fold(text.untrusted()));
        }
        self.words.iter().all(|word| hay.contains(word.as_str()))
    }
}

fn is_a(role: &str, asked: &str) -> bool {
    role == asked || ROLES.iter().any(|(word, roles)| *word == asked && roles.contains(&role))
}

fn words(text: &str) -> Vec<String> {
    fold(text).split_whitespace().map(str::to_owned).collect()
}
