//! A page as somebody else's browser tells of it. All of it is words of the page, or may be.

use legwork_types::PageText;

/// A page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForeignPage {
    /// Its address.
    pub url: PageText,
    /// Its title.
    pub title: PageText,
    /// What is on it, in order.
    pub parts: Vec<ForeignPart>,
    /// The other tabs.
    pub tabs: Vec<ForeignTab>,
    /// What a dialog says that has to be answered first.
    pub dialog: Option<PageText>,
    /// Whether something was left out because there was too much, or could not be read.
    pub cut: bool,
    /// Whether these are its words alone, and nobody knows which elements it has.
    pub is_unlisted: bool,
    /// Whether nothing is known of what is on it: a dialog is open, or the browser did not say. Its address may be an old one.
    pub is_unread: bool,
    /// Why nothing of it is shown: the errand has no business there. Whoever looks for an errand says so.
    pub barred: Option<String>,
}

/// Something on a page: a control, a heading, a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForeignPart {
    /// How deep it stands in the page.
    pub depth: usize,
    /// What it is: `button`, `link`, `textbox`; letters and digits alone.
    pub role: String,
    /// Its name, or else its words.
    pub name: PageText,
    /// What is in it, or chosen in it.
    pub value: Option<PageText>,
    /// How it is: `checked`, `disabled`.
    pub states: Vec<&'static str>,
    /// What can be chosen in it.
    pub options: Vec<PageText>,
    /// Where it leads to.
    pub address: Option<PageText>,
    /// How the browser is told of it; none where nothing can be done to it.
    pub reference: Option<String>,
    /// Whether a mouse is offered something there.
    pub is_pointed_at: bool,
}

/// Another tab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignTab {
    /// Its place, from 0.
    pub index: u32,
    /// Its title.
    pub title: PageText,
}

/// What can be acted on by what it is.
const CONTROLS: [&str; 17] = [
    "button",
    "link",
    "textbox",
    "searchbox",
    "combobox",
    "listbox",
    "option",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "tab",
    "treeitem",
];

/// What is written in or chosen from: nothing happens by a click on it.
const FIELDS: [&str; 7] = ["textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "spinbutton"];

/// What stands in the name of a field whose value nobody is told: a browser may have filled it in by itself.
const HIDDEN: [&str; 16] = [
    "passwor",
    "passwd",
    "passphrase",
    "passcode",
    "pin",
    "cvv",
    "cvc",
    "security code",
    "secret",
    "token",
    "otp",
    "mot de passe",
    "contraseña",
    "wachtwoord",
    "hasło",
    "senha",
];

impl ForeignPart {
    /// Whether it can be acted on.
    pub fn is_control(&self) -> bool {
        self.reference.is_some() && (CONTROLS.contains(&self.role.as_str()) || self.is_pointed_at)
    }

    /// Whether it is written in, or chosen from.
    pub fn is_field(&self) -> bool {
        FIELDS.contains(&self.role.as_str())
    }

    /// Whether something is typed into it.
    pub fn is_written_in(&self) -> bool {
        matches!(self.role.as_str(), "textbox" | "searchbox" | "combobox" | "spinbutton")
    }

    /// Whether it is in this state.
    pub fn is(&self, state: &str) -> bool {
        self.states.contains(&state)
    }

    /// Whether it is the same thing, called the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (&self.reference, &self.role, &self.name) == (&other.reference, &other.role, &other.name)
    }

    /// What is in it as far as somebody may be told.
    pub(super) fn shown_value(&self) -> Option<&str> {
        let name = self.name.untrusted().to_lowercase();
        let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
        let is_hidden = HIDDEN.iter().any(|hidden| match hidden.len() {
            ..=4 => words.contains(hidden),
            _ => name.contains(hidden),
        });
        let value =
            self.value.as_ref().map(|value| value.untrusted()).filter(|value| !value.trim().is_empty())?;
        Some(if is_hidden { "••••" } else { value })
    }
}

impl ForeignPage {
    /// What can be acted on, with its number: counted from one.
    pub fn controls(&self) -> impl Iterator<Item = (u32, &ForeignPart)> {
        (1..).zip(self.parts.iter().filter(|part| part.is_control()))
    }

    /// What has this number.
    pub fn control(&self, number: u32) -> Option<&ForeignPart> {
        self.controls().find(|(known, _)| *known == number).map(|(_, part)| part)
    }

    /// The same page with this done to every word of it.
    #[must_use]
    pub fn with_words(mut self, change: impl Fn(&str) -> String) -> Self {
        let over = |text: &mut PageText| *text = PageText::new(change(text.untrusted()));
        over(&mut self.url);
        over(&mut self.title);
        self.dialog.iter_mut().for_each(over);
        self.tabs.iter_mut().for_each(|tab| over(&mut tab.title));
        for part in &mut self.parts {
            over(&mut part.name);
            part.value.iter_mut().chain(&mut part.options).chain(&mut part.address).for_each(over);
        }
        self
    }
}
