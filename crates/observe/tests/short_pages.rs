//! Short pages: some merely speak of what walls speak of, others are walls in few words.

mod common;

use common::*;
use legwork_observe::capture::GroupKind;
use legwork_types::contract::BlockerKind::{self, *};

fn kinds(body: Vec<El>) -> Vec<BlockerKind> {
    of(page(body).form("post", "/x"))
}

fn of(doc: Doc) -> Vec<BlockerKind> {
    doc.scene().blockers.iter().map(|blocker| blocker.kind).collect()
}

fn main_of(body: Vec<El>) -> El {
    group(GroupKind::Main, body)
}

fn modal(body: Vec<El>) -> El {
    group(GroupKind::Modal, body)
}

fn basket() -> El {
    button("Add to cart")
}

#[test]
fn a_login_for_something_beside_the_page_is_no_wall() {
    let review = || text("Please log in to leave a review.");
    for twin in [
        vec![heading(1, "Blue mug"), text("A mug."), basket(), review(), link("Log in")],
        vec![heading(1, "Blue mug"), text("A mug."), review(), link("Log in")],
        vec![heading(1, "Blue mug"), basket(), text("Please log in."), link("Log in")],
        vec![heading(1, "Blue mug"), text("Bitte melden Sie sich an, um zu kommentieren."), link("Anmelden")],
        vec![main_of(vec![heading(1, "Login history"), text("Yesterday"), button("Continue with Google")])],
        vec![heading(1, "How to sign in"), text("Press the key."), link("Sign in with Google")],
        vec![heading(1, "Sign in"), text("Our new song."), button("Play"), link("Listen with Apple")],
    ] {
        assert_eq!(kinds(twin.clone()), [], "{twin:?}");
    }
    assert_eq!(kinds(vec![heading(1, "Orders"), text("Please log in."), link("Log in")]), [LoginRequired]);
    assert_eq!(
        kinds(vec![heading(1, "Orders"), text("Please log in to see your orders."), button("Log in")]),
        [LoginRequired]
    );
}

#[test]
fn passwords_that_open_something_else() {
    let form = |heads: &'static str, fields: Vec<El>, sends: &str| {
        let mut inside: Vec<El> = fields.into_iter().map(|field| field.form(0)).collect();
        inside.push(submit(sends, 0));
        kinds(vec![heading(1, heads), group(GroupKind::Form, inside).form(0)])
    };
    let loose =
        |heads: &'static str, field: El, sends: &str| kinds(vec![heading(1, heads), field, button(sends)]);
    for (heads, field, sends) in [
        ("Connection", password("API key"), "Test"),
        ("Signing", password("Private key"), "Use"),
        ("Printer", password("Wi-Fi password"), "Join"),
        ("Wi-Fi setup", password("Password"), "Next"),
        ("Your address", password("Current password to confirm"), "Go"),
    ] {
        assert_eq!(form(heads, vec![field.clone()], sends), [], "{heads}");
        assert_eq!(loose(heads, field, sends), [], "{heads}");
    }
    let change = vec![common::field("New e-mail"), password("Current password to confirm")];
    assert_eq!(form("Your address", change, "Go"), []);
    assert_eq!(form("Members", vec![password("Password")], "Open"), [LoginRequired]);
    assert_eq!(loose("This album is locked", password("Password"), "Open"), [LoginRequired]);
}

