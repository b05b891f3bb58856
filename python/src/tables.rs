//! The tables of the library: rules, causes and runtimes.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::diagnose::CAUSES;
use rigscope::{Runtime, ValidateOptions};
use rigscope_python_macros::guarded;

use crate::errors::in_python;

/// All rules, with the keys of `rigscope rules --json`.
#[guarded]
#[pyfunction]
pub(crate) fn rules(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let rule = |info: &rigscope::model::FindingInfo| {
        let rule = PyDict::new(py);
        rule.set_item("code", info.code)?;
        rule.set_item("severity", info.severity.as_str())?;
        rule.set_item("group", info.group.as_str())?;
        rule.set_item("meaning", info.meaning)?;
        rule.set_item("effect", in_python(py, info.consequence)?)?;
        rule.set_item("fix", in_python(py, info.fix)?)?;
        rule.set_item("example", info.example)?;
        Ok(rule)
    };
    ValidateOptions::all_rules().map(|kind| rule(kind.info())).collect()
}

/// All causes that `diagnose` can name.
#[guarded]
#[pyfunction]
pub(crate) fn causes(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let cause = |info: &rigscope::diagnose::CauseInfo| {
        let cause = PyDict::new(py);
        cause.set_item("name", info.name)?;
        cause.set_item("meaning", info.statement)?;
        cause.set_item("fix", info.fix)?;
        cause.set_item("explains", info.explains)?;
        Ok(cause)
    };
    CAUSES.iter().map(|info| cause(info)).collect()
}

/// All runtimes, with the keys of `rigscope runtimes --json`.
#[guarded]
#[pyfunction]
pub(crate) fn runtimes(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let runtime = |runtime: &Runtime| {
        let entry = PyDict::new(py);
        entry.set_item("id", runtime.id)?;
        entry.set_item("name", runtime.name)?;
        entry.set_item("version", runtime.version)?;
        entry.set_item("formats", runtime.formats)?;
        entry.set_item("verified", runtime.verified.is_verified())?;
        entry.set_item("facts", runtime.rules.facts())?;
        let files = runtime.verified.measured().map(|measured| {
            let files = PyDict::new(py);
            files.set_item("exact", measured.num_exact)?;
            files.set_item("of", measured.num_files)?;
            PyResult::Ok(files)
        });
        entry.set_item("files", files.transpose()?)?;
        entry.set_item("exceptions", runtime.verified.exceptions())?;
        Ok(entry)
    };
    Runtime::all().iter().map(runtime).collect()
}
