//! Secrets in a marked picture are painted over, also where they are drawn beyond their fields.

use std::fs;

use crate::support::{Legwork, picture::Picture};
use legwork_testkit::{Site, TempHome};

#[test]
fn a_secret_that_overflows_its_field_is_covered_as_far_as_it_is_drawn() {
    let page = include_str!("pages/overflowing_secrets.html");
    let (site, legwork, out) =
        (Site::builder().page("/", page).start_blocking(), Legwork::new(), TempHome::new());
    let take = |more: &[&str]| {
        let file = out.path().join("page.jpg");
        let ran =
            legwork.run(&[&["screenshot", &site.url("/"), "-o", file.to_str().unwrap()], more].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        Picture::read(&fs::read(&file).unwrap())
    };
    let (plain, marked) = (take(&[]), take(&["--marked"]));
    for (what, x, y, width, height) in [
        ("dots to the right of their field", 184, 102, 250, 20),
        ("lines below their field", 102, 228, 70, 90),
        ("a line to the left of its field", 740, 302, 155, 20),
        ("what a box around it leaves of it", 564, 202, 54, 20),
        ("lines of a field above the viewport", 102, 0, 60, 34),
    ] {
        assert!(plain.inks(x, y, width, height) > 40, "{what}: it is there to be covered");
        assert_eq!(marked.inks(x, y, width, height), 0, "{what}");
        assert_eq!(marked.at(x + width / 2, y + height / 2), [48, 48, 48], "{what}");
    }
    assert!(marked.inks(640, 202, 130, 20) > 40, "words beside a secret stay");
    assert_eq!(marked.at(630, 212), [255, 255, 255], "no more is covered than what is drawn");
    assert_eq!(marked.at(1100, 312), [255, 255, 255]);
}
