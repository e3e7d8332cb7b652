//! What models are told: whole requests as they stand on every wire, and how many tokens a turn costs on the pages of the benchmark.

mod long_errand;
#[path = "../../../llm/tests/clients/official.rs"]
mod official;
mod tokens;
mod whole;

use crate::vendor;
