//! One errand in a session of its own: steps that have to work, and a last one that is ruled on.

use legwork_runtime::{Acted, Caller, CancellationToken, OpenRequest, Seen};
use legwork_types::{
    Code, Details, PageUrl, Problem,
    contract::{ActRequest, CaughtRequest, ObserveOptions, SessionId},
};

use tokio::time::timeout;

use super::{
    stage::{LONG, Stage},
    steps,
};

/// An errand.
pub(crate) struct Errand<'a> {
    stage: &'a Stage,
    caller: Caller,
    never: CancellationToken,
    pub(crate) session: SessionId,
    pub(crate) seen: Seen,
}

impl<'a> Errand<'a> {
    /// Begins on this page.
    pub(crate) async fn begin(stage: &'a Stage, url: &str) -> Self {
        let (caller, never) = (Caller::new("errand"), CancellationToken::new());
        let request = OpenRequest { url: Some(PageUrl::parse(url).unwrap()), ..OpenRequest::default() };
        let opened = stage.sessions.open(&caller, request, &never).await.unwrap();
        Self { stage, caller, never, session: opened.session, seen: opened.seen }
    }

    /// Does what has to work without a question.
    pub(crate) async fn follow(&mut self, steps: &[&str]) {
        for step in steps {
            let acted = self.act(step).await;
            assert!(acted.error.is_none(), "{step}: {:#?}", acted.error);
        }
    }

    /// Does one step, whatever comes of it.
    pub(crate) async fn act(&mut self, step: &str) -> Acted {
        // What scripts of the page bring about may take its time.
        let there = async {
            loop {
                if let Some(call) = steps::call(&self.seen, step) {
                    return call;
                }
                self.look().await;
            }
        };
        let found = timeout(LONG, there).await;
        let mut call =
            found.unwrap_or_else(|_| panic!("there is nothing for {step}, but\n{}", steps::all(&self.seen)));
        call["sessionId"] = self.session.0.clone().into();
        call["observationId"] = self.seen.look.id().0.clone().into();
        let request: ActRequest = serde_json::from_value(call).unwrap();
        let acted = self.stage.sessions.act(&self.caller, request, &self.never).await;
        match &acted.next {
            Some(next) => self.seen = next.clone(),
            None => self.look().await,
        }
        acted
    }

    /// Does one step that must not come about by itself: what was caught of it, and why.
    pub(crate) async fn caught(&mut self, step: &str) -> (Problem, CaughtRequest) {
        let problem = self.act(step).await.error.unwrap_or_else(|| panic!("nobody was asked: {step}"));
        match problem.details.as_deref() {
            Some(Details::Caught { request, .. }) => (problem.clone(), (**request).clone()),
            _ => panic!("nothing was caught of {step}: {problem:#?}"),
        }
    }

    /// Does one step that somebody is asked about and says yes to: done again where it has to be.
    pub(crate) async fn asked(&mut self, step: &str) {
        let (problem, _) = self.caught(step).await;
        assert_eq!(problem.code, Code::SafetyConfirmationRequired, "{step}: {problem:#?}");
        let is_held = matches!(problem.details.as_deref(), Some(Details::Caught { held: true, .. }));
        assert!(is_held, "what was shown leaves by itself: {problem:#?}");
    }

    pub(crate) async fn look(&mut self) {
        let options = ObserveOptions::default();
        self.seen =
            self.stage.sessions.observe(&self.caller, &self.session, &options, &self.never).await.unwrap();
    }

    /// What the page said at the last look.
    async fn words(&self) -> String {
        self.stage.sessions.read(&self.caller, &self.session, None, 20_000, &self.never).await.unwrap()
    }

    /// Looks until the page says this: what a script shows may come after the act has ended.
    pub(crate) async fn reads(&mut self, words: &str) {
        let mut said = self.words().await;
        let says = async {
            while !said.contains(words) {
                self.look().await;
                said = self.words().await;
            }
        };
        if timeout(LONG, says).await.is_err() {
            panic!("the page does not say {words:?}, but\n{said}");
        }
    }
}
