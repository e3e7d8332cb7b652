//! Serves both bundled sites until the line is ended: `cargo run -p legwork-sites --example bundled`.
#![allow(clippy::print_stdout)]

use legwork_sites::Bundled;

fn main() -> std::io::Result<()> {
    let sites = Bundled::start()?;
    println!("coffee {}", sites.coffee_url("/"));
    println!("stream {}", sites.stream_url("/"));
    println!("Press Enter to stop.");
    std::io::stdin().read_line(&mut String::new())?;
    for effect in sites.coffee_ledger().effects().into_iter().chain(sites.stream_ledger().effects()) {
        println!("{} {} {:?}", effect.number, effect.kind, effect.details);
    }
    Ok(())
}
