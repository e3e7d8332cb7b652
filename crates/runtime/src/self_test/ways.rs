//! The ways in which a page might get out, and what is to be made of where they arrived. Pure.

use std::net::IpAddr;

use legwork_browser::Attempts;

/// Spellings of this machine, as pages write them. Browsers go there without their proxy unless they are told otherwise.
const THIS_MACHINE: &[&str] = &[
    "127.0.0.1",
    "localhost",
    "localhost.",
    "LocalHost",
    "page.localhost",
    "127.1",
    "127.0.1",
    "127.8.9.1",
    "2130706433",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "0x7f000001",
    "１２７.０.０.１",
    "127。0。0。1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
];

/// What a page tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It asks for something.
    Read,
    /// It opens a socket.
    Socket,
    /// It looks for a way to other browsers, by datagrams.
    Datagram,
    /// The same by a relay.
    Relay,
    /// It sends something.
    Write,
    /// A worker of it does.
    WorkerWrite,
    /// It does while it is being closed.
    LastWords,
}

/// One way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) kind: Kind,
    /// As the page spells it.
    host: String,
    /// Where somebody has to listen to know whether it went there directly. None: on loopback.
    pub(super) listens: Option<IpAddr>,
}

/// What was seen of one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Seen {
    /// It came to the listener, past the proxy.
    pub(super) directly: bool,
    /// It came to the proxy.
    pub(super) by_proxy: bool,
    /// It was turned back before it left the browser.
    pub(super) turned_back: bool,
    /// It came to no end.
    pub(super) late: bool,
}

/// Every way, on a machine with this address on a network.
pub(super) fn ways(machine: Option<IpAddr>) -> Vec<Way> {
    let here = |kind, host: &str| Way { kind, host: host.to_owned(), listens: None };
    let reads = THIS_MACHINE.iter().map(|host| here(Kind::Read, host));
    let rest = [
        here(Kind::Socket, "127.0.0.1"),
        here(Kind::Socket, "localhost"),
        here(Kind::Socket, "[::1]"),
        here(Kind::Datagram, "127.0.0.1"),
        here(Kind::Datagram, "[::1]"),
        here(Kind::Relay, "127.0.0.1"),
        here(Kind::Write, "127.0.0.1"),
        here(Kind::WorkerWrite, "127.0.0.1"),
        here(Kind::LastWords, "127.0.0.1"),
    ];
    let outside = machine.into_iter().flat_map(|address| {
        let host = match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        [Kind::Read, Kind::Socket, Kind::Datagram, Kind::Relay].map(|kind| Way {
            kind,
            host: host.clone(),
            listens: Some(address),
        })
    });
    reads.chain(rest).chain(outside).collect()
}

impl Way {
    /// The address that the page tries.
    pub(super) fn address(&self, port: u16) -> String {
        let host = &self.host;
        match self.kind {
            Kind::Read | Kind::Write | Kind::WorkerWrite | Kind::LastWords => {
                format!("http://{host}:{port}/")
            }
            Kind::Socket => format!("ws://{host}:{port}/"),
            Kind::Datagram => format!("stun:{host}:{port}"),
            Kind::Relay => format!("turn:{host}:{port}?transport=tcp"),
        }
    }

    /// Puts it among what the page is to try. Last words are tried elsewhere.
    pub(super) fn enlist(&self, port: u16, attempts: &mut Attempts) {
        let list = match self.kind {
            Kind::Read => &mut attempts.reads,
            Kind::Write => &mut attempts.writes,
            Kind::WorkerWrite => &mut attempts.worker_writes,
            Kind::Socket => &mut attempts.sockets,
            Kind::Datagram | Kind::Relay => &mut attempts.peers,
            Kind::LastWords => return,
        };
        list.push(self.address(port));
    }

    /// What is wrong with it, in words; none if it is as it should be.
    pub(super) fn fault(&self, seen: Seen) -> Option<String> {
        let what = match self.kind {
            Kind::Read => "a request",
            Kind::Socket => "a socket",
            Kind::Datagram => "a datagram of WebRTC",
            Kind::Relay => "a connection of WebRTC",
            Kind::Write => "what a page sends",
            Kind::WorkerWrite => "what a worker sends",
            Kind::LastWords => "what a closing page sends",
        };
        let is_write = matches!(self.kind, Kind::Write | Kind::WorkerWrite | Kind::LastWords);
        let must_be_seen = matches!(self.kind, Kind::Read | Kind::Socket | Kind::Relay);
        let became = match seen {
            Seen { directly: true, .. } => "went past the proxy",
            Seen { by_proxy: true, .. } if is_write => "left the browser without a ruling",
            Seen { turned_back: false, .. } if is_write => "was not seen at the barrier",
            Seen { by_proxy: false, .. } if must_be_seen => "did not come to the proxy",
            Seen { late: true, .. } => "came to no end",
            _ => return None,
        };
        Some(format!("{what} to {} {became}", self.host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(kind: Kind) -> Way {
        Way { kind, host: "localhost".into(), listens: None }
    }

    #[test]
    fn whatever_is_not_proved_is_a_fault() {
        let all = [
            Kind::Read,
            Kind::Socket,
            Kind::Datagram,
            Kind::Relay,
            Kind::Write,
            Kind::WorkerWrite,
            Kind::LastWords,
        ];
        for kind in all {
            let good = match kind {
                Kind::Read | Kind::Socket | Kind::Relay => Seen { by_proxy: true, ..Seen::default() },
                Kind::Datagram => Seen::default(),
                Kind::Write | Kind::WorkerWrite | Kind::LastWords => {
                    Seen { turned_back: true, ..Seen::default() }
                }
            };
            assert_eq!(way(kind).fault(good), None, "{kind:?}");
            assert!(way(kind).fault(Seen { directly: true, ..good }).is_some(), "{kind:?}");
            assert!(way(kind).fault(Seen { late: true, ..good }).is_some(), "{kind:?}");
            if good != Seen::default() {
                assert!(way(kind).fault(Seen::default()).is_some(), "{kind:?}: nothing was seen");
            }
        }
        let let_go = Seen { by_proxy: true, turned_back: true, ..Seen::default() };
        assert_eq!(
            way(Kind::LastWords).fault(let_go).unwrap(),
            "what a closing page sends to localhost left the browser without a ruling"
        );
    }

    #[test]
    fn each_way_is_tried_once_and_the_machines_own_address_too() {
        let machine = "192.0.2.7".parse().unwrap();
        let mut attempts = Attempts::default();
        let ways = ways(Some(machine));
        ways.iter().zip(1..).for_each(|(way, port)| way.enlist(port, &mut attempts));
        let Attempts { reads, writes, worker_writes, sockets, peers, .. } = attempts;
        let tried = reads.len() + writes.len() + worker_writes.len() + sockets.len() + peers.len();
        assert_eq!(tried + 1, ways.len());
        assert!(sockets.iter().any(|address| address.contains("192.0.2.7")), "{sockets:?}");
        assert_eq!(ways.iter().filter(|way| way.listens == Some(machine)).count(), 4);
    }
}
