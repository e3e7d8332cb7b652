//! The cookies of a context.

use serde::{Deserialize, Serialize};

use crate::Lossy;

super::commands! {
    /// All cookies of a context, also those that are kept from scripts.
    GetCookies<'a> = "Storage.getCookies" {
        /// Which context; the default one if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        browser_context_id: Option<&'a str>,
    }

    /// Sets cookies in a context.
    SetCookies<'a> = "Storage.setCookies" {
        /// Which.
        cookies: &'a [CookieParam<'a>],
        /// Which context; the default one if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        browser_context_id: Option<&'a str>,
    }
}

/// The cookies of a context.
#[derive(Deserialize)]
pub struct Cookies {
    /// All of them.
    pub cookies: Vec<Cookie>,
}

/// A cookie as it is told.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Its name.
    pub name: Lossy,
    /// Its value.
    pub value: Lossy,
    /// With a dot in front if it is of a whole domain.
    pub domain: String,
    /// The paths that it is sent to.
    pub path: Lossy,
    /// When it ends, in seconds of the epoch; -1 with its session.
    #[serde(default)]
    pub expires: Option<f64>,
    /// Kept from scripts.
    #[serde(default)]
    pub http_only: bool,
    /// Only over TLS.
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax`, `None`.
    pub same_site: Option<String>,
    /// `Low`, `Medium`, `High`.
    pub priority: Option<String>,
    /// `Unset`, `NonSecure`, `Secure`.
    pub source_scheme: Option<String>,
    /// The port that it came from; -1 if that is not known.
    pub source_port: Option<i64>,
    /// The site within which alone it is sent.
    pub partition_key: Option<PartitionKey>,
    /// Whether that site has no name.
    #[serde(default)]
    pub partition_key_opaque: bool,
}

/// The site within which alone a cookie is sent: older browsers name it alone.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum PartitionKey {
    /// The site, and what stands in between.
    #[serde(rename_all = "camelCase")]
    Key {
        /// The site of the page.
        top_level_site: String,
        /// Whether another site stands in between.
        has_cross_site_ancestor: bool,
    },
    /// The site alone.
    Site(String),
}

/// A cookie as it is set. Without a domain it is of the host of its address alone.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CookieParam<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub value: &'a str,
    /// An address that it could have come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The domain whose hosts it is sent to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<&'a str>,
    /// The paths that it is sent to.
    pub path: &'a str,
    /// Only over TLS.
    pub secure: bool,
    /// Kept from scripts.
    pub http_only: bool,
    /// `Strict`, `Lax`, `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_site: Option<&'a str>,
    /// When it ends; with its session if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<f64>,
    /// `Low`, `Medium`, `High`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<&'a str>,
    /// `Unset`, `NonSecure`, `Secure`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_scheme: Option<&'a str>,
    /// The port that it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_port: Option<i64>,
    /// The site within which alone it is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<PartitionParam<'a>>,
}

impl std::fmt::Debug for CookieParam<'_> {
    /// Without its value: whoever has that is logged in.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CookieParam").finish_non_exhaustive()
    }
}

/// The site within which alone a cookie is sent.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartitionParam<'a> {
    /// The site of the page.
    pub top_level_site: &'a str,
    /// Whether another site stands in between.
    pub has_cross_site_ancestor: bool,
}
