//! Roles and names by Chromium's own accessibility tree, in place of the walker's.

use std::collections::HashMap;

use futures_util::future::join_all;
use legwork_cdp::protocol::{accessibility, dom};
use legwork_observe::capture::FrameLook;
use legwork_types::PageText;

use super::{
    Epoch,
    closed_roots::AT_ONCE,
    eye::Eye,
    unlisted::{self, Unlisted},
};
use crate::BrowserError;

/// Roles of the tree that somebody can act on, in Chromium's words: those that begin with a capital are its own.
pub(crate) const ACTIVE: [&str; 25] = [
    "button",
    "link",
    "textbox",
    "searchbox",
    "combobox",
    "listbox",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
    "tab",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "treeitem",
    "Date",
    "DateTime",
    "InputTime",
    "ColorWell",
    "DisclosureTriangle",
    "DisclosureTriangleGrouped",
    "PopUpButton",
    "scrollbar",
];

/// Names longer than this are cut, as the walker cuts them.
const NAME: usize = 300;

/// Gives every control of the look the role and name that the tree has for it, and adds what only the tree knows of.
pub(super) async fn rename(eye: &Eye<'_>, epoch: &Epoch, look: &mut FrameLook) -> Result<(), BrowserError> {
    let tree = eye.call(&accessibility::GetFullAxTree { frame_id: Some(eye.frame.as_str()) }).await?;
    let tree = tree.read::<accessibility::FullAxTree>().map_err(BrowserError::Protocol)?;
    let places = places(eye, epoch).await?;
    let mut unlisted = Vec::new();
    for node in tree.nodes.iter().filter(|node| !node.ignored) {
        let role = node.role.as_ref().map_or("", |role| role.value.0.as_str());
        let name = node.name.as_ref().map_or("", |name| name.value.0.as_str());
        let name = PageText::from(name.chars().take(NAME).collect::<String>());
        let place = node.backend_dom_node_id.and_then(|number| places.get(&number)).copied();
        match place.and_then(|place| look.controls.get_mut(place)) {
            Some(control) => {
                control.role = role.into();
                control.name = name;
            }
            None if ACTIVE.contains(&role) => {
                unlisted.push(Unlisted { node: node.backend_dom_node_id, role: role.into(), name });
            }
            None => {}
        }
    }
    unlisted::take_in(eye, epoch, look, unlisted).await
}

/// Which node of the tree is which control of the look.
async fn places(eye: &Eye<'_>, epoch: &Epoch) -> Result<HashMap<i64, usize>, BrowserError> {
    let handles = eye.handles(&format!("legwork.elements('{epoch}')")).await?;
    let mut places = HashMap::new();
    for some in handles.chunks(AT_ONCE) {
        let numbers = join_all(some.iter().map(|(_, handle)| number(eye, handle))).await;
        for ((place, _), number) in some.iter().zip(numbers) {
            if let Some(number) = number? {
                places.insert(number, *place);
            }
        }
    }
    Ok(places)
}

/// The number of the node behind a handle; none if it is gone by now.
async fn number(eye: &Eye<'_>, handle: &str) -> Result<Option<i64>, BrowserError> {
    match eye.call(&dom::DescribeNode { object_id: handle }).await {
        Ok(described) => {
            let described = described.read::<dom::Described>().map_err(BrowserError::Protocol)?;
            Ok(Some(described.node.backend_node_id))
        }
        Err(BrowserError::Protocol(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
