//! What left after a yes, or may have, before the page or the browser was lost: it does not leave again, whoever says yes.

use legwork_policy::wire::{
    Address, AskReason, Class, Decoded, WireFacts, is_deed, may_do_again, spot_of_deed,
};

use super::{Gate, State};

/// What left, or may have: by the method, and by where it was done.
pub(super) type Sent = (String, String);

/// What is remembered of it in a session.
#[derive(Default)]
pub(super) struct SentBefore {
    /// What left in this session after a yes.
    left: Vec<Sent>,
    /// What is not sent again.
    never_again: Vec<Sent>,
    /// Whether the page or the browser was lost since the errand began.
    is_after_loss: bool,
    /// What somebody said yes to and that nobody was told of yet.
    untold: Vec<Sent>,
}

/// Whether it is known that something left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// It left.
    Left,
    /// It may have.
    Perhaps,
}

impl SentBefore {
    /// Somebody said yes to this, and it left, or may have.
    pub(super) fn note(&mut self, sent: Sent, known: Known) {
        match self.is_after_loss || known == Known::Perhaps {
            true => self.never_again.push(sent.clone()),
            false => self.left.push(sent.clone()),
        }
        self.untold.push(sent);
    }

    /// The page or the browser is gone: what became of all that is not seen there any more.
    fn lose(&mut self) {
        self.is_after_loss = true;
        self.never_again.append(&mut self.left);
    }
}

impl Gate {
    /// What somebody said yes to since this was last asked, and that left, or may have.
    pub(crate) fn take_commits(&self) -> Vec<Sent> {
        std::mem::take(&mut self.state().sent_before.untold)
    }

    /// The page or the browser was lost: these are not sent again.
    pub(crate) fn never_again(&self, sent: Vec<Sent>) {
        let mut state = self.state();
        state.sent_before.lose();
        state.sent_before.never_again.extend(sent);
    }

    /// The page was lost: what left because of it is not sent again.
    pub(crate) fn page_lost(&self) {
        self.state().sent_before.lose();
    }

    /// Whether this would do again what may have been done. What it carries does not matter: a second basket is no reason for a second order.
    pub(super) fn was_sent_before(&self, state: &State, class: Class, decoded: &Decoded) -> bool {
        if state.sent_before.never_again.is_empty() || !may_do_again(class, decoded) {
            return false;
        }
        let sent = self.sent(&decoded.method, &decoded.address);
        state.sent_before.never_again.contains(&sent)
    }

    /// What a person is told beside a question where something was approved before the loss.
    pub(super) fn warning(&self, state: &State) -> Option<String> {
        let sent = &state.sent_before.never_again;
        let sent: Vec<String> = sent.iter().map(|(method, address)| format!("{method} {address}")).collect();
        (!sent.is_empty()).then(|| {
            format!(
                "before the page or the browser was lost this was approved and sent, or may have been: {}",
                sent.join(", ")
            )
        })
    }

    /// A request as it is remembered where somebody says yes to it; none where it is no deed.
    pub(super) fn deed(&self, decoded: &Decoded, facts: &WireFacts, reason: AskReason) -> Option<Sent> {
        let settles = match reason {
            AskReason::Commit | AskReason::Unknown => true,
            AskReason::PrepareElsewhere | AskReason::Login | AskReason::Logout => false,
        };
        (settles && is_deed(decoded, facts)).then(|| self.sent(&decoded.method, &decoded.address))
    }

    fn sent(&self, method: &str, address: &Address) -> Sent {
        (method.to_owned(), self.vault.hidden(spot_of_deed(address)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_left_before_a_loss_or_may_have_left_is_kept_back() {
        let sent = |path: &str| ("POST".to_owned(), format!("https://a.example/{path}"));
        let mut whole = SentBefore::default();
        whole.note(sent("graphql"), Known::Left);
        assert!(whole.never_again.is_empty(), "two yeses to one place in one session are two deeds");
        whole.note(sent("pay"), Known::Perhaps);
        assert_eq!(whole.never_again, [sent("pay")]);
        assert_eq!(whole.untold.len(), 2);
        let mut after = SentBefore { is_after_loss: true, ..SentBefore::default() };
        after.note(sent("order"), Known::Left);
        assert_eq!(after.never_again, [sent("order")]);
        whole.lose();
        assert_eq!(whole.never_again, [sent("pay"), sent("graphql")]);
    }
}
