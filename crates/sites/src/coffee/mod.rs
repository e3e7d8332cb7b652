//! Silver Oak Roasters: a coffee shop with a basket, subscriptions with instalments, and a checkout.

mod basket;
mod basket_page;
mod browse;
mod checkout;
mod drawing;
mod info;
mod layout;
mod login;
mod orders;
mod payment;
mod place;
mod products;
mod shop;
mod subscription_acts;
mod subscription_pages;
mod subscriptions;

use axum::Router;

use crate::{
    day::Day,
    desk::{
        Desk,
        Door::{Members, Open},
    },
    ledger::Ledger,
};
use shop::Shop;

/// How the last step of the checkout is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PayStep {
    /// A form that is sent to `/checkout/place`, and a new page.
    #[default]
    Form,
    /// A script that calls `/api/orders` and shows the confirmation in place.
    Script,
}

/// What can be chosen about the shop.
#[derive(Debug, Clone)]
pub struct CoffeeOptions {
    /// The day on which the shop lives.
    pub today: Day,
    /// The e-mail address of the one account.
    pub email: String,
    /// The password of the one account.
    pub password: String,
    /// How the last step of the checkout is done, unless the visitor says `?pay=script` or `?pay=form` there.
    pub pay: PayStep,
    /// The number that all tokens of pages come from.
    pub seed: u64,
}

impl Default for CoffeeOptions {
    fn default() -> Self {
        Self {
            today: Day::default(),
            email: "demo@example.test".into(),
            password: "oak-and-steam-42".into(),
            pay: PayStep::default(),
            seed: 596_215,
        }
    }
}

/// The coffee shop.
#[derive(Debug)]
pub struct CoffeeShop {
    router: Router,
    ledger: Ledger,
}

impl CoffeeShop {
    /// Opens a shop; every shop has its own baskets, subscriptions and orders.
    pub fn new(options: CoffeeOptions) -> Self {
        let (ledger, seed) = (Ledger::default(), options.seed);
        let router = routes(&Desk::new(Shop::new(options, ledger.clone()), seed));
        Self { router, ledger }
    }

    /// The routes of the shop; clones are the same shop.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// What happened in the shop.
    pub fn ledger(&self) -> Ledger {
        self.ledger.clone()
    }
}

fn routes(desk: &Desk<Shop>) -> Router {
    let checkout_page = |act| desk.page(Members, act);
    let checkout_form = |act| desk.form(Members, act);
    Router::new()
        .route("/", desk.page(Open, browse::home))
        .route("/products", desk.page(Open, browse::products))
        .route("/product/{slug}", desk.page(Open, browse::product))
        .route("/search", desk.page(Open, browse::search))
        .route("/consent", desk.form(Open, info::consent))
        .route("/about", desk.page(Open, info::about))
        .route("/shipping", desk.page(Open, info::shipping))
        .route("/privacy", desk.page(Open, info::privacy))
        .route("/basket", desk.page(Open, basket_page::show))
        .route("/basket/add", desk.form(Open, basket_page::add))
        .route("/basket/add-instalment", desk.form(Members, subscription_acts::prepare))
        .route("/basket/update", desk.form(Open, basket_page::update))
        .route("/api/basket", desk.form(Open, basket_page::add_by_script))
        .route("/login", desk.page(Open, login::show).merge(desk.form(Open, login::enter)))
        .route("/logout", desk.form(Open, login::leave))
        .route("/account", desk.page(Members, login::account))
        .route("/account/subscriptions", desk.page(Members, subscription_pages::list))
        .route("/account/subscriptions/{id}", desk.page(Members, subscription_pages::show))
        .route("/account/subscriptions/{id}/skip", desk.form(Members, subscription_acts::skip))
        .route("/account/subscriptions/{id}/ending", desk.page(Members, subscription_pages::ask_cancel))
        .route("/account/subscriptions/{id}/cancel", desk.form(Members, subscription_acts::cancel))
        .route("/checkout", checkout_page(checkout::begin))
        .route(
            "/checkout/address",
            checkout_page(checkout::address).merge(checkout_form(checkout::set_address)),
        )
        .route(
            "/checkout/delivery",
            checkout_page(checkout::delivery).merge(checkout_form(checkout::set_delivery)),
        )
        .route("/checkout/payment-method", checkout_page(payment::show).merge(checkout_form(payment::set)))
        .route("/checkout/card", checkout_page(payment::card).merge(checkout_form(payment::set_card)))
        .route("/checkout/review", checkout_page(place::review))
        .route("/checkout/place", checkout_form(place::place))
        .route("/api/orders", checkout_form(place::place_by_script))
        .route("/orders", desk.page(Members, orders::list))
        .route("/orders/{id}", desk.page(Members, orders::show))
        .route("/{*anything}", desk.page(Open, info::nowhere))
}
