//! Texts that mark what comes from a page by fences.

/// The text outside of all fences; each fence must be whole.
#[track_caller]
pub fn outside_of_fences(text: &str) -> String {
    let (mut lines, mut closing) = (Vec::new(), None);
    for line in text.lines() {
        match (&closing, line.strip_prefix("<untrusted ")) {
            (None, Some(boundary)) => closing = Some(format!("</{boundary}")),
            (None, None) => lines.push(line),
            (Some(end), _) if line == end => closing = None,
            _ => {}
        }
    }
    assert_eq!(closing, None, "{text}");
    lines.join("\n")
}
