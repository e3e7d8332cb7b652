//! A thread with its own small runtime that serves until its owner is dropped.

use std::{
    future::Future,
    io,
    thread::{self, JoinHandle},
};

use tokio::sync::oneshot;

/// Runs one future on a thread of its own; on drop the future, all tasks that it started and the thread end.
/// So a site works under any runtime, or none.
#[derive(Debug)]
pub(crate) struct ServerThread {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ServerThread {
    /// Starts the thread. `serve` makes the future inside the new runtime.
    pub(crate) fn start<F: Future<Output = ()>>(
        serve: impl FnOnce() -> F + Send + 'static,
    ) -> io::Result<Self> {
        let (stop, stopped) = oneshot::channel::<()>();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = thread::Builder::new().name("bundled-sites".into()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = stopped => {}
                    () = serve() => {}
                }
            });
        })?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for ServerThread {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
