//! Brains for errands on the bundled sites. Where they log in they use the secret `password`.

use super::Brain;

const LOGIN: [&str; 3] = [
    r#"fill textbox "E-mail address" with "demo@example.test""#,
    r#"secret textbox "Password" with "password""#,
    r#"click button "Log in""#,
];

const CHECKOUT: [&str; 3] = [
    r#"click button "Continue to delivery""#,
    r#"click button "Continue to payment""#,
    r#"click button "Continue to review""#,
];

const NO_COOKIES: &str = r#"? click button "Only necessary""#;
const GO_TO_CHECKOUT: &str = r#"click link "Go to checkout""#;
const PLACE: &str = r#"click button "Place order""#;

/// Orders a kilogram of coffee in the shop, whichever way it is paid for.
pub fn coffee() -> Brain {
    let choice = [
        NO_COOKIES,
        r#"click link "See all coffee""#,
        r#"click link "Harbour Light""#,
        r#"choose combobox "Bag" with "1 kg, €26.40""#,
        r#"click button "Add to basket""#,
        r#"click link "See your basket""#,
        GO_TO_CHECKOUT,
    ];
    let last = [
        r#"submit for approval "One bag of Harbour Light, 1 kg, whole bean, by standard delivery" "€31.30""#,
        PLACE,
    ];
    Brain {
        goal: "Order one kilogram of Harbour Light, whole bean.".into(),
        begins: "/".into(),
        plan: "Find Harbour Light and put a bag of 1 kg into the basket. Go to the checkout and log in. Keep the address, the delivery \
               and the payment that are offered. Place the order."
            .into(),
        success_criteria: "The shop thanks for the order and gives its number.".into(),
        action_items: texts(&["Put 1 kg into basket", "Log in at the checkout", "Review and place the order"]),
        steps: texts(&[&choice[..], &LOGIN, &CHECKOUT, &last].concat()),
        shows: texts(&["Thank you"]),
        checks: texts(&[&[NO_COOKIES, r#"click link "Log in""#][..], &LOGIN, &[r#"? click link "Account""#, r#"click link "Orders""#]].concat()),
        checked: texts(&["Your orders", "€31.30"]),
        says: "One kilogram of Harbour Light is ordered for €31.30 with delivery.".into(),
        ..Brain::default()
    }
}

/// Fills the earliest empty slot of subscription 596215 in the shop, and says before the order what it is and what it costs.
pub fn instalment() -> Brain {
    let slot = [
        r#"click link "Silver Oak Cafe Blend 24×1 kg""#,
        r#"click link "Edit instalments""#,
        r#"click radio "Instalment 5, 28 November 2026, empty""#,
        r#"click button "Prepare reorder""#,
        GO_TO_CHECKOUT,
    ];
    let last = [
        r#"submit for approval "Reorder for subscription #596215, 24×1 kg of Silver Oak Cafe Blend, ships on 28 November 2026" "€349.44""#,
        PLACE,
    ];
    Brain {
        goal: "Order me coffee: fill the earliest empty slot of subscription 596215.".into(),
        begins: "/account/subscriptions".into(),
        plan: "Open the subscriptions and log in. Open subscription 596215 and edit its instalments. Choose the empty slot with the \
               earliest date and prepare the reorder. Go through the checkout, say what will be ordered, and place the order."
            .into(),
        success_criteria: "The shop thanks for an order of that slot and names its date and amount.".into(),
        action_items: texts(&[
            "Open subscription 596215",
            "Choose the earliest empty slot",
            "Prepare the reorder",
            "Submit for approval, place order",
        ]),
        steps: texts(&[&[NO_COOKIES][..], &LOGIN, &slot, &CHECKOUT, &last].concat()),
        shows: texts(&["Thank you", "28 November 2026", "€349.44"]),
        says: "The instalment of 28 November 2026 is ordered for €349.44.".into(),
        ..Brain::default()
    }
}

/// Cancels the membership at the streaming service, past its offer and its survey.
pub fn cancellation() -> Brain {
    let way_out = [
        r#"click link "Account""#,
        r#"click link "Cancel membership""#,
        r#"click link "Continue to cancel""#,
        r#"check radio "I do not watch enough""#,
        r#"click button "Continue""#,
        r#"submit for approval "Cancel the Standard membership; it ends on 29 November 2026""#,
        r#"click button "Finish cancellation""#,
    ];
    Brain {
        goal: "Cancel my membership.".into(),
        begins: "/".into(),
        plan: "Log in and open the account. Cancel the membership, decline the offer, say that it is not watched enough, and finish."
            .into(),
        success_criteria: "The service says that the membership is cancelled.".into(),
        action_items: texts(&["Log in", "Decline the offer", "Answer the survey", "Finish the cancellation"]),
        steps: texts(&[&[r#"click link "Log in""#][..], &LOGIN, &way_out].concat()),
        shows: texts(&["Your membership is cancelled"]),
        says: "The membership is cancelled and ends on 29 November 2026.".into(),
        ..Brain::default()
    }
}

/// The same where there are no secrets: what the user gave is typed. Whatever may have been done in a browser that is gone is looked for
/// in the account.
pub fn cancellation_without_secrets(password: &str) -> Brain {
    let Brain { steps, .. } = cancellation();
    let typed = format!(r#"fill textbox "Password" with "{password}""#);
    let steps: Vec<String> = steps
        .into_iter()
        .map(|step| if step.starts_with("secret ") { typed.clone() } else { step })
        .collect();
    let log_in = steps.get(..4).unwrap_or_default().iter().map(|step| format!("? {step}"));
    Brain {
        goal: "End my membership.".into(),
        checks: log_in.chain([r#"click link "Account""#.to_owned()]).collect(),
        checked: texts(&["Your membership ends on"]),
        steps,
        ..cancellation()
    }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
