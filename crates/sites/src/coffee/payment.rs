//! The step of the checkout that asks how it will be paid, and the page on which another card is given.

use axum::http::StatusCode;

use super::{
    checkout::{missing, step},
    layout::token,
    shop::{Shop, Visit},
};
use crate::{
    day::Day,
    desk::{Answer, Asked},
    html::html,
};

const SAVED: &str = "Card •••• 4242";
const INVOICE: &str = "Invoice, within 14 days";

pub(super) fn show(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    missing(visit, 2).unwrap_or_else(|| form(visit, asked, None))
}

/// Chooses among what the account knows: no card is asked for here.
fn form(visit: &mut Visit, asked: &Asked, problem: Option<&str>) -> Answer {
    let body = html!(
        r#"{problem}<form method="post" action="/checkout/payment-method">{token}<fieldset><legend>Method</legend>
<label class="choice"><input type="radio" name="method" value="saved" checked><span><b>{saved}</b><br>Saved, expires 09/29</span></label>
<label class="choice"><input type="radio" name="method" value="invoice"><span><b>Invoice</b><br>Comes with the parcel, due within 14 days</span></label></fieldset>
<p class="row"><button class="button">Continue to review</button><a href="/checkout/card">Use another card</a></p><p class="small muted">Nothing is charged yet.</p></form>"#,
        problem = problem.map(|problem| html!(r#"<p class="problem" role="alert">{}</p>"#, problem)),
        token = token(asked),
        saved = SAVED,
    );
    step(visit, asked, 2, "Payment method", body)
}

pub(super) fn set(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    if let Some(elsewhere) = missing(visit, 2) {
        return elsewhere;
    }
    match asked.field("method") {
        "saved" => chosen(shop, visit, SAVED.to_owned()),
        "invoice" => chosen(shop, visit, INVOICE.to_owned()),
        _ => form(visit, asked, Some("Please choose a method.")).status(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

pub(super) fn card(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    missing(visit, 2).unwrap_or_else(|| card_form(visit, asked, None))
}

fn card_form(visit: &mut Visit, asked: &Asked, problem: Option<&str>) -> Answer {
    let body = html!(
        r#"{problem}<form method="post" action="/checkout/card" autocomplete="on">{token}<div class="fields"><div class="field whole"><label for="number">Card number</label><input id="number" name="number" inputmode="numeric" autocomplete="cc-number" maxlength="23"></div>
<div class="field"><label for="expiry">Expires (MM/YY)</label><input id="expiry" name="expiry" autocomplete="cc-exp" placeholder="MM/YY" maxlength="5"></div>
<div class="field"><label for="cvc">Security code</label><input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" maxlength="4"></div></div>
<p class="row"><button class="button">Use this card</button><a class="button quiet" href="/checkout/payment-method">Back</a></p><p class="small muted">Nothing is charged yet.</p></form>"#,
        problem = problem.map(|problem| html!(r#"<p class="problem" role="alert">{}</p>"#, problem)),
        token = token(asked),
    );
    step(visit, asked, 2, "Another card", body)
}

pub(super) fn set_card(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    if let Some(elsewhere) = missing(visit, 2) {
        return elsewhere;
    }
    let [number, expiry, cvc] = ["number", "expiry", "cvc"].map(|name| asked.field(name));
    match last_four(number, expiry, cvc, shop.options.today) {
        Ok(four) => chosen(shop, visit, format!("Card •••• {four}")),
        Err(problem) => card_form(visit, asked, Some(problem)).status(StatusCode::UNPROCESSABLE_ENTITY),
    }
}

fn chosen(shop: &mut Shop, visit: &mut Visit, payment: String) -> Answer {
    shop.note(visit, "payment-set", [("payment", payment.clone())]);
    visit.own.checkout.payment = Some(payment);
    Answer::go("/checkout/review")
}

/// The last four digits of a card that looks right: all that the shop keeps of it.
fn last_four(number: &str, expiry: &str, cvc: &str, today: Day) -> Result<String, &'static str> {
    let digits: Vec<u32> = number
        .chars()
        .filter(|sign| !matches!(sign, ' ' | '-'))
        .map_while(|sign| sign.to_digit(10))
        .collect();
    let doubled =
        |(at, digit): (usize, &u32)| if at % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit };
    let sum: u32 = digits.iter().rev().enumerate().map(doubled).sum();
    let whole = number.chars().all(|sign| sign.is_ascii_digit() || matches!(sign, ' ' | '-'));
    if !whole || !(13..=19).contains(&digits.len()) || !sum.is_multiple_of(10) {
        return Err("This card number is not right.");
    }
    let (year, month, _) = today.parts();
    let expires = expiry.split_once('/').and_then(|(month, year)| {
        Some((2_000 + year.trim().parse::<i32>().ok()?, month.trim().parse::<u8>().ok()?))
    });
    if !expires.is_some_and(|(own_year, own_month)| {
        (1..=12).contains(&own_month) && (own_year, own_month) >= (year, month)
    }) {
        return Err("This card has expired, or its date is not right.");
    }
    if !(3..=4).contains(&cvc.len()) || !cvc.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("The security code has three or four digits.");
    }
    Ok(digits[digits.len() - 4..].iter().map(ToString::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_card_that_looks_right_the_last_four_digits_are_kept() {
        let today = Day::default();
        assert_eq!(last_four("5555 5555 5555 4444", "11/26", "123", today), Ok("4444".into()));
        for (number, expiry, cvc) in [
            ("5555 5555 5555 4445", "11/26", "123"),
            ("5555 5555 5555 4444x", "11/26", "123"),
            ("", "11/26", "123"),
            ("5555 5555 5555 4444", "10/26", "123"),
            ("5555 5555 5555 4444", "13/30", "123"),
            ("5555 5555 5555 4444", "", "123"),
            ("5555 5555 5555 4444", "11/26", "12"),
            ("5555 5555 5555 4444", "11/26", "12a"),
        ] {
            assert!(last_four(number, expiry, cvc, today).is_err(), "{number} {expiry} {cvc}");
        }
    }
}
