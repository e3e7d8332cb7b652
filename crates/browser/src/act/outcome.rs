//! What comes of an act, as values.

use legwork_policy::Permit;
use legwork_types::{
    Code, Details, PageText, Problem,
    contract::{ActionId, Receipt},
};

use crate::{BrowserError, Epoch};

/// How the page is afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// It can be looked at.
    Quiet,
    /// A dialog waits for an answer: the page can't be looked at.
    DialogOpen,
    /// It is on its way to another page and can't be looked at before the server answers.
    Leaving,
}

/// It was done.
#[derive(Debug)]
pub struct Done {
    /// What came of it.
    pub receipt: Receipt,
    /// How the page is now.
    pub after: After,
    /// The look that was taken meanwhile, if everything still is as that one saw it.
    pub look: Option<Epoch>,
}

/// It was not done, or not to its end.
#[derive(Debug)]
pub struct NotDone {
    /// Why.
    pub why: Blocked,
    /// The right to do it, unused: nothing was sent to the page, so it may be tried again where the same element is found again.
    pub permit: Option<Permit>,
    /// What happened all the same.
    pub receipt: Receipt,
}

impl NotDone {
    /// Nothing was sent to the page.
    pub(crate) fn before(permit: Permit, why: Blocked) -> Self {
        Self { why, permit: Some(permit), receipt: Receipt::default() }
    }
}

/// Why a deed did not come to its end, and whether the page may have had a part of it.
#[derive(Debug)]
pub(crate) enum Miss {
    /// Nothing that could do anything reached the page.
    Before(Blocked),
    /// Something did, or may have.
    During(Blocked),
}

impl Miss {
    /// The same where something was sent before.
    pub(crate) fn during(self) -> Self {
        match self {
            Self::Before(why) | Self::During(why) => Self::During(why),
        }
    }
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Did {
    /// Input was sent, or the browser was told to do it.
    Sent,
    /// All was so already: nothing was sent.
    Nothing,
}

impl From<Blocked> for Miss {
    fn from(why: Blocked) -> Self {
        Self::Before(why)
    }
}

/// Why something could not be done.
#[derive(Debug)]
pub enum Blocked {
    /// The element is in the page no more, or its page is no more.
    Gone,
    /// The element is there but is not what it was when it was looked at.
    Changed,
    /// Another tab is in front than the one that was looked at.
    OtherTab,
    /// Nobody can see it, even after scrolling.
    NotVisible,
    /// It is switched off, or can't be written in.
    Disabled,
    /// Something else lies over it.
    Obscured {
        /// What, in words like `dialog "Cookies"`.
        by: PageText,
    },
    /// It never held still.
    Moving,
    /// It can't be done to this kind of element.
    NotApplicable {
        /// Why, in our words.
        why: String,
    },
    /// It has no such option.
    NoSuchOption {
        /// What can be chosen instead; the first ones where there are many.
        options: Vec<PageText>,
        /// How many there are.
        count: usize,
    },
    /// One of several fields could not be filled in.
    InField {
        /// Which.
        action: ActionId,
        /// Why.
        why: Box<Blocked>,
    },
    /// The browser or the page failed.
    Browser(BrowserError),
}

impl Blocked {
    /// The same for one of several fields. What concerns the whole browser or page stays what it is.
    pub(crate) fn in_field(action: ActionId, why: Self) -> Self {
        match why {
            Self::Browser(error) => Self::Browser(error),
            why => Self::InField { action, why: Box::new(why) },
        }
    }
}

impl From<BrowserError> for Blocked {
    fn from(error: BrowserError) -> Self {
        Self::Browser(error)
    }
}

impl From<&Blocked> for Problem {
    fn from(blocked: &Blocked) -> Self {
        let look_again = "look at the page again and use a number of the new observation";
        match blocked {
            Blocked::Gone => {
                Problem::new(Code::ElementDetached, "the element is not in the page any more", look_again)
            }
            Blocked::Changed => Problem::new(
                Code::ElementDetached,
                "the element is not what it was when it was looked at",
                look_again,
            ),
            Blocked::OtherTab => Problem::new(
                Code::StaleObservation,
                "another tab has come to the front since the page was looked at",
                "decide anew on the observation that comes with this answer, or bring the other tab back by switchTab",
            ),
            Blocked::NotVisible => Problem::new(
                Code::ElementNotVisible,
                "nobody can see the element, even after scrolling",
                "open what hides it first (a menu, a tab, a section), or choose another element",
            ),
            Blocked::Disabled => Problem::new(
                Code::ElementDisabled,
                "the element is switched off",
                "do first what switches it on, often a required field or a box to tick",
            ),
            Blocked::Obscured { by } => Problem::new(
                Code::ElementObscured,
                "something else lies over the element",
                "close or move what covers it, then look at the page again",
            )
            .with(Details::Obscured { by: by.clone() }),
            Blocked::Moving => Problem::new(
                Code::Timeout,
                "the element did not hold still",
                "wait until the page has come to rest, then try again",
            ),
            Blocked::NotApplicable { why } => Problem::new(
                Code::ActionNotApplicable,
                why.clone(),
                "choose another action or another element",
            ),
            Blocked::NoSuchOption { options, count } => Problem::new(
                Code::ActionNotApplicable,
                "there is no such option",
                "choose one of those that there are; a list that is filled while one types may need other words",
            )
            .with(Details::Options { options: options.clone(), option_count: *count }),
            Blocked::InField { action, why } => {
                let problem = Problem::from(&**why);
                let message = format!("field {action}: {}; those before it are filled in", problem.message);
                Problem { message, ..problem }
            }
            Blocked::Browser(error) => Problem::from(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use legwork_types::ErrorClass;

    use super::*;

    #[test]
    fn whoever_wants_to_go_on_can_tell_why_it_was_not_done() {
        use ErrorClass::*;
        let in_field = |why| Blocked::InField { action: ActionId(3), why: Box::new(why) };
        for (why, code, class) in [
            (Blocked::Gone, Code::ElementDetached, ActionStale),
            (Blocked::Changed, Code::ElementDetached, ActionStale),
            (Blocked::OtherTab, Code::StaleObservation, ActionStale),
            (Blocked::NotVisible, Code::ElementNotVisible, ActionStale),
            (Blocked::Disabled, Code::ElementDisabled, ActionObscured),
            (Blocked::Obscured { by: "dialog".into() }, Code::ElementObscured, ActionObscured),
            (in_field(Blocked::Obscured { by: "dialog".into() }), Code::ElementObscured, ActionObscured),
            (Blocked::Moving, Code::Timeout, Unknown),
            (Blocked::NotApplicable { why: "no".into() }, Code::ActionNotApplicable, Unknown),
            (Blocked::NoSuchOption { options: vec![], count: 0 }, Code::ActionNotApplicable, Unknown),
            (Blocked::Browser(BrowserError::FrameGone), Code::FrameDetached, ActionStale),
        ] {
            let problem = Problem::from(&why);
            assert_eq!((problem.code, problem.code.class()), (code, class), "{why:?}");
        }
    }
}
