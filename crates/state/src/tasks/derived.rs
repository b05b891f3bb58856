//! Results computed by tasks, cached by key.
//!
//! The owner of a result calls [`AppState::derive`] after every action with the current key and
//! whether the result is needed. That call starts and cancels tasks and drops outdated results.

use std::sync::Arc;

use super::TaskSlot;
use crate::{Action, AppState, Request, ViewState};
use rigscope_core::model::{Cancelled, Model, Report};

/// A result that a task computes from a key. It is dropped when the key changes.
#[derive(Clone, Debug)]
pub struct Derived<K, V> {
    key: Option<K>,
    value: Option<Arc<V>>,
    /// The result is needed, or has been needed for this key.
    is_wanted: bool,
}

impl<K, V> Default for Derived<K, V> {
    fn default() -> Self {
        Self { key: None, value: None, is_wanted: false }
    }
}

impl<K: PartialEq, V> PartialEq for Derived<K, V> {
    /// Results are compared by identity.
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.value.as_ref().map(Arc::as_ptr) == other.value.as_ref().map(Arc::as_ptr)
            && self.is_wanted == other.is_wanted
    }
}

impl<K: PartialEq, V> Derived<K, V> {
    /// The result, once it is computed.
    pub fn get(&self) -> Option<&Arc<V>> {
        self.value.as_ref()
    }

    /// The key of the result, computed or not.
    pub(crate) fn key(&self) -> Option<&K> {
        self.key.as_ref()
    }

    pub(crate) fn set(&mut self, value: Arc<V>) {
        self.value = Some(value);
    }

    /// Sets the key. If it changed, drops the result and returns `true`.
    pub(crate) fn follow(&mut self, key: Option<K>) -> bool {
        let is_other = self.key != key;
        if is_other {
            *self = Self { key, ..Self::default() };
        }
        is_other
    }

    /// Requests the result of the current key even if it isn't shown.
    pub(crate) fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Whether the result of the current key is needed.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Whether the result is needed and not computed yet.
    fn is_missing(&self) -> bool {
        self.is_wanted && self.value.is_none()
    }
}

/// Accessor of a result in a view.
pub(crate) type DerivedIn<K, V> = fn(&mut ViewState) -> &mut Derived<K, V>;

impl AppState {
    /// Updates the result in `place` to `key`, dropping a result of another key. If the result is
    /// needed and missing, starts a task with the closure returned by `work`, whose action stores
    /// the result. The task is started once per key, and again if it was cancelled with its tab.
    pub(crate) fn derive<K, V, W>(
        &mut self,
        slot: TaskSlot,
        place: DerivedIn<K, V>,
        key: Option<K>,
        is_wanted: bool,
        work: impl FnOnce(&Self, K) -> W,
    ) -> Vec<Request>
    where
        K: Clone + PartialEq,
        W: Fn(&Report) -> Result<Action, Cancelled> + Send + Sync + 'static,
    {
        let derived = place(&mut self.tab.view);
        let is_other = derived.follow(key.clone());
        derived.is_wanted |= is_wanted;
        let is_due = derived.is_missing() && (is_other || !self.was_started(slot));
        match key.filter(|_| is_due) {
            Some(key) => {
                let work = work(self, key);
                self.start_task(slot, work)
            }
            None if is_other => self.cancel_task(slot),
            None => Vec::new(),
        }
    }

    /// The current model as a key.
    pub(crate) fn model_key(&self) -> Option<ModelKey> {
        self.tab.document.as_ref().map(|document| ModelKey(Arc::clone(&document.model)))
    }
}

/// A model in a key, compared by identity.
#[derive(Clone)]
pub struct ModelKey(pub(crate) Arc<Model>);

impl ModelKey {
    pub fn of(model: &Arc<Model>) -> Self {
        Self(Arc::clone(model))
    }

    pub fn model(&self) -> &Arc<Model> {
        &self.0
    }
}

impl PartialEq for ModelKey {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::fmt::Debug for ModelKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ModelKey({})", self.0.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_value_is_dropped_when_its_key_changes() {
        let mut derived = Derived::default();
        assert!(derived.follow(Some(1)) && !derived.follow(Some(1)));
        assert!(!derived.is_missing(), "it isn't wanted");
        derived.want();
        assert!(derived.is_missing());
        derived.set(Arc::new("one"));
        assert!(!derived.follow(Some(1)));
        assert_eq!(derived.get().map(|value| **value), Some("one"));
        assert!(!derived.is_missing() && derived.follow(Some(2)));
        assert!(derived.get().is_none() && !derived.is_missing());
    }
}
