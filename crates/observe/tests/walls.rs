//! What stands between a visitor and a page, what stands out of it, and pages that merely look like it.

mod common;

use common::*;
use legwork_observe::capture::{Flag, GroupKind};
use legwork_types::contract::{
    BlockerKind::{self, *},
    Landmark, Severity,
};

const ESSAY: &str = "Once upon a time there was a long text that somebody wrote for others to read at their leisure. It goes on for \
a while, as such texts do, and it has nothing to ask of its reader but patience. There are many pages like this one.";

fn essay() -> El {
    boxed((0..8).map(|_| text(ESSAY)).chain([link("More"), link("Less")]).collect())
}

fn kinds(doc: Doc) -> Vec<BlockerKind> {
    doc.scene().blockers.iter().map(|blocker| blocker.kind).collect()
}

fn main_of(body: Vec<El>) -> El {
    group(GroupKind::Main, body)
}

#[test]
fn cookie_banners_and_what_is_none() {
    let banner = |says: &'static str, yes: &str| {
        page(vec![main_of(vec![essay()]), boxed(vec![text(says), button(yes), button("Settings")]).fixed()])
    };
    for (says, yes) in [
        ("We use cookies to improve your experience on our site.", "Accept all"),
        ("Wir verwenden Cookies und ähnliche Techniken.", "Alle akzeptieren"),
        ("Nous utilisons des cookies avec nos partenaires.", "Tout accepter"),
        ("Utilizamos cookies propias y de terceros.", "Aceptar"),
        ("Utilizziamo i cookie per il nostro sito.", "Accetta"),
        ("We use cookies.", "Accept all"),
        ("Cookies on this device", "Reject all"),
        ("Wij gebruiken cookies.", "Akkoord"),
        ("Este site usa cookies.", "Aceitar"),
        ("Używamy plików cookies.", "Zgadzam się"),
    ] {
        let scene = banner(says, yes).scene();
        assert_eq!(scene.blockers.len(), 1, "{says}");
        assert_eq!(scene.blockers[0].kind, CookieConsent);
        assert_eq!(scene.blockers[0].items.len(), 2);
        assert_eq!(item(&scene, yes).affordance.landmark, Landmark::Banner);
        assert!(scene.page.banners.is_empty() && !scene.page.blocking_overlay.present);
    }
    let asks = || vec![text("Your choice"), button("Accept all"), button("Reject all")];
    let region = || group(GroupKind::Region, asks()).named("Cookies");
    for notice in [region(), region().fixed(), boxed(vec![region()]).fixed()] {
        let scene = page(vec![main_of(vec![essay()]), notice]).scene();
        assert_eq!(scene.blockers.iter().map(|blocker| blocker.kind).collect::<Vec<_>>(), [CookieConsent]);
        assert_eq!(item(&scene, "Reject all").affordance.landmark, Landmark::Banner);
    }
    let bar = |says: &'static str| {
        let bar = boxed(vec![text(says), button("OK")]);
        page(vec![main_of(vec![essay()]), bar]).scene()
    };
    let still = bar("This site uses cookies.");
    assert_eq!(still.blockers.len(), 1);
    assert_eq!(item(&still, "OK").affordance.landmark, Landmark::Banner);
    assert_eq!(item(&bar("This site uses colours."), "OK").affordance.landmark, Landmark::Unknown);
    let vendor = boxed(vec![text("Your choice"), button("Reject")]).hint("onetrust-banner-sdk");
    assert_eq!(kinds(page(vec![essay(), vendor])), [CookieConsent]);
    let modal =
        group(GroupKind::Modal, vec![text("We value your privacy and use cookies"), button("I agree")]);
    let scene = page(vec![essay(), modal]).scene();
    assert_eq!(scene.blockers[0].kind, CookieConsent);
    assert!(scene.page.blocking_overlay.present);
    let in_frame = El::Frame(
        Box::new(owner("https://cmp.example/sp_message?x", upright(0.0, 0.0, 900.0, 700.0), [900.0, 700.0])),
        Box::new(page(vec![text("Your privacy"), button("Accept all")])),
    );
    assert_eq!(kinds(page(vec![essay(), in_frame])), [CookieConsent]);

    for twin in [
        page(vec![
            essay(),
            group(GroupKind::Footer, vec![link("Cookie settings"), link("Accept")]).hint("cookie-footer"),
        ]),
        page(vec![essay(), boxed(vec![button("Cookie settings")]).fixed().hint("ot-floating cookie")]),
        page(vec![main_of(vec![
            heading(1, "How cookies work"),
            text("A site uses cookies. Accept that."),
            essay(),
        ])]),
        page(vec![essay(), boxed(vec![text("Bake a cookie today"), button("OK")]).fixed()]),
        page(vec![essay(), boxed(vec![text("Join our letter"), button("Accept")]).fixed()]),
        page(vec![essay(), boxed(vec![text("Join our letter"), button("Accept all")]).fixed()]),
        page(vec![
            essay(),
            group(GroupKind::Region, vec![text("Baked today"), button("Add to basket"), button("OK")])
                .named("Cookies"),
        ]),
    ] {
        assert_eq!(kinds(twin), []);
    }
}

