//! The guard in every frame of a tab: while something is done, only what is meant for its element gets through to the page.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use futures_util::future::{join, join_all};
use legwork_cdp::{Limit, SessionId, protocol::page};
use legwork_types::PageText;
use serde::Deserialize;

use super::{
    Blocked, Miss,
    grip::{Grip, or_gone, unreadable},
};
use crate::{
    BrowserError, Frame,
    capture::{eye::Eye, script::GUARD},
    tab::{Tab, WORLD},
};

/// A guard that nobody disarms lets everything through again so long after the act had to be over: a page must not stay locked.
const MARGIN: Duration = Duration::from_secs(5);
/// Keys are sent in turns, each with a guard of its own.
const ARMED_FOR_KEYS: Duration = Duration::from_secs(60);
const WHAT: &str = "guarding the page";
/// A document that begins meanwhile gets nothing for so long.
const CLOSED: Duration = Duration::from_millis(1500);
/// How long a frame that has no part in the deed may keep the rest waiting. One that stays silent is closed by itself.
const FRAME_PATIENCE: Duration = Duration::from_secs(1);
/// How long a frame in the page that has a part in it may take to tell what came. Longer it is not busy: its own next document is on
/// its way.
const OWN_FRAME_PATIENCE: Duration = Duration::from_secs(10);
/// How long the last event of a deed may take to come to the page after the browser said that it had: on a busy machine it takes its
/// time.
const LAST_EVENT: Duration = Duration::from_secs(2);
/// A page whose timers do not come is not waited for longer.
const LAST_ANSWER: Duration = Duration::from_secs(3);

/// The first event of a press.
const FIRST: &str = "pointerdown";

/// The number of the next one.
static NEXT: AtomicU64 = AtomicU64::new(1);

const OURS: &str = "Object.getOwnPropertyDescriptor(globalThis, 'legworkGuard')?.value";

/// What is let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// A press.
    Press,
    /// Keys.
    Keys,
    /// A press that is let go elsewhere.
    Drag,
}

impl Input {
    fn armed(self, limit: &Limit) -> Duration {
        match self {
            Self::Press | Self::Drag => limit.remaining().saturating_add(MARGIN),
            Self::Keys => limit.remaining().saturating_add(MARGIN).min(ARMED_FOR_KEYS),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Press => "press",
            Self::Keys => "keys",
            Self::Drag => "drag",
        }
    }
}

/// The guards of a tab while they are armed.
pub(super) struct Guard<'g> {
    tab: &'g Tab,
    number: u64,
    grips: Vec<&'g Grip<'g>>,
    others: Vec<Eye<'g>>,
    scripts: Vec<(SessionId, String)>,
}

/// The last event of a deed, and the element in whose frame it comes.
pub(super) struct Last<'g> {
    pub(super) grip: &'g Grip<'g>,
    /// Its name, and how often it comes. Without a name any that comes to the element.
    pub(super) kind: &'static str,
    pub(super) count: u8,
}

/// What came at the guards.
#[derive(Debug, Default)]
pub(super) struct Report {
    begins: &'static [&'static str],
    /// Whether it is one press, and no more.
    is_single: bool,
    /// The kinds of events that came to the element, in order.
    pub(super) arrived: Vec<String>,
    /// What was stopped, if anything.
    pub(super) stopped: Option<Blocked>,
    /// Whether a frame that has a part in the deed could not be asked any more: a dialog is open, or another document is there, or on
    /// its way. What came to it before that nobody knows.
    is_silent: bool,
    /// Whether all of it was stopped, so that nothing of it can have come to a frame that is silent.
    is_missed: bool,
    /// Whether the element was turned to something else after it was pressed, so that the press was not ended.
    is_turned: bool,
    /// Whether the end of the deed did not come. If it still does, it meets closed guards.
    is_unended: bool,
    /// Whether a guard was over before it was asked: nobody judged what came in between.
    is_over: bool,
}

#[derive(Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
enum Armed {
    #[serde(rename = "armed")]
    Yes,
    Unguarded,
    Changed,
    Forgotten,
    Detached,
}

