//! What the gate adds to a request of a page: the same page asks for the same things in a browser without proxy and barrier, and in
//! sessions, by turns.

use std::sync::Arc;

use legwork_policy::wire::PrepareRule;
use legwork_runtime::{
    BrowserSource, Caller, CancellationToken, LaunchOptions, Mode, OpenRequest, Reach, SessionSettings,
    Sessions, WireSettings,
};
use legwork_types::PageUrl;

use super::{
    rate_of,
    raw::{RawBrowser, Watch},
    server::{Ask, Server, Worker},
};
use crate::{
    report::{GateCosts, GateFigures, Held, Pause},
    start::milliseconds,
};

/// Rounds that are run and not counted.
const WARM_UP: usize = 2;
/// How many are on their way at a time: one, and as many as browsers have to one host.
const LANES: [usize; 2] = [1, 6];

/// What is asked for: its name, how often in a turn, whether it pauses, and whether a bar is held to it. A document that comes up
/// also costs what sessions do to every document; the requests for it alone are those that are sent on.
const ASKS: [(Ask, &str, usize, Pause, Held); 5] = [
    (Ask::Get, "fetch, GET", 60, Pause::Yes, Held::Yes),
    (Ask::Post, "fetch, POST", 60, Pause::Yes, Held::Yes),
    (Ask::Hops, "document, sent on", 90, Pause::Yes, Held::Yes),
    (Ask::Document, "document, shown", 12, Pause::Yes, Held::No),
    (Ask::Piece, "picture, script, style", 60, Pause::No, Held::Yes),
];

/// Measures `runs` rounds. In a round each page asks for each kind of thing, and who comes first changes.
pub(crate) fn measure(runs: usize) -> anyhow::Result<GateCosts> {
    let server = Server::start()?;
    let rate = rate_of(server.address())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (unwatched, watched) = (server.worker("unwatched"), server.worker("watched"));
    let intercepted = server.worker("intercepted");
    let (raw, bare, dry_run, live) = runtime.block_on(async {
        let raw = RawBrowser::start().await?;
        raw.open(unwatched.url(), None, Watch::No).await?;
        raw.open(watched.url(), None, Watch::Yes).await?;
        let bare = RawBrowser::start_with_barrier().await?;
        bare.open(intercepted.url(), None, Watch::Yes).await?;
        let dry_run = Session::open(&server, Mode::DryRun, "dry").await?;
        let live = Session::open(&server, Mode::Live, "live").await?;
        anyhow::Ok((raw, bare, dry_run, live))
    })?;
    let sides = [&unwatched, &watched, &intercepted, &dry_run.worker, &live.worker];

    let mut figures: Vec<GateFigures> = Vec::new();
    for (_, name, _, pause, held) in ASKS {
        figures.extend(LANES.map(|lanes| GateFigures { name, lanes, pause, held, ..GateFigures::default() }));
    }
    for round in 0..WARM_UP + runs {
        let mut rows = figures.iter_mut();
        for (ask, _, count, _, _) in ASKS {
            for lanes in LANES {
                let mut took = [0.0; 5];
                for turn in 0..sides.len() {
                    let side = (round + turn) % sides.len();
                    took[side] = milliseconds(sides[side].does(ask, count, lanes)?) / count as f64;
                }
                let Some(row) = rows.next() else { break };
                if round >= WARM_UP {
                    let raw = [&mut row.unwatched, &mut row.watched, &mut row.intercepted];
                    let ours = [&mut row.dry_run, &mut row.live];
                    for (series, took) in raw.into_iter().chain(ours).zip(took) {
                        series.push(took);
                    }
                }
            }
        }
    }
    let browser = raw.product().to_owned();
    runtime.block_on(async {
        drop((raw, bare));
        dry_run.sessions.shut().await;
        live.sessions.shut().await;
    });
    Ok(GateCosts { browser, rate, figures })
}

/// The product, with one session.
struct Session {
    sessions: Sessions,
    worker: Worker,
}

impl Session {
    async fn open(server: &Server, mode: Mode, name: &str) -> anyhow::Result<Self> {
        let worker = server.worker(name);
        let address = server.address();
        let reach = Reach { private: vec![address.to_string().parse()?], ..Reach::default() };
        let prepare = vec![PrepareRule { origin: format!("http://{address}"), path: "/prepare".into() }];
        let wire = Arc::new(WireSettings { mode, reach, prepare, ..WireSettings::default() });
        let settings = SessionSettings { wire, ..SessionSettings::default() };
        let sessions = Sessions::new(BrowserSource::Launch(LaunchOptions::default()), settings, |_| {});
        let request = OpenRequest { url: Some(PageUrl::parse(worker.url())?), ..OpenRequest::default() };
        sessions.open(&Caller::new("bench"), request, &CancellationToken::new()).await?;
        Ok(Self { sessions, worker })
    }
}
