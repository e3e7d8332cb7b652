//! A toolbox as somebody else's browser for errands: its latest look says what references mean, its own list which calls there are.

use std::time::Duration;

use legwork_runtime::errands::{ForeignAct, ForeignBrowser, ForeignError, ForeignPage};
use legwork_types::PageText;
use serde_json::{Map, Value, json};

use super::{
    Outcome, Snapshot, SnapshotError, Toolbox, ToolboxError, Uploads, calls::call_of, gone::is_gone, judge,
    normalise, offered, parts::page_of, picture_of, snapshot_of,
};

/// How much of what a tool says of its failure is kept, in characters.
const MOST_WORDS: usize = 300;
/// How large a picture may be, in bytes: vendors take five million of base64.
const MOST_PICTURE: usize = 3_500_000;
/// How long a picture may take: an errand goes on without one.
const PICTURE: Duration = Duration::from_secs(15);

/// How many choosers of files are closed before a look: a page may open another one.
const MOST_CHOOSERS: u32 = 3;
/// How the server tells of one, in a line of its own.
const CHOOSER: &str = "- [File chooser]";

/// A toolbox that errands are done with.
#[derive(Debug)]
pub struct ToolboxBrowser {
    toolbox: Toolbox,
    /// The latest look. Whatever is done to a page makes it an old one.
    latest: Option<Snapshot>,
}

impl ToolboxBrowser {
    /// The browser of this toolbox.
    pub fn new(toolbox: Toolbox) -> Self {
        Self { toolbox, latest: None }
    }

    /// The toolbox itself.
    pub fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }

    async fn called(&self, name: &str, given: Map<String, Value>) -> Result<super::ToolAnswer, ForeignError> {
        self.toolbox.call(name, given).await.map_err(|error| foreign(&error))
    }

    /// What the server says of the page. A chooser of files that a click has opened would hide it for good: no file is ever given, so
    /// it is closed without one.
    async fn seen(&self) -> Result<super::ToolAnswer, ForeignError> {
        let mut answer = self.called("browser_snapshot", Map::new()).await?;
        for _ in 0..MOST_CHOOSERS {
            if !tells_of_chooser(&answer) {
                break;
            }
            // Whether it was closed is seen by the next look.
            self.called("browser_file_upload", Map::new()).await?;
            answer = self.called("browser_snapshot", Map::new()).await?;
        }
        Ok(answer)
    }
}

impl ForeignBrowser for ToolboxBrowser {
    async fn look(&mut self) -> Result<ForeignPage, ForeignError> {
        let answer = self.seen().await?;
        match snapshot_of(&answer) {
            Ok(look) => {
                let page = page_of(&look);
                // Some servers tell of a dialog without a failure.
                let dialog = if look.is_unread { dialog(&answer.joined()) } else { None };
                self.latest = Some(look);
                Ok(ForeignPage { dialog, ..page })
            }
            Err(SnapshotError::Failed(words)) => match dialog(&words) {
                Some(says) => {
                    let under = self.latest.as_ref().map(page_of).unwrap_or_default();
                    let ForeignPage { url, title, .. } = under;
                    // As long as it is open nobody knows what is on the page, nor whether it is still there.
                    Ok(ForeignPage {
                        url,
                        title,
                        dialog: Some(says),
                        is_unread: true,
                        ..ForeignPage::default()
                    })
                }
                None => Err(failure(&words)),
            },
            Err(error) => Err(ForeignError::Failed(short(&error.to_string()))),
        }
    }

    async fn act(&mut self, act: &ForeignAct) -> Result<(), ForeignError> {
        let listed = self.toolbox.tools().await.map_err(|error| foreign(&error))?;
        let tools = offered(listed, Uploads::Refused);
        let none = || ForeignError::NotOffered("its server has no tool for it".to_owned());
        let (name, given) = call_of(act, &tools).ok_or_else(none)?;
        let nothing = || normalise(&json!({"url": "", "title": "", "content": ""}));
        let latest = match &self.latest {
            Some(latest) => latest.clone(),
            None => nothing().map_err(|error| ForeignError::Failed(short(&error.to_string())))?,
        };
        judge(&tools, name, &given, &latest)
            .map_err(|refusal| ForeignError::NotOffered(refusal.to_string()))?;
        let answer = match self.toolbox.call(name, given).await {
            // Whatever was too long or made no sense may have been the answer, or something beside it: nobody knows what was done.
            Err(error @ (ToolboxError::TooLarge { .. } | ToolboxError::Protocol(_))) => {
                return Err(ForeignError::Unheard(error.to_string()));
            }
            Err(error) => return Err(foreign(&error)),
            Ok(answer) => answer,
        };
        let words = answer.joined();
        match (answer.outcome, act) {
            (Outcome::Done, _) => Ok(()),
            (Outcome::Failed, ForeignAct::Go(_)) if words.contains("net::ERR_") && !is_gone(&words) => {
                Err(ForeignError::Unreachable(short(&words)))
            }
            (Outcome::Failed, _) => Err(failure(&words)),
        }
    }

