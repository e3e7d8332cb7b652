//! Closed shadow roots: script can't see them, the browser can; it hands them to the walker.

use futures_util::future::join_all;
use legwork_cdp::protocol::{
    dom,
    runtime::{self, CallArgument},
};

use super::{Epoch, eye::Eye, script::function_with_walker};
use crate::{BrowserError, tab::read_value};

/// How many questions are on their way at once: well below what a connection lets wait.
pub(super) const AT_ONCE: usize = 100;

/// What came of asking the elements of a look for closed roots.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Closed roots that the walker knows from now on.
    pub(crate) found: u32,
    /// Elements that gave no answer; they are asked again at the next look.
    pub(crate) unanswered: u32,
}

/// Shows the walker the closed roots among the elements of a look that may hold one.
pub(super) async fn show(eye: &Eye<'_>, epoch: &Epoch, asked: u32) -> Result<Shown, BrowserError> {
    let hosts = hosts(eye, epoch).await?;
    ask(eye, epoch, asked, &hosts).await
}

/// Handles of the elements that may hold one.
pub(crate) async fn hosts(eye: &Eye<'_>, epoch: &Epoch) -> Result<Vec<(usize, String)>, BrowserError> {
    eye.handles(&format!("legwork.candidates('{epoch}')")).await
}

/// Asks these of all that are to be asked. Only what answered counts as asked: a question that went wrong says nothing of
/// the element.
pub(crate) async fn ask(
    eye: &Eye<'_>,
    epoch: &Epoch,
    all: u32,
    hosts: &[(usize, String)],
) -> Result<Shown, BrowserError> {
    let mut shown = Shown::default();
    let mut answered = Vec::with_capacity(hosts.len());
    for some in hosts.chunks(AT_ONCE) {
        let answers = join_all(some.iter().map(|(_, host)| show_one(eye, host))).await;
        for ((place, _), answer) in some.iter().zip(answers) {
            match answer {
                Ok(is_root) => {
                    shown.found += u32::from(is_root);
                    answered.push(*place);
                }
                // An element may be gone by now; the others are still of interest.
                Err(BrowserError::Protocol(error)) => tracing::debug!(?error, "an element gave no answer"),
                Err(error) => return Err(error),
            }
        }
    }
    let count = u32::try_from(answered.len()).unwrap_or(u32::MAX);
    shown.unanswered = all.saturating_sub(count);
    eye.walker::<bool>(&format!("legwork.answered('{epoch}', {answered:?})")).await?;
    Ok(shown)
}

async fn show_one(eye: &Eye<'_>, host: &str) -> Result<bool, BrowserError> {
    let described = eye.call(&dom::DescribeNode { object_id: host }).await?;
    let described = described.read::<dom::Described>().map_err(BrowserError::Protocol)?;
    let closed = described.node.shadow_roots.iter().find(|root| root.shadow_root_type == "closed");
    let Some(closed) = closed else { return Ok(false) };
    let resolve = dom::ResolveNode {
        backend_node_id: closed.backend_node_id,
        execution_context_id: eye.context,
        object_group: eye.handle_group(),
    };
    let root = eye.call(&resolve).await?;
    let root = root.read::<dom::Resolved<'_>>().map_err(BrowserError::Protocol)?;
    let unreadable = |detail: &str| {
        let detail = detail.to_owned();
        BrowserError::Protocol(legwork_cdp::CdpError::Unreadable { method: "DOM.resolveNode", detail })
    };
    let root = root.object.object_id.ok_or_else(|| unreadable("a root without a handle"))?;
    let adopt = runtime::CallFunctionOn {
        function_declaration: &function_with_walker("legwork.adopt(this, given)"),
        object_id: host,
        arguments: &[CallArgument::ObjectId(root)],
        return_by_value: true,
    };
    read_value(&eye.call(&adopt).await?)
}
