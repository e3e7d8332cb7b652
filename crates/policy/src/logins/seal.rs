//! The one file of a saved login: a label that anybody with the file can read (its name, its origins, when it was saved), and what is
//! saved, sealed with XChaCha20-Poly1305. The label is sealed along: neither can be put with another.

use std::fmt;

use argon2::Argon2;
use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305, XNonce,
    aead::{Aead as _, Payload},
};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::SavedState;
use crate::secrets::SecretText;

/// The bytes of a key.
pub const KEY_BYTES: usize = 32;
/// The bytes of what makes the same words another key in each file.
pub const SALT_BYTES: usize = 16;
/// The bytes of what makes each sealing another.
pub const NONCE_BYTES: usize = 24;

const MAGIC: &[u8] = b"legwork login";
const VERSION: u8 = 1;
/// As much is kept of a login: browsers keep five million letters of each origin.
const LARGEST: usize = 16 << 20;
/// Names and origins take less.
const LARGEST_LABEL: usize = 64 << 10;

/// What everybody may know of a saved login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// The origins that it is of.
    pub origins: Vec<String>,
    /// When it was saved, in milliseconds of the epoch.
    pub saved: u64,
}

/// What kind of key a file was sealed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealedWith {
    /// Random bytes in a file of ours.
    KeyFile,
    /// Words that the operator gives.
    Words,
}

/// A key that seals and opens.
#[derive(Clone)]
pub struct SealKey {
    kind: SealedWith,
    salt: [u8; SALT_BYTES],
    bytes: Zeroizing<[u8; KEY_BYTES]>,
}

impl SealKey {
    /// Random bytes as they are.
    pub fn of_bytes(bytes: Zeroizing<[u8; KEY_BYTES]>) -> Self {
        Self { kind: SealedWith::KeyFile, salt: [0; SALT_BYTES], bytes }
    }

    /// Words, stretched by Argon2id so that guessing them takes long. None where there is not the memory for it.
    pub fn of_words(words: &SecretText, salt: [u8; SALT_BYTES]) -> Option<Self> {
        let mut bytes = Zeroizing::new([0; KEY_BYTES]);
        let stretched =
            Argon2::default().hash_password_into(words.expose().as_bytes(), &salt, bytes.as_mut_slice());
        stretched.ok()?;
        Some(Self { kind: SealedWith::Words, salt, bytes })
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealKey").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// Why a file can't be opened. Never holds what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotOpened {
    /// Something else lies under this name.
    #[error("it is no saved login")]
    NotOurs,
    /// Written by a version that is yet to come.
    #[error("it was written by a later version of Legwork")]
    Later,
    /// It ends too early, or its label makes no sense.
    #[error("it is broken off or was changed")]
    Broken,
    /// It is that of another name.
    #[error("it was saved under another name")]
    OtherName,
    /// Nothing could be found out with this key.
    #[error("it was sealed with another key, or was changed since")]
    OtherKey,
    /// The wrong kind of key.
    #[error("it was sealed with words of yours: give them by --login-key")]
    NeedsWords,
    /// The same the other way round.
    #[error("it was sealed with the key file, not with --login-key")]
    NeedsKeyFile,
    /// More than anything that was ever saved.
    #[error("it is larger than a saved login can be")]
    TooLarge,
}

/// A file as bytes. None for what is too large to be kept.
pub fn seal(label: &Label, state: &SavedState, key: &SealKey, nonce: [u8; NONCE_BYTES]) -> Option<Vec<u8>> {
    let inside = Zeroizing::new(serde_json::to_vec(state).ok()?);
    let outside = serde_json::to_vec(label).ok()?;
    if inside.len() > LARGEST || outside.len() > LARGEST_LABEL {
        return None;
    }
    let kind = match key.kind {
        SealedWith::KeyFile => 0,
        SealedWith::Words => 1,
    };
    let length = u32::try_from(outside.len()).ok()?.to_be_bytes();
    let mut file = [MAGIC, &[VERSION, kind], &key.salt, &length, &outside].concat();
    let cipher = XChaCha20Poly1305::new_from_slice(key.bytes.as_slice()).ok()?;
    let sealed = cipher.encrypt(&XNonce::from(nonce), Payload { msg: &inside, aad: &file }).ok()?;
    file.extend(nonce);
    file.extend(sealed);
    Some(file)
}

/// The parts of a file.
struct Parts<'a> {
    kind: SealedWith,
    salt: [u8; SALT_BYTES],
    label: Label,
    /// Everything before the nonce.
    before: &'a [u8],
    nonce: [u8; NONCE_BYTES],
    sealed: &'a [u8],
}

