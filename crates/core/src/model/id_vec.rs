//! Lists indexed by ids instead of plain numbers.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// A position in one kind of list.
pub trait Id: Copy {
    /// The position in the list.
    fn index(self) -> usize;

    /// The id of list position `index`.
    fn from_index(index: usize) -> Self;
}

/// A list indexed by ids of one kind, so that a bone's number never selects a mesh.
///
/// It is a slice in all other respects. Indexing panics past the end, therefore:
///
/// Invariant: after [`check`](super::check::check), every id stored in a model is a position in that
/// model's list, and the lists of a pose are as long as the posed model's, so `list[id]` is sound.
/// Ids from elsewhere, such as user input, another model or a file being read, need [`Self::get`].
pub struct IdVec<I, T> {
    items: Vec<T>,
    id: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty list.
    pub const fn new() -> Self {
        Self { items: Vec::new(), id: PhantomData }
    }

    /// The item of `id`; `None` past the end.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// The item of `id`; `None` past the end.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    /// Whether `id` is a position in this list.
    pub fn contains_id(&self, id: I) -> bool {
        id.index() < self.items.len()
    }

    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// All items with their ids.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// Appends `item` and returns its id.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_index(self.items.len() - 1)
    }

    /// The items, for changes of their number. Items move to other ids if one before them is removed.
    pub const fn as_mut_vec(&mut self) -> &mut Vec<T> {
        &mut self.items
    }

    /// The items without their ids.
    pub fn into_vec(self) -> Vec<T> {
        self.items
    }
}

impl<I: Id, T: Clone> IdVec<I, T> {
    /// One copy of `item` for each id of `list`.
    pub fn filled<U>(item: T, list: &IdVec<I, U>) -> Self {
        vec![item; list.len()].into()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I, T> Deref for IdVec<I, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<I, T> DerefMut for IdVec<I, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, id: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<I, T> Extend<T> for IdVec<I, T> {
    fn extend<A: IntoIterator<Item = T>>(&mut self, items: A) {
        self.items.extend(items);
    }
}

impl<I, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut IdVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

// Derived implementations would require the same of ids.
impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<I, T: Clone> Clone for IdVec<I, T> {
    fn clone(&self) -> Self {
        self.items.clone().into()
    }
}

impl<I, T: PartialEq> PartialEq for IdVec<I, T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MeshId;

    #[test]
    fn ids_are_positions_in_order() {
        let mut list: IdVec<MeshId, char> = "ab".chars().collect();
        assert_eq!(list.push('c'), MeshId(2));
        list[MeshId(0)] = 'd';
        assert_eq!(list.ids().collect::<Vec<_>>(), [MeshId(0), MeshId(1), MeshId(2)]);
        let pairs: Vec<_> = list.iter_enumerated().rev().take(2).collect();
        assert_eq!(pairs, [(MeshId(2), &'c'), (MeshId(1), &'b')]);
        assert_eq!(list.into_vec(), ['d', 'b', 'c']);
    }

    #[test]
    fn an_id_past_the_end_has_no_item() {
        let list: IdVec<MeshId, char> = vec!['a'].into();
        assert!(list.contains_id(MeshId(0)) && !list.contains_id(MeshId(1)));
        assert_eq!(list.get(MeshId(1)), None);
    }
}
