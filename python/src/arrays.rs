//! NumPy views of model memory, and reading NumPy arrays.
//!
//! Matrices use the NumPy convention: `m[row, column]`, multiplied by column vectors on the right.

use glam::Mat4;
use numpy::ndarray::ArrayView;
use numpy::{Element, IntoPyArray, PyArray, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// A read-only view of `data`, which is part of `owner`, as an array of `shape`.
///
/// `owner` must be a frozen object that never changes or frees `data` during its lifetime.
#[expect(unsafe_code, reason = "NumPy reads the library's memory in place")]
pub(crate) fn borrowed_array<'py, T: Element, const D: usize>(
    owner: &Bound<'py, PyAny>,
    data: &[T],
    shape: [usize; D],
) -> PyResult<Bound<'py, PyAny>>
where
    [usize; D]: numpy::ndarray::IntoDimension,
    <[usize; D] as numpy::ndarray::IntoDimension>::Dim: numpy::ndarray::Dimension,
{
    let view = ArrayView::from_shape(shape, data).map_err(wrong)?;
    // SAFETY: the array holds a reference to `owner`, which keeps `data` in place. No code can write to it, because the
    // owner is frozen and the array is made read-only before it is returned.
    let array = unsafe { PyArray::borrow_from_array(&view, owner.clone()) };
    let array = array.try_readwrite().map_err(wrong)?.make_nonwriteable();
    Ok(array.as_any().clone())
}

/// Moves `data` into an array of `shape`.
pub(crate) fn owned_array<T: Element, const D: usize>(
    py: Python<'_>,
    data: Vec<T>,
    shape: [usize; D],
) -> PyResult<Bound<'_, PyAny>>
where
    [usize; D]: numpy::ndarray::IntoDimension,
{
    Ok(data.into_pyarray(py).reshape(shape)?.into_any())
}

/// `matrices` as an array of (n, 4, 4).
pub(crate) fn matrices<'py>(
    py: Python<'py>,
    matrices: impl IntoIterator<Item = Mat4>,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = |matrix: Mat4| matrix.transpose().to_cols_array();
    let data: Vec<f32> = matrices.into_iter().flat_map(rows).collect();
    let num = data.len() / 16;
    owned_array(py, data, [num, 4, 4])
}

/// One matrix as an array of (4, 4).
pub(crate) fn matrix(py: Python<'_>, matrix: Mat4) -> PyResult<Bound<'_, PyAny>> {
    owned_array(py, matrix.transpose().to_cols_array().to_vec(), [4, 4])
}

/// An array passed by the caller, converted to `T`.
pub(crate) struct ArrayArg<T> {
    pub(crate) data: Vec<T>,
    pub(crate) shape: Vec<usize>,
}

/// A type of numbers in arrays.
pub(crate) trait Number: Element + Copy {
    /// The largest whole number of the type; `None` for floats.
    const MAX: Option<u64> = None;
}

impl Number for f32 {}

impl Number for f64 {}

impl Number for u8 {
    const MAX: Option<u64> = Some(u8::MAX as u64);
}

impl Number for u32 {
    const MAX: Option<u64> = Some(u32::MAX as u64);
}

/// Reads `value` as numbers of type `T`. In `shape`, `None` accepts any length; `what` names the argument in errors.
pub(crate) fn read_array<T: Number, const D: usize>(
    value: &Bound<'_, PyAny>,
    what: &str,
    shape: [Option<usize>; D],
) -> PyResult<ArrayArg<T>> {
    let py = value.py();
    let numpy = py.import("numpy")?;
    // NumPy's message for rows of different lengths, for example, doesn't name the argument.
    let not_numbers = |error: PyErr| wrong(format!("{what} isn't an array of numbers: {error}"));
    let array = numpy.call_method1("asarray", (value,)).map_err(not_numbers)?;
    check_numbers::<T>(&array, what)?;
    let kind = numpy::dtype::<T>(py);
    let array = numpy.call_method1("ascontiguousarray", (array, kind)).map_err(not_numbers)?;
    let array: PyReadonlyArrayDyn<'_, T> = array.extract()?;
    let found = array.as_array().shape().to_vec();
    if found == [0] && shape.first().is_some_and(|first| first.is_none_or(|num| num == 0)) {
        // A list without rows has no columns.
        let shape = shape.iter().map(|side| side.unwrap_or(0));
        return Ok(ArrayArg { data: Vec::new(), shape: shape.collect() });
    }
    let fits = found.len() == D
        && shape.iter().zip(&found).all(|(expected, found)| expected.is_none_or(|n| n == *found));
    if !fits {
        let side = |side: &Option<usize>| side.map_or("n".to_owned(), |side| side.to_string());
        let expected = shape.iter().map(side).collect::<Vec<_>>().join(", ");
        return Err(PyValueError::new_err(format!(
            "{what} has the shape {found:?}; expected ({expected})"
        )));
    }
    Ok(ArrayArg { data: array.as_slice()?.to_vec(), shape: found })
}

/// Checks the type of numbers before NumPy converts them, which would truncate fractions and wrap large numbers.
fn check_numbers<T: Number>(array: &Bound<'_, PyAny>, what: &str) -> PyResult<()> {
    let kind = array.getattr("dtype")?;
    let letter: String = kind.getattr("kind")?.extract()?;
    if array.getattr("size")?.extract::<usize>()? == 0 {
        return Ok(());
    }
    let is_whole = matches!(&*letter, "i" | "u");
    match T::MAX {
        None if is_whole || letter == "f" => Ok(()),
        None => Err(PyTypeError::new_err(format!("{what} must be numbers, not {kind}"))),
        Some(_) if !is_whole => {
            Err(PyTypeError::new_err(format!("{what} must be whole numbers, not {kind}")))
        }
        Some(most) => {
            let end = |name| array.call_method0(name)?.call_method0("__int__");
            let (low, high) = (end("min")?, end("max")?);
            if low.ge(0)? && high.le(most)? {
                return Ok(());
            }
            let number = if low.lt(0)? { low } else { high };
            Err(wrong(format!("{what} must be from 0 to {most}, not {number}")))
        }
    }
}

/// Reads `value` as matrices of (n, 4, 4).
pub(crate) fn read_matrices(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Mat4>> {
    let taken = read_array::<f32, 3>(value, what, [None, Some(4), Some(4)])?;
    let (rows, _) = taken.data.as_chunks::<16>();
    Ok(rows.iter().map(|rows| Mat4::from_cols_array(rows).transpose()).collect())
}

fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
