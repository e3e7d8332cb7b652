//! `legwork cancel`, `legwork reorder` and `legwork services run`: does what a service is for.

use std::path::PathBuf;

use clap::Args;
use legwork_runtime::{
    errands::Spec,
    services::{Given, Service, confines, spec_of},
};
use legwork_types::{Code, PageUrl, Problem};

use super::named;
use crate::{errand_args::ErrandArgs, output::Output, signals::Calls};

/// Verbs that are commands of their own.
const VERBS: [&str; 2] = ["cancel", "reorder"];

#[derive(Debug, Args)]
pub(crate) struct ServiceErrandArgs {
    /// The name of the service
    #[arg(value_name = "NAME", required_unless_present = "service_file", conflicts_with = "service_file")]
    name: Option<String>,

    /// The file that describes it, instead of a name
    #[arg(long, value_name = "FILE")]
    service_file: Option<PathBuf>,

    /// Where the service is instead: what its file says of the host of its start is then so of this one
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    #[command(flatten)]
    errand: ErrandArgs,
}

/// Does what a service is for, if that is what the verb says.
pub(crate) async fn run(
    args: &ServiceErrandArgs,
    verb: Option<&str>,
    calls: &Calls,
    output: Output,
) -> Result<u8, Problem> {
    let service = named(args.service_file.as_deref(), args.name.as_deref())?;
    if let Some(verb) = verb.filter(|verb| *verb != service.verb) {
        let message = format!("{} is not for that: it is there to {}", service.name, service.verb);
        let hint = format!("write `{}`", command_of(&service));
        return Err(Problem::new(Code::Usage, message, hint).because(format!("the verb was {verb}")));
    }
    let start = args.url.as_deref().map(PageUrl::parse).transpose();
    let start = start.map_err(|refusal| Problem::from(&refusal))?;
    let data = args.errand.data();
    if let Some(unknown) = data.keys().find(|name| !service.data.contains_key(*name)) {
        let known: Vec<&str> = service.data.keys().map(String::as_str).collect();
        let message = format!("{} asks for nothing that is called {unknown:?}", service.name);
        let hint = format!("see `legwork services show {}`", service.name);
        return Err(
            Problem::new(Code::Usage, message, hint).because(format!("it asks for: {}", known.join(", ")))
        );
    }
    let (spec, rules) = spec_of(&service, &Given { data, start })?;
    let confines = confines(&rules.domains)?;
    let limits = args.errand.limits(spec.limits);
    let spec = Spec { limits, vision: args.errand.vision(), service: Some(rules), ..spec };
    args.errand.carry_out(spec, Some(confines), calls, output).await
}

/// The command that does what a service is for.
pub(super) fn command_of(service: &Service) -> String {
    let Service { name, verb, .. } = service;
    match VERBS.contains(&verb.as_str()) {
        true => format!("legwork {verb} {name}"),
        false => format!("legwork services run {name}"),
    }
}