#[derive(Deserialize)]
struct Disarmed {
    noted: Vec<String>,
    stopped: Option<Stopped>,
    expired: bool,
    /// Whether something may still be on its way.
    awaited: bool,
}

#[derive(Deserialize)]
struct Stopped {
    #[serde(rename = "type")]
    kind: String,
    why: String,
    by: PageText,
}

impl<'g> Guard<'g> {
    /// Arms the guards of all frames: input of this kind is let through to `on`, and in a drag is let go on `to`.
    pub(super) async fn arm(
        on: &'g Grip<'g>,
        to: Option<&'g Grip<'g>>,
        input: Input,
        limit: &Limit,
    ) -> Result<Self, Blocked> {
        let tab = on.tab;
        let frames = tab.frames().await?;
        let grips: Vec<&Grip<'_>> = std::iter::once(on).chain(to).collect();
        let mut guard = Self {
            tab,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            grips,
            others: Vec::new(),
            scripts: Vec::new(),
        };
        let strangers =
            frames.iter().filter(|frame| !guard.grips.iter().any(|grip| grip.eye.frame == frame.id));
        let patience = limit.at_most(FRAME_PATIENCE);
        let (number, armed) = (guard.number, input.armed(limit));
        let close = join_all(strangers.map(|frame| close(tab, frame, number, armed, &patience)));
        let (others, scripts) = join(close, close_newcomers(tab, &frames, number, &patience)).await;
        guard.joined_by(others, scripts)?;
        for grip in &guard.grips {
            let is_first_here = std::ptr::eq(*grip, on) || grip.eye.frame != on.eye.frame;
            if is_first_here {
                guard.arm_for(grip, on, to, input, armed).await.inspect_err(|_| guard.release())?;
            }
        }
        Ok(guard)
    }

    /// Takes in the guards of the other frames. Where one could not be armed, the others are let go.
    fn joined_by(
        &mut self,
        others: Vec<Result<Option<Eye<'g>>, Blocked>>,
        scripts: Result<Vec<(SessionId, String)>, Blocked>,
    ) -> Result<(), Blocked> {
        let mut failed = scripts.map(|scripts| self.scripts = scripts).err();
        for other in others {
            match other {
                Ok(eye) => self.others.extend(eye),
                Err(why) => failed = failed.or(Some(why)),
            }
        }
        match failed {
            Some(why) => {
                self.release();
                Err(why)
            }
            None => Ok(()),
        }
    }

    /// Arms the guards of all frames for keys that are for the page as a whole.
    pub(super) async fn arm_for_page(tab: &'g Tab, limit: &Limit) -> Result<Self, Blocked> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut guard = Self { tab, number, grips: Vec::new(), others: Vec::new(), scripts: Vec::new() };
        let frames = tab.frames().await?;
        let patience = limit.at_most(FRAME_PATIENCE);
        let armed = Input::Keys.armed(limit);
        let open = join_all(frames.iter().map(|frame| open_for_page(tab, frame, number, armed, &patience)));
        let (others, scripts) = join(open, close_newcomers(tab, &frames, number, &patience)).await;
        guard.joined_by(others, scripts)?;
        Ok(guard)
    }

