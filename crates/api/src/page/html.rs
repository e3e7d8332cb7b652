//! The approval page in words. Whatever is not written here is escaped: there is one way in for texts, and it is [`text`].

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::Shown;

const STYLE: &str = include_str!("style.css");

/// What pages of ours may do: show our own pictures and send our own forms.
pub(super) fn policy() -> String {
    let style = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
}

/// A text of somebody else.
fn text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A whole page. The title and the body are written here, or went through [`text`].
fn page(title: &str, head: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">{head}<title>{title}</title><style>{STYLE}</style></head>\
         <body><main><p class=\"brand\">Legwork</p>{body}</main></body></html>\n"
    )
}

/// A heading and a sentence.
pub(super) fn words(title: &str, sentence: &str) -> String {
    page(title, "", &format!("<h1>{title}</h1><p>{sentence}</p>"))
}

/// Asks for the code. Nothing of the question is told before.
pub(super) fn code_form(id: &str, note: Option<&str>) -> String {
    let note = note.map(|note| format!("<p class=\"warn\">{note}</p>")).unwrap_or_default();
    let id = text(id);
    page(
        "Enter the code",
        "",
        &format!(
            "<h1>Enter the code</h1><p>It stands where Legwork was started, and <code>legwork approvals</code> shows it in a \
             terminal.</p>{note}<form class=\"code\" method=\"post\" action=\"/approve/{id}/code\"><input name=\"code\" \
             aria-label=\"Code\" autocomplete=\"off\" autocapitalize=\"off\" spellcheck=\"false\" autofocus required \
             maxlength=\"100\"><button>Continue</button></form>"
        ),
    )
}

/// Leads on to the question from an address that holds the code.
pub(super) fn onward(id: &str) -> String {
    let id = text(id);
    let head = format!("<meta http-equiv=\"refresh\" content=\"0;url=/approve/{id}\">");
    page("One moment", &head, &format!("<h1>One moment</h1><p><a href=\"/approve/{id}\">Continue</a></p>"))
}

/// Somebody else was faster, or it was too late.
pub(super) fn decided(standing: &str) -> String {
    let sentence = match standing {
        "approved" => "It was approved before. The first answer counts.",
        "denied" => "It was denied before. The first answer counts.",
        "expired" => "It was not answered in time, which counts as a no. Nothing was sent.",
        _ => "What it was about is over: its session was closed. Nothing was sent.",
    };
    words("This question was decided", sentence)
}

/// The question itself: what would be sent, and the answers; or what was answered.
pub(super) fn question(shown: &Shown, token: &str, has_picture: bool) -> String {
    let answer = match shown.standing.as_str() {
        "waiting" => format!(
            "<form class=\"answer\" method=\"post\" action=\"/approve/{}/answer\"><input type=\"hidden\" name=\"token\" \
             value=\"{}\"><button name=\"answer\" value=\"yes\">Approve</button><button class=\"no\" name=\"answer\" \
             value=\"no\">Deny</button>{}</form>",
            text(&shown.id),
            text(token),
            for_errand(shown)
        ),
        _ => String::new(),
    };
    let title = match shown.standing.as_str() {
        "waiting" => "May this be sent?",
        "approved" => "Approved",
        "denied" => "Denied: it is not sent",
        "expired" => "Too late: it is not sent",
        _ => "Over: it is not sent",
    };
    let mut body = format!("<h1>{title}</h1>");
    // How much and to whom comes first: that is what a yes is about.
    body.push_str(&request(shown));
    body.push_str(&what_was_done(shown));
    if has_picture {
        let source = format!("/approve/{}/picture", text(&shown.id));
        body.push_str(&format!(
            "<h2>The page when it was asked</h2><img src=\"{source}\" alt=\"A picture of the page\">"
        ));
    }
    body.push_str(&details(shown));
    if let Some(said) = &shown.caller_says {
        body.push_str(&format!(
            "<h2>The agent says</h2><blockquote>{}</blockquote><p class=\"soft\">These are the agent's own words. Nobody has checked \
             them; what counts is the request above.</p>",
            text(said)
        ));
    }
    body.push_str(&answer);
    body.push_str(&format!(
        "<p class=\"soft\">Asked {}; can be answered until {}. No answer is a no. ({})</p>",
        text(&Shown::moment(&shown.asked)),
        text(&Shown::moment(&shown.expires)),
        text(&shown.id)
    ));
    page(title, "", &body)
}

/// The third answer, where there is one: apart from the others, and with what it means.
fn for_errand(shown: &Shown) -> String {
    if !shown.offers_errand {
        return String::new();
    }
    format!(
        "<div class=\"errand\"><p class=\"soft\">Nobody knows what this does. If <span class=\"address\">{}{}</span> is harmless, it need \
         not be asked about again until this session ends; what pays, orders or deletes still is.</p><button class=\"errand\" \
         name=\"answer\" value=\"errand\">Approve, also from now on</button></div>",
        text(&shown.origin),
        text(&shown.path)
    )
}

