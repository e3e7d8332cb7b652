//! The digits of a badge: bold, one width for all, drawn by hand for one pixel per CSS pixel.

/// Pixels across.
pub(super) const WIDTH: i32 = 6;
/// Pixels down.
pub(super) const HEIGHT: i32 = 9;
/// From one digit's left edge to the next one's.
pub(super) const ADVANCE: i32 = WIDTH + 1;

/// Upright strokes are two pixels wide, which makes them bold; level ones a single pixel, which keeps the gaps open.
const DIGITS: [[&str; HEIGHT as usize]; 10] = [
    [".####.", "##..##", "##..##", "##..##", "##..##", "##..##", "##..##", "##..##", ".####."],
    ["..##..", ".###..", "####..", "..##..", "..##..", "..##..", "..##..", "..##..", "######"],
    [".####.", "##..##", "....##", "....##", "...##.", "..##..", ".##...", "##....", "######"],
    [".####.", "##..##", "....##", "....##", "..###.", "....##", "....##", "##..##", ".####."],
    ["...##.", "..###.", ".####.", "##.##.", "##.##.", "######", "...##.", "...##.", "...##."],
    ["######", "##....", "##....", "#####.", "....##", "....##", "....##", "##..##", ".####."],
    [".####.", "##..##", "##....", "##....", "#####.", "##..##", "##..##", "##..##", ".####."],
    ["######", "....##", "....##", "...##.", "...##.", "..##..", "..##..", "..##..", "..##.."],
    [".####.", "##..##", "##..##", "##..##", ".####.", "##..##", "##..##", "##..##", ".####."],
    [".####.", "##..##", "##..##", "##..##", ".#####", "....##", "....##", "##..##", ".####."],
];

/// The pixels of one digit, from its top left corner. None for what is no digit.
pub(super) fn pixels(digit: u8) -> impl Iterator<Item = (i32, i32)> {
    let rows = DIGITS.get(usize::from(digit)).into_iter().flat_map(|rows| (0..).zip(rows));
    rows.flat_map(|(y, row)| (0..).zip(row.bytes()).filter(|(_, dot)| *dot == b'#').map(move |(x, _)| (x, y)))
}

/// The decimal digits of a number, first to last.
pub(super) fn digits(number: u32) -> impl Iterator<Item = u8> {
    let count = number.checked_ilog10().unwrap_or(0);
    (0..=count).rev().map(move |place| (number / 10_u32.pow(place) % 10) as u8)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn set(digit: u8) -> BTreeSet<(i32, i32)> {
        pixels(digit).collect()
    }

    #[test]
    fn every_digit_fills_its_cell_and_no_more() {
        for digit in 0..10 {
            let pixels = set(digit);
            let inside = |&(x, y): &(i32, i32)| (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y);
            assert!(pixels.iter().all(inside), "{digit}");
            assert!(pixels.iter().any(|&(_, y)| y == 0) && pixels.iter().any(|&(_, y)| y == HEIGHT - 1));
            assert!(DIGITS[usize::from(digit)].iter().all(|row| row.len() == WIDTH as usize), "{digit}");
        }
        assert_eq!(pixels(10).count(), 0);
    }

    #[test]
    fn any_two_digits_differ_by_what_survives_a_jpeg() {
        for one in 0..10 {
            for other in one + 1..10 {
                let differing = set(one).symmetric_difference(&set(other)).count();
                assert!(differing >= 4, "{one} and {other} differ in {differing} pixels");
            }
        }
    }

    #[test]
    fn a_number_falls_into_its_digits() {
        for (number, expected) in [
            (0, &[0][..]),
            (7, &[7]),
            (10, &[1, 0]),
            (305, &[3, 0, 5]),
            (u32::MAX, &[4, 2, 9, 4, 9, 6, 7, 2, 9, 5]),
        ] {
            assert_eq!(digits(number).collect::<Vec<_>>(), expected);
        }
    }
}