fn parts(file: &[u8]) -> Result<Parts<'_>, NotOpened> {
    let rest = file.strip_prefix(MAGIC).ok_or(NotOpened::NotOurs)?;
    if file.len() > LARGEST + 2 * LARGEST_LABEL {
        return Err(NotOpened::TooLarge);
    }
    let (version, rest) = rest.split_first().ok_or(NotOpened::Broken)?;
    match *version {
        VERSION => {}
        0 => return Err(NotOpened::NotOurs),
        _ => return Err(NotOpened::Later),
    }
    let (kind, rest) = rest.split_first().ok_or(NotOpened::Broken)?;
    let kind = match kind {
        0 => SealedWith::KeyFile,
        1 => SealedWith::Words,
        _ => return Err(NotOpened::Broken),
    };
    let (salt, rest) = rest.split_first_chunk::<SALT_BYTES>().ok_or(NotOpened::Broken)?;
    let (length, rest) = rest.split_first_chunk::<4>().ok_or(NotOpened::Broken)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| NotOpened::Broken)?;
    if length > LARGEST_LABEL {
        return Err(NotOpened::Broken);
    }
    let (label, rest) = rest.split_at_checked(length).ok_or(NotOpened::Broken)?;
    let label = serde_json::from_slice(label).map_err(|_| NotOpened::Broken)?;
    let before = file.get(..file.len() - rest.len()).unwrap_or_default();
    let (nonce, sealed) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(NotOpened::Broken)?;
    Ok(Parts { kind, salt: *salt, label, before, nonce: *nonce, sealed })
}

/// What a file says of itself. Nobody vouches for it before the file is opened.
pub fn label_of(file: &[u8]) -> Result<(Label, SealedWith, [u8; SALT_BYTES]), NotOpened> {
    parts(file).map(|parts| (parts.label, parts.kind, parts.salt))
}

