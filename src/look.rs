//! Posing, validating and comparing models.

use super::Error;
use rigscope_core::compare::{Comparison, DiffOptions, compare};
use rigscope_core::model::{Finding, Model, Report};
use rigscope_core::pose::{PoseSpec, SkinnedMesh, skin_model, to_display_space};
use rigscope_core::validate::validate as apply_rules;

/// The vertices of all meshes in a pose, in display space: right-handed, Y up, in metres if the file
/// states its unit.
///
/// # Examples
/// ```
/// use rigscope::{Moment, PoseSpec};
///
/// let model = rigscope::open("assets/sample.bsm2")?.model;
/// let spec = PoseSpec {
///     clip: model.find_clip("walk"),
///     moment: Moment::TimeSecs(0.3),
///     ..PoseSpec::default()
/// };
/// let meshes = rigscope::pose(&model, &spec);
/// let positions = meshes.iter().flat_map(|mesh| &mesh.positions);
/// let top = positions.map(|position| position.y).fold(0.0, f32::max);
/// assert!((1.0..2.5).contains(&top), "{top} metres");
/// # Ok::<(), rigscope::Error>(())
/// ```
#[must_use]
pub fn pose(model: &Model, spec: &PoseSpec) -> Vec<SkinnedMesh> {
    let mut meshes = skin_model(model, spec);
    to_display_space(&model.axes, &mut meshes);
    meshes
}

/// The findings of all rules about a model, worst first. Findings about the file itself are among
/// [`Document::findings`](super::Document::findings); [`ValidateOptions`](super::ValidateOptions) selects some of
/// both.
///
/// # Examples
/// ```
/// use rigscope::model::Severity;
///
/// let document = rigscope::open("assets/sample.bsm2")?;
/// let findings = rigscope::validate(&document.model);
/// assert!(findings.iter().all(|finding| finding.severity() < Severity::Error));
/// # Ok::<(), rigscope::Error>(())
/// ```
#[must_use]
pub fn validate(model: &Model) -> Vec<Finding> {
    let report = Report::new();
    // This report is never cancelled.
    let _ = apply_rules(model, &report);
    report.findings()
}

/// The differences between two models of any formats, in display space.
///
/// # Errors
/// [`Error::Cancelled`] only.
///
/// # Examples
/// ```
/// use rigscope::DiffOptions;
///
/// let a = rigscope::open("assets/sample.bsm2")?.model;
/// let mut b = a.clone();
/// b.clips.as_mut_vec().pop();
/// let comparison = rigscope::diff(&a, &b, &DiffOptions::default())?;
/// assert!(!comparison.is_equal());
/// for difference in &comparison.differences {
///     println!("{}: {}", difference.kind.code(), difference.what);
/// }
/// # Ok::<(), rigscope::Error>(())
/// ```
pub fn diff(a: &Model, b: &Model, options: &DiffOptions) -> Result<Comparison, Error> {
    let report = Report::with_progress(|_| {}, options.cancel.clone());
    Ok(compare(a, b, options, &report)?)
}
