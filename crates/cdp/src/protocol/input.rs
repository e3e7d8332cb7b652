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
        /// The buttons that are held: 1 for the left one, 2 for the right one, 4 for the wheel.
        buttons: u32,
        /// How many presses in a row this is.
        click_count: u32,
        /// The keys that are held: 1 for Alt, 2 for Control, 4 for Meta, 8 for Shift.
        modifiers: u32,
        /// How far a wheel was turned to the right.
        delta_x: f64,
        /// How far a wheel was turned down.
        delta_y: f64,
    }

    /// Whether what a page starts to drag is handed to us instead of the desktop.
    SetInterceptDrags = "Input.setInterceptDrags" {
        /// On or off.
        enabled: bool,
    }

    /// One event of something that is being dragged.
    DispatchDragEvent<'a> = "Input.dispatchDragEvent" {
        /// `dragEnter`, `dragOver`, `drop` or `dragCancel`.
        #[serde(rename = "type")]
        kind: &'a str,
        /// In CSS pixels of the page's viewport.
        x: f64,
        /// In CSS pixels of the page's viewport.
        y: f64,
        /// What is being dragged, as the browser told.
        data: &'a serde_json::value::RawValue,
    }
}

/// A page started to drag something.
pub const DRAG_INTERCEPTED: &str = "Input.dragIntercepted";

/// A page started to drag something.
#[derive(Debug, serde::Deserialize)]
pub struct DragIntercepted<'a> {
    /// What, to be handed back as it is.
    #[serde(borrow)]
    pub data: &'a serde_json::value::RawValue,
}
