//! Pairs of bones, and clips of other skeletons.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rigscope::model::BoneId;
use rigscope::rig::{BoneMap, BoneMapEntry};
use rigscope::{ClipQuality, RetargetOptions, RetargetedFile, RootMotion};
use rigscope_python_macros::guarded;

use crate::document::Model;
use crate::errors::{exception, unknown_value};
use crate::results::{findings, result};
use crate::running::detached;

/// A file, or names with their counterparts.
#[derive(FromPyObject)]
pub(crate) enum BoneMapArg {
    File(PathBuf),
    Entries(Vec<(String, Option<String>)>),
}

impl BoneMapArg {
    fn read(self, py: Python<'_>) -> PyResult<BoneMap> {
        match self {
            Self::File(path) => {
                rigscope::read_bone_map(path).map_err(|error| exception(py, &error))
            }
            Self::Entries(entries) => {
                let entries = entries.into_iter().map(|(from, to)| BoneMapEntry { from, to });
                Ok(BoneMap { entries: entries.collect() })
            }
        }
    }
}

/// Pairs the bones of two models; see `rigscope.bones`.
#[guarded]
#[pyfunction]
#[pyo3(signature = (from_, to, *, bone_map = None))]
pub(crate) fn bones<'py>(
    py: Python<'py>,
    from_: &Bound<'py, Model>,
    to: &Bound<'py, Model>,
    bone_map: Option<BoneMapArg>,
) -> PyResult<Bound<'py, PyAny>> {
    let map = bone_map.map(|map| map.read(py)).transpose()?;
    let (from, to) = (from_.get().document(), to.get().document());
    let matched = detached(py, || rigscope::bones(from, to, map.as_ref()));
    let matched = matched.map_err(|error| exception(py, &error))?;
    let mut pairs = Vec::new();
    for pair in &matched.pairs.pairs {
        let body = matched.pairs.bodies[0].of_bone(pair.from);
        let fields = PyDict::new(py);
        fields.set_item("from_name", from.model.skeleton.display_name(pair.from))?;
        fields.set_item("to_name", to.model.skeleton.display_name(pair.to))?;
        fields.set_item("from_bone", pair.from.0)?;
        fields.set_item("to_bone", pair.to.0)?;
        fields.set_item("reason", pair.reason.name())?;
        fields.set_item("certainty", pair.reason.certainty())?;
        fields.set_item("body", body.map(|body| body.text()))?;
        pairs.push(result("BonePair", &fields)?);
    }
    let [unpaired_from, unpaired_to] = matched.unpaired;
    let fields = PyDict::new(py);
    fields.set_item("pairs", pairs)?;
    fields.set_item("unpaired_from", unpaired_from)?;
    fields.set_item("unpaired_to", unpaired_to)?;
    fields.set_item("notes", findings(py, &matched.findings)?)?;
    result("BonePairs", &fields)
}

/// Plays the clips of models on another one; see `rigscope.retarget`.
///
/// :param origin: a function and its arguments, which pickle stores
#[guarded]
#[pyfunction]
#[pyo3(signature = (clips, model, *, root = "scale", feet = false, add = false, bone_map = None, origin = None))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn retarget<'py>(
    py: Python<'py>,
    clips: Vec<Bound<'py, Model>>,
    model: &Bound<'py, Model>,
    root: &str,
    feet: bool,
    add: bool,
    bone_map: Option<BoneMapArg>,
    origin: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let root = match root {
        "scale" => RootMotion::Scale,
        "keep" => RootMotion::Keep,
        "none" => RootMotion::None,
        _ => return Err(unknown_value("root", root, &["scale", "keep", "none"])),
    };
    let map = bone_map.map(|map| map.read(py)).transpose()?;
    let options = RetargetOptions { root, feet, add, map };
    let clips: Vec<_> = clips.iter().map(|clips| clips.get().document()).collect();
    let to = model.get().document();
    let done = detached(py, || rigscope::retarget(&clips, to, &options));
    let done = done.map_err(|error| exception(py, &error))?;
    let own = &done.document.model;
    let files: PyResult<Vec<_>> = done.files.iter().map(|file| of_file(py, file, own)).collect();
    let fields = PyDict::new(py);
    fields.set_item("files", files?)?;
    let model = Model::new(done.document).with_origin(origin);
    fields.set_item("model", model)?;
    result("Retargeted", &fields)
}

