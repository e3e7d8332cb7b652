//! The one task that hears the browser's news, keeps the world right and acts on it. Dialogs, crashes and new targets are
//! handled here, apart from whoever waits for a page, because an open dialog blocks every other command of its page.

use std::time::{Duration, Instant};

use legwork_cdp::{CdpError, Events, Limit, Link, Lost, Posted, SessionId, Signal, protocol::*};
use legwork_types::TabId;
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::{
    prepare::{Settings, prepare_frame, prepare_page, prepare_worker},
    world::{ContextKey, EVENTS, Effect, Fact, Gone, World},
};

/// How long a question of a page waits for a decision.
const DIALOG_WAIT: Duration = Duration::from_secs(30);
/// How long a tab that a page opened may take to show something.
const NEW_TAB_WAIT: Duration = Duration::from_secs(10);
/// For commands that the browser itself answers, not a page.
const BROWSER_ANSWER: Duration = Duration::from_secs(10);
/// How often the browser is asked for a sign of life, and how long it may take. A stopped process or a line that was cut
/// without a word would otherwise only be noticed when somebody needs it.
const HEARTBEAT: Duration = Duration::from_secs(5);
const HEARTBEAT_ANSWER: Duration = Duration::from_secs(15);

type Ask = Box<dyn FnOnce(&mut World) -> Vec<Effect> + Send>;

/// A handle to the hub.
#[derive(Clone)]
pub(crate) struct HubHandle {
    asks: mpsc::Sender<Ask>,
}

impl HubHandle {
    /// Asks something of the world, or changes it; the effects are performed after the answer is on its way.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut World) -> (T, Vec<Effect>) + Send + 'static,
    ) -> Option<T> {
        let (answer, receiver) = oneshot::channel();
        let ask: Ask = Box::new(move |world| {
            let (value, effects) = question(world);
            let _ = answer.send(value);
            effects
        });
        self.asks.send(ask).await.ok()?;
        receiver.await.ok()
    }

    /// Asks something of the world without changing it.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        question: impl FnOnce(&World) -> T + Send + 'static,
    ) -> Option<T> {
        self.ask(|world| (question(world), vec![])).await
    }

    /// Changes the world without waiting for anything; for `Drop`.
    pub(crate) fn tell(&self, change: impl FnOnce(&mut World) -> Vec<Effect> + Send + 'static) {
        // A full queue means a hub that is far behind or gone; closing the browser cleans up in either case.
        let _ = self.asks.try_send(Box::new(change));
    }
}

