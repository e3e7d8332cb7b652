//! What the walker writes about a frame. It is kept small, because every byte on its way out of a page costs: nodes are
//! arrays without names, what most of them lack comes last and may be missing, and what repeats itself is in a table.

use legwork_types::PageText;
use serde::Deserialize;

use super::{
    DocumentFacts, FrameLook, LeftOut,
    nodes::{Attributes, Control, ControlState, FormFacts, GroupCapture, GroupKind, NodeRef, Owner, Rect},
};

#[derive(Deserialize)]
struct Written {
    #[serde(rename = "d")]
    document: DocumentFacts,
    /// Tags with roles, by number.
    #[serde(rename = "k")]
    kinds: Vec<(Box<str>, Box<str>)>,
    /// Kinds of groups, by number.
    #[serde(rename = "n")]
    group_kinds: Vec<GroupKind>,
    #[serde(rename = "t")]
    texts: Vec<PageText>,
    #[serde(rename = "c")]
    controls: Vec<WrittenControl>,
    #[serde(rename = "g")]
    groups: Vec<WrittenGroup>,
    #[serde(rename = "o")]
    owners: Vec<WrittenOwner>,
    #[serde(rename = "f")]
    forms: Vec<FormFacts>,
    #[serde(rename = "w", default)]
    surfaces: Vec<WrittenSurface>,
    #[serde(rename = "r")]
    roots: Vec<NodeRef>,
    #[serde(rename = "l")]
    left_out: LeftOut,
    #[serde(rename = "q")]
    candidates: u32,
}

/// kind, name, state, x, y, width, height, attributes, children.
#[derive(Deserialize)]
struct WrittenControl(
    usize,
    PageText,
    ControlState,
    f32,
    f32,
    f32,
    f32,
    #[serde(default)] Box<Attributes>,
    #[serde(default)] Vec<NodeRef>,
);

/// kind, children, level, name, fixed, x, y, width, height, attributes.
#[derive(Deserialize)]
struct WrittenGroup(
    usize,
    Vec<NodeRef>,
    #[serde(default)] u8,
    #[serde(default)] PageText,
    #[serde(default)] u8,
    #[serde(default)] f32,
    #[serde(default)] f32,
    #[serde(default)] f32,
    #[serde(default)] f32,
    #[serde(default)] Box<Attributes>,
);

/// index, name, visible, quad, size, src.
#[derive(Deserialize)]
struct WrittenOwner(Option<u32>, PageText, u8, [f32; 8], [f32; 2], PageText);

/// x, y, width, height.
#[derive(Deserialize)]
struct WrittenSurface(f32, f32, f32, f32);

/// Reads what the walker wrote.
pub(super) fn read(written: &str) -> Result<FrameLook, serde_json::Error> {
    use serde::de::Error as _;
    let written: Written = serde_json::from_str(written)?;
    let unknown = || serde_json::Error::custom("a kind that is not in its table");
    let mut controls = Vec::with_capacity(written.controls.len());
    for (index, control) in (0..).zip(written.controls) {
        let WrittenControl(kind, name, state, x, y, width, height, attributes, children) = control;
        let (tag, role) = written.kinds.get(kind).ok_or_else(unknown)?.clone();
        let rect = Rect { x, y, width, height };
        controls.push(Control { index, tag, role, name, state, rect, attributes, children });
    }
    let mut groups = Vec::with_capacity(written.groups.len());
    for group in written.groups {
        let WrittenGroup(kind, children, level, name, fixed, x, y, width, height, attributes) = group;
        let kind = *written.group_kinds.get(kind).ok_or_else(unknown)?;
        let rect = Rect { x, y, width, height };
        groups.push(GroupCapture { kind, level, name, fixed: fixed != 0, rect, attributes, children });
    }
    let owner = |WrittenOwner(index, name, visible, quad, size, src)| Owner {
        index,
        name,
        visible: visible != 0,
        quad,
        size,
        src,
    };
    let surface = |WrittenSurface(x, y, width, height)| Rect { x, y, width, height };
    Ok(FrameLook {
        document: written.document,
        texts: written.texts,
        controls,
        groups,
        owners: written.owners.into_iter().map(owner).collect(),
        forms: written.forms,
        surfaces: written.surfaces.into_iter().map(surface).collect(),
        roots: written.roots,
        left_out: written.left_out,
        candidates: written.candidates,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: &str = r#""o":[],"f":[],"r":[2],"l":{},"q":0"#;
    const DOCUMENT: &str =
        r#""d":{"u":"http://a.test/","b":"","t":"","l":"","s":"complete","v":[1,1,0,0,1,1],"i":null}"#;

    #[test]
    fn what_most_nodes_lack_may_be_missing() {
        let written = format!(
            r#"{{{DOCUMENT},"k":[["a","link"]],"n":["row","generic"],"t":["x"],
            "c":[[0,"Go",3,1,2,3.5,4],[0,"Out",1,0,0,9,9,{{"h":"/out"}},[0]]],"g":[[0,[1,5]],[1,[2],0,"",1,5,6,7,8,{{"c":"modal"}}]],{REST}}}"#
        );
        let look = read(&written).unwrap();
        let [go, out] = &look.controls[..] else { panic!("two controls: {:?}", look.controls) };
        assert_eq!((&*go.tag, &*go.role, go.index, out.index), ("a", "link", 0, 1));
        assert_eq!(go.rect, Rect { x: 1.0, y: 2.0, width: 3.5, height: 4.0 });
        assert_eq!(out.attributes.href, Some(PageText::from("/out")));
        assert_eq!(out.children, [NodeRef::Text(0)]);
        let [row, dialog] = &look.groups[..] else { panic!("two groups: {:?}", look.groups) };
        assert_eq!(
            (row.kind, row.fixed, dialog.kind, dialog.fixed),
            (GroupKind::Row, false, GroupKind::Generic, true)
        );
        assert_eq!(row.children, [NodeRef::Control(0), NodeRef::Control(1)]);
        assert_eq!(dialog.attributes.hint, Some(PageText::from("modal")));
    }

    #[test]
    fn what_script_draws_is_read_where_there_is_any() {
        let written = format!(r#"{{{DOCUMENT},"k":[],"n":[],"t":[],"c":[],"g":[],{REST}}}"#);
        assert_eq!(read(&written).unwrap().surfaces, []);
        let written = written.replace(r#""f":[]"#, r#""f":[],"w":[[1,2,300,150]]"#);
        let board = Rect { x: 1.0, y: 2.0, width: 300.0, height: 150.0 };
        assert_eq!(read(&written).unwrap().surfaces, [board]);
    }

    #[test]
    fn a_kind_that_is_not_in_its_table_is_refused() {
        let written =
            format!(r#"{{{DOCUMENT},"k":[],"n":[],"t":[],"c":[[0,"Go",3,1,2,3,4]],"g":[],{REST}}}"#);
        assert!(read(&written).is_err());
        let written = format!(r#"{{{DOCUMENT},"k":[],"n":[],"t":[],"c":[],"g":[[0,[]]],{REST}}}"#);
        assert!(read(&written).is_err());
    }
}
