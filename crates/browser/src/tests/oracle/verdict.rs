//! Our roles and names against those of Chromium's tree: what agrees, what differs, and in which way.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt,
};

use legwork_cdp::protocol::accessibility::AxValue;
use serde::Deserialize;

// What counts as a control of the tree is not in question here: where the walker stands against it is.
use crate::capture::accessible::ACTIVE;

/// Where both names are cut, in UTF-16 units: `NAME_LIMIT` of the script.
const NAME_LIMIT: usize = 300;
const EXAMPLES: usize = 3;

/// Of so many elements that agree, at most one may be such that the tree leaves it out.
const APART: usize = 50;

/// Elements whose parts are in the tree: choices, steps of a date, buttons of a player. To us each is one control.
const WITH_PARTS: [&str; 5] = ["select", "input", "textarea", "video", "audio"];

/// One node of Chromium's tree.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TreeNode {
    node_id: String,
    parent_id: Option<String>,
    ignored: bool,
    role: Option<AxValue>,
    name: Option<AxValue>,
    #[serde(rename = "backendDOMNodeId")]
    backend_node_id: Option<i64>,
}

impl TreeNode {
    fn role(&self) -> &str {
        self.role.as_ref().map_or("", |role| &role.value.0)
    }

    fn name(&self) -> &str {
        self.name.as_ref().map_or("", |name| &name.value.0)
    }
}

/// What the page script says of one element.
#[derive(Debug, Clone)]
pub(super) struct Ours {
    pub(super) backend_node_id: i64,
    pub(super) tag: String,
    pub(super) role: String,
    pub(super) name: String,
}

/// How the two compare.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// The same role and the same name.
    pub(super) hits: usize,
    /// Elements that the tree leaves out, about which it therefore says nothing.
    pub(super) apart: usize,
    /// What differs, by the way in which it does.
    pub(super) misses: BTreeMap<String, Misses>,
}

/// Differences of one kind.
#[derive(Debug, Default)]
pub(super) struct Misses {
    pub(super) count: usize,
    pub(super) examples: Vec<String>,
}

/// Compares element by element.
pub(super) fn compare(ours: &[Ours], tree: &[TreeNode]) -> Verdict {
    let theirs: HashMap<i64, &TreeNode> =
        tree.iter().filter_map(|node| Some((node.backend_node_id?, node))).collect();
    let mut verdict = Verdict::default();
    for our in ours {
        let Some(their) = theirs.get(&our.backend_node_id).filter(|node| !node.ignored) else {
            verdict.apart += 1;
            continue;
        };
        let role = their.role();
        let (mine, wanted) = (comparable(&our.name), comparable(their.name()));
        if our.role != role {
            let example = format!("{mine:?} is {wanted:?}");
            verdict.miss(format!("role {} should be {role}", our.role), example);
        } else if mine != wanted {
            let example = format!("{mine:?} should be {wanted:?}");
            verdict.miss(format!("name of {role}: {}", difference(&mine, &wanted)), example);
        } else {
            verdict.hits += 1;
        }
    }
    verdict
}

/// What somebody can act on by the tree, and is neither among ours nor a part of one of ours.
pub(super) fn unlisted<'a>(ours: &[Ours], tree: &'a [TreeNode]) -> Vec<&'a TreeNode> {
    let by_id: HashMap<&str, &TreeNode> = tree.iter().map(|node| (node.node_id.as_str(), node)).collect();
    let tags: HashMap<i64, &str> = ours.iter().map(|our| (our.backend_node_id, our.tag.as_str())).collect();
    let tag = |node: &TreeNode| node.backend_node_id.and_then(|number| tags.get(&number)).copied();
    let parent = |node: &&TreeNode| node.parent_id.as_deref().and_then(|id| by_id.get(id)).copied();
    let is_part = |node: &TreeNode| {
        std::iter::successors(by_id.get(node.node_id.as_str()).copied(), parent)
            .any(|above| tag(above).is_some_and(|tag| WITH_PARTS.contains(&tag)))
    };
    let is_active = |node: &&TreeNode| !node.ignored && ACTIVE.contains(&node.role());
    tree.iter().filter(is_active).filter(|node| tag(node).is_none() && !is_part(node)).collect()
}

/// The verdict on those that not even a look lists that has the hidden ones too.
pub(super) fn missing(unlisted: &[&TreeNode], hidden_too: &[Ours], tree: &[TreeNode]) -> Verdict {
    let still: HashSet<&str> =
        self::unlisted(hidden_too, tree).into_iter().map(|node| node.node_id.as_str()).collect();
    let mut verdict = Verdict::default();
    for node in unlisted.iter().filter(|node| still.contains(node.node_id.as_str())) {
        verdict.miss(format!("{} is not listed", node.role()), format!("{:?}", comparable(node.name())));
    }
    verdict
}

fn comparable(name: &str) -> String {
    let units: Vec<u16> = name.trim().encode_utf16().take(NAME_LIMIT).collect();
    String::from_utf16_lossy(&units).trim().to_owned()
}

