//! Arguments of methods whose errors name the argument and the expected type.

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

/// The name of a value's type.
pub(crate) fn type_name(value: Borrowed<'_, '_, PyAny>) -> String {
    let kind = value.get_type();
    kind.name().map_or_else(|_| "another type".into(), |name| name.to_string())
}

/// The exception for a value of a wrong type; `what` is the argument and the expected type.
fn wrong_type(what: &str, value: Borrowed<'_, '_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("{what}, not {}", type_name(value)))
}

fn number<T: for<'a, 'py> FromPyObject<'a, 'py>>(value: Borrowed<'_, '_, PyAny>) -> Option<T> {
    // A bool is a number in Python.
    if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() }
}

/// Seconds; finite.
pub(crate) struct Time(pub(crate) f64);

impl<'py> FromPyObject<'_, 'py> for Time {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let time: f64 = number(value).ok_or_else(|| wrong_type("time must be a number", value))?;
        if time.is_finite() {
            return Ok(Self(time));
        }
        let message = format!("time must be a finite number of seconds, not {time}");
        Err(PyValueError::new_err(message))
    }
}

/// One value, or a sequence of values.
pub(crate) enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    /// Changes every value.
    pub(crate) fn map<U>(self, change: impl Fn(T) -> U) -> OneOrMany<U> {
        match self {
            Self::One(value) => OneOrMany::One(change(value)),
            Self::Many(values) => OneOrMany::Many(values.into_iter().map(change).collect()),
        }
    }
}

impl<'py, T> FromPyObject<'_, 'py> for OneOrMany<T>
where
    T: for<'b> FromPyObject<'b, 'py, Error = PyErr>,
{
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        // An array of no dimensions is a number.
        if value.is_instance_of::<PyString>() || value.len().is_err() {
            return value.extract().map(Self::One);
        }
        let values = value.try_iter()?.map(|value| value?.as_borrowed().extract());
        values.collect::<PyResult<_>>().map(Self::Many)
    }
}

/// Declares types of whole numbers that aren't negative.
macro_rules! counts {
    ($($name:ident($type:ty): $what:literal, $error:ident;)+) => {$(
        #[doc = $what]
        pub(crate) struct $name(pub(crate) $type);

        impl<'py> FromPyObject<'_, 'py> for $name {
            type Error = PyErr;

            fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                if let Some(count) = number(value) {
                    return Ok(Self(count));
                }
                Err(match value.str() {
                    Ok(text) if value.is_instance_of::<pyo3::types::PyInt>() => {
                        $error::new_err(format!("{}, 0 or more, not {text}", $what))
                    }
                    _ => wrong_type($what, value),
                })
            }
        }
    )+};
}

counts! {
    Key(u32): "key must be the number of a key", PyValueError;
    Height(u32): "height must be a number of pixels", PyValueError;
    MeshNumber(usize): "mesh must be the number of a mesh", PyIndexError;
}

/// Declares types of texts.
macro_rules! texts {
    ($($name:ident: $what:literal;)+) => {$(
        #[doc = $what]
        pub(crate) struct $name(pub(crate) String);

        impl<'py> FromPyObject<'_, 'py> for $name {
            type Error = PyErr;

            fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                value.extract().map(Self).map_err(|_| wrong_type($what, value))
            }
        }
    )+};
}

texts! {
    SamplingName: "sampling must be a string";
    NormalsName: "normals must be a string";
    RuntimeName: "runtime must be a string";
}
