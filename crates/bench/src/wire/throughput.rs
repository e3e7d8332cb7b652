//! How much goes through the proxy, of what goes without it: large bodies both ways, and small requests of a browser.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use legwork_egress::{Egress, Settings, SystemResolver};
use legwork_policy::places::{Reach, Sockets};

use super::{
    client::{Client, Way, small},
    raw::{RawBrowser, Watch},
    server::{Ask, Server, Worker},
};
use crate::report::{Held, Throughput, ThroughputFigures};

/// Rounds that are run and not counted.
const WARM_UP: usize = 1;
/// The size of a large body.
const LARGE: usize = 64 << 20;
/// Small requests of a browser, in a turn.
const SMALL: usize = 150;
/// Small requests of a plain client, in a turn.
const PLAIN: usize = 3_000;

/// What is moved in a turn.
#[derive(Debug, Clone, Copy)]
enum Load {
    Down(fn(SocketAddr) -> Way),
    Up(fn(SocketAddr) -> Way),
    Large,
    Pages { ask: Ask, lanes: usize },
    Plain { clients: usize },
}

const LOADS: [(&str, Load, Held); 11] = [
    ("browser, 64 MiB, answer", Load::Large, Held::Yes),
    ("browser, fetch, 1 at a time", Load::Pages { ask: Ask::Get, lanes: 1 }, Held::Yes),
    ("browser, fetch, 6 at a time", Load::Pages { ask: Ask::Get, lanes: 6 }, Held::Yes),
    ("browser, pieces, 1 at a time", Load::Pages { ask: Ask::Piece, lanes: 1 }, Held::Yes),
    ("browser, pieces, 6 at a time", Load::Pages { ask: Ask::Piece, lanes: 6 }, Held::Yes),
    ("tunnel, 64 MiB, answer", Load::Down(Way::Tunnel), Held::Yes),
    ("tunnel, 64 MiB, sent", Load::Up(Way::Tunnel), Held::Yes),
    ("forward, 64 MiB, answer", Load::Down(Way::Forward), Held::Yes),
    ("forward, 64 MiB, sent", Load::Up(Way::Forward), Held::Yes),
    ("plain client, 1 at a time", Load::Plain { clients: 1 }, Held::No),
    ("plain client, 6 at a time", Load::Plain { clients: 6 }, Held::No),
];

/// Measures `runs` rounds; in every other one the proxy comes first.
pub(crate) fn measure(runs: usize) -> anyhow::Result<Throughput> {
    let server = Server::start()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let egress = Egress::start(SystemResolver, Settings::default());
    let grants = vec![server.address().to_string().parse()?];
    let reach = Reach { private: grants, sockets: Sockets::All, ..Reach::default() };
    let door = runtime.block_on(egress.open(reach))?;
    let (direct, through) = (server.worker("direct"), server.worker("through"));
    let raw = runtime.block_on(async {
        let raw = RawBrowser::start().await?;
        raw.open(direct.url(), None, Watch::No).await?;
        raw.open(through.url(), Some(door.address()), Watch::No).await?;
        anyhow::Ok(raw)
    })?;
    let site = Site { server: server.address(), proxy: door.address(), direct, through };
    let mut figures: Vec<ThroughputFigures> = LOADS
        .iter()
        .map(|(name, load, held)| ThroughputFigures {
            name,
            unit: load.unit(),
            held: *held,
            ..ThroughputFigures::default()
        })
        .collect();
    for round in 0..WARM_UP + runs {
        for (row, (_, load, _)) in figures.iter_mut().zip(LOADS) {
            let mut rates = [0.0; 2];
            for turn in 0..2 {
                let side = (round + turn) % 2;
                let took = site.moves(load, side == 1)?;
                rates[side] = load.amount() / took.as_secs_f64();
            }
            if round >= WARM_UP {
                row.direct.push(rates[0]);
                row.through.push(rates[1]);
            }
        }
    }
    let browser = raw.product().to_owned();
    runtime.block_on(async {
        drop(raw);
        door.close().await;
    });
    Ok(Throughput { browser, figures })
}

impl Load {
    fn unit(self) -> &'static str {
        match self {
            Self::Down(_) | Self::Up(_) | Self::Large => "MB/s",
            Self::Pages { .. } | Self::Plain { .. } => "requests/s",
        }
    }

    /// How much of its unit is moved in a turn.
    fn amount(self) -> f64 {
        match self {
            Self::Down(_) | Self::Up(_) | Self::Large => LARGE as f64 / 1e6,
            Self::Pages { .. } => SMALL as f64,
            Self::Plain { .. } => PLAIN as f64,
        }
    }
}

/// Everybody who takes part.
struct Site {
    server: SocketAddr,
    proxy: SocketAddr,
    direct: Worker,
    through: Worker,
}

impl Site {
    fn page(&self, proxied: bool) -> &Worker {
        if proxied { &self.through } else { &self.direct }
    }

    fn moves(&self, load: Load, proxied: bool) -> anyhow::Result<Duration> {
        let way = |way: fn(SocketAddr) -> Way| if proxied { way(self.proxy) } else { Way::Direct };
        match load {
            Load::Down(by) => {
                let mut client = Client::connect(self.server, way(by))?;
                let began = Instant::now();
                client.get(&format!("/bytes/{LARGE}"))?;
                Ok(began.elapsed())
            }
            Load::Up(by) => {
                let mut client = Client::connect(self.server, way(by))?;
                let began = Instant::now();
                client.send(LARGE)?;
                Ok(began.elapsed())
            }
            Load::Large => self.page(proxied).does(Ask::Large, 1, 1),
            Load::Pages { ask, lanes } => self.page(proxied).does(ask, SMALL, lanes),
            Load::Plain { clients } => small(self.server, way(Way::Forward), clients, PLAIN),
        }
    }
}
