//! Looks at everything that a browser needs on this machine and says what is wrong and how to mend it.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use legwork_browser::{
    BrowserError, Endpoints, Found, LaunchOptions, Limit, Profile, SandboxChoice, SandboxReport,
    UserNamespaces, find_browser, profile_report, sandbox_report, temporary_report, version,
};
use legwork_types::Problem;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::{BrowserSource, Keeper, KeeperEvent, Reach, STARTUP, SelfTest};

/// Older browsers than this may lack a part of the protocol that is relied on.
pub const MINIMUM_MAJOR: u32 = 130;

/// How long an endpoint that has answered may take to give us a tab.
const TAB: Duration = Duration::from_secs(10);

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should be.
    Ok,
    /// It works, but not as it should.
    Warn,
    /// Pages can't be opened like this.
    Fail,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What was looked at, in a word.
    pub name: String,
    /// How it is.
    pub status: Status,
    /// What was found.
    pub finding: String,
    /// What the reader can do about it.
    pub mend: Option<String>,
}

impl Check {
    fn ok(name: impl Into<String>, finding: impl Into<String>) -> Self {
        Self { name: name.into(), status: Status::Ok, finding: finding.into(), mend: None }
    }

    fn warn(name: impl Into<String>, finding: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { status: Status::Warn, mend: Some(mend.into()), ..Self::ok(name, finding) }
    }

    fn fail(name: impl Into<String>, problem: &Problem) -> Self {
        let finding = match &problem.cause {
            Some(cause) if !problem.message.contains(cause) => format!("{} ({cause})", problem.message),
            _ => problem.message.clone(),
        };
        Self { status: Status::Fail, mend: Some(problem.hint.clone()), ..Self::ok(name, finding) }
    }
}

/// Looks at everything that this way to a browser needs. What could only repeat an earlier failure is left out.
pub async fn examine(
    source: DoctorSource<'_>,
    cancel: &CancellationToken,
) -> Result<Vec<Check>, BrowserError> {
    let checks = match source {
        DoctorSource::Launch(options, flags) => examine_machine(options, flags, cancel).await,
        DoctorSource::Endpoints(endpoints) => examine_endpoints(endpoints, cancel).await,
    };
    if cancel.is_cancelled() {
        return Err(BrowserError::Cancelled { what: "the examination" });
    }
    Ok(checks)
}

/// Which way to a browser is looked at.
#[derive(Debug, Clone, Copy)]
pub enum DoctorSource<'a> {
    /// A browser of this machine, and what is done about its flags.
    Launch(&'a LaunchOptions, FlagTest),
    /// Browsers that somebody else started, each looked at by itself.
    Endpoints(&'a Endpoints),
}

/// When the doctor puts the flags of a browser to the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlagTest {
    /// As any start does: where it is not known that they passed.
    #[default]
    IfUnknown,
    /// Once more in any case.
    Again,
}

async fn examine_machine(options: &LaunchOptions, flags: FlagTest, cancel: &CancellationToken) -> Vec<Check> {
    let mut checks = Vec::new();
    match find_browser(options.binary.as_deref()) {
        Ok(found) => {
            checks.push(Check::ok("browser", format!("{} (from {})", found.path.display(), found.by)));
            checks.push(check_version(&found).await);
            checks.push(judge_sandbox(options.sandbox, &sandbox_report(&found.path)));
        }
        Err(error) => checks.push(Check::fail("browser", &Problem::from(&error))),
    }
    checks.push(check_temporary().await);
    if let Profile::Persistent(path) = &options.profile {
        checks.push(check_profile(path).await);
    }
    // A sandbox that seems to be missing is put to the test; nothing else can get better by trying.
    let hopeless = checks.iter().any(|check| check.status == Status::Fail && check.name != "sandbox");
    if !hopeless {
        let source = BrowserSource::Launch(options.clone());
        checks.extend(check_start("launch", source, flags, STARTUP, cancel).await);
    }
    checks
}

async fn examine_endpoints(endpoints: &Endpoints, cancel: &CancellationToken) -> Vec<Check> {
    // What is downloaded from a browser elsewhere needs a place here.
    let mut checks = vec![check_temporary().await];
    let limit = endpoints.connect_timeout + TAB;
    for (number, endpoint) in endpoints.each().enumerate() {
        let name = format!("endpoint {}", number + 1);
        let source = BrowserSource::Endpoints(endpoint);
        checks.extend(check_start(&name, source, FlagTest::default(), limit, cancel).await);
    }
    checks
}

