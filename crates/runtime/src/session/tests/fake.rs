//! A browser that needs no machine: it shows captures, reacts as it is told, and writes down every permit that it is given.

use std::{
    collections::{HashMap, VecDeque},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
};

use legwork_browser::{
    After, Aims, Blocked, Body, BrowserError, Capture, CaptureOptions, Done, Epoch, Landing, Limit, Lost,
    NotDone, Rect, TabSummary,
};
use legwork_observe::{Look, PageCapture};
use legwork_policy::{
    Permit, Wire,
    logins::{Cookie, SavedState, Storage},
};
use legwork_types::{
    Intent, PageUrl, TabId,
    contract::{ActionId, Dialog, Fingerprint, ObservationId, Receipt, SessionId},
};
use tokio::sync::Notify;

use crate::{
    gate::Gate,
    session::port::{Driver, Place, Work},
};

/// What a permit said when it was given away.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) session: SessionId,
    pub(crate) observation: ObservationId,
    pub(crate) intent: Intent,
    pub(crate) targets: Vec<(ActionId, Fingerprint)>,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) aims: Aims,
}

/// What a page does when it is acted on.
type React = Box<dyn FnOnce(&mut Scenery, Permit) -> Result<Done, NotDone> + Send>;

/// How a page reacts to an act.
pub(crate) enum Reaction {
    /// As this says.
    Does(React),
    /// It is looked at before its effects have settled, and then does this. Whether that look holds is for it to say.
    IsSeen { holds: bool, then: Box<dyn FnOnce(&mut Scenery) + Send> },
    /// Not at all, until it is called off: input had left for it, or not.
    Hangs { dispatched: bool },
}

/// What a place shows now.
pub(crate) struct Scenery {
    pub(crate) page: PageCapture,
    pub(crate) front: TabId,
    pub(crate) dialog: Option<Dialog>,
    pub(crate) lost: Option<Lost>,
    /// Whether the page answers; one that is being left does not.
    pub(crate) answers: bool,
    /// What the next looks fail with.
    pub(crate) failures: VecDeque<BrowserError>,
    pub(crate) reactions: VecDeque<Reaction>,
    pub(crate) given: Vec<Given>,
    pub(crate) captures: usize,
    last: Option<Epoch>,
    pub(crate) is_closed: bool,
}

/// A place of the fake browser, as tests hold it.
#[derive(Clone)]
pub(crate) struct FakePlace {
    scenery: Arc<Mutex<Scenery>>,
    site: Arc<HashMap<String, PageCapture>>,
    /// Told when an act has begun to hang.
    pub(crate) hangs: Arc<Notify>,
}

/// The fake browser.
#[derive(Clone, Default)]
pub(crate) struct FakeDriver(Arc<Shared>);

#[derive(Default)]
struct Shared {
    site: Arc<HashMap<String, PageCapture>>,
    places: Mutex<Vec<FakePlace>>,
    rests: Mutex<u32>,
    shuts: Mutex<u32>,
}

impl FakeDriver {
    /// A browser that knows these pages.
    pub(crate) fn new(site: HashMap<String, PageCapture>) -> Self {
        Self(Arc::new(Shared { site: Arc::new(site), ..Shared::default() }))
    }

    /// The place that was opened as the `n`th, from 0.
    pub(crate) fn place(&self, n: usize) -> FakePlace {
        self.0.places.lock().unwrap()[n].clone()
    }

    /// How many places are open.
    pub(crate) fn open_places(&self) -> usize {
        self.0.places.lock().unwrap().iter().filter(|place| !place.scenery().is_closed).count()
    }

    /// How often the browser was sent to rest, and ended.
    pub(crate) fn ends(&self) -> (u32, u32) {
        (*self.0.rests.lock().unwrap(), *self.0.shuts.lock().unwrap())
    }
}

impl FakePlace {
    pub(crate) fn scenery(&self) -> MutexGuard<'_, Scenery> {
        self.scenery.lock().unwrap()
    }

    /// The next act comes to this.
    pub(crate) fn reacts(
        &self,
        reaction: impl FnOnce(&mut Scenery, Permit) -> Result<Done, NotDone> + Send + 'static,
    ) {
        self.scenery().reactions.push_back(Reaction::Does(Box::new(reaction)));
    }

    /// The next act is looked at early; what it does after that.
    pub(crate) fn is_seen(&self, holds: bool, then: impl FnOnce(&mut Scenery) + Send + 'static) {
        self.scenery().reactions.push_back(Reaction::IsSeen { holds, then: Box::new(then) });
    }

    /// The next act hangs.
    pub(crate) fn hangs(&self, dispatched: bool) {
        self.scenery().reactions.push_back(Reaction::Hangs { dispatched });
    }

    /// The permits so far.
    pub(crate) fn given(&self) -> Vec<Given> {
        self.scenery().given.clone()
    }
}

