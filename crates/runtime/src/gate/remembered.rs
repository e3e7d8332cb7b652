//! What a caller has read and where, and what it has put into pages: kept beside its sessions, because what it read in one it knows
//! in all. Looks are taken in aside; nothing is done or sent before that is finished.

use std::{
    collections::VecDeque,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
};

use legwork_observe::{Line, Look};
use legwork_policy::{
    places::Place,
    wire::{Carried, Decoded, Memory},
};
use legwork_types::{
    Chord, Deed, Intent, PageText,
    contract::{FieldValue, FrameNumber, Modifier},
};
use tokio::runtime::Handle;

/// How much of one look is remembered.
const MOST: usize = 4 << 20;

/// The memory of one caller.
pub(crate) struct Remembered {
    memory: Mutex<Memory>,
    /// Looks that are yet to be taken in.
    unread: Mutex<VecDeque<Arc<Look>>>,
    /// Whether anything that was read was put anywhere.
    used: AtomicBool,
}

impl Default for Remembered {
    fn default() -> Self {
        Self {
            memory: Mutex::new(Memory::known_words("")),
            unread: Mutex::default(),
            used: AtomicBool::new(false),
        }
    }
}

impl Remembered {
    /// A caller is shown this.
    pub(crate) fn saw(self: &Arc<Self>, look: Arc<Look>, runtime: &Handle) {
        if look.is_stale() && look.scene().page.dialogs.is_empty() {
            return;
        }
        locked(&self.unread).push_back(look);
        let me = self.clone();
        runtime.spawn_blocking(move || drop(me.taken_in()));
    }

    /// A caller sends a tab there.
    pub(crate) fn goes_to(&self, address: &str) {
        let mut memory = self.taken_in();
        memory.goes_to(address);
        self.used.store(memory.has_used_what_it_read(), SeqCst);
    }

    /// A caller is about to do this to a page.
    pub(crate) fn does(&self, intent: &Intent, look: &Look) {
        let mut memory = self.taken_in();
        let give = |memory: &mut Memory, value: &FieldValue| {
            if let FieldValue::Text(text) = value {
                memory.gives(text);
            }
        };
        match intent {
            Intent::Navigate(url) => memory.goes_to(url.as_str()),
            Intent::HandleDialog { text: Some(text), .. } => memory.gives(text),
            Intent::FillForm(fields) => fields.iter().for_each(|field| give(&mut memory, &field.value)),
            Intent::PressKeyOnPage(chord) => press(&mut memory, chord),
            Intent::OnElement { deed, .. } => match deed {
                Deed::Fill(value) | Deed::Type { text: value, .. } => give(&mut memory, value),
                Deed::PressKey(chord) => press(&mut memory, chord),
                // What is dragged from one document into another could be anything.
                Deed::DragTo(_) if look.scene().page.frames.iter().any(|frame| frame.cross_origin) => {
                    memory.pastes();
                }
                _ => {}
            },
            _ => {}
        }
        self.used.store(memory.has_used_what_it_read(), SeqCst);
    }

    /// The end of what was put somewhere.
    pub(super) fn tail(&self) -> String {
        self.taken_in().tail().to_owned()
    }

    /// Somebody allowed that this is known to the site of this address.
    pub(super) fn is_known_at(&self, address: &str, text: &str) {
        if let Some(host) = host_of(Some(&PageText::from(address))) {
            self.taken_in().is_known_at(&host, text);
        }
    }

    /// Whether anything that was read was put anywhere.
    pub(crate) fn is_used(&self) -> bool {
        self.used.load(SeqCst)
    }

    /// What a request holds of what was read elsewhere.
    pub(crate) fn carried(&self, decoded: &Decoded) -> Vec<Carried> {
        if self.is_used() { self.taken_in().carried(decoded) } else { vec![] }
    }

    /// The memory with all that was shown.
    fn taken_in(&self) -> MutexGuard<'_, Memory> {
        let mut memory = locked(&self.memory);
        loop {
            // Not held meanwhile: whoever is shown something does not wait.
            let Some(look) = locked(&self.unread).pop_front() else { return memory };
            take_in(&mut memory, &look);
        }
    }
}

impl fmt::Debug for Remembered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remembered").finish_non_exhaustive()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A key that writes a character, or inserts what was copied somewhere.
fn press(memory: &mut Memory, chord: &Chord) {
    let held = |modifier| chord.modifiers.contains(&modifier);
    let commands = held(Modifier::Control) || held(Modifier::Meta);
    match chord.key.as_str() {
        "v" | "V" if commands => memory.pastes(),
        "Insert" if held(Modifier::Shift) => memory.pastes(),
        key if key.chars().count() == 1 && !commands => memory.gives(key),
        _ => {}
    }
}

/// Remembers what a look shows, by the site of the document that shows it.
fn take_in(memory: &mut Memory, look: &Look) {
    let scene = look.scene();
    let page = host_of(Some(&scene.page.final_url)).unwrap_or_default();
    let host = |frame: Option<FrameNumber>| {
        let number = frame?;
        let frame = scene.page.frames.iter().find(|frame| frame.frame_id == number)?;
        host_of(frame.url.as_ref())
    };
    let mut told: Vec<(String, String)> = vec![(page.clone(), String::new())];
    let mut size = 0;
    let mut is_too_much = false;
    let mut tell = |host: String, text: &str| {
        size += text.len();
        if size > MOST {
            is_too_much = true;
            return;
        }
        match told.iter_mut().find(|(of, _)| *of == host) {
            Some((_, all)) => {
                all.push('\n');
                all.push_str(text);
            }
            None => told.push((host, text.to_owned())),
        }
    };
    let title = scene.page.title.iter().chain(scene.page.dialogs.iter().map(|dialog| &dialog.message));
    title.for_each(|text| tell(page.clone(), text.untrusted()));
    tell(page.clone(), said_by(&scene.page.final_url));
    for line in &scene.outline {
        let group = scene.groups.get(line.group);
        let of = host(group.and_then(|group| group.frame)).unwrap_or_else(|| page.clone());
        match &line.line {
            Line::Heading { text, .. } | Line::Text(text) => tell(of, text.untrusted()),
            Line::Control(_) => {}
        }
    }
    for item in &scene.items {
        let affordance = &item.affordance;
        let of = host(affordance.frame_id).unwrap_or_else(|| page.clone());
        tell(of.clone(), affordance.name.untrusted());
        affordance.constraints.options.iter().for_each(|option| tell(of.clone(), option.untrusted()));
        if let Some(href) = &affordance.href {
            memory.saw_link(href.untrusted());
            tell(of, said_by(href));
        }
    }
    for item in &scene.items {
        let of = host(item.affordance.frame_id).unwrap_or_else(|| page.clone());
        if let Some(value) = item.affordance.value.as_ref().filter(|_| !of.is_empty()) {
            memory.saw_in_a_field(&of, value.untrusted());
        }
    }
    if is_too_much {
        memory.missed();
    }
    for (host, text) in told.into_iter().filter(|(host, _)| !host.is_empty()) {
        memory.saw(&host, &text);
    }
}

fn host_of(address: Option<&PageText>) -> Option<String> {
    let place = Place::of_url(address?.untrusted()).ok()?;
    Some(place.host().to_string())
}

/// What an address says besides where it leads.
fn said_by(address: &PageText) -> &str {
    let address = address.untrusted();
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split_once(['/', '?', '#']).map_or("", |(_, rest)| rest)
}
