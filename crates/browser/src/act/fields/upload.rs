//! Giving files to a page: to the field itself, or through the chooser that a press opens. The browser sees no other paths than
//! the permit's.

use std::{path::PathBuf, time::Duration};

use legwork_cdp::{
    Limit, SessionId, Signal,
    protocol::{dom, page},
};
use legwork_types::Click;

use super::{Kind, Subject, ask_field, not_applicable};
use crate::{
    BrowserError,
    act::{
        Blocked, Did, Miss,
        grip::{Grip, Needs},
        pointer,
    },
    tab::Tab,
};

const WHAT: &str = "giving files to the page";
/// How long a page may take from the press to its chooser.
const PATIENCE: Duration = Duration::from_secs(5);

/// Gives files to an element.
pub(super) async fn upload(subject: &Subject<'_>, files: Vec<PathBuf>) -> Result<Did, Miss> {
    let Some(files) = paths(files) else {
        return Err(
            not_applicable("a path that is not written in Unicode can't be given to the browser").into()
        );
    };
    if files.is_empty() {
        return Err(not_applicable("there is no file to give").into());
    }
    let grip = subject.take(Needs::Presence).await?;
    let field = ask_field(&grip).await?;
    match field.kind {
        Kind::File if field.is_off => Err(Blocked::Disabled.into()),
        Kind::File if files.len() > 1 && !field.is_multiple => Err(only_one().into()),
        Kind::File => give_to_field(&grip, &files).await,
        _ => give_to_chooser(subject, &files).await,
    }
}

fn paths(files: Vec<PathBuf>) -> Option<Vec<String>> {
    files.into_iter().map(|file| file.into_os_string().into_string().ok()).collect()
}

fn only_one() -> Blocked {
    not_applicable("only one file can be given here")
}

async fn give_to_field(grip: &Grip<'_>, files: &[String]) -> Result<Did, Miss> {
    let (epoch, index) = (&grip.epoch, grip.element.index);
    let handle = grip.eye.handle(&format!("legwork.fieldHeld('{epoch}', {index})")).await;
    let handle = handle.map_err(crate::act::grip::or_gone)?.ok_or(Blocked::Gone)?;
    let set = dom::SetFileInputFiles { files, object_id: Some(&handle), backend_node_id: None };
    let given = grip.eye.call(&set).await;
    pointer::settled(given.map(drop))?;
    Ok(Did::Sent)
}

/// The chooser as the browser tells of it.
#[derive(Debug)]
struct Chooser {
    session: SessionId,
    opened: page::FileChooserOpened,
}

async fn give_to_chooser(subject: &Subject<'_>, files: &[String]) -> Result<Did, Miss> {
    let Subject { tab, limit, .. } = *subject;
    let mut news = tab.link.subscribe(&[page::FILE_CHOOSER_OPENED]);
    let waiting = Interception::begin(tab, limit).await?;
    subject.press(&Click::default()).await?;
    let chooser = async {
        while let Some(signal) = news.next().await {
            if let Signal::Event(event) = signal
                && let Some(session) =
                    event.session.clone().filter(|session| waiting.sessions.contains(session))
            {
                return event
                    .read::<page::FileChooserOpened>()
                    .map(|opened| Chooser { session, opened })
                    .ok();
            }
        }
        None
    };
    let patience = limit.at_most(PATIENCE);
    let opened = tokio::select! {
        biased;
        chooser = patience.run(chooser) => chooser.ok().flatten(),
        obstacle = tab.interrupted() => return Err(Miss::During(obstacle.into())),
    };
    drop(waiting);
    let Some(Chooser { session, opened }) = opened else {
        return Err(Miss::During(not_applicable("it was pressed, and the page asked for no file")));
    };
    if files.len() > 1 && opened.mode != "selectMultiple" {
        return Err(Miss::During(only_one()));
    }
    let Some(backend_node_id) = opened.backend_node_id else {
        return Err(Miss::During(not_applicable("the page asks for a file without a field for it")));
    };
    let set = dom::SetFileInputFiles { files, object_id: None, backend_node_id: Some(backend_node_id) };
    pointer::settled(tab.call_in(&session, &set, WHAT, limit).await.map(drop))?;
    Ok(Did::Sent)
}

/// While it lives, choosers are handed to us instead of being shown.
struct Interception<'t> {
    tab: &'t Tab,
    sessions: Vec<SessionId>,
}

impl<'t> Interception<'t> {
    async fn begin(tab: &'t Tab, limit: &Limit) -> Result<Self, Blocked> {
        let mut interception = Self { tab, sessions: vec![tab.session()] };
        for frame in tab.frames().await? {
            match tab.session_of(&frame.id).await {
                Ok(session) if !interception.sessions.contains(&session) => {
                    interception.sessions.push(session)
                }
                Ok(_) | Err(BrowserError::FrameGone) => {}
                Err(error) => return Err(error.into()),
            }
        }
        for session in &interception.sessions {
            let intercept = page::SetInterceptFileChooserDialog { enabled: true };
            tab.call_in(session, &intercept, WHAT, limit).await?;
        }
        Ok(interception)
    }
}

impl Drop for Interception<'_> {
    fn drop(&mut self) {
        for session in &self.sessions {
            let show = page::SetInterceptFileChooserDialog { enabled: false };
            let _ = self.tab.link.post(Some(session), &show);
        }
    }
}