#[test]
fn captchas_and_what_is_none() {
    let widget = |src: &str, width: f32| {
        let place = owner(src, upright(0.0, 0.0, width, 78.0), [width, 78.0]);
        page(vec![essay(), El::Closed(Box::new(place))])
    };
    for src in [
        "https://www.google.com/recaptcha/api2/anchor?k=1&size=normal",
        "https://newassets.hcaptcha.com/captcha/v1/x",
        "https://challenges.cloudflare.com/cdn-cgi/challenge",
        "https://geo.captcha-delivery.com/captcha/?x",
        "https://client-api.arkoselabs.com/fc/",
    ] {
        assert_eq!(kinds(widget(src, 304.0)), [Captcha], "{src}");
    }
    assert_eq!(
        kinds(page(vec![heading(1, "Verify you are human"), text("shop.example needs to check.")])),
        [Captcha]
    );
    assert_eq!(
        kinds(page(vec![text("Bitte bestätigen Sie, dass Sie ein Mensch sind"), button("Los")])),
        [Captcha]
    );
    assert_eq!(kinds(page(vec![essay(), field("Captcha").form(0), submit("Go", 0)])), [Captcha]);
    let named = boxed(vec![control("checkbox", "I'm here")]).hint("g-recaptcha").at(0.0, 0.0, 300.0, 70.0);
    assert_eq!(kinds(page(vec![essay(), named])), [Captcha]);

    assert_eq!(kinds(widget("https://www.google.com/recaptcha/api2/anchor?k=1&size=invisible", 256.0)), []);
    assert_eq!(kinds(widget("https://challenges.cloudflare.com/x", 1.0)), []);
    assert_eq!(kinds(widget("https://nothcaptcha.com/x", 300.0)), []);
    assert_eq!(kinds(widget("https://www.google.com/maps/embed", 300.0)), []);
    assert_eq!(kinds(page(vec![heading(1, "Are you a robot? A history of the captcha"), essay()])), []);
}

