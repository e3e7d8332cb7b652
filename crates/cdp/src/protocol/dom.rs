//! Nodes of a document as the browser knows them.

use serde::Deserialize;

super::commands! {
    /// What the browser says of the node behind a handle.
    DescribeNode<'a> = "DOM.describeNode" {
        /// The handle.
        object_id: &'a str,
    }

    /// A handle to a node in one world.
    ResolveNode<'a> = "DOM.resolveNode" {
        /// The node's number in the browser.
        backend_node_id: i64,
        /// The world.
        execution_context_id: i64,
        /// The group with which the handle is let go.
        object_group: &'a str,
    }

    /// Makes the browser keep its books of nodes: some of the commands here ask for it.
    Enable = "DOM.enable" {}

    /// The end of that.
    Disable = "DOM.disable" {}

    /// Gives files to a field, as if they had been chosen in it. One of the two names the field.
    SetFileInputFiles<'a> = "DOM.setFileInputFiles" {
        /// Their paths.
        files: &'a [String],
        /// A handle to the field.
        #[serde(skip_serializing_if = "Option::is_none")]
        object_id: Option<&'a str>,
        /// The field's number in the browser.
        #[serde(skip_serializing_if = "Option::is_none")]
        backend_node_id: Option<i64>,
    }

    /// The element that shows a frame.
    GetFrameOwner<'a> = "DOM.getFrameOwner" {
        /// The frame.
        frame_id: &'a str,
    }
}

/// The element that shows a frame.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameOwner {
    /// Its number in the browser.
    pub backend_node_id: i64,
}

/// A handle to a node.
#[derive(Debug, Deserialize)]
pub struct Resolved<'a> {
    /// The node as an object.
    #[serde(borrow)]
    pub object: super::runtime::RemoteValue<'a>,
}

/// What the browser says of a node.
#[derive(Debug, Clone, Deserialize)]
pub struct Described {
    /// The node.
    pub node: Node,
}

/// A node.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Its number in the browser, the same in every domain of the protocol.
    pub backend_node_id: i64,
    /// The shadow roots that it hosts, closed ones included.
    #[serde(default)]
    pub shadow_roots: Vec<ShadowRoot>,
}

/// A shadow root.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShadowRoot {
    /// Its number in the browser.
    pub backend_node_id: i64,
    /// `open`, `closed` or `user-agent`.
    #[serde(default)]
    pub shadow_root_type: String,
}
