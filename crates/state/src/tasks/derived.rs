//! Values that tasks compute from keys.
//!
//! Whoever shows such a value says after every action of which key it is and whether it is wanted
//! ([`AppState::derive`]); all else, what is to be started, stopped or thrown away, follows.

use std::sync::Arc;

use super::TaskSlot;
use crate::{Action, AppState, Effect, ViewState};
use rigscope_core::model::{Cancelled, Model, Report};

/// A value that a task computes from a key. It goes as soon as the key is another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived<K, V> {
    key: Option<K>,
    value: Option<Arc<V>>,
    /// Somebody wants it, or has wanted it of this key.
    is_wanted: bool,
}

impl<K, V> Default for Derived<K, V> {
    fn default() -> Self {
        Self { key: None, value: None, is_wanted: false }
    }
}

impl<K: PartialEq, V> Derived<K, V> {
    /// The value, once it is known.
    pub fn get(&self) -> Option<&Arc<V>> {
        self.value.as_ref()
    }

    /// What the value is of, or would be.
    pub(crate) fn key(&self) -> Option<&K> {
        self.key.as_ref()
    }

    /// Takes what the task has computed.
    pub(crate) fn set(&mut self, value: Arc<V>) {
        self.value = Some(value);
    }

    /// Takes `key`; whether it is another one than before, whose value has gone.
    pub(crate) fn follow(&mut self, key: Option<K>) -> bool {
        let is_other = self.key != key;
        if is_other {
            *self = Self { key, ..Self::default() };
        }
        is_other
    }

    /// Wants the value of the present key, whether or not it is looked at.
    pub(crate) fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Whether somebody wants the value of the present key.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Whether it is wanted and not known.
    fn is_missing(&self) -> bool {
        self.is_wanted && self.value.is_none()
    }
}

/// Where in a view a value is.
pub(crate) type DerivedIn<K, V> = fn(&mut ViewState) -> &mut Derived<K, V>;

impl AppState {
    /// Brings the value in `place` in line with `key`: one of another key goes. Where the value is
    /// wanted and not known a task does what `work` returns, and its answer sets it; once for each
    /// key, and again where the task was stopped with the tab.
    pub(crate) fn derive<K, V, W>(
        &mut self,
        slot: TaskSlot,
        place: DerivedIn<K, V>,
        key: Option<K>,
        is_wanted: bool,
        work: impl FnOnce(&Self, K) -> W,
    ) -> Vec<Effect>
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

    /// The open model as a key.
    pub(crate) fn model_key(&self) -> Option<ModelKey> {
        self.tab.document.as_ref().map(|document| ModelKey(Arc::clone(&document.model)))
    }
}

/// A model as a part of a key: the same one, not an equal one.
#[derive(Clone)]
pub struct ModelKey(pub(crate) Arc<Model>);

impl ModelKey {
    /// Of this model.
    pub fn of(model: &Arc<Model>) -> Self {
        Self(Arc::clone(model))
    }

    /// The model.
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
    fn a_value_goes_with_its_key() {
        let mut derived = Derived::default();
        assert!(derived.follow(Some(1)) && !derived.follow(Some(1)));
        assert!(!derived.is_missing(), "nobody wants it");
        derived.want();
        assert!(derived.is_missing());
        derived.set(Arc::new("one"));
        assert!(!derived.follow(Some(1)));
        assert_eq!(derived.get().map(|value| **value), Some("one"));
        assert!(!derived.is_missing() && derived.follow(Some(2)));
        assert!(derived.get().is_none() && !derived.is_missing());
    }
}