#[test]
fn logins_and_what_is_none() {
    let form = |more: Vec<El>| {
        let mut fields = vec![field("Email").form(0), password("Password").form(0), submit("Sign in", 0)];
        fields.extend(more);
        group(GroupKind::Form, fields).form(0)
    };
    let scene = page(vec![heading(1, "Welcome back"), form(vec![])]).form("post", "/login").scene();
    assert_eq!(scene.blockers.len(), 1);
    assert_eq!((scene.blockers[0].kind, scene.blockers[0].items.len()), (LoginRequired, 3));
    let modal = group(GroupKind::Modal, vec![form(vec![])]);
    assert_eq!(kinds(page(vec![main_of(vec![essay()]), modal]).form("post", "/login")), [LoginRequired]);
    let first_step =
        vec![heading(1, "Anmelden"), field("E-Mail-Adresse (email)").form(0), submit("Weiter", 0)];
    assert_eq!(kinds(page(first_step).form("post", "/id")), [LoginRequired]);
    let wall = vec![text("You must be logged in to see this."), link("Log in")];
    assert_eq!(kinds(page(wall)), [LoginRequired]);

    let asking = |heads: &'static str, more: Vec<El>, sends: &str| {
        let mut fields = more;
        fields.extend([field("Email").form(0), password("Password").form(0), submit(sends, 0)]);
        page(vec![heading(1, heads), group(GroupKind::Form, fields).form(0)]).form("post", "/x")
    };
    let name = || vec![field("First name").form(0), field("Last name").form(0)];
    for (heads, more, sends, expected) in [
        ("Members", vec![], "Sign in", true),
        ("Members", vec![], "Continue", true),
        ("Join us, it is free", vec![], "Log in", true),
        ("Sign in or register", vec![], "Continue", true),
        ("Your account", vec![field("Town").form(0)], "Anmelden", true),
        ("Checkout", vec![], "Place order", false),
        ("Checkout", name(), "Continue", false),
        ("Create your account", vec![], "Continue", false),
        ("Welcome", vec![], "Sign up", false),
        ("Welcome", name(), "Start now", false),
        ("Konto", vec![], "Registrieren", false),
        ("Change password", vec![], "Save", false),
    ] {
        let found = kinds(asking(heads, more, sends));
        assert_eq!(found, if expected { vec![LoginRequired] } else { vec![] }, "{heads} {sends}");
    }
    let locked =
        |heads: &'static str, sends: &str| page(vec![heading(1, heads), password("Password"), button(sends)]);
    assert_eq!(kinds(locked("This album is locked", "Open")), [LoginRequired]);
    assert_eq!(kinds(locked("Delete your account", "Delete")), []);
    let mut member = vec![text("Already a member? Please log in."), link("Log in")];
    member.extend(name());
    assert_eq!(kinds(asking("Join", member, "Join now")), []);

    let header = group(GroupKind::Header, vec![form(vec![])]);
    let many = (0..30).map(|_| link("A story")).collect();
    for twin in [
        page(vec![link("Log in"), essay()]),
        page(vec![header, main_of(vec![essay()])]),
        page(vec![main_of(many), form(vec![])]),
        page(vec![form(vec![password("Repeat password").form(0)])]),
        page(vec![essay(), text("Please log in to comment."), link("Log in")]),
        page(vec![heading(1, "Newsletter"), field("Email").form(0), submit("Subscribe", 0)]),
    ] {
        assert_eq!(kinds(twin.form("post", "/login")), []);
    }
}

#[test]
fn second_factors_and_what_is_none() {
    let code = field("Code").set(|a| a.autocomplete = Some("one-time-code".into()));
    assert_eq!(kinds(page(vec![code.form(0), submit("Go", 0)]).form("post", "/")), [Mfa]);
    assert_eq!(kinds(page(vec![field("Verification code"), button("Verify")])), [Mfa]);
    let boxes = (0..6).map(|_| field("Digit").set(|a| a.max_length = Some(1)));
    let split = [text("Enter the code we sent you")].into_iter().chain(boxes).collect();
    assert_eq!(kinds(page(split)), [Mfa]);

    for twin in [
        page(vec![heading(1, "Two-factor authentication"), text("Protect your account."), button("Turn on")]),
        page(vec![essay(), field("Promo code"), button("Apply")]),
        page(vec![essay(), field("Postal code"), button("Apply")]),
        page(vec![field("Card number").form(0), field("Security code").form(0), submit("Pay", 0)])
            .form("post", "/"),
    ] {
        assert_eq!(kinds(twin), []);
    }
}

#[test]
fn age_country_and_subscription_and_what_is_none() {
    let over = |says: &'static str, yes: &str| {
        page(vec![
            main_of(vec![essay()]),
            group(GroupKind::Modal, vec![text(says), button(yes), button("Leave")]),
        ])
    };
    assert_eq!(kinds(over("Are you over 18?", "Yes")), [AgeGate]);
    assert_eq!(kinds(over("Sind Sie über 18?", "Ja")), [AgeGate]);
    assert_eq!(kinds(over("¿Eres mayor de edad?", "Sí")), [AgeGate]);
    assert_eq!(kinds(page(vec![heading(1, "This video is not available in your country")])), [GeoWall]);
    assert_eq!(kinds(over("Dieser Inhalt ist in deinem Land nicht verfügbar.", "OK")), [GeoWall]);
    let offer = boxed(vec![text("Subscribe to continue reading"), button("See options"), text("From 1 €")]);
    assert_eq!(kinds(page(vec![main_of(vec![essay(), offer])])), [Paywall]);
    let named = boxed(vec![text("Exklusiv"), button("Jetzt abonnieren")]).hint("article-paywall");
    assert_eq!(kinds(page(vec![main_of(vec![essay(), named])])), [Paywall]);

    for twin in [
        page(vec![
            main_of(vec![essay()]),
            group(GroupKind::Footer, vec![text("You must be 18 or older to order.")]),
        ]),
        page(vec![main_of(vec![essay(), text("Some songs are not available in your country.")])]),
        page(vec![
            main_of(vec![essay()]),
            group(GroupKind::Footer, vec![text("Our letter"), button("Subscribe")]),
        ]),
        page(vec![main_of(vec![essay(), text("Press the arrow to continue reading the story.")])]),
        over("Pick a size", "Large"),
    ] {
        assert_eq!(kinds(twin), []);
    }
}