/// What was saved under this name.
pub fn open(file: &[u8], name: &str, key: &SealKey) -> Result<(Label, SavedState), NotOpened> {
    let parts = parts(file)?;
    match (parts.kind, key.kind) {
        (SealedWith::Words, SealedWith::KeyFile) => return Err(NotOpened::NeedsWords),
        (SealedWith::KeyFile, SealedWith::Words) => return Err(NotOpened::NeedsKeyFile),
        _ => {}
    }
    let cipher = XChaCha20Poly1305::new_from_slice(key.bytes.as_slice()).map_err(|_| NotOpened::OtherKey)?;
    let payload = Payload { msg: parts.sealed, aad: parts.before };
    let inside = cipher.decrypt(&XNonce::from(parts.nonce), payload).map_err(|_| NotOpened::OtherKey)?;
    let inside = Zeroizing::new(inside);
    if parts.label.name != name {
        return Err(NotOpened::OtherName);
    }
    let state = serde_json::from_slice(&inside).map_err(|_| NotOpened::Broken)?;
    Ok((parts.label, state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logins::{Cookie, Storage};

    fn key(byte: u8) -> SealKey {
        SealKey::of_bytes(Zeroizing::new([byte; KEY_BYTES]))
    }

    fn label() -> Label {
        Label { name: "shop".into(), origins: vec!["https://shop.example".into()], saved: 1_763_351_288_000 }
    }

    fn state() -> SavedState {
        let cookie = Cookie {
            name: "sid".into(),
            value: "xyzzy-canary-42".into(),
            domain: "shop.example".into(),
            expires: Some(1e9),
            http_only: true,
            ..Cookie::default()
        };
        SavedState {
            cookies: vec![cookie],
            storage: vec![Storage { origin: "https://shop.example".into(), ..Storage::default() }],
        }
    }

    #[test]
    fn what_is_sealed_is_opened_by_its_key_and_its_name_alone() {
        let file = seal(&label(), &state(), &key(7), [9; NONCE_BYTES]).unwrap();
        assert_eq!(open(&file, "shop", &key(7)).unwrap(), (label(), state()));
        assert_eq!(label_of(&file).unwrap().0, label());
        assert_eq!(open(&file, "shop", &key(8)).unwrap_err(), NotOpened::OtherKey);
        assert_eq!(open(&file, "bank", &key(7)).unwrap_err(), NotOpened::OtherName);
        assert!(!file.windows(5).any(|bytes| bytes == b"xyzzy"));
        assert_ne!(file, seal(&label(), &state(), &key(7), [8; NONCE_BYTES]).unwrap());
    }

    #[test]
    fn words_are_a_key_of_their_own_kind() {
        let words = SealKey::of_words(&"correct horse".into(), [1; SALT_BYTES]).unwrap();
        let file = seal(&label(), &state(), &words, [9; NONCE_BYTES]).unwrap();
        let (_, kind, salt) = label_of(&file).unwrap();
        assert_eq!((kind, salt), (SealedWith::Words, [1; SALT_BYTES]));
        assert_eq!(open(&file, "shop", &words).unwrap().1, state());
        assert_eq!(open(&file, "shop", &key(7)).unwrap_err(), NotOpened::NeedsWords);
        let others = SealKey::of_words(&"correct house".into(), salt).unwrap();
        assert_eq!(open(&file, "shop", &others).unwrap_err(), NotOpened::OtherKey);
        let ours = seal(&label(), &state(), &key(7), [9; NONCE_BYTES]).unwrap();
        assert_eq!(open(&ours, "shop", &words).unwrap_err(), NotOpened::NeedsKeyFile);
        assert!(!format!("{words:?}").contains("horse"));
    }

    #[test]
    fn a_file_that_was_cut_or_changed_anywhere_is_never_opened() {
        let file = seal(&label(), &state(), &key(7), [9; NONCE_BYTES]).unwrap();
        for length in 0..file.len() {
            assert!(open(&file[..length], "shop", &key(7)).is_err(), "cut after {length}");
        }
        for at in 0..file.len() {
            for bit in [1, 0x80] {
                let mut changed = file.clone();
                changed[at] ^= bit;
                assert!(open(&changed, "shop", &key(7)).is_err(), "byte {at}");
            }
        }
        let mut later = file.clone();
        later[MAGIC.len()] = 2;
        assert_eq!(open(&later, "shop", &key(7)).unwrap_err(), NotOpened::Later);
        assert_eq!(open(b"", "shop", &key(7)).unwrap_err(), NotOpened::NotOurs);
        assert_eq!(open(b"[main]\nx = 1\n", "shop", &key(7)).unwrap_err(), NotOpened::NotOurs);
        let mut longer = file;
        longer.push(0);
        assert_eq!(open(&longer, "shop", &key(7)).unwrap_err(), NotOpened::OtherKey);
    }

    #[test]
    fn what_is_too_large_is_not_sealed() {
        let mut large = state();
        large.cookies[0].value = SecretText::new("x".repeat(LARGEST));
        assert!(seal(&label(), &large, &key(7), [9; NONCE_BYTES]).is_none());
    }
}
