//! What a person's hand does: the keyboard. A domain of its own here; in the protocol it is the mouse's.

super::commands! {
    /// One event of a key, as if from the device: it goes to whatever keys go to, in any frame.
    DispatchKeyEvent<'a> = "Input.dispatchKeyEvent" {
        /// `keyDown`, `rawKeyDown` (which writes nothing) or `keyUp`.
        #[serde(rename = "type")]
        kind: &'static str,
        /// What is held meanwhile: Alt 1, Control 2, Meta 4, Shift 8.
        modifiers: u8,
        /// What it means, as `KeyboardEvent.key` tells it.
        key: &'a str,
        /// Where on the keyboard it is, as `KeyboardEvent.code` tells it.
        code: &'a str,
        /// Its old number, `KeyboardEvent.keyCode`.
        windows_virtual_key_code: u16,
        /// Which of two alike: 0 the only one, 1 the left one.
        location: u8,
        /// What it writes.
        #[serde(skip_serializing_if = "str::is_empty")]
        text: &'a str,
        /// What it would write if nothing were held.
        #[serde(skip_serializing_if = "str::is_empty")]
        unmodified_text: &'a str,
    }

    /// Writes a text where the caret is, as an input method or a paste without formats would: without keys.
    InsertText<'a> = "Input.insertText" {
        /// The text.
        text: &'a str,
    }
}
