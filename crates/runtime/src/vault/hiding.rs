//! The mask laid over what sessions tell: problems, receipts, tabs, questions. Looks are veiled when they are made.

use std::borrow::Cow;

use legwork_policy::secrets::Mask;
use legwork_types::{
    Details, PageText, Problem,
    contract::{CaughtRequest, Dialog, ObservationId, Receipt, Tab, Verification},
};

use super::Vault;
use crate::{Acted, Landing, Question};

impl Vault {
    /// A problem as it may be told.
    pub(crate) fn hidden_problem(&self, mut problem: Problem) -> Problem {
        if !self.hides_nothing() {
            let over = Over(&self.mask());
            over.text(&mut problem.message);
            over.text(&mut problem.hint);
            problem.cause.iter_mut().for_each(|cause| over.text(cause));
            problem.details.iter_mut().for_each(|details| over.details(details));
        }
        problem
    }

    /// What came of an act as it may be told.
    pub(crate) fn hidden_acted(&self, mut acted: Acted) -> Acted {
        if !self.hides_nothing() {
            let over = Over(&self.mask());
            over.receipt(&mut acted.receipt);
            over.verification(&mut acted.verification);
            acted.error = acted.error.map(|problem| self.hidden_problem(problem));
        }
        acted
    }

    /// Where a navigation led, as it may be told.
    pub(crate) fn hidden_landing(&self, mut landing: Landing) -> Landing {
        if !self.hides_nothing() {
            let over = Over(&self.mask());
            over.text(&mut landing.url);
            over.text(&mut landing.title);
            landing.content_type.iter_mut().for_each(|kind| over.text(kind));
        }
        landing
    }

    /// Tabs as they may be told.
    pub(crate) fn hidden_tabs(&self, mut tabs: Vec<Tab>) -> Vec<Tab> {
        if !self.hides_nothing() {
            let over = Over(&self.mask());
            for tab in &mut tabs {
                over.words(&mut tab.url);
                over.words(&mut tab.title);
            }
        }
        tabs
    }

    /// A dialog as it may be told.
    pub(crate) fn hidden_dialog(&self, mut dialog: Dialog) -> Dialog {
        if !self.hides_nothing() {
            Over(&self.mask()).words(&mut dialog.message);
        }
        dialog
    }

    /// A question as people may read it.
    pub(crate) fn hidden_question(&self, mut question: Question) -> Question {
        if !self.hides_nothing() {
            let mask = self.mask();
            let over = Over(&mask);
            over.text(&mut question.page);
            question.act.iter_mut().chain(&mut question.said).for_each(|text| over.text(text));
            let card = &mut question.card;
            [&mut card.method, &mut card.origin, &mut card.path].into_iter().for_each(|text| over.text(text));
            let lists = [
                &mut card.reasons,
                &mut card.amounts,
                &mut card.operations,
                &mut card.opaque,
                &mut card.files,
            ];
            lists.into_iter().flatten().for_each(|text| over.text(text));
            for field in &mut card.fields {
                over.text(&mut field.name);
                over.text(&mut field.value);
            }
        }
        question
    }

    /// Any other text as it may be told.
    pub(crate) fn hidden(&self, text: String) -> String {
        if self.hides_nothing() {
            return text;
        }
        self.mask().over(&text).into_owned()
    }
}

struct Over<'m>(&'m Mask);

impl Over<'_> {
    fn text(&self, text: &mut String) {
        if let Cow::Owned(hidden) = self.0.over(text) {
            *text = hidden;
        }
    }

    fn words(&self, words: &mut PageText) {
        if let Cow::Owned(hidden) = self.0.over(words.untrusted()) {
            *words = PageText::from(hidden);
        }
    }

    fn receipt(&self, receipt: &mut Receipt) {
        let effects = &mut receipt.effects;
        if let Some(navigated) = &mut effects.navigated {
            self.words(&mut navigated.from);
            self.words(&mut navigated.to);
        }
        for request in &mut effects.requests {
            self.text(&mut request.method);
            self.words(&mut request.origin);
            self.words(&mut request.path);
        }
        effects.dialog.iter_mut().for_each(|dialog| self.words(&mut dialog.message));
        effects.download.iter_mut().for_each(|download| self.words(&mut download.name));
    }

    fn verification(&self, verification: &mut Verification) {
        self.text(&mut verification.reason);
        verification.observed.iter_mut().for_each(|observed| self.words(observed));
    }

    fn details(&self, details: &mut Details) {
        match details {
            Details::Stale { provided: ObservationId(provided), .. } => self.text(provided),
            Details::Obscured { by } => self.words(by),
            Details::Gone { gone_at, .. } => self.words(gone_at),
            Details::Options { options, .. } => options.iter_mut().for_each(|option| self.words(option)),
            Details::Confirmation { required_confirmation_text, provided, reasons, .. } => {
                let texts = required_confirmation_text.iter_mut().chain(provided).chain(reasons);
                texts.for_each(|text| self.text(text));
            }
            Details::Caught { act, request, required_confirmation_text, reasons, allow_with, .. } => {
                act.iter_mut().for_each(|act| self.words(act));
                self.request(request);
                let texts = required_confirmation_text.iter_mut().chain(reasons).chain(allow_with);
                texts.for_each(|text| self.text(text));
            }
            Details::Contract { path: text }
            | Details::Network { net: text }
            | Details::Rule { rule: text } => {
                self.text(text);
            }
        }
    }

    fn request(&self, request: &mut CaughtRequest) {
        self.text(&mut request.method);
        self.words(&mut request.origin);
        self.words(&mut request.path);
        let lists = [&mut request.amounts, &mut request.operations, &mut request.opaque, &mut request.files];
        lists.into_iter().flatten().for_each(|words| self.words(words));
        for field in &mut request.fields {
            self.words(&mut field.name);
            self.words(&mut field.value);
        }
    }
}
