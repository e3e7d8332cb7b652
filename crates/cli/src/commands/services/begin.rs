//! Begins the file of a service from the template. What is there is never overwritten.

use std::{
    fs::{DirBuilder, OpenOptions},
    io::{ErrorKind, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use clap::Args;
use legwork_runtime::services::template;
use legwork_types::{Code, Problem};
use serde::Serialize;

use crate::{
    config::services_folder,
    output::{Form, Output},
    plain::plain,
};

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The name of the service: small letters, digits and hyphens
    name: String,

    /// Where the file is made [default: NAME.toml in your folder of services]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &NewArgs, output: Output) -> Result<(), Problem> {
    #[derive(Serialize)]
    struct Made<'a> {
        file: &'a Path,
    }
    let text = template(&args.name)?;
    let file = match &args.out {
        Some(file) => file.clone(),
        None => own_file(&args.name)?,
    };
    write(&file, &text)?;
    if output.form == Form::Json {
        return output.json(&Made { file: &file });
    }
    let shown = plain(&file.display().to_string());
    output.line(&format!("{shown} was made. Change it, then see: legwork services check {shown}"))
}

/// The file in the user's folder, which is made where it is missing.
fn own_file(name: &str) -> Result<PathBuf, Problem> {
    let folder = services_folder().ok_or_else(|| {
        let hint = "say where the file is made by --out FILE, or set HOME";
        Problem::new(Code::OutputFailed, "there is no folder of services", hint)
    })?;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.map_err(|error| refused(&folder, &error.to_string()))?;
    Ok(folder.join(format!("{name}.toml")))
}

fn write(file: &Path, text: &str) -> Result<(), Problem> {
    // Whoever could write in it would say where errands may go.
    let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    let mut opened = opened.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            let message = format!("{} is there already", file.display());
            Problem::new(Code::OutputFailed, message, "choose another name, or remove it first")
        }
        _ => refused(file, &error.to_string()),
    })?;
    opened.write_all(text.as_bytes()).map_err(|error| refused(file, &error.to_string()))
}

fn refused(path: &Path, why: &str) -> Problem {
    let message = format!("{} could not be made", path.display());
    Problem::new(Code::OutputFailed, message, "choose another place by --out FILE").because(why)
}
