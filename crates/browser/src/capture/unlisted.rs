//! What the accessibility tree offers beyond the walker's list: each is listed, counted, or known as a part of what is.

use futures_util::future::join_all;
use legwork_cdp::protocol::{
    dom,
    runtime::{self, CallArgument},
};
use legwork_observe::capture::{Attributes, Control, ControlState, Flag, FrameLook, NodeRef, Rect};
use legwork_types::PageText;
use serde::Deserialize;

use super::{Epoch, closed_roots::AT_ONCE, eye::Eye, script::function_with_walker};
use crate::{BrowserError, tab::read_value};

/// How many are asked about; the rest is counted.
const ASKED: usize = 1000;

/// Something of the tree that somebody can act on and that is none of the look's controls.
pub(super) struct Unlisted {
    /// The node that it stands for.
    pub(super) node: Option<i64>,
    pub(super) role: Box<str>,
    pub(super) name: PageText,
}

/// What the walker says of one that has a node; nothing where the look accounts for it already.
#[derive(Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
enum Found {
    /// It is in the walker's list from now on.
    #[serde(rename_all = "camelCase")]
    Listed { index: u32, tag: Box<str>, rect: [f32; 4], is_in_sight: bool },
    /// Nobody can see it.
    Hidden,
    /// There is no element behind it.
    Bare,
    /// It could not be asked about.
    Unknown,
}

/// Adds all of them to the look.
pub(super) async fn take_in(
    eye: &Eye<'_>,
    epoch: &Epoch,
    look: &mut FrameLook,
    mut unlisted: Vec<Unlisted>,
) -> Result<(), BrowserError> {
    // A look that lacks what is beyond the limits says so; the tree has just those too.
    if look.left_out.over_budget > 0 {
        unlisted.retain(|one| one.node.is_none());
    }
    let beyond = unlisted.split_off(unlisted.len().min(ASKED));
    look.left_out.over_budget += u32::try_from(beyond.len()).unwrap_or(u32::MAX);
    for some in unlisted.chunks(AT_ONCE) {
        let found = ask(eye, epoch, some).await?;
        for (one, found) in some.iter().zip(found) {
            match found {
                Some(Found::Hidden) => look.left_out.hidden += 1,
                Some(Found::Unknown) => look.left_out.over_budget += 1,
                Some(found) => add(look, one, &found),
                None => {}
            }
        }
    }
    Ok(())
}

/// What the walker says of these.
async fn ask(eye: &Eye<'_>, epoch: &Epoch, some: &[Unlisted]) -> Result<Vec<Option<Found>>, BrowserError> {
    let handles = join_all(some.iter().map(|one| resolve(eye, one.node))).await;
    let handles: Vec<Result<String, Found>> = handles.into_iter().collect::<Result<_, _>>()?;
    let given: Vec<CallArgument<'_>> =
        handles.iter().flatten().map(|handle| CallArgument::ObjectId(handle)).collect();
    let mut found = match given.first() {
        Some(CallArgument::ObjectId(any)) => enlist(eye, epoch, any, &given).await?.into_iter(),
        _ => Vec::new().into_iter(),
    };
    let answer = |handle: Result<String, Found>| match handle {
        Ok(_) => found.next().unwrap_or(Some(Found::Unknown)),
        Err(known) => Some(known),
    };
    Ok(handles.into_iter().map(answer).collect())
}

/// Has the walker take these nodes into its list. Any of them will do to call it.
async fn enlist(
    eye: &Eye<'_>,
    epoch: &Epoch,
    any: &str,
    nodes: &[CallArgument<'_>],
) -> Result<Vec<Option<Found>>, BrowserError> {
    let enlist = runtime::CallFunctionOn {
        function_declaration: &function_with_walker(&format!("legwork.enlist('{epoch}', [...arguments])")),
        object_id: any,
        arguments: nodes,
        return_by_value: true,
    };
    let answer: String = read_value(&eye.call(&enlist).await?)?;
    serde_json::from_str(&answer).map_err(|error| {
        let detail = error.to_string();
        BrowserError::Protocol(legwork_cdp::CdpError::Unreadable { method: "Runtime.callFunctionOn", detail })
    })
}

/// A handle to a node of the tree, or what is known without one.
async fn resolve(eye: &Eye<'_>, node: Option<i64>) -> Result<Result<String, Found>, BrowserError> {
    let Some(backend_node_id) = node else { return Ok(Err(Found::Bare)) };
    let resolve = dom::ResolveNode {
        backend_node_id,
        execution_context_id: eye.context,
        object_group: eye.handle_group(),
    };
    let resolved = match eye.call(&resolve).await {
        Err(BrowserError::Protocol(_)) => return Ok(Err(Found::Unknown)),
        resolved => resolved?,
    };
    let resolved = resolved.read::<dom::Resolved<'_>>().map_err(BrowserError::Protocol)?;
    Ok(resolved.object.object_id.map(str::to_owned).ok_or(Found::Unknown))
}

/// A further control of the look, at its end: the tree does not say where the walker would have met it.
fn add(look: &mut FrameLook, one: &Unlisted, found: &Found) {
    let place = u32::try_from(look.controls.len()).unwrap_or(u32::MAX);
    let visible = ControlState::default().with(Flag::Visible);
    let (index, tag, [x, y, width, height], state) = match found {
        Found::Listed { index, tag, rect, is_in_sight: true } => {
            (*index, tag.clone(), *rect, visible.with(Flag::InViewport))
        }
        Found::Listed { index, tag, rect, .. } => (*index, tag.clone(), *rect, visible),
        Found::Hidden | Found::Bare | Found::Unknown => {
            (place, "".into(), [0.0; 4], visible.with(Flag::NoElement))
        }
    };
    look.controls.push(Control {
        index,
        tag,
        role: one.role.clone(),
        name: one.name.clone(),
        state,
        rect: Rect { x, y, width, height },
        attributes: Box::new(Attributes::default()),
        children: Vec::new(),
    });
    look.roots.push(NodeRef::Control(place));
}