fn of_file<'py>(
    py: Python<'py>,
    file: &RetargetedFile,
    model: &rigscope::Model,
) -> PyResult<Bound<'py, PyAny>> {
    let RetargetedFile { name, clips, findings: found, .. } = file;
    let [unpaired_from, unpaired_to] = &clips.unpaired;
    let turned = clips.transfer.turned;
    let turned = turned.map(|(bone, angle_rad)| bone_angle(py, model, bone, angle_rad, None));
    let fields = PyDict::new(py);
    fields.set_item("file", name)?;
    fields.set_item("pairs", clips.pairs.pairs.len())?;
    fields.set_item("unpaired_from", unpaired_from)?;
    fields.set_item("unpaired_to", unpaired_to)?;
    fields.set_item("scale", clips.transfer.length_ratio)?;
    fields.set_item("turned", turned.transpose()?)?;
    let of_clips: PyResult<Vec<_>> =
        clips.quality.iter().map(|quality| of_clip(py, quality, model)).collect();
    fields.set_item("clips", of_clips?)?;
    fields.set_item("notes", findings(py, found)?)?;
    result("RetargetedFile", &fields)
}

fn of_clip<'py>(
    py: Python<'py>,
    quality: &ClipQuality,
    model: &rigscope::Model,
) -> PyResult<Bound<'py, PyAny>> {
    let at = |bone, angle_rad, time_secs| bone_angle(py, model, bone, angle_rad, Some(time_secs));
    let worst = quality.worst.map(|worst| at(worst.bone, worst.angle_rad, worst.time_secs));
    let mut feet = Vec::new();
    for foot in &quality.feet {
        let fields = PyDict::new(py);
        fields.set_item("side", foot.side.name())?;
        fields.set_item("slide", foot.slide)?;
        fields.set_item("source_slide", foot.source_slide)?;
        fields.set_item("sinks", foot.sinks)?;
        feet.push(result("FootQuality", &fields)?);
    }
    let mut hands = Vec::new();
    for hand in &quality.hands {
        let fields = PyDict::new(py);
        fields.set_item("side", hand.side.name())?;
        fields.set_item("nearest", hand.nearest)?;
        fields.set_item("source_nearest", hand.source_nearest)?;
        fields.set_item("time_secs", hand.time_secs)?;
        hands.push(result("HandQuality", &fields)?);
    }
    let bent = quality.bent_joints.iter();
    let bent: PyResult<Vec<_>> =
        bent.map(|joint| at(joint.bone, joint.angle_rad, joint.time_secs)).collect();
    let name = model.clips.get(quality.clip).map(|clip| &*clip.name);
    let fields = PyDict::new(py);
    fields.set_item("clip", quality.clip.index())?;
    fields.set_item("name", name.unwrap_or_default())?;
    fields.set_item("median_angle_deg", quality.median_angle_rad.to_degrees())?;
    fields.set_item("worst", worst.transpose()?)?;
    fields.set_item("feet", feet)?;
    fields.set_item("hands", hands)?;
    fields.set_item("bent_joints", bent?)?;
    fields.set_item("source_keys", quality.num_keys[0])?;
    fields.set_item("keys", quality.num_keys[1])?;
    result("RetargetedClip", &fields)
}

fn bone_angle<'py>(
    py: Python<'py>,
    model: &rigscope::Model,
    bone: BoneId,
    angle_rad: f32,
    time_secs: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("bone", model.skeleton.display_name(bone))?;
    fields.set_item("angle_deg", angle_rad.to_degrees())?;
    fields.set_item("time_secs", time_secs)?;
    result("BoneAngle", &fields)
}
