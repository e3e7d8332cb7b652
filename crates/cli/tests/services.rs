//! `legwork services` from the outside: what there is, what is wrong with a file, and how one is begun.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use crate::support::Legwork;
use legwork_testkit::TempHome;

const GOOD: &str = r#"name = "gym"
description = "Cancel at the gym"
verb = "cancel"
start = "https://www.gym.example/account"
goal = "Cancel it."
[domains]
read = ["www.gym.example"]
[[success]]
text = "cancelled"
"#;

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    file
}

fn own_folder(legwork: &Legwork) -> PathBuf {
    legwork.settings().join("legwork/services")
}

#[test]
fn what_comes_with_the_program_is_listed_shown_and_in_order() {
    let legwork = Legwork::new();
    let list = legwork.run(&["services", "list"]);
    assert_eq!(list.code, Some(0), "{list:?}");
    let line = "netflix  Cancel a Netflix membership  (comes with the program, legwork cancel netflix)\n";
    assert!(list.text().contains(line), "{list:?}");
    let json = legwork.run(&["services", "list", "--json"]).json();
    let services = json["services"].as_array().unwrap();
    let facts: Vec<_> = services.iter().map(|one| (one["name"].as_str(), one["verb"].as_str())).collect();
    assert_eq!(facts, [(Some("coffee"), Some("reorder")), (Some("netflix"), Some("cancel"))]);
    assert!(services.iter().all(|one| one["file"].is_null() && one["ok"] == true), "{json}");

    let check = legwork.run(&["services", "check"]);
    let expected = "ok    coffee  comes with the program\nok    netflix  comes with the program\n";
    assert_eq!((check.code, check.text().as_str()), (Some(0), expected), "{check:?}");
    assert_eq!(legwork.run(&["services", "check", "--json"]).json()["ok"], true);

    let show = legwork.run(&["services", "show", "netflix"]).text();
    for line in [
        "netflix: Cancel a Netflix membership\ncommand: legwork cancel netflix\n",
        "start: https://www.netflix.com/account\n",
        "--data reason=: The reason that a survey is told [default: ",
        "may load: netflix.com, *.netflix.com, ",
        "limits: 20 turns, $5.00, 60 minutes\n",
        "asked about if: click or press is called, and it is about an element named \"finish cancellation\" or ",
        "done if: the page is at www.netflix.com, and the page says \"your membership is cancelled\" or ",
        "failed if: the page says ",
        "wants a login if: the page is at www.netflix.com/login or ",
    ] {
        assert!(show.contains(line), "{line} in {show}");
    }
    let json = legwork.run(&["services", "show", "netflix", "--json"]).json();
    assert_eq!((&json["verb"], &json["limits"]["turns"]), (&"cancel".into(), &20.into()), "{json}");
    assert_eq!(json["success"][0]["url"][0], "www.netflix.com");
    legwork.assert_no_start();
}

#[test]
fn a_name_that_is_not_known_is_told_with_what_is_near() {
    let legwork = Legwork::new();
    write(&own_folder(&legwork), "gym.toml", GOOD);
    for (name, hint) in
        [("netflx", "did you mean netflix?"), ("gim", "did you mean gym?"), ("x", "services list")]
    {
        let ran = legwork.run(&["services", "show", name]);
        ran.refused("SERVICE_UNKNOWN", 2);
        assert!(
            ran.stderr.contains(hint) && ran.stderr.contains("there are: coffee, gym, netflix"),
            "{ran:?}"
        );
    }
    let json = legwork.run(&["services", "show", "netflx", "--json"]);
    assert_eq!((&json.json()["error"]["code"], json.code), (&"SERVICE_UNKNOWN".into(), Some(2)));
    legwork.run(&["services", "show"]).refused("USAGE", 2);
    assert!(
        legwork.run(&["services", "show", "\u{1b}[2J"]).stderr.contains("\\u{1b}"),
        "nothing reaches the terminal"
    );
}

