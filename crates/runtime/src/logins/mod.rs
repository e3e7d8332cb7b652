//! Saved logins: sessions begin with what is saved under a name, and what is there when they end is saved again. Only what belongs to
//! the origins of the name is taken along, sealed, and nothing of it is told to anybody.

mod folder;
mod key;
mod session;
mod spec;

use std::{
    fmt, io,
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use legwork_policy::{
    logins::{Label, NotOpened, SavedState, label_of, merged, open, seal},
    places::Reach,
    secrets::bound_to,
};
use legwork_types::{Code, Problem};

use self::{folder::Shelf, key::Key};
pub(crate) use session::Begun;
pub use spec::{LoginKey, LoginSpec, LoginSpecError};

/// The logins that sessions begin with.
#[derive(Default)]
pub struct Logins {
    bound: Vec<Bound>,
    /// Where they are kept; none where there are none.
    kept: Option<Kept>,
}

struct Kept {
    shelf: Shelf,
    key: Key,
}

/// A name, and the origins whose cookies and storage are kept under it.
#[derive(Debug, Clone)]
struct Bound {
    name: String,
    origins: Vec<String>,
}

/// What is known of a saved login without opening it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedLogin {
    /// Its name.
    pub name: String,
    /// Its origins, and when it was saved in milliseconds of the epoch; why that can't be told otherwise.
    pub label: Result<(Vec<String>, u64), NotOpened>,
}

impl Logins {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bound.is_empty()
    }

    /// Reads all that is saved under these names in the usual folder, so that whatever can't be opened is found before anybody is
    /// served.
    pub async fn load(specs: &[LoginSpec], key: Option<&LoginKey>, reach: &Reach) -> Result<Self, Problem> {
        if specs.is_empty() {
            return Ok(Self::default());
        }
        Self::load_in(data_folder()?, specs, key, reach).await
    }

    /// The same in this folder.
    pub async fn load_in(
        folder: PathBuf,
        specs: &[LoginSpec],
        key: Option<&LoginKey>,
        reach: &Reach,
    ) -> Result<Self, Problem> {
        let mut bound: Vec<Bound> = Vec::with_capacity(specs.len());
        for spec in specs {
            let refused = |why: String| {
                let hint = "see docs/secrets.md for how logins are written";
                Problem::new(Code::Usage, format!("the login {:?} can't be used", spec.name), hint)
                    .because(why)
            };
            let mut origins = Vec::with_capacity(spec.origins.len());
            for origin in &spec.origins {
                let origin = bound_to(origin, reach).map_err(|why| refused(format!("{origin}: {why}")))?;
                let known = bound.iter().flat_map(|other| &other.origins).chain(&origins);
                if known.into_iter().any(|other| other == origin.as_str()) {
                    return Err(refused(format!("{} belongs to a login already", origin.as_str())));
                }
                origins.push(origin.as_str().to_owned());
            }
            if bound.iter().any(|other| other.name == spec.name) {
                return Err(refused("there are two logins of this name".to_owned()));
            }
            bound.push(Bound { name: spec.name.clone(), origins });
        }
        let shelf = Shelf::at(folder);
        let key = Key::load(key, &shelf).await?;
        let logins = Self { bound, kept: Some(Kept { shelf, key }) };
        for login in &logins.bound {
            logins.read(login)?;
        }
        Ok(logins)
    }

    /// What is saved under a name for its origins; none if nothing is saved under it.
    fn read(&self, login: &Bound) -> Result<Option<SavedState>, Problem> {
        let opened = self.open(login)?;
        Ok(opened.map(|(_, state)| state.of_origins(&login.origins, now())))
    }

    /// All that is saved under a name, and the origins that it was saved for.
    fn open(&self, login: &Bound) -> Result<Option<(Vec<String>, SavedState)>, Problem> {
        let Some(kept) = &self.kept else { return Ok(None) };
        let file = kept.shelf.read(&login.name).map_err(|error| unreadable(&login.name, &error))?;
        let Some(file) = file else { return Ok(None) };
        let unopened = |why: NotOpened| unreadable(&login.name, &why);
        let (_, kind, salt) = label_of(&file).map_err(unopened)?;
        let key = kept.key.for_file(kind, salt, &kept.shelf).map_err(unopened)?;
        let (label, state) = open(&file, &login.name, &key).map_err(unopened)?;
        Ok(Some((label.origins, state)))
    }

    /// Saves what a session changed. Whatever can't be opened is left as it is, and so is what belongs to origins that were not
    /// given this time.
    fn write(&self, login: &Bound, begun: Option<&SavedState>, ended: &SavedState) -> Result<(), Problem> {
        let Some(kept) = &self.kept else { return Ok(()) };
        let unwritten = |error: io::Error| unwritten(&login.name, &error);
        let _alone = kept.shelf.lock().map_err(unwritten)?;
        let saved = self.open(login)?;
        if begun.is_some() && saved.is_none() {
            // Somebody forgot it while the session went on.
            return Ok(());
        }
        let (saved_origins, saved) = saved.unwrap_or_default();
        let nothing = SavedState::default();
        let by_now = saved.of_origins(&login.origins, now());
        let ended = ended.of_origins(&login.origins, now());
        let Some(state) = merged(&by_now, begun.unwrap_or(&nothing), &ended) else { return Ok(()) };
        let state = state.with(saved.of_others(&login.origins, now()));
        let further = saved_origins.into_iter().filter(|origin| !login.origins.contains(origin));
        let origins = login.origins.iter().cloned().chain(further).collect();
        let label = Label { name: login.name.clone(), origins, saved: millis() };
        let key = kept.key.to_seal(&kept.shelf).map_err(unwritten)?;
        let nonce = key::random().map_err(unwritten)?;
        let file = seal(&label, &state, &key, nonce).ok_or_else(|| {
            unwritten(io::Error::new(io::ErrorKind::FileTooLarge, "it is too large to be kept"))
        })?;
        kept.shelf.write(&login.name, &file).map_err(unwritten)?;
        tracing::info!(login = login.name, "a login was saved");
        Ok(())
    }
}

