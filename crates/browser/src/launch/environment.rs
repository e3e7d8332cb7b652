//! What of our environment the browser gets to see.

use std::process::Command;

use super::flags::Window;

/// The variable that says where crash reports go. All that our browser starts has it, and by it they are found.
pub(super) const CRASHES_VARIABLE: &str = "BREAKPAD_DUMP_LOCATION";

/// Variables that are set for the browser, so that every page sees locale en-US and time zone UTC.
const SET: &[(&str, &str)] = &[("TZ", "UTC"), ("LANG", "en_US.UTF-8"), ("LANGUAGE", "en_US")];

/// Variables of ours that the browser gets to see: what it needs for its window, fonts, sandbox and network. Everything
/// else, and with it every key and token in our environment, stays with us.
///
/// The address of a proxy may hold a password. It is passed on all the same: the browser is the one that speaks to the
/// proxy, and without it a machine behind one has no network at all. Pages can't read it.
const PASSED_ON: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "XDG_SESSION_TYPE",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_DATA_DIRS",
    "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
    "LD_LIBRARY_PATH",
    // Where the setuid helper of the sandbox stands, if not beside the browser.
    "CHROME_DEVEL_SANDBOX",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
];

/// The person's desktop, keychain and all: only a browser with a window has business there.
const WITH_WINDOW: &[&str] = &["DBUS_SESSION_BUS_ADDRESS"];

/// Gives the command the environment of a browser and nothing else.
pub(super) fn dress(command: &mut Command, window: Window) {
    command
        .env_clear()
        .envs(passed_on(window).filter_map(|name| Some((name, std::env::var_os(name)?))))
        .envs(SET.iter().copied());
}

fn passed_on(window: Window) -> impl Iterator<Item = &'static str> {
    let more = match window {
        Window::Headless => &[],
        Window::Headed => WITH_WINDOW,
    };
    PASSED_ON.iter().chain(more).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_desktop_is_seen_only_with_a_window_and_the_sandbox_helper_always() {
        let has = |window, name| passed_on(window).any(|one| one == name);
        assert!(has(Window::Headed, "DBUS_SESSION_BUS_ADDRESS"));
        assert!(!has(Window::Headless, "DBUS_SESSION_BUS_ADDRESS"));
        assert!(has(Window::Headless, "CHROME_DEVEL_SANDBOX") && has(Window::Headed, "CHROME_DEVEL_SANDBOX"));
    }
}