    async fn picture(&mut self) -> Result<Vec<u8>, ForeignError> {
        let given = json!({"type": "jpeg", "scale": "css"});
        let mut given = given.as_object().cloned().unwrap_or_default();
        let listed = self.toolbox.tools().await.map_err(|error| foreign(&error))?;
        let tool = listed.iter().find(|tool| tool.name == "browser_take_screenshot");
        let tool = tool.ok_or_else(|| ForeignError::NotOffered("it takes no pictures".to_owned()))?;
        let fields = tool.schema.get("properties").and_then(Value::as_object);
        given.retain(|field, _| fields.is_some_and(|fields| fields.contains_key(field)));
        let taken = tokio::time::timeout(PICTURE, self.called("browser_take_screenshot", given)).await;
        let answer = taken.map_err(|_| ForeignError::TimedOut("a picture".to_owned()))??;
        if answer.outcome == Outcome::Failed {
            return Err(failure(&answer.joined()));
        }
        let picture = picture_of(&answer, self.toolbox.folder())
            .map_err(|error| ForeignError::Failed(short(&error.to_string())))?;
        match picture.bytes.len() <= MOST_PICTURE {
            true => Ok(picture.bytes),
            false => Err(ForeignError::NotOffered("its pictures are too large for a model".to_owned())),
        }
    }

    async fn restart(&mut self) -> Result<(), ForeignError> {
        self.latest = None;
        self.toolbox.reconnect().await.map_err(|error| ForeignError::Gone(error.to_string()))
    }

    async fn close(&mut self) {
        self.toolbox.close().await;
    }
}

/// Whether a chooser of files is why nothing is told of the page. A dialog of a page may write such a line; all that follows from that is
/// that a chooser is to be closed where none is, which the server refuses.
fn tells_of_chooser(answer: &super::ToolAnswer) -> bool {
    let is_hidden = match snapshot_of(answer) {
        Ok(look) => look.is_unread,
        Err(error) => matches!(error, SnapshotError::Failed(_)),
    };
    let words = answer.joined();
    is_hidden && is_modal(&words) && words.lines().any(|line| line.starts_with(CHOOSER))
}

/// What an open dialog says, where that is why the page could not be looked at. A page may write these words; all that follows from
/// them is that the model is told of a dialog.
fn dialog(words: &str) -> Option<PageText> {
    let line = words.lines().find(|line| line.contains("dialog with message"));
    // A chooser of files that can't be closed is nothing to say yes or no to.
    let is_one = line.is_some() || !words.lines().any(|line| line.starts_with(CHOOSER));
    (is_modal(words) && is_one).then(|| short(line.map_or("", |line| line.trim_start_matches("- "))))
}

fn is_modal(words: &str) -> bool {
    words.contains("modal state") || words.contains("Modal state")
}

/// Why it did not do it, by what it says. A server whose browser is gone starts another one at the next call and says nothing of it, so
/// that this counts as the end of the server.
fn failure(words: &str) -> ForeignError {
    match is_gone(words) {
        true => ForeignError::Lost("its browser has been closed".to_owned()),
        false => ForeignError::Failed(short(words)),
    }
}

fn short(words: &str) -> PageText {
    PageText::from(words.trim_start_matches("### Error").trim()).clipped(MOST_WORDS)
}

fn foreign(error: &ToolboxError) -> ForeignError {
    let told = error.to_string();
    match error {
        ToolboxError::Lost { why, .. } => ForeignError::Lost(why.clone()),
        ToolboxError::TimedOut { what, .. } => ForeignError::TimedOut(what.clone()),
        ToolboxError::TooLarge { .. } | ToolboxError::Protocol(_) => ForeignError::Failed(short(&told)),
        ToolboxError::Command(_)
        | ToolboxError::NoProgram(_)
        | ToolboxError::Node(_)
        | ToolboxError::NotUp { .. }
        | ToolboxError::NoMoreStarts
        | ToolboxError::Closed => ForeignError::Gone(told),
    }
}
