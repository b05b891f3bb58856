//! Numbers in lists or rows, parsed into one list.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{DeserializeSeed, Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::either::either;

/// A list of numbers, or of rows with equally many.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numbers<T> {
    pub(super) values: Vec<T>,
    /// Numbers per row, 1 without rows; `None` for an empty list.
    pub(super) width: Option<usize>,
}

/// A number of JSON.
pub(super) trait Number: Sized {
    fn of_float(number: f64) -> Option<Self>;
    fn of_whole(number: u64) -> Option<Self>;
}

impl Number for f32 {
    #[expect(clippy::cast_possible_truncation, reason = "32 bits are stored")]
    fn of_float(number: f64) -> Option<Self> {
        Some(number as f32)
    }

    fn of_whole(number: u64) -> Option<Self> {
        Some(number as f32)
    }
}

impl Number for u32 {
    fn of_float(_: f64) -> Option<Self> {
        None
    }

    fn of_whole(number: u64) -> Option<Self> {
        number.try_into().ok()
    }
}

impl<'de, T: Number + Deserialize<'de>> Deserialize<'de> for Numbers<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(NumbersVisitor(PhantomData))
    }
}

struct NumbersVisitor<T>(PhantomData<T>);

impl<'de, T: Number + Deserialize<'de>> Visitor<'de> for NumbersVisitor<T> {
    type Value = Numbers<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers, or of lists")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Numbers<T>, A::Error> {
        let mut all = Numbers { values: Vec::new(), width: None };
        while let Some(width) = entries.next_element_seed(Entry(&mut all.values))? {
            if *all.width.get_or_insert(width) != width {
                return Err(A::Error::custom("lists of different lengths"));
            }
        }
        Ok(all)
    }
}

/// Appends a number, or those of a row, and returns how many there are.
struct Entry<'a, T>(&'a mut Vec<T>);

impl<T: Number> Entry<'_, T> {
    fn push<E: Error>(self, number: Option<T>) -> Result<usize, E> {
        self.0.push(number.ok_or_else(|| E::custom("not a whole number, 0 or more"))?);
        Ok(1)
    }
}

impl<'de, T: Number + Deserialize<'de>> DeserializeSeed<'de> for Entry<'_, T> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Number + Deserialize<'de>> Visitor<'de> for Entry<'_, T> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a list of numbers")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<usize, E> {
        self.push(T::of_float(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<usize, E> {
        self.push(T::of_whole(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<usize, E> {
        self.push(T::of_float(number as f64))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<usize, A::Error> {
        let mut width = 0;
        while let Some(number) = row.next_element()? {
            self.0.push(number);
            width += 1;
        }
        Ok(width)
    }
}

/// How a skin is blended: a name, or a number per vertex.
#[derive(Debug)]
pub(super) enum BlendingText {
    Name(String),
    Shares(Vec<f32>),
}

either! {
    BlendingText,
    "a name, or a number per vertex",
    fn visit_str<E: Error>(self, name: &str) -> Result<BlendingText, E> {
        Ok(BlendingText::Name(name.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, shares: A) -> Result<BlendingText, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(shares)).map(BlendingText::Shares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_rows_become_one_list() {
        let of = |text: &str| serde_json::from_str::<Numbers<f32>>(text);
        assert_eq!(of("[1, 2.5]").unwrap(), Numbers { values: vec![1.0, 2.5], width: Some(1) });
        let rows = Numbers { values: vec![1.0, -2.0, 3.0, 4.0], width: Some(2) };
        assert_eq!(of("[[1, -2], [3, 4]]").unwrap(), rows);
        assert_eq!(of("[]").unwrap().width, None);
        for wrong in ["[[1], [2, 3]]", "[1, [2, 3]]", "[\"a\"]", "[[[1]]]", "1"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
        let of = |text: &str| serde_json::from_str::<Numbers<u32>>(text);
        assert_eq!(of("[[1, 2]]").unwrap().values, [1, 2]);
        for wrong in ["[-1]", "[0.5]", "[4294967296]"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
