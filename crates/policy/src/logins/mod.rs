//! Saved logins: what of a browser's cookies and storage belongs to an origin, how two sessions that end one after the other are both
//! heard, how it is sealed, and which of its values must be seen nowhere. Pure: files, keys and browsers are elsewhere.

mod belongs;
mod seal;
mod state;
mod tokens;

pub use seal::{
    KEY_BYTES, Label, NONCE_BYTES, NotOpened, SALT_BYTES, SealKey, SealedWith, label_of, open, seal,
};
pub use state::{Cookie, Item, Partition, SavedState, Storage, merged};
pub use tokens::worth_hiding;
