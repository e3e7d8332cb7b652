//! The estimate of tokens against the count of a real tokenizer: above it whatever the script, and not far above it in the
//! languages that most pages are written in.

#![allow(clippy::expect_used, clippy::panic)]

mod common;

use common::*;
use legwork_observe::{Boundary, Look, tokens};
use legwork_types::{
    Timestamp,
    contract::{ObservationId, ObserveOptions, SessionId},
};

fn count(text: &str) -> u32 {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len() as u32
}

/// Letters that come as they come, but the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }

    fn words(&mut self, range: (u32, u32), how_many: usize) -> String {
        let letters: Vec<char> = (range.0..=range.1)
            .filter_map(char::from_u32)
            .filter(|c| !c.is_control() && !c.is_whitespace())
            .collect();
        let mut word = || (0..2 + self.below(9)).map(|_| letters[self.below(letters.len())]).collect();
        (0..how_many).map(|_| word()).collect::<Vec<String>>().join(" ")
    }
}

const RANGES: &[(&str, (u32, u32))] = &[
    ("Latin-1", (0xc0, 0xff)),
    ("Latin Extended-A", (0x100, 0x17f)),
    ("Latin Extended-B", (0x180, 0x24f)),
    ("Greek", (0x370, 0x3ff)),
    ("small Greek", (0x3b1, 0x3c9)),
    ("Greek capitals", (0x391, 0x3a9)),
    ("Cyrillic", (0x400, 0x45f)),
    ("small Cyrillic", (0x430, 0x44f)),
    ("Cyrillic capitals", (0x410, 0x42f)),
    ("further Cyrillic", (0x460, 0x52f)),
    ("Armenian", (0x531, 0x586)),
    ("Hebrew", (0x5d0, 0x5ea)),
    ("Arabic", (0x621, 0x652)),
    ("further Arabic", (0x660, 0x6ff)),
    ("Syriac", (0x700, 0x74f)),
    ("Devanagari", (0x900, 0x97f)),
    ("Devanagari digits", (0x966, 0x96f)),
    ("Bengali", (0x980, 0x9ff)),
    ("Gurmukhi", (0xa00, 0xa7f)),
    ("Gujarati", (0xa80, 0xaff)),
    ("Odia", (0xb00, 0xb7f)),
    ("Tamil", (0xb80, 0xbff)),
    ("Telugu", (0xc00, 0xc7f)),
    ("Kannada", (0xc80, 0xcff)),
    ("Malayalam", (0xd00, 0xd7f)),
    ("Sinhala", (0xd80, 0xdff)),
    ("Thai", (0xe01, 0xe5b)),
    ("Lao", (0xe80, 0xeff)),
    ("Tibetan", (0xf00, 0xfff)),
    ("Myanmar", (0x1000, 0x109f)),
    ("Georgian", (0x10d0, 0x10f0)),
    ("Ethiopic", (0x1200, 0x137f)),
    ("Khmer", (0x1780, 0x17ff)),
    ("Vietnamese", (0x1ea0, 0x1ef9)),
    ("old Greek", (0x1f00, 0x1fff)),
    ("arrows", (0x2190, 0x21ff)),
    ("signs of mathematics", (0x2200, 0x22ff)),
    ("Braille", (0x2800, 0x28ff)),
    ("Hiragana", (0x3041, 0x3096)),
    ("Katakana", (0x30a1, 0x30fa)),
    ("Han", (0x4e00, 0x9fff)),
    ("Hangul", (0xac00, 0xd7a3)),
    ("emoji", (0x1f300, 0x1f64f)),
];

#[test]
fn letters_without_sense_cost_no_more_than_estimated() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for &(script, range) in RANGES {
        let text = dice.words(range, 300);
        let (estimate, count) = (tokens::estimate(&text), count(&text));
        assert!(estimate >= count, "{script}: {estimate} for {count}");
        assert!(estimate <= text.len() as u32, "{script}: {estimate} for {} bytes", text.len());
    }
}

const SENTENCES: &[&str] = &[
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα",
    "Все люди рождаются свободными и равными в своем достоинстве и правах",
    "Добавить в корзину, Оформить заказ, Политика конфиденциальности",
    "Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով",
    "יולדו בני חורין ושווים בערכם ובזכויותיהם",
    "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है",
    "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে",
    "ସବୁ ମନୁଷ୍ୟ ଜନ୍ମକାଳରୁ ସ୍ୱାଧୀନ ଏବଂ ମର୍ଯ୍ୟାଦା ଓ ଅଧିକାରରେ ସମାନ",
    "மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்",
    "ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును",
    "ಎಲ್ಲಾ ಮಾನವರೂ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಜನಿಸಿದ್ದಾರೆ",
    "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
    "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით",
];

#[test]
fn words_of_many_scripts_cost_no_more_than_estimated_in_small_letters_and_in_capitals() {
    for sentence in SENTENCES {
        for text in [sentence.to_lowercase(), sentence.to_uppercase()] {
            let (estimate, count) = (tokens::estimate(&text), count(&text));
            assert!(estimate >= count, "{estimate} for {count}: {text}");
        }
        assert!(tokens::estimate(sentence) <= 2 * count(sentence) + 2, "{sentence}");
    }
}

#[test]
fn ordinary_text_is_not_far_from_its_true_count() {
    for (text, most) in [
        (
            "All human beings are born free and equal in dignity and rights. They are endowed with reason.",
            1.3,
        ),
        (
            "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft begabt.",
            1.5,
        ),
        ("Tous les êtres humains naissent libres et égaux en dignité et en droits, doués de raison.", 1.5),
        ("Todos los seres humanos nacen libres e iguales en dignidad y derechos, dotados de razón.", 1.5),
        ("Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом.", 1.5),
        ("人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。", 1.5),
        ("すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。", 1.5),
    ] {
        let ratio = f64::from(tokens::estimate(text)) / f64::from(count(text));
        assert!((0.9..=most).contains(&ratio), "{ratio}: {text}");
    }
}

fn reading_of(words: &str) -> String {
    let words: Vec<&'static str> = words.to_owned().leak().split(' ').collect();
    let body = words
        .chunks(6)
        .flat_map(|chunk| {
            let line: &'static str = chunk.join(" ").leak();
            [heading(2, chunk[0]), text(line), button(line), field(chunk[0]).value(line)]
        })
        .collect();
    let scene = page(body).scene();
    let look = Look::new(scene, ObservationId("o1".into()), SessionId("s1".into()), Timestamp::default());
    let reading = look.read(&ObserveOptions::default(), None, &Boundary::new(7)).expect("a reading");
    reading.text
}

#[test]
fn the_text_of_a_page_keeps_to_its_budget_in_any_script() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let greek_and_russian = SENTENCES[..3].join(" ").to_uppercase().repeat(20);
    let random = RANGES.iter().map(|&(script, range)| (script, dice.words(range, 600)));
    for (script, words) in random.chain([("sentences in capitals", greek_and_russian)]) {
        let text = reading_of(&words);
        let count = count(&text);
        assert!(count <= 2_000, "{script}: {count}");
        assert!(count >= 900, "{script}: only {count}");
    }
}
