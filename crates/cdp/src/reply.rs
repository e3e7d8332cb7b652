//! A result that stays raw until a typed reader takes what it needs.

use bytes::Bytes;
use serde::Deserialize;

use crate::CdpError;

/// The result of one command, still as the bytes that came off the wire.
#[derive(Debug, Clone)]
pub struct Reply {
    method: &'static str,
    result: Bytes,
}

impl Reply {
    pub(crate) fn new(method: &'static str, result: Bytes) -> Self {
        Self { method, result }
    }

    /// Reads the parts of the result that `T` names; strings may be borrowed from the reply.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, CdpError> {
        serde_json::from_slice(&self.result)
            .map_err(|error| CdpError::Unreadable { method: self.method, detail: error.to_string() })
    }

    /// The raw JSON.
    pub fn raw(&self) -> &[u8] {
        &self.result
    }
}
