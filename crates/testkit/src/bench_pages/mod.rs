//! The pages of the benchmark, made anew each time and the same to the byte each time.

mod twister;

use std::fmt::Write;

use twister::Twister;

/// One page of the benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchPage {
    /// What it is called in figures.
    pub name: &'static str,
    /// Where a site serves it.
    pub path: &'static str,
    /// Its HTML. `{{OTHER}}` stands for the origin of a site's other half.
    pub body: String,
}

/// The pages to measure on, smallest first as far as it matters, and after them those that their frames show.
pub fn bench_pages() -> Vec<BenchPage> {
    let measured = [
        ("form", "/form", page("Reservation", PROBE, include_str!("form.html").trim_end())),
        ("shop150", "/shop", page("Shop listing", PROBE, &shop())),
        ("dashboard1k", "/dashboard", page("Dashboard", PROBE, &dashboard())),
        ("table10k", "/table", page("Orders", PROBE, &table())),
        ("deep300", "/deep", page("Deep nesting", PROBE, &deep())),
        ("frames", "/frames", page("Frames", PROBE, &frames())),
        ("shadow", "/shadow", page("Shadow widgets", PROBE, include_str!("shadow.html").trim_end())),
    ];
    let inner = [
        ("inner A", "/inner/A", inner("A")),
        ("inner B", "/inner/B", inner("B")),
        ("inner C", "/inner/C", inner("C")),
        ("inner X", "/inner/X", inner("X")),
    ];
    measured.into_iter().chain(inner).map(|(name, path, body)| BenchPage { name, path, body }).collect()
}

/// A button that counts its clicks and a field that echoes what is typed.
const PROBE: &str = include_str!("controls.html");
const STYLE: &str = include_str!("style.html");

const ADJECTIVES: [&str; 10] =
    ["Compact", "Sturdy", "Quiet", "Bright", "Folding", "Light", "Heavy", "Classic", "Modern", "Portable"];
const NOUNS: [&str; 10] =
    ["Kettle", "Lamp", "Backpack", "Keyboard", "Chair", "Bottle", "Headset", "Blanket", "Monitor", "Toaster"];
const CITIES: [&str; 10] =
    ["Lisbon", "Oslo", "Quito", "Hanoi", "Perth", "Turin", "Accra", "Leeds", "Kyoto", "Tampa"];

fn page(title: &str, probe: &str, body: &str) -> String {
    let style = STYLE.trim_end();
    let probe = if probe.is_empty() { String::new() } else { format!("\n{}", probe.trim_end()) };
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><link rel=icon href=data:,>\
         <title>{title}</title>{style}</head><body><h1>{title}</h1>{probe}{body}</body></html>"
    )
}

/// What `write` writes for each of `items`, one after the other.
fn each<T>(items: impl IntoIterator<Item = T>, mut write: impl FnMut(T) -> String) -> String {
    items.into_iter().fold(String::new(), |text, item| text + &write(item))
}

fn shop() -> String {
    let mut pick = Twister::seeded(7);
    let cards = each(0..150, |i| card(&mut pick, i));
    let nav = each(NOUNS, |noun| format!("<a href='/c/{noun}'>{noun}s</a>"));
    let filters = each(ADJECTIVES, |word| format!("<li><label><input type=checkbox> {word}</label></li>"));
    let foot = each(CITIES, |city| format!("<a href='/i/{city}'>{city} store</a>"));
    format!(
        "<nav aria-label=Departments>{nav}</nav><aside><h2>Filter</h2><ul>{filters}</ul>\n\
         <label>Sort by <select><option>Relevance<option>Price<option>Rating</select></label></aside>\n\
         <main class=grid>{cards}</main><footer>{foot}</footer>"
    )
}

fn card(pick: &mut Twister, i: u32) -> String {
    let name = format!("{} {} {}", pick.choice(&ADJECTIVES), pick.choice(&NOUNS), 100 + i);
    let price = hundredths(pick.between(900, 19_900));
    let stars = pick.between(20, 50);
    let (stars, tenth) = (stars / 10, stars % 10);
    let reviews = pick.between(3, 900);
    let (city, days) = (pick.choice(&CITIES), pick.between(1, 9));
    format!(
        "<article class=card><a class=thumb href='/p/{i}' aria-label='Photo of {name}'></a>\
         <div><div><h3><a href='/p/{i}'>{name}</a></h3></div><div class=meta><span>{price} EUR</span> \
         <span aria-label='{stars}.{tenth} of 5 stars'>★★★★</span> \
         <a href='/p/{i}#reviews'>{reviews} reviews</a></div>\
         <p>Ships from {city} in {days} days. Free returns for 30 days.</p>\
         <div><button type=button>Add {name} to cart</button>\
         <button type=button aria-label='Save {name} for later'>♡</button></div></div></article>"
    )
}

