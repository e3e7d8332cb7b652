//! Chance, for names and boundaries that nobody can guess.

use legwork_observe::Boundary;

/// Random bytes of the system.
fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without the system's chance a page could guess where a fence ends; but every system that Chromium runs on has it.
    #[expect(clippy::expect_used, reason = "nothing safe can be done without it")]
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

/// A name that begins with `kind`. Digits, because names of observations are read by models, to whom letters are dear.
pub(crate) fn name(kind: &str) -> String {
    format!("{kind}{:012}", u64::from_le_bytes(bytes()) % 1_000_000_000_000)
}

/// What only whoever was told can know: 256 bits.
pub(crate) fn code() -> String {
    bytes::<32>().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A boundary for one message.
pub fn boundary() -> Boundary {
    Boundary::from_bytes(bytes())
}
