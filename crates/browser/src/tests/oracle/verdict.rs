//! Our roles and names against those of Chromium's tree: what agrees, what differs, and in which way.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
};

use legwork_cdp::protocol::accessibility::AxNode;

/// Where both names are cut, in UTF-16 units: `NAME_LIMIT` of the script.
const NAME_LIMIT: usize = 300;
const EXAMPLES: usize = 3;

/// What the page script says of one element.
#[derive(Debug, Clone)]
pub(super) struct Ours {
    pub(super) backend_node_id: i64,
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
pub(super) fn compare(ours: &[Ours], tree: &[AxNode]) -> Verdict {
    let theirs: HashMap<i64, &AxNode> =
        tree.iter().filter_map(|node| Some((node.backend_dom_node_id?, node))).collect();
    let mut verdict = Verdict::default();
    for our in ours {
        let Some(their) = theirs.get(&our.backend_node_id).filter(|node| !node.ignored) else {
            verdict.apart += 1;
            continue;
        };
        let text = |value: &Option<legwork_cdp::protocol::accessibility::AxValue>| {
            value.as_ref().map(|value| value.value.0.clone()).unwrap_or_default()
        };
        let (role, name) = (text(&their.role), text(&their.name));
        let (mine, wanted) = (comparable(&our.name), comparable(&name));
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

    fn node(id: i64, ignored: bool, role: &str, name: &str) -> AxNode {
        let text = serde_json::json!({
            "ignored": ignored, "backendDOMNodeId": id, "role": {"value": role}, "name": {"value": name},
        });
        serde_json::from_value(text).unwrap()
    }

    fn ours(backend_node_id: i64, role: &str, name: &str) -> Ours {
        Ours { backend_node_id, role: role.to_owned(), name: name.to_owned() }
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
}
