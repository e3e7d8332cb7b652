//! Keys that people sign in with.

super::commands! {
    /// From now on pages of this target find only keys that we give them.
    Enable = "WebAuthn.enable" {
        /// Whether the browser asks people about them.
        #[serde(rename = "enableUI")]
        enable_ui: bool,
    }
}
