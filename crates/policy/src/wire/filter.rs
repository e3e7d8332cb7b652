//! A memory of numbers that takes little room and never forgets one: the fuller it is, the more it takes for seen.

/// How many bits it has.
const BITS: u64 = 1 << 24;
/// How many of them stand for a number.
const MARKS: u64 = 4;

/// Numbers that were seen.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// Empty until there is one.
    words: Vec<u64>,
}

impl Filter {
    /// Remembers a number for ever.
    pub(super) fn add(&mut self, number: u64) {
        if self.words.is_empty() {
            self.words = vec![0; (BITS / 64) as usize];
        }
        for (word, bit) in places(number) {
            if let Some(word) = self.words.get_mut(word) {
                *word |= bit;
            }
        }
    }

    /// Whether it may have seen a number. Never no for one that it has.
    pub(super) fn has(&self, number: u64) -> bool {
        !self.words.is_empty()
            && places(number).all(|(word, bit)| self.words.get(word).is_some_and(|word| word & bit != 0))
    }

    /// Whether it has seen none.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

fn places(number: u64) -> impl Iterator<Item = (usize, u64)> {
    (1..=MARKS).map(move |mark| {
        // Well mixed: numbers that are alike have nothing in common here.
        let mut mixed = number.wrapping_add(mark.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bit = (mixed ^ (mixed >> 31)) % BITS;
        ((bit / 64) as usize, 1 << (bit % 64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_forgotten_and_a_full_one_knows_everything() {
        let mut filter = Filter::default();
        assert!(filter.is_empty() && !filter.has(7));
        (0..300_000).for_each(|number| filter.add(number));
        assert!((0..300_000).all(|number| filter.has(number)));
        let mistaken = (1_000_000..1_010_000).filter(|number| filter.has(*number)).count();
        assert!(mistaken < 300, "{mistaken} of 10,000");
        filter.words.fill(u64::MAX);
        assert!(filter.has(123_456_789));
    }
}