async fn check_version(found: &Found) -> Check {
    match version(&found.path).await {
        Ok(answer) => judge_version(&answer),
        Err(error) => Check::fail("version", &Problem::from(&error)),
    }
}

fn judge_version(answer: &str) -> Check {
    match major(answer) {
        Some(major) if major >= MINIMUM_MAJOR => Check::ok("version", answer),
        Some(_) => Check::warn(
            "version",
            format!("{answer} is older than version {MINIMUM_MAJOR}"),
            "update the browser: an old one lacks security fixes and may lack what Legwork relies on",
        ),
        None => Check::warn(
            "version",
            format!("{answer} names no version"),
            format!("use a Chrome, Chromium or Edge from version {MINIMUM_MAJOR} on"),
        ),
    }
}

/// The first number with dots in it: `Chromium 156.0.8078.79 built on Debian`.
fn major(answer: &str) -> Option<u32> {
    answer.split_whitespace().find_map(|word| word.split_once('.')?.0.parse().ok())
}

fn judge_sandbox(choice: SandboxChoice, report: &SandboxReport) -> Check {
    const NAME: &str = "sandbox";
    if choice == SandboxChoice::Off {
        return Check::warn(NAME, "off by --no-sandbox", "leave --no-sandbox away");
    }
    if report.root {
        return Check::warn(
            NAME,
            "off: running as root, for whom Chromium has none",
            "run Legwork as an ordinary user",
        );
    }
    match (&report.setuid_helper, &report.user_namespaces) {
        (_, UserNamespaces::Permitted) => Check::ok(NAME, "on, by user namespaces"),
        (Some(helper), _) => Check::ok(NAME, format!("on, by the setuid helper {}", helper.display())),
        (None, UserNamespaces::Forbidden { setting }) => Check {
            status: Status::Fail,
            mend: Some(
                "change that setting with sysctl, install the browser's setuid helper (Debian: apt install \
                 chromium-sandbox), or use --no-sandbox for pages that you trust"
                    .into(),
            ),
            ..Check::ok(NAME, format!("unavailable: {setting}, and there is no setuid helper"))
        },
    }
}

async fn check_temporary() -> Check {
    const NAME: &str = "temporary";
    let report = tokio::task::spawn_blocking(temporary_report).await;
    match report {
        Ok(Ok(report)) => {
            let leftovers = match report.leftovers {
                0 => String::new(),
                count => format!("; {count} left by killed runs, removed at the next start"),
            };
            Check::ok(NAME, format!("{}: {} in use{leftovers}", report.path.display(), report.in_use))
        }
        Ok(Err(error)) => Check::fail(NAME, &Problem::from(&error)),
        Err(error) => Check::warn(NAME, format!("could not be looked at: {error}"), "run the doctor again"),
    }
}

async fn check_profile(path: &Path) -> Check {
    const NAME: &str = "profile";
    let wanted = path.to_owned();
    let report = tokio::task::spawn_blocking(move || profile_report(&wanted)).await;
    match report {
        Ok(Ok(())) if path.exists() => Check::ok(NAME, format!("{}: free and writable", path.display())),
        Ok(Ok(())) => Check::ok(NAME, format!("{}: not there yet, made at the first start", path.display())),
        Ok(Err(error)) => Check::fail(NAME, &Problem::from(&error)),
        Err(error) => Check::warn(NAME, format!("could not be looked at: {error}"), "run the doctor again"),
    }
}

