//! Random captures: whatever a page may be, and much that none is.

#![allow(dead_code, missing_docs, unreachable_pub, clippy::expect_used)]

use legwork_observe::{
    PageCapture,
    capture::{
        Attributes, Control, ControlState, FormFacts, FrameCapture, FrameFacts, FrameLook, GroupCapture,
        GroupKind, NodeRef, Owner, Rect,
    },
};
use legwork_types::{FrameId, PageText};
use proptest::{collection::vec, option, prelude::*, sample::select};

pub fn words() -> impl Strategy<Value = PageText> {
    prop_oneof![
        Just(PageText::default()),
        select(vec![
            "Pay",
            "Cookies on our site",
            "Accept",
            "Sign in",
            "Card number",
            "•••",
            "a b c d",
            "Ｐａｙ"
        ])
        .prop_map(PageText::from),
        "\\PC{0,12}".prop_map(PageText::from),
    ]
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        -100.0f32..2000.0,
        Just(f32::NAN),
        Just(f32::INFINITY),
        Just(f32::NEG_INFINITY),
        Just(f32::MAX),
        Just(0.0),
    ]
}

fn node() -> impl Strategy<Value = NodeRef> {
    (0u32..48).prop_map(NodeRef::from)
}

fn rect() -> impl Strategy<Value = Rect> {
    (number(), number(), number(), number()).prop_map(|(x, y, width, height)| Rect { x, y, width, height })
}

fn attributes() -> impl Strategy<Value = Box<Attributes>> {
    let texts = vec(option::weighted(0.3, words()), 9);
    (texts, option::weighted(0.4, 0u32..4), option::weighted(0.2, any::<u32>())).prop_map(
        |(texts, form, length)| {
            let [href, value, kind, id, name, autocomplete, form_action, description, hint] =
                <[_; 9]>::try_from(texts).expect("nine texts");
            Box::new(Attributes {
                href,
                value,
                kind,
                id,
                name,
                autocomplete,
                form_action,
                description,
                hint,
                form,
                max_length: length,
                option_count: length,
                ..Attributes::default()
            })
        },
    )
}

fn a_control() -> impl Strategy<Value = Control> {
    let roles =
        vec!["button", "link", "textbox", "generic", "checkbox", "combobox", "radio", "", "Weird Role"];
    (any::<u32>(), select(roles), words(), any::<u32>(), rect(), attributes(), vec(node(), 0..3)).prop_map(
        |(index, role, name, state, rect, attributes, children)| Control {
            index,
            tag: "input".into(),
            role: role.into(),
            name,
            state: ControlState(state),
            rect,
            attributes,
            children,
        },
    )
}

fn a_group() -> impl Strategy<Value = GroupCapture> {
    use GroupKind::*;
    let kinds = vec![
        Generic, Main, Nav, Header, Footer, Aside, Search, Region, Form, Fieldset, Dialog, Modal, Alert,
        Status, Heading, Table, Row, List, Item, Widget,
    ];
    (select(kinds), any::<u8>(), words(), any::<bool>(), rect(), attributes(), vec(node(), 0..6)).prop_map(
        |(kind, level, name, fixed, rect, attributes, children)| GroupCapture {
            kind,
            level,
            name,
            fixed,
            rect,
            attributes,
            children,
        },
    )
}

fn an_owner() -> impl Strategy<Value = Owner> {
    (words(), any::<bool>(), vec(number(), 8), number(), number()).prop_map(|(name, visible, quad, w, h)| {
        Owner {
            index: None,
            src: name.clone(),
            name,
            visible,
            quad: quad.try_into().expect("eight numbers"),
            size: [w, h],
        }
    })
}

fn a_frame() -> impl Strategy<Value = FrameCapture> {
    let look = (
        vec(words(), 0..8),
        vec(a_control(), 0..8),
        vec(a_group(), 0..8),
        vec(an_owner(), 0..3),
        vec(node(), 0..6),
        vec(rect(), 0..2),
        any::<[i32; 6]>(),
    )
        .prop_map(|(texts, controls, groups, owners, roots, surfaces, viewport)| {
            let forms = vec![FormFacts { method: "post".into(), ..FormFacts::default() }; 2];
            let mut look =
                FrameLook { texts, controls, groups, owners, forms, roots, surfaces, ..FrameLook::default() };
            look.document.viewport = viewport;
            look
        });
    let id = |n: u8| FrameId::new(format!("F{n}"));
    (0u8..5, option::of(0u8..5), option::of(0u32..4), words(), look).prop_map(
        move |(own, parent, owner, url, look)| {
            let facts =
                FrameFacts { id: id(own), parent: parent.map(id), loader: String::new(), url, name: None };
            FrameCapture { facts, owner, look }
        },
    )
}

pub fn a_capture() -> impl Strategy<Value = PageCapture> {
    vec(a_frame(), 0..5).prop_map(|frames| PageCapture { frames, ..PageCapture::default() })
}
