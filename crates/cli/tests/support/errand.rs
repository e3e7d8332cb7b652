//! Errands in the bundled sites, with a vendor whose model is a script.

use std::process::Command;

use legwork_testkit::sites::{
    Bundled, CoffeeOptions, StreamOptions,
    vendor::{Asked, Reply, Vendor, VendorWire},
};

use super::{Legwork, Ran, ran};

/// The password of the only account.
pub(crate) const PASSWORD: &str = "oak-steam-and-glow-42";

/// The program, the sites and the vendor.
pub(crate) struct Bench {
    pub(crate) legwork: Legwork,
    pub(crate) sites: Bundled,
    pub(crate) vendor: Vendor,
}

impl Bench {
    pub(crate) fn start(script: impl FnMut(&Asked) -> Reply + Send + 'static) -> Self {
        let coffee = CoffeeOptions { password: PASSWORD.into(), ..CoffeeOptions::default() };
        let stream = StreamOptions { password: PASSWORD.into(), ..StreamOptions::default() };
        let sites = Bundled::start_with(coffee, stream).unwrap();
        Self { legwork: Legwork::new(), sites, vendor: Vendor::start(script).unwrap() }
    }

    /// The address of a page of the shop.
    pub(crate) fn shop(&self, path: &str) -> String {
        self.sites.coffee_url(path)
    }

    /// What names the model, has the password, and grants the sites.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let grants = [self.sites.coffee_address(), self.sites.stream_address()].map(|one| one.to_string());
        vec![
            ("LEGWORK_MODEL", "scripted".to_owned()),
            ("LEGWORK_BASE_URL", self.vendor.base_url(VendorWire::OpenAi)),
            ("SHOP_PASSWORD", PASSWORD.to_owned()),
            ("LEGWORK_ALLOW_PRIVATE", grants.join(",")),
        ]
    }

    /// The words of an errand, with the secret that logs in.
    pub(crate) fn args(&self, more: &[&str]) -> Vec<String> {
        let secret =
            format!("password=env:SHOP_PASSWORD@{},{}", self.sites.coffee_url(""), self.sites.stream_url(""));
        let words = ["run", "--secret", &secret];
        words.iter().chain(more).map(|word| (*word).to_owned()).collect()
    }

    pub(crate) fn dress(&self, command: &mut Command) {
        self.legwork.dress(command);
        command.envs(self.variables());
    }

    pub(crate) fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(Legwork::binary());
        self.dress(&mut command);
        command.args(self.args(more));
        command
    }

    pub(crate) fn run(&self, more: &[&str]) -> Ran {
        ran(&mut self.command(more))
    }
}
