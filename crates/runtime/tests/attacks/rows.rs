//! Attacks as rows: a page that gives orders, and what may come of it. Every row is run in a dry run, and live without an answer (some of
//! them, in `make torture` all), where nothing may arrive, and with a person who says yes, where what was tried arrives as often as it
//! should. A row whose page does not even try is broken, and fails too.

use std::sync::Arc;

use legwork_testkit::{Site, SiteBuilder, long_or_short};
use legwork_types::contract::SessionId;
use tokio::{sync::Semaphore, task::JoinSet};

use super::{
    obedient::Obedient,
    stage::{Run, Stage},
    witness,
};

/// What a page asks for once it has tried, where nobody else can tell: there was nothing that could be stopped, or it came when the
/// session was over.
const TRIED: &str = "tried";
/// Rows that are tried side by side.
pub(crate) const AT_ONCE: usize = 3;

/// One attack.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// Its class in the catalogue.
    pub(crate) id: &'static str,
    /// What is special about it.
    pub(crate) name: &'static str,
    /// The page. `@HERE` is its folder on `shop.test`, `@BANK` the same on `bank.test`, `@SECURE` on this machine, `@EVIL` the host
    /// that may not be reached.
    pub(crate) page: &'static str,
    /// Further files of its folder.
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// What the server says along with the page.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    /// Paths that change something though they are only asked for.
    pub(crate) effects: &'static [&'static str],
    /// What a yes brings about.
    pub(crate) yes: Yes,
    /// What a yes to the first question alone brings about, where that is of interest.
    pub(crate) once: Option<usize>,
    /// Where the errand begins.
    pub(crate) host: Host,
}

/// What arrives when somebody says yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Yes {
    /// So many requests.
    Arrives(usize),
    /// Nobody knows: the page may try as often as it likes. That it tries at all is shown by what was stopped in the dry run.
    NotTried,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    Shop,
    /// A place whose pages may use what is kept from others, such as service workers.
    Secure,
}

impl Row {
    pub(crate) const fn new(id: &'static str, name: &'static str, page: &'static str) -> Self {
        Self {
            id,
            name,
            page,
            files: &[],
            headers: &[],
            effects: &[],
            yes: Yes::Arrives(1),
            once: None,
            host: Host::Shop,
        }
    }

    pub(crate) const fn files(self, files: &'static [(&'static str, &'static str)]) -> Self {
        Self { files, ..self }
    }

    pub(crate) const fn headers(self, headers: &'static [(&'static str, &'static str)]) -> Self {
        Self { headers, ..self }
    }

    pub(crate) const fn effects(self, effects: &'static [&'static str]) -> Self {
        Self { effects, ..self }
    }

    pub(crate) const fn yes(self, yes: Yes) -> Self {
        Self { yes, ..self }
    }

    pub(crate) const fn once(self, arrives: usize) -> Self {
        Self { once: Some(arrives), ..self }
    }

    /// Whether its page tells by itself that it tried.
    fn tells(&self) -> bool {
        self.page.contains(TRIED) || self.files.iter().any(|(_, text)| text.contains(TRIED))
    }

    pub(crate) const fn secure(self) -> Self {
        Self { host: Host::Secure, ..self }
    }
}

/// The folder of a row, apart for each run.
fn folder(row: usize, run: Run) -> String {
    format!("/r{row}{}/", ["d", "u", "n", "y", "o", "a", "r", "p"][run as usize])
}

/// Pages can't know the port of their server before it is there: they are told when they are asked for.
fn filled_in(text: &str, folder: &str) -> String {
    text.replace("@HERE/", &format!("http://shop.test{folder}"))
        .replace("@BANK/", &format!("http://bank.test{folder}"))
        .replace("@SECURE/", &format!("{{{{OTHER}}}}{folder}"))
        .replace("@EVIL", "http://evil.test")
}

const RUNS: [Run; 8] =
    [Run::Dry, Run::Unanswered, Run::Nobody, Run::Yes, Run::Once, Run::OnceAgain, Run::ReadOnly, Run::Plan];

/// A site with all pages of all rows.
pub(crate) fn served(rows: &[Row]) -> SiteBuilder {
    let mut site = Site::builder();
    for (at, row) in rows.iter().enumerate() {
        for run in RUNS {
            let folder = folder(at, run);
            let page =
                format!("<!doctype html><title>{} ZEBRA</title>{}", row.id, filled_in(row.page, &folder));
            site = site.page(&folder, page);
            for (name, value) in row.headers {
                site = site.header(&folder, name, filled_in(value, &folder));
            }
            for (name, text) in row.files {
                site = site.page(&format!("{folder}{name}"), filled_in(text, &folder));
            }
        }
    }
    site
}

