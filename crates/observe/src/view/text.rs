//! The text form of one part of a look, within its budget.
//!
//! The budget goes first to the fence, the header and the footer, each bounded; then to as many controls as fit together
//! with the short texts by which they are told apart (these get at most a third); then to longer texts, in the first part
//! up to its end.

use std::cell::RefCell;

use foldhash::{HashMap, HashMapExt, HashSet};
use legwork_types::contract::{ActionId, Include, RiskLevel};

use super::{
    fence::Boundary,
    header::header,
    layout::{self, Entry},
    line::{self, Addresses, Caution, Manner, Mark},
    margin::{footer, gone, prose},
    told::{Above, Brings, Told, is_title, titles},
};
use crate::{
    look::{Look, Question},
    scene::{ItemIndex, Line},
    story::{Worth, anchors, says_something},
    tokens,
};

/// The budget of a view unless the caller names one.
const USUAL: u32 = 2_000;
/// The least budget: one control, the fence and the footer fit in any case.
const LEAST: u32 = 200;
/// The greatest budget.
const GREATEST: u32 = 20_000;
/// The most bytes of a view.
const BYTES: usize = 100_000;

/// One part of a look as text.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) text: String,
    /// How many controls it shows.
    pub(crate) shown: usize,
    /// How many texts beside them it leaves out.
    pub(crate) texts_left_out: u32,
}

/// The text form of the part that was asked for, with at most so many controls.
pub(crate) fn render(look: &Look, question: &Question<'_>, most: usize, boundary: &Boundary) -> View {
    let budget = question.options.max_tokens.unwrap_or(USUAL).clamp(LEAST, GREATEST);
    // A sixteenth is kept back: an estimate is no count.
    let budget = budget - budget / 16;
    let first = question.offset == 0;
    // Whoever reads on knows which look it is: the cursor said so.
    let name = if first { format!("observation {}\n", look.id()) } else { String::new() };
    let head = name + &boundary.opening();
    let close = boundary.closing();
    let mut plan = Plan::new(look, question, budget);
    let told = Told::new(look, question, &plan.brings);
    plan.above = told.above(question.offset);
    plan.brings.values_mut().for_each(|texts| texts.retain(|&at| !told.is_told(at)));
    let mut top: Vec<String> = Vec::new();
    if first {
        top.extend(header(look, &told, budget * 2 / 5).into_iter().map(|line| line + "\n"));
        top.extend(gone(question, budget / 8));
    }
    let room = footer(look, question, question.rest().len().min(1), u32::MAX);
    let fixed =
        tokens::estimate(&head) + tokens::estimate(&close) + layout::cost(&top) + tokens::estimate(&room);
    let left = budget.saturating_sub(fixed);
    let prose_wanted = first && question.options.include.contains(&Include::Text);
    let body = plan.body(most, if prose_wanted { left / 2 } else { left });
    let prose =
        if prose_wanted { prose(look, left.saturating_sub(layout::cost(&body.lines))) } else { Vec::new() };

    let mut text = head;
    let footer = footer(look, question, body.shown, body.left_out);
    for line in top.iter().chain(&body.lines).chain(&prose) {
        if text.len() + line.len() + close.len() + footer.len() <= BYTES {
            text.push_str(line);
        }
    }
    text.push_str(&close);
    text.push_str(&footer);
    View { text, shown: body.shown, texts_left_out: body.left_out }
}

/// What a view's middle is made of.
struct Plan<'a> {
    look: &'a Look,
    question: &'a Question<'a>,
    manner: Manner,
    marks: HashMap<ActionId, Mark>,
    /// What the head says.
    above: Above,
    /// The texts that each control brings along.
    brings: Brings,
    /// Texts that were written already.
    written: RefCell<HashMap<usize, Option<Entry>>>,
}

struct Body {
    lines: Vec<String>,
    shown: usize,
    left_out: u32,
}

