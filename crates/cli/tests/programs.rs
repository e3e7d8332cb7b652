//! Links that would start a program of this machine, with a real browser: whatever they name, none starts.
#![cfg(target_os = "linux")]

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use crate::support::{
    Legwork,
    mcp::{Talk, named, number},
};
use legwork_testkit::{Site, TempHome};
use serde_json::json;

/// What a browser starts for an address that it can't open itself, on whichever desktop.
const STARTERS: &[&str] = &[
    "xdg-settings",
    "xdg-mime",
    "xdg-open",
    "xdg-email",
    "gio",
    "gvfs-open",
    "kde-open",
    "exo-open",
    "sensible-browser",
];

const LINKS: &[(&str, &str)] = &[
    ("Mail", "mailto:ada@evil.test?subject=hello"),
    ("Call", "tel:+491234567"),
    ("App", "ms-settings:privacy"),
    ("Magnet", "magnet:?xt=urn:btih:aa"),
    ("Shell", "ssh://evil.test"),
];

/// Programs of these names that only write down that they were started.
fn traps(folder: &Path) -> String {
    fs::create_dir_all(folder).unwrap();
    for name in STARTERS {
        let file = folder.join(name);
        fs::write(&file, format!("#!/bin/sh\necho \"{name} $*\" >> '{}'\n", ledger(folder).display()))
            .unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

fn ledger(folder: &Path) -> std::path::PathBuf {
    folder.join("started.txt")
}

fn started(folder: &Path) -> String {
    fs::read_to_string(ledger(folder)).unwrap_or_default()
}

#[test]
fn no_link_starts_a_program_of_this_machine() {
    let (legwork, home) = (Legwork::new(), TempHome::new());
    let folder = home.path().join("traps");
    let path = traps(&folder);
    let links: String = LINKS.iter().map(|(name, to)| format!("<p><a href='{to}'>{name}</a></p>")).collect();
    let page = format!(
        "<!doctype html><title>Links</title>{links}<p><a href=/there>There</a></p><iframe src=mailto:bob@evil.test></iframe>"
    );
    let there = format!(
        "<!doctype html><title>There</title><p>Arrived</p>{links}\
         <button onclick=\"for (const link of document.links) {{ link.click(); open(link.href) }}\">All</button>"
    );
    let site = Site::builder().page("/", page).page("/there", there).start_blocking();
    let mut talk = Talk::greeted_with(&legwork, &[], &[("PATH", &path)]);
    let mut seen = talk.told("browser_session_open", json!({ "url": site.url("/") }));
    let session = named(&seen, "session");
    let mut press = |what: &str| {
        let call = json!({
            "sessionId": session,
            "observationId": named(&seen, "observation"),
            "target": { "kind": "element", "actionId": number(&seen, what) },
            "action": { "type": "click" },
        });
        // Whether it is refused or comes to nothing is all the same here.
        talk.call("browser_act", call);
        seen = talk.told("browser_observe", json!({ "sessionId": session }));
        seen.clone()
    };
    for (name, _) in LINKS {
        press(&format!("link \"{name}\""));
    }
    // The twin: nothing lies over the page after all these, and a link to another one is followed.
    let there = press("link \"There\"");
    assert!(there.contains("Arrived"), "{there}");
    press("button \"All\"");
    talk.end();
    assert_eq!(started(&folder), "", "a program was started");
    // The traps would have told: what is started by its name is written down.
    let told = Command::new("sh").args(["-c", "xdg-open mailto:x"]).env("PATH", &path).status().unwrap();
    assert!(told.success() && started(&folder) == "xdg-open mailto:x\n", "{}", started(&folder));
}
