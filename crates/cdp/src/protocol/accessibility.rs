//! Chromium's own accessibility answer: the oracle, and the yardstick of the benchmark.

use serde::Deserialize;

use crate::Lossy;

super::commands! {
    /// The accessibility tree of a frame's document.
    GetFullAxTree<'a> = "Accessibility.getFullAXTree" {
        /// Which frame; the session's root frame if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        frame_id: Option<&'a str>,
    }
}

/// The accessibility tree of a frame's document.
#[derive(Debug, Clone, Deserialize)]
pub struct FullAxTree {
    /// Every node, those left out of the tree included.
    pub nodes: Vec<AxNode>,
}

/// One node of the tree.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AxNode {
    /// Whether assistive technology is not told of it.
    pub ignored: bool,
    /// What it is.
    pub role: Option<AxValue>,
    /// What it is called.
    pub name: Option<AxValue>,
    /// The DOM node that it stands for.
    #[serde(rename = "backendDOMNodeId")]
    pub backend_dom_node_id: Option<i64>,
}

/// A role or a name.
#[derive(Debug, Clone, Deserialize)]
pub struct AxValue {
    /// As text.
    #[serde(default)]
    pub value: Lossy,
}