/// A receipt of input that left for the page.
pub(crate) fn dispatched() -> Receipt {
    Receipt { dispatched: true, ..Receipt::default() }
}

pub(crate) fn done(after: After) -> Result<Done, NotDone> {
    Ok(Done { receipt: dispatched(), after, look: None })
}

/// Nothing was sent to the page.
pub(crate) fn before(permit: Permit, why: Blocked) -> Result<Done, NotDone> {
    Err(NotDone { why, permit: Some(permit), receipt: Receipt::default() })
}

/// It broke off after input had left.
pub(crate) fn midway(why: BrowserError) -> Result<Done, NotDone> {
    Err(NotDone { why: why.into(), permit: None, receipt: dispatched() })
}

pub(crate) fn lost() -> BrowserError {
    BrowserError::Lost { cause: Lost::Closed, url: None }
}

impl Driver for FakeDriver {
    fn open<'a>(
        &'a self,
        _: Arc<Gate>,
        _: legwork_browser::Thrift,
        _: &'a Limit,
    ) -> Work<'a, Result<Box<dyn Place>, BrowserError>> {
        let page = PageCapture::default();
        let scenery = Scenery {
            page,
            front: TabId::nth(1),
            dialog: None,
            lost: None,
            answers: true,
            failures: VecDeque::new(),
            reactions: VecDeque::new(),
            given: Vec::new(),
            captures: 0,
            last: None,
            is_closed: false,
        };
        let scenery = Arc::new(Mutex::new(scenery));
        let place = FakePlace { scenery, site: self.0.site.clone(), hangs: Arc::new(Notify::new()) };
        self.0.places.lock().unwrap().push(place.clone());
        Box::pin(async move { Ok(Box::new(place) as Box<dyn Place>) })
    }

    fn rest(&self) -> Work<'_, ()> {
        *self.0.rests.lock().unwrap() += 1;
        Box::pin(async {})
    }

    fn shut(&self) -> Work<'_, ()> {
        *self.0.shuts.lock().unwrap() += 1;
        Box::pin(async {})
    }
}

impl FakePlace {
    fn url(&self) -> String {
        let scenery = self.scenery();
        scenery.page.frames.first().map(|frame| frame.facts.url.untrusted().to_owned()).unwrap_or_default()
    }

    fn arrived(&self) -> Result<Landing, BrowserError> {
        let content_type = self.scenery().answers.then(|| "text/html".to_owned());
        Ok(Landing {
            url: self.url(),
            title: String::new(),
            status: Some(200),
            content_type,
            body: Body::Whole,
        })
    }

    /// A browser that is gone answers nothing.
    fn living<T>(&self, answer: Result<T, BrowserError>) -> Result<T, BrowserError> {
        match self.scenery().lost.clone() {
            Some(cause) => Err(BrowserError::Lost { cause, url: None }),
            None => answer,
        }
    }

    fn seen(&self) -> Result<Capture, BrowserError> {
        let mut scenery = self.scenery();
        scenery.captures += 1;
        if let Some(failure) = scenery.failures.pop_front() {
            return Err(failure);
        }
        let epoch = Epoch::default();
        scenery.last = Some(epoch.clone());
        Ok(Capture { page: scenery.page.clone(), epoch })
    }
}

impl Place for FakePlace {
    fn cookies<'a>(&'a self, _: &'a Limit) -> Work<'a, Result<Vec<Cookie>, BrowserError>> {
        Box::pin(async { self.living(Ok(vec![])) })
    }

