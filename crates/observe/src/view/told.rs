//! What the head of a view says and what its body does, so that nothing is said twice.

use foldhash::{HashMap, HashSet};

use legwork_types::{
    PageText,
    contract::{Banner, Severity},
};

use crate::{
    capture::GroupKind,
    look::{Look, Question},
    scene::{GroupIndex, ItemIndex, Line, Scene, SceneBlocker},
    select::ancestors,
};

/// How many notices the head tells of; the rest is counted.
pub(super) const NOTICES: usize = 3;

/// So much of a text is compared.
const COMPARED: usize = 300;

/// Which texts come with which control.
pub(super) type Brings = HashMap<Option<ItemIndex>, Vec<usize>>;

/// The words alone: case, spaces and signs make no difference to a reader.
pub(super) fn plain(text: &str) -> String {
    letters(text).collect()
}

fn letters(text: &str) -> impl Iterator<Item = char> + '_ {
    let letters = text.chars().filter(|character| character.is_alphanumeric());
    letters.take(COMPARED).flat_map(char::to_lowercase)
}

/// The page's title and first heading, which the first part of a view begins with.
pub(super) fn titles(look: &Look) -> impl Iterator<Item = String> {
    let page = &look.scene().page;
    let titles = [&page.title, &page.primary_heading].into_iter().flatten();
    titles.map(|title| plain(title.untrusted())).filter(|title| !title.is_empty())
}

/// Whether the title or the first heading says what a line of the outline does. In a card or row the same words may tell
/// it from another one.
pub(super) fn is_title(look: &Look, titles: &[String], at: usize) -> bool {
    let Some(line) = look.scene().outline.get(at) else { return false };
    let is_one = |text: &PageText| titles.iter().any(|title| letters(text.untrusted()).eq(title.chars()));
    match &line.line {
        Line::Heading { text, .. } => is_one(text),
        Line::Text(text) => {
            let in_card = look.story().card.get(line.group).copied().flatten().is_some();
            !in_card && is_one(text)
        }
        Line::Control(_) => false,
    }
}

/// What the head of a part says, as words alone.
#[derive(Debug, Clone, Default)]
pub(super) struct Above {
    /// The page's title and first heading.
    pub(super) titles: Vec<String>,
    /// The notices that it tells of.
    pub(super) notices: Vec<String>,
}

/// The names of the dialogs that these groups stand in.
fn dialogs(scene: &Scene, groups: impl Iterator<Item = GroupIndex>) -> Vec<String> {
    let mut met: HashSet<GroupIndex> = HashSet::default();
    let mut names = Vec::new();
    for group in groups {
        let around = ancestors(scene, group).take_while(|&group| met.insert(group));
        let dialogs = around
            .filter_map(|group| scene.groups.get(group))
            .filter(|group| matches!(group.kind, GroupKind::Dialog | GroupKind::Modal));
        names.extend(dialogs.filter_map(|dialog| dialog.label.as_ref()).map(|name| plain(name.untrusted())));
    }
    names
}

/// What is said where.
#[derive(Debug)]
pub(super) struct Told<'a> {
    look: &'a Look,
    titles: Vec<String>,
    /// What the body of the first part may say, in order.
    body: Vec<String>,
    /// Names of the forms in it.
    forms: Vec<String>,
    /// Names of the dialogs in it.
    dialogs: Vec<String>,
    /// Notices that the head has to tell of.
    pub(super) notices: Vec<&'a Banner>,
    /// The same, as words alone, as far as they are shown.
    noticed: Vec<String>,
}