fn dashboard() -> String {
    let mut pick = Twister::seeded(11);
    let widgets = each(0..24, |w| {
        let tabs = each([("Day", true), ("Week", false), ("Month", false)], |(name, selected)| {
            format!("<span role=tab tabindex=0 aria-selected={selected}>{name} {w}</span>")
        });
        let rows = each(0..9, |r| job(&mut pick, w, r));
        format!(
            "<section class=card aria-label='Widget {w}'><h2>Queue {w}</h2><div role=tablist>{tabs}</div>\
             <table><tr><th>Pick<th>Job<th>Site<th>Time<th>Retry<th>On</tr>{rows}</table></section>"
        )
    });
    let tiles =
        each(0..40, |t| format!("<div class=tile onclick=\"this.dataset.on=1\">Open tile {t:02}</div>"));
    format!("<div class=grid>{tiles}</div><div>{widgets}</div>")
}

fn job(pick: &mut Twister, w: u32, r: u32) -> String {
    let (city, took) = (pick.choice(&CITIES), pick.between(1, 999));
    format!(
        "<tr><td><input type=checkbox aria-label='Pick job {w}-{r}'></td>\
         <td><a href='/j/{w}/{r}'>Job {w}-{r}</a></td><td>{city}</td>\
         <td>{took} ms</td><td><button type=button>Retry {w}-{r}</button></td>\
         <td><div role=switch tabindex=0 aria-checked=false aria-label='Enable {w}-{r}'>o</div></td></tr>"
    )
}

fn table() -> String {
    let mut rows = String::new();
    for (i, city) in (0..5000_u32).zip(CITIES.iter().cycle()) {
        let total = hundredths(i * 7919 % 10_000);
        let row = write!(
            rows,
            "<tr><td>{i}</td><td><a href='/o/{i}'>Order {i}</a></td><td>{city}</td>\
             <td>{total}</td><td><button type=button>Cancel {i}</button></td></tr>"
        );
        row.expect("a string takes everything");
    }
    format!(
        "<table><thead><tr><th>No<th>Order<th>City<th>Total<th>Action</thead><tbody>{rows}</tbody></table>"
    )
}

fn deep() -> String {
    let (open, close) = ("<div class=l>".repeat(300), "</div>".repeat(300));
    each(0..30, |leaf| format!("{open}<button type=button>Leaf {leaf}</button>{close}"))
}

fn frames() -> String {
    let same =
        each(["A", "B", "C"], |key| format!("<iframe title='Frame {key}' src='/inner/{key}'></iframe>"));
    format!("{same}<iframe title='Frame X' src='{{{{OTHER}}}}/inner/X'></iframe>")
}

fn inner(key: &str) -> String {
    let body = format!(
        "<p>Text inside frame {key}.</p><button type=button>Frame button {key}</button>\
         <a href='#{key}'>Frame link {key}</a><label>Frame field {key} <input></label>"
    );
    page(&format!("Inner {key}"), "", &body)
}

fn hundredths(amount: u32) -> String {
    format!("{}.{:02}", amount / 100, amount % 100)
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    /// Size and SHA-256 of each page as the generator that everybody measures with makes it.
    const EXPECTED: [(&str, usize, &str); 11] = [
        ("form", 1778, "6245c3f84bfbada32f8a9ade8a5ec5a21c925e0eb19946f53e218368f5e8eb95"),
        ("shop150", 80239, "de4efaa42adb49d7c7225aff229453ca1996bdf5342aea5415e533040be57d3c"),
        ("dashboard1k", 69642, "68d4ff85d09c3bfdbb3edb4a5f5bb590b6594687f9faf286eb90e4fc4b9e6842"),
        ("table10k", 696250, "b087c0805a662af75cbc747ac0eb6ab368c719ee9863a1f737a6b08b9aa5e1a2"),
        ("deep300", 173180, "f12486fe45cbc3244ea45d1d15d6d125338d18536cb5dbd9bfbb64934687fac5"),
        ("frames", 1299, "a0e5cecc520fc5b223f02633db5f5147d2f943793213ebdd266da3e2d705f416"),
        ("shadow", 1738, "5d9089682c536a041c65910f0eaf33e2884bad9ff5bdf959503b52fdc1d303d5"),
        ("inner A", 690, "4caca364cf566aa51f7c5564d49ae22a578cbb2edaa893647b65afac38b89156"),
        ("inner B", 690, "d1ea6e2e72425ff97d070e0240eb70e983e3432c0f0631d40d150bde8a8d110b"),
        ("inner C", 690, "603113a1f10304f829eb416cf38faf050455b01f4f3774963a97611ba6921e8d"),
        ("inner X", 690, "33fa8a039bd8cd33c058521a9263164d9be34ed7cc11d557ce96d77aef119f81"),
    ];

    #[test]
    fn every_page_is_the_one_that_others_measure_on() {
        let pages = bench_pages();
        assert_eq!(pages.len(), EXPECTED.len());
        for (page, (name, length, sum)) in pages.iter().zip(EXPECTED) {
            assert_eq!((page.name, page.body.len()), (name, length));
            let actual: String =
                Sha256::digest(&page.body).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(actual, sum, "{name}");
        }
    }
}