    fn stored_in_front<'a>(
        &'a self,
        origins: &'a [String],
        limit: &'a Limit,
    ) -> Work<'a, Result<Vec<Storage>, BrowserError>> {
        self.stored(origins, limit)
    }

    fn log_in<'a>(&'a self, _: &'a SavedState, _: &'a Limit) -> Work<'a, Result<(), BrowserError>> {
        Box::pin(async { self.living(Ok(())) })
    }

    fn stored<'a>(&'a self, _: &'a [String], _: &'a Limit) -> Work<'a, Result<Vec<Storage>, BrowserError>> {
        Box::pin(async { self.living(Ok(vec![])) })
    }

    fn wire(&self) -> Wire {
        Wire::Open
    }

    fn is_lost(&self) -> Option<Lost> {
        self.scenery().lost.clone()
    }

    fn go<'a>(&'a self, url: &'a PageUrl, _: &'a Limit) -> Work<'a, Result<Landing, BrowserError>> {
        Box::pin(async move {
            let page = self.site.get(url.as_str()).cloned().ok_or_else(|| BrowserError::Navigation {
                url: url.to_string(),
                net: "net::ERR_NAME_NOT_RESOLVED".into(),
            })?;
            self.scenery().page = page;
            self.arrived()
        })
    }

    fn landing<'a>(&'a self, _: &'a Limit) -> Work<'a, Result<Landing, BrowserError>> {
        Box::pin(async { self.living(self.arrived()) })
    }

    fn capture<'a>(&'a self, _: &'a CaptureOptions, _: &'a Limit) -> Work<'a, Result<Capture, BrowserError>> {
        Box::pin(async { self.living(self.seen()) })
    }

    fn act<'a>(
        &'a self,
        permit: Permit,
        aims: &'a Aims,
        look: Option<Work<'a, ()>>,
        limit: &'a Limit,
    ) -> Work<'a, Result<Done, NotDone>> {
        Box::pin(async move {
            let reaction = {
                let mut scenery = self.scenery();
                scenery.given.push(Given {
                    session: permit.session().clone(),
                    observation: permit.observation().clone(),
                    intent: permit.intent().clone(),
                    targets: permit.targets().to_vec(),
                    files: permit.files().map(PathBuf::from).collect(),
                    aims: aims.clone(),
                });
                scenery.reactions.pop_front()
            };
            match reaction {
                None => done(After::Quiet),
                Some(Reaction::Does(react)) => react(&mut self.scenery(), permit),
                Some(Reaction::IsSeen { holds, then }) => {
                    look.expect("there is a page to look at").await;
                    let mut scenery = self.scenery();
                    then(&mut scenery);
                    let look = scenery.last.clone().filter(|_| holds);
                    Ok(Done { receipt: dispatched(), after: After::Quiet, look })
                }
                Some(Reaction::Hangs { dispatched }) => {
                    self.hangs.notify_one();
                    let _ = limit.run(std::future::pending::<()>()).await;
                    let receipt = Receipt { dispatched, ..Receipt::default() };
                    let permit = (!dispatched).then_some(permit);
                    Err(NotDone { why: BrowserError::Cancelled { what: "acting" }.into(), permit, receipt })
                }
            }
        })
    }

    fn tabs<'a>(&'a self, _: &'a Limit) -> Work<'a, Result<Vec<TabSummary>, BrowserError>> {
        Box::pin(async {
            let id = self.scenery().front;
            let tab = TabSummary { id, url: self.url(), title: "Tab".into(), active: true };
            self.living(Ok(vec![tab]))
        })
    }

    fn dialog<'a>(&'a self, _: &'a Limit) -> Work<'a, Result<Option<Dialog>, BrowserError>> {
        Box::pin(async {
            let dialog = self.scenery().dialog.clone();
            self.living(Ok(dialog))
        })
    }

    fn picture<'a>(&'a self, _: &'a Limit) -> Work<'a, Result<Vec<u8>, BrowserError>> {
        Box::pin(async { Err(BrowserError::unreadable_picture("nothing is drawn here".into())) })
    }

    fn covers<'a>(
        &'a self,
        _: &'a Look,
        _: &'a Epoch,
        _: &'a Limit,
    ) -> Work<'a, Result<Vec<Rect>, BrowserError>> {
        Box::pin(async { Ok(vec![]) })
    }

    fn watch_everything<'a>(&'a self, _: &'a Limit) -> Work<'a, Result<(), BrowserError>> {
        Box::pin(async { Ok(()) })
    }

    fn close<'a>(self: Box<Self>, _: &'a Limit) -> Work<'a, Result<(), BrowserError>>
    where
        Self: 'a,
    {
        self.scenery().is_closed = true;
        Box::pin(async { Ok(()) })
    }
}
