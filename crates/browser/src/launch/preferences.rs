//! The settings of a profile that no flag can say: what the browser would do by itself, or ask a person, is off.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

/// The folder of the first person in a profile, and the file with what a person chose.
const FIRST: &str = "Default";
const FILE: &str = "Preferences";

/// What we need, by its place in Chromium's file.
fn wanted() -> [Wanted; 8] {
    [
        // Passwords are neither saved nor used to log in without asking.
        (&["credentials_enable_service"], false.into()),
        (&["credentials_enable_autosignin"], false.into()),
        (&["profile", "password_manager_enabled"], false.into()),
        // Addresses and cards are neither saved nor offered, and pages are not told whether there are any.
        (&["autofill", "profile_enabled"], false.into()),
        (&["autofill", "credit_card_enabled"], false.into()),
        (&["payments", "can_make_payment_enabled"], false.into()),
        // Pages can have others fetched or rendered in advance by rules of theirs; the browser does that by itself, and what it asks
        // for so does not wait at the barrier. Two is "never".
        (&["net", "network_prediction_options"], 2.into()),
        // A page that wants to see the screen would get a dialog of the browser, which stays until somebody answers it.
        (&["hardware", "screen_capture_enabled"], false.into()),
    ]
}

/// The file with what holds for all profiles of a folder.
const SHARED_FILE: &str = "Local State";

/// What we need there.
fn wanted_of_all() -> [Wanted; 1] {
    [
        // A server that wants to know who somebody is would get a dialog of the browser, which lies over the page until somebody answers.
        (&["auth", "schemes"], "".into()),
    ]
}

/// Settles every profile of a folder (Chromium may keep several there) before the browser reads them, and leaves the rest as it is.
pub(super) fn settle(folder: &Path) -> io::Result<()> {
    let first = folder.join(FIRST);
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&first)?;
    let mut profiles = vec![first.clone()];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path != first && path.join(FILE).is_file() {
            profiles.push(path);
        }
    }
    settle_one(folder.join(SHARED_FILE), &wanted_of_all())?;
    profiles.into_iter().try_for_each(|profile| settle_one(profile.join(FILE), &wanted()))
}

/// A place in a file, and what is to stand there.
type Wanted = (&'static [&'static str], Value);

fn settle_one(file: PathBuf, wanted: &[Wanted]) -> io::Result<()> {
    let before = match fs::read(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => vec![],
        read => read?,
    };
    let Some(settled) = settled(&before, wanted) else { return Ok(()) };
    // Whole or not at all: the profile is somebody's.
    let new = file.with_extension("legwork");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(&new)?.write_all(&settled)?;
    fs::rename(&new, &file)
}

/// The same file with what we need in it; none if it has all of that. What can't be read is as good as empty: Chromium begins anew too.
fn settled(before: &[u8], wanted: &[Wanted]) -> Option<Vec<u8>> {
    let mut all: Value = serde_json::from_slice(before).unwrap_or(Value::Null);
    let mut differs = false;
    for (path, value) in wanted {
        let place = path.iter().fold(&mut all, |at, name| entry(at, name));
        differs |= place != value;
        *place = value.clone();
    }
    differs.then(|| all.to_string().into_bytes())
}

fn entry<'a>(at: &'a mut Value, name: &str) -> &'a mut Value {
    if !at.is_object() {
        *at = Value::Object(Map::new());
    }
    &mut at[name]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_person_chose_stays_but_for_what_we_need() {
        let ours = json!({
            "credentials_enable_service": false, "credentials_enable_autosignin": false,
            "profile": {"password_manager_enabled": false},
            "autofill": {"profile_enabled": false, "credit_card_enabled": false},
            "payments": {"can_make_payment_enabled": false},
            "net": {"network_prediction_options": 2}, "hardware": {"screen_capture_enabled": false},
        });
        let read = |before: &str| {
            serde_json::from_slice::<Value>(&settled(before.as_bytes(), &wanted()).unwrap()).unwrap()
        };
        for none in ["", "no file of its kind", "[]", r#"{"net": 7, "autofill": 3, "profile": null}"#] {
            assert_eq!(read(none), ours, "{none}");
        }
        let mut after = ours.clone();
        after["homepage"] = "y".into();
        after["autofill"]["x"] = 1.into();
        assert_eq!(read(r#"{"autofill": {"credit_card_enabled": true, "x": 1}, "homepage": "y"}"#), after);
        assert_eq!(
            settled(after.to_string().as_bytes(), &wanted()),
            None,
            "nothing is written that is there"
        );
    }

    #[test]
    fn every_profile_of_a_folder_is_settled() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("Profile 1");
        fs::create_dir(&other).unwrap();
        fs::write(other.join(FILE), "broken {").unwrap();
        fs::create_dir(folder.path().join("Crashpad")).unwrap();
        for _ in 0..2 {
            settle(folder.path()).unwrap();
            for profile in [FIRST, "Profile 1"] {
                let written = fs::read(folder.path().join(profile).join(FILE)).unwrap();
                assert_eq!(Some(written), settled(b"", &wanted()));
                assert_eq!(fs::read_dir(folder.path().join(profile)).unwrap().count(), 1);
            }
        }
        assert_eq!(fs::read_dir(folder.path().join("Crashpad")).unwrap().count(), 0);
        let shared = fs::read(folder.path().join(SHARED_FILE)).unwrap();
        assert_eq!(Some(shared), settled(b"", &wanted_of_all()));
    }
}
