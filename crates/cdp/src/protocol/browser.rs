//! The browser as a whole: version, end, downloads, permissions.

use serde::Deserialize;

super::commands! {
    /// Asks who is there; also the cheapest sign of life.
    GetVersion = "Browser.getVersion" {}

    /// Asks the browser to end in good order.
    Close = "Browser.close" {}

    /// Grants the listed permissions in a context and **refuses every other one**.
    GrantPermissions<'a> = "Browser.grantPermissions" {
        /// What is granted.
        permissions: &'a [&'a str],
        /// In which context; the default one if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        browser_context_id: Option<&'a str>,
    }

    /// Where downloads of a context go.
    SetDownloadBehavior<'a> = "Browser.setDownloadBehavior" {
        /// `deny`, `allow`, `allowAndName` or `default`.
        behavior: &'a str,
        /// In which context; the default one if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        browser_context_id: Option<&'a str>,
        /// The folder.
        #[serde(skip_serializing_if = "Option::is_none")]
        download_path: Option<&'a str>,
        /// Whether download events are sent.
        events_enabled: bool,
    }

    /// Ends one download.
    CancelDownload<'a> = "Browser.cancelDownload" {
        /// Which.
        guid: &'a str,
        /// In which context; the default one if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        browser_context_id: Option<&'a str>,
    }
}

/// Who is there.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// `Chrome/156.0.…` or `HeadlessChrome/156.0.…`.
    pub product: String,
    /// What it tells servers that it is.
    pub user_agent: String,
    /// The protocol's version.
    pub protocol_version: String,
}

/// A download is about to begin.
pub const DOWNLOAD_WILL_BEGIN: &str = "Browser.downloadWillBegin";
/// A download goes on or has ended.
pub const DOWNLOAD_PROGRESS: &str = "Browser.downloadProgress";

/// A download is about to begin.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DownloadWillBegin {
    /// The frame that caused it.
    pub frame_id: String,
    /// Its name from now on, and that of its file.
    pub guid: String,
    /// Where it comes from.
    pub url: crate::Lossy,
    /// The name that the server wishes for.
    pub suggested_filename: crate::Lossy,
}

/// A download goes on or has ended.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DownloadProgress {
    /// Which.
    pub guid: String,
    /// What the server announced, 0 if nothing.
    pub total_bytes: f64,
    /// What has come.
    pub received_bytes: f64,
    /// `inProgress`, `completed` or `canceled`.
    pub state: String,
}
