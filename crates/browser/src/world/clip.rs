//! Texts that a page wrote, in a bounded length: a name of megabytes in each of a thousand frames must not become ours.

/// A name attribute.
pub(crate) const NAME: usize = 200;
/// A title or a dialog's message.
pub(crate) const MESSAGE: usize = 2_000;
/// An address: its origin and path stay whole for any site that means well.
pub(crate) const ADDRESS: usize = 8_000;

/// The text itself, or as many of its characters and an ellipsis.
pub(crate) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_never_cut_in_two() {
        assert_eq!(
            (clip("äöü", 3).as_str(), clip("äöü", 2).as_str(), clip("", 0).as_str()),
            ("äöü", "äö…", "")
        );
    }
}
