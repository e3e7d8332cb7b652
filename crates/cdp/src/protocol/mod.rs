//! The part of the protocol that we use: one small struct per command, read-only structs for what comes back.

pub mod accessibility;
pub mod browser;
pub mod dom;
pub mod dom_snapshot;
pub mod emulation;
pub mod fetch;
pub mod input;
pub mod inspector;
pub mod keys;
pub mod network;
pub mod page;
pub mod runtime;
pub mod storage;
pub mod target;
pub mod web_authn;

use serde::Serialize;

/// A command: its name, and itself as the parameters.
pub trait Command: Serialize {
    /// `Domain.method`.
    const METHOD: &'static str;
}

/// Declares commands whose parameters are the fields of the struct.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident $(<$life:lifetime>)? = $method:literal { $($(#[$field_doc:meta])* $field:ident : $kind:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name $(<$life>)? { $($(#[$field_doc])* pub $field: $kind,)* }

        impl $(<$life>)? $crate::Command for $name $(<$life>)? {
            const METHOD: &'static str = $method;
        }
    )*};
}
pub(crate) use commands;
