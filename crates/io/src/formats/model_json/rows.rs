//! Lists of lists, parsed into two flat lists: a list per vertex or key would need a separate allocation.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Rows of any length.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rows<T> {
    /// Row `n` has the values `first[n]..first[n + 1]`.
    pub(super) first: Vec<u32>,
    pub(super) values: Vec<T>,
}

impl<T> Rows<T> {
    pub(super) fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// The length of each row.
    pub(super) fn lengths(&self) -> impl Iterator<Item = usize> {
        let pairs = self.first.iter().zip(self.first.iter().skip(1));
        pairs.map(|(first, end)| (end - first) as usize)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowsVisitor(PhantomData))
    }
}

struct RowsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for RowsVisitor<T> {
    type Value = Rows<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of lists")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Rows<T>, A::Error> {
        let mut all = Rows { first: vec![0], values: Vec::new() };
        while rows.next_element_seed(Row(&mut all.values))?.is_some() {
            let end = u32::try_from(all.values.len());
            all.first.push(end.map_err(|_| A::Error::custom("more than 4294967295 values"))?);
        }
        Ok(all)
    }
}

/// Appends the values of one row.
struct Row<'a, T>(&'a mut Vec<T>);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Row<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Row<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        while let Some(value) = values.next_element()? {
            self.0.push(value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_any_length_become_two_lists() {
        let rows: Rows<u32> = serde_json::from_str("[[1, 2], [], [3]]").unwrap();
        assert_eq!(rows, Rows { first: vec![0, 2, 2, 3], values: vec![1, 2, 3] });
        assert_eq!((rows.len(), rows.lengths().collect::<Vec<_>>()), (3, vec![2, 0, 1]));
        assert!(serde_json::from_str::<Rows<u32>>("[1]").is_err());
    }
}
