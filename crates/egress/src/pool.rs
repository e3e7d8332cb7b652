//! Connections to places that can be used again, as long as their addresses may be reached.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use hyper::client::conn::http1::SendRequest;
use legwork_policy::places::{Place, Reach, decide_addresses};

use crate::{activity::Activity, body::Outbound};

const MOST_OF_ONE_PLACE: usize = 6;
const MOST_PLACES: usize = 64;
/// A connection whose answer has just ended needs a moment of its own task.
const MOMENT: Duration = Duration::from_millis(100);

/// A connection to a place.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) sender: SendRequest<Outbound>,
    pub(crate) address: SocketAddr,
    pub(crate) activity: Activity,
}

/// Connections that wait for their next request.
#[derive(Debug, Default, Clone)]
pub(crate) struct Pool(Arc<Mutex<HashMap<Place, Vec<Link>>>>);

/// A connection in use, and where it belongs.
pub(crate) struct Lease {
    pub(crate) link: Link,
    place: Place,
    pool: Pool,
}

impl Lease {
    /// Lets others use it.
    pub(crate) fn give_back(self) {
        let Self { link, place, pool } = self;
        let mut places = pool.places();
        if places.len() >= MOST_PLACES && !places.contains_key(&place) {
            for links in places.values_mut() {
                links.retain(|link| !link.sender.is_closed());
            }
            places.retain(|_, links| !links.is_empty());
        }
        let is_room = places.len() < MOST_PLACES || places.contains_key(&place);
        if is_room && !link.sender.is_closed() {
            let links = places.entry(place).or_default();
            links.retain(|link| !link.sender.is_closed());
            if links.len() < MOST_OF_ONE_PLACE {
                links.push(link);
            }
        }
    }
}

impl Pool {
    /// A connection to this place that is still open and whose address may still be reached.
    pub(crate) async fn take(&self, place: &Place, reach: &Reach) -> Option<Lease> {
        loop {
            let mut link = self.places().get_mut(place)?.pop()?;
            if !stands(place, link.address, reach) {
                continue;
            }
            if link.sender.is_ready()
                || matches!(tokio::time::timeout(MOMENT, link.sender.ready()).await, Ok(Ok(())))
            {
                return Some(self.lease(place, link));
            }
        }
    }

    /// A new connection that is to come here later.
    pub(crate) fn lease(&self, place: &Place, link: Link) -> Lease {
        Lease { link, place: place.clone(), pool: self.clone() }
    }

    fn places(&self) -> MutexGuard<'_, HashMap<Place, Vec<Link>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a place that was dialled at this address may be reached there by today's rules.
pub(crate) fn stands(place: &Place, address: SocketAddr, reach: &Reach) -> bool {
    decide_addresses(place, &[address.ip()], reach).is_ok_and(|addresses| addresses.contains(&address))
}
