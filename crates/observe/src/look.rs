//! One look at a page: ranked and numbered once; every question about it is answered from here.

use std::ops::Range;

use legwork_types::{
    PageText, Timestamp,
    contract::{
        ActionId, Affordance, Delta, Dialog, Observation, ObservationId, ObserveOptions, Omitted, SessionId,
        Within,
    },
};

use crate::{
    cursor, delta, drawn,
    error::ObserveError,
    part::{self, Part},
    prose,
    rank::rank,
    sameness,
    scene::{ElementRef, Item, ItemIndex, Scene, Veiled},
    select::{Area, Selection, select},
    story::Story,
    view::{Boundary, Reading, text},
};

/// The number that looks begin with, unless they go on where another ended.
const FIRST: u32 = 1;

/// One look at a page. Its numbers never change.
#[derive(Debug)]
pub struct Look {
    scene: Scene,
    id: ObservationId,
    session: SessionId,
    created_at: Timestamp,
    /// The items, best first.
    order: Vec<ItemIndex>,
    /// The number of the best one; those of the others follow.
    first: u32,
    story: Story,
    is_stale: bool,
}

/// A question that was found in order.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) options: &'a ObserveOptions,
    pub(crate) selection: Selection,
    /// Where in the selection this part begins.
    pub(crate) offset: usize,
    /// The whole difference to the earlier look.
    pub(crate) delta: Option<Delta>,
    /// The earlier look itself.
    pub(crate) earlier: Option<&'a Look>,
}

impl Question<'_> {
    /// What is left of the selection from this part on.
    pub(crate) fn rest(&self) -> &[ItemIndex] {
        self.selection.listed.get(self.offset..).unwrap_or_default()
    }

    /// The most controls of one part.
    pub(crate) fn most(&self) -> usize {
        self.options.max_affordances.clamp(1, 200) as usize
    }
}

impl Look {
    /// Ranks and numbers what a page offers.
    pub fn new(scene: Scene, id: ObservationId, session: SessionId, created_at: Timestamp) -> Self {
        Self::numbered_from(FIRST, scene, id, session, created_at)
    }

    /// The same with other numbers: where they go on from look to look, a number alone tells which look it is of.
    pub fn numbered_from(
        first: u32,
        mut scene: Scene,
        id: ObservationId,
        session: SessionId,
        created_at: Timestamp,
    ) -> Self {
        let order = rank(&scene.items);
        for (number, &index) in (first..).zip(&order) {
            if let Some(item) = scene.items.get_mut(index) {
                item.affordance.action_id = ActionId(number);
            }
        }
        let story = Story::of(&scene);
        Self { scene, id, session, created_at, order, first, story, is_stale: false }
    }

    /// What is known of a page that can't be looked at now: what it was, without what is on it, and the dialogs that wait.
    pub fn stale(
        last: &Scene,
        dialogs: Vec<Dialog>,
        id: ObservationId,
        session: SessionId,
        created_at: Timestamp,
    ) -> Self {
        let mut page = last.page.clone();
        page.dialogs = dialogs;
        page.banners.clear();
        page.modals.clear();
        let page_itself = last.groups.first().cloned();
        let scene = Scene {
            page,
            blockers: Vec::new(),
            items: Vec::new(),
            groups: page_itself.into_iter().collect(),
            outline: Vec::new(),
            forms: Vec::new(),
            omitted: Omitted::default(),
            veiled: Veiled::default(),
            surfaces: Vec::new(),
        };
        Self { is_stale: true, ..Self::new(scene, id, session, created_at) }
    }

    /// Whether the page could not be looked at.
    pub fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Whether words may not be enough to tell what is in sight, so that a model should get a picture with them: script draws
    /// something, or something can be acted on and nothing says what it is. Never of a page that could not be looked at.
    pub fn is_drawn(&self) -> bool {
        !self.is_stale && drawn::is_drawn(&self.scene)
    }

    /// A digest of all that a caller could be told of the page: the same for two looks at a page that has not changed, whatever
    /// they are called and numbered. Another one when anything that is told has changed, or the page is scrolled.
    ///
    /// What nobody is told is no part of it: what is drawn by script, the value of a secret field, what is beyond the
    /// beginning of a long value. Of use to one version only.
    pub fn digest(&self) -> u64 {
        sameness::digest(self)
    }

