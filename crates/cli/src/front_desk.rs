//! The ways on which people answer, for commands that ask: the approval page, the socket for `legwork approve`, and a line on standard
//! error for each question.

use std::{collections::BTreeSet, sync::Arc};

use legwork_api::{ApprovalPage, DeskSocket, Shown};
use legwork_runtime::{Approvals, CancellationToken, Instance, OwnPorts, Standing, WhoConfirms};
use legwork_types::{Code, Problem};
use tokio::task::JoinSet;

use crate::{output::Output, plain::plain};

/// The ways on which people answer, prepared and not yet open. What belongs to us is known from now on.
pub(crate) struct FrontDesk {
    page: Option<ApprovalPage>,
    instance: Option<Instance>,
    ports: BTreeSet<u16>,
}

/// The same, open for as long as it is kept.
pub(crate) struct OpenDesk {
    // Dropped in this order: nobody is served by an instance that is off the list.
    _tasks: JoinSet<()>,
    _instance: Option<Instance>,
}

impl FrontDesk {
    /// Takes what it needs: a page where a person may be asked, and the ports that are served besides.
    pub(crate) async fn prepare(who: WhoConfirms, served: &[u16], output: Output) -> Result<Self, Problem> {
        let page = match who {
            WhoConfirms::Human => Some(ApprovalPage::bind().await.map_err(|error| {
                let hint = "see whether a port of 127.0.0.1 is free, or start with --confirm nobody";
                Problem::new(
                    Code::InternalError,
                    "nobody could be asked: there is no port for the approval page",
                    hint,
                )
                .because(error.to_string())
            })?),
            WhoConfirms::Nobody | WhoConfirms::Caller => None,
        };
        let ports: BTreeSet<u16> =
            served.iter().copied().chain(page.as_ref().map(ApprovalPage::port)).collect();
        let instance = match ports.is_empty() {
            true => None,
            false => Instance::enter(&ports)
                .inspect_err(|error| {
                    output.warn(&format!(
                        "no other Legwork knows of this one, and `legwork approve` can't reach it: {error}"
                    ));
                })
                .ok(),
        };
        Ok(Self { page, instance, ports })
    }

    /// The ports that pages must not reach.
    pub(crate) fn own(&self) -> OwnPorts {
        OwnPorts { ports: self.ports.clone(), ..OwnPorts::default() }
    }

    /// From now on people can answer what is asked at this desk.
    pub(crate) fn open(self, desk: &Arc<Approvals>, cancel: &CancellationToken, output: Output) -> OpenDesk {
        let mut tasks = JoinSet::new();
        let Some(page) = self.page else { return OpenDesk { _tasks: tasks, _instance: self.instance } };
        desk.answered_at(page.url_of());
        tasks.spawn(page.serve(desk.clone(), cancel.clone()));
        if let Some(instance) = &self.instance {
            match DeskSocket::bind(instance.socket()) {
                Ok(socket) => drop(tasks.spawn(socket.serve(desk.clone(), cancel.clone()))),
                Err(error) => output.warn(&format!("`legwork approve` can't reach this: {error}")),
            }
        }
        tasks.spawn(tell(desk.clone(), output));
        OpenDesk { _tasks: tasks, _instance: self.instance }
    }
}

/// Tells the operator of each question, with the code: whoever reads this may answer.
async fn tell(desk: Arc<Approvals>, output: Output) {
    let mut changes = desk.changes();
    let mut told: BTreeSet<String> = BTreeSet::new();
    loop {
        changes.mark_unchanged();
        let waiting = desk.waiting();
        told.retain(|id| waiting.iter().any(|one| one.id.0 == *id));
        for approval in waiting {
            if told.insert(approval.id.0.clone()) {
                let shown = Shown::of(&approval, Standing::Waiting);
                let url = shown.url.as_deref().unwrap_or("legwork approve");
                output.note(&plain(&format!("approval {}: {}: {url}", shown.id, shown.in_short())));
            }
        }
        if changes.changed().await.is_err() {
            return;
        }
    }
}
