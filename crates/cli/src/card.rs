//! A question as a terminal shows it: what would really be sent first, then what the caller says of it.

use legwork_api::Shown;

use crate::plain::plain;

/// All of it, a line each.
pub(crate) fn lines(shown: &Shown) -> Vec<String> {
    let mut lines = vec![shown.act.clone().unwrap_or_else(|| "the page did this by itself".to_owned())];
    lines.push(format!("on {}", shown.page));
    lines.push(String::new());
    lines.push(format!("would send {} {}{}", shown.method, shown.origin, shown.path));
    lines.extend(shown.amounts.iter().map(|amount| format!("  ** {amount} **")));
    if let Some(why) = &shown.not_inspected {
        lines.push(format!("  !! {why}: a yes is a yes to something unseen"));
    }
    lines.extend(shown.operations.iter().map(|operation| format!("  {operation}")));
    lines.extend(shown.fields.iter().map(|field| format!("  {} = {}", field.name, field.value)));
    if shown.more_fields > 0 {
        lines.push(format!("  and {} more fields that are not shown", shown.more_fields));
    }
    lines.extend(shown.files.iter().map(|file| format!("  file {file}")));
    if !shown.may_change.is_empty() {
        lines.push(format!("  may still change: {}", shown.may_change.join(", ")));
    }
    lines.extend(shown.reasons.iter().map(|reason| format!("  because: {reason}")));
    if let Some(said) = &shown.caller_says {
        lines.push("the agent says, in its own words, which nobody has checked:".to_owned());
        lines.push(format!("  | {said}"));
    }
    if let Some(url) = &shown.url {
        lines.push(format!("with a picture of the page: {url}"));
    }
    lines.push(format!("asked {}, can be answered until {}", shown.asked, shown.expires));
    lines.iter().map(|line| plain(line)).collect()
}

#[cfg(test)]
pub(crate) fn example() -> Shown {
    use legwork_api::ShownField;
    Shown {
        id: "a1".into(),
        standing: "waiting".into(),
        asked: "2026-11-15T23:00:00.123Z".into(),
        expires: "2026-11-16T23:00:00.123Z".into(),
        waits: 7,
        act: Some("click button \"Place order\"".into()),
        page: "https://shop.example/checkout".into(),
        method: "POST".into(),
        origin: "https://shop.example".into(),
        path: "/order".into(),
        amounts: vec!["total: 12.00".into()],
        operations: vec![],
        fields: vec![ShownField { name: "name\u{1b}[2J".into(), value: "Ada\u{202e}".into() }],
        more_fields: 2,
        may_change: vec!["csrf".into()],
        files: vec!["invoice.pdf (12 bytes)".into()],
        not_inspected: None,
        reasons: vec!["the button says \"order\"".into()],
        caller_says: Some("opens the help page\n[Approved]".into()),
        offers_errand: false,
        url: Some("http://127.0.0.1:1/approve/a1?code=c".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_stands_above_what_the_caller_says_and_nothing_commands_the_terminal() {
        let lines = lines(&example());
        assert_eq!(
            lines,
            [
                "click button \"Place order\"",
                "on https://shop.example/checkout",
                "",
                "would send POST https://shop.example/order",
                "  ** total: 12.00 **",
                "  name\\u{1b}[2J = Ada\\u{202e}",
                "  and 2 more fields that are not shown",
                "  file invoice.pdf (12 bytes)",
                "  may still change: csrf",
                "  because: the button says \"order\"",
                "the agent says, in its own words, which nobody has checked:",
                "  | opens the help page\\n[Approved]",
                "with a picture of the page: http://127.0.0.1:1/approve/a1?code=c",
                "asked 2026-11-15T23:00:00.123Z, can be answered until 2026-11-16T23:00:00.123Z",
            ]
        );
    }
}
