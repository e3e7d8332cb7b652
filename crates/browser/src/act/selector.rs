//! Which selectors may be waited for: those that ask what an element is, never what somebody wrote into it. Whoever may ask whether
//! a value begins with a letter has the value after a while.

/// What is told of all others.
pub(super) const ALLOWED: &str = "a selector that is waited for may have tags, #id, .class, the combinators (space > + ~ ,), :not(), :is(), \
     :has() and the attributes role, name, type, href, disabled, aria-* and data-*, without backslashes";

/// The attributes that may be asked for by name; besides them aria-* and data-*.
const ATTRIBUTES: [&str; 5] = ["role", "name", "type", "href", "disabled"];
/// The classes of elements that may be asked for, each with selectors of its own.
const CLASSES: [&str; 3] = ["not", "is", "has"];
/// Selectors in selectors beyond this are not read.
const DEPTH: usize = 5;

/// Whether a selector asks for nothing but what is allowed. What is not understood is not.
pub(super) fn is_harmless(selector: &str) -> bool {
    let mut rest = selector;
    is_list(&mut rest, 0).is_some() && rest.is_empty() && !selector.trim().is_empty()
}

/// Reads a list of selectors up to its end or to a bracket that closes it.
fn is_list(rest: &mut &str, depth: usize) -> Option<()> {
    if depth > DEPTH {
        return None;
    }
    while let Some(first) = rest.chars().next() {
        match first {
            ')' if depth > 0 => return Some(()),
            ' ' | '\t' | '\n' | '>' | '+' | '~' | ',' | '*' => skip(rest, first),
            '#' | '.' => {
                skip(rest, first);
                word(rest)?;
            }
            '[' => {
                skip(rest, first);
                attribute(rest)?;
            }
            ':' => {
                skip(rest, first);
                let class = word(rest)?.to_ascii_lowercase();
                if !CLASSES.contains(&class.as_str()) {
                    return None;
                }
                *rest = rest.strip_prefix('(')?;
                is_list(rest, depth + 1)?;
                *rest = rest.strip_prefix(')')?;
            }
            _ => {
                word(rest)?;
            }
        }
    }
    (depth == 0).then_some(())
}

/// `name`, or a name, an operator and a value.
fn attribute(rest: &mut &str) -> Option<()> {
    *rest = rest.trim_start();
    let name = word(rest)?.to_ascii_lowercase();
    let is_told = |prefix: &str| name.strip_prefix(prefix).is_some_and(|more| !more.is_empty());
    // What a control says of its value by ARIA is as much its value.
    let is_value = name.starts_with("aria-value") || name == "aria-placeholder";
    if is_value || !(ATTRIBUTES.contains(&name.as_str()) || is_told("aria-") || is_told("data-")) {
        return None;
    }
    *rest = rest.trim_start();
    if let Some(after) = rest.strip_prefix(']') {
        *rest = after;
        return Some(());
    }
    *rest = rest.strip_prefix(['^', '$', '*', '~', '|']).unwrap_or(rest).strip_prefix('=')?.trim_start();
    match rest.chars().next()? {
        quote @ ('"' | '\'') => {
            skip(rest, quote);
            let (value, after) = rest.split_once(quote)?;
            if value.contains(['\\', '\n']) {
                return None;
            }
            *rest = after;
        }
        _ => {
            word(rest)?;
        }
    }
    *rest = rest.trim_start();
    // How letters are compared may be said.
    *rest = rest.strip_prefix(['i', 's']).unwrap_or(rest).trim_start();
    *rest = rest.strip_prefix(']')?;
    Some(())
}

/// A word without escapes.
fn word<'s>(rest: &mut &'s str) -> Option<&'s str> {
    let is_part =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_') || !letter.is_ascii();
    let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after;
    (!word.is_empty()).then_some(word)
}

fn skip(rest: &mut &str, first: char) {
    *rest = &rest[first.len_utf8()..];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_element_is_may_be_asked_for() {
        for selector in [
            "i.come",
            "#total",
            "main > ul li + li ~ p, .a.b",
            "[role=dialog]",
            "button[aria-expanded=\"true\"]",
            "input[name='q'][type=search i]",
            "a[href^=\"/basket\"]",
            "[data-state=open]",
            "form:has(> button:not([disabled])) :is(.x, #y)",
            "*",
            "x-card",
        ] {
            assert!(is_harmless(selector), "{selector}");
        }
    }

    #[test]
    fn what_somebody_wrote_may_not() {
        for selector in [
            "input[value^=\"4111\"]",
            "input[ VALUE ^= x]",
            "[val\\75 e^=x]",
            "[name=\"a\\\"][value^=x\"]",
            "input:not([value=x])",
            ":is(p, :has([value]))",
            "[aria-valuetext^=4]",
            "[aria-valuenow=\"4\"]",
            "[placeholder]",
            "[style*=x]",
            "[*|value^=x]",
            "[|value]",
            "input:valid",
            "input:placeholder-shown",
            "::before",
            "p /* */ [value]",
            "a[href",
            "i..",
            "p)",
            "",
        ] {
            assert!(!is_harmless(selector), "{selector}");
        }
    }
}
