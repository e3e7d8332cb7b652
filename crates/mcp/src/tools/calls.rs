//! What the tools of the default set do.

use legwork_runtime::{Acted, Caller, CancellationToken, OpenRequest, Sessions, Standing, words};
use legwork_types::{
    Code, PageUrl, Problem,
    contract::{ActRequest, ObservationId, ObserveOptions, SessionId, Within},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    answer::Answer,
    arguments::{self, Arguments, mended, mended_act, mismatch, need, nothing_more, take},
    desk::Desk,
    person::{self, Pending, Person},
    structured,
};

/// As much of a page is read unless told.
pub(crate) const USUAL_READ: usize = 4_000;
/// As much of a page is read at most.
pub(crate) const LONGEST_READ: usize = 100_000;

/// A tool of the default set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    Open,
    Observe,
    Act,
    Read,
    Screenshot,
    Tabs,
    Close,
}

/// In which form an answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Format {
    /// For models.
    #[default]
    Text,
    /// For programs too.
    Json,
}

/// One call of a tool.
pub(crate) struct Call<'a> {
    pub(crate) sessions: &'a Sessions,
    pub(crate) desk: &'a Desk,
    pub(crate) caller: &'a Caller,
    pub(crate) cancel: &'a CancellationToken,
    /// Who can be asked through the client.
    pub(crate) person: Option<Person<'a>>,
    /// How answers are given unless the call says otherwise.
    pub(crate) format: Format,
}

impl Tool {
    pub(crate) const ALL: [Self; 7] =
        [Self::Open, Self::Observe, Self::Act, Self::Read, Self::Screenshot, Self::Tabs, Self::Close];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Open => "browser_open",
            Self::Observe => "browser_observe",
            Self::Act => "browser_act",
            Self::Read => "browser_read",
            Self::Screenshot => "browser_screenshot",
            Self::Tabs => "browser_tabs",
            Self::Close => "browser_close",
        }
    }

    /// The tool of this name, or of a name that it had elsewhere.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "browser_session_open" => Some(Self::Open),
            "browser_session_close" => Some(Self::Close),
            name => Self::ALL.into_iter().find(|tool| tool.name() == name),
        }
    }
}

