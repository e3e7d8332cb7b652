//! The settings of the profile.

use super::{
    layout::{page, token},
    service::{LANGUAGES, Service, Visit},
};
use crate::{
    desk::{Answer, Asked},
    html::{Html, html, mark},
};

pub(super) fn show(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let languages = LANGUAGES.iter().map(|(key, title)| {
        let chosen = mark(*key == service.membership.language, " selected");
        html!(
            r#"<option value="{key}" lang="{key}"{chosen}>{title}</option>"#,
            key = *key,
            chosen = chosen,
            title = *title
        )
    });
    let body = html!(
        r#"<div class="narrow"><h1>Settings</h1><form method="post" action="/account/settings" class="panel">{token}
<div class="field"><label for="language">Language</label><select id="language" name="language">{languages}</select></div>
<p><label class="tick"><input type="checkbox" name="subtitles" value="yes"{subtitles}> Show subtitles</label></p>
<p class="row"><button class="button">Save settings</button><a class="button quiet" href="/account">Back</a></p></form></div>"#,
        token = token(asked),
        languages = languages.collect::<Html>(),
        subtitles = mark(service.membership.subtitles, " checked"),
    );
    page(visit, asked, "Settings", body)
}

pub(super) fn save(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let Some((language, _)) = LANGUAGES.iter().find(|(key, _)| *key == asked.field("language")) else {
        return Answer::go("/account/settings");
    };
    let subtitles = !asked.field("subtitles").is_empty();
    (service.membership.language, service.membership.subtitles) = (language, subtitles);
    let details = [
        ("language", (*language).to_owned()),
        ("subtitles", if subtitles { "yes" } else { "no" }.to_owned()),
    ];
    service.note(visit, "setting-saved", details);
    visit.notice = Some("Your settings are saved.".into());
    Answer::go("/account/settings")
}