    /// Arms the guard of one frame for the elements in it.
    async fn arm_for(
        &self,
        here: &Grip<'_>,
        on: &Grip<'_>,
        to: Option<&Grip<'_>>,
        input: Input,
        armed: Duration,
    ) -> Result<(), Blocked> {
        let element = |grip: Option<&Grip<'_>>| match grip {
            Some(grip) if grip.eye.frame == here.eye.frame => {
                format!("'{}', {}", grip.epoch, grip.element.index)
            }
            _ => "'', null".to_owned(),
        };
        let asks = format!(
            "legwork.arm({}, {}, {}, {}, '{}')",
            self.number,
            armed.as_millis(),
            element(Some(on)),
            element(to),
            input.word()
        );
        for _ in 0..2 {
            let armed: String = here.eye.walker(&asks).await.map_err(or_gone)?;
            match serde_json::from_str(&armed).map_err(|error| unreadable(&error))? {
                Armed::Yes => return Ok(()),
                Armed::Changed => return Err(Blocked::Changed),
                Armed::Forgotten | Armed::Detached => return Err(Blocked::Gone),
                Armed::Unguarded => here.eye.value::<Option<bool>>(GUARD).await.map_err(or_gone).map(drop)?,
            }
        }
        Err(Blocked::Gone)
    }

    /// Has the guards tell nobody, and let nothing through for a while: something that was sent before may still be on its way.
    fn release(&self) {
        let disarm = self.disarm(true);
        for eye in self.others.iter().chain(self.grips.iter().map(|grip| &grip.eye)) {
            eye.tell(&disarm);
        }
    }

    /// Disarms the guards and tells what came of a deed that begins with one of these.
    pub(super) async fn report(self, begins: &'static [&'static str], limit: &Limit) -> Result<Report, Miss> {
        self.reported(None, begins, limit).await
    }

    /// The same, once the last event of the deed has come. Any event of the mouse that the browser makes up by itself is taken for an
    /// answer to ours, so that the last of these may still be on its way.
    pub(super) async fn report_after(
        self,
        last: Last<'_>,
        begins: &'static [&'static str],
        limit: &Limit,
    ) -> Result<Report, Miss> {
        self.reported(Some(last), begins, limit).await
    }

    async fn reported(
        mut self,
        last: Option<Last<'_>>,
        begins: &'static [&'static str],
        limit: &Limit,
    ) -> Result<Report, Miss> {
        let tab = self.tab;
        // A page that is being left tells nothing, and may be so for as long as a server takes. Whoever asked it until the end of the
        // limit would call off what it is on its way to.
        let told = tokio::select! {
            biased;
            told = self.read(last, begins, limit) => Some(told),
            () = tab.leaves() => None,
        };
        let told = told.unwrap_or_else(|| {
            self.release();
            Ok(Report { begins, is_silent: true, ..Report::default() })
        });
        match told {
            Ok(report) if report.is_over || report.ends_unknown() => {
                Err(Miss::During(BrowserError::Timeout { what: WHAT, url: self.tab.url() }.into()))
            }
            Ok(report) => Ok(report),
            Err(error) => Err(Miss::During(error.into())),
        }
    }

    async fn read(
        &mut self,
        last: Option<Last<'_>>,
        begins: &'static [&'static str],
        limit: &Limit,
    ) -> Result<Report, BrowserError> {
        let is_single = last.as_ref().is_some_and(|last| last.kind == "pointerup" && last.count == 1);
        let mut report = Report { begins, is_single, ..Report::default() };
        // The others stay closed until everything has come.
        if let Some(last) = &last {
            let told = self.after(last, limit).await;
            report.is_unended = matches!(&told, Ok(Some(told)) if told.awaited);
            report.take_own(told)?;
        }
        let disarm = self.disarm(report.is_silent || report.is_unended);
        // Two elements of one frame have one guard.
        let rest = self.grips.iter().enumerate().filter(|(place, grip)| {
            let is_asked = last.as_ref().is_some_and(|last| last.grip.eye.frame == grip.eye.frame);
            !is_asked && !self.grips[..*place].iter().any(|before| before.eye.frame == grip.eye.frame)
        });
        let own = join_all(rest.map(|(_, grip)| own_told(grip, &disarm, limit)));
        let patience = limit.at_most(FRAME_PATIENCE);
        self.others.iter_mut().for_each(|eye| eye.renew(&patience));
        let others = join_all(self.others.iter().map(|eye| eye.value::<Option<Disarmed>>(&disarm)));
        let (own, others) = join(own, others).await;
        for told in own {
            report.take_own(told)?;
        }
        for told in others.into_iter().filter_map(|told| told.ok().flatten()) {
            report.take(told);
        }
        let is_missing = !report.is_begun() || report.is_unended;
        if is_missing && report.stopped.is_none() && self.tab.obstacle().is_none() {
            self.ask_newcomers(&mut report, limit).await?;
        }
        Ok(report)
    }

    /// What the frame says that hears of the last event.
    async fn after(&self, last: &Last<'_>, limit: &Limit) -> Result<Option<Disarmed>, BrowserError> {
        let Last { grip, kind, count } = last;
        let patience = LAST_EVENT.min(limit.remaining() / 4).as_millis();
        let number = self.number;
        let ask = format!("{OURS}?.disarmAfter({number}, '{kind}', {count}, {patience})");
        let ask_now = format!("{OURS}?.disarmNow({number}, '{kind}', {count})");
        match limit.at_most(LAST_ANSWER).run(grip.eye.value(&ask)).await {
            Ok(told) => told,
            // A page that is busy answers later, one whose timers do not come never would.
            Err(_) => own_told(grip, &ask_now, limit).await,
        }
    }

    /// Asks a guard for what came, and opens or closes it.
    fn disarm(&self, stays_closed: bool) -> String {
        let closed_for = if stays_closed { CLOSED.as_millis() } else { 0 };
        format!("{OURS}?.disarm({}, {closed_for})", self.number)
    }

    /// What came at documents that were not there when the guards were armed. They are left closed for as long as they would be.
    async fn ask_newcomers(&self, report: &mut Report, limit: &Limit) -> Result<(), BrowserError> {
        let ask = self.disarm(true);
        let patience = limit.at_most(FRAME_PATIENCE);
        let frames = self.tab.frames().await?;
        let asked = frames.iter().map(|frame| async {
            let eye = Eye::open(self.tab, frame, false, &patience).await.ok()?;
            eye.value::<Option<Disarmed>>(&ask).await.ok().flatten()
        });
        for told in join_all(asked).await.into_iter().flatten() {
            // A document that came meanwhile is closed for a moment only.
            report.take(Disarmed { expired: false, ..told });
        }
        Ok(())
    }
}