impl fmt::Debug for Logins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.bound.iter().map(|login| login.name.as_str()).collect();
        f.debug_struct("Logins").field("names", &names).finish_non_exhaustive()
    }
}

/// The logins that are saved, by their names.
pub fn saved_logins() -> Result<Vec<SavedLogin>, Problem> {
    let shelf = Shelf::at(data_folder()?);
    let unlisted = |error: io::Error| {
        Problem::new(
            Code::LoginUnreadable,
            "saved logins can't be listed",
            "see whether the folder is yours alone",
        )
        .because(error.to_string())
    };
    let names = shelf.names().map_err(unlisted)?;
    let label = |name: &String| match shelf.read(name) {
        Ok(Some(file)) => label_of(&file).map(|(label, ..)| (label.origins, label.saved)),
        Ok(None) | Err(_) => Err(NotOpened::Broken),
    };
    Ok(names.into_iter().map(|name| SavedLogin { label: label(&name), name }).collect())
}

/// Removes what is saved under a name.
pub fn forget_login(name: &str) -> Result<(), Problem> {
    let shelf = Shelf::at(data_folder()?);
    let gone = if spec::is_name(name) { shelf.remove(name) } else { Ok(false) };
    match gone {
        Ok(true) => Ok(()),
        Ok(false) => Err(Problem::new(
            Code::LoginNotFound,
            "no login is saved under this name",
            "see which there are with `legwork logins`",
        )),
        Err(error) => Err(unwritten(name, &error)),
    }
}

fn unreadable(name: &str, why: &dyn fmt::Display) -> Problem {
    let hint = format!(
        "give the key that it was saved with, or remove it by `legwork logins forget {name}` and log in again"
    );
    Problem::new(Code::LoginUnreadable, format!("the saved login {name:?} can't be opened"), hint)
        .because(why.to_string())
}

fn unwritten(name: &str, error: &io::Error) -> Problem {
    let hint = "see whether the folder of saved logins is yours and has room";
    Problem::new(Code::OutputFailed, format!("the login {name:?} could not be saved"), hint)
        .because(error.to_string())
}

/// Where programs of this user keep what they need.
fn data_folder() -> Result<PathBuf, Problem> {
    let named =
        |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let place = named("XDG_DATA_HOME").or_else(|| named("HOME").map(|home| home.join(".local/share")));
    place.map(|place| place.join("legwork/logins")).ok_or_else(|| {
        Problem::new(Code::Usage, "there is no folder for saved logins", "set HOME or XDG_DATA_HOME")
    })
}

fn millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Seconds of the epoch.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

#[cfg(test)]
mod tests;
