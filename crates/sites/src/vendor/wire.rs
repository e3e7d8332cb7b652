//! The wires that the vendor speaks.

/// Which wire a request comes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VendorWire {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's Chat.
    OpenAi,
    /// OpenAI's Responses.
    Responses,
    /// Gemini's own.
    Gemini,
}

impl VendorWire {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::OpenAi, Self::Responses, Self::Gemini];

    /// Its name, as `LEGWORK_WIRE` wants to have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "messages",
            Self::OpenAi => "chat",
            Self::Responses => "responses",
            Self::Gemini => "gemini",
        }
    }

    /// A model that is spoken to by this wire.
    pub fn model(self) -> &'static str {
        match self {
            Self::Anthropic => "claude-opus-4-6",
            Self::OpenAi | Self::Responses => "gpt-5",
            Self::Gemini => "gemini-2.5-pro",
        }
    }
}
