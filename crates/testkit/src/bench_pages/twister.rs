//! The random numbers of Python's `random.Random`, for pages that must come out the same in every language.

const SIZE: usize = 624;
const SHIFT: usize = 397;

/// A Mersenne Twister (MT19937), seeded with an integer as Python does.
pub(super) struct Twister {
    state: [u32; SIZE],
    next: usize,
}

impl Twister {
    /// `random.Random(seed)`.
    pub(super) fn seeded(seed: u32) -> Self {
        let mut state = [0; SIZE];
        state[0] = 19_650_218_u32;
        for at in 1..SIZE {
            state[at] = mixed(state[at - 1]).wrapping_mul(1_812_433_253).wrapping_add(index(at));
        }
        // The key has one word: the seed.
        let mut at = 1;
        for _ in 0..SIZE {
            state[at] = (state[at] ^ mixed(state[at - 1]).wrapping_mul(1_664_525)).wrapping_add(seed);
            at = following(&mut state, at);
        }
        for _ in 0..SIZE - 1 {
            state[at] =
                (state[at] ^ mixed(state[at - 1]).wrapping_mul(1_566_083_941)).wrapping_sub(index(at));
            at = following(&mut state, at);
        }
        state[0] = 0x8000_0000;
        Self { state, next: SIZE }
    }

    /// `getrandbits(bits)`, for up to 32 bits.
    pub(super) fn bits(&mut self, bits: u32) -> u32 {
        if self.next == SIZE {
            self.twist();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^= word >> 18;
        word >> (32 - bits)
    }

    /// `randint(least, most)`: both ends may come.
    pub(super) fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    /// `choice(among)`.
    pub(super) fn choice<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(u32::try_from(among.len()).expect("a short list")) as usize]
    }

    /// Tries again instead of taking a remainder, so that each number is as likely as the next.
    fn below(&mut self, limit: u32) -> u32 {
        let bits = u32::BITS - limit.leading_zeros();
        loop {
            let word = self.bits(bits);
            if word < limit {
                return word;
            }
        }
    }

    fn twist(&mut self) {
        for at in 0..SIZE {
            let word = self.state[at] & 0x8000_0000 | self.state[(at + 1) % SIZE] & 0x7fff_ffff;
            let odd = if word & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[at] = self.state[(at + SHIFT) % SIZE] ^ word >> 1 ^ odd;
        }
        self.next = 0;
    }
}

fn mixed(word: u32) -> u32 {
    word ^ word >> 30
}

fn index(at: usize) -> u32 {
    u32::try_from(at).expect("an index of the state")
}

/// The next index; past the end the last word becomes the first one.
fn following(state: &mut [u32; SIZE], at: usize) -> usize {
    if at + 1 < SIZE {
        return at + 1;
    }
    state[0] = state[SIZE - 1];
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_python() {
        let mut seven = Twister::seeded(7);
        let words: Vec<u32> = (0..5).map(|_| seven.bits(32)).collect();
        assert_eq!(words, [1_390_851_128, 4_071_050_724, 647_892_279, 1_695_753_998, 2_795_742_288]);
        let mut zero = Twister::seeded(0);
        assert_eq!([zero.bits(32), zero.bits(32)], [3_626_764_237, 1_654_615_998]);
    }

    #[test]
    fn words_are_still_the_same_after_the_state_was_renewed() {
        let mut seven = Twister::seeded(7);
        assert_eq!((0..1301).map(|_| seven.bits(32)).last(), Some(4_175_743_836));
    }

    #[test]
    fn ranges_and_choices_are_those_of_python() {
        let mut seven = Twister::seeded(7);
        let numbers: Vec<u32> = (0..6).map(|_| seven.between(900, 19_900)).collect();
        assert_eq!(numbers, [11_511, 5_843, 13_837, 2_482, 3_273, 18_459]);
        let mut eleven = Twister::seeded(11);
        let chosen: String = (0..12).map(|_| char::from(eleven.choice(b"abcdefghij"))).collect();
        assert_eq!(chosen, "hihhijdcihjc");
    }
}
