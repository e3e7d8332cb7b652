//! All doors of this process.

use std::{
    fmt, io,
    net::Ipv4Addr,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use legwork_policy::places::Reach;
use tokio::net::TcpListener;

use crate::{door, door::Door, resolver::Resolver, room::Room, settings::Settings};

/// The way out of this process for all its browsers. When it is dropped, every door is closed.
pub struct Egress {
    resolver: Arc<dyn Resolver>,
    settings: Arc<Settings>,
    doors: Doors,
}

impl Egress {
    /// Nothing listens yet: each session gets a door of its own.
    pub fn start(resolver: impl Resolver, settings: Settings) -> Self {
        Self { resolver: Arc::new(resolver), settings: Arc::new(settings), doors: Doors::default() }
    }

    /// Opens a door on a free port of loopback. From now on no door leads to it.
    pub async fn open(&self, reach: Reach) -> io::Result<Door> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let room = Room::new(address.port(), reach, self.resolver.clone(), self.settings.clone());
        let room = Arc::new(room);
        self.doors.add(&room);
        room.tasks.spawn(door::listen(room.clone(), listener));
        Ok(Door::new(address, room, self.doors.clone()))
    }

    /// Closes every door and waits until everything behind them has ended.
    pub async fn close(self) {
        for room in self.doors.rooms() {
            if let Some(mut tasks) = room.tasks.end() {
                tasks.shutdown().await;
            }
        }
    }
}

impl Drop for Egress {
    fn drop(&mut self) {
        for room in self.doors.rooms() {
            drop(room.tasks.end());
        }
    }
}

impl fmt::Debug for Egress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Egress").field("doors", &self.doors.rooms().len()).finish_non_exhaustive()
    }
}

/// The rooms behind all doors that are open.
#[derive(Clone, Default)]
pub(crate) struct Doors(Arc<Mutex<Vec<Weak<Room>>>>);

impl Doors {
    fn add(&self, room: &Arc<Room>) {
        let mut doors = self.list();
        doors.push(Arc::downgrade(room));
        tell(&doors);
    }

    /// A door that is closed leaves its port to others.
    pub(crate) fn remove(&self, room: &Arc<Room>) {
        let mut doors = self.list();
        doors.retain(|other| other.strong_count() > 0 && !std::ptr::eq(other.as_ptr(), Arc::as_ptr(room)));
        tell(&doors);
    }

    /// Other rules for one room.
    pub(crate) fn set_reach(&self, room: &Room, reach: Reach) {
        let doors = self.list();
        let ports: Vec<u16> =
            doors.iter().filter_map(Weak::upgrade).map(|room| room.port).chain([room.port]).collect();
        room.update(Some(reach), ports);
    }

    fn rooms(&self) -> Vec<Arc<Room>> {
        self.list().iter().filter_map(Weak::upgrade).collect()
    }

    fn list(&self) -> MutexGuard<'_, Vec<Weak<Room>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// No door leads to a door.
fn tell(doors: &[Weak<Room>]) {
    let rooms: Vec<Arc<Room>> = doors.iter().filter_map(Weak::upgrade).collect();
    for room in &rooms {
        room.update(None, rooms.iter().map(|room| room.port));
    }
}