#[test]
fn ages_that_are_terms_and_not_gates() {
    let booking = || vec![field("From"), field("To"), button("Book")];
    let mut rental = vec![heading(1, "Rent a car"), text("Renters must be 18 or older.")];
    rental.extend(booking());
    let shop = vec![heading(1, "Wines"), text("You must be of legal age to order."), basket(), link("Red")];
    let signup = vec![
        heading(1, "Join"),
        field("Name"),
        text("Enter your date of birth"),
        field("Birthday"),
        button("Create profile"),
    ];
    let terms = vec![heading(1, "Terms"), text("Renters must be 18 or older."), link("More about cars")];
    for twin in [rental, shop, signup, terms] {
        assert_eq!(kinds(twin.clone()), [], "{twin:?}");
    }
    let gate = vec![
        heading(1, "Welcome"),
        text("You must be 18 or older to enter."),
        button("Enter"),
        button("Exit"),
    ];
    assert_eq!(kinds(gate), [AgeGate]);
    let dates = vec![
        text("Enter your date of birth"),
        field("Day"),
        field("Month"),
        field("Year"),
        button("Enter"),
        link("Terms"),
    ];
    assert_eq!(kinds(dates), [AgeGate]);
    let links = vec![heading(1, "Are you over 18?"), link("Yes"), link("No")];
    assert_eq!(kinds(links), [AgeGate]);
}

#[test]
fn phrases_of_captchas_that_everybody_uses() {
    for twin in [
        vec![heading(1, "Reset it"), text("Press and hold the reset button for ten seconds."), link("Next")],
        vec![heading(1, "Just a moment of calm"), text("Breathe."), link("Next")],
        vec![heading(1, "Just a moment of calm"), text("Breathe."), button("Play")],
    ] {
        assert_eq!(kinds(twin.clone()), [], "{twin:?}");
    }
    assert_eq!(of(page(vec![text("Wait.")]).titled("Just a moment...")), [Captcha]);
    assert_eq!(kinds(vec![heading(1, "Before we go on"), text("Press & Hold"), button("")]), [Captcha]);
    let says = "Enter the text shown in the picture";
    for wall in [
        vec![heading(1, "Comment"), field("Comment"), field(says), button("Send")],
        vec![heading(1, "Comment"), field("Comment"), text(says), field(""), button("Send")],
        vec![text(says), field("Your answer"), button("OK")],
    ] {
        assert_eq!(kinds(wall.clone()), [Captcha], "{wall:?}");
    }
    let twin = vec![
        heading(1, "Comment"),
        field("Comment"),
        text("The text is shown below"),
        field("Name"),
        button("Send"),
    ];
    assert_eq!(kinds(twin), []);
}

#[test]
fn goods_and_letters_that_are_no_walls() {
    let mug = vec![heading(1, "Mug"), text("Express shipping is not available in your area."), basket()];
    assert_eq!(kinds(mug), []);
    let closed = vec![heading(1, "Oh"), text("This shop is not available in your area."), link("Home")];
    assert_eq!(kinds(closed), [GeoWall]);
    let letter =
        boxed(vec![text("Subscribe to read our weekly letter first."), field("E-mail"), button("Subscribe")]);
    assert_eq!(kinds(vec![main_of(vec![heading(1, "News"), letter, link("a")])]), []);
    let dialog = |more: Vec<El>| {
        let mut inside = vec![heading(2, "Our newsletter")];
        inside.extend(more);
        inside.extend([text("Already a subscriber? Please log in."), link("Log in"), button("Close")]);
        kinds(vec![main_of(vec![text("A story"), link("a")]), modal(inside)])
    };
    assert_eq!(dialog(vec![]), []);
    assert_eq!(dialog(vec![field("E-mail"), button("Subscribe")]), []);
    let article = boxed(vec![text("Subscribe to read the whole story."), button("Subscribe")]);
    assert_eq!(kinds(vec![main_of(vec![text("It began"), article])]), [Paywall]);
    let already = boxed(vec![text("Already a subscriber?"), link("Log in"), button("See options")]);
    assert_eq!(kinds(vec![main_of(vec![text("It began"), already])]), [Paywall]);
    let asked = modal(vec![text("Please log in."), button("Log in"), button("Close")]);
    assert_eq!(kinds(vec![main_of(vec![text("A story"), link("a")]), asked]), [LoginRequired]);
}

