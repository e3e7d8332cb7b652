//! Where somebody else's browser may be, and where a click may lead. Pure; the rules are handed in.

use legwork_types::{Code, Problem};

use super::{ForeignAct, ForeignPage, LONGEST, floor::resolved};
use crate::harmless;

/// Whether places have to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    /// The errand is one of a service, and goes nowhere else.
    OfService,
    /// It may go anywhere that the rules do not forbid.
    Open,
}

/// The page as it may be shown: all of it, or nothing but where it is.
pub(super) fn bounded(
    page: ForeignPage,
    bounds: Bounds,
    admits: impl Fn(&str) -> Result<(), Problem>,
) -> ForeignPage {
    let refused = match url::Url::parse(page.url.untrusted()) {
        Ok(_) => admits(page.url.untrusted()).err(),
        // A server that tells no addresses is good for errands that may go anywhere. Behind a dialog the address is an old one.
        Err(_) if bounds == Bounds::Open || page.dialog.is_some() => None,
        Err(_) => {
            let message = "nobody knows where the page is, and this errand stays at its service";
            Some(Problem::new(Code::NavigationBlocked, message, "go to an address of the errand"))
        }
    };
    match refused {
        Some(problem) => without_words(page, &problem),
        None => page,
    }
}

/// What is left of a page that the errand has no business with.
fn without_words(page: ForeignPage, problem: &Problem) -> ForeignPage {
    let origin = |url: url::Url| url.origin().ascii_serialization();
    let url = url::Url::parse(page.url.untrusted()).map(origin).unwrap_or_default();
    ForeignPage {
        url: url.into(),
        dialog: page.dialog.map(|_| "of a page that is not shown".into()),
        tabs: page.tabs,
        is_unread: true,
        barred: Some(harmless(&problem.message, LONGEST)),
        ..ForeignPage::default()
    }
}

/// The address of the web that an act leads to, as far as the page tells: what is clicked may stand in a link.
pub(super) fn leads_to(act: &ForeignAct, page: &ForeignPage) -> Option<String> {
    let on = match act {
        ForeignAct::Go(url) => return Some(url.clone()),
        ForeignAct::Click(on, _) => on,
        _ => return None,
    };
    let at = page.parts.iter().position(|part| part.reference.as_ref() == Some(&on.reference))?;
    let mut around = page.parts[at].depth + 1;
    let address = page.parts[..=at].iter().rev().find_map(|part| {
        let is_around = part.depth < around;
        around = around.min(part.depth);
        part.address.as_ref().filter(|_| is_around)
    })?;
    let url = resolved(address.untrusted(), page)?;
    matches!(url.scheme(), "http" | "https").then(|| url.to_string())
}

#[cfg(test)]
mod tests {
    use super::{
        super::{ForeignPart, On},
        *,
    };

    fn admits(address: &str) -> Result<(), Problem> {
        match address.starts_with("https://a.example/") || address == "about:blank" {
            true => Ok(()),
            false => Err(Problem::new(Code::NavigationBlocked, "it may not be reached", "stay")),
        }
    }

    fn at(url: &str) -> ForeignPage {
        let part = |depth, role: &str, reference: &str, address: Option<&str>| ForeignPart {
            depth,
            role: role.into(),
            name: "obey me".into(),
            reference: Some(reference.into()),
            address: address.map(Into::into),
            ..ForeignPart::default()
        };
        ForeignPage {
            url: url.into(),
            title: "obey me".into(),
            parts: vec![
                part(0, "link", "e1", Some("https://b.example/x")),
                part(1, "generic", "e2", None),
                part(1, "generic", "e3", None),
                part(0, "link", "e4", Some("/y")),
                part(0, "link", "e5", Some("javascript:go()")),
                part(0, "button", "e6", None),
            ],
            ..ForeignPage::default()
        }
    }

    #[test]
    fn nothing_is_shown_of_a_page_where_the_errand_may_not_be() {
        for bounds in [Bounds::OfService, Bounds::Open] {
            for url in ["https://a.example/account", "about:blank"] {
                assert_eq!(bounded(at(url), bounds, admits), at(url));
            }
            let there = bounded(at("https://b.example/obey-me?obey=me"), bounds, admits);
            assert_eq!(there.url.untrusted(), "https://b.example");
            assert!(
                there.is_unread && there.barred.is_some() && there.parts.is_empty() && there.title.is_blank()
            );
            assert!(bounded(at("chrome-error://chromewebdata/"), bounds, admits).barred.is_some());
        }
        assert!(bounded(at("unknown"), Bounds::OfService, admits).barred.is_some());
        assert_eq!(bounded(at("unknown"), Bounds::Open, admits), at("unknown"));
    }

    #[test]
    fn a_click_leads_to_the_address_of_the_link_that_it_is_in() {
        let page = at("https://a.example/");
        for (reference, leads) in [
            ("e1", Some("https://b.example/x")),
            ("e2", Some("https://b.example/x")),
            ("e3", Some("https://b.example/x")),
            ("e4", Some("https://a.example/y")),
            ("e5", None),
            ("e6", None),
            ("e9", None),
        ] {
            let click = ForeignAct::Click(On { reference: reference.into(), name: String::new() }, 1);
            assert_eq!(leads_to(&click, &page).as_deref(), leads, "{reference}");
        }
        assert_eq!(
            leads_to(&ForeignAct::Go("https://c.example".into()), &page).as_deref(),
            Some("https://c.example")
        );
        assert_eq!(leads_to(&ForeignAct::Back, &page), None);
    }
}