#[test]
fn dialogs_covers_and_notices() {
    let scene = page(vec![
        main_of(vec![essay()]),
        group(GroupKind::Dialog, vec![text("How can we help?"), button("Chat")]).named("Chat"),
        group(GroupKind::Modal, vec![heading(2, "Sizes"), text("Small or large"), button("Large")]),
        group(GroupKind::Dialog, vec![text("Later"), button("Fine")]).named("Later"),
    ])
    .scene();
    let titles: Vec<_> = scene.page.modals.iter().map(|m| m.title.clone().unwrap_or_default()).collect();
    assert_eq!(titles, ["Sizes".into(), "Later".into(), "Chat".into()]);
    assert!(scene.page.blocking_overlay.present);
    assert_eq!(scene.page.blocking_overlay.label, Some("Sizes".into()));
    assert_eq!(scene.page.modals[0].excerpt, Some("Sizes Small or large".into()));

    let cover = |covered: bool| {
        let under = if covered { link("under").flag(Flag::Covered) } else { link("under") };
        let inner = vec![heading(2, "Sign our letter"), button("No")];
        page(vec![boxed(vec![under, text("x")]), boxed(inner).fixed().at(0.0, 0.0, 1000.0, 800.0)]).scene()
    };
    assert_eq!(cover(true).page.modals[0].title, Some("Sign our letter".into()));
    assert!(cover(true).page.blocking_overlay.present);
    assert_eq!(item(&cover(true), "No").affordance.landmark, Landmark::Modal);
    assert!(cover(false).page.modals.is_empty() && !cover(false).page.blocking_overlay.present);
    let shell =
        page(vec![boxed(vec![link("a"), main_of(vec![essay()])]).fixed().at(0.0, 0.0, 1000.0, 800.0)])
            .scene();
    assert!(shell.page.modals.is_empty() && !shell.page.blocking_overlay.present);
    let buried = page((0..4).map(|_| button("x").flag(Flag::Covered)).collect()).scene();
    assert!(buried.page.blocking_overlay.present);
}

#[test]
fn a_cover_over_words_alone_is_a_dialog() {
    let story = || main_of(vec![heading(1, "Story"), text("Once upon a time")]);
    let whole = |el: El| el.fixed().at(0.0, 0.0, 1000.0, 800.0);
    let words = || vec![heading(2, "Subscribe to continue reading"), text("You have read 3 free articles")];
    let wall =
        || whole(boxed(words().into_iter().chain([button("Subscribe now"), link("Log in")]).collect()));
    let titled = || vec![heading(1, "Story"), text("Once upon a time"), wall()];
    for doc in [
        page(vec![story(), wall()]),
        page(vec![story(), wall(), text("Imprint")]),
        page(titled()),
        page(vec![story(), whole(boxed(words()))]),
    ] {
        let scene = doc.scene();
        assert!(scene.page.blocking_overlay.present, "{doc:?}");
        assert_eq!(scene.page.blocking_overlay.label, Some("Subscribe to continue reading".into()));
        assert_eq!(scene.page.modals.len(), 1);
        assert!(scene.items.iter().all(|item| item.affordance.landmark == Landmark::Modal));
    }
    assert_eq!(kinds(page(vec![story(), wall()])), [Paywall]);

    let covered = || link("Behind").flag(Flag::Covered);
    for (what, body) in [
        ("the frame of an application", vec![text("Ready"), wall()]),
        ("a picture behind the matter", vec![whole(boxed(words())), story()]),
        ("words behind the matter", vec![heading(1, "Story"), whole(boxed(words())), text("Once")]),
        ("controls behind the matter", vec![story(), whole(boxed(vec![text("Behind"), covered()]))]),
        ("a section of the matter", vec![main_of(vec![heading(1, "Story"), text("Once"), wall()])]),
        ("a bar", vec![story(), wall().at(0.0, 300.0, 1000.0, 500.0)]),
    ] {
        let scene = page(body).scene();
        assert!(!scene.page.blocking_overlay.present && scene.page.modals.is_empty(), "{what}");
    }
}

