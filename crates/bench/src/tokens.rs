//! How many tokens a text is to a model, exactly, by the public vocabulary o200k.

/// Counts the tokens. The first call takes a while and much memory: it reads the vocabulary, which is in the program.
pub(crate) fn count(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_and_marks_of_the_protocol_are_mere_text() {
        assert_eq!(count(""), 0);
        assert_eq!(count("hello world"), 2);
        assert!(count("<|endoftext|>") > 1);
    }
}
