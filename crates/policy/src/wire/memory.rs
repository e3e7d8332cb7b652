//! What a caller has read and where, and what it has put into pages and addresses: what it takes from one site to another is noticed,
//! and what pages and servers send on by themselves is their own affair.

use std::collections::{HashSet, VecDeque};

use super::{
    Carried, Decoded,
    learned::{Learned, forms, normal, piece},
};

/// How many characters are compared of what was put somewhere: cut in smaller pieces it is not noticed.
const GRAM: usize = 4;
/// The most that is remembered of what was put somewhere.
const MOST_GRAMS: usize = 200_000;
/// The most links that are remembered.
const MOST_LINKS: usize = 20_000;

/// The memory of one caller.
#[derive(Debug)]
pub struct Memory {
    learned: Learned,
    /// What the caller put into pages and addresses, in small pieces.
    given: Bounded,
    /// The end of it: what is put in bit by bit belongs together.
    tail: String,
    last: String,
    /// Addresses that pages lead to by themselves.
    links: Bounded,
    reach: Reach,
}

/// How much of what was read the caller has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Nothing that was read was put anywhere.
    Nothing,
    /// Something of what was put in.
    Given,
    /// It could be anything: it was pasted.
    Anything,
}

/// A set of numbers; of too many the oldest are forgotten.
#[derive(Debug)]
struct Bounded {
    known: HashSet<u64>,
    order: VecDeque<u64>,
    most: usize,
    has_forgotten: bool,
}

impl Bounded {
    fn of(most: usize) -> Self {
        Self { known: HashSet::new(), order: VecDeque::new(), most, has_forgotten: false }
    }

    fn add(&mut self, number: u64) {
        if self.known.insert(number) {
            self.order.push_back(number);
        }
        if self.order.len() > self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
            self.has_forgotten = true;
        }
    }
}

impl Memory {
    /// Nothing read yet; these are words of the operator, which may go anywhere.
    pub fn known_words(words: &str) -> Self {
        Self {
            learned: Learned::known_words(words),
            given: Bounded::of(MOST_GRAMS),
            tail: String::new(),
            last: String::new(),
            links: Bounded::of(MOST_LINKS),
            reach: Reach::Nothing,
        }
    }

    /// A site (or a host of it) shows this. Addresses in it are links.
    pub fn saw(&mut self, site: &str, text: &str) {
        for address in text.split(|c: char| c.is_whitespace() || "<>\"'()[]".contains(c)) {
            let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?']);
            if address.starts_with("http://") || address.starts_with("https://") {
                self.saw_link(address);
            }
        }
        self.learned.note(site, text);
    }

    /// Something was shown that is too much to remember.
    pub fn missed(&mut self) {
        self.learned.missed();
        self.reach = Reach::Anything;
    }

    /// A field of a site (or a host of it) holds this.
    pub fn saw_in_a_field(&mut self, site: &str, text: &str) {
        self.learned.note_field(site, text);
    }

    /// Somebody allowed that a site knows this.
    pub fn is_known_at(&mut self, site: &str, text: &str) {
        self.learned.note(site, text);
    }

    /// A page leads there: whoever goes there follows the page.
    pub fn saw_link(&mut self, address: &str) {
        self.links.add(link(address));
        self.links.add(link(without_fragment(address)));
    }

    /// The caller goes to an address.
    pub fn goes_to(&mut self, address: &str) {
        if !self.links.known.contains(&link(address)) {
            self.puts(&[address]);
        }
    }

    /// The caller puts a text into a page. What nobody has shown it is its own from now on.
    pub fn gives(&mut self, text: &str) {
        // Bit by bit, in whichever order: what came before belongs to it.
        let (joined, turned) = (format!("{}{text}", self.tail), format!("{text}{}", self.last));
        self.puts(&[text, &joined, &turned]);
        let kept = joined.chars().count().saturating_sub(64);
        self.tail = joined.chars().skip(kept).collect();
        self.last = text.chars().take(64).collect();
    }

    fn puts(&mut self, texts: &[&str]) {
        let was_read = texts.iter().filter(|text| self.learned.claim(text)).count() > 0;
        for form in texts.iter().flat_map(|text| forms(text)) {
            let letters: Vec<char> = normal(&form).chars().collect();
            letters.windows(GRAM).for_each(|gram| self.given.add(piece(gram)));
            if self.given.has_forgotten {
                self.reach = Reach::Anything;
            }
        }
        if was_read && self.reach == Reach::Nothing {
            self.reach = Reach::Given;
        }
    }

    /// The end of what was put somewhere.
    pub fn tail(&self) -> &str {
        &self.tail
    }

    /// The caller pastes: nobody knows what.
    pub fn pastes(&mut self) {
        self.reach = Reach::Anything;
    }

    /// Whether the caller has put anything anywhere that it read.
    pub fn has_used_what_it_read(&self) -> bool {
        self.reach != Reach::Nothing
    }

    /// What a request holds of what the caller read on other sites and put there.
    pub fn carried(&self, decoded: &Decoded) -> Vec<Carried> {
        let is_given = |letters: &[char]| {
            let known =
                |gram: Option<&[char]>| gram.is_some_and(|gram| self.given.known.contains(&piece(gram)));
            self.reach == Reach::Anything
                || (known(letters.get(..GRAM)) && known(letters.get(letters.len().saturating_sub(GRAM)..)))
        };
        match self.reach {
            Reach::Nothing => vec![],
            Reach::Given | Reach::Anything => self.learned.carried_where(decoded, is_given),
        }
    }
}

fn without_fragment(address: &str) -> &str {
    address.split('#').next().unwrap_or_default()
}

/// An address as a number, with what is never sent: the page there reads it.
fn link(address: &str) -> u64 {
    piece(&address.chars().collect::<Vec<_>>())
}
