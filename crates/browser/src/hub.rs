//! The one task that hears the browser's news, keeps the world right and acts on it. Dialogs, crashes and new targets are
//! handled here, apart from whoever waits for a page, because an open dialog blocks every other command of its page.

use std::time::{Duration, Instant};

use futures_util::FutureExt;
use legwork_cdp::{CdpError, Events, Limit, Link, Lost, Posted, SessionId, Signal, protocol::*};
use legwork_types::{OutgoingKind, TabId};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::{
    barrier::{GivenUp, Ticket},
    decided::{answer_with_nothing, let_go, let_go_as, turn_back},
    diagnosis::probe,
    prepare::{Settings, Standing, close_sockets, prepare_frame, prepare_page, prepare_worker},
    world::{ContextKey, EVENTS, Effect, Fact, Paused, World},
};

/// How long a question of a page waits for a decision.
const DIALOG_WAIT: Duration = Duration::from_secs(30);
/// How long a tab that a page opened may take to show something.
const NEW_TAB_WAIT: Duration = Duration::from_secs(10);
/// How long a page may be mute while a request of it is held. A page that waits for the answer and does nothing else is mute for good.
const MUTE: Duration = Duration::from_secs(1);
/// For commands that the browser itself answers, not a page.
const BROWSER_ANSWER: Duration = Duration::from_secs(10);
/// How long a new target may take until our settings are in force: on a busy machine a process of its own takes its time to come up.
/// Whoever waits for it has a limit of its own.
const PREPARATION: Duration = Duration::from_secs(30);
/// How often the browser is asked for a sign of life, and how long it may take. A stopped process or a line that was cut
/// without a word would otherwise only be noticed when somebody needs it.
const HEARTBEAT: Duration = Duration::from_secs(5);
const HEARTBEAT_ANSWER: Duration = Duration::from_secs(15);
/// The hub itself never waits, so this is never reached by one that lives.
const HUB_ANSWER: Duration = Duration::from_secs(10);
/// News that are heard in a row before somebody else has a turn: a flood must not make everybody else wait.
const IN_A_ROW: u32 = 256;
/// At least this long between two looks at everything.
const LOOK_PAUSE: Duration = Duration::from_secs(1);

/// Nothing comes, nothing goes.
const OFFLINE: network::EmulateNetworkConditions = network::EmulateNetworkConditions {
    offline: true,
    latency: 0,
    download_throughput: -1,
    upload_throughput: -1,
};

type Ask = Box<dyn FnOnce(&mut World) -> Vec<Effect> + Send>;

/// A handle to the hub.
#[derive(Clone)]
pub(crate) struct HubHandle {
    /// Unbounded, but everybody waits for the answer before asking again.
    asks: mpsc::UnboundedSender<Ask>,
    link: Link,
}

impl HubHandle {
    /// Asks something of the world, or changes it; the effects are performed after the answer is on its way. A hub that
    /// does not answer is one whose browser is gone.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut World) -> (T, Vec<Effect>) + Send + 'static,
    ) -> Result<T, Lost> {
        let (answer, receiver) = oneshot::channel();
        let ask: Ask = Box::new(move |world| {
            let (value, effects) = question(world);
            let _ = answer.send(value);
            effects
        });
        let lost = || self.link.is_lost().unwrap_or(Lost::Ended);
        self.asks.send(ask).map_err(|_| lost())?;
        match Limit::within(HUB_ANSWER).run(receiver).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(_)) | Err(_) => Err(lost()),
        }
    }

    /// The same, and what follows from it is on its way to the browser before anything that is posted after this.
    pub(crate) async fn have_done<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut World) -> (T, Vec<Effect>) + Send + 'static,
    ) -> Result<T, Lost> {
        let value = self.ask(change).await?;
        // The hub does one thing after the other.
        self.look(|_| ()).await?;
        Ok(value)
    }

    /// Asks something of the world without changing it.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        question: impl FnOnce(&World) -> T + Send + 'static,
    ) -> Result<T, Lost> {
        self.ask(|world| (question(world), vec![])).await
    }

    /// Changes the world without waiting for anything; for `Drop`.
    pub(crate) fn tell(&self, change: impl FnOnce(&mut World) -> Vec<Effect> + Send + 'static) {
        // Without a hub there is no world to change any more.
        let _ = self.asks.send(Box::new(change));
    }
}

