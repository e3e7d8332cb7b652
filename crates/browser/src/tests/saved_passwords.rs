//! A profile that stays may have passwords that somebody saved in it: none is filled into a page.

use std::{fs, path::Path, time::Instant};

use super::*;

/// A password that is saved for a site on this machine, with zeros for its port; sealed with the key that everybody knows.
const SAVED: &[u8] = include_bytes!("fixtures/saved_password.sqlite");

const LOGIN: &str =
    "<!doctype html><title>Log in</title><form method=post action=/s><input name=user autocomplete=username>
    <input name=password type=password><button>Log in</button></form>";

fn save_password(profile: &Path, site: &Site) {
    let (zeros, port) = (b"127.0.0.1:00000", format!("127.0.0.1:{:05}", site.port()));
    let mut saved = SAVED.to_vec();
    let places: Vec<usize> =
        saved.windows(zeros.len()).enumerate().filter(|(_, part)| part == zeros).map(|(at, _)| at).collect();
    assert!(!places.is_empty() && port.len() == zeros.len());
    for at in places {
        saved[at..at + port.len()].copy_from_slice(port.as_bytes());
    }
    fs::create_dir_all(profile.join("Default")).unwrap();
    fs::write(profile.join("Default/Login Data"), saved).unwrap();
}

/// Whether the browser fills the password in, while a page is looked at for so long.
async fn is_filled_in(extra_flags: &[&str], patience: Duration) -> bool {
    let site = Site::builder().page("/", LOGIN).start().await;
    let folder = tempfile::tempdir().unwrap();
    save_password(folder.path(), &site);
    let profile = Profile::Persistent(folder.path().to_owned());
    let extra_flags = extra_flags.iter().map(OsString::from).collect();
    let options = LaunchOptions { profile, extra_flags, ..LaunchOptions::default() };
    let browser = Browser::launch(&options, &soon()).await.unwrap();
    let context = browser.new_context(&ContextOptions::default(), &soon()).await.unwrap();
    let tab = context.active_tab(&soon()).await.unwrap();
    tab.navigate(&PageUrl::parse(&site.url("/")).unwrap(), &soon()).await.unwrap();
    let began = Instant::now();
    let mut filled = false;
    while !filled && began.elapsed() < patience {
        filled = read(&tab, "document.querySelector('[type=password]').matches(':autofill')").await;
    }
    browser.close().await;
    let settings = fs::read_to_string(folder.path().join("Default/Preferences")).unwrap();
    for off in [r#""credentials_enable_service":false"#, r#""credit_card_enabled":false"#] {
        assert!(settings.contains(off), "{settings}");
    }
    filled
}

#[tokio::test]
async fn a_saved_password_is_not_filled_in() {
    // The twin first: it would be, and this is how long it takes.
    let began = Instant::now();
    let off = ["--disable-features=fill-on-account-select"];
    assert!(
        is_filled_in(&off, Duration::from_secs(20)).await,
        "what is saved is found and would be filled in"
    );
    assert!(!is_filled_in(&[], began.elapsed().max(Duration::from_secs(2))).await);
}
