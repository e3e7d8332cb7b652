//! What a dialog does to a tab, and what an answer does to a dialog.

use legwork_cdp::{SessionId, protocol::page};
use legwork_types::{FrameId, TabId};

use super::{
    Effect, Gone, Happening, Owner, World,
    clip::{MESSAGE, clip},
    dialogs::{DialogFacts, DialogKind, DialogVerdict, OpenDialog, judge},
};

impl World {
    pub(super) fn dialog_opened(&mut self, session: SessionId, dialog: &page::DialogOpening) -> Vec<Effect> {
        let Some(Owner::Page(id) | Owner::Frame(id)) = self.sessions.get(&session).copied() else {
            return vec![];
        };
        let Some(tab) = self.tabs.get_mut(&id) else { return vec![] };
        let kind = DialogKind::from_protocol(&dialog.kind);
        let facts = DialogFacts {
            kind,
            before: tab.dialogs,
            leaving: tab.leaving.counts_for(kind),
            unanswered: tab.unanswered,
        };
        tab.dialogs += 1;
        let message = clip(&dialog.message.0, MESSAGE);
        let verdict = judge(facts);
        let answer = match verdict {
            DialogVerdict::Accept => "accepted",
            DialogVerdict::Dismiss | DialogVerdict::Storm => "dismissed",
            DialogVerdict::Hold => "held",
        };
        if let Some(context) = self.contexts.get_mut(&tab.context) {
            context.happenings.add(Happening::Dialog { tab: id, kind, message: message.clone(), answer });
        }
        match verdict {
            DialogVerdict::Accept => vec![Effect::AnswerDialog { session, accept: true, text: None }],
            DialogVerdict::Dismiss => vec![Effect::AnswerDialog { session, accept: false, text: None }],
            DialogVerdict::Hold => {
                self.serials += 1;
                let serial = self.serials;
                let frame = dialog.frame_id.as_ref().map(FrameId::new);
                tab.state.send_modify(|state| {
                    state.dialog = Some(OpenDialog { kind, message, session, frame, serial });
                });
                vec![Effect::ExpireDialog { tab: id, serial }]
            }
            DialogVerdict::Storm => self.end_over_dialogs(id, "a storm of dialogs"),
        }
    }

    /// Ends a tab whose dialogs nobody can answer any more: there are too many, or who asked is gone.
    pub(super) fn end_over_dialogs(&mut self, id: TabId, why: &'static str) -> Vec<Effect> {
        let Some(tab) = self.tabs.get_mut(&id) else { return vec![] };
        tab.state.send_modify(|state| state.dialog = None);
        let mut effects = vec![Effect::CutOff { session: tab.state.borrow().session.clone() }];
        effects.extend(self.end_tab(id, Gone::Hostile(why), why));
        effects
    }

    /// Answers the dialog that waits; none if there is no such dialog (any more).
    pub(crate) fn answer_dialog(
        &mut self,
        id: TabId,
        accept: bool,
        text: Option<String>,
    ) -> Option<Vec<Effect>> {
        let tab = self.tabs.get_mut(&id)?;
        let dialog = tab.state.borrow().dialog.clone()?;
        tab.state.send_modify(|state| state.dialog = None);
        Some(vec![Effect::AnswerDialog { session: dialog.session, accept, text }])
    }

    /// The same for this dialog alone.
    pub(crate) fn answer_this_dialog(
        &mut self,
        id: TabId,
        serial: u64,
        accept: bool,
        text: Option<String>,
    ) -> Option<Vec<Effect>> {
        let open = self.tabs.get(&id)?.state.borrow().dialog.as_ref().map(|dialog| dialog.serial);
        if open == Some(serial) { self.answer_dialog(id, accept, text) } else { None }
    }

    /// Nobody answered in time.
    pub(crate) fn dialog_expired(&mut self, id: TabId, serial: u64) -> Vec<Effect> {
        let Some(tab) = self.tabs.get_mut(&id) else { return vec![] };
        if tab.state.borrow().dialog.as_ref().is_none_or(|dialog| dialog.serial != serial) {
            return vec![];
        }
        tab.unanswered = true;
        self.answer_dialog(id, false, None).unwrap_or_default()
    }
}
