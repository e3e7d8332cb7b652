//! What really left the browser, and who said yes to it, a line each. The same again is counted, not repeated.

use serde::Serialize;

/// The most lines that are kept; what a person said yes to is kept in any case.
const MOST: usize = 500;
/// What stands before the number of times.
const TIMES: &str = " ×";
/// What stands for all that there was no room for.
const FURTHER: &str = "further ones that are not listed";

/// What really left, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Receipts(Vec<String>);

impl Receipts {
    /// Writes a line down.
    pub(crate) fn note(&mut self, line: &str) {
        if self.count(line) {
            return;
        }
        match self.0.len() < MOST || is_about_a_yes(line) {
            true => self.0.push(line.to_owned()),
            false if self.count(FURTHER) => {}
            false => self.0.push(FURTHER.to_owned()),
        }
    }

    /// Counts a line that is there already. Whether it is.
    fn count(&mut self, line: &str) -> bool {
        let times = |known: &str| match known.strip_prefix(line)? {
            "" => Some(1),
            rest => rest.strip_prefix(TIMES)?.parse::<u64>().ok(),
        };
        let known = self.0.iter_mut().find_map(|known| times(known).map(|times| (known, times)));
        let Some((known, times)) = known else { return false };
        *known = format!("{line}{TIMES}{}", times.saturating_add(1));
        true
    }

    /// All lines.
    pub(crate) fn lines(&self) -> &[String] {
        &self.0
    }
}

/// Whether a line is about what somebody said yes to, or about what nobody knows.
fn is_about_a_yes(line: &str) -> bool {
    line.contains("a person said yes") || line.contains("not known")
}

/// The lines that are told where there is no room for all: the latest ones, and whatever somebody said yes to. And how many are not.
pub fn foremost(lines: &[String], most: usize) -> (usize, Vec<&String>) {
    let late = lines.len().saturating_sub(most);
    let told: Vec<&String> = lines
        .iter()
        .enumerate()
        .filter(|(at, line)| *at >= late || is_about_a_yes(line))
        .map(|(_, line)| line)
        .collect();
    (lines.len() - told.len(), told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yes_is_told_however_much_a_page_sends() {
        let mut receipts = Receipts::default();
        receipts.note("a person said yes, and it was let go: POST https://a.example/order");
        for number in 0..2_000 {
            receipts.note(&format!("POST https://a.example/{}: left", number % 700));
            receipts.note("POST https://a.example/graphql: left");
        }
        receipts.note("a person said yes, and whether it left is not known: POST https://a.example/pay");
        let lines = receipts.lines();
        assert!(lines.len() <= MOST + 3, "{}", lines.len());
        assert!(lines.contains(&"POST https://a.example/graphql: left ×2000".to_owned()));
        assert!(lines.iter().any(|line| line.starts_with(FURTHER)));
        let (untold, told) = foremost(lines, 12);
        assert_eq!(untold + told.len(), lines.len());
        assert_eq!(told.iter().filter(|line| line.contains("a person said yes")).count(), 2);
        assert!(told.len() <= 14, "{told:?}");
        // One that begins like another is another.
        let mut two = Receipts::default();
        two.note("POST /cart");
        two.note("POST /cart/checkout");
        assert_eq!(two.lines().len(), 2);
    }
}
