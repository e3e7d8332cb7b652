//! The pages on which one looks for coffee: front page, list, search, one coffee.

use super::{
    drawing::{bag, cup},
    layout::{nowhere, page, token},
    products::{GRINDS, PRODUCTS, Product, Roast, SIZES},
    shop::{Shop, Visit},
};
use crate::{
    desk::{Answer, Asked},
    html::{Html, html, mark},
};

pub(super) fn home(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let body = html!(
        r#"<section class="hero"><div><p class="eyebrow">Roasted on Tuesdays and Fridays</p>
<h1>Good coffee, kept coming.</h1>
<p class="lead">Small lots, honest prices by the kilogram, and subscriptions that ask before they ship.</p>
<p class="row"><a class="button" href="/products">See all coffee</a><a class="button quiet" href="/account/subscriptions">My subscriptions</a></p></div>{cup}</section>
<section aria-labelledby="favourites"><div class="head"><h2 id="favourites">Favourites of the house</h2><a href="/products">All eight</a></div><ul class="grid">{cards}</ul></section>
<section class="three" aria-label="How we work"><div><h2>By the kilogram</h2><p>Every price is a price per kilogram first. A small bag costs its share and not a cent more.</p></div>
<div><h2>You say when</h2><p>An instalment ships only when you filled its slot. Skip one, or stop, without a phone call.</p></div>
<div><h2>Free from €60</h2><p>Standard delivery costs nothing from sixty euros on, and €4.90 below.</p></div></section>"#,
        cup = cup(),
        cards = PRODUCTS.iter().take(4).map(card).collect::<Html>(),
    );
    page(visit, asked, "Coffee by subscription", body)
}

pub(super) fn products(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let roast = Roast::ALL.into_iter().find(|roast| roast.key() == asked.query("roast"));
    let found = PRODUCTS.iter().filter(|product| roast.is_none_or(|roast| product.roast == roast));
    let found: Vec<&Product> = found.collect();
    let choices = Roast::ALL.into_iter().map(|own| {
        let chosen = mark(roast == Some(own), " selected");
        html!(r#"<option value="{}"{}>{} roast</option>"#, own.key(), chosen, own.title())
    });
    let title = roast.map_or("All coffee".to_owned(), |roast| format!("{} roast coffee", roast.title()));
    let body = html!(
        r#"<div class="head"><div><h1>{title}</h1><p class="muted">{count} coffees, prices per kilogram with tax</p></div>
<form class="filter" action="/products"><label for="roast">Roast</label><select id="roast" name="roast"><option value="">Any roast</option>{choices}</select><button class="button quiet">Filter</button></form></div>
<ul class="grid">{cards}</ul>"#,
        title = title,
        count = found.len(),
        choices = choices.collect::<Html>(),
        cards = found.into_iter().map(card).collect::<Html>(),
    );
    page(visit, asked, &title, body)
}

pub(super) fn search(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let word: String = asked.query("q").chars().take(80).collect();
    let found: Vec<&Product> = if word.is_empty() {
        Vec::new()
    } else {
        PRODUCTS.iter().filter(|product| product.tells_of(&word)).collect()
    };
    let none = html!(r#"<p>Nothing found. <a href="/products">See all coffee</a></p>"#);
    let body = html!(
        r#"<h1>Search</h1><p class="muted" role="status">{count} found for “{word}”</p>{none}<ul class="grid">{cards}</ul>"#,
        count = found.len(),
        word = word,
        none = found.is_empty().then_some(none),
        cards = found.into_iter().map(card).collect::<Html>(),
    );
    page(visit, asked, "Search", body)
}

fn card(product: &Product) -> Html {
    html!(
        r#"<li class="card"><a class="pic {roast}" href="/product/{slug}" tabindex="-1" aria-hidden="true">{bag}</a>
<p class="eyebrow">{title_of_roast} roast</p><h3><a href="/product/{slug}">{title}</a></h3><p class="muted">{notes}</p>
<p class="price">{price} <span>per kg</span></p></li>"#,
        roast = product.roast.key(),
        slug = product.slug,
        bag = bag(product),
        title_of_roast = product.roast.title(),
        title = product.title,
        notes = product.notes,
        price = product.per_kg,
    )
}

pub(super) fn product(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let Some(product) = Product::by_slug(asked.name("slug")) else { return nowhere(visit, asked) };
    let sizes = SIZES.iter().map(|(grams, title)| {
        html!(r#"<option value="{}">{}, {}</option>"#, *grams, *title, product.price(*grams))
    });
    let grinds = GRINDS.iter().map(|(key, title)| html!(r#"<option value="{}">{}</option>"#, *key, *title));
    let body = html!(
        r#"<nav class="crumbs" aria-label="Where you are"><a href="/products">Coffee</a> / <a href="/products?roast={key}">{roast} roast</a> / {title}</nav>
<article class="product"><div class="pic big {key}">{bag}</div><div>
<p class="eyebrow">{roast} roast · {origin}</p><h1>{title}</h1><p class="price big">{price} <span>per kg</span></p>
<p class="lead">{text}</p><p><b>Tastes of</b> {notes_low}</p>
<form class="buy" method="post" action="/basket/add" data-live-basket>{token}<input type="hidden" name="slug" value="{slug}">
<div class="field"><label for="grams">Bag</label><select id="grams" name="grams">{sizes}</select></div>
<div class="field"><label for="grind">Grind</label><select id="grind" name="grind">{grinds}</select></div>
<div class="field"><label for="quantity">Quantity</label><input id="quantity" type="number" name="quantity" value="1" min="1" max="99" required></div>
<button class="button">Add to basket</button></form><p class="added" id="added" aria-live="polite"></p></div></article>"#,
        key = product.roast.key(),
        roast = product.roast.title(),
        title = product.title,
        bag = bag(product),
        origin = product.origin,
        price = product.per_kg,
        text = product.text,
        notes_low = product.notes.to_lowercase(),
        token = token(asked),
        slug = product.slug,
        sizes = sizes.collect::<Html>(),
        grinds = grinds.collect::<Html>(),
    );
    page(visit, asked, product.title, body)
}