impl<'a> Told<'a> {
    /// Decides for all parts of a view at once, by what the first one brings.
    pub(super) fn new(look: &'a Look, question: &Question<'_>, brings: &Brings) -> Self {
        let scene = look.scene();
        let mut told = Self {
            look,
            titles: titles(look).collect(),
            body: Vec::new(),
            forms: Vec::new(),
            dialogs: Vec::new(),
            notices: Vec::new(),
            noticed: Vec::new(),
        };
        if scene.blockers.is_empty() && scene.page.banners.is_empty() && scene.page.modals.is_empty() {
            return told;
        }
        let listed: HashSet<ItemIndex> =
            question.selection.listed.iter().take(question.most()).copied().collect();
        let texts = listed.iter().map(|item| Some(*item)).chain([None]);
        let texts: HashSet<usize> = texts.filter_map(|item| brings.get(&item)).flatten().copied().collect();
        let words = |(at, line): (usize, &crate::scene::OutlineLine)| match &line.line {
            Line::Heading { text, .. } | Line::Text(text) => {
                texts.contains(&at).then(|| plain(text.untrusted()))
            }
            Line::Control(item) => {
                let item = scene.items.get(*item).filter(|_| listed.contains(item));
                item.map(|item| plain(item.affordance.name.untrusted()))
            }
        };
        told.body =
            scene.outline.iter().enumerate().filter_map(words).filter(|words| !words.is_empty()).collect();
        let forms: HashSet<usize> =
            listed.iter().filter_map(|&item| scene.items.get(item)).filter_map(|item| item.form).collect();
        let sections = forms.into_iter().filter_map(|form| scene.forms.get(form)?.section.as_ref());
        told.forms = sections.map(|section| plain(section.untrusted())).collect();
        let groups = listed.iter().filter_map(|&item| scene.items.get(item)).map(|item| item.group);
        let groups =
            groups.chain(texts.iter().filter_map(|&at| scene.outline.get(at)).map(|line| line.group));
        told.dialogs = dialogs(scene, groups);
        let alerts: Vec<String> = texts.iter().filter_map(|&at| told.alert(at)).collect();
        let pressing = |banner: &&Banner| {
            let words = plain(banner.text.untrusted());
            banner.severity != Severity::Info
                || alerts.iter().any(|alert| words.contains(alert.as_str()))
                || !told.is_in_body(&words)
        };
        told.notices = scene.page.banners.iter().filter(pressing).collect();
        told.noticed =
            told.notices.iter().take(NOTICES).map(|notice| plain(notice.text.untrusted())).collect();
        told
    }

    /// The words of a line that stands in an alert.
    fn alert(&self, at: usize) -> Option<String> {
        let scene = self.look.scene();
        let line = scene.outline.get(at)?;
        let mut around = ancestors(scene, line.group).filter_map(|group| scene.groups.get(group));
        let Line::Text(text) = &line.line else { return None };
        let words = plain(text.untrusted());
        (!words.is_empty() && around.any(|group| group.kind == GroupKind::Alert)).then_some(words)
    }

    /// Whether most of these words stand in the body, line after line.
    fn is_in_body(&self, words: &str) -> bool {
        let mut rest = words;
        for line in &self.body {
            rest = match rest.strip_prefix(line.as_str()) {
                Some(left) => left,
                None if line.starts_with(rest) => "",
                None => continue,
            };
            if 2 * rest.len() < words.len().max(1) {
                return true;
            }
        }
        false
    }

    /// The words of a blocker, if nothing else in this view says them.
    pub(super) fn words_of(&self, blocker: &'a SceneBlocker) -> Option<&'a PageText> {
        let text = blocker.text.as_ref()?;
        let words = plain(text.untrusted());
        let said = self.titles.contains(&words) || self.forms.contains(&words) || self.is_in_body(&words);
        (!said).then_some(text)
    }

    /// Whether a line or a header of the body says what a dialog is called.
    pub(super) fn names_dialog(&self, title: &PageText) -> bool {
        let title = plain(title.untrusted());
        self.dialogs.contains(&title) || self.body.contains(&title)
    }

    /// What stands above the lines of a part: only the first one has a head.
    pub(super) fn above(&self, offset: usize) -> Above {
        match offset {
            0 => Above { titles: self.titles.clone(), notices: self.noticed.clone() },
            _ => Above::default(),
        }
    }

    /// Whether the head says what this line does.
    pub(super) fn is_told(&self, at: usize) -> bool {
        let scene = self.look.scene();
        let Some(line) = scene.outline.get(at).filter(|_| !self.noticed.is_empty()) else { return false };
        let Line::Text(text) = &line.line else { return false };
        let words = plain(text.untrusted());
        match crate::story::is_message(scene, line.group) {
            _ if words.is_empty() => false,
            true => self.noticed.iter().any(|notice| notice.contains(&words)),
            false => self.noticed.contains(&words),
        }
    }
}
