//! The command line of the browser, as a pure function of what the caller wants.

use std::{
    ffi::{OsStr, OsString},
    net::SocketAddr,
    path::Path,
};

use super::{profile::Profile, sandbox::Sandbox};

/// Whether the browser shows a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Window {
    /// No window; the full browser all the same.
    #[default]
    Headless,
    /// A window that a person can see and take over.
    Headed,
}

/// What the command line depends on.
#[derive(Debug)]
pub(crate) struct FlagInputs<'a> {
    pub(crate) profile: &'a Path,
    pub(crate) window: Window,
    pub(crate) sandbox: Sandbox,
    pub(crate) proxy: Option<SocketAddr>,
    /// Each replaces the flag of the same name, except the feature lists, which are joined.
    pub(crate) extra: &'a [OsString],
}

/// Port 1 is one that Chromium refuses to dial, so a service moved there never reaches the network.
const ALWAYS: &[&str] = &[
    "--remote-debugging-pipe",
    // Tabs are ours to make; a first window would be a tab without the barrier.
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    // Nothing may speak to the network but the pages that were asked for.
    "--component-updater=url-source=http://0.0.0.0:1/",
    "--gaia-url=http://0.0.0.0:1/",
    // A page that failed stays failed: the browser would ask for it again by itself, after its failure was told.
    "--disable-auto-reload",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-field-trial-config",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    // Ways around the proxy.
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    // Extensions and the person's keychain are not the agent's.
    "--disable-component-extensions-with-background-pages",
    "--disable-extensions",
    "--password-store=basic",
    "--use-mock-keychain",
    // A tab in the background must behave as one in front, and no browser question may stand in the way.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    // The same picture and the same locale on every machine.
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--hide-scrollbars",
    "--js-flags=--max-old-space-size=512",
    "--lang=en-US",
    "--mute-audio",
    "--window-size=1280,720",
];

const FEATURES_OFF: &[&str] = &[
    "AutofillServerCommunication",
    // These two let another document take the place of a tab's own under our feet.
    "BackForwardCache",
    "Prerender2",
    // These are sent by the browser itself, for a page that may be gone: nothing of it comes past the barrier.
    "BackgroundFetch",
    "DeviceBoundSessions",
    "FedCm",
    "FetchLaterAPI",
    "NetworkErrorLogging",
    "Reporting",
    // The same for advertisers: auctions, measurements and the reports about them.
    "BrowsingTopics",
    "ConversionMeasurement",
    "FencedFrames",
    "Fledge",
    "InterestGroupStorage",
    "PrivateAggregationApi",
    "SharedStorageAPI",
    // A page could have the browser fetch models of several gigabytes.
    "AIPromptAPI",
    "AISummarizationAPI",
    "TranslationAPI",
    "CertificateTransparencyComponentUpdater",
    "DialMediaRouteProvider",
    "InterestFeedContentSuggestions",
    // Frames without an address of their own would run in another process before they are attached there.
    "IsolateSandboxedIframes",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationGuideModelDownloading",
    "OptimizationHints",
    "OptimizationTargetPrediction",
    // It would send requests of a page before its worker is attached.
    "ServiceWorkerAutoPreload",
    "Translate",
    // Dialogs of the browser that nobody answers, and that outlive the page.
    "WebIdentityDigitalCredentials",
    "WebIdentityDigitalCredentialsCreation",
    // Two renderers for every window, for suggestions that nobody will type for.
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
];

/// Passwords that a kept profile has saved are not filled in by themselves.
const FEATURES_ON: &[&str] = &["fill-on-account-select"];

const ENABLE_FEATURES: &str = "--enable-features";
const DISABLE_FEATURES: &str = "--disable-features";

/// The whole command line, without the program's name.
pub(crate) fn flags(inputs: &FlagInputs<'_>) -> Vec<OsString> {
    let (mut on, mut off) = (FEATURES_ON.to_vec(), FEATURES_OFF.to_vec());
    let mut extra = Vec::new();
    for flag in inputs.extra {
        let list = match flag.to_str().and_then(|flag| flag.split_once('=')) {
            Some((ENABLE_FEATURES, more)) => Some((&mut on, more)),
            Some((DISABLE_FEATURES, more)) => Some((&mut off, more)),
            _ => None,
        };
        match list {
            Some((features, more)) => features.extend(more.split(',').filter(|name| !name.is_empty())),
            None => extra.push(flag.clone()),
        }
    }
    for features in [&mut on, &mut off] {
        features.sort_unstable();
        features.dedup();
    }

    let mut profile = OsString::from("--user-data-dir=");
    profile.push(inputs.profile);

    let mut line: Vec<OsString> = ALWAYS.iter().map(Into::into).collect();
    line.push(format!("{DISABLE_FEATURES}={}", off.join(",")).into());
    line.push(format!("{ENABLE_FEATURES}={}", on.join(",")).into());
    line.push(profile);
    if inputs.window == Window::Headless {
        line.push("--headless".into());
    }
    if matches!(inputs.sandbox, Sandbox::Off { .. }) {
        line.push("--no-sandbox".into());
    }
    if let Some(proxy) = inputs.proxy {
        line.push(format!("--proxy-server=http://{proxy}").into());
        // Without this, whatever is on this machine is reached past the proxy.
        line.push("--proxy-bypass-list=<-loopback>".into());
        // And without the proxy no name leads anywhere.
        line.push(format!("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {}", proxy.ip()).into());
    }
    line.retain(|flag| !extra.iter().any(|other| name(other) == name(flag)));
    line.extend(extra);
    line
}

