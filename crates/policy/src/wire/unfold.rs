//! What is written within the fields of a request: JSON, or a form, in the place of a value or of a name. It is read once, with the rest.

use super::{
    decoded::{Field, MOST_FIELDS, Opaque, Place},
    json,
    unravel::pairs,
};

/// Levels of JSON within JSON that are looked into.
const LEVELS: usize = 4;
/// How much of a name is told again with each piece of its value.
const LONGEST_NAME: usize = 200;

/// What is written as JSON within a field, or in the place of its name; nothing if it holds something else.
pub(super) fn within(field: &Field) -> Vec<(String, String)> {
    // An empty list holds nothing but itself.
    let is_empty = |text: &str| matches!(text.trim(), "[]" | "{}");
    let read = |text: &str| match json::is_structure(text) && !is_empty(text) {
        true => json::flatten(text).unwrap_or_default(),
        false => vec![],
    };
    let named = read(&field.name);
    let name = ending(&field.name);
    let held = read(&field.value).into_iter().map(|(way, value)| (format!("{name}.{way}"), value));
    named.into_iter().chain(held).collect()
}

/// The end of a name: that is what a value is called by.
fn ending(name: &str) -> &str {
    let from = name.char_indices().rev().nth(LONGEST_NAME - 1).map_or(0, |(at, _)| at);
    name.get(from..).unwrap_or(name)
}

/// A whole form that stands in the place of a value.
fn forms(field: &Field) -> Vec<(String, String)> {
    let is_name = |name: &str| {
        !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | ']' | '%'))
    };
    let is_form = field.value.contains('&')
        && field.value.split('&').all(|part| part.split_once('=').is_some_and(|(name, _)| is_name(name)));
    match is_form {
        true => pairs(field.value.as_bytes())
            .map(|(name, value)| (format!("{}.{name}", ending(&field.name)), value))
            .collect(),
        false => vec![],
    }
}

/// What lists of names and values say (`[{"name":"a","value":1}]`, and what JSON Patch sets): there the name of a field is told by another.
fn named_by_others<'f>(fields: impl Iterator<Item = &'f Field> + Clone) -> Vec<Field> {
    let part = |field: &Field, wanted: &str| {
        let stem = field.name.strip_suffix(wanted)?;
        (stem.is_empty() || stem.ends_with('.')).then(|| stem.to_owned())
    };
    let named =
        |field: &Field| ["path", "name", "key", "field"].iter().find_map(|wanted| part(field, wanted));
    let names = fields.clone().filter_map(|field| Some((named(field)?, field)));
    let set = names.filter(|(_, name)| name.place != Place::Query && name.value.len() <= LONGEST_NAME);
    set.flat_map(|(stem, path)| {
        let name = path.value.trim_matches('/').replace('/', ".");
        let begin = format!("{stem}value");
        fields.clone().filter_map(move |field| {
            let rest = field.name.strip_prefix(&begin)?;
            let name = format!("{}{rest}", ending(&name));
            (rest.is_empty() || rest.starts_with('.')).then(|| Field {
                name,
                value: field.value.clone(),
                place: field.place,
            })
        })
    })
    .take(MOST_FIELDS + 1)
    .collect()
}

/// Everything that is written within fields, and within that. What is folded more often than anybody does is not inspected.
pub(super) fn unfold(fields: &[Field]) -> Result<Vec<Field>, Opaque> {
    let mut found: Vec<Field> = Vec::new();
    let mut level: Vec<Field> = Vec::new();
    for at in 0..=LEVELS {
        let of = |field: &Field| {
            let place = field.place;
            // What is asked of a GraphQL server is read as what it is.
            let is_text = place == Place::GraphQl && field.name.ends_with("query");
            let inner = if is_text { vec![] } else { [within(field), forms(field)].concat() };
            inner.into_iter().map(move |(name, value)| Field { name, value, place })
        };
        level = match at {
            0 => fields.iter().flat_map(of).collect(),
            _ => level.iter().flat_map(of).collect(),
        };
        if level.is_empty() {
            break;
        }
        if at == LEVELS || found.len() + level.len() > MOST_FIELDS {
            return Err(Opaque::TooLarge);
        }
        found.extend(level.iter().cloned());
    }
    let set = named_by_others(fields.iter().chain(&found));
    if set.len() > MOST_FIELDS {
        return Err(Opaque::TooLarge);
    }
    found.extend(set);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(value: &str) -> Option<Vec<String>> {
        let field = Field { name: "a".into(), value: value.into(), place: Place::Form };
        unfold(&[field])
            .ok()
            .map(|all| all.into_iter().map(|one| format!("{}={}", one.name, one.value)).collect())
    }

    #[test]
    fn what_is_folded_is_read() {
        for (value, expected) in [
            ("x", &[][..]),
            (r#"{"b":1}"#, &["a.b=1"]),
            ("b=1&c=%32", &["a.b=1", "a.c=2"]),
            ("b=1", &[]),
            ("[]", &[]),
            ("/x?b=1&c=2", &[]),
            (r#"{"b":"c=1&d=2"}"#, &["a.b=c=1&d=2", "a.b.c=1", "a.b.d=2"]),
        ] {
            assert_eq!(names(value).unwrap_or_default(), expected, "{value}");
        }
        let mut folded = r#"{"b":1}"#.to_owned();
        for _ in 0..4 {
            folded = serde_json::json!({ "b": folded }).to_string();
        }
        assert_eq!(names(&folded), None);
    }
}
