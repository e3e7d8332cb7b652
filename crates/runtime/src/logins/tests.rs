//! Saved logins on the disk, without a browser.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
    sync::Arc,
};

use legwork_policy::logins::{Cookie, Item, Storage};

use super::*;

const ORIGIN: &str = "https://shop.example";

async fn logins(folder: &Path, key: Option<&str>) -> Result<Logins, Problem> {
    let key = key.map(|key| key.parse::<LoginKey>().unwrap());
    logins_of(folder, &format!("shop@{ORIGIN}"), key.as_ref()).await
}

async fn logins_of(folder: &Path, spec: &str, key: Option<&LoginKey>) -> Result<Logins, Problem> {
    Logins::load_in(folder.to_owned(), &[spec.parse().unwrap()], key, &Reach::default()).await
}

fn state(value: &str) -> SavedState {
    let cookie = |name: &str, domain: &str| Cookie {
        name: name.into(),
        value: value.into(),
        domain: domain.into(),
        secure: true,
        ..Cookie::default()
    };
    let items = [("token".to_owned(), Item(value.into()))].into();
    SavedState {
        cookies: vec![cookie("sid", "shop.example"), cookie("sid", "other.example")],
        storage: vec![Storage { origin: ORIGIN.into(), items }],
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn what_is_saved_is_there_again_for_its_origins_alone() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("data/logins");
    let first = logins(&folder, None).await.unwrap();
    assert_eq!(first.read(&first.bound[0]).unwrap(), None);
    assert!(!folder.exists(), "nothing is made before there is something to save");
    first.write(&first.bound[0], None, &state("xyzzy-canary-42")).unwrap();
    assert_eq!(
        (mode(&folder), mode(&folder.join("shop.login")), mode(&folder.join("key"))),
        (0o700, 0o600, 0o600)
    );

    let second = logins(&folder, None).await.unwrap();
    let saved = second.read(&second.bound[0]).unwrap().unwrap();
    let domains: Vec<&str> = saved.cookies.iter().map(|cookie| &*cookie.domain).collect();
    assert_eq!((domains, saved.storage.len()), (vec!["shop.example"], 1));
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "the key, the lock and the login: {names:?}");
    for name in names {
        let bytes = fs::read(folder.join(name)).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("canary"));
    }
    assert!(!format!("{second:?} {saved:?}").contains("canary"));
}

#[tokio::test]
async fn a_session_that_ends_with_nothing_or_after_it_was_forgotten_changes_nothing() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("logins");
    let all = logins(&folder, None).await.unwrap();
    let login = &all.bound[0];
    all.write(login, None, &state("xyzzy-42")).unwrap();
    let file = folder.join("shop.login");
    let before = fs::read(&file).unwrap();
    let begun = all.read(login).unwrap();
    all.write(login, begun.as_ref(), &SavedState::default()).unwrap();
    all.write(login, begun.as_ref(), &state("xyzzy-42")).unwrap();
    assert_eq!(fs::read(&file).unwrap(), before, "neither emptied nor written anew");
    fs::remove_file(&file).unwrap();
    all.write(login, begun.as_ref(), &state("xyzzy-43")).unwrap();
    assert!(!file.exists(), "what was forgotten stays forgotten");
}

