//! The structure of `bench --json`. Keys and their order are a contract.

use serde::Serialize;

/// `bench`.
#[derive(Debug, Serialize)]
pub(super) struct Bench {
    pub(super) schema: &'static str,
    /// Null without a GPU.
    pub(super) adapter: Option<BenchAdapter>,
    pub(super) rows: Vec<BenchRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct BenchAdapter {
    pub(super) name: String,
    pub(super) backend: &'static str,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
}

/// A step, compared with copying memory.
#[derive(Debug, Serialize)]
pub(super) struct BenchRow {
    pub(super) name: String,
    /// Unit of the times.
    pub(super) unit: &'static str,
    pub(super) median: f64,
    pub(super) min: f64,
    /// Least number of bytes that the step reads and writes.
    pub(super) work: u64,
    /// Time to copy as many bytes, half of them read and half written.
    pub(super) limit: f64,
    /// `limit` divided by `median`: 1 is as fast as a copy.
    pub(super) of_limit: f64,
    /// Number of items, in units of `of`.
    pub(super) count: u64,
    pub(super) of: &'static str,
}
