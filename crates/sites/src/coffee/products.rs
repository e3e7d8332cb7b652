//! What the shop sells.

use crate::money::Money;

/// How dark a coffee is roasted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Roast {
    Light,
    Medium,
    Dark,
}

impl Roast {
    pub(super) const ALL: [Self; 3] = [Self::Light, Self::Medium, Self::Dark];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Light => "Light",
            Self::Medium => "Medium",
            Self::Dark => "Dark",
        }
    }

    /// The word of addresses.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Medium => "medium",
            Self::Dark => "dark",
        }
    }
}

/// One coffee.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Product {
    pub(super) slug: &'static str,
    pub(super) title: &'static str,
    pub(super) roast: Roast,
    /// The price of a kilogram.
    pub(super) per_kg: Money,
    pub(super) origin: &'static str,
    pub(super) notes: &'static str,
    pub(super) text: &'static str,
    /// Colours of the bag and of its label.
    pub(super) colours: (&'static str, &'static str),
    /// The lines of the drawing on the label, in a square of 64.
    pub(super) motif: &'static str,
}

impl Product {
    pub(super) fn price(&self, grams: u32) -> Money {
        Money(self.per_kg.0 * grams / 1_000)
    }

    pub(super) fn by_slug(slug: &str) -> Option<&'static Self> {
        PRODUCTS.iter().find(|product| product.slug == slug)
    }

    /// Whether the word stands anywhere in what is said of the coffee.
    pub(super) fn tells_of(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        [self.title, self.origin, self.notes, self.roast.title(), self.text]
            .iter()
            .any(|text| text.to_lowercase().contains(&word))
    }
}

/// The sizes of bags, in grams, with their names.
pub(super) const SIZES: [(u32, &str); 3] = [(250, "250 g"), (500, "500 g"), (1_000, "1 kg")];

/// The grinds, with their names.
pub(super) const GRINDS: [(&str, &str); 4] = [
    ("whole-bean", "Whole bean"),
    ("filter", "Filter"),
    ("espresso", "Espresso"),
    ("french-press", "French press"),
];