fn difference(ours: &str, theirs: &str) -> &'static str {
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    if ours.is_empty() {
        "missing"
    } else if theirs.is_empty() {
        "invented"
    } else if squeezed(ours) == squeezed(theirs) {
        "spaces"
    } else if ours.to_lowercase() == theirs.to_lowercase() {
        "case"
    } else if theirs.contains(ours) {
        "too short"
    } else if ours.contains(theirs) {
        "too long"
    } else {
        "another"
    }
}

impl Verdict {
    fn miss(&mut self, class: String, example: String) {
        let misses = self.misses.entry(class).or_default();
        misses.count += 1;
        misses.examples.push(example);
        misses.examples.truncate(EXAMPLES);
    }

    /// Takes in the verdict of another page.
    pub(super) fn add(&mut self, other: Self) {
        self.hits += other.hits;
        self.apart += other.apart;
        for (class, misses) in other.misses {
            let known = self.misses.entry(class).or_default();
            known.count += misses.count;
            known.examples.extend(misses.examples);
            known.examples.truncate(EXAMPLES);
        }
    }

    pub(super) fn missed(&self) -> usize {
        self.misses.values().map(|misses| misses.count).sum()
    }

    /// The part of the comparable elements that agree, from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "counts of elements are far below 2^52")]
    pub(super) fn agreement(&self) -> f64 {
        self.hits as f64 / (self.hits + self.missed()).max(1) as f64
    }
}

impl Verdict {
    /// Fails unless this part of the elements agrees, and the tree speaks of nearly all.
    #[track_caller]
    pub(super) fn holds(&self, bar: f64) {
        assert!(self.agreement() >= bar, "{self}{}", self.classes());
        assert!(self.apart * APART <= self.hits, "{self}");
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (percent, missed) = (self.agreement() * 100.0, self.missed());
        write!(
            out,
            "{percent:.2} % agree: {} hits, {missed} misses, {} not in the tree",
            self.hits, self.apart
        )
    }
}

impl Verdict {
    /// Every kind of difference with examples, a line each.
    pub(super) fn classes(&self) -> String {
        let line = |(class, misses): (&String, &Misses)| {
            format!("\n{:>5} {class}: {}", misses.count, misses.examples.join("; "))
        };
        self.misses.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: i64, ignored: bool, role: &str, name: &str) -> TreeNode {
        let text = serde_json::json!({
            "nodeId": id.to_string(), "ignored": ignored, "backendDOMNodeId": id, "role": {"value": role}, "name": {"value": name},
        });
        serde_json::from_value(text).unwrap()
    }

    fn ours(backend_node_id: i64, role: &str, name: &str) -> Ours {
        Ours { backend_node_id, tag: "a".to_owned(), role: role.to_owned(), name: name.to_owned() }
    }

    #[test]
    fn agreement_counts_only_what_the_tree_speaks_of() {
        let tree =
            [node(1, false, "button", "Save "), node(2, true, "none", ""), node(3, false, "link", "A B")];
        let verdict = compare(
            &[
                ours(1, "button", " Save"),
                ours(2, "button", "x"),
                ours(4, "link", "x"),
                ours(3, "link", "AB"),
            ],
            &tree,
        );
        assert_eq!((verdict.hits, verdict.apart, verdict.missed()), (1, 2, 1));
        assert_eq!(verdict.misses.keys().collect::<Vec<_>>(), ["name of link: spaces"]);
        assert!((verdict.agreement() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn differences_have_classes_and_add_up() {
        let tree = [node(1, false, "generic", ""), node(2, false, "link", "Word")];
        let mut verdict = compare(&[ours(1, "link", "x"), ours(2, "link", "")], &tree);
        verdict.add(compare(&[ours(1, "link", "x"), ours(2, "link", "word")], &tree));
        let counts: Vec<(&str, usize)> =
            verdict.misses.iter().map(|(class, misses)| (class.as_str(), misses.count)).collect();
        assert_eq!(
            counts,
            [("name of link: case", 1), ("name of link: missing", 1), ("role link should be generic", 2)]
        );
    }

    #[test]
    fn long_names_are_compared_up_to_the_limit() {
        let long = "é".repeat(NAME_LIMIT);
        let verdict =
            compare(&[ours(1, "link", &long)], &[node(1, false, "link", &format!("{long} and more"))]);
        assert_eq!(verdict.hits, 1);
    }

    #[test]
    fn what_only_the_tree_has_is_missed_unless_it_is_hidden_or_a_part() {
        let option = TreeNode { parent_id: Some("1".to_owned()), ..node(2, false, "option", "one") };
        let rest =
            [node(3, false, "link", "hidden"), node(4, false, "link", "lost"), node(5, false, "image", "")];
        let tree = [vec![node(1, false, "combobox", "list"), option], rest.to_vec()].concat();
        let ours = [Ours { tag: "select".to_owned(), ..ours(1, "combobox", "list") }];
        let unlisted = unlisted(&ours, &tree);
        assert_eq!(unlisted.iter().map(|node| node.name()).collect::<Vec<_>>(), ["hidden", "lost"]);
        let hidden_too = [ours[0].clone(), self::ours(3, "link", "hidden")];
        let verdict = missing(&unlisted, &hidden_too, &tree);
        assert_eq!(verdict.classes(), "\n    1 link is not listed: \"lost\"");
    }
}
