//! Drawings: the bags of coffee, the oak leaf of the house, small signs.

use super::products::Product;
use crate::html::{Html, html};

/// A bag of this coffee.
pub(super) fn bag(product: &Product) -> Html {
    html!(
        r##"<svg class="bag" viewBox="0 0 160 200" role="img" aria-label="A bag of {title}">
<ellipse cx="80" cy="190" rx="58" ry="6" fill="#000" opacity=".12"/>
<path d="M34 34h92l7 148q0 8-8 8H35q-8 0-8-8z" fill="{bag}"/>
<path d="M34 34h92l7 148q0 8-8 8H104q14-80-4-156z" fill="#000" opacity=".1"/>
<path d="M37 12h86l3 22H34z" fill="{bag}"/><path d="M37 12h86l3 22H34z" fill="#fff" opacity=".14"/>
<path d="M38 19h84M37 25h86" stroke="#000" stroke-opacity=".18" stroke-width="1.5"/>
<rect x="46" y="56" width="68" height="98" rx="3" fill="{label}"/>
<rect x="50" y="60" width="60" height="90" rx="1.5" fill="none" stroke="{bag}" stroke-opacity=".45"/>
<g transform="translate(53 66) scale(.84)" fill="none" stroke="{bag}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><path d="{motif}"/></g>
<path d="M58 130h44M66 137h28" stroke="{bag}" stroke-width="2.5" stroke-linecap="round"/>
<circle cx="80" cy="169" r="4" fill="#000" opacity=".22"/></svg>"##,
        title = product.title,
        bag = product.colours.0,
        label = product.colours.1,
        motif = product.motif,
    )
}

/// The leaf beside the name of the house.
pub(super) fn leaf() -> Html {
    Html::of(
        r#"<svg class="leaf" viewBox="12 6 40 56" aria-hidden="true"><path d="M32 60V26M32 44c-8 1-13-3-14-8 5-1 8 0 10 2-6-3-9-8-8-13 5 0 8 2 10 5-4-5-4-13 2-20 6 7 6 15 2 20 2-3 5-5 10-5 1 5-2 10-8 13 2-2 5-3 10-2-1 5-6 9-14 8" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>"#,
    )
}

/// The picture of the front page: a cup, its steam, and beans.
pub(super) fn cup() -> Html {
    Html::of(
        r##"<svg class="cup" viewBox="0 0 420 340" role="img" aria-label="A cup of coffee with beans beside it">
<circle cx="226" cy="168" r="150" fill="#ead9bb"/><ellipse cx="214" cy="290" rx="156" ry="17" fill="#2a211b" opacity=".13"/>
<ellipse cx="206" cy="278" rx="138" ry="20" fill="#fbf7ee"/><ellipse cx="206" cy="274" rx="112" ry="13" fill="#e4d8c2"/>
<path d="M106 150h200q-2 84-46 118-54 18-108 0-44-34-46-118z" fill="#35513f"/>
<path d="M262 150h44q-2 84-46 118-14 5-28 7 32-50 30-125z" fill="#26392d"/>
<path d="M304 172q46-8 46 28 0 40-62 44" fill="none" stroke="#35513f" stroke-width="15" stroke-linecap="round"/>
<ellipse cx="206" cy="150" rx="100" ry="21" fill="#26392d"/><ellipse cx="206" cy="152" rx="90" ry="16" fill="#6b4024"/>
<path d="M206 166c-30 0-44-8-42-14 14 4 26 4 42-3 16 7 28 7 42 3 2 6-12 14-42 14z" fill="#d9a871"/>
<g fill="none" stroke="#b8652f" stroke-width="5" stroke-linecap="round" opacity=".6"><path d="M166 112q-15-20 0-40t0-40"/><path d="M206 106q-15-22 0-44t0-44"/><path d="M246 112q-15-20 0-40t0-40"/></g>
<g transform="translate(146 182) scale(1.15)" fill="none" stroke="#f3ead8" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" opacity=".92"><path d="M54 60V24M54 44c-8 1-13-3-14-8 5-1 8 0 10 2-6-3-9-8-8-13 5 0 8 2 10 5-4-5-4-13 2-20 6 7 6 15 2 20 2-3 5-5 10-5 1 5-2 10-8 13 2-2 5-3 10-2-1 5-6 9-14 8"/></g>
<g fill="#6b4024"><ellipse cx="44" cy="284" rx="22" ry="14" transform="rotate(-24 44 284)"/><ellipse cx="82" cy="300" rx="20" ry="13" transform="rotate(18 82 300)"/><ellipse cx="372" cy="288" rx="22" ry="14" transform="rotate(24 372 288)"/></g>
<g fill="none" stroke="#3c2413" stroke-width="3" stroke-linecap="round"><path d="M26 292q16-2 18-8t18-8"/><path d="M64 294q12 8 18 6t18 6"/><path d="M354 280q14 2 18 8t18 8"/></g></svg>"##,
    )
}
