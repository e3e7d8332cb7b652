//! Filling in forms in one call: in order, each field in its own way, and up to the first that can't be filled in.

use legwork_types::{
    Problem,
    contract::{FieldValue, FormFill},
};

use super::{fields_kit::*, *};

async fn fill_form(stage: &Stage, fields: &[(&str, &str)]) -> (Result<Done, NotDone>, Vec<ActionId>) {
    let looked = looked(stage).await;
    let numbers: Vec<ActionId> = fields.iter().map(|(name, _)| looked.number(name)).collect();
    let fills = fields.iter().zip(&numbers).map(|((_, value), action_id)| FormFill {
        action_id: *action_id,
        value: FieldValue::Text((*value).to_owned()),
    });
    let permit = looked.permit_with(Intent::FillForm(fills.collect()), &[], None);
    (stage.context.act(permit, &looked.aims(), &soon()).await, numbers)
}

#[tokio::test]
async fn fields_of_every_kind_are_filled_in_and_told() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    let fields = [
        ("Name", "Ada"),
        ("Count", "3"),
        ("Rich", "words"),
        ("Field in far", "new"),
        ("List in far", "Two"),
        ("Box in far", "true"),
        ("Day in far", "2026-11-06"),
        ("List in open", "Three"),
        ("Box in open", "false"),
    ];
    let (outcome, numbers) = fill_form(&stage, &fields).await;
    let done = outcome.expect("all of it");
    assert!(done.receipt.dispatched);
    let changed: Vec<ActionId> = [0, 2, 3, 4, 5, 6, 7].map(|place: usize| numbers[place]).into();
    assert_eq!(done.receipt.effects.fields_changed, changed, "those that held it already are not among them");
    assert_eq!(held(&tab, "name").await, "Ada");
    let far = told(&tab, "field_inner.html?far", &["change"]).await;
    assert_eq!(far, ["change:field=new", "change:list=Two", "change:box=true", "change:day=2026-11-06"]);
    stage.end().await;
}

#[tokio::test]
async fn it_ends_at_the_first_field_that_can_t_be_filled_in() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    let fields = [("Name", "Ada"), ("List in open", "Nine"), ("Phone", "1")];
    let (outcome, numbers) = fill_form(&stage, &fields).await;
    let not = outcome.unwrap_err();
    assert!(matches!(&not.why, Blocked::InField { action, .. } if *action == numbers[1]), "{not:?}");
    let problem = Problem::from(&not.why);
    assert!(problem.message.contains(&format!("field {}", numbers[1])), "{problem}");
    assert_eq!(not.receipt.effects.fields_changed, numbers[..1]);
    assert!(not.receipt.dispatched && not.permit.is_none());
    assert_eq!(held(&tab, "phone").await, "");
    let (outcome, _) = fill_form(&stage, &[("Box in open", "yes")]).await;
    let not = outcome.unwrap_err();
    assert!(Problem::from(&not.why).message.contains("true or false") && not.permit.is_some(), "{not:?}");
    stage.end().await;
}

#[tokio::test]
async fn comboboxes_are_chosen_from_or_written_in() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_comboboxes.html").await;
    let (outcome, numbers) = fill_form(&stage, &[("Plain", "Beta"), ("Filter", "Bonn")]).await;
    let done = outcome.expect("all of it");
    assert_eq!(done.receipt.effects.fields_changed, numbers);
    assert_eq!(value(&tab, "document.getElementById('plain').textContent").await, "Beta");
    assert_eq!(value(&tab, "document.getElementById('filter').dataset.chosen").await, "Bonn");
    let (outcome, _) = fill_form(&stage, &[("Filter", "Nowhere")]).await;
    outcome.expect("it can be written in");
    assert_eq!(held(&tab, "filter").await, "Nowhere");
    stage.end().await;
}