    /// Its name.
    pub fn id(&self) -> &ObservationId {
        &self.id
    }

    /// The session that it belongs to.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// When it was taken.
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// The page as it was understood.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The numbers of what is on it.
    pub fn numbers(&self) -> Range<u32> {
        let count = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
        self.first..self.first.saturating_add(count)
    }

    /// What has this number.
    pub fn affordance(&self, action: ActionId) -> Option<&Affordance> {
        self.item(action).map(|item| &item.affordance)
    }

    /// The element behind this number.
    pub fn element(&self, action: ActionId) -> Option<&ElementRef> {
        self.item(action).and_then(|item| item.element.as_ref())
    }

    /// The part of this look that was asked for, for programs. `earlier` is the look that `options.since` names.
    ///
    /// A part ends after `max_affordances` controls, before 100 KB of JSON, and, if `max_tokens` is given, where the text
    /// form would end.
    pub fn observe(
        &self,
        options: &ObserveOptions,
        earlier: Option<&Look>,
    ) -> Result<Observation, ObserveError> {
        let question = self.question(options, earlier)?;
        let most = match options.max_tokens {
            Some(_) => text::render(self, &question, question.most(), &Boundary::new(u64::MAX)).shown,
            None => question.most().min(question.rest().len()),
        };
        Ok(part::observation(self, &question, Part { count: most, texts_left_out: 0 }))
    }

    /// The part of this look that was asked for, as a text for models, and the same part for programs. The text costs at
    /// most `max_tokens` (2,000 unless told) and 100 KB.
    pub fn read(
        &self,
        options: &ObserveOptions,
        earlier: Option<&Look>,
        boundary: &Boundary,
    ) -> Result<Reading, ObserveError> {
        let question = self.question(options, earlier)?;
        let mut view = text::render(self, &question, question.most(), boundary);
        let part = |view: &text::View| Part { count: view.shown, texts_left_out: view.texts_left_out };
        let mut observation = part::observation(self, &question, part(&view));
        // Where the JSON form ends earlier, the text ends there too: both lead to the same next part.
        if observation.affordances.len() < view.shown {
            view = text::render(self, &question, observation.affordances.len(), boundary);
            observation = part::observation(self, &question, part(&view));
        }
        Ok(Reading { text: view.text, observation })
    }

    /// The words of the page, or of a part of it, as they read: at most so many characters. A page wrote them: they are data, and
    /// get out only inside a fence.
    pub fn words(&self, within: Option<Within>, most: usize) -> Result<PageText, ObserveError> {
        let area = within.map(|within| Area::new(self, within)).transpose()?;
        Ok(PageText::from(prose::words(&self.scene, area, most)))
    }

    /// All words of the page, wherever they stand, at most so many characters; and whether these are really all.
    pub fn all_words(&self, most: usize) -> (PageText, bool) {
        let has_gaps = self.scene.omitted.over_budget > 0 || self.scene.omitted.unreachable_frames > 0;
        let (words, is_cut) = prose::all_words(&self.scene, most);
        (PageText::from(words), !is_cut && !has_gaps)
    }

    pub(crate) fn item(&self, action: ActionId) -> Option<&Item> {
        let place = usize::try_from(action.0.checked_sub(self.first)?).ok()?;
        self.order.get(place).and_then(|&index| self.scene.items.get(index))
    }

    pub(crate) fn order(&self) -> &[ItemIndex] {
        &self.order
    }

    pub(crate) fn story(&self) -> &Story {
        &self.story
    }

    fn question<'a>(
        &self,
        options: &'a ObserveOptions,
        earlier: Option<&'a Look>,
    ) -> Result<Question<'a>, ObserveError> {
        if let Some(since) = &options.since
            && earlier.is_none_or(|earlier| earlier.id != *since)
        {
            return Err(ObserveError::UnknownEarlier { current: self.id.clone(), provided: since.clone() });
        }
        let selection = select(self, options)?;
        let offset = match &options.cursor {
            None => 0,
            Some(cursor) => cursor::decode(cursor, &self.id, options, selection.listed.len())?,
        };
        let delta = earlier.map(|earlier| delta::compare(earlier, self, options));
        Ok(Question { options, selection, offset, delta, earlier })
    }
}
