//! Finding a local Ollama.

use std::time::Duration;

use legwork_types::Problem;
use serde::Deserialize;
use url::Url;

use crate::{
    choice::{Choice, Model, Wire, is_loopback},
    client::http_client,
    price::Runs,
};

/// Whoever is there answers at once.
const ANSWER: Duration = Duration::from_secs(2);

#[derive(Deserialize)]
struct Tags {
    #[serde(default)]
    models: Vec<Tag>,
}

#[derive(Deserialize)]
struct Tag {
    name: String,
    #[serde(default)]
    details: Details,
}

#[derive(Deserialize, Default)]
struct Details {
    #[serde(default)]
    family: String,
}

impl Tag {
    /// Whether it turns texts into numbers and can't be asked anything.
    fn only_embeds(&self) -> bool {
        self.name.contains("embed") || self.details.family.ends_with("bert")
    }
}

/// The model of a choice: where it depends on a local Ollama, that is asked what it has.
pub async fn found(choice: Choice) -> Result<Model, Problem> {
    let (base, wished, otherwise) = match choice {
        Choice::Model(model) => return Ok(model),
        Choice::AskOllama { base, model, otherwise } => (base, model, otherwise),
    };
    let tags = tokio::time::timeout(ANSWER, tags(&base)).await;
    let models = tags.ok().flatten().map(|tags| tags.models).unwrap_or_default();
    let has = |name: &str, wished: &str| name == wished || name.strip_suffix(":latest") == Some(wished);
    let chosen = models.into_iter().find(|tag| match &wished {
        Some(wished) => has(&tag.name, wished),
        None => !tag.only_embeds(),
    });
    match (chosen, base.join("v1/")) {
        (Some(Tag { name, .. }), Ok(v1)) => {
            let runs = if is_loopback(&base) { Runs::Here } else { Runs::Elsewhere };
            Ok(Model { name, wire: Wire::OpenAi, base: v1, key: None, runs })
        }
        _ => Err(*otherwise),
    }
}

async fn tags(base: &Url) -> Option<Tags> {
    let client = http_client(ANSWER, base).ok()?;
    let response = client.get(base.join("api/tags").ok()?).send().await.ok()?;
    serde_json::from_slice(&response.bytes().await.ok()?).ok()
}