impl Drop for Guard<'_> {
    /// Whoever is called off may have sent something that is still on its way: the guards stay armed until their time is over.
    fn drop(&mut self) {
        for (session, identifier) in &self.scripts {
            let remove = page::RemoveScriptToEvaluateOnNewDocument { identifier };
            let _ = self.tab.link.post(Some(session), &remove);
        }
    }
}

impl Report {
    /// What a frame says that has a part in the deed.
    fn take_own(&mut self, told: Result<Option<Disarmed>, BrowserError>) -> Result<(), BrowserError> {
        match told {
            Ok(Some(told)) => self.take(told),
            Ok(None) | Err(BrowserError::FrameGone | BrowserError::DialogOpen { .. }) => {
                self.is_silent = true
            }
            Err(BrowserError::TabGone { gone: crate::Gone::Closed, .. }) => self.is_silent = true,
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn take(&mut self, told: Disarmed) {
        self.arrived.extend(told.noted);
        self.is_over |= told.expired;
        if self.stopped.is_none() {
            self.is_missed = told.stopped.as_ref().is_some_and(|stopped| self.comes_first(&stopped.kind));
        }
        self.is_turned |= told.stopped.as_ref().is_some_and(|stopped| stopped.why == "turned");
        let stopped = told.stopped.map(|stopped| match stopped.why.as_str() {
            "covered" => Blocked::Obscured { by: stopped.by },
            _ => Blocked::Changed,
        });
        self.stopped = self.stopped.take().or(stopped);
    }

    /// Whether it was begun, and nobody knows what became of the rest.
    fn ends_unknown(&self) -> bool {
        self.is_begun() && self.is_unended && self.stopped.is_none()
    }

    /// Whether nothing of a deed can have come before an event of this kind: keys come in turns, and so do presses in a row.
    fn comes_first(&self, kind: &str) -> bool {
        self.is_single && kind == FIRST
    }

    fn is_begun(&self) -> bool {
        self.arrived.iter().any(|arrived| self.begins.contains(&arrived.as_str()))
    }

    /// Whether the beginning of the deed came to its element. A page may answer that with something that the rest is not for.
    pub(super) fn begun(self) -> Result<(), Miss> {
        match (self.is_begun(), self.stopped) {
            (true, Some(why)) if self.is_turned => Err(Miss::During(why)),
            (true, _) => Ok(()),
            // The element may have had its part of it before its frame went.
            (false, Some(why)) if self.is_silent && !self.is_missed => Err(Miss::During(why)),
            (false, Some(why)) => Err(Miss::Before(why)),
            (false, None) if self.is_silent => Ok(()),
            (false, None) => Err(Miss::During(Blocked::Obscured { by: PageText::from("something unknown") })),
        }
    }

    /// Whether nothing of it was stopped.
    pub(super) fn unstopped(self) -> Result<(), Miss> {
        match (self.is_begun(), self.stopped) {
            (_, None) => Ok(()),
            (true, Some(why)) => Err(Miss::During(why)),
            (false, Some(why)) => Err(Miss::Before(why)),
        }
    }

    /// Whether all of it did.
    pub(super) fn whole(mut self) -> Result<(), Miss> {
        let is_begun = self.is_begun();
        match self.stopped.take() {
            Some(why) if is_begun => Err(Miss::During(why)),
            stopped => Self { stopped, ..self }.begun(),
        }
    }
}

/// What a frame says that has a part in what is done; none where it can't be asked any more.
async fn own_told(grip: &Grip<'_>, ask: &str, limit: &Limit) -> Result<Option<Disarmed>, BrowserError> {
    let told = grip.eye.value(ask);
    if !grip.is_in_frame() {
        return told.await;
    }
    limit.at_most(OWN_FRAME_PATIENCE).run(told).await.unwrap_or(Ok(None))
}

/// Lets nothing through in a frame that has no part in what is done. None for one that is gone, or that takes in nothing anyway.
async fn close<'g>(
    tab: &'g Tab,
    frame: &Frame,
    number: u64,
    armed: Duration,
    limit: &Limit,
) -> Result<Option<Eye<'g>>, Blocked> {
    let close = format!("{GUARD}\n{OURS}.close({number}, {})", armed.as_millis());
    let closing = async {
        let eye = Eye::open(tab, frame, false, limit).await?;
        eye.value::<bool>(&close).await?;
        Ok(eye)
    };
    match closing.await {
        Ok(eye) => Ok(Some(eye)),
        Err(BrowserError::FrameGone | BrowserError::FrameHung { .. } | BrowserError::Timeout { .. }) => {
            Ok(None)
        }
        Err(error) => Err(Blocked::Browser(error)),
    }
}

