//! Which services there are: those that come with the program, and those of the user's folder.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

use legwork_types::{Code, Problem};

use super::{
    read::{is_name, read},
    service::Service,
};
use crate::{
    slips::nearest,
    trusted::{Distrust, trusted_text},
};

/// The services that come with the program, by name.
const BUNDLED: &[(&str, &str)] = &[
    ("coffee", include_str!("../../services/coffee.toml")),
    ("netflix", include_str!("../../services/netflix.toml")),
];
const TEMPLATE: &str = include_str!("../../services/template.toml");
/// The name that stands in the template.
const TEMPLATE_NAME: &str = "name = \"my-service\"";
/// The most files of a folder.
const MOST: usize = 500;

/// Where a service is described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// It comes with the program.
    Bundled,
    /// In this file.
    File(PathBuf),
}

/// One service, or why its file can't be used.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// Where it is described.
    pub source: Source,
    /// The service.
    pub service: Result<Service, Problem>,
}

/// All services that there are.
#[derive(Debug, Clone)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// Those that come with the program, and those of a folder if it is there. A file that can't be used keeps its name, and nothing
    /// else of that name is used in its place.
    pub fn load(folder: Option<&Path>) -> Result<Self, Problem> {
        let bundled = BUNDLED.iter().map(|(name, text)| Entry {
            name: (*name).to_owned(),
            source: Source::Bundled,
            service: read(text, &format!("{name}.toml")),
        });
        let mut entries: Vec<Entry> = bundled.collect();
        for path in folder.map(files).transpose()?.unwrap_or_default() {
            let entry = of_folder(path);
            match entries.iter_mut().find(|other| other.name == entry.name) {
                // Which one was meant is not guessed.
                Some(other) => *other = Entry { service: Err(twice(&entry)), ..entry },
                None => entries.push(entry),
            }
        }
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self { entries })
    }

    /// The one service of a file that the user names.
    pub fn of_file(path: &Path) -> Result<Self, Problem> {
        let service = read_file(path)?;
        let source = Source::File(path.to_owned());
        Ok(Self { entries: vec![Entry { name: service.name.clone(), source, service: Ok(service) }] })
    }

    /// All of them, by name.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The service of this name.
    pub fn get(&self, name: &str) -> Result<&Service, Problem> {
        match self.entries.iter().find(|entry| entry.name == name) {
            Some(entry) => entry.service.as_ref().map_err(Problem::clone),
            None => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &str) -> Problem {
        let names: Vec<&str> = self.entries.iter().map(|entry| entry.name.as_str()).collect();
        let shown: String = name.chars().take(60).collect();
        let hint = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => "see `legwork services list`, or begin one by `legwork services new NAME`".to_owned(),
        };
        let problem = Problem::new(Code::ServiceUnknown, format!("there is no service {shown:?}"), hint);
        problem.because(format!("there are: {}", names.join(", ")))
    }
}

/// The text of a new file for a service of this name.
pub fn template(name: &str) -> Result<String, Problem> {
    if !is_name(name) {
        let hint = "write small letters, digits and hyphens, such as my-gym";
        return Err(Problem::new(Code::Usage, format!("{name:?} is no name of a service"), hint));
    }
    if BUNDLED.iter().any(|(own, _)| *own == name) {
        let hint = format!("call it otherwise, for example my-{name}");
        return Err(Problem::new(Code::Usage, format!("{name} comes with the program"), hint));
    }
    Ok(TEMPLATE.replacen(TEMPLATE_NAME, &format!("name = {name:?}"), 1))
}

/// The files of a folder, by name. A folder that is not there has none.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let unreadable = |error: std::io::Error| {
        let message = format!("the services in {} can't be read", folder.display());
        Problem::new(Code::ServiceInvalid, message, "let this user read the folder")
            .because(error.to_string())
    };
    let found = match folder.read_dir() {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
        Err(error) => return Err(unreadable(error)),
    };
    let mut files = Vec::new();
    for entry in found {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|end| end == "toml") {
            files.push(path);
        }
    }
    if files.len() > MOST {
        let message = format!("the services in {} can't be read", folder.display());
        let problem = Problem::new(Code::ServiceInvalid, message, "keep others elsewhere");
        return Err(problem.because(format!("there are more than {MOST}")));
    }
    files.sort();
    Ok(files)
}

/// In the folder a file is called like its service, so that one that can't be used has a name all the same.
fn of_folder(path: PathBuf) -> Entry {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let service = read_file(&path).and_then(|service| match service.name == name {
        true => Ok(service),
        false => {
            let message = format!("{} describes {}, and is not called so", path.display(), service.name);
            let hint = format!("call the file {}.toml, or write name = {name:?} in it", service.name);
            Err(Problem::new(Code::ServiceInvalid, message, hint))
        }
    });
    Entry { name, source: Source::File(path), service }
}

fn read_file(path: &Path) -> Result<Service, Problem> {
    let shown = path.display().to_string();
    let text = trusted_text(path).map_err(|Distrust { why, hint }| {
        Problem::new(Code::ServiceInvalid, format!("{shown} can't be read"), hint).because(why)
    })?;
    read(&text, &shown)
}

fn twice(entry: &Entry) -> Problem {
    let Entry { name, source, .. } = entry;
    let shown = match source {
        Source::Bundled => name.clone(),
        Source::File(path) => path.display().to_string(),
    };
    let message = format!("{shown}: there is a service {name} already");
    let hint = format!(
        "call yours otherwise, for example my-{name}; --service-file uses a file whatever it is called"
    );
    Problem::new(Code::ServiceInvalid, message, hint).because("it comes with the program")
}
