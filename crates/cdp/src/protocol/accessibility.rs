//! Chromium's own accessibility answer: the oracle, and the yardstick of the benchmark.

super::commands! {
    /// The accessibility tree of a frame's document.
    GetFullAxTree<'a> = "Accessibility.getFullAXTree" {
        /// Which frame; the session's root frame if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        frame_id: Option<&'a str>,
    }
}
