//! Looking controls up by words.

use std::cell::OnceCell;

use foldhash::HashMap;
use legwork_types::contract::{Affordance, Find};

use super::within::{CARD, held};
use crate::{
    fold::folded,
    look::Look,
    scene::{GroupIndex, Item, Line},
};

/// Roles that a question may begin with, and what they stand for.
const ROLES: &[(&str, &[&str])] = &[
    ("button", &["button"]),
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

/// Where the words of a search stand, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hit {
    /// All in its name, its value or the words beside it.
    Own,
    /// Some only in other texts of its card or row.
    Card,
}

/// Words to look up.
#[derive(Debug)]
pub(super) struct Search<'a> {
    look: &'a Look,
    /// The role that it must have.
    role: Option<String>,
    words: Vec<String>,
    /// Whether only the name counts, or what stands around it too.
    names_only: bool,
    cards: OnceCell<Cards>,
}

impl<'a> Search<'a> {
    /// What a caller looks for; nothing if the words are blank.
    ///
    /// A role in front narrows the search only if something is found that way: `link account` also finds the button
    /// "Link account". For that the texts of a card count less than names: they are long, and hold many a word.
    pub(super) fn new(look: &'a Look, find: &Find) -> Option<Self> {
        let search = |role, words, names_only| Self { look, role, words, names_only, cards: OnceCell::new() };
        match find {
            Find::RoleAndName { role, name } => {
                let role = folded(role.trim());
                let words = words(name);
                let given = !role.is_empty() || !words.is_empty();
                given.then(|| search(Some(role).filter(|role| !role.is_empty()), words, true))
            }
            Find::Text(text) => {
                let words = words(text);
                let (first, rest) = words.split_first()?;
                let is_role = ROLES.iter().any(|(role, _)| role == first)
                    || look.scene().items.iter().any(|item| item.affordance.role == *first);
                let wide = search(None, words.clone(), false);
                if !is_role {
                    return Some(wide);
                }
                let narrow = search(Some(first.clone()), rest.to_vec(), false);
                let narrows = match narrow.best() {
                    Some(Hit::Own) => true,
                    Some(Hit::Card) => wide.best() != Some(Hit::Own),
                    None => false,
                };
                Some(if narrows { narrow } else { wide })
            }
        }
    }

    fn best(&self) -> Option<Hit> {
        self.look.scene().items.iter().filter_map(|item| self.finds(item)).min()
    }

    /// Whether this is one of those looked for: the role fits, and every word stands somewhere.
    pub(super) fn finds(&self, item: &Item) -> Option<Hit> {
        let affordance = &item.affordance;
        if self.role.as_ref().is_some_and(|role| !is_a(&affordance.role, role)) {
            return None;
        }
        let own = self.own_words(affordance);
        let mut missing = self.words.iter().filter(|word| !own.contains(word.as_str())).peekable();
        if missing.peek().is_none() {
            return Some(Hit::Own);
        }
        if self.names_only {
            return None;
        }
        let card = self.cards.get_or_init(|| Cards::of(self.look)).texts_around(self.look, item)?;
        missing.all(|word| card.contains(word.as_str())).then_some(Hit::Card)
    }

    fn own_words(&self, affordance: &Affordance) -> String {
        let mut own = folded(affordance.name.untrusted());
        let around = [affordance.value.as_ref(), affordance.near_text.as_ref()];
        for text in around.into_iter().flatten().filter(|_| !self.names_only) {
            own.push('\n');
            own.push_str(&folded(text.untrusted()));
        }
        own
    }
}

/// The texts of cards and rows, to search in.
#[derive(Debug)]
struct Cards(HashMap<GroupIndex, String>);

impl Cards {
    /// What holds very many controls is no card: its texts are about none of them in particular.
    fn of(look: &Look) -> Self {
        let (scene, held) = (look.scene(), held(look.scene()));
        let mut texts: HashMap<GroupIndex, String> = HashMap::default();
        for line in &scene.outline {
            let (Line::Text(text) | Line::Heading { text, .. }) = &line.line else { continue };
            let card = look.story().card.get(line.group).copied().flatten();
            if let Some(card) = card.filter(|&card| held.get(card).is_some_and(|held| *held <= CARD)) {
                let all = texts.entry(card).or_default();
                all.push_str(&folded(text.untrusted()));
                all.push('\n');
            }
        }
        Self(texts)
    }

    fn texts_around(&self, look: &Look, item: &Item) -> Option<&str> {
        let card = look.story().card.get(item.group).copied().flatten()?;
        self.0.get(&card).map(String::as_str)
    }
}

fn is_a(role: &str, asked: &str) -> bool {
    role == asked || ROLES.iter().any(|(word, roles)| *word == asked && roles.contains(&role))
}

fn words(text: &str) -> Vec<String> {
    folded(text).split_whitespace().map(str::to_owned).collect()
}