impl<'a> Plan<'a> {
    fn new(look: &'a Look, question: &'a Question<'a>, budget: u32) -> Self {
        let narrow = question.options.find.is_some();
        let part =
            question.rest().iter().take(question.most()).filter_map(|&index| look.scene().items.get(index));
        let careful = part.filter(|item| item.affordance.risk.level == RiskLevel::Caution).count();
        let usual = careful * 8 > question.rest().len().min(question.most()).max(24);
        let manner = Manner {
            name: (budget / 12).clamp(8, 60),
            addresses: if narrow { Addresses::Always } else { Addresses::Needed },
            caution: if usual { Caution::Usual } else { Caution::Rare },
            base: url::Url::parse(look.scene().page.final_url.untrusted()).ok(),
        };
        let delta = question.delta.iter();
        let added = delta.clone().flat_map(|delta| &delta.added).map(|added| (added.action_id, Mark::New));
        let changed =
            delta.flat_map(|delta| &delta.changed).map(|change| (change.now.action_id, Mark::Changed));
        Self {
            look,
            question,
            manner,
            marks: added.chain(changed).collect(),
            above: Above::default(),
            brings: brings(look, question),
            written: RefCell::default(),
        }
    }

    fn control(&self, index: ItemIndex) -> Option<Entry> {
        let item = self.look.scene().items.get(index)?;
        let in_card = self.look.story().card.get(item.group).copied().flatten().is_some();
        let near =
            item.affordance.near_text.as_ref().filter(|_| self.question.options.find.is_some() && !in_card);
        let mark = self.marks.get(&item.affordance.action_id).copied();
        layout::control(self.look, index, line::control(&item.affordance, &self.manner, near, mark))
    }

    /// A text in its place.
    fn text(&self, at: usize) -> Option<Entry> {
        self.written.borrow_mut().entry(at).or_insert_with(|| self.write(at)).clone()
    }

    fn write(&self, at: usize) -> Option<Entry> {
        let most = match self.look.story().worth.get(at)? {
            Worth::Key => self.manner.name,
            Worth::Near => self.manner.name / 2,
            Worth::Long | Worth::Again | Worth::Noise => self.manner.name * 3 / 2,
            Worth::None => return None,
        };
        layout::text(self.look, at, most)
    }

    /// The texts that these controls bring along, by worth and in order of the document.
    fn texts(&self, shown: &[ItemIndex]) -> Vec<(Worth, usize)> {
        let first = self.question.offset == 0;
        let homeless = self.brings.get(&None).filter(|_| first).into_iter().flatten();
        let brought = shown.iter().filter_map(|index| self.brings.get(&Some(*index))).flatten();
        let texts: HashSet<usize> = homeless.chain(brought).copied().collect();
        let worth = |at: usize| self.look.story().worth.get(at).copied().unwrap_or(Worth::None);
        let mut texts: Vec<_> = texts.into_iter().map(|at| (worth(at), at)).collect();
        texts.sort_unstable();
        texts
    }

    /// As many controls as fit, with the texts that belong to them.
    fn body(&self, most: usize, budget: u32) -> Body {
        let rest = self.question.rest();
        let most = most.min(rest.len());
        let controls: Vec<Entry> = rest.iter().take(most).filter_map(|&index| self.control(index)).collect();
        let cost = |count: usize| {
            let weight = layout::weigh(self.look, controls.get(..count).unwrap_or_default());
            let texts = self.texts(rest.get(..count).unwrap_or_default());
            let essential =
                texts.iter().filter(|(worth, _)| *worth <= Worth::Near).filter_map(|(_, at)| self.text(*at));
            let mut texts = 0;
            for text in essential {
                texts += text.cost;
                if texts > budget / 3 {
                    break;
                }
            }
            weight + texts.min(budget / 3)
        };
        // The most that fit; one in any case, for whoever reads on must come to an end.
        let (mut fits, mut too_many) = (most.min(1), most + 1);
        while fits + 1 < too_many {
            let middle = fits + (too_many - fits) / 2;
            if cost(middle) <= budget { fits = middle } else { too_many = middle }
        }
        fits = self.whole_cards(rest, fits);
        let shown = controls.get(..fits).unwrap_or_default();
        self.with_texts(shown, rest.get(..fits).unwrap_or_default(), budget)
    }

