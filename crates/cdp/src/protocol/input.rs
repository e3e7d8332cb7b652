//! What a person's hand does: the mouse.

super::commands! {
    /// One event of the mouse, as if from the device: it meets whatever is painted at that point, in any frame.
    DispatchMouseEvent<'a> = "Input.dispatchMouseEvent" {
        /// `mouseMoved`, `mousePressed`, `mouseReleased` or `mouseWheel`.
        #[serde(rename = "type")]
        kind: &'a str,
        /// In CSS pixels of the page's viewport.
        x: f64,
        /// In CSS pixels of the page's viewport.
        y: f64,
        /// `none`, `left`, `middle` or `right`.
        button: &'a str,
        /// How many presses in a row this is.
        click_count: u32,
    }
}
