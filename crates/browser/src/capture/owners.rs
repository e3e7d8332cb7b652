//! Which element of its parent shows a frame. Windows count their frames, and both sides see the same count; a frame in a
//! shadow tree is not counted there, so the browser is asked for it.

use legwork_cdp::protocol::{
    dom,
    runtime::{self, CallArgument},
};
use legwork_observe::capture::FrameCapture;

use super::{Epoch, eye::Eye, places, script::function_with_walker};
use crate::{BrowserError, tab::read_value};

/// Notes for each frame by which of its parent's owners it is shown.
pub(super) async fn find(seen: &mut [(Eye<'_>, FrameCapture)], epoch: &Epoch) {
    let places = places(seen);
    for place in 1..seen.len() {
        let Some(parent) = seen[place].1.facts.parent.as_ref().and_then(|parent| places.get(parent)).copied()
        else {
            continue;
        };
        let owners = &seen[parent].1.look.owners;
        let counted = seen[place].1.look.document.index_in_parent;
        let counted = counted.and_then(|index| owners.iter().position(|owner| owner.index == Some(index)));
        let owner = match counted {
            None if owners.iter().any(|owner| owner.index.is_none()) => {
                asked(&seen[parent].0, &seen[place].0, epoch).await.ok().flatten()
            }
            counted => counted,
        };
        seen[place].1.owner = owner.and_then(|owner| u32::try_from(owner).ok());
    }
}

/// The browser's answer.
pub(crate) async fn asked(
    parent: &Eye<'_>,
    child: &Eye<'_>,
    epoch: &Epoch,
) -> Result<Option<usize>, BrowserError> {
    parent.call(&dom::Enable {}).await?;
    let owner = parent.call(&dom::GetFrameOwner { frame_id: child.frame.as_str() }).await;
    parent.call(&dom::Disable {}).await?;
    let owner = owner?.read::<dom::FrameOwner>().map_err(BrowserError::Protocol)?;
    let resolve = dom::ResolveNode {
        backend_node_id: owner.backend_node_id,
        execution_context_id: parent.context,
        object_group: parent.handle_group(),
    };
    let element = parent.call(&resolve).await?;
    let element = element.read::<dom::Resolved<'_>>().map_err(BrowserError::Protocol)?;
    let Some(object_id) = element.object.object_id else { return Ok(None) };
    let epoch = epoch.to_string();
    let index = runtime::CallFunctionOn {
        function_declaration: &function_with_walker("legwork.ownerIndex(given, this)"),
        object_id,
        arguments: &[CallArgument::Value(&epoch)],
        return_by_value: true,
    };
    let index: i64 = read_value(&parent.call(&index).await?)?;
    Ok(usize::try_from(index).ok())
}
