//! What of our environment a toolbox gets to see: what a Node.js, an npm and a browser need, and never a key of ours.

use std::ffi::{OsStr, OsString};

/// Variables that are passed on where they are set.
///
/// The address of a proxy may hold a password. It is passed on all the same: the server is the one that speaks to the proxy.
const PASSED_ON: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_DATA_DIRS",
    "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
    "LD_LIBRARY_PATH",
    "CHROME_DEVEL_SANDBOX",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "PLAYWRIGHT_BROWSERS_PATH",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
];

/// The settings of npm: where its cache and its registry are.
const NPM: &str = "NPM_CONFIG_";

/// What is in the name of a variable that holds a secret. Such a one is not passed on, whatever else its name says.
const SECRET: &[&str] = &["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "_AUTH"];

/// The variables that a toolbox gets, of those that we have.
pub(super) fn passed_on(ours: impl Iterator<Item = (OsString, OsString)>) -> Vec<(OsString, OsString)> {
    ours.filter(|(name, _)| is_passed_on(name)).collect()
}

fn is_passed_on(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let shouted = name.to_ascii_uppercase();
    let wanted = PASSED_ON.contains(&name) || shouted.starts_with(NPM);
    wanted && !SECRET.iter().any(|word| shouted.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_with_us_and_what_is_needed_is_passed_on() {
        for (name, passed) in [
            ("PATH", true),
            ("HOME", true),
            ("XAUTHORITY", true),
            ("https_proxy", true),
            ("npm_config_cache", true),
            ("NPM_CONFIG_REGISTRY", true),
            ("npm_config__auth", false),
            ("npm_config_//registry.example/:_authToken", false),
            ("NPM_CONFIG_KEY", false),
            ("ANTHROPIC_API_KEY", false),
            ("OPENAI_API_KEY", false),
            ("GITHUB_TOKEN", false),
            ("LEGWORK_SECRETS", false),
            ("LEGWORK_TELEGRAM", false),
            ("NODE_OPTIONS", false),
            ("LD_PRELOAD", false),
        ] {
            assert_eq!(is_passed_on(OsStr::new(name)), passed, "{name}");
        }
        assert!(PASSED_ON.iter().all(|name| is_passed_on(OsStr::new(name))));
    }
}
