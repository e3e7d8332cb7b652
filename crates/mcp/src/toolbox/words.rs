//! A command line into its words, as a shell would cut it; no shell is asked, and nothing in it is ever run or replaced.

use super::ToolboxError;

/// As many words as a command line may have.
const MOST_WORDS: usize = 200;

/// The words of a command line: quotes and backslashes as in a shell, and nothing else of one.
pub(super) fn words(line: &str) -> Result<Vec<String>, ToolboxError> {
    let mut found = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(next) = rest.next() {
        match next {
            '\0' => return Err(ToolboxError::Command("it has a zero byte")),
            blank if blank.is_whitespace() => found.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                until_quote(&mut rest, word)?;
            }
            '"' => {
                let word = word.get_or_insert_default();
                until_double_quote(&mut rest, word)?;
            }
            '\\' => {
                let escaped = rest.next().ok_or(ToolboxError::Command("it ends in a backslash"))?;
                word.get_or_insert_default().push(escaped);
            }
            // A shell would do something else than start a program; who wants that writes a script.
            '|' | '&' | ';' | '<' | '>' | '`' | '$' | '(' | ')' => {
                return Err(ToolboxError::Command(
                    "it wants a shell (| & ; < > ` $ and brackets have to be quoted)",
                ));
            }
            plain => word.get_or_insert_default().push(plain),
        }
        if found.len() > MOST_WORDS {
            return Err(ToolboxError::Command("it has more words than any command"));
        }
    }
    found.extend(word);
    if found.first().is_none_or(String::is_empty) {
        return Err(ToolboxError::Command("it names no program"));
    }
    Ok(found)
}

fn until_quote(rest: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), ToolboxError> {
    loop {
        match rest.next() {
            None => return Err(ToolboxError::Command("a quote does not end")),
            Some('\'') => return Ok(()),
            Some(plain) => word.push(plain),
        }
    }
}

fn until_double_quote(rest: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), ToolboxError> {
    loop {
        match rest.next() {
            None => return Err(ToolboxError::Command("a quote does not end")),
            Some('"') => return Ok(()),
            Some('\\') => match rest.next() {
                None => return Err(ToolboxError::Command("a quote does not end")),
                Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                Some(plain) => word.extend(['\\', plain]),
            },
            Some(plain) => word.push(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_as_a_shell_cuts_them() {
        for (line, expected) in [
            ("npx @playwright/mcp", &["npx", "@playwright/mcp"][..]),
            ("  npx\t@playwright/mcp@latest  --headless\n", &["npx", "@playwright/mcp@latest", "--headless"]),
            (r#"'/opt/my tools/node' "a b"c \ d '' "#, &["/opt/my tools/node", "a bc", " d", ""]),
            (r#"x "a\"b\\c\d" 'a\b'"#, &["x", r#"a"b\c\d"#, r"a\b"]),
            ("x '$HOME;`id`|&'", &["x", "$HOME;`id`|&"]),
        ] {
            assert_eq!(words(line).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn what_a_shell_would_do_more_is_refused() {
        for line in
            ["", "  ", "''", "x 'y", "x \"y", "x \\", "x; y", "x && y", "x $HOME", "x `id`", "x > y", "a\0b"]
        {
            assert!(matches!(words(line), Err(ToolboxError::Command(_))), "{line:?}");
        }
        assert!(words(&"x ".repeat(1_000)).is_err());
    }
}