/// What a piece of work that the hub started has to say when it ends.
enum Report {
    Prepared { session: SessionId, tree: Option<page::FrameTree> },
    DialogExpired { tab: TabId, serial: u64 },
    HeldInVain { ticket: Ticket, why: GivenUp },
    LoadOverdue { tab: TabId },
    DownloadOverdue { context: ContextKey, guid: String },
    Kept { context: ContextKey, kept: Result<(String, u64), &'static str> },
    Looked { session: SessionId, tree: page::FrameTree },
    Compared { known: Vec<(TabId, String)>, living: Vec<target::TargetInfo> },
    MayLookAgain,
    Followed { tab: TabId, title: String },
    Alive,
    Nothing,
}

pub(crate) struct Hub {
    link: Link,
    settings: Settings,
    world: World,
    work: JoinSet<Report>,
    heartbeat_out: bool,
    looking: Looking,
}

/// Whether everything is being looked at anew.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Looking {
    No,
    Yes,
    /// More was lost meanwhile.
    YesAndAgain,
}

/// The events that a hub lives on.
pub(crate) struct News {
    events: Events,
    /// Requests that wait. Apart from the others: a flood of those must not drown one of these, which would wait for ever.
    paused: Events,
}

/// To be asked for before anything is attached, so that none is missed.
pub(crate) fn subscribe(link: &Link) -> News {
    News { events: link.subscribe(EVENTS), paused: link.subscribe(&[fetch::REQUEST_PAUSED]) }
}

pub(crate) fn start(
    link: &Link,
    news: News,
    settings: Settings,
    stop: CancellationToken,
    tasks: &mut JoinSet<()>,
) -> HubHandle {
    let (asks, inbox) = mpsc::unbounded_channel();
    let hub = Hub {
        link: link.clone(),
        settings,
        world: World::default(),
        work: JoinSet::new(),
        heartbeat_out: false,
        looking: Looking::No,
    };
    tasks.spawn(hub.run(news, inbox, stop));
    HubHandle { asks, link: link.clone() }
}

impl Drop for Hub {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.link.give_up(Lost::Unattended);
        }
    }
}

impl Hub {
    async fn run(
        mut self,
        News { mut events, mut paused }: News,
        mut inbox: mpsc::UnboundedReceiver<Ask>,
        stop: CancellationToken,
    ) {
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        heartbeat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut in_a_row = 0;
        loop {
            if in_a_row >= IN_A_ROW {
                in_a_row = 0;
                if let Ok(ask) = inbox.try_recv() {
                    let effects = ask(&mut self.world);
                    self.perform(effects);
                }
                while let Some(report) = self.work.try_join_next() {
                    self.take_joined(report);
                }
                if let Some(Some(signal)) = paused.next().now_or_never() {
                    self.hear_of_paused(&signal);
                }
            }
            tokio::select! {
                // News first: whoever asks after an answer from the browser finds the news that came before it.
                biased;
                () = stop.cancelled() => break,
                signal = events.next() => {
                    in_a_row += 1;
                    match signal {
                        Some(Signal::Event(event)) => {
                            if let Some(fact) = Fact::of(&event) {
                                let effects = self.world.apply(fact, Instant::now());
                                self.perform(effects);
                            }
                        }
                        Some(Signal::Gap(lost)) => self.look_anew(lost),
                        None => break,
                    }
                }
                signal = paused.next() => {
                    in_a_row += 1;
                    match signal {
                        Some(signal) => self.hear_of_paused(&signal),
                        None => break,
                    }
                }
                Some(ask) = inbox.recv() => {
                    in_a_row = 0;
                    let effects = ask(&mut self.world);
                    self.perform(effects);
                }
                Some(report) = self.work.join_next() => {
                    in_a_row = 0;
                    self.take_joined(report);
                }
                _ = heartbeat.tick(), if !self.heartbeat_out => self.ask_for_sign_of_life(),
            }
        }
        self.work.shutdown().await;
    }

    /// A request waits. One that can't be read is turned back.
    fn hear_of_paused(&mut self, signal: &Signal) {
        let event = match signal {
            Signal::Event(event) => event,
            Signal::Gap(lost) => {
                tracing::warn!(
                    lost,
                    "requests that wait were not heard of; they wait until their page gives up"
                );
                return;
            }
        };
        let effects = match Paused::read(event) {
            Ok(paused) => self.world.paused(paused, Instant::now()),
            Err(unreadable) => {
                tracing::warn!(error = %unreadable.error, "a request that waits can't be read");
                let turn_back = |place| Effect::TurnBack { place, kind: OutgoingKind::Other };
                unreadable.place.map(turn_back).into_iter().collect()
            }
        };
        self.perform(effects);
    }

