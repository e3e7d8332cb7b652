//! With a window, and as an ordinary user: the ways in which people run it who are not a build machine.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use crate::support::{LONG, Legwork, end_within, ran, send};
use legwork_testkit::{Site, jpeg_size, wait_until};
use rustix::process::Signal;

/// A display without a screen.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is missing: run scripts/setup tests");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { server, name: format!(":{}", number.trim()) }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The whole command line of the browser that a running legwork has started.
fn browser_line(legwork: &Legwork) -> String {
    let lines = legwork
        .browsers()
        .into_iter()
        .map(|pid| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| !line.contains("--type=")).collect()
}

#[test]
fn a_window_is_opened_when_asked_for() {
    let (display, site, legwork) = (Display::start(), Site::builder().start_blocking(), Legwork::new());
    let picture = legwork.home.path().join("window.jpg");
    let address = site.url("/pages/plain.html");
    let mut command = legwork.command(&["screenshot", &address, "--headed", "-o", picture.to_str().unwrap()]);
    let shot = ran(command.env("DISPLAY", &display.name).env_remove("WAYLAND_DISPLAY"));
    assert_eq!(shot.code, Some(0), "{shot:?}");
    assert_eq!(jpeg_size(&fs::read(&picture).unwrap()), (1280, 720));
    fs::remove_file(picture).unwrap();

    let mut waiting =
        legwork.command(&["screenshot", &site.url("/no-answer"), "--headed", "-o", "/dev/null"]);
    let mut waiting = waiting.env("DISPLAY", &display.name).stderr(Stdio::null()).spawn().unwrap();
    wait_until(LONG, "the page was asked for", || !site.hits_of("/no-answer").is_empty());
    let line = browser_line(&legwork);
    send(Signal::INT, waiting.id());
    end_within(Duration::from_secs(10), &mut waiting);
    assert!(line.contains("--remote-debugging-pipe") && !line.contains("--headless"), "{line}");
    legwork.assert_clean();
}

#[test]
fn without_a_display_a_window_is_refused_with_a_reason() {
    let legwork = Legwork::new();
    let mut command = legwork.command(&["screenshot", "about:blank", "--headed", "-o", "/dev/null"]);
    let refused = ran(command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY"));
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(refused.stderr.contains("error[BROWSER_LAUNCH_FAILED]"), "{refused:?}");
    legwork.assert_clean();
}

/// The binary where an ordinary user can reach it, and a command that runs it as one.
fn as_ordinary_user(legwork: &Legwork, args: &[&str]) -> Command {
    let place = legwork.home.path();
    fs::set_permissions(place, fs::Permissions::from_mode(0o777)).unwrap();
    let binary = place.join("legwork");
    fs::copy(Legwork::binary(), &binary).unwrap();
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = if rustix::process::geteuid().is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&binary);
        command
    } else {
        Command::new(&binary)
    };
    legwork.dress(&mut command);
    command.args(args).env("HOME", place).current_dir(Path::new("/"));
    command
}

#[test]
fn an_ordinary_user_gets_the_sandbox_and_loses_it_only_by_word() {
    let (site, legwork) = (Site::builder().start_blocking(), Legwork::new());
    // Where the system offers an ordinary user no sandbox, the start is refused instead of going on without one.
    let plain = ran(&mut as_ordinary_user(&legwork, &["screenshot", "about:blank", "-o", "/dev/null"]));
    if plain.code != Some(0) {
        return plain.refused("SANDBOX_UNAVAILABLE", 3);
    }
    let address = site.url("/no-answer");
    for by_word in [false, true] {
        let before = site.hits_of("/no-answer").len();
        let mut args = vec!["screenshot", &address, "-o", "/dev/null"];
        args.extend(by_word.then_some("--no-sandbox"));
        let mut waiting = as_ordinary_user(&legwork, &args).stderr(Stdio::piped()).spawn().unwrap();
        wait_until(LONG, "the page was asked for", || site.hits_of("/no-answer").len() > before);
        let line = browser_line(&legwork);
        send(Signal::INT, waiting.id());
        end_within(Duration::from_secs(10), &mut waiting);
        let said = crate::support::stderr_of(&mut waiting);
        assert_eq!(line.contains("--no-sandbox"), by_word, "{line}");
        assert_eq!(said.contains("warning: the browser's sandbox is off"), by_word, "{said}");
        assert!(legwork.browsers().is_empty());
    }
}