#[test]
fn a_file_that_can_not_be_used_is_refused_with_line_and_reason() {
    let (legwork, folder) = (Legwork::new(), TempHome::new());
    for (name, text, message, cause, next) in [
        (
            "key",
            GOOD.replace("verb", "vreb"),
            "line 3: vreb is not known",
            "known here: ",
            "did you mean verb?",
        ),
        (
            "kind",
            GOOD.replace("\"cancel\"", "[]"),
            "line 3: verb can't be used",
            "invalid type",
            "docs/services.md",
        ),
        ("start", GOOD.replace("https", "http"), "line 4: start can't be used", "not https", "whole address"),
        ("slot", GOOD.replace("it.", "{it}."), "line 5: goal can't be used", "what {it} is", "[data.it]"),
        (
            "suffix",
            GOOD.replace("[\"www", "[\"*.co.uk\", \"www"),
            "line 7: domains.read[0]",
            "public suffix",
            "name the hosts",
        ),
        (
            "none",
            GOOD.replace("text = \"cancelled\"", ""),
            "line 8: success[0] can't be used",
            "it is empty",
            "give",
        ),
        (
            "toml",
            GOOD.replace("[domains]", "[domains"),
            "line 6: it can't be read as TOML",
            "",
            "docs/services.md",
        ),
    ] {
        let file = write(folder.path(), &format!("{name}.toml"), text);
        let file = file.to_str().unwrap();
        for line in [&["services", "check", file][..], &["services", "show", "--service-file", file]] {
            let ran = legwork.run(line);
            ran.refused("SERVICE_INVALID", 2);
            let told = format!("{file}, {message}");
            assert!(ran.stderr.contains(&told) && ran.stderr.contains(cause), "{told} {cause}: {ran:?}");
            assert!(ran.stderr.contains(next), "{next}: {ran:?}");
        }
    }
    let bytes = write(folder.path(), "bytes.toml", b"name = \"bytes\"\n\xff\n");
    let ran = legwork.run(&["services", "check", bytes.to_str().unwrap()]);
    ran.refused("SERVICE_INVALID", 2);
    assert!(ran.stderr.contains("line 2 is not written in UTF-8"), "{ran:?}");
    let json = legwork.run(&["services", "check", bytes.to_str().unwrap(), "--json"]);
    assert_eq!((&json.json()["error"]["code"], json.code), (&"SERVICE_INVALID".into(), Some(2)));
    legwork.run(&["services", "check", "/nowhere/gym.toml"]).refused("SERVICE_INVALID", 2);
}

#[test]
fn a_file_of_the_folder_that_can_not_be_used_takes_nothing_else_along() {
    let legwork = Legwork::new();
    let folder = own_folder(&legwork);
    let gym = write(&folder, "gym.toml", GOOD);
    write(&folder, "broken.toml", "name = 7\n");
    write(&folder, "netflix.toml", GOOD.replace("\"gym\"", "\"netflix\""));
    let list = legwork.run(&["services", "list"]);
    assert_eq!(list.code, Some(0), "{list:?}");
    assert!(
        list.text().contains("broken  can't be used: ") && list.text().contains("line 1: name"),
        "{list:?}"
    );
    assert!(list.text().contains(&format!("gym  Cancel at the gym  ({}", gym.display())), "{list:?}");
    let check = legwork.run(&["services", "check", "--json"]);
    let json = check.json();
    assert_eq!((&json["ok"], check.code), (&false.into(), Some(2)), "{json}");
    let ok: Vec<_> = json["services"].as_array().unwrap().iter().map(|one| one["ok"] == true).collect();
    assert_eq!(ok, [false, true, true, false], "broken, coffee, gym, netflix: {json}");
    assert!(legwork.run(&["services", "check"]).text().contains("fail  broken"), "told in words too");
    // Which of two is meant is not guessed.
    let ran = legwork.run(&["services", "show", "netflix"]);
    ran.refused("SERVICE_INVALID", 2);
    assert!(ran.stderr.contains("there is a service netflix already"), "{ran:?}");
    assert_eq!(legwork.run(&["services", "show", "gym"]).code, Some(0));
}

#[test]
fn a_new_file_is_made_from_the_template_and_never_in_the_place_of_another() {
    let (legwork, folder) = (Legwork::new(), TempHome::new());
    let file = own_folder(&legwork).join("my-gym.toml");
    let made = legwork.run(&["services", "new", "my-gym"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(made.text().starts_with(&format!("{} was made.", file.display())), "{made:?}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\nname = \"my-gym\"\n"), "{text}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(legwork.run(&["services", "check"]).code, Some(0));
    assert!(legwork.run(&["services", "list"]).text().contains("my-gym  "));

    fs::write(&file, "mine").unwrap();
    let again = legwork.run(&["services", "new", "my-gym"]);
    again.refused("OUTPUT_FAILED", 1);
    assert!(again.stderr.contains("is there already"), "{again:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    let link = folder.path().join("link.toml");
    std::os::unix::fs::symlink(folder.path().join("nowhere.toml"), &link).unwrap();
    legwork.run(&["services", "new", "x", "--out", link.to_str().unwrap()]).refused("OUTPUT_FAILED", 1);
    assert!(!folder.path().join("nowhere.toml").exists(), "a link is not followed");

    let out = folder.path().join("gym.toml");
    let json = legwork.run(&["services", "new", "gym", "--out", out.to_str().unwrap(), "--json"]).json();
    assert_eq!(json["file"], out.to_str().unwrap());
    assert_eq!(legwork.run(&["services", "check", out.to_str().unwrap()]).code, Some(0));
    for name in ["My Gym", "../gym", "", "netflix"] {
        legwork.run(&["services", "new", name]).refused("USAGE", 2);
    }
    legwork.run(&["services", "new", "gym", "--out", "/proc/gym.toml"]).refused("OUTPUT_FAILED", 1);
}
