//! Parts.
use legwork_cdp::protocol::fetch::Pattern;
use legwork_egress::{Egress, Settings, SystemResolver};
use legwork_policy::places::{Reach, Sockets};
use legwork_runtime::Mode;
use super::{gate::Session, raw::{RawBrowser, Watch}, server::{Ask, Server}};
use crate::{start::milliseconds, stats::{median_difference, spread}};

const WRITING: &[Pattern] = &[
    Pattern { resource_type: "Document" },
    Pattern { resource_type: "XHR" },
    Pattern { resource_type: "Fetch" },
    Pattern { resource_type: "Ping" },
    Pattern { resource_type: "CSPViolationReport" },
    Pattern { resource_type: "Other" },
    Pattern { resource_type: "EventSource" },
];
const NEVER: &[Pattern] = &[Pattern { resource_type: "Ping" }];

pub(crate) fn measure(runs: usize) -> anyhow::Result<()> {
    let server = Server::start()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let egress = Egress::start(SystemResolver, Settings::default());
    let grants = vec![server.address().to_string().parse()?];
    let reach = Reach { private: grants, sockets: Sockets::All, ..Reach::default() };
    let door = runtime.block_on(egress.open(reach))?;
    let names = ["watched", "interceptor", "pagefetch", "watched-in", "interceptor-in"];
    let workers: Vec<_> = names.iter().map(|name| server.worker(name)).collect();
    let kept = runtime.block_on(async {
        let mut kept = vec![];
        let inp: &[&str] = &["--enable-features=NetworkServiceInProcess2"];
        let plan: [(Option<&'static [Pattern]>, &[&str]); 5] = [(None, &[]), (Some(NEVER), &[]), (None, &[]), (None, inp), (Some(NEVER), inp)];
        for (worker, (patterns, flags)) in workers.iter().zip(plan) {
            let raw = RawBrowser::start_with(flags).await?;
            if let Some(patterns) = patterns { raw.barrier(patterns).await?; }
            raw.open(worker.url(), None, Watch::Yes).await?;
            kept.push(raw);
        }
        anyhow::Ok(kept)
    })?;
    let _ = (WRITING, Mode::DryRun, Session::open);
    for (ask, word) in [(Ask::Get, "get"), (Ask::Piece, "piece")] {
        for lanes in [1, 6] {
            let count = if ask == Ask::Hops { 90 } else { 60 };
            let mut series = vec![vec![]; workers.len()];
            for round in 0..runs + 2 {
                for turn in 0..workers.len() {
                    let side = (round + turn) % workers.len();
                    let took = milliseconds(workers[side].does(ask, count, lanes)?) / count as f64;
                    if round >= 2 { series[side].push(took); }
                }
            }
            print!("{word:6} {lanes}");
            for (name, one) in names.iter().zip(&series) {
                print!("  {name} {:.2} ({:+.2})", spread(one).median, median_difference(one, &series[1]));
            }
            println!();
        }
    }
    runtime.block_on(async { drop(kept); door.close().await; });
    Ok(())
}
