//! What stands over a control that says nothing but "go on", or nothing at all: the heading that tells what it goes on with.

use legwork_types::contract::RiskLevel;

use super::{
    super::{
        outline::{Heading, heading_over},
        roles::Use,
        survey::Survey,
        tree::NodeIndex,
        words::Words,
    },
    Verdict, is_vague,
    signs::runs_script,
    titles::act_in_title,
    unnamed,
};
use crate::capture::GroupKind;

/// With more to read between them a heading is about the reading, and about the control only perhaps.
const FARTHEST: u32 = 600;

/// Judges by the heading over a control, where nothing nearer has said the worst already.
pub(super) fn by_heading(survey: &Survey<'_>, headings: &[Heading], item: usize, verdict: &mut Verdict) {
    let traits = &survey.traits[item];
    let is_pressed = traits.usage == Use::Press || runs_script(traits);
    if !is_pressed || verdict.0.level == RiskLevel::Danger || !is_vague(&traits.words) {
        return;
    }
    let Some(heading) = heading_over(survey, headings, traits.node) else { return };
    if is_apart(survey, heading.node, traits.node) {
        return;
    }
    let Some((phrase, true)) = act_in_title(&Words::of(heading.text.untrusted())) else { return };
    let between = survey.letters.between(&survey.tree, heading.node, traits.node);
    // Without a name it may as well be a picture that shows something.
    let name = survey.names.of_items[item].untrusted();
    let goes_on = !unnamed::is_unnamed(&traits.words)
        || unnamed::acts(survey, traits) && !unnamed::closes(traits, name);
    let level = if goes_on && between <= FARTHEST { RiskLevel::Danger } else { RiskLevel::Caution };
    verdict.add(level, format!("stands under the heading \"{phrase}\""));
}

/// Whether a heading is that of a card, a list or another part of the page that the control is not in.
fn is_apart(survey: &Survey<'_>, heading: NodeIndex, control: NodeIndex) -> bool {
    let tree = &survey.tree;
    let holds = |node: NodeIndex| tree.nodes[node].end > control;
    let mut own = tree.around(heading).take_while(|&node| !holds(node));
    holds(heading) || own.any(|node| !matches!(tree.kind(node), GroupKind::Generic | GroupKind::Header))
}
