//! What a page believes about the screen, the focus and who we are.

super::commands! {
    /// Every page believes to be in front and focused; without it a background tab never paints a frame.
    SetFocusEmulationEnabled = "Emulation.setFocusEmulationEnabled" {
        /// On or off.
        enabled: bool,
    }

    /// The size of the page's window.
    SetDeviceMetricsOverride = "Emulation.setDeviceMetricsOverride" {
        /// In CSS pixels.
        width: u32,
        /// In CSS pixels.
        height: u32,
        /// Device pixels per CSS pixel.
        device_scale_factor: f64,
        /// Whether it pretends to be a phone.
        mobile: bool,
    }

    /// Who the browser says that it is, and which languages it reads.
    SetUserAgentOverride<'a> = "Emulation.setUserAgentOverride" {
        /// The header's value.
        user_agent: &'a str,
        /// The header's value.
        accept_language: &'a str,
    }

    /// Whether pages may run scripts of their own. Ours run all the same.
    SetScriptExecutionDisabled = "Emulation.setScriptExecutionDisabled" {
        /// Whether they may not.
        value: bool,
    }

    /// Which time zone the page lives in.
    SetTimezoneOverride<'a> = "Emulation.setTimezoneOverride" {
        /// An IANA name.
        timezone_id: &'a str,
    }
}
