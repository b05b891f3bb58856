//! Keywords to a request.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use rigscope::options::{OptionInfo, OptionKind, OptionValue, Request};
use rigscope::{ConvertOptions, DiffOptions, OpenOptions, ValidateOptions};
use rigscope_python_macros::guarded;

use crate::errors::in_python;

/// The request that the keywords of `function` describe; `None` leaves an option at its default.
pub(crate) fn request_of<R: Request>(
    function: &str,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<R> {
    let mut request = R::default();
    for (name, value) in keywords.into_iter().flatten() {
        let name: String = name.extract()?;
        let Some(option) = R::option(&name).filter(|option| is_keyword(option)) else {
            let message = format!("{function}() got an unexpected keyword argument '{name}'");
            return Err(PyTypeError::new_err(message));
        };
        if value.is_none() {
            continue;
        }
        let refused = |expected: &str| {
            let given =
                value.repr().map_or_else(|_| "the value".to_owned(), |text| text.to_string());
            format!("{name} must be {expected}, not {given}")
        };
        let Some(value_of_type) = value_of(option, &value) else {
            return Err(PyTypeError::new_err(refused(&option.expected())));
        };
        let set = option.set(&mut request, value_of_type);
        if let Err(expected) = set {
            return Err(PyValueError::new_err(in_python(value.py(), &refused(&expected))?));
        }
    }
    Ok(request)
}

/// The names of the options that a function takes as keywords, for the test of the stubs.
#[guarded]
#[pyfunction]
#[pyo3(name = "_option_names")]
pub(crate) fn option_names(function: &str) -> Vec<&'static str> {
    match function {
        "convert" => keywords::<ConvertOptions>(),
        "diff" => keywords::<DiffOptions>(),
        "open" | "catalog_row" => keywords::<OpenOptions>(),
        "validate" => keywords::<ValidateOptions>(),
        _ => Vec::new(),
    }
}

fn keywords<R: Request>() -> Vec<&'static str> {
    R::OPTIONS.iter().filter(|option| is_keyword(option)).map(|option| option.name).collect()
}

/// Whether the option is a keyword. Files are separate parameters, because they may also be in memory, and
/// `deny` only affects the exit code.
fn is_keyword<R>(option: &OptionInfo<R>) -> bool {
    !matches!(option.kind, OptionKind::Paths { .. }) && option.name != "deny"
}

/// The value, if it has the option's type.
fn value_of<R>(option: &OptionInfo<R>, value: &Bound<'_, PyAny>) -> Option<OptionValue> {
    let is_bool = value.is_instance_of::<PyBool>();
    match &option.kind {
        OptionKind::Flag(_) => value.extract().ok().map(OptionValue::Flag),
        OptionKind::Number { .. } | OptionKind::Count { .. } if is_bool => None,
        OptionKind::Number { .. } | OptionKind::Count { .. } => {
            value.extract().ok().map(|number| OptionValue::Number(Some(number)))
        }
        OptionKind::Text { .. } | OptionKind::Choice { .. } => {
            value.extract().ok().map(|text| OptionValue::Text(Some(text)))
        }
        OptionKind::Texts { .. } => value.extract().ok().map(OptionValue::Texts),
        // As on the command line, one text may hold several names.
        OptionKind::Names { .. } => match value.extract::<String>() {
            Ok(names) => Some(OptionValue::Texts(names.split(',').map(str::to_owned).collect())),
            Err(_) => value.extract().ok().map(OptionValue::Texts),
        },
        OptionKind::Paths { .. } => value.extract().ok().map(OptionValue::Paths),
    }
}
