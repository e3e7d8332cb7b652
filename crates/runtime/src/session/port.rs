//! What sessions need of a browser, and no more: the real one is behind it, and in tests one that needs no machine.

use std::{pin::Pin, sync::Arc};

use legwork_browser::{
    Aims, BrowserError, Capture, CaptureOptions, Done, Epoch, Landing, Limit, Lost, NotDone, Rect,
    TabSummary, Thrift,
};
use legwork_observe::Look;
use legwork_policy::{
    Permit, Wire,
    logins::{Cookie, SavedState, Storage},
};
use legwork_types::{PageUrl, contract::Dialog};

use crate::gate::Gate;

/// Something that is under way.
pub(crate) type Work<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Opens isolated places, and starts and ends the browser that they are in.
pub(crate) trait Driver: Send + Sync {
    /// A fresh place behind this gate, in a browser that lives.
    fn open<'a>(
        &'a self,
        gate: Arc<Gate>,
        thrift: Thrift,
        limit: &'a Limit,
    ) -> Work<'a, Result<Box<dyn Place>, BrowserError>>;

    /// Whether the browser is one that is started here.
    fn is_ours(&self) -> bool {
        false
    }

    /// Ends the browser if no place is open in it; the next place brings a new one.
    fn rest(&self) -> Work<'_, ()>;

    /// Ends the browser with all that is in it.
    fn shut(&self) -> Work<'_, ()>;
}

/// One isolated place: its own cookies, storage and tabs. Everything is about the tab in front. Dropping it frees it.
pub(crate) trait Place: Send + Sync {
    /// What stands between its pages and the network.
    fn wire(&self) -> Wire;

    /// Why its browser is gone, if that is known.
    fn is_lost(&self) -> Option<Lost>;

    /// Goes to an address and waits until the page is complete, or has had its time.
    fn go<'a>(&'a self, url: &'a PageUrl, limit: &'a Limit) -> Work<'a, Result<Landing, BrowserError>>;

    /// What the page says about itself; without a content type if it does not answer.
    fn landing<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<Landing, BrowserError>>;

    /// Everything that is seen.
    fn capture<'a>(
        &'a self,
        how: &'a CaptureOptions,
        limit: &'a Limit,
    ) -> Work<'a, Result<Capture, BrowserError>>;

    /// Does what the permit allows. There is no other way to do anything to a page. `look` may look at the page while the effects
    /// settle.
    fn act<'a>(
        &'a self,
        permit: Permit,
        aims: &'a Aims,
        look: Option<Work<'a, ()>>,
        limit: &'a Limit,
    ) -> Work<'a, Result<Done, NotDone>>;

    /// The tabs, in order of appearance.
    fn tabs<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<Vec<TabSummary>, BrowserError>>;

    /// The dialog that waits for an answer.
    fn dialog<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<Option<Dialog>, BrowserError>>;

    /// A JPEG of what is in sight, secrets and all.
    fn picture<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<Vec<u8>, BrowserError>>;

    /// What must be painted over in a picture of what `look` saw.
    fn covers<'a>(
        &'a self,
        look: &'a Look,
        epoch: &'a Epoch,
        limit: &'a Limit,
    ) -> Work<'a, Result<Vec<Rect>, BrowserError>>;

    /// Its cookies, also those that are kept from scripts.
    fn cookies<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<Vec<Cookie>, BrowserError>>;

    /// What pages of these origins that are shown now have stored that could be a key.
    fn stored_in_front<'a>(
        &'a self,
        origins: &'a [String],
        limit: &'a Limit,
    ) -> Work<'a, Result<Vec<Storage>, BrowserError>>;

    /// Gives it what was saved of a login, before it has shown anything.
    fn log_in<'a>(&'a self, saved: &'a SavedState, limit: &'a Limit) -> Work<'a, Result<(), BrowserError>>;

    /// What pages of these origins stored. It shows nothing of them any more afterwards.
    fn stored<'a>(
        &'a self,
        origins: &'a [String],
        limit: &'a Limit,
    ) -> Work<'a, Result<Vec<Storage>, BrowserError>>;

    /// From now on also what pages are made of waits at the gate.
    fn watch_everything<'a>(&'a self, limit: &'a Limit) -> Work<'a, Result<(), BrowserError>>;

    /// Frees it with all that it held.
    fn close<'a>(self: Box<Self>, limit: &'a Limit) -> Work<'a, Result<(), BrowserError>>
    where
        Self: 'a;
}