/// Really gets a browser with a page that answers, and lets it go; and how it is known that its flags hold.
async fn check_start(
    name: &str,
    source: BrowserSource,
    flags: FlagTest,
    limit: Duration,
    cancel: &CancellationToken,
) -> Vec<Check> {
    let told = Arc::new(Mutex::new(None));
    let sink = told.clone();
    let keeper = Keeper::new(source, Reach::default(), move |event| {
        if let KeeperEvent::SelfTest(test) = event {
            *sink.lock().unwrap_or_else(PoisonError::into_inner) = Some(test);
        }
    });
    let keeper = if flags == FlagTest::Again { keeper.testing_again() } else { keeper };
    let limit = Limit::within(limit).cancelled_by(cancel.clone());
    let begun = Instant::now();
    let outcome = async {
        let tab = keeper.page(&limit).await?;
        tab.check(&limit).await
    };
    let outcome = outcome.await;
    let ready = begun.elapsed();
    let product = keeper.product().await.unwrap_or_default();
    keeper.close().await;
    let test = *told.lock().unwrap_or_else(PoisonError::into_inner);
    match outcome {
        Ok(()) => {
            let closed = begun.elapsed().saturating_sub(ready);
            let finding = format!(
                "{product}: a page after {:.1} s, closed after {:.1} s",
                ready.as_secs_f64(),
                closed.as_secs_f64()
            );
            let test = test.map(|test| Check::ok(SELF_TEST, in_words(test, SystemTime::now())));
            [Check::ok(name, finding)].into_iter().chain(test).collect()
        }
        Err(error @ BrowserError::Unproved { .. }) => vec![Check::fail(SELF_TEST, &Problem::from(&error))],
        Err(error) => vec![Check::fail(name, &Problem::from(&error))],
    }
}

const SELF_TEST: &str = "self-test";

/// How it is known that flags hold.
fn in_words(test: SelfTest, now: SystemTime) -> String {
    const WHAT: &str = "no page gets past the proxy and the barrier with these flags";
    match test {
        SelfTest::PassedNow { took } => format!("{WHAT}: tried just now, in {:.1} s", took.as_secs_f64()),
        SelfTest::PassedEarlier { since } => {
            let hours = now.duration_since(since).unwrap_or_default().as_secs() / 3_600;
            let ago = match hours {
                0 => "less than an hour ago".to_owned(),
                1 => "an hour ago".to_owned(),
                hours @ 2..48 => format!("{hours} hours ago"),
                hours => format!("{} days ago", hours / 24),
            };
            format!("{WHAT}: tried {ago}; --self-test tries it again")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_old_ones_are_warned_of() {
        for (answer, found) in [
            ("Chromium 156.0.8078.79 built on Debian GNU/Linux 12", Some(156)),
            ("Google Chrome 131.0.6778.85 ", Some(131)),
            ("Microsoft Edge 99.1", Some(99)),
            ("something", None),
        ] {
            assert_eq!(major(answer), found, "{answer}");
        }
        assert_eq!(judge_version("Chromium 130.0.1").status, Status::Ok);
        assert_eq!(judge_version("Chromium 129.0.1").status, Status::Warn);
        assert_eq!(judge_version("").status, Status::Warn);
    }

    #[test]
    fn it_is_told_when_flags_were_tried() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        for (later, words) in [
            (0, "less than an hour ago"),
            (3_600, "an hour ago"),
            (47 * 3_600, "47 hours ago"),
            (50 * 3_600, "2 days ago"),
        ] {
            let told = in_words(SelfTest::PassedEarlier { since: at(7) }, at(7 + later));
            assert!(told.contains(words), "{told}");
        }
        // A clock that was set back.
        assert!(in_words(SelfTest::PassedEarlier { since: at(7) }, at(0)).contains("less than an hour"));
        let now = SelfTest::PassedNow { took: Duration::from_millis(620) };
        assert!(in_words(now, at(0)).ends_with("just now, in 0.6 s"));
    }

    #[test]
    fn a_sandbox_is_on_off_or_missing_and_says_how_to_mend_it() {
        let forbidden = UserNamespaces::Forbidden { setting: "user.max_user_namespaces = 0".into() };
        let report = |root, user_namespaces: &UserNamespaces, helper: Option<&str>| SandboxReport {
            root,
            user_namespaces: user_namespaces.clone(),
            setuid_helper: helper.map(Into::into),
        };
        let permitted = &UserNamespaces::Permitted;
        for (choice, report, status) in [
            (SandboxChoice::Auto, report(false, permitted, None), Status::Ok),
            (SandboxChoice::Auto, report(false, &forbidden, Some("/h")), Status::Ok),
            (SandboxChoice::Auto, report(true, permitted, None), Status::Warn),
            (SandboxChoice::Off, report(false, permitted, None), Status::Warn),
            (SandboxChoice::Auto, report(false, &forbidden, None), Status::Fail),
        ] {
            let check = judge_sandbox(choice, &report);
            assert_eq!((check.status, check.mend.is_some()), (status, status != Status::Ok), "{check:?}");
        }
        let missing = judge_sandbox(SandboxChoice::Auto, &report(false, &forbidden, None));
        assert!(missing.finding.contains("user.max_user_namespaces = 0"), "{}", missing.finding);
    }
}
