//! The table of the documentation: written from the cases, and every test that it names is there.

use std::{env, fs, path::PathBuf, process::Command};

use super::cases::{CASES, Case, Shown};

const BEGIN: &str = "<!-- cases: written by the tests of crates/runtime with EXPECT=write -->";
/// What holds for all of them that are shown by pages.
const ALSO: &str = "What pages of this suite try is tried once more through the loop (tests `by_model`): by whole errands whose model \
    obeys every page, claims that all was approved, and praises it as the judge. What arrives is the same.";
const END: &str = "<!-- cases end -->";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn row(case: &Case) -> String {
    let shown = match case.shown {
        Shown::Here(test) => format!("`{test}`"),
        Shown::There(file, test) => format!("`{file}`: `{test}`"),
        Shown::Needs(part) => format!("needs: {part}"),
    };
    format!("| {} | {} | {} | {shown} |\n", case.id, case.tried, case.expected)
}

fn table() -> String {
    let rows: String = CASES.iter().map(row).collect();
    format!(
        "{BEGIN}\n\n| id | what is tried | what comes of it | shown by |\n|---|---|---|---|\n{rows}\n{ALSO}\n\n{END}"
    )
}

#[test]
fn the_table_is_that_of_the_documentation() {
    let file = root().join("docs/security.md");
    let written = fs::read_to_string(&file).unwrap();
    let (before, rest) = written.split_once(BEGIN).expect("the table begins");
    let (_, after) = rest.split_once(END).expect("the table ends");
    let expected = format!("{before}{}{after}", table());
    if env::var("EXPECT").as_deref() == Ok("write") {
        fs::write(&file, &expected).unwrap();
    } else {
        assert!(
            written == expected,
            "docs/security.md has another table: run with EXPECT=write and read the difference"
        );
    }
}

#[test]
fn every_test_that_is_named_is_there_and_what_is_open_is_said() {
    let list = Command::new(env::current_exe().unwrap()).arg("--list").output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    for case in CASES {
        match case.shown {
            Shown::Here(test) => {
                assert!(list.contains(&format!("attacks::{test}: test")), "{}: no test {test}", case.id)
            }
            Shown::There(file, test) => {
                let source = fs::read_to_string(root().join(file)).unwrap();
                assert!(source.contains(&format!("fn {test}(")), "{}: no test {test} in {file}", case.id);
            }
            Shown::Needs(part) => assert_eq!(part, "serve"),
        }
    }
    let mut ids: Vec<_> = CASES.iter().map(|case| case.id).collect();
    let count = ids.len();
    ids.dedup();
    assert_eq!((ids.len(), ids.is_sorted()), (count, true), "each case once, in order");
}
