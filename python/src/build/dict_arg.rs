//! A dictionary passed by the caller, with its position for error messages.

use glam::{Vec2, Vec3, Vec4};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyMapping;

use crate::arrays::{ArrayArg, read_array};
use crate::errors::unknown_value;

pub(super) type Dict<'py> = Bound<'py, PyMapping>;

/// A dictionary passed by the caller, with its position for error messages.
pub(super) struct DictArg<'a, 'py> {
    list: &'static str,
    number: usize,
    dict: &'a Dict<'py>,
}

impl<'a, 'py> DictArg<'a, 'py> {
    pub(super) fn new(
        list: &'static str,
        number: usize,
        dict: &'a Dict<'py>,
        known: &[&str],
    ) -> PyResult<Self> {
        for key in dict.keys()? {
            let key: String = key.extract()?;
            if !known.contains(&key.as_str()) {
                return Err(unknown_value(&format!("a key of {list}[{number}]"), &key, known));
            }
        }
        Ok(Self { list, number, dict })
    }

    pub(super) fn what(&self, key: &str) -> String {
        format!("{}[{}][{key:?}]", self.list, self.number)
    }

    pub(super) fn get(&self, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.dict.contains(key)? {
            Ok(Some(self.dict.get_item(key)?).filter(|value| !value.is_none()))
        } else {
            Ok(None)
        }
    }

    pub(super) fn needed(&self, key: &str) -> PyResult<Bound<'py, PyAny>> {
        self.get(key)?.ok_or_else(|| PyKeyError::new_err(format!("{} is missing", self.what(key))))
    }

    pub(super) fn text(&self, key: &str) -> PyResult<String> {
        Ok(self.typed(key, "a string")?.unwrap_or_default())
    }

    pub(super) fn flag(&self, key: &str) -> PyResult<bool> {
        Ok(self.typed(key, "True or False")?.unwrap_or_default())
    }

    /// The value of a key, which must be `expected`.
    pub(super) fn typed<T>(&self, key: &str, expected: &str) -> PyResult<Option<T>>
    where
        T: for<'b> FromPyObject<'b, 'py>,
    {
        let Some(value) = self.get(key)? else { return Ok(None) };
        value.extract().map(Some).map_err(|_| {
            let kind = value.get_type();
            let kind = kind.name().map_or_else(|_| "another type".into(), |name| name.to_string());
            PyTypeError::new_err(format!("{} must be {expected}, not {kind}", self.what(key)))
        })
    }

    pub(super) fn array<T: numpy::Element + Copy, const D: usize>(
        &self,
        key: &str,
        shape: [Option<usize>; D],
    ) -> PyResult<Option<ArrayArg<T>>> {
        let value = self.get(key)?;
        value.map(|value| read_array(&value, &self.what(key), shape)).transpose()
    }

    pub(super) fn wrong(&self, key: &str, why: &str) -> PyErr {
        PyValueError::new_err(format!("{}: {why}", self.what(key)))
    }
}

pub(super) fn vec2s(numbers: &[f32]) -> Vec<Vec2> {
    numbers.as_chunks().0.iter().copied().map(Vec2::from_array).collect()
}

pub(super) fn vec3s(numbers: &[f32]) -> Vec<Vec3> {
    numbers.as_chunks().0.iter().copied().map(Vec3::from_array).collect()
}

pub(super) fn vec4s(numbers: &[f32]) -> Vec<Vec4> {
    numbers.as_chunks().0.iter().copied().map(Vec4::from_array).collect()
}
