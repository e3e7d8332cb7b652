//! What news are about.

use serde::{Serialize, Serializer};

/// What a piece of news is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// An errand was given.
    TaskSetup,
    /// There is a plan, and it begins.
    TaskStarted,
    /// It is done, as far as anybody says.
    TaskCompleted,
    /// It ended before it was done.
    TaskAborted,
    /// Whether it is done was judged.
    TaskValidated,
    /// What the model said can't be used.
    TaskValidationError,
    /// What all of it took.
    TaskMetrics,
    /// What one call of a model took, and all so far.
    TaskMetricsIncremental,
    /// A model answered.
    AiGeneration,
    /// A model could not be asked.
    AiGenerationError,
    /// The model called something.
    AgentAction,
    /// A turn begins.
    AgentStep,
    /// What the model says of it.
    AgentReasoned,
    /// The model was given the text of the page.
    AgentExtracted,
    /// A model is asked.
    AgentProcessing,
    /// Anything else that is worth knowing.
    AgentStatus,
    /// Something is waited for: a page, or a person.
    AgentWaiting,
    /// An act was permitted and begins.
    BrowserActionStarted,
    /// An act was tried.
    BrowserActionCompleted,
    /// The page is another one.
    BrowserNavigated,
    /// A picture of the page was taken.
    BrowserScreenshotCaptured,
    /// The browser is gone.
    BrowserDisconnected,
    /// Another browser took its place.
    BrowserReconnected,
}

impl Topic {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TaskSetup => "task:setup",
            Self::TaskStarted => "task:started",
            Self::TaskCompleted => "task:completed",
            Self::TaskAborted => "task:aborted",
            Self::TaskValidated => "task:validated",
            Self::TaskValidationError => "task:validation_error",
            Self::TaskMetrics => "task:metrics",
            Self::TaskMetricsIncremental => "task:metrics_incremental",
            Self::AiGeneration => "ai:generation",
            Self::AiGenerationError => "ai:generation:error",
            Self::AgentAction => "agent:action",
            Self::AgentStep => "agent:step",
            Self::AgentReasoned => "agent:reasoned",
            Self::AgentExtracted => "agent:extracted",
            Self::AgentProcessing => "agent:processing",
            Self::AgentStatus => "agent:status",
            Self::AgentWaiting => "agent:waiting",
            Self::BrowserActionStarted => "browser:action_started",
            Self::BrowserActionCompleted => "browser:action_completed",
            Self::BrowserNavigated => "browser:navigated",
            Self::BrowserScreenshotCaptured => "browser:screenshot_captured",
            Self::BrowserDisconnected => "browser:disconnected",
            Self::BrowserReconnected => "browser:reconnected",
        }
    }
}

impl Serialize for Topic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
