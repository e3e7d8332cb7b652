//! The options of the model that is asked. Keys come from the environment alone: a command line can be read by others.

use clap::Args;
use legwork_runtime::errands::{
    Attempts, Client, Model, Patience, Price, PriceSource, Prices, Runs, Wishes, choose, found,
};
use legwork_types::{Code, Problem};

use crate::config::FileRules;

/// Which model is asked.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArgs {
    /// The model: claude-… (ANTHROPIC_API_KEY), gpt-… (OPENAI_API_KEY), gemini-… (GEMINI_API_KEY), VENDOR/MODEL (OPENROUTER_API_KEY),
    /// or one of a local Ollama
    /// [env: LEGWORK_MODEL; default: claude-opus-4-6, or whatever a local Ollama has where no key is set]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// Where it is asked, if not at its vendor: http://127.0.0.1:8080/v1. Its key is in LEGWORK_API_KEY, and what is spoken there in
    /// LEGWORK_WIRE if it can't be told by the name: messages, chat, responses or gemini [env: LEGWORK_BASE_URL]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

/// Which model goes on where the first one can't be asked.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct FallbackArgs {
    /// The model that goes on with the errand where the first one can't be asked any more, from the same page and within the same
    /// limits. It is asked at the same server, unless it is of another vendor whose key is there [env: LEGWORK_FALLBACK_MODEL]
    #[arg(long, value_name = "NAME")]
    fallback_model: Option<String>,
}

/// A model, ready to be asked, and what it costs.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    pub(crate) client: Client,
    pub(crate) price: Price,
    pub(crate) source: PriceSource,
}

impl ModelArgs {
    /// The same where the file of rules holds too: options are stronger than variables, and variables than the file.
    pub(crate) async fn chosen(&self, file: &FileRules) -> Result<Chosen, Problem> {
        let model = found(choose(&self.wishes(file))?).await?;
        chosen(model, &Prices(file.model.prices.clone()))
    }

    /// The same for the demo: a model that was named has to be there, any other is a stand-in's to replace.
    pub(crate) async fn for_demo(&self, file: &FileRules) -> Result<Chosen, Problem> {
        let is_named = self.model.is_some() || self.base_url.is_some();
        let explained = |problem: Problem| match is_named {
            true => Problem { code: Code::Usage, ..problem },
            false => problem,
        };
        self.chosen(file).await.map_err(explained)
    }

    /// What the command line, the environment and the file say.
    pub(crate) fn wishes(&self, file: &FileRules) -> Wishes {
        self.wishes_beside(file, |name| std::env::var(name).ok())
    }

    fn wishes_beside(&self, file: &FileRules, read: impl Fn(&str) -> Option<String>) -> Wishes {
        let variables = Wishes::of_environment(read);
        let base_url = self.base_url.clone().or(variables.base_url).or(file.model.base_url.clone());
        let model = self.model.clone().or(variables.model).or(file.model.name.clone());
        Wishes { model, base_url, ..variables }
    }
}

impl FallbackArgs {
    /// The model that goes on in the place of the first; none where none is named, or the same.
    pub(crate) async fn chosen(
        &self,
        first: &ModelArgs,
        file: &FileRules,
        instead_of: &Chosen,
    ) -> Result<Option<Chosen>, Problem> {
        let variable = std::env::var("LEGWORK_FALLBACK_MODEL").ok();
        let Some(name) = self.name(file, variable) else { return Ok(None) };
        let refused = |problem: Problem| Problem {
            message: format!("of the fallback model: {}", problem.message),
            hint: problem.hint.replace("--model", "--fallback-model"),
            ..problem
        };
        let model = found(choose(&first.wishes(file).for_fallback(&name)).map_err(refused)?)
            .await
            .map_err(refused)?;
        let is_another = model != *instead_of.client.model();
        is_another.then(|| chosen(model, &Prices(file.model.prices.clone()))).transpose()
    }

    fn name(&self, file: &FileRules, variable: Option<String>) -> Option<String> {
        let variable = variable.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        self.fallback_model.clone().or(variable).or(file.model.fallback.clone())
    }
}

/// A client for this model.
pub(crate) fn chosen(model: Model, prices: &Prices) -> Result<Chosen, Problem> {
    let (price, source) = prices.of(&model.name, model.runs);
    let patience = match model.runs {
        Runs::Here => Patience::LOCAL,
        Runs::Elsewhere => Patience::USUAL,
    };
    let client = Client::new(model, patience, Attempts::default()).map_err(|error| {
        let hint = "check --base-url and the key";
        Problem::new(Code::ModelNotConfigured, "the model can't be asked", hint).because(error.to_string())
    })?;
    Ok(Chosen { client, price, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_stronger_than_variables_and_variables_than_the_file() {
        let mut file = FileRules::default();
        file.model.name = Some("of-file".into());
        let none = ModelArgs::default();
        let given = ModelArgs { model: Some("of-option".into()), base_url: None };
        let variables = |name: &str| (name == "LEGWORK_MODEL").then(|| "of-variable".to_owned());
        let model =
            |args: &ModelArgs, read: &dyn Fn(&str) -> Option<String>| args.wishes_beside(&file, read).model;
        assert_eq!(model(&none, &|_| None).as_deref(), Some("of-file"));
        assert_eq!(model(&none, &variables).as_deref(), Some("of-variable"));
        assert_eq!(model(&given, &variables).as_deref(), Some("of-option"));
        file.model.fallback = Some("second-of-file".into());
        let of_option = FallbackArgs { fallback_model: Some("second-of-option".into()) };
        for (args, variable, name) in [
            (&FallbackArgs::default(), None, "second-of-file"),
            (&FallbackArgs::default(), Some(" "), "second-of-file"),
            (&FallbackArgs::default(), Some("second-of-variable"), "second-of-variable"),
            (&of_option, Some("second-of-variable"), "second-of-option"),
        ] {
            assert_eq!(args.name(&file, variable.map(str::to_owned)).as_deref(), Some(name));
        }
    }
}
