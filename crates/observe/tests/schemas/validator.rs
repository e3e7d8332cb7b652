//! Whether a value is as a schema says. Knows the words that our schemas use and panics at any other, so that none is passed over.
//! Stricter than the standard in one thing: a field that the schema does not name is an error.

use serde_json::Value;

/// Words that say nothing about what is allowed.
const SILENT: &[&str] = &["$defs", "$schema", "default", "description", "title", "format"];

/// What is wrong with the value: a path and a reason each.
pub(crate) fn errors(root: &Value, value: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    Validator { root }.check(root, value, "", &mut errors);
    errors
}

struct Validator<'a> {
    root: &'a Value,
}

impl Validator<'_> {
    fn check(&self, schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
        let words = schema.as_object().unwrap_or_else(|| panic!("{path}: {schema} is no schema of ours"));
        let mut wrong = |why: String| errors.push(format!("{path}: {why}"));
        for (word, rule) in words {
            match word.as_str() {
                word if SILENT.contains(&word) => {}
                "type" => {
                    let kinds = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                    if !kinds.iter().any(|kind| is_a(value, kind.as_str().unwrap())) {
                        wrong(format!("{value} is no {rule}"));
                    }
                }
                "const" if value == rule => {}
                "enum" if rule.as_array().unwrap().contains(value) => {}
                "const" | "enum" => wrong(format!("{value} is not {rule}")),
                "pattern" => {
                    if value.as_str().is_some_and(|text| !fits(rule.as_str().unwrap(), text)) {
                        wrong(format!("{value} does not fit {rule}"));
                    }
                }
                "minimum" if value.as_f64() >= rule.as_f64() || !value.is_number() => {}
                "maximum" if value.as_f64() <= rule.as_f64() || !value.is_number() => {}
                "minimum" | "maximum" => wrong(format!("{value} is beyond the {word} {rule}")),
                "required" => {
                    let names = rule.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                    for name in names.filter(|name| value.is_object() && value.get(name).is_none()) {
                        wrong(format!("{name} is missing"));
                    }
                }
                // Below, together with the properties.
                "additionalProperties" => assert_eq!(rule, &Value::Bool(false)),
                "properties" | "items" | "$ref" | "oneOf" | "anyOf" => {}
                other => panic!("{path}: the validator does not know {other:?}"),
            }
        }
        self.check_parts(schema, value, path, errors);
    }

    fn check_parts(&self, schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
        if let (Some(properties), Some(fields)) = (schema.get("properties"), value.as_object()) {
            for (name, field) in fields {
                let path = format!("{path}/{name}");
                match properties.get(name) {
                    Some(property) => self.check(property, field, &path, errors),
                    None => errors.push(format!("{path}: no such field")),
                }
            }
        }
        if let (Some(items), Some(entries)) = (schema.get("items"), value.as_array()) {
            for (place, entry) in entries.iter().enumerate() {
                self.check(items, entry, &format!("{path}/{place}"), errors);
            }
        }
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            let definition = self.root.pointer(name.trim_start_matches('#'));
            let definition = definition.unwrap_or_else(|| panic!("{path}: there is no {name}"));
            self.check(definition, value, path, errors);
        }
        for (word, allowed) in [("oneOf", 1..=1), ("anyOf", 1..=usize::MAX)] {
            let Some(kinds) = schema.get(word).and_then(Value::as_array) else { continue };
            let attempts: Vec<Vec<String>> =
                kinds.iter().map(|kind| self.attempt(kind, value, path)).collect();
            if !allowed.contains(&attempts.iter().filter(|errors| errors.is_empty()).count()) {
                let all: Vec<_> = attempts.into_iter().flatten().collect();
                errors.push(format!("{path}: {word} fails: {}", all.join(", ")));
            }
        }
    }

    fn attempt(&self, schema: &Value, value: &Value, path: &str) -> Vec<String> {
        let mut errors = Vec::new();
        self.check(schema, value, path, &mut errors);
        errors
    }
}

fn is_a(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        other => panic!("the validator does not know type {other:?}"),
    }
}

/// The patterns that we use.
fn fits(pattern: &str, text: &str) -> bool {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    match pattern {
        "^t[0-9]+$" => text.strip_prefix('t').is_some_and(is_number),
        "^f[0-9]+$" => text.strip_prefix('f').is_some_and(is_number),
        "^[0-9a-f]{16}$" => {
            text.len() == 16
                && text.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
        }
        other => panic!("the validator does not know the pattern {other:?}"),
    }
}
