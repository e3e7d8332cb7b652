//! An errand joined to sessions, to a model of the scripted vendor, and to whoever can be asked.

use std::sync::{Arc, Mutex};

use legwork_runtime::{
    Approvals, Caller, CancellationToken, Sessions,
    errands::{
        self, Asked, Client, Entry, Finished, Journal, People, Price, Prices, Question, Runs, Spec, World,
        run_errand,
    },
};
use legwork_testkit::sites::vendor::{Vendor, VendorWire};
use legwork_types::Problem;

use super::vendor::client;

/// The log of an errand, in memory.
#[derive(Clone, Default)]
pub(crate) struct Kept(Arc<Mutex<Vec<Entry>>>);

impl Kept {
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.0.lock().unwrap().clone()
    }
}

impl Journal for Kept {
    async fn record(&mut self, entries: &[Entry]) -> Result<(), Problem> {
        self.0.lock().unwrap().extend_from_slice(entries);
        Ok(())
    }

    async fn keep_picture(&mut self, _: &str, _: &[u8]) {}
}

/// Nobody sits at a terminal; whoever is asked about what would leave answers elsewhere.
pub(crate) struct Nobody;

impl People for Nobody {
    async fn ask(&mut self, _: &Question) -> errands::Answer {
        errands::Answer::Nothing
    }

    async fn attend(&mut self, _: &Approvals) {}
}

/// What a model would cost that does not run here.
fn price(client: &Client) -> Price {
    Prices::default().of(&client.model().name, Runs::Elsewhere).0
}

/// What an errand is joined to besides sessions and a model.
pub(crate) struct Joined<J, P> {
    pub(crate) journal: J,
    pub(crate) people: P,
    pub(crate) stop: CancellationToken,
}

impl<J: Journal, P: People> Joined<J, P> {
    /// Runs an errand with the password, and says what the model costs.
    pub(crate) async fn run(
        self,
        sessions: &Sessions,
        vendor: &Vendor,
        wire: VendorWire,
        spec: Spec,
    ) -> (Finished, Price) {
        let (finished, prices) = self.run_with(sessions, &[(vendor, wire)], spec).await;
        (finished, prices[0])
    }

    /// The same where a second model may go on in the place of the first; says what each of them costs.
    pub(crate) async fn run_with(
        self,
        sessions: &Sessions,
        vendors: &[(&Vendor, VendorWire)],
        spec: Spec,
    ) -> (Finished, Vec<Price>) {
        self.run_as(sessions, vendors, Spec { secrets: vec!["password".into()], ..spec }).await
    }

    /// The same with just the secrets that the errand is said to have.
    pub(crate) async fn run_as(
        self,
        sessions: &Sessions,
        vendors: &[(&Vendor, VendorWire)],
        spec: Spec,
    ) -> (Finished, Vec<Price>) {
        let (vendor, wire) = vendors[0];
        let mut clients = vec![];
        for (vendor, wire) in vendors {
            clients.push(client(vendor, *wire).await);
        }
        let prices: Vec<Price> = clients.iter().map(price).collect();
        let world = World {
            sessions,
            // What one errand has read, another one does not know.
            caller: Caller::new(&vendor.base_url(wire)),
            client: &clients[0],
            price: prices[0],
            fallback: clients.get(1).map(|client| Asked { client, price: prices[1] }),
            journal: self.journal,
            people: self.people,
            stop: self.stop,
            cancel: CancellationToken::new(),
        };
        (run_errand(spec, world).await, prices)
    }
}
