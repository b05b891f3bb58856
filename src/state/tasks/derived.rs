//! Values that tasks compute from keys.

use std::sync::Arc;

use super::TaskSlot;
use crate::model::{Cancelled, Model, Report};
use crate::state::{Action, AppState, Effect, ViewState};

/// A value that a task computes from a key. It goes as soon as the key is another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived<K, V> {
    key: Option<K>,
    value: Option<Arc<V>>,
}

impl<K, V> Default for Derived<K, V> {
    fn default() -> Self {
        Self { key: None, value: None }
    }
}

impl<K: PartialEq, V> Derived<K, V> {
    /// The value, once it is known.
    pub fn get(&self) -> Option<&Arc<V>> {
        self.value.as_ref()
    }

    /// What the value is of, or was asked for.
    pub(in crate::state) fn key(&self) -> Option<&K> {
        self.key.as_ref()
    }

    /// Takes what the task has computed.
    pub(in crate::state) fn set(&mut self, value: Arc<V>) {
        self.value = Some(value);
    }

    /// Takes `key`; whether it is another one than before, whose value has gone.
    pub(in crate::state) fn follow(&mut self, key: Option<K>) -> bool {
        let is_other = self.key != key;
        if is_other {
            *self = Self { key, value: None };
        }
        is_other
    }

    /// Asks again next time for a value that was asked for and has not come.
    pub(in crate::state) fn forget_unfinished(&mut self) {
        if self.value.is_none() {
            self.key = None;
        }
    }
}

impl AppState {
    /// Brings the value in `place` in line with `key`: where that is another one than before, a task
    /// does what `work` returns, and its answer sets the value.
    pub(in crate::state) fn derive<K, V, W>(
        &mut self,
        slot: TaskSlot,
        what: &'static str,
        place: fn(&mut ViewState) -> &mut Derived<K, V>,
        key: Option<K>,
        work: impl FnOnce(&Self, K) -> W,
    ) -> Vec<Effect>
    where
        K: Clone + PartialEq,
        W: Fn(&Report) -> Result<Action, Cancelled> + Send + Sync + 'static,
    {
        if !place(&mut self.tab.view).follow(key.clone()) {
            return Vec::new();
        }
        match key {
            Some(key) => {
                let work = work(self, key);
                self.start_task(slot, what, work)
            }
            None => self.cancel_task(slot),
        }
    }
}

/// A model as a part of a key: the same one, not an equal one.
#[derive(Clone)]
pub struct ModelKey(pub(in crate::state) Arc<Model>);

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
        derived.set(Arc::new("one"));
        assert!(!derived.follow(Some(1)));
        assert_eq!(derived.get().map(|value| **value), Some("one"));
        assert!(derived.follow(Some(2)));
        assert_eq!(derived.get(), None);
        derived.forget_unfinished();
        assert!(derived.follow(Some(2)), "asked for again");
    }
}
