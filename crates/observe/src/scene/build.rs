//! From a capture to a scene: each reading builds on those before it.

use std::sync::Arc;

use legwork_types::contract::{Omitted, Page};

use super::{
    Scene, banners, blockers, dialogs,
    fingerprint::fingerprints,
    forms::forms,
    identity,
    items::{Findings, item},
    landmarks::landmarks,
    near_text::near_texts,
    outline::{Heading, groups, headings, outline},
    risk::risks,
    stage::{Standout, standouts},
    survey::Survey,
    veiled::veiled,
};
use crate::{capture::PageCapture, veil::Veil};

impl Scene {
    /// Understands a page. Total: whatever the capture holds, every control of it is among the items, once.
    pub fn of(capture: &PageCapture) -> Self {
        Self::behind(capture, None)
    }

    /// The same, without anything that the veil hides.
    pub fn behind(capture: &PageCapture, veil: Option<Arc<dyn Veil>>) -> Self {
        let survey = Survey::of(capture, veil);
        let standouts = standouts(&survey);
        let landmarks = landmarks(&survey, &standouts);
        let headings = headings(&survey);
        let mut groups = groups(&survey, &landmarks);
        let forms = forms(&survey, &mut groups, &headings);
        let near_texts = near_texts(&survey, &headings);
        let (risks, by_enter) = risks(&survey, &forms, &headings, &near_texts, &standouts);
        let fingerprints = fingerprints(&survey, &forms, &near_texts);
        let blockers = blockers::blockers(&survey, &forms, &headings, &landmarks, &standouts);
        let outline = outline(&survey, &groups, &headings);
        let mut page = page(&survey, &standouts, &headings);
        page.blocking_overlay = dialogs::overlay(&survey, &standouts, &landmarks);
        let risks = risks.into_iter().zip(by_enter);
        let findings = risks.zip(near_texts).zip(fingerprints).zip(&forms.of_items);
        let items = findings
            .enumerate()
            .map(|(number, ((((risk, sends), near_text), fingerprint), &form))| {
                item(
                    &survey,
                    number,
                    &landmarks,
                    &groups,
                    Findings { risk, sends, near_text, fingerprint, form },
                )
            })
            .collect();
        Self {
            page,
            blockers,
            items,
            groups: groups.all,
            outline,
            forms: forms.all.iter().map(|form| form.finished(&survey)).collect(),
            omitted: omitted(&survey),
            veiled: veiled(&survey),
            surfaces: survey.frames.surfaces(),
        }
    }
}

fn page(survey: &Survey<'_>, standouts: &[Standout], headings: &[Heading]) -> Page {
    let capture = survey.capture;
    let pen = &survey.pen;
    let document = capture.frames.first().map(|main| &main.look.document);
    let modals = dialogs::modals(survey, standouts);
    let primary_heading = identity::primary_heading(survey, headings);
    let route_key = identity::route_key(survey, primary_heading.as_ref(), &modals);
    Page {
        domain: pen.write(&identity::domain(identity::final_url(survey)), 260).untrusted().to_owned(),
        url: identity::written(pen, capture.requested_url.untrusted()),
        final_url: identity::written(pen, identity::final_url(survey)),
        lang: document.and_then(|document| pen.write_some(document.lang.untrusted(), 35)),
        title: document.and_then(|document| pen.write_some(document.title.untrusted(), 200)),
        primary_heading,
        route_key,
        load_state: capture.load_state(),
        blocking_overlay: Default::default(),
        // Their controls have no numbers yet; see the scene's own.
        blockers: Vec::new(),
        banners: banners::banners(survey, standouts),
        modals,
        dialogs: identity::dialogs(survey),
        frames: survey.frames.summaries(capture, pen),
        tabs: identity::tabs(survey),
        viewport: identity::viewport(survey),
    }
}

fn omitted(survey: &Survey<'_>) -> Omitted {
    let capture = survey.capture;
    let mut omitted = Omitted {
        unreachable_frames: u32::try_from(capture.unreachable.len()).unwrap_or(u32::MAX),
        hidden_text: survey.tree.unseen_texts,
        ..Omitted::default()
    };
    let add = |sum: &mut u32, more: u32| *sum = sum.saturating_add(more);
    for frame in &capture.frames {
        let left_out = frame.look.left_out;
        add(&mut omitted.hidden, left_out.hidden);
        add(&mut omitted.over_budget, left_out.over_budget);
        add(&mut omitted.over_budget, left_out.cut_texts);
        add(&mut omitted.hidden_text, left_out.hidden_texts);
        add(&mut omitted.closed_roots_unchecked, left_out.closed_roots_unchecked);
    }
    omitted
}
