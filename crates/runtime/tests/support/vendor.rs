//! A model of the scripted vendor.

use legwork_runtime::errands::{Attempts, Client, Patience, Wishes, choose, found};
use legwork_testkit::sites::vendor::{Vendor, VendorWire};

/// A model of this vendor, by one of its wires.
pub(crate) async fn client(vendor: &Vendor, wire: VendorWire) -> Client {
    let model = match wire {
        VendorWire::Anthropic => "claude-opus-4-6",
        VendorWire::OpenAi => "gpt-5",
    };
    let base_url = Some(vendor.base_url(wire));
    let wishes = Wishes { model: Some(model.into()), base_url, ..Wishes::default() };
    let model = found(choose(&wishes).unwrap()).await.unwrap();
    Client::new(model, Patience::USUAL, Attempts::default()).unwrap()
}