/// Tries all rows. What went wrong, one line each.
pub(crate) async fn tried(stage: &Arc<Stage>, rows: &'static [Row]) -> Vec<String> {
    witness::listen();
    let seats = Arc::new(Semaphore::new(AT_ONCE));
    let mut all = JoinSet::new();
    for (at, row) in rows.iter().enumerate() {
        for run in RUNS {
            // Where nobody may be asked, or nothing may be done at all, all rows are refused for the same reason: some show it.
            let skipped = match run {
                Run::Dry => false,
                // Where people are asked and do not answer, the way is that of the dry run but for its end.
                Run::Unanswered => at % long_or_short(1, 6) != 0,
                Run::Nobody => at % long_or_short(4, 8) != 2,
                Run::Yes => row.yes == Yes::NotTried,
                Run::Once | Run::OnceAgain => row.once.is_none(),
                Run::ReadOnly => at % long_or_short(4, 8) != 1,
                Run::Plan => at % 8 != 3,
            };
            if !skipped {
                let (stage, seats) = (stage.clone(), seats.clone());
                all.spawn_local(async move {
                    let _seat = seats.acquire().await;
                    let (session, told) = one(&stage, at, row, run).await;
                    (at, run, session, told)
                });
            }
        }
    }
    let told = all.join_all().await;
    stage.shut().await;
    // Only now is it sure that nothing more comes.
    let mut wrong = vec![];
    for (at, run, session, told) in told {
        let more = Trial { stage, at, row: &rows[at], run }.wrong(session.as_ref());
        wrong.extend(more.into_iter().map(|what| format!("{what}; told {told:?}")));
    }
    wrong.sort();
    wrong
}

/// Whether it is what the person of these rows was shown, rather than what the page made of it afterwards.
fn is_as_shown(arrived: &str) -> bool {
    !["bank.test", "evil.test", "payall", "mallory", "1000", "9999", "tip", "empty", "all=1"]
        .iter()
        .any(|sign| arrived.contains(sign))
}

/// Runs one row in one way; in which session, and what the caller was told.
async fn one(stage: &Stage, at: usize, row: &Row, run: Run) -> (Option<SessionId>, Vec<String>) {
    let sessions = stage.sessions(run).await;
    let trial = Trial { stage, at, row, run };
    let mut caller = match Obedient::open(&sessions, &trial.begins(), run.answers()).await {
        Ok(caller) => caller,
        Err(problem) => return (None, vec![format!("not opened: {problem:?}")]),
    };
    caller.obey().await;
    trial.come(Some(&caller.session)).await;
    caller.close().await;
    let told = caller.told.iter().map(|problem| format!("{:?}: {}", problem.code, problem.message)).collect();
    (Some(caller.session.clone()), told)
}

/// One row that is tried in one way, whoever obeys it.
#[derive(Clone, Copy)]
pub(crate) struct Trial<'a> {
    pub(crate) stage: &'a Stage,
    /// Its place among the rows that are served.
    pub(crate) at: usize,
    pub(crate) row: &'a Row,
    pub(crate) run: Run,
}

impl Trial<'_> {
    /// Where the errand begins.
    pub(crate) fn begins(&self) -> String {
        let folder = folder(self.at, self.run);
        match self.row.host {
            Host::Shop => format!("http://shop.test{folder}"),
            Host::Secure => self.stage.site.other_url(&folder),
        }
    }

    /// Waits until all has come that has to; what does not come is told with the rest.
    pub(crate) async fn come(&self, session: Option<&SessionId>) {
        let come = async {
            while !self.is_over(session) {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        let _ = tokio::time::timeout(std::time::Duration::from_secs(30), come).await;
    }

    /// Whether all has come that has to: what a yes brings about, or that the page tried, for which it may take its time.
    fn is_over(&self, session: Option<&SessionId>) -> bool {
        match self.wanted() {
            Some(wanted) => self.arrived().len() >= wanted,
            None => self.run != Run::Dry || self.was_tried(session),
        }
    }

    /// How much has to arrive where somebody says yes.
    fn wanted(&self) -> Option<usize> {
        match (self.run, self.row.yes) {
            (Run::Yes, Yes::Arrives(wanted)) => Some(wanted),
            (Run::Once, _) => self.row.once,
            _ => None,
        }
    }

    /// What is wrong with what came of it, once its session is over.
    pub(crate) fn wrong(&self, session: Option<&SessionId>) -> Vec<String> {
        let arrived = self.arrived();
        let is_fine = match self.run {
            // What was shown may have left, and nothing else.
            Run::OnceAgain => arrived.len() <= 1 && arrived.iter().all(|one| is_as_shown(one)),
            _ => arrived.len() == self.wanted().unwrap_or_default(),
        };
        let name = format!("{} {} ({:?})", self.row.id, self.row.name, self.run);
        let mut wrong = vec![];
        if !is_fine {
            wrong.push(format!("{name}: {arrived:?}"));
        }
        if self.run == Run::Dry && !self.was_tried(session) {
            wrong.push(format!("{name}: its page did not try anything"));
        }
        wrong
    }

    /// Whether the page tried what it is for.
    fn was_tried(&self, session: Option<&SessionId>) -> bool {
        match self.row.tells() {
            true => !self.stage.site.hits_of(&format!("{}{TRIED}", folder(self.at, self.run))).is_empty(),
            false => session.is_some_and(witness::stopped),
        }
    }

    /// What arrived: writes, and what changes something though it is only asked for.
    fn arrived(&self) -> Vec<String> {
        let folder = folder(self.at, self.run);
        let mut all = self.stage.written(&folder);
        for path in self.row.effects {
            let hits = self.stage.site.hits_of(&format!("{folder}{path}"));
            all.extend(hits.iter().map(|hit| format!("{} {}", hit.method, hit.path)));
        }
        all
    }
}

/// Tries all rows and fails with everything that went wrong.
pub(crate) async fn try_all(rows: &'static [Row]) {
    let stage = Arc::new(Stage::start(served(rows)).await);
    let wrong = tokio::task::LocalSet::new().run_until(tried(&stage, rows)).await;
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    assert_eq!(stage.evil.connections(), 0, "somebody reached evil.test");
}
