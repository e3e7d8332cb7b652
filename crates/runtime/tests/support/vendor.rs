//! A model of the scripted vendor.

use legwork_runtime::errands::{Attempts, Client, Patience, Wishes, choose, found};
use legwork_testkit::sites::vendor::{Vendor, VendorWire};

/// A model of this vendor, by one of its wires.
pub(crate) async fn client(vendor: &Vendor, wire: VendorWire) -> Client {
    let base_url = Some(vendor.base_url(wire));
    let (model, wire) = (Some(wire.model().into()), Some(wire.name().into()));
    let wishes = Wishes { model, base_url, wire, ..Wishes::default() };
    let model = found(choose(&wishes).unwrap()).await.unwrap();
    Client::new(model, Patience::USUAL, Attempts::default()).unwrap()
}