    /// A part does not end in the middle of a card, if that costs it no more than a quarter.
    fn whole_cards(&self, rest: &[ItemIndex], fits: usize) -> usize {
        let card = |place: usize| {
            let item = rest.get(place).and_then(|&index| self.look.scene().items.get(index))?;
            self.look.story().card.get(item.group).copied().flatten()
        };
        let cut = card(fits).filter(|next| fits > 0 && card(fits - 1) == Some(*next));
        let begin =
            cut.and_then(|cut| (0..fits).rev().find(|&place| card(place) != Some(cut))).map(|last| last + 1);
        begin.filter(|&begin| begin * 4 >= fits * 3).unwrap_or(fits)
    }

    fn with_texts(&self, controls: &[Entry], shown: &[ItemIndex], budget: u32) -> Body {
        let texts = self.texts(shown);
        let first = self.question.offset == 0;
        let alone = first && shown.len() == self.question.selection.listed.len();
        let mut spent = layout::weigh(self.look, controls);
        let mut chosen: Vec<Entry> = Vec::new();
        for &(worth, at) in &texts {
            let limit = match worth {
                Worth::Key | Worth::Near => budget,
                // Many readers take the first part only: what its controls leave free tells what the page is about.
                Worth::Long if first => budget,
                // Whoever reads on pays for every part: what tells nothing apart is not repeated in each.
                Worth::Long => budget * 3 / 5,
                Worth::Again if first => budget * 3 / 5,
                Worth::Noise if alone => budget * 3 / 5,
                Worth::Again | Worth::Noise | Worth::None => 0,
            };
            // Where nothing fits any more, the rest need not be written.
            if spent >= limit {
                continue;
            }
            if let Some(entry) = self.text(at).filter(|entry| spent + entry.cost <= limit) {
                spent += entry.cost;
                chosen.push(entry);
            }
        }
        loop {
            let lines = {
                let entries: Vec<Entry> = controls.iter().chain(&chosen).cloned().collect();
                layout::lines(self.look, &self.above, &entries)
            };
            // Headers that only texts stand under were not in the account.
            if layout::cost(&lines) <= budget || chosen.is_empty() {
                let signs = |at: &usize| match self.look.scene().outline.get(*at).map(|line| &line.line) {
                    Some(Line::Text(text)) => !says_something(text.untrusted()),
                    _ => false,
                };
                let all = texts.iter().filter(|(_, at)| !signs(at)).count();
                let left_out = u32::try_from(all.saturating_sub(chosen.len())).unwrap_or(u32::MAX);
                return Body { lines, shown: shown.len(), left_out };
            }
            chosen.truncate(chosen.len() * 9 / 10);
        }
    }
}

/// Which texts come with which control. For a search these are all texts of its card; else each text comes once.
fn brings(look: &Look, question: &Question<'_>) -> Brings {
    let (scene, story) = (look.scene(), look.story());
    let titles: Vec<String> = titles(look).collect();
    let worthy = |at: &usize| {
        story.worth.get(*at).is_some_and(|worth| *worth != Worth::None) && !is_title(look, &titles, *at)
    };
    let mut brings = Brings::new();
    if question.options.find.is_some() {
        let mut of_card: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, line) in scene.outline.iter().enumerate().filter(|(at, _)| worthy(at)) {
            if let Some(card) = story.card.get(line.group).copied().flatten() {
                of_card.entry(card).or_default().push(at);
            }
        }
        for &index in &question.selection.listed {
            let group = scene.items.get(index).map(|item| item.group).unwrap_or_default();
            let card = story.card.get(group).copied().flatten();
            if let Some(texts) = card.and_then(|card| of_card.get(&card)) {
                brings.insert(Some(index), texts.clone());
            }
        }
        return brings;
    }
    let hidden = question.options.include_hidden;
    let listed = |index: ItemIndex| {
        scene.items.get(index).is_some_and(|item| {
            let affordance = &item.affordance;
            (affordance.visible || hidden) && (!affordance.disabled || question.options.include_disabled)
        })
    };
    for (at, anchor) in anchors(scene, story, listed).into_iter().enumerate().filter(|(at, _)| worthy(at)) {
        brings.entry(anchor).or_default().push(at);
    }
    brings
}
