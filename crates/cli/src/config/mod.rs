//! `legwork.toml`: the operator's rules in a file. A file that is there is understood as a whole, or nothing is started: no slip in
//! it may be taken for "no rules".

mod examples;
mod file;
mod refusal;
mod shape;
mod written;

use std::path::PathBuf;

use clap::Args;
use legwork_types::Problem;

use self::examples::Examples;
pub(crate) use self::shape::FileRules;

/// Which file of rules.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct ConfigArgs {
    /// The file with your rules [env: LEGWORK_CONFIG; default: legwork/legwork.toml in $XDG_CONFIG_HOME or ~/.config]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,

    /// Do without a file of rules
    #[arg(long)]
    no_config: bool,
}

/// The rules of the file, and which file that is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Loaded {
    /// None where there is no file: the defaults hold.
    pub(crate) file: Option<PathBuf>,
    pub(crate) rules: FileRules,
}

impl ConfigArgs {
    /// The same as if this file had been named.
    pub(crate) fn naming(file: PathBuf) -> Self {
        Self { config: Some(file), no_config: false }
    }

    /// Reads the file that counts, and has its examples judged.
    pub(crate) fn load(&self) -> Result<Loaded, Problem> {
        let choice = if self.no_config {
            file::Choice::None
        } else {
            file::choose(self.config.as_deref(), |name| std::env::var_os(name))?
        };
        let Some((path, text)) = file::read(choice)? else { return Ok(Loaded::default()) };
        let rules = read(&text, &path.display().to_string())?;
        Ok(Loaded { file: Some(path), rules })
    }
}

/// The folder of the user's services, whether it is there or not.
pub(crate) fn services_folder() -> Option<PathBuf> {
    file::settings(|name| std::env::var_os(name)).map(|settings| settings.join("services"))
}

/// The rules that a text holds, if it can be understood as a whole and its own examples come out as written.
fn read(text: &str, shown: &str) -> Result<FileRules, Problem> {
    let document = toml::Deserializer::parse(text).map_err(|error| refusal::syntax(&error, text, shown))?;
    let mut rules: FileRules = serde_path_to_error::deserialize(document)
        .map_err(|error| refusal::meaning(error.path(), error.inner(), text, shown))?;
    rules.examples = Examples::of(&rules, text, shown);
    rules.examples.check(&rules)?;
    Ok(rules)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
mod tests;
