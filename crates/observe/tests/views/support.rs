//! Scenes for tests, written as a page is: groups, controls and texts in order of the document.
#![allow(dead_code)]

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use legwork_observe::{
    Boundary, ElementRef, Group, Item, ItemIndex, Line, Look, OutlineLine, Scene, SceneForm,
    capture::GroupKind,
};
use legwork_types::{
    FrameId, Timestamp,
    contract::{
        ActionId, Affordance, BlockingOverlay, Constraints, ElementRect, Fingerprint, FrameNumber, Landmark,
        LoadState, ObservationId, Omitted, Page, Risk, RiskLevel, SessionId, Viewport,
    },
};

/// The boundary of all expected texts.
pub const BITS: u64 = 7;

pub fn boundary() -> Boundary {
    Boundary::new(BITS)
}

/// Writes a scene.
pub struct Scribe {
    pub scene: Scene,
    open: Vec<usize>,
    pub frame: Option<FrameNumber>,
}

impl Default for Scribe {
    fn default() -> Self {
        Self::new("Test page")
    }
}

impl Scribe {
    pub fn new(title: &str) -> Self {
        let page = Page {
            domain: "shop.test".into(),
            url: "https://shop.test/".into(),
            final_url: "https://shop.test/".into(),
            lang: None,
            title: Some(title.into()),
            primary_heading: None,
            route_key: None,
            load_state: LoadState::NetworkIdle,
            blocking_overlay: BlockingOverlay::default(),
            blockers: vec![],
            banners: vec![],
            modals: vec![],
            dialogs: vec![],
            frames: vec![],
            tabs: vec![],
            viewport: Viewport::default(),
        };
        let root = Group {
            parent: None,
            kind: GroupKind::Generic,
            label: None,
            landmark: Landmark::Main,
            frame: None,
            form: None,
        };
        Self {
            scene: Scene {
                page,
                blockers: vec![],
                items: vec![],
                groups: vec![root],
                outline: vec![],
                forms: vec![],
                omitted: Omitted::default(),
                veiled: Default::default(),
                surfaces: vec![],
            },
            open: vec![0],
            frame: None,
        }
    }

    fn group(&self) -> usize {
        *self.open.last().unwrap()
    }

    /// A group with what is in it.
    pub fn within(&mut self, kind: GroupKind, label: &str, inside: impl FnOnce(&mut Self)) -> &mut Self {
        let parent = self.group();
        let landmark = match kind {
            GroupKind::Main => Landmark::Main,
            GroupKind::Nav => Landmark::Nav,
            GroupKind::Footer => Landmark::Footer,
            GroupKind::Modal => Landmark::Modal,
            GroupKind::Alert => Landmark::Banner,
            _ => self.scene.groups[parent].landmark,
        };
        let form = (kind == GroupKind::Form).then(|| {
            self.scene.forms.push(SceneForm { section: None, submit: None, fields: vec![], sent_to: vec![] });
            self.scene.forms.len() - 1
        });
        let label = (!label.is_empty()).then(|| label.into());
        self.scene.groups.push(Group {
            parent: Some(parent),
            kind,
            label,
            landmark,
            frame: self.frame,
            form,
        });
        self.open.push(self.scene.groups.len() - 1);
        inside(self);
        self.open.pop();
        self
    }

    pub fn control(&mut self, role: &str, name: &str) -> &mut Affordance {
        let index = self.scene.items.len();
        let group = self.group();
        let form = self.open.iter().rev().find_map(|&group| self.scene.groups[group].form);
        if let Some(form) = form {
            let form = &mut self.scene.forms[form];
            if role == "button" { form.submit = Some(index) } else { form.fields.push(index) }
        }
        let mut hash = DefaultHasher::new();
        (role, name, group).hash(&mut hash);
        let y = 20 * i32::try_from(index).unwrap();
        self.scene.items.push(Item {
            affordance: Affordance {
                action_id: ActionId(0),
                role: role.into(),
                name: name.into(),
                visible: true,
                in_viewport: y < 720,
                disabled: false,
                risk: Risk { level: RiskLevel::Safe, reasons: vec![] },
                landmark: self.scene.groups[group].landmark,
                href: (role == "link").then(|| format!("https://shop.test/{index}").into()),
                value: None,
                value_redacted: false,
                has_value: false,
                sensitive: false,
                checked: None,
                selected: None,
                expanded: None,
                pressed: None,
                focused: false,
                required: false,
                invalid: false,
                readonly: false,
                covered: false,
                constraints: Constraints::default(),
                near_text: None,
                frame_id: self.frame,
                rect: Some(ElementRect { x: 0, y, width: 100, height: 18 }),
                targetable: true,
                fingerprint: Fingerprint(hash.finish()),
            },
            element: Some(ElementRef {
                frame: FrameId::new("main"),
                loader: Arc::from("L1"),
                index: u32::try_from(index).unwrap(),
                identity: 0,
            }),
            group,
            form,
            says_little: false,
            sends: None,
            purpose: Default::default(),
            shows_dots: false,
            veiled: false,
        });
        self.scene.outline.push(OutlineLine { group, line: Line::Control(index) });
        &mut self.scene.items[index].affordance
    }