#[test]
fn notices_have_a_tone() {
    let notice = |kind: GroupKind, hint: &str, says: &'static str| {
        let scene = page(vec![essay(), group(kind, vec![text(says)]).hint(hint)]).scene();
        scene.page.banners.first().map(|banner| banner.severity)
    };
    assert_eq!(notice(GroupKind::Alert, "alert alert-danger", "Oh"), Some(Severity::Error));
    assert_eq!(notice(GroupKind::Alert, "", "Your card was declined"), Some(Severity::Error));
    assert_eq!(notice(GroupKind::Alert, "", "Look here"), Some(Severity::Warning));
    assert_eq!(notice(GroupKind::Status, "toast-success", "No errors"), Some(Severity::Info));
    assert_eq!(notice(GroupKind::Status, "", "Added to basket"), Some(Severity::Info));
    assert_eq!(notice(GroupKind::Status, "", " "), None);
    assert_eq!(notice(GroupKind::Generic, "alert", "Not fixed"), None);
    let many =
        (0..9).map(|n| group(GroupKind::Alert, vec![text(["a", "b", "c", "d", "e", "f", "g", "h", "i"][n])]));
    assert_eq!(page(many.collect()).scene().page.banners.len(), 5);
    let results = (0..20).map(|_| link("Result")).collect();
    let scene = page(vec![group(GroupKind::Status, results)]).scene();
    assert_eq!(scene.items[0].affordance.landmark, Landmark::Main);
}

fn framed(name: &str, at: [f32; 4], inside: Doc) -> El {
    let [x, y, width, height] = at;
    let mut place = owner("https://id.example/x", upright(x, y, width, height), [width, height]);
    place.name = name.into();
    El::Frame(Box::new(place), Box::new(inside.url("https://id.example/x").titled("")))
}

const SMALL: [f32; 4] = [600.0, 100.0, 300.0, 200.0];

fn login_form() -> Doc {
    let fields = vec![field("Email").form(0), password("Password").form(0), submit("Sign in", 0)];
    page(vec![group(GroupKind::Form, fields).form(0)]).form("post", "/login")
}

fn lone_password() -> Doc {
    page(vec![password("Password"), button("Open")])
}

#[test]
fn a_login_in_a_frame_is_a_wall_where_it_is_all_of_the_page() {
    let in_frame = |doc: Doc| -> Vec<String> {
        let scene = doc.scene();
        let found: Vec<_> = scene.blockers.iter().collect();
        assert!(matches!(&found[..], [one] if one.kind == LoginRequired), "{found:?}");
        let items = found[0].items.iter().map(|&item| &scene.items[item].affordance);
        items.inspect(|a| assert!(a.frame_id.is_some())).map(|a| a.name.untrusted().to_owned()).collect()
    };
    let whole = ["Email", "Password", "Sign in"];
    assert_eq!(in_frame(page(vec![framed("", SMALL, login_form())])), whole);
    assert_eq!(in_frame(page(vec![framed("", SMALL, lone_password())])), ["Password"]);
    let titled =
        vec![heading(1, "Members"), text("Use your card."), framed("", SMALL, login_form()), link("Help")];
    assert_eq!(in_frame(page(titled)), whole);
    let dialog = group(GroupKind::Modal, vec![framed("", SMALL, login_form())]);
    assert_eq!(in_frame(page(vec![main_of(vec![essay(), button("Play")]), dialog])), whole);
    let wide = framed("", [0.0, 100.0, 1000.0, 700.0], login_form());
    assert_eq!(in_frame(page(vec![button("Play"), wide, text("Imprint")])), whole);

    let own =
        || vec![heading(1, "Our garden"), text("Look at these flowers."), button("Play"), button("Share")];
    for widget in
        [login_form(), lone_password(), page(vec![heading(2, "Sign in"), field("Email"), button("Continue")])]
    {
        let beside = |mut body: Vec<El>| {
            body.push(framed("", SMALL, widget.clone()));
            kinds(page(body))
        };
        assert_eq!(beside(own()), []);
        assert_eq!(beside(vec![main_of(vec![essay()])]), []);
        assert_eq!(beside(vec![heading(1, "Our letter"), field("Your name"), button("Continue")]), []);
        let asks = page(vec![text("Please log in to continue."), link("Log in"), password("Password")]);
        assert_eq!(kinds(page(own().into_iter().chain([framed("", SMALL, asks)]).collect())), []);
    }
    // A dialog within a widget covers the widget.
    let inner = page(vec![group(GroupKind::Modal, vec![password("Password"), button("Log in")])]);
    assert_eq!(kinds(page(own().into_iter().chain([framed("", SMALL, inner)]).collect())), []);
}