/// What a piece of work that the hub started has to say when it ends.
enum Report {
    Prepared { session: SessionId, tree: Option<page::FrameTree> },
    DialogExpired { tab: TabId, serial: u64 },
    LoadOverdue { tab: TabId },
    Kept { context: ContextKey, kept: Result<(String, u64), &'static str> },
    Targets(Vec<String>),
    Alive,
    Nothing,
}

pub(crate) struct Hub {
    link: Link,
    settings: Settings,
    world: World,
    work: JoinSet<Report>,
    heartbeat_out: bool,
}

/// The events that a hub lives on. To be asked for before anything is attached, so that none is missed.
pub(crate) fn subscribe(link: &Link) -> Events {
    link.subscribe(EVENTS)
}

pub(crate) fn start(
    link: &Link,
    events: Events,
    settings: Settings,
    stop: CancellationToken,
    tasks: &mut JoinSet<()>,
) -> HubHandle {
    let (asks, inbox) = mpsc::channel(1024);
    let hub = Hub {
        link: link.clone(),
        settings,
        world: World::default(),
        work: JoinSet::new(),
        heartbeat_out: false,
    };
    tasks.spawn(hub.run(events, inbox, stop));
    HubHandle { asks }
}

impl Hub {
    async fn run(mut self, mut events: Events, mut inbox: mpsc::Receiver<Ask>, stop: CancellationToken) {
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        heartbeat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                // News first: whoever asks after an answer from the browser finds the news that came before it.
                biased;
                () = stop.cancelled() => break,
                signal = events.next() => match signal {
                    Some(Signal::Event(event)) => {
                        if let Some(fact) = Fact::of(&event) {
                            let effects = self.world.apply(fact, Instant::now());
                            self.perform(effects);
                        }
                    }
                    Some(Signal::Gap(lost)) => self.look_anew(lost),
                    None => break,
                },
                Some(ask) = inbox.recv() => {
                    let effects = ask(&mut self.world);
                    self.perform(effects);
                }
                Some(report) = self.work.join_next() => {
                    // A task that panicked or was aborted has nothing to say.
                    let effects = report.map(|report| self.take(report)).unwrap_or_default();
                    self.perform(effects);
                }
                _ = heartbeat.tick(), if !self.heartbeat_out => self.ask_for_sign_of_life(),
            }
        }
        self.work.shutdown().await;
    }

    fn take(&mut self, report: Report) -> Vec<Effect> {
        match report {
            Report::Prepared { session, tree } => self.world.prepared(&session, tree.as_ref()),
            Report::DialogExpired { tab, serial } => self.world.dialog_expired(tab, serial),
            Report::LoadOverdue { tab } => self.world.load_overdue(tab),
            Report::Kept { context, kept } => {
                self.world.download_kept(&context, kept);
                vec![]
            }
            Report::Targets(living) => {
                let gone: Vec<TabId> = self
                    .world
                    .targets()
                    .into_iter()
                    .filter(|(_, target)| !living.contains(target))
                    .map(|(tab, _)| tab)
                    .collect();
                gone.into_iter().flat_map(|tab| self.world.end_tab(tab, Gone::Closed, "closed")).collect()
            }
            Report::Alive => {
                self.heartbeat_out = false;
                vec![]
            }
            Report::Nothing => vec![],
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.perform_one(effect);
        }
    }

    fn perform_one(&mut self, effect: Effect) {
        match effect {
            Effect::PreparePage { session } => {
                let steps = prepare_page(&self.link, &session, &self.settings);
                self.prepare(session, steps);
            }
            Effect::PrepareFrame { session } => {
                let steps = prepare_frame(&self.link, &session, &self.settings);
                self.prepare(session, steps);
            }
            Effect::PrepareWorker { session } => {
                let steps = prepare_worker(&self.link, &session, &self.settings);
                self.prepare(session, steps);
            }
            Effect::Release { session } => {
                let run = self.link.post(Some(&session), &runtime::RunIfWaitingForDebugger {});
                let detach = self.link.post(None, &target::DetachFromTarget { session_id: &session });
                self.ignore_reply(run);
                self.ignore_reply(detach);
            }
            Effect::CloseTarget { target } => {
                let close = self.link.post(None, &target::CloseTarget { target_id: &target });
                self.ignore_reply(close);
            }
            Effect::Abandon { session } => self.link.abandon(&session),
            Effect::AnswerDialog { session, accept, text } => {
                let answer = page::HandleJavaScriptDialog { accept, prompt_text: text.as_deref() };
                let answer = self.link.post(Some(&session), &answer);
                self.ignore_reply(answer);
            }
            Effect::ExpireDialog { tab, serial } => {
                self.later(DIALOG_WAIT, Report::DialogExpired { tab, serial })
            }
            Effect::WatchLoad { tab } => self.later(NEW_TAB_WAIT, Report::LoadOverdue { tab }),
            Effect::BringToFront { session } => {
                let front = self.link.post(Some(&session), &page::BringToFront {});
                self.ignore_reply(front);
            }
            Effect::CancelDownload { context, guid } => {
                let cancel = browser::CancelDownload { guid: &guid, browser_context_id: context.as_deref() };
                let cancel = self.link.post(None, &cancel);
                self.ignore_reply(cancel);
            }
            Effect::KeepDownload { context, folder, guid, name, bytes } => {
                self.work.spawn(async move {
                    let kept = tokio::fs::rename(folder.join(guid), folder.join(&name)).await;
                    let kept = kept.map(|()| (name, bytes)).map_err(|_| "could not be named");
                    Report::Kept { context, kept }
                });
            }
        }
    }

    fn prepare(&mut self, session: SessionId, steps: Result<crate::prepare::Steps, CdpError>) {
        self.work.spawn(async move {
            let limit = Limit::within(BROWSER_ANSWER);
            let tree = match steps {
                Ok(steps) => steps.done(&limit).await,
                Err(error) => Err(error),
            };
            if let Err(error) = &tree {
                tracing::debug!(%error, ?session, "a target could not be prepared");
            }
            Report::Prepared { session, tree: tree.ok().flatten() }
        });
    }

    /// Some replies say nothing that an event would not say.
    fn ignore_reply(&mut self, posted: Result<Posted, CdpError>) {
        if let Ok(posted) = posted {
            self.work.spawn(async move {
                let _ = posted.reply(&Limit::within(BROWSER_ANSWER)).await;
                Report::Nothing
            });
        }
    }

    fn later(&mut self, after: Duration, report: Report) {
        self.work.spawn(async move {
            tokio::time::sleep(after).await;
            report
        });
    }

    /// Events were lost: what is known is compared with what is there.
    fn look_anew(&mut self, lost: u64) {
        tracing::warn!(lost, "events were lost; looking at all targets anew");
        let targets = self.link.post(None, &target::GetTargets {});
        self.work.spawn(async move {
            let reply = match targets {
                Ok(posted) => posted.reply(&Limit::within(BROWSER_ANSWER)).await,
                Err(error) => Err(error),
            };
            match reply.and_then(|reply| reply.read::<target::Targets>()) {
                Ok(targets) => {
                    Report::Targets(targets.target_infos.into_iter().map(|info| info.target_id).collect())
                }
                Err(_) => Report::Nothing,
            }
        });
        for session in self.world.frame_sessions() {
            let tree = self.link.post(Some(&session), &page::GetFrameTree {});
            self.prepare(session, tree.map(crate::prepare::Steps::only_tree));
        }
    }

    fn ask_for_sign_of_life(&mut self) {
        self.heartbeat_out = true;
        let link = self.link.clone();
        self.work.spawn(async move {
            let sign = link.call(None, &browser::GetVersion {}, &Limit::within(HEARTBEAT_ANSWER)).await;
            if matches!(sign, Err(CdpError::Deadline { .. })) {
                link.give_up(Lost::Silent);
            }
            Report::Alive
        });
    }
}