#[tokio::test]
async fn what_belongs_to_origins_that_are_not_given_this_time_is_kept() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("logins");
    let other = "https://other.example";
    let both = logins_of(&folder, &format!("shop@{ORIGIN},{other}"), None).await.unwrap();
    let mut first = state("xyzzy-42");
    first.storage.push(Storage { origin: other.into(), ..first.storage[0].clone() });
    both.write(&both.bound[0], None, &first).unwrap();

    let value_of = |state: &SavedState, domain: &str| {
        let cookie = state.cookies.iter().find(|cookie| cookie.domain == domain);
        cookie.map(|cookie| cookie.value.expose().to_owned())
    };
    for spec in [format!("shop@{ORIGIN}"), "shop@https://third.example".to_owned()] {
        let narrow = logins_of(&folder, &spec, None).await.unwrap();
        let begun = narrow.read(&narrow.bound[0]).unwrap();
        assert_eq!(value_of(begun.as_ref().unwrap(), "other.example"), None, "nor is it given to {spec}");
        let mut ended = state("xyzzy-43");
        ended.cookies.push(Cookie { domain: "third.example".into(), ..ended.cookies[0].clone() });
        narrow.write(&narrow.bound[0], begun.as_ref(), &ended).unwrap();
    }

    let again = both.read(&both.bound[0]).unwrap().unwrap();
    assert_eq!(value_of(&again, "shop.example").as_deref(), Some("xyzzy-43"));
    assert_eq!(value_of(&again, "other.example").as_deref(), Some("xyzzy-42"), "as it was");
    assert_eq!(again.storage.len(), 2);
    let (label, ..) = label_of(&fs::read(folder.join("shop.login")).unwrap()).unwrap();
    assert_eq!(label.origins, ["https://third.example", ORIGIN, other], "all that is in it");
}

#[tokio::test]
async fn an_instance_that_started_before_there_was_a_key_uses_the_one_that_another_made() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("logins");
    let (early, late) = (logins(&folder, None).await.unwrap(), logins(&folder, None).await.unwrap());
    late.write(&late.bound[0], None, &state("xyzzy-42")).unwrap();
    let begun = early.read(&early.bound[0]).unwrap();
    assert_eq!(begun.as_ref().unwrap().cookies.len(), 1);
    early.write(&early.bound[0], begun.as_ref(), &state("xyzzy-43")).unwrap();
    let read = late.read(&late.bound[0]).unwrap().unwrap();
    assert_eq!(read.cookies[0].value.expose(), "xyzzy-43");
}

