//! A small builder of captures: pages in a few lines.

#![allow(dead_code, missing_docs, unreachable_pub, clippy::panic)]

use legwork_observe::{
    Boundary, Item, Look, PageCapture, Reading, Scene,
    capture::{
        Attributes, Control, ControlState, DocumentFacts, Flag, FormFacts, FrameCapture, FrameFacts,
        FrameLook, GroupCapture, GroupKind, LeftOut, NodeRef, Owner, Rect,
    },
};
use legwork_types::{
    FrameId, PageText, Timestamp,
    contract::{ObservationId, ObserveOptions, RiskLevel, SessionId},
};

/// A node of a page.
#[derive(Debug, Clone)]
pub enum El {
    Text(&'static str),
    Control(Box<Control>, Vec<El>),
    Group(Box<GroupCapture>, Vec<El>),
    Frame(Box<Owner>, Box<Doc>),
    /// A frame that could not be looked at.
    Closed(Box<Owner>),
}

/// A document.
#[derive(Debug, Clone)]
pub struct Doc {
    pub url: String,
    pub title: &'static str,
    pub viewport: [i32; 6],
    pub forms: Vec<FormFacts>,
    pub body: Vec<El>,
    pub left_out: LeftOut,
}

pub fn page(body: Vec<El>) -> Doc {
    Doc {
        url: "https://shop.example/a?q=1".into(),
        title: "Shop",
        viewport: [1000, 800, 0, 0, 1000, 3000],
        forms: vec![],
        body,
        left_out: LeftOut::default(),
    }
}

pub fn text(words: &'static str) -> El {
    El::Text(words)
}

pub const SEEN: ControlState = ControlState(Flag::Visible as u32 | Flag::InViewport as u32);

pub fn control(role: &str, name: &str) -> El {
    let tag = match role {
        "link" => "a",
        "textbox" | "checkbox" | "radio" => "input",
        "combobox" => "select",
        "generic" => "div",
        other => other,
    };
    El::Control(
        Box::new(Control {
            index: 0,
            tag: tag.into(),
            role: role.into(),
            name: name.into(),
            state: SEEN,
            rect: Rect { x: 10.0, y: 10.0, width: 100.0, height: 20.0 },
            attributes: Box::default(),
            children: vec![],
        }),
        vec![],
    )
}

pub fn button(name: &str) -> El {
    control("button", name)
}

pub fn link(name: &str) -> El {
    control("link", name).set(|a| a.href = Some("/there".into()))
}

pub fn field(name: &str) -> El {
    control("textbox", name)
}

pub fn password(name: &str) -> El {
    field(name).set(|a| a.kind = Some("password".into())).flag(Flag::Secret)
}

pub fn submit(name: &str, form: u32) -> El {
    button(name).flag(Flag::Submits).form(form)
}

pub fn clickable(children: Vec<El>) -> El {
    control("generic", "").flag(Flag::ClickableOnly).with(children)
}

pub fn group(kind: GroupKind, children: Vec<El>) -> El {
    El::Group(
        Box::new(GroupCapture {
            kind,
            level: 0,
            name: PageText::default(),
            fixed: false,
            rect: Rect { x: 0.0, y: 0.0, width: 300.0, height: 100.0 },
            attributes: Box::default(),
            children: vec![],
        }),
        children,
    )
}

pub fn boxed(children: Vec<El>) -> El {
    group(GroupKind::Generic, children)
}

pub fn heading(level: u8, words: &'static str) -> El {
    let mut heading = group(GroupKind::Heading, vec![text(words)]);
    if let El::Group(group, _) = &mut heading {
        group.level = level;
    }
    heading
}

pub fn owner(src: &str, quad: [f32; 8], size: [f32; 2]) -> Owner {
    Owner { index: Some(0), name: PageText::default(), visible: true, quad, size, src: src.into() }
}

pub fn upright(x: f32, y: f32, width: f32, height: f32) -> [f32; 8] {
    [x, y, x + width, y, x + width, y + height, x, y + height]
}

impl El {
    pub fn set(mut self, change: impl FnOnce(&mut Attributes)) -> Self {
        match &mut self {
            El::Control(control, _) => change(&mut control.attributes),
            El::Group(group, _) => change(&mut group.attributes),
            _ => {}
        }
        self
    }

    pub fn flag(mut self, flag: Flag) -> Self {
        if let El::Control(control, _) = &mut self {
            control.state = control.state.with(flag);
        }
        self
    }

    pub fn state(mut self, state: ControlState) -> Self {
        if let El::Control(control, _) = &mut self {
            control.state = state;
        }
        self
    }

    pub fn with(mut self, more: Vec<El>) -> Self {
        if let El::Control(_, children) | El::Group(_, children) = &mut self {
            children.extend(more);
        }
        self
    }

    pub fn form(self, form: u32) -> Self {
        self.set(|a| a.form = Some(form))
    }

    pub fn value(self, value: &str) -> Self {
        self.set(|a| a.value = Some(value.into()))
    }

    pub fn hint(self, hint: &str) -> Self {
        self.set(|a| a.hint = Some(hint.into()))
    }