/// Lets keys through in a frame that are for the page as a whole. None for a frame that is gone, or that takes in nothing anyway.
async fn open_for_page<'g>(
    tab: &'g Tab,
    frame: &Frame,
    number: u64,
    armed: Duration,
    limit: &Limit,
) -> Result<Option<Eye<'g>>, Blocked> {
    let asks = format!("legwork.armForPage({number}, {})", armed.as_millis());
    let opening = async {
        let eye = Eye::open(tab, frame, frame.parent.is_none(), limit).await?;
        eye.value::<Option<bool>>(GUARD).await?;
        eye.walker::<String>(&asks).await?;
        Ok(eye)
    };
    match opening.await {
        Ok(eye) => Ok(Some(eye)),
        Err(BrowserError::FrameGone | BrowserError::FrameHung { .. }) => Ok(None),
        Err(BrowserError::Timeout { .. }) if frame.parent.is_some() => Ok(None),
        Err(error) => Err(Blocked::Browser(error)),
    }
}

/// Lets nothing through in documents that begin from now on.
async fn close_newcomers(
    tab: &Tab,
    frames: &[Frame],
    number: u64,
    limit: &Limit,
) -> Result<Vec<(SessionId, String)>, Blocked> {
    let mut sessions = vec![tab.session()];
    for frame in frames {
        if let Ok(session) = tab.session_of(&frame.id).await
            && !sessions.contains(&session)
        {
            sessions.push(session);
        }
    }
    let source = format!("{OURS}?.close({number}, {})", CLOSED.as_millis());
    let add = page::AddScriptToEvaluateOnNewDocument {
        source: &source,
        world_name: Some(WORLD),
        run_immediately: false,
    };
    let added = join_all(sessions.iter().map(|session| tab.link.call(Some(session), &add, limit))).await;
    let mut scripts = Vec::new();
    for (session, added) in sessions.into_iter().zip(added) {
        // A frame that is gone by now, or hung, is no way in.
        if let Ok(added) = added {
            let added = added.read::<page::AddedScript>().map_err(BrowserError::Protocol)?;
            scripts.push((session, added.identifier));
        }
    }
    Ok(scripts)
}
