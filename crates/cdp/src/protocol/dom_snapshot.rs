//! A page as it is laid out: every text that is painted and where, also those that no script of a page can reach.

use serde::Deserialize;

use crate::Lossy;

super::commands! {
    /// All documents of a session, with what these properties of styles are in them.
    CaptureSnapshot<'a> = "DOMSnapshot.captureSnapshot" {
        /// The properties.
        computed_styles: &'a [&'a str],
    }
}

/// A place in the list of strings; -1 for none.
pub type StringIndex = i32;

/// Left, top, width and height, in pixels of a document.
pub type Bounds = Vec<f32>;

/// All documents of a session.
#[derive(Deserialize)]
pub struct Snapshot {
    /// The session's own first.
    pub documents: Vec<Document>,
    /// What the numbers stand for.
    pub strings: Vec<Lossy>,
}

/// One document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// The frame that shows it.
    pub frame_id: StringIndex,
    /// Its nodes, parents before children.
    pub nodes: Nodes,
    /// What is laid out of them.
    pub layout: Layout,
    /// The lines of texts.
    pub text_boxes: TextBoxes,
    /// How far it is scrolled to the right.
    #[serde(default)]
    pub scroll_offset_x: f32,
    /// And down.
    #[serde(default)]
    pub scroll_offset_y: f32,
}

/// Nodes; each list has an entry for each of them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Nodes {
    /// -1 for the document itself.
    pub parent_index: Vec<i32>,
    /// As in the DOM.
    pub node_type: Vec<u8>,
    /// As in the DOM.
    pub node_name: Vec<StringIndex>,
    /// As in the DOM.
    pub node_value: Vec<StringIndex>,
    /// Names and values by turns.
    pub attributes: Vec<Vec<StringIndex>>,
    /// What is in areas for texts.
    #[serde(default)]
    pub text_value: RareStrings,
    /// What is in fields.
    #[serde(default)]
    pub input_value: RareStrings,
    /// What kind of generated content a node is.
    #[serde(default)]
    pub pseudo_type: RareStrings,
}

/// Strings that few nodes have.
#[derive(Default, Deserialize)]
pub struct RareStrings {
    /// Which nodes.
    pub index: Vec<usize>,
    /// The string of each.
    pub value: Vec<StringIndex>,
}

/// What is laid out; each list has an entry for each box.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Layout {
    /// Its node.
    pub node_index: Vec<usize>,
    /// The properties that were asked for, in their order.
    pub styles: Vec<Vec<StringIndex>>,
    /// Where it is.
    pub bounds: Vec<Bounds>,
    /// What is written there.
    pub text: Vec<StringIndex>,
}

/// Lines of texts; each list has an entry for each line.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextBoxes {
    /// Of which box.
    pub layout_index: Vec<usize>,
    /// Where it is.
    pub bounds: Vec<Bounds>,
    /// Where it begins in the text, in units of UTF-16.
    pub start: Vec<usize>,
    /// Its length in them.
    pub length: Vec<usize>,
}
