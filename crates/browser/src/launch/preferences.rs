//! What no flag says to the browser, but a file of its profile.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt,
    path::Path,
};

use serde_json::{Map, Value};

/// The folder of the only person in a profile, and the file with what that person chose.
const PERSON: &str = "Default";
const FILE: &str = "Preferences";

/// What we need, each by its path.
fn wanted() -> [(&'static [&'static str], Value); 2] {
    [
        // Pages can have others fetched or rendered in advance by rules of theirs; the browser does that by itself, and what it asks
        // for so does not wait at the barrier. Two is "never".
        (&["net", "network_prediction_options"], 2.into()),
        // A page that wants to see the screen would get a dialog of the browser, which stays until somebody answers it.
        (&["hardware", "screen_capture_enabled"], false.into()),
    ]
}

/// Writes what we need into a profile and leaves the rest as it is.
pub(super) fn choose(profile: &Path) -> io::Result<()> {
    let person = profile.join(PERSON);
    match DirBuilder::new().mode(0o700).create(&person) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let file = person.join(FILE);
    let before = match fs::read(&file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => vec![],
        Err(error) => return Err(error),
    };
    let after = chosen(&before);
    if after == before {
        return Ok(());
    }
    // Whoever is interrupted leaves the old one.
    let fresh = person.join(format!("{FILE}.legwork"));
    fs::write(&fresh, after)?;
    fs::rename(fresh, file)
}

/// The same file with what we need in it. One that can't be read is one that the browser would not read either.
fn chosen(before: &[u8]) -> Vec<u8> {
    let mut all: Value = serde_json::from_slice(before).unwrap_or(Value::Null);
    let mut differs = false;
    for (path, value) in wanted() {
        let place = path.iter().fold(&mut all, |at, name| entry(at, name));
        differs |= *place != value;
        *place = value;
    }
    if differs { all.to_string().into_bytes() } else { before.to_vec() }
}

fn entry<'a>(at: &'a mut Value, name: &str) -> &'a mut Value {
    if !at.is_object() {
        *at = Value::Object(Map::new());
    }
    &mut at[name]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_chose_stays_but_for_what_we_need() {
        let read = |bytes: &[u8]| serde_json::from_slice::<Value>(&chosen(bytes)).unwrap();
        let ours = serde_json::json!({"net": {"network_prediction_options": 2}, "hardware": {"screen_capture_enabled": false}});
        for none in ["", "no file of its kind", "[]", r#"{"net": 7}"#] {
            assert_eq!(read(none.as_bytes()), ours, "{none}");
        }
        let before = br#"{"a": {"b": [1]}, "net": {"x": true, "network_prediction_options": 0}}"#;
        let mut after = ours.clone();
        after["a"] = serde_json::json!({"b": [1]});
        after["net"]["x"] = true.into();
        assert_eq!(read(before), after);
        let once = chosen(before);
        assert_eq!(chosen(&once), once);
    }

    #[test]
    fn a_profile_has_it_before_the_browser_comes() {
        let profile = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            choose(profile.path()).unwrap();
            let written = fs::read(profile.path().join(PERSON).join(FILE)).unwrap();
            assert_eq!(written, chosen(&[]));
        }
        assert_eq!(fs::read_dir(profile.path().join(PERSON)).unwrap().count(), 1);
    }
}
