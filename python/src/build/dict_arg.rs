//! A dictionary passed by the caller, with its position for error messages.

use glam::{Vec2, Vec3, Vec4};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyMapping};
use rigscope::model::value_names::{Names, value_of};

use crate::arrays::{ArrayArg, Number, read_array};
use crate::errors::unknown_value;
use crate::typed_args::type_name;

pub(super) type Dict<'py> = Bound<'py, PyMapping>;

/// A dictionary passed by the caller, with its position for error messages.
pub(super) struct DictArg<'py> {
    /// As an expression of Python, such as `meshes[0]["loose"][1]`; empty for keywords of the function.
    path: String,
    dict: Dict<'py>,
}

impl<'py> DictArg<'py> {
    pub(super) fn new(path: String, dict: Dict<'py>, known: &[&str]) -> PyResult<Self> {
        for key in dict.keys()? {
            let text = key.extract::<String>();
            match text {
                Ok(text) if known.contains(&text.as_str()) => {}
                Ok(text) => return Err(unknown_value(&format!("a key of {path}"), &text, known)),
                Err(_) => {
                    let kind = type_name(key.as_borrowed());
                    let message = format!("the keys of {path} must be text, not {kind}");
                    return Err(PyTypeError::new_err(message));
                }
            }
        }
        Ok(Self { path, dict })
    }

    pub(super) fn what(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}[{key:?}]", self.path) }
    }

    /// The value; `None` also counts as missing.
    pub(super) fn get(&self, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.dict.contains(key)? {
            Ok(Some(self.dict.get_item(key)?).filter(|value| !value.is_none()))
        } else {
            Ok(None)
        }
    }

    pub(super) fn has(&self, key: &str) -> PyResult<bool> {
        Ok(self.get(key)?.is_some())
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
        let taken = value.extract().map(Some);
        taken.map_err(|_| wrong_type(&self.what(key), expected, &value))
    }

    /// A finite number.
    pub(super) fn number(&self, key: &str) -> PyResult<Option<f64>> {
        let Some(number) = self.typed::<f64>(key, "a number")? else { return Ok(None) };
        if number.is_finite() {
            return Ok(Some(number));
        }
        Err(self.wrong(key, &format!("must be finite, not {number}")))
    }

    /// A number below `num`, of `noun`.
    pub(super) fn index(&self, key: &str, noun: &str, num: usize) -> PyResult<Option<usize>> {
        let Some(value) = self.get(key)? else { return Ok(None) };
        let expected = format!("the number of a {noun}");
        if value.is_instance_of::<PyBool>() {
            return Err(wrong_type(&self.what(key), &expected, &value));
        }
        // Large numbers of Python don't fit any type.
        let number: Option<i64> = match value.call_method0("__index__") {
            Ok(number) => number.extract().ok(),
            Err(_) => return Err(wrong_type(&self.what(key), &expected, &value)),
        };
        let index = number.and_then(|number| usize::try_from(number).ok());
        match index.filter(|index| *index < num) {
            Some(index) => Ok(Some(index)),
            None if num == 0 => Err(self.wrong(key, &format!("the model has no {noun}"))),
            None => Err(self.wrong(key, &format!("must be below {num}"))),
        }
    }

    /// One of several names.
    pub(super) fn named<T: Copy>(&self, key: &str, names: &Names<T>) -> PyResult<Option<T>> {
        let Some(name) = self.typed::<String>(key, "a string")? else { return Ok(None) };
        named(&self.what(key), &name, names).map(Some)
    }

    pub(super) fn array<T: Number, const D: usize>(
        &self,
        key: &str,
        shape: [Option<usize>; D],
    ) -> PyResult<Option<ArrayArg<T>>> {
        let value = self.get(key)?;
        value.map(|value| read_array(&value, &self.what(key), shape)).transpose()
    }

    /// The values of a list.
    pub(super) fn list(&self, key: &str, expected: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        Ok(self.typed(key, expected)?.unwrap_or_default())
    }

    /// The dictionaries in a list, each with the `known` keys.
    pub(super) fn dicts(&self, key: &str, known: &[&str]) -> PyResult<Vec<Self>> {
        let dicts = self.list(key, "a list of dictionaries")?.into_iter().enumerate();
        let of = |(number, value)| dict(format!("{}[{number}]", self.what(key)), &value, known);
        dicts.map(of).collect()
    }

    /// A single dictionary with the `known` keys.
    pub(super) fn dict(&self, key: &str, known: &[&str]) -> PyResult<Option<Self>> {
        let value = self.get(key)?;
        value.map(|value| dict(self.what(key), &value, known)).transpose()
    }

    pub(super) fn wrong(&self, key: &str, why: &str) -> PyErr {
        PyValueError::new_err(format!("{}: {why}", self.what(key)))
    }
}

/// The dictionary `value` with the `known` keys.
pub(super) fn dict<'py>(
    path: String,
    value: &Bound<'py, PyAny>,
    known: &[&str],
) -> PyResult<DictArg<'py>> {
    match value.cast::<PyMapping>() {
        Ok(dict) => DictArg::new(path, dict.clone(), known),
        Err(_) => Err(wrong_type(&path, "a dictionary", value)),
    }
}

/// The value with that name.
pub(super) fn named<T: Copy>(what: &str, name: &str, names: &Names<T>) -> PyResult<T> {
    value_of(names, name).ok_or_else(|| {
        let allowed: Vec<_> = names.iter().map(|(name, _)| *name).collect();
        unknown_value(what, name, &allowed)
    })
}

pub(super) fn wrong_type(what: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let kind = type_name(value.as_borrowed());
    PyTypeError::new_err(format!("{what} must be {expected}, not {kind}"))
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
