//! The browsers of tests: one of its own for whoever harms it, one that is shared for all others, because to start one costs more
//! than most tests do.

use std::{
    ops::Deref,
    sync::{Arc, LazyLock, Weak},
};

use tokio::{
    runtime::Runtime,
    sync::{Mutex, Semaphore, SemaphorePermit},
};

use super::soon;
use crate::{Browser, LaunchOptions};

/// A browser with what is to be done with it in the end.
pub(super) enum Lent {
    Own { browser: Box<Browser>, _turn: Option<Turn> },
    Shared { browser: Arc<Browser>, _turn: Option<Turn> },
}

type Turn = SemaphorePermit<'static>;

impl From<Browser> for Lent {
    fn from(browser: Browser) -> Self {
        Self::Own { browser: Box::new(browser), _turn: None }
    }
}

impl Deref for Lent {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        match self {
            Self::Own { browser, .. } => browser,
            Self::Shared { browser, .. } => browser,
        }
    }
}

/// How many tests at the same time have one of their own, or ask much of the machine.
static TURNS: Semaphore = Semaphore::const_new(2);

/// The one that is shared, as long as anybody has it.
static SHARED: Mutex<Weak<Browser>> = Mutex::const_new(Weak::new());

/// What it runs on: it outlives the test that happened to come first.
static HOUSE: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).enable_all().build().expect("threads can be started")
});

impl Lent {
    /// One of its own, when it is this test's turn.
    pub(super) async fn own(options: &LaunchOptions) -> Self {
        let turn = TURNS.acquire().await.expect("turns never end");
        let browser = Browser::launch(options, &soon()).await.expect("the browser starts");
        Self::Own { browser: Box::new(browser), _turn: Some(turn) }
    }

    /// The browser that many tests have at the same time, each in a context of its own.
    pub(super) async fn shared() -> Self {
        Self::Shared { browser: Self::one_for_all().await, _turn: None }
    }

    /// The same for what asks much of it, when it is this test's turn.
    pub(super) async fn in_turn() -> Self {
        let turn = TURNS.acquire().await.expect("turns never end");
        Self::Shared { browser: Self::one_for_all().await, _turn: Some(turn) }
    }

    async fn one_for_all() -> Arc<Browser> {
        let mut shared = SHARED.lock().await;
        if let Some(browser) = shared.upgrade().filter(|browser| browser.is_lost().is_none()) {
            return browser;
        }
        let launched = HOUSE.spawn(async { Browser::launch(&LaunchOptions::default(), &soon()).await });
        let browser = Arc::new(launched.await.unwrap().expect("the browser starts"));
        *shared = Arc::downgrade(&browser);
        browser
    }

    /// Ends it, unless others have it too. Whether it has ended.
    pub(super) async fn close(self) -> bool {
        let browser = match self {
            Self::Own { browser, .. } => *browser,
            Self::Shared { browser, .. } => {
                // Nobody can take it any more once the last one has it alone.
                let Some(browser) = Arc::into_inner(browser) else { return false };
                browser
            }
        };
        browser.close().await;
        true
    }
}
