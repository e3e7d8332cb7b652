//! Closed shadow roots: script can't see them, the browser can; it hands them to the walker.

use futures_util::future::join_all;
use legwork_cdp::protocol::{
    dom,
    runtime::{self, CallArgument},
};

use super::{
    Epoch,
    eye::{Eye, HANDLES},
};
use crate::BrowserError;

/// How many questions are on their way at once: well below what a connection lets wait.
pub(super) const AT_ONCE: usize = 100;

/// Shows the walker the closed roots among the elements that may hold one. Whether there was any.
pub(super) async fn show(eye: &Eye<'_>, epoch: &Epoch) -> Result<bool, BrowserError> {
    let hosts = eye.handles(&format!("legwork.candidates('{epoch}')")).await?;
    let mut found = false;
    for some in hosts.chunks(AT_ONCE) {
        for shown in join_all(some.iter().map(|host| show_one(eye, host))).await {
            match shown {
                Ok(shown) => found |= shown,
                // An element may be gone by now; the others are still of interest.
                Err(BrowserError::Protocol(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    eye.let_go();
    Ok(found)
}

async fn show_one(eye: &Eye<'_>, host: &str) -> Result<bool, BrowserError> {
    let described = eye.call(&dom::DescribeNode { object_id: host }).await?;
    let described = described.read::<dom::Described>().map_err(BrowserError::Protocol)?;
    let closed = described.node.shadow_roots.iter().find(|root| root.shadow_root_type == "closed");
    let Some(closed) = closed else { return Ok(false) };
    let resolve = dom::ResolveNode {
        backend_node_id: closed.backend_node_id,
        execution_context_id: eye.context,
        object_group: HANDLES,
    };
    let root = eye.call(&resolve).await?;
    let root = root.read::<dom::Resolved<'_>>().map_err(BrowserError::Protocol)?;
    let Some(root) = root.object.object_id else { return Ok(false) };
    let adopt = runtime::CallFunctionOn {
        function_declaration: "function (root) { return legwork.adopt(this, root); }",
        object_id: host,
        arguments: &[CallArgument::ObjectId(root)],
        return_by_value: true,
    };
    eye.call(&adopt).await.map(|_| true)
}