    fn take_joined(&mut self, report: Result<Report, tokio::task::JoinError>) {
        match report {
            Ok(report) => {
                let effects = self.take(report);
                self.perform(effects);
            }
            // What it would have said is waited for in vain: a target that stays unprepared, a heartbeat that never ends.
            Err(error) if error.is_panic() => self.link.give_up(Lost::Unattended),
            // A task that was aborted has nothing to say.
            Err(_) => {}
        }
    }

    fn take(&mut self, report: Report) -> Vec<Effect> {
        match report {
            Report::Prepared { session, tree } => self.world.prepared(&session, tree.as_ref()),
            Report::DialogExpired { tab, serial } => self.world.dialog_expired(tab, serial),
            Report::HeldInVain { ticket, why } => self.world.give_up(ticket, why),
            Report::LoadOverdue { tab } => self.world.load_overdue(tab),
            Report::DownloadOverdue { context, guid } => self.world.download_overdue(&context, &guid),
            Report::Kept { context, kept } => {
                self.world.download_kept(&context, kept);
                vec![]
            }
            Report::Looked { session, tree } => self.world.looked(&session, &tree),
            Report::Compared { known, living } => self.world.compared(&known, &living),
            Report::MayLookAgain => {
                if std::mem::replace(&mut self.looking, Looking::No) == Looking::YesAndAgain {
                    self.look_anew(0);
                }
                vec![]
            }
            Report::Followed { tab, title } => {
                self.world.followed(tab, &title);
                vec![]
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
                let sockets = self.world.sockets_of(&session);
                let thrift = self.world.thrift_of(&session);
                let steps = prepare_page(&self.link, &session, &self.settings, &sockets, thrift);
                self.prepare(session, steps);
            }
            Effect::PrepareFrame { session } => {
                let sockets = self.world.sockets_of(&session);
                let thrift = self.world.thrift_of(&session);
                let steps = prepare_frame(&self.link, &session, &self.settings, &sockets, thrift);
                self.prepare(session, steps);
            }
            Effect::PrepareWorker { session } => {
                let sockets = self.world.sockets_of(&session);
                let steps = prepare_worker(&self.link, &session, &self.settings, &sockets);
                self.prepare(session, steps);
            }
            Effect::Judge { barrier, waiting } => {
                let ruling = barrier.0.rule(waiting.ticket, &waiting.outgoing);
                let effects = self.world.ruled(*waiting, ruling);
                self.perform(effects);
            }
            Effect::JudgeUnclaimed { barriers, place, outgoing } => {
                let is_admitted = barriers.iter().all(|barrier| barrier.0.admits_unclaimed(&outgoing));
                let effect = match is_admitted {
                    true => Effect::LetGo { place },
                    false => Effect::TurnBack { place, kind: outgoing.kind },
                };
                self.perform(vec![effect]);
            }
            #[cfg(test)]
            Effect::Fail => drop(self.work.spawn(async { panic!("as the test wants it") })),
            Effect::LetGo { place } => let_go(&self.link, &place),
            Effect::LetGoAs { place, outgoing } => let_go_as(&self.link, &place, &outgoing),
            Effect::AnswerWithNothing { place } => answer_with_nothing(&self.link, &place),
            Effect::TurnBack { place, kind } => turn_back(&self.link, &place, kind),
            Effect::WatchHold { ticket, page, hold } => self.watch_hold(ticket, page, hold),
            Effect::TellGivenUp { barrier, ticket, why } => barrier.0.given_up(ticket, why),
            Effect::TellAnswered { barrier, ticket } => barrier.0.answered(ticket),
            Effect::Refuse { session, target } => {
                // A page waits inside `window.open` for as long as its new window waits for us, and until that is closed it can use it.
                drop(close_sockets(&self.link, &session));
                self.ignore_reply(self.link.post(Some(&session), &runtime::RunIfWaitingForDebugger {}));
                self.perform_one(Effect::CloseTarget { target });
            }
            Effect::Release { session } => {
                // In a browser of ours whatever nobody knows is some page's doing.
                if self.settings.barrier == Standing::Browser {
                    drop(close_sockets(&self.link, &session));
                }
                let run = self.link.post(Some(&session), &runtime::RunIfWaitingForDebugger {});
                let detach = self.link.post(None, &target::DetachFromTarget { session_id: &session });
                self.ignore_reply(run);
                self.ignore_reply(detach);
            }
            // What is posted first is done first: nobody need wait for the answers.
            Effect::CutOff { session } => {
                drop(self.link.post(Some(&session), &OFFLINE));
                drop(self.link.post(Some(&session), &page::Disable {}));
            }
            Effect::DisposeContext { id } => {
                drop(self.link.post(None, &target::DisposeBrowserContext { browser_context_id: &id }));
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
            Effect::Introduce { tab, target } => {
                let info = self.link.post(None, &target::GetTargetInfo { target_id: &target });
                self.work.spawn(async move {
                    let info = read_reply::<target::InfoOfTarget>(info).await;
                    Report::Followed {
                        tab,
                        title: info.map(|info| info.target_info.title.0).unwrap_or_default(),
                    }
                });
            }
            Effect::BringToFront { session } => {
                let front = self.link.post(Some(&session), &page::BringToFront {});
                self.ignore_reply(front);
            }
            Effect::WatchDownload { context, guid, most } => {
                self.later(most, Report::DownloadOverdue { context, guid });
            }
            Effect::CancelDownload { context, guid } => {
                let cancel = browser::CancelDownload { guid: &guid, browser_context_id: context.as_deref() };
                let cancel = self.link.post(None, &cancel);
                self.ignore_reply(cancel);
            }
            Effect::Attach { target } => {
                let attach =
                    self.link.post(None, &target::AttachToTarget { target_id: &target, flatten: true });
                self.ignore_reply(attach);
            }
            Effect::DiscardDownload { folder, guid } => {
                self.work.spawn(async move {
                    let _ = tokio::fs::remove_file(folder.join(guid)).await;
                    Report::Nothing
                });
            }
            Effect::ForgetDownloads { context, folder } => {
                let deny = browser::SetDownloadBehavior {
                    behavior: "deny",
                    browser_context_id: context.as_deref(),
                    download_path: None,
                    events_enabled: true,
                };
                let deny = self.link.post(None, &deny);
                self.ignore_reply(deny);
                self.work.spawn(async move {
                    let _ = tokio::fs::remove_dir_all(folder).await;
                    Report::Nothing
                });
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
            let limit = Limit::within(PREPARATION);
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

    /// Gives a request up when its page freezes over it, or nobody decides.
    fn watch_hold(&mut self, ticket: Ticket, page: Option<SessionId>, hold: Duration) {
        self.later(hold, Report::HeldInVain { ticket, why: GivenUp::Overdue });
        if let Some(page) = page
            && let Ok(probe) = self.link.post(Some(&page), &probe())
        {
            self.work.spawn(async move {
                match probe.reply(&Limit::within(MUTE)).await {
                    Err(CdpError::Deadline { .. }) => Report::HeldInVain { ticket, why: GivenUp::Frozen },
                    _ => Report::Nothing,
                }
            });
        }
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

    /// Events were lost: what is known is compared with what is there. One look at a time, however much is lost.
    fn look_anew(&mut self, lost: u64) {
        if self.looking != Looking::No {
            self.looking = Looking::YesAndAgain;
            return;
        }
        self.looking = Looking::Yes;
        self.later(LOOK_PAUSE, Report::MayLookAgain);
        tracing::warn!(lost, "events were lost; looking at all targets anew");
        self.world.news_lost();
        let known = self.world.targets();
        let targets = self.link.post(None, &target::GetTargets {});
        self.work.spawn(async move {
            match read_reply::<target::Targets>(targets).await {
                Some(targets) => Report::Compared { known, living: targets.target_infos },
                None => Report::Nothing,
            }
        });
        for session in self.world.frame_sessions() {
            let tree = self.link.post(Some(&session), &page::GetFrameTree {});
            self.work.spawn(async move {
                match read_reply::<page::GotFrameTree>(tree).await {
                    Some(page::GotFrameTree { frame_tree: tree }) => Report::Looked { session, tree },
                    None => Report::Nothing,
                }
            });
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

/// What the browser answers, or nothing where it does not.
async fn read_reply<T: for<'a> serde::Deserialize<'a>>(posted: Result<Posted, CdpError>) -> Option<T> {
    posted.ok()?.reply(&Limit::within(BROWSER_ANSWER)).await.ok()?.read().ok()
}
