//! A cache of pipelines, each created on first use.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Pipelines by key. Each has its own cell, so that creating one doesn't block others.
#[derive(Debug)]
pub(super) struct PipelineCache<K, P>(Mutex<HashMap<K, Arc<OnceLock<P>>>>);

impl<K, P> Default for PipelineCache<K, P> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, P: Clone> PipelineCache<K, P> {
    /// The pipeline for `key`, created by `create` on first use.
    pub(super) fn get(&self, key: K, create: impl FnOnce() -> P) -> P {
        self.cell(key).get_or_init(create).clone()
    }

    /// Whether the pipeline for `key` has been created.
    #[cfg(test)]
    pub(super) fn has(&self, key: K) -> bool {
        self.cell(key).get().is_some()
    }

    fn cell(&self, key: K) -> Arc<OnceLock<P>> {
        // No code that holds the lock can panic.
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(cells.entry(key).or_default())
    }
}