#[test]
fn ways_in_without_a_password() {
    let title = || heading(1, "Sign in to Acme");
    for wall in [
        vec![
            title(),
            button("Continue with Google"),
            button("Continue with Microsoft"),
            button("Continue with SSO"),
        ],
        vec![title(), link("Continue with Google"), link("Use single sign-on"), link("Privacy")],
        vec![title(), button("Use a passkey")],
        vec![heading(1, "Sign in"), button("Sign in with a passkey"), link("Help")],
        vec![heading(1, "Sign in"), field("E-mail"), button("Next")],
        vec![heading(1, "Sign in"), field("E-mail"), button("Next"), button("Forgot e-mail?"), link("Terms")],
        vec![heading(1, "Login page"), field("Username"), button("Next")],
        vec![heading(1, "ログイン"), field("メールアドレス"), button("次へ")],
    ] {
        assert_eq!(kinds(wall.clone()), [LoginRequired], "{wall:?}");
    }
    for twin in [
        vec![title(), text("Acme is here."), link("About Acme")],
        vec![heading(1, "Our partners"), button("Continue with Google")],
        vec![heading(1, "Sign in sheet"), field("E-mail"), field("Room"), button("Next")],
        vec![heading(1, "News"), field("E-mail"), button("Next")],
    ] {
        assert_eq!(kinds(twin.clone()), [], "{twin:?}");
    }
}

#[test]
fn logins_among_helps_and_refusals() {
    let form = |button: &str, name: &str, secret: &str| {
        let inside = vec![field(name).form(0), password(secret).form(0), submit(button, 0)];
        group(GroupKind::Form, inside).form(0)
    };
    let helps = |count: usize| (0..count).map(|_| link("A question"));
    let page_of = |heads: &'static str, links: usize| {
        let mut body = vec![heading(1, heads), form("Sign in", "Email", "Password")];
        body.extend(helps(links));
        kinds(body)
    };
    assert_eq!(page_of("Sign in", 20), [LoginRequired]);
    assert_eq!(page_of("All topics", 20), []);
    assert_eq!(
        kinds(vec![heading(1, "会員"), form("ログイン", "メールアドレス", "パスワード")]),
        [LoginRequired]
    );
    assert_eq!(kinds(vec![heading(1, "会員登録"), form("登録する", "メールアドレス", "パスワード")]), []);
    assert_eq!(kinds(vec![text("続けるにはログインしてください。"), link("ログイン")]), [LoginRequired]);

    let refused = |heads: &'static str, more: Vec<El>| {
        let mut body = vec![heading(1, heads), text("You may not see this.")];
        body.extend(more);
        kinds(body)
    };
    assert_eq!(refused("403 Forbidden", vec![link("Log in to your account")]), [LoginRequired]);
    assert_eq!(refused("Access denied", vec![text("Go on:"), button("Sign in")]), [LoginRequired]);
    assert_eq!(refused("403 Forbidden", vec![link("Home")]), []);
    assert_eq!(refused("Welcome", vec![link("Log in to your account")]), []);
}

#[test]
fn a_bar_about_cookies_that_just_stands_there() {
    let story = || main_of(vec![heading(1, "A story"), text("It began."), link("More")]);
    let bar = |says: &'static str, yes: &str| boxed(vec![text(says), link("More about it"), button(yes)]);
    let scene = page(vec![bar("This website uses cookies", "OK"), story()]).scene();
    assert_eq!(scene.blockers.len(), 1);
    assert_eq!((scene.blockers[0].kind, scene.blockers[0].items.len()), (CookieConsent, 2));
    assert_eq!(kinds(vec![story(), bar("Diese Seite verwendet Cookies.", "Verstanden")]), [CookieConsent]);
    for twin in [
        vec![story(), bar("This bakery makes cookies", "OK")],
        vec![story(), bar("This website uses cookies", "Play")],
        vec![story(), boxed(vec![text("This website uses cookies"), link("OK")])],
        vec![main_of(vec![heading(1, "How it works"), bar("This website uses cookies", "OK")])],
        vec![story(), group(GroupKind::Footer, vec![bar("This website uses cookies", "OK")])],
    ] {
        assert_eq!(kinds(twin.clone()), [], "{twin:?}");
    }
}
