//! What a field is for, as far as that decides what may be typed into it.

/// What a field is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FieldPurpose {
    /// Nothing is written into it, or it is not known what.
    #[default]
    Unknown,
    /// A password, or what else is kept from others: a card, a PIN, a key.
    Confidential,
    /// A code that is good once.
    Code,
    /// Who somebody is: a name of a user, an address of mail, a number.
    Identity,
    /// Looking for something.
    Search,
    /// Texts of several lines.
    Prose,
}
