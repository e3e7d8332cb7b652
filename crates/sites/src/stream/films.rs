//! What there is to see: the front page, the shelf, one film, and the help page.

use super::{
    layout::{self, page},
    service::{PLANS, Service, Visit},
};
use crate::{
    desk::{Answer, Asked},
    html::{Html, html},
};

struct Film {
    slug: &'static str,
    title: &'static str,
    line: &'static str,
    year: &'static str,
    /// Sky, light, ground.
    colours: [&'static str; 3],
    /// The shape in front, in a picture of 160 by 220.
    shape: &'static str,
}

const FILMS: [Film; 8] = [
    Film {
        slug: "northbound",
        title: "Northbound",
        line: "A night train, one compartment, five alibis.",
        year: "2025",
        colours: ["#1d2b53", "#ffcb77", "#0b1026"],
        shape: "M0 170h160v50H0zM20 150h30l8-14h70v34H20zM66 144v10h10v-10zM84 144v10h10v-10zM102 144v10h10v-10z",
    },
    Film {
        slug: "salt-and-static",
        title: "Salt & Static",
        line: "A radio operator hears a harbour that was never built.",
        year: "2024",
        colours: ["#12464f", "#ff8f70", "#082227"],
        shape: "M0 178q20-10 40 0t40 0 40 0 40 0v42H0zM78 70h4l16 106H62zM70 100h20v4H70zM66 128h28v4H66z",
    },
    Film {
        slug: "paper-planets",
        title: "Paper Planets",
        line: "A paper mill, two sisters, and the smallest space programme in Europe.",
        year: "2026",
        colours: ["#432371", "#f7b267", "#1c0f33"],
        shape: "M0 190l50-26 40 16 70-30v70H0zM80 60l34 80-34-18-34 18z",
    },
    Film {
        slug: "the-quiet-orchard",
        title: "The Quiet Orchard",
        line: "Nothing happens for a whole summer. Then the apples ripen.",
        year: "2023",
        colours: ["#6b8f71", "#fff1c9", "#22372b"],
        shape: "M0 184q80-26 160 0v36H0zM76 120h8v64h-8zM80 66c30 0 42 22 36 42 6 22-20 32-36 22-16 10-42 0-36-22-6-20 6-42 36-42z",
    },
    Film {
        slug: "glass-harbour",
        title: "Glass Harbour",
        line: "An architect insures a city against its own reflection.",
        year: "2025",
        colours: ["#20639b", "#ed553b", "#0c2238"],
        shape: "M0 220v-30h14v-60h24v40h10V96h30v80h10v-54h22v44h12v-70h22v94h16v30z",
    },
    Film {
        slug: "eleven-doors",
        title: "Eleven Doors",
        line: "The corridor has ten.",
        year: "2022",
        colours: ["#7a1f3d", "#ffd9a0", "#2a0815"],
        shape: "M0 220V0h36l22 70v92L36 220zM160 220V0h-36l-22 70v92l22 58zM70 96h20v66H70z",
    },
    Film {
        slug: "ferns",
        title: "Ferns",
        line: "A botanist, a border, a plant that walks.",
        year: "2024",
        colours: ["#1b4332", "#b7e4a7", "#081c15"],
        shape: "M78 220V60h4v160zM80 80l-40 10 40 6zM80 80l40 10-40 6zM80 108l-52 14 52 6zM80 108l52 14-52 6zM80 140l-58 18 58 6zM80 140l58 18-58 6z",
    },
    Film {
        slug: "last-lamp-in-rue-vide",
        title: "Last Lamp in Rue Vide",
        line: "Somebody still lights it every evening.",
        year: "2021",
        colours: ["#2d2a4a", "#ffe08a", "#11101f"],
        shape: "M0 196h160v24H0zM77 96h6v100h-6zM66 70h28l-6 26H72zM62 62h36l-4 8H66zM0 196V84h26v112zM134 196V64h26v132z",
    },
];

fn poster(film: &Film) -> Html {
    let [sky, light, ground] = film.colours;
    html!(
        r##"<svg class="poster" viewBox="0 0 160 220" role="img" aria-label="Poster of {title}"><rect width="160" height="220" fill="{sky}"/><circle cx="112" cy="58" r="60" fill="{light}" opacity=".18"/><circle cx="112" cy="58" r="30" fill="{light}"/><path d="{shape}" fill="{ground}"/></svg>"##,
        title = film.title,
        sky = sky,
        light = light,
        shape = film.shape,
        ground = ground,
    )
}

pub(super) fn home(_: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let plans = PLANS.iter().map(|plan| {
        html!(r#"<li class="panel"><h3>{}</h3><p class="price">{} <span>a month</span></p><p class="muted">{}</p></li>"#, plan.title, plan.price, plan.text)
    });
    let body = html!(
        r#"<section class="hero"><div><h1>Films worth turning the lights off for.</h1><p class="lead">A small shelf, chosen by people. New ones on Thursdays.</p><p><a class="button" href="/login">Log in to watch</a></p></div><div class="fan" aria-hidden="true">{fan}</div></section>
<section aria-labelledby="plans"><h2 id="plans">Plans</h2><ul class="plans">{plans}</ul></section>"#,
        fan = FILMS.iter().take(3).map(poster).collect::<Html>(),
        plans = plans.collect::<Html>(),
    );
    page(visit, asked, "Films in the dark", body)
}

pub(super) fn browse(_: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let shelf = FILMS.iter().map(|film| {
        html!(r#"<li><a href="/title/{}">{}<span>{}</span></a></li>"#, film.slug, poster(film), film.title)
    });
    let body = html!(r#"<h1>Tonight</h1><ul class="shelf">{}</ul>"#, shelf.collect::<Html>());
    page(visit, asked, "Browse", body)
}

pub(super) fn show(_: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let Some(film) = FILMS.iter().find(|film| film.slug == asked.name("slug")) else {
        return layout::nowhere(visit, asked);
    };
    let body = html!(
        r#"<article class="film">{poster}<div><p class="eyebrow">{year}</p><h1>{title}</h1><p class="lead">{line}</p><p><a href="/browse">Back to the shelf</a></p></div></article>"#,
        poster = poster(film),
        year = film.year,
        title = film.title,
        line = film.line,
    );
    page(visit, asked, film.title, body)
}

pub(super) fn help(_: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let body = html!(
        r#"<article class="narrow"><h1>Help</h1><h2>How do I change my plan?</h2><p>Under <a href="/account">Account</a>, choose “Change plan”.</p><h2>How do I cancel?</h2><p>Under <a href="/account">Account</a>, at the end of the page.</p></article>"#
    );
    page(visit, asked, "Help", body)
}

pub(super) fn nowhere(_: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    layout::nowhere(visit, asked)
}
