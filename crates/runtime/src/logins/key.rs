//! The key that seals saved logins: random bytes in a file of ours, or words of the operator.

use std::{
    collections::HashMap,
    io,
    sync::{Mutex, PoisonError},
};

use legwork_policy::{
    logins::{KEY_BYTES, NotOpened, SALT_BYTES, SealKey, SealedWith},
    secrets::{SecretText, fit},
};
use legwork_types::{Code, Problem};
use zeroize::Zeroizing;

use super::{folder::Shelf, spec::LoginKey};
use crate::vault;

/// The key of all saved logins.
pub(super) enum Key {
    /// In a file beside them; made when the first one is sealed.
    File(Mutex<Option<SealKey>>),
    Words {
        words: SecretText,
        /// Stretching takes long: once for each salt is enough.
        stretched: Mutex<HashMap<[u8; SALT_BYTES], SealKey>>,
    },
}

impl Key {
    pub(super) async fn load(source: Option<&LoginKey>, shelf: &Shelf) -> Result<Self, Problem> {
        let refused = |why: String| {
            let hint = "see docs/secrets.md for how keys of saved logins are written";
            Problem::new(Code::Usage, "the key of saved logins can't be used", hint).because(why)
        };
        let Some(LoginKey(source)) = source else {
            let bytes = shelf.key().map_err(|error| refused(error.to_string()))?;
            return Ok(Self::File(Mutex::new(bytes.map(SealKey::of_bytes))));
        };
        let words = vault::fetch(source).await.map_err(refused)?;
        let words = fit(&words).map_err(|why| refused(why.to_string()))?;
        Ok(Self::Words { words, stretched: Mutex::default() })
    }

    /// The key that opens a file of this kind.
    pub(super) fn for_file(
        &self,
        kind: SealedWith,
        salt: [u8; SALT_BYTES],
        shelf: &Shelf,
    ) -> Result<SealKey, NotOpened> {
        match (self, kind) {
            (Self::File(kept), SealedWith::KeyFile) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.is_none() {
                    // Another instance may have made it meanwhile.
                    let bytes = shelf.key().map_err(|_| NotOpened::OtherKey)?;
                    *kept = bytes.map(SealKey::of_bytes);
                }
                kept.clone().ok_or(NotOpened::OtherKey)
            }
            (Self::File(_), SealedWith::Words) => Err(NotOpened::NeedsWords),
            (Self::Words { .. }, SealedWith::KeyFile) => Err(NotOpened::NeedsKeyFile),
            (Self::Words { words, stretched }, SealedWith::Words) => {
                let mut stretched = stretched.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(key) = stretched.get(&salt) {
                    return Ok(key.clone());
                }
                let key = SealKey::of_words(words, salt).ok_or(NotOpened::OtherKey)?;
                stretched.insert(salt, key.clone());
                Ok(key)
            }
        }
    }

    /// The key that seals from now on; a new one where there is none.
    pub(super) fn to_seal(&self, shelf: &Shelf) -> io::Result<SealKey> {
        match self {
            Self::File(kept) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(key) = &*kept {
                    return Ok(key.clone());
                }
                // Another instance may have made it meanwhile.
                let bytes = match shelf.key()? {
                    Some(bytes) => bytes,
                    None => {
                        let bytes = Zeroizing::new(random::<KEY_BYTES>()?);
                        shelf.put_key(&bytes)?;
                        bytes
                    }
                };
                let key = SealKey::of_bytes(bytes);
                *kept = Some(key.clone());
                Ok(key)
            }
            Self::Words { stretched, .. } => {
                let known = stretched.lock().unwrap_or_else(PoisonError::into_inner).values().next().cloned();
                if let Some(key) = known {
                    return Ok(key);
                }
                let no_memory = |_| io::Error::from(io::ErrorKind::OutOfMemory);
                self.for_file(SealedWith::Words, random()?, shelf).map_err(no_memory)
            }
        }
    }
}

/// Random bytes of the system.
pub(super) fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| io::Error::other("the system gives no random numbers"))?;
    Ok(bytes)
}