/// The same line as it stands for all starts of its kind: without what is another one each time, the port of the proxy and the folder of
/// the profile.
pub(crate) fn line_of_its_kind(line: &[OsString], profile: &Profile) -> Vec<OsString> {
    let kept = match profile {
        Profile::Temporary => "--user-data-dir=temporary",
        Profile::Persistent(_) => "--user-data-dir=persistent",
    };
    let alike = |flag: &OsString| match flag.to_str() {
        Some(text) if text.starts_with("--user-data-dir=") => kept.into(),
        Some(text) if text.starts_with("--proxy-server=") => {
            text.rsplit_once(':').map_or(text, |(without_port, _)| without_port).into()
        }
        _ => flag.clone(),
    };
    line.iter().map(alike).collect()
}

/// The first of these extra flags that may not be given: each would undo something that is decided elsewhere, and
/// that users are told about. A single dash would do for Chromium too, and a word without one is a page to open.
pub(crate) fn forbidden(extra: &[OsString]) -> Option<&OsString> {
    extra.iter().find(|flag| {
        let Some(flag) = flag.to_str().map(str::to_ascii_lowercase) else { return true };
        let Some(rest) = flag.strip_prefix("--").filter(|rest| !rest.is_empty()) else { return true };
        let name = rest.split('=').next().unwrap_or(rest);
        // Feature lists can switch a sandbox off too.
        rest.contains("sandbox")
            || name.contains("proxy")
            || name.contains("resolver")
            || name.starts_with("remote-debugging-")
            || matches!(name, "user-data-dir" | "single-process")
    })
}

fn name(flag: &OsStr) -> &[u8] {
    let bytes = flag.as_encoded_bytes();
    bytes.split(|byte| *byte == b'=').next().unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::launch::sandbox::SandboxOff;

    fn line(window: Window, sandbox: Sandbox, extra: &[&str]) -> Vec<String> {
        let extra: Vec<OsString> = extra.iter().map(Into::into).collect();
        let proxy = Some("127.0.0.1:4321".parse().unwrap());
        flags(&FlagInputs { profile: Path::new("/p/profile"), window, sandbox, proxy, extra: &extra })
            .into_iter()
            .map(|flag| flag.into_string().unwrap())
            .collect()
    }

    #[test]
    fn the_whole_line() {
        let line = line(Window::Headless, Sandbox::Off { why: SandboxOff::Root }, &[]);
        assert_eq!(line.join("\n"), include_str!("flags.expected").trim_end());
    }

    #[test]
    fn no_flag_stands_twice() {
        for window in [Window::Headless, Window::Headed] {
            for extra in [&[][..], &["--disable-features=Prerender2,X", "--lang=de", "--enable-features=Y"]] {
                let line = line(window, Sandbox::Off { why: SandboxOff::ByFlag }, extra);
                let mut seen = HashSet::new();
                for flag in &line {
                    assert!(seen.insert(name(OsStr::new(flag)).to_vec()), "{flag} stands twice");
                }
            }
        }
    }

    #[test]
    fn the_sandbox_is_off_only_when_it_was_decided() {
        for window in [Window::Headless, Window::Headed] {
            assert!(!line(window, Sandbox::On, &[]).iter().any(|flag| flag.contains("sandbox")));
            for why in [SandboxOff::Root, SandboxOff::ByFlag] {
                assert!(line(window, Sandbox::Off { why }, &[]).contains(&"--no-sandbox".to_owned()));
            }
        }
    }

    #[test]
    fn a_window_is_shown_only_when_asked_for() {
        let has = |window| line(window, Sandbox::On, &[]).iter().any(|flag| flag.starts_with("--headless"));
        assert!(has(Window::Headless) && !has(Window::Headed));
    }

    #[test]
    fn popups_stay_blocked_and_no_port_is_opened() {
        let line = line(Window::Headless, Sandbox::On, &[]);
        for bad in ["--disable-popup-blocking", "--remote-debugging-port", "--disable-web-security"] {
            assert!(!line.iter().any(|flag| flag.starts_with(bad)), "{bad}");
        }
    }

    #[test]
    fn extra_flags_that_undo_a_protection_are_found() {
        for flag in [
            "--no-sandbox",
            "-no-sandbox",
            "--disable-setuid-sandbox",
            "--disable-gpu-sandbox=1",
            "--disable-features=NetworkServiceSandbox",
            "--user-data-dir=/x",
            "--remote-debugging-port=1",
            "--remote-debugging-pipe",
            "--proxy-server=x",
            "--no-proxy-server",
            "--host-resolver-rules=MAP * 127.0.0.1",
            "--single-process",
            "http://page.test",
            "--",
        ] {
            let flags = ["--lang=de".into(), flag.into()];
            assert_eq!(forbidden(&flags), Some(&OsString::from(flag)));
        }
        let harmless = ["--lang=de", "--disable-popup-blocking", "--enable-features=A"].map(OsString::from);
        assert_eq!(forbidden(&harmless), None);
    }

    #[test]
    fn extra_flags_replace_and_extra_features_join() {
        let extra = ["--lang=de", "--disable-features=Aaa", "--enable-features=Zzz"];
        let line = line(Window::Headless, Sandbox::On, &extra);
        assert!(line.contains(&"--lang=de".into()) && !line.contains(&"--lang=en-US".into()));
        let features = line.iter().find(|flag| flag.starts_with(DISABLE_FEATURES)).unwrap();
        assert!(features.starts_with(
            "--disable-features=AIPromptAPI,AISummarizationAPI,Aaa,AutofillServerCommunication"
        ));
        assert!(line.contains(&"--enable-features=Zzz,fill-on-account-select".into()), "{line:?}");
    }
}