#[test]
fn a_login_beside_a_story_is_a_widget() {
    let beside = |says: &'static str| {
        let fields =
            vec![text(says), field("Email").form(0), password("Password").form(0), submit("Sign in", 0)];
        let form = group(GroupKind::Form, fields).form(0);
        page(vec![heading(1, "A walk by the sea"), boxed(vec![essay(), form])]).form("post", "/login")
    };
    assert_eq!(kinds(beside("For our members")), []);
    assert_eq!(kinds(beside("Please log in to continue.")), [LoginRequired]);
    let mut alone = beside("For our members");
    alone.body.remove(0);
    alone.body.insert(0, heading(1, "Sign in"));
    assert_eq!(kinds(alone), [LoginRequired]);
}

#[test]
fn a_frame_that_is_called_after_a_proof_is_one_where_the_page_calls_for_it() {
    const BOX: [f32; 4] = [10.0, 100.0, 304.0, 78.0];
    let asked = |says: &'static str, name: &str, at: [f32; 4]| {
        let inside = page(vec![button("Tap the kittens")]);
        page(vec![heading(1, says), framed(name, at, inside), button("Contact us")]).scene()
    };
    for says in ["Verify you are human", "Please confirm you are not a robot"] {
        for name in
            ["reCAPTCHA", "hCaptcha", "Turnstile", "challenge", "Widget containing a security challenge"]
        {
            let scene = asked(says, name, BOX);
            let found: Vec<_> = scene.blockers.iter().collect();
            assert!(matches!(&found[..], [one] if one.kind == Captcha), "{says} {name} {found:?}");
            assert_eq!(names_of(&scene, &found[0].items), ["Tap the kittens"]);
        }
    }
    let joined = |says: &'static str| {
        let asks = boxed(vec![text(says), framed("reCAPTCHA", BOX, page(vec![button("Tap")]))]);
        kinds(page(vec![main_of(vec![essay(), field("Name"), asks])]))
    };
    assert_eq!(joined("Please confirm you are not a robot."), [Captcha]);

    assert_eq!(joined("How such a box came to be."), []);
    for (says, name, at) in [
        ("How captchas work", "reCAPTCHA", BOX),
        ("Daily sums", "challenge", BOX),
        ("Verify you are human", "reCAPTCHA", [0.0, 0.0, 20.0, 20.0]),
        ("Are you a robot? A history", "How reCAPTCHA was made, a video", BOX),
        ("Are you a robot? A history", "Video player", BOX),
    ] {
        assert!(asked(says, name, at).blockers.is_empty(), "{says} {name}");
    }
    let video = framed("reCAPTCHA explained", [0.0, 0.0, 560.0, 315.0], page(vec![button("Play")]));
    let article = vec![heading(1, "Are you a robot? A history of the captcha"), essay(), video];
    assert_eq!(kinds(page(vec![main_of(article)])), []);
}

fn names_of<'s>(scene: &'s legwork_observe::Scene, items: &[usize]) -> Vec<&'s str> {
    items.iter().map(|&item| scene.items[item].affordance.name.untrusted()).collect()
}
