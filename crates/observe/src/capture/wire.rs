//! The nodes as the walker writes them: arrays, because names of fields would cost more than the fields.

use legwork_types::PageText;
use serde::{Deserialize, Serialize};

use super::nodes::{Attributes, Control, ControlState, GroupCapture, GroupKind, NodeRef, Owner, Rect};

/// index, tag, role, name, state, x, y, width, height, attributes, children.
#[derive(Serialize, Deserialize)]
pub(super) struct ControlWire(
    u32,
    Box<str>,
    Box<str>,
    PageText,
    ControlState,
    f32,
    f32,
    f32,
    f32,
    Box<Attributes>,
    Vec<NodeRef>,
);

/// kind, level, name, fixed, x, y, width, height, attributes, children.
#[derive(Serialize, Deserialize)]
pub(super) struct GroupWire(GroupKind, u8, PageText, u8, f32, f32, f32, f32, Box<Attributes>, Vec<NodeRef>);

/// index, name, visible, quad, size, src.
#[derive(Serialize, Deserialize)]
pub(super) struct OwnerWire(Option<u32>, PageText, u8, [f32; 8], [f32; 2], PageText);

impl From<ControlWire> for Control {
    fn from(wire: ControlWire) -> Self {
        let ControlWire(index, tag, role, name, state, x, y, width, height, attributes, children) = wire;
        Self { index, tag, role, name, state, rect: Rect { x, y, width, height }, attributes, children }
    }
}

impl From<Control> for ControlWire {
    fn from(control: Control) -> Self {
        let Control { index, tag, role, name, state, rect, attributes, children } = control;
        let Rect { x, y, width, height } = rect;
        Self(index, tag, role, name, state, x, y, width, height, attributes, children)
    }
}

impl From<GroupWire> for GroupCapture {
    fn from(wire: GroupWire) -> Self {
        let GroupWire(kind, level, name, fixed, x, y, width, height, attributes, children) = wire;
        let rect = Rect { x, y, width, height };
        Self { kind, level, name, fixed: fixed != 0, rect, attributes, children }
    }
}

impl From<GroupCapture> for GroupWire {
    fn from(group: GroupCapture) -> Self {
        let GroupCapture { kind, level, name, fixed, rect, attributes, children } = group;
        let Rect { x, y, width, height } = rect;
        Self(kind, level, name, fixed.into(), x, y, width, height, attributes, children)
    }
}

impl From<OwnerWire> for Owner {
    fn from(OwnerWire(index, name, visible, quad, size, src): OwnerWire) -> Self {
        Self { index, name, visible: visible != 0, quad, size, src }
    }
}

impl From<Owner> for OwnerWire {
    fn from(Owner { index, name, visible, quad, size, src }: Owner) -> Self {
        Self(index, name, visible.into(), quad, size, src)
    }
}