pub(super) const PRODUCTS: [Product; 8] = [
    Product {
        slug: "silver-oak-cafe-blend",
        title: "Silver Oak Cafe Blend",
        roast: Roast::Medium,
        per_kg: Money(1_456),
        origin: "Brazil and Karnataka",
        notes: "Cocoa, roasted hazelnut, brown sugar",
        text: "The coffee that our own bar pours all day. Round and sweet in milk, calm enough to drink black, and \
               the same cup in November as in May.",
        colours: ("#35513f", "#f3ead8"),
        motif: "M32 62V24M32 42c-11.2 1.4-18.2-4.2-19.6-11.2 7-1.4 11.2 0 14 2.8-8.4-4.2-12.6-11.2-11.2-18.2 7 0 11.2 2.8 14 7-5.6-7-5.6-15.4 2.8-22.4 8.4 7 8.4 15.4 2.8 22.4 2.8-4.2 7-7 14-7 1.4 7-2.8 14-11.2 18.2 2.8-2.8 7-4.2 14-2.8-1.4 7-8.4 12.6-19.6 11.2",
    },
    Product {
        slug: "harbour-light",
        title: "Harbour Light",
        roast: Roast::Light,
        per_kg: Money(2_640),
        origin: "Yirgacheffe, Ethiopia",
        notes: "Bergamot, apricot, jasmine",
        text: "A washed coffee from small gardens at two thousand metres. Bright as a morning on the quay; at its \
               best as filter, a little cooler than you think.",
        colours: ("#4d7c93", "#eef4f2"),
        motif: "M26 50h12l-2-28h-8zM24 22h16M28 22v-8h8v8M32 14V9M44 16l9-4M44 22h10M20 16l-9-4M20 22H10M10 56q5.5-5 11 0t11 0 11 0 11 0",
    },
    Product {
        slug: "monsoon-terrace",
        title: "Monsoon Terrace",
        roast: Roast::Medium,
        per_kg: Money(1_880),
        origin: "Malabar Coast, India",
        notes: "Clove, cedar, dark honey",
        text: "Swollen by three months of sea wind before it is roasted. Low in acid, heavy in the cup, and very \
               patient with a moka pot.",
        colours: ("#8a5a3c", "#f6e7cf"),
        motif: "M16 30c-7 0-8-10 0-11 1-9 15-11 18-3 8-3 15 3 12 9 5 1 5 8-1 8H16zM20 40l-3 7M30 40l-3 7M40 40l-3 7M25 50l-3 7M35 50l-3 7M45 50l-3 7",
    },
    Product {
        slug: "vale-of-cedars",
        title: "Vale of Cedars",
        roast: Roast::Light,
        per_kg: Money(2_480),
        origin: "Huila, Colombia",
        notes: "Red apple, panela, black tea",
        text: "Grown in the shade of old trees by forty families who share one washing station. Crisp, tidy, with a \
               long tea-like end.",
        colours: ("#6f8054", "#f4f0df"),
        motif: "M20 56V46M20 46H9l6-9h-4l6-9h-3l6-10 6 10h-3l6 9h-4l6 9zM45 56V40M45 40h-8l5-8h-3l6-10 6 10h-3l5 8z",
    },
    Product {
        slug: "midnight-tram",
        title: "Midnight Tram",
        roast: Roast::Dark,
        per_kg: Money(1_720),
        origin: "Sumatra and Guatemala",
        notes: "Molasses, smoke, bitter orange",
        text: "For the last round of the night shift. Roasted until the oil shows, never until it burns. Holds its \
               own against any amount of milk.",
        colours: ("#2b2f45", "#e9e3d4"),
        motif: "M14 22q0-4 4-4h28q4 0 4 4v26H14zM14 36h36M24 22v14M40 22v14M21 42h2M41 42h2M20 48l-4 7M44 48l4 7M32 18v-5M22 8l10 5 10-5",
    },
    Product {
        slug: "copper-kettle-espresso",
        title: "Copper Kettle Espresso",
        roast: Roast::Dark,
        per_kg: Money(1_960),
        origin: "Cerrado, Brazil",
        notes: "Dark chocolate, walnut, caramel",
        text: "A thick, forgiving espresso. Grind it a little off, pull it a little long: it forgives you and pours \
               tiger stripes anyway.",
        colours: ("#a8562d", "#fbeedd"),
        motif: "M18 52h26l4-18q0-10-12-12H26q-9 2-10 12zM16 34l-8-8M48 36q8-2 7 6-1 6-9 6M31 22v-4M24 14q7-8 14 0",
    },
    Product {
        slug: "low-tide-decaf",
        title: "Low Tide Decaf",
        roast: Roast::Medium,
        per_kg: Money(2_120),
        origin: "Cauca, Colombia",
        notes: "Milk chocolate, fig, almond",
        text: "Decaffeinated with sugar cane and spring water, so that the evening cup tastes of coffee and not of \
               a promise.",
        colours: ("#7d6b8f", "#f3eef2"),
        motif: "M40 12a13 13 0 1 0 10 20 11 11 0 0 1-10-20zM8 46q6-5 12 0t12 0 12 0 12 0M8 54q6-5 12 0t12 0 12 0 12 0",
    },
    Product {
        slug: "first-frost",
        title: "First Frost",
        roast: Roast::Light,
        per_kg: Money(2_800),
        origin: "Nyeri, Kenya",
        notes: "Blackcurrant, rhubarb, cane syrup",
        text: "Our winter coffee, one small lot, roasted on the first cold morning of the year and gone before the \
               snow is.",
        colours: ("#5b8a86", "#eff6f4"),
        motif: "M32 8v48M11 20l42 24M53 20L11 44M32 18l-6-6M32 18l6-6M32 46l-6 6M32 46l6 6M20 25l-8 2M20 25l-2-8M44 39l8-2M44 39l2 8M44 25l8 2M44 25l2-8M20 39l-8-2M20 39l-2 8",
    },
];