    pub fn named(mut self, name: &str) -> Self {
        if let El::Group(group, _) = &mut self {
            group.name = name.into();
        }
        self
    }

    pub fn fixed(mut self) -> Self {
        if let El::Group(group, _) = &mut self {
            group.fixed = true;
        }
        self
    }

    pub fn at(mut self, x: f32, y: f32, width: f32, height: f32) -> Self {
        let place = Rect { x, y, width, height };
        match &mut self {
            El::Control(control, _) => control.rect = place,
            El::Group(group, _) => group.rect = place,
            _ => {}
        }
        self
    }
}

impl Doc {
    pub fn titled(mut self, title: &'static str) -> Self {
        self.title = title;
        self
    }

    pub fn url(mut self, url: &str) -> Self {
        self.url = url.into();
        self
    }

    /// Gives it a form: method, action.
    pub fn form(mut self, method: &str, action: &str) -> Self {
        let action = Some(action.into());
        self.forms.push(FormFacts { method: method.into(), action, ..FormFacts::default() });
        self
    }

    pub fn capture(&self) -> PageCapture {
        let mut capture =
            PageCapture { requested_url: self.url.as_str().into(), idle: true, ..PageCapture::default() };
        lay_out(self, None, None, &mut capture);
        capture
    }

    pub fn scene(&self) -> Scene {
        Scene::of(&self.capture())
    }
}

fn lay_out(doc: &Doc, parent: Option<FrameId>, owner: Option<u32>, capture: &mut PageCapture) {
    let id = FrameId::new(format!("F{}", capture.frames.len()));
    let at = capture.frames.len();
    let look = FrameLook {
        document: DocumentFacts {
            url: doc.url.as_str().into(),
            base: doc.url.as_str().into(),
            title: doc.title.into(),
            lang: "en".into(),
            ready_state: "complete".into(),
            viewport: doc.viewport,
            index_in_parent: owner,
        },
        forms: doc.forms.clone(),
        left_out: doc.left_out,
        ..FrameLook::default()
    };
    let facts = FrameFacts {
        id: id.clone(),
        parent,
        loader: format!("L{at}"),
        url: doc.url.as_str().into(),
        name: None,
    };
    capture.frames.push(FrameCapture { facts, owner, look });
    let mut inner = Vec::new();
    let roots = doc.body.iter().map(|el| put(el, &mut capture.frames[at].look, &mut inner)).collect();
    capture.frames[at].look.roots = roots;
    for (owner, doc) in inner {
        lay_out(&doc, Some(id.clone()), Some(owner), capture);
    }
}

fn put(el: &El, look: &mut FrameLook, inner: &mut Vec<(u32, Doc)>) -> NodeRef {
    match el {
        El::Text(words) => {
            look.texts.push((*words).into());
            NodeRef::Text(look.texts.len() as u32 - 1)
        }
        El::Control(control, children) => {
            let index = look.controls.len();
            let mut control = control.clone();
            control.index = index as u32;
            look.controls.push((*control).clone());
            look.controls[index].children = children.iter().map(|el| put(el, look, inner)).collect();
            NodeRef::Control(index as u32)
        }
        El::Group(group, children) => {
            let mut group = group.clone();
            group.children = children.iter().map(|el| put(el, look, inner)).collect();
            look.groups.push(*group);
            NodeRef::Group(look.groups.len() as u32 - 1)
        }
        El::Frame(owner, doc) => {
            look.owners.push((**owner).clone());
            inner.push((look.owners.len() as u32 - 1, (**doc).clone()));
            NodeRef::Owner(look.owners.len() as u32 - 1)
        }
        El::Closed(owner) => {
            look.owners.push((**owner).clone());
            NodeRef::Owner(look.owners.len() as u32 - 1)
        }
    }
}

/// A look at this page that was taken at the beginning of time.
pub fn look(capture: &PageCapture) -> Look {
    let (id, session) = (ObservationId("o1".into()), SessionId("s1".into()));
    Look::new(Scene::of(capture), id, session, Timestamp::default())
}

/// The first part of a look, or what was asked for, in both forms.
pub fn read(look: &Look, options: &ObserveOptions) -> Reading {
    look.read(options, None, &Boundary::new(7)).unwrap_or_else(|error| panic!("{error}"))
}

/// The first item of this name.
pub fn item<'s>(scene: &'s Scene, name: &str) -> &'s Item {
    scene
        .items
        .iter()
        .find(|item| item.affordance.name.untrusted() == name)
        .unwrap_or_else(|| panic!("no item named {name:?} in {:#?}", names(scene)))
}

pub fn names(scene: &Scene) -> Vec<&str> {
    scene.items.iter().map(|item| item.affordance.name.untrusted()).collect()
}

pub fn near<'s>(scene: &'s Scene, name: &str) -> Option<&'s str> {
    item(scene, name).affordance.near_text.as_ref().map(PageText::untrusted)
}

pub fn level(scene: &Scene, name: &str) -> RiskLevel {
    item(scene, name).affordance.risk.level
}