impl Call<'_> {
    /// Does it.
    pub(crate) async fn perform(&self, tool: Tool, arguments: Arguments) -> Result<Answer, Problem> {
        match tool {
            Tool::Open => self.open(mended(arguments)).await,
            Tool::Observe => self.observe(mended(arguments)).await,
            Tool::Act => self.act(mended_act(arguments)).await,
            Tool::Read => self.read(mended(arguments)).await,
            Tool::Screenshot => self.screenshot(arguments).await,
            Tool::Tabs => self.tabs(arguments).await,
            Tool::Close => self.close(arguments).await,
        }
    }

    async fn open(&self, mut arguments: Arguments) -> Result<Answer, Problem> {
        let url = take::<String>(&mut arguments, "url")?;
        let observe = take::<ObserveOptions>(&mut arguments, "observe")?.unwrap_or_default();
        let format = self.format(&mut arguments)?;
        nothing_more(&arguments)?;
        let url =
            url.map(|url| PageUrl::parse(&url)).transpose().map_err(|refusal| Problem::from(&refusal))?;
        let request = OpenRequest { url, observe: observe.clone(), ..OpenRequest::default() };
        let opened = self.sessions.open(self.caller, request, self.cancel).await.map_err(how_to_make_room)?;
        self.desk.saw(self.caller, &opened.seen.look);
        // The session is open whatever can be said of its page: its name must get out.
        let page = words::seen(&opened.seen, &observe).unwrap_or_else(|problem| words::problem(&problem));
        let text = format!("session {}\n{}{page}", opened.session.0, words::trust(&opened));
        let structured = match format {
            Format::Text => None,
            Format::Json => Some(
                structured::seen(&opened.seen, &observe)
                    .or_else(|_| structured::seen(&opened.seen, &ObserveOptions::default()))?,
            ),
        };
        Ok(Answer { text, jpeg: opened.seen.jpeg, structured, ..Answer::default() })
    }

    async fn observe(&self, mut arguments: Arguments) -> Result<Answer, Problem> {
        let session = session_of(&mut arguments)?;
        let format = self.format(&mut arguments)?;
        let options = arguments::read::<ObserveOptions>(arguments)?;
        let seen = self.sessions.observe(self.caller, &session, &options, self.cancel).await?;
        self.desk.saw(self.caller, &seen.look);
        let structured = match format {
            Format::Text => None,
            Format::Json => Some(structured::seen(&seen, &options)?),
        };
        Ok(Answer { text: words::seen(&seen, &options)?, jpeg: seen.jpeg, structured, ..Answer::default() })
    }

    async fn act(&self, mut arguments: Arguments) -> Result<Answer, Problem> {
        let format = self.format(&mut arguments)?;
        let request = arguments::read::<ActRequest>(arguments)?;
        let deed = words::deed(request.target, &request.action);
        let acted = self.acted(request).await;
        let structured = (format == Format::Json).then(|| structured::acted(&acted));
        Ok(Answer { structured, ..told(&deed, acted) })
    }

    /// Acts. Where a yes is needed and the client can ask a person, what the person decides becomes of it.
    pub(crate) async fn acted(&self, request: ActRequest) -> Acted {
        let Some(person) = &self.person else { return self.act_once(request).await };
        let mut acted = self.act_once(request.clone()).await;
        let Some(pending) = Pending::of(&acted) else { return acted };
        let standing = person.decide(&pending.id, self.cancel).await;
        if standing == Standing::Approved
            && let Some(next) = person::after_yes(&request, &pending, &acted)
        {
            return self.act_once(next).await;
        }
        acted.error = acted.error.map(|asked| person::told(standing, &request.session_id, asked));
        acted
    }

    /// Acts, and remembers what was seen.
    async fn act_once(&self, request: ActRequest) -> Acted {
        let acted = self.sessions.act(self.caller, request, self.cancel).await;
        if let Some(next) = &acted.next {
            self.desk.saw(self.caller, &next.look);
        }
        acted
    }

    async fn read(&self, mut arguments: Arguments) -> Result<Answer, Problem> {
        let session = session_of(&mut arguments)?;
        let within = take::<Within>(&mut arguments, "within")?;
        let most = take::<usize>(&mut arguments, "maxChars")?;
        let format = self.format(&mut arguments)?;
        nothing_more(&arguments)?;
        let most = most.unwrap_or(USUAL_READ).min(LONGEST_READ);
        let text = self.sessions.read(self.caller, &session, within, most, self.cancel).await?;
        let structured = (format == Format::Json).then(|| structured::text(&text));
        Ok(Answer { text: words::fenced_text(&text), structured, ..Answer::default() })
    }

    async fn screenshot(&self, mut arguments: Arguments) -> Result<Answer, Problem> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Marked {
            Latest(bool),
            Of(ObservationId),
        }
        let session = session_of(&mut arguments)?;
        let marked = take::<Marked>(&mut arguments, "marked")?;
        nothing_more(&arguments)?;
        let marked = match marked {
            None | Some(Marked::Latest(false)) => None,
            Some(Marked::Of(observation)) => Some(observation),
            Some(Marked::Latest(true)) => match self.desk.latest(self.caller, &session) {
                Some(latest) => Some(latest),
                None => {
                    return Err(mismatch(
                        "marked",
                        "there is no observation yet; call browser_observe first",
                    ));
                }
            },
        };
        let jpeg = self.sessions.screenshot(self.caller, &session, marked.as_ref(), self.cancel).await?;
        Ok(Answer::picture(jpeg))
    }

    async fn tabs(&self, mut arguments: Arguments) -> Result<Answer, Problem> {
        let session = take::<SessionId>(&mut arguments, "sessionId")?;
        let format = self.format(&mut arguments)?;
        nothing_more(&arguments)?;
        let Some(session) = session else {
            let sessions = self.sessions.list(self.caller).await;
            let structured = (format == Format::Json).then(|| structured::sessions(&sessions));
            return Ok(Answer { text: words::sessions(&sessions), structured, ..Answer::default() });
        };
        let tabs = self.sessions.tabs(self.caller, &session, self.cancel).await?;
        let structured = (format == Format::Json).then(|| structured::tabs(&tabs));
        Ok(Answer { text: words::tabs(&tabs), structured, ..Answer::default() })
    }

    async fn close(&self, mut arguments: Arguments) -> Result<Answer, Problem> {
        let session = session_of(&mut arguments)?;
        let format = self.format(&mut arguments)?;
        nothing_more(&arguments)?;
        self.desk.forget(self.caller, &session);
        self.sessions.close(self.caller, &session).await?;
        let structured = (format == Format::Json).then(|| json!({ "closed": true }));
        Ok(Answer { structured, ..Answer::text("closed") })
    }

    fn format(&self, arguments: &mut Arguments) -> Result<Format, Problem> {
        let wanted = self.wanted(arguments);
        take::<Format>(arguments, "format")?;
        Ok(wanted)
    }

    /// In which form a call is to be answered, also one that can't be read.
    pub(crate) fn wanted(&self, arguments: &Arguments) -> Format {
        match arguments.get("format").and_then(Value::as_str) {
            Some("json") => Format::Json,
            // A server that declares what it answers has to answer it.
            _ => self.format,
        }
    }
}

/// What came of an act, for a model.
pub(crate) fn told(deed: &str, acted: Acted) -> Answer {
    let text = words::acted(deed, &acted);
    let failed: Option<Code> = acted.error.as_ref().map(|problem| problem.code);
    Answer { text, jpeg: acted.next.and_then(|next| next.jpeg), failed, ..Answer::default() }
}

/// Who may open no more sessions is told how to find those that can be closed.
fn how_to_make_room(mut problem: Problem) -> Problem {
    if problem.code == Code::SessionLimit {
        problem.hint = "close one that is not needed any more (browser_tabs without sessionId lists yours), or wait: sessions \
            that nobody uses are closed"
            .into();
    }
    problem
}

fn session_of(arguments: &mut Arguments) -> Result<SessionId, Problem> {
    need::<SessionId>(arguments, "sessionId")
}