fn what_was_done(shown: &Shown) -> String {
    let act = match &shown.act {
        Some(act) => format!("<p class=\"act\">{}</p>", text(act)),
        None => "<p class=\"act\">The page did this by itself</p>".to_owned(),
    };
    format!("{act}<p class=\"soft\">on <span class=\"address\">{}</span></p>", text(&shown.page))
}

fn request(shown: &Shown) -> String {
    let mut html = "<div class=\"request\">".to_owned();
    for amount in &shown.amounts {
        // The name is of the page, and may hold anything; a sum holds no colon.
        let (name, sum) = amount.rsplit_once(": ").unwrap_or(("", amount));
        html.push_str(&format!("<p class=\"amount\"><span>{}</span>{}</p>", text(name), text(sum)));
    }
    html.push_str(&format!(
        "<span class=\"soft\">would send</span><div class=\"address\">{} <span class=\"origin\">{}</span>{}</div>",
        text(&shown.method),
        text(&shown.origin),
        text(&shown.path)
    ));
    if let Some(why) = &shown.not_inspected {
        html.push_str(&format!(
            "<p class=\"warn\"><strong>What it says can't be shown.</strong> It {}. A yes is a yes to something unseen.</p>",
            text(why)
        ));
    }
    html.push_str("</div>");
    html
}

fn details(shown: &Shown) -> String {
    let mut html = String::new();
    if !shown.fields.is_empty() {
        html.push_str("<h2>What it says</h2><table>");
        for field in &shown.fields {
            html.push_str(&format!("<tr><td>{}</td><td>{}</td></tr>", text(&field.name), text(&field.value)));
        }
        html.push_str("</table>");
    }
    if shown.more_fields > 0 {
        let more = shown.more_fields;
        html.push_str(&format!("<p class=\"soft\">and {more} more fields that are not shown</p>"));
    }
    html.push_str(&list("Operations", &shown.operations));
    html.push_str(&list("Files", &shown.files));
    html.push_str(&list("May still change (tokens and times)", &shown.may_change));
    html.push_str(&list("Why you are asked", &shown.reasons));
    html
}

fn list(title: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: Vec<String> = items.iter().map(|item| format!("<li>{}</li>", text(item))).collect();
    format!("<h2>{title}</h2><ul>{}</ul>", items.join(""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ShownField;

    const EVIL: &str = "<img src=x onerror=alert(1)>\"'&</main>";

    /// A question in which all texts are hostile.
    fn example() -> Shown {
        let evil = EVIL.to_owned();
        Shown {
            id: evil.clone(),
            standing: "waiting".into(),
            asked: evil.clone(),
            expires: evil.clone(),
            waits: 0,
            act: Some(evil.clone()),
            page: evil.clone(),
            method: evil.clone(),
            origin: evil.clone(),
            path: evil.clone(),
            amounts: vec![format!("{evil}: {evil}")],
            operations: vec![evil.clone()],
            fields: vec![ShownField { name: evil.clone(), value: evil.clone() }],
            more_fields: 0,
            may_change: vec![evil.clone()],
            files: vec![evil.clone()],
            not_inspected: Some(evil.clone()),
            reasons: vec![evil.clone()],
            caller_says: Some(evil),
            offers_errand: true,
            url: None,
        }
    }

    #[test]
    fn whatever_others_wrote_is_only_text() {
        let (shown, evil) = (example(), EVIL);
        for html in [question(&shown, evil, true), code_form(evil, None), onward(evil)] {
            assert!(!html.contains("<img src=x") && !html.contains("\"'&<"), "{html}");
            assert_eq!(html.matches("</main>").count(), 1);
        }
        assert!(!question(&shown, "", true).contains(evil));
        // What would be sent stands above what the agent says of it.
        let html = question(&shown, "", false);
        assert!(html.find("would send") < html.find("The agent says") && html.contains("own words"));
    }

    #[test]
    fn the_name_of_a_sum_is_not_taken_for_the_sum() {
        let amounts = vec!["total: 5.00 EUR: 900".to_owned(), "and 2 more sums".to_owned()];
        let html = request(&Shown { amounts, ..example() });
        assert!(html.contains("<span>total: 5.00 EUR</span>900</p>"), "{html}");
        assert!(html.contains("<span></span>and 2 more sums</p>"), "{html}");
    }

    #[test]
    fn the_third_answer_is_there_only_where_it_is_offered() {
        let third = "value=\"errand\"";
        assert_eq!(question(&example(), "", false).matches(third).count(), 1);
        assert!(!question(&Shown { offers_errand: false, ..example() }, "", false).contains(third));
        assert!(!question(&Shown { standing: "approved".into(), ..example() }, "", false).contains(third));
    }
}