    pub fn last(&self) -> ItemIndex {
        self.scene.items.len() - 1
    }

    pub fn text(&mut self, text: &str) -> &mut Self {
        let group = self.group();
        self.scene.outline.push(OutlineLine { group, line: Line::Text(text.into()) });
        self
    }

    pub fn heading(&mut self, level: u8, text: &str) -> &mut Self {
        let group = self.group();
        self.scene.outline.push(OutlineLine { group, line: Line::Heading { level, text: text.into() } });
        self
    }

    pub fn look(self) -> Look {
        self.named("o1")
    }

    pub fn named(self, id: &str) -> Look {
        Look::new(self.scene, ObservationId(id.into()), SessionId("s1".into()), Timestamp::default())
    }
}

const ADJECTIVES: [&str; 10] =
    ["Compact", "Sturdy", "Quiet", "Bright", "Folding", "Light", "Heavy", "Classic", "Modern", "Portable"];
const NOUNS: [&str; 10] =
    ["Kettle", "Lamp", "Backpack", "Keyboard", "Chair", "Bottle", "Headset", "Blanket", "Monitor", "Toaster"];
const CITIES: [&str; 10] =
    ["Lisbon", "Oslo", "Quito", "Hanoi", "Perth", "Turin", "Accra", "Leeds", "Kyoto", "Tampa"];

/// A shop with so many cards of five controls each, and 33 controls around them.
pub fn shop(cards: usize) -> Scribe {
    let mut page = Scribe::new("Shop listing");
    page.scene.page.primary_heading = Some("Shop listing".into());
    page.heading(1, "Shop listing");
    page.within(GroupKind::Region, "Probe", |page| {
        page.control("button", "Count this click");
        page.text("Clicks: 0");
        page.control("textbox", "Reviewer name");
        page.text("Typed:");
    });
    page.within(GroupKind::Nav, "Departments", |page| {
        NOUNS.iter().for_each(|noun| {
            page.control("link", &format!("{noun}s"));
        });
    });
    page.within(GroupKind::Aside, "", |page| {
        page.heading(2, "Filter");
        page.within(GroupKind::List, "", |page| {
            for adjective in ADJECTIVES {
                page.within(GroupKind::Item, "", |page| {
                    page.control("checkbox", adjective);
                });
            }
        });
        page.text("Sort by");
        let sort = page.control("combobox", "Sort by");
        sort.value = Some("Relevance".into());
        sort.constraints.options = ["Relevance", "Price", "Rating"].map(Into::into).to_vec();
    });
    page.within(GroupKind::Main, "", |page| {
        for card in 0..cards {
            let mix = card * 7919 + 13;
            let name = format!("{} {} {}", ADJECTIVES[mix % 10], NOUNS[mix / 10 % 10], 100 + card);
            page.within(GroupKind::Item, "", |page| {
                page.control("link", &format!("Photo of {name}"));
                page.within(GroupKind::Generic, "", |page| {
                    page.control("link", &name);
                    page.within(GroupKind::Generic, "", |page| {
                        page.text(&format!("{}.{:02} EUR", 9 + mix % 190, mix % 100));
                        page.text("★★★★");
                        page.control("link", &format!("{} reviews", 3 + mix % 900));
                    });
                    page.text(&format!(
                        "Ships from {} in {} days. Free returns for 30 days.",
                        CITIES[mix % 10],
                        1 + mix % 9
                    ));
                    page.within(GroupKind::Generic, "", |page| {
                        page.control("button", &format!("Add {name} to cart"));
                        page.control("button", &format!("Save {name} for later"));
                    });
                });
            });
        }
    });
    page.within(GroupKind::Footer, "", |page| {
        CITIES.iter().for_each(|city| {
            page.control("link", &format!("{city} store"));
        });
    });
    page
}