#[tokio::test]
async fn many_sessions_that_end_at_once_lose_nothing() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("logins");
    let all = Arc::new(logins(&folder, None).await.unwrap());
    let threads: Vec<_> = (0..8)
        .map(|n| {
            let all = all.clone();
            std::thread::spawn(move || {
                let mut state = state("xyzzy-42");
                state.cookies[0].name = format!("c{n}");
                all.write(&all.bound[0], None, &state).unwrap();
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(all.read(&all.bound[0]).unwrap().unwrap().cookies.len(), 8);
}

#[tokio::test]
async fn what_can_not_be_opened_is_refused_and_left_as_it_is() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("logins");
    let all = logins(&folder, None).await.unwrap();
    all.write(&all.bound[0], None, &state("xyzzy-42")).unwrap();
    let file = folder.join("shop.login");
    let good = fs::read(&file).unwrap();
    let refused = async |why: &str| {
        let problem = logins(&folder, None).await.unwrap_err();
        assert_eq!(problem.code, Code::LoginUnreadable, "{problem}");
        assert!(format!("{problem:?}").contains(why), "{why}: {problem:?}");
        // A session that is under way does not write over it either.
        assert!(all.write(&all.bound[0], None, &state("xyzzy-43")).is_err());
    };
    let mut changed = good.clone();
    *changed.last_mut().unwrap() ^= 1;
    let mut later = good.clone();
    later[13] = 9;
    for (bytes, why) in [
        (&changed[..], "another key"),
        (&later[..], "later version"),
        (&good[..20], "broken off"),
        (b"hello", "no saved login"),
        (b"", "no saved login"),
    ] {
        fs::write(&file, bytes).unwrap();
        refused(why).await;
        assert_eq!(fs::read(&file).unwrap(), bytes, "left as it is");
    }
    fs::write(&file, &good).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    refused("chmod 600").await;
    fs::rename(&file, folder.join("elsewhere")).unwrap();
    symlink(folder.join("elsewhere"), &file).unwrap();
    refused("is a link").await;
    fs::remove_file(&file).unwrap();
    fs::set_permissions(folder.join("elsewhere"), fs::Permissions::from_mode(0o600)).unwrap();
    fs::rename(folder.join("elsewhere"), &file).unwrap();
    assert!(logins(&folder, None).await.is_ok(), "the twin: as it was");
    // Another name, and a key that is not the one.
    let (specs, reach) = ([format!("bank@{ORIGIN}").parse().unwrap()], Reach::default());
    let bank = async || Logins::load_in(folder.clone(), &specs, None, &reach).await;
    assert!(bank().await.is_ok());
    fs::copy(&file, folder.join("bank.login")).unwrap();
    assert!(format!("{:?}", bank().await.unwrap_err()).contains("another name"));
    fs::write(folder.join("key"), [7; 32]).unwrap();
    refused_by_key(&folder).await;
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    assert!(logins(&folder, None).await.is_err(), "a folder that is open to others");
}

async fn refused_by_key(folder: &Path) {
    let problem = logins(folder, None).await.unwrap_err();
    assert!(
        problem.code == Code::LoginUnreadable && format!("{problem:?}").contains("another key"),
        "{problem:?}"
    );
}

#[tokio::test]
async fn words_of_the_operator_seal_it_too() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("logins");
    let words = Some("cmd:echo correct-horse-42");
    let all = logins(&folder, words).await.unwrap();
    all.write(&all.bound[0], None, &state("xyzzy-42")).unwrap();
    assert!(!folder.join("key").exists(), "no key of ours");
    let again = logins(&folder, words).await.unwrap();
    assert_eq!(again.read(&again.bound[0]).unwrap().unwrap().cookies.len(), 1);
    for (key, why) in [(Some("cmd:echo correct-house-42"), "another key"), (None, "--login-key")] {
        let problem = logins(&folder, key).await.unwrap_err();
        let told = format!("{problem:?}");
        assert!(problem.code == Code::LoginUnreadable && told.contains(why), "{told}");
        assert!(!told.contains("correct"), "{told}");
    }
    assert_eq!(logins(&folder, Some("cmd:echo abc")).await.unwrap_err().code, Code::Usage, "too short");
}

#[tokio::test]
async fn logins_are_bound_as_secrets_are() {
    let place = tempfile::tempdir().unwrap();
    for (specs, why) in [
        (&["shop@http://shop.example"][..], "without TLS"),
        (&["shop@https://shop.example/path"], "no origin"),
        (&["a@https://shop.example", "b@https://shop.example"], "already"),
        (&["a@https://shop.example,https://shop.example"], "already"),
        (&["a@https://shop.example", "a@https://other.example"], "two logins"),
    ] {
        let specs: Vec<LoginSpec> = specs.iter().map(|spec| spec.parse().unwrap()).collect();
        let loaded = Logins::load_in(place.path().join("logins"), &specs, None, &Reach::default()).await;
        assert!(format!("{:?}", loaded.unwrap_err()).contains(why), "{why}");
    }
    for (text, error) in [
        ("shop", LoginSpecError::Form),
        ("shop@shop.example", LoginSpecError::Form),
        ("../x@https://a.test", LoginSpecError::Name),
        ("@https://a.test", LoginSpecError::Name),
    ] {
        assert_eq!(text.parse::<LoginSpec>().unwrap_err(), error, "{text}");
    }
    assert_eq!("hunter22".parse::<LoginKey>().unwrap_err(), LoginSpecError::Source);
}

#[tokio::test]
async fn a_login_that_keeps_much_takes_nothing_from_another() {
    let place = tempfile::tempdir().unwrap();
    let specs = ["much@https://much.example", "shop@https://shop.example"].map(|spec| spec.parse().unwrap());
    let all = Logins::load_in(place.path().join("logins"), &specs, None, &Reach::default()).await.unwrap();
    let key = |n: u32| (n.to_string(), Item(format!("k3y-of-a-session-{n:08}").as_str().into()));
    let mut state = state("4f1c9a02be77d1540e");
    let much = Storage { origin: "https://much.example".into(), items: (0..500).map(key).collect() };
    state.storage.insert(0, much);
    let vault = crate::Vault::default();
    all.hide_all_of(&state, &vault);
    assert_eq!(vault.mask().over("sid 4f1c9a02be77d1540e"), "sid •••");
    assert_eq!(vault.mask().over("see k3y-of-a-session-00000000"), "see •••");
}
