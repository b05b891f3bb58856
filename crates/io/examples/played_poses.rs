//! Prints a file's poses as each runtime plays it, for `engines/compare.py`:
//! `played_poses FILE REQUEST.json [RUNTIME…]`.
//!
//! The request lists poses with `clip` (an index, or null at rest) and `time` in seconds. The result is an object by the
//! id of the runtime with `refusal`, `differences` (kinds) and `poses`, each a list of
//! vertices with three numbers, or six with normals; `specified` has the poses of the unchanged model. A runtime that
//! opens the file, but isn't predicted, has `null`.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write as _;

use serde::{Deserialize, Serialize};

use rigscope_core::model::{ClipId, Model, Report};
use rigscope_core::pose::{Moment, PoseSpec, skin_model, to_display_space};
use rigscope_core::runtime::{Runtime, announced, playback_deviation};
use rigscope_io::OpenOptions;
use rigscope_io::files::{Inputs, Pipes, read_input};
use rigscope_io::open::format_id;

const MAX_REQUEST_BYTES: u64 = 1 << 20;
const USAGE: &str = "usage: played_poses FILE REQUEST.json [RUNTIME…]";

#[derive(Deserialize)]
struct Request {
    poses: Vec<RequestedPose>,
}

#[derive(Deserialize)]
struct RequestedPose {
    clip: Option<usize>,
    time: f64,
}

#[derive(Serialize)]
struct PlayedFile {
    refusal: Option<String>,
    differences: Vec<&'static str>,
    poses: Vec<Vec<Vec<f32>>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (path, request) = (args.next().ok_or(USAGE)?, args.next().ok_or(USAGE)?);
    let chosen: Vec<String> = args.collect();
    let inputs = Inputs::none();
    let request =
        read_input(request.as_ref(), MAX_REQUEST_BYTES, Pipes::Refused, &inputs, |_| Ok(()))?;
    let request: Request = serde_json::from_slice(&request)?;
    let document = OpenOptions::default().open(path)?;
    let format = format_id(&document);
    let specified = request.poses.iter().map(|pose| vertices(&document.model, pose)).collect();
    let specified = PlayedFile { refusal: None, differences: Vec::new(), poses: specified };
    let mut files = BTreeMap::from([("specified", Some(specified))]);
    for runtime in Runtime::all() {
        let is_chosen = chosen.is_empty() || chosen.iter().any(|id| id == runtime.id);
        if is_chosen && runtime.opens(format) {
            files.insert(runtime.id, Some(played(runtime, &document.model, &request.poses)));
        } else if is_chosen && runtime.unpredicted.contains(&format) {
            files.insert(runtime.id, None);
        }
    }
    let mut out = serde_json::to_vec(&files)?;
    out.push(b'\n');
    std::io::stdout().write_all(&out)?;
    Ok(())
}

fn played(runtime: &Runtime, model: &Model, requested: &[RequestedPose]) -> PlayedFile {
    let refusal = runtime.refusal(model);
    if refusal.is_some() {
        return PlayedFile { refusal, differences: Vec::new(), poses: Vec::new() };
    }
    let played = runtime.play(model);
    // This report is never cancelled.
    let deviation = playback_deviation(model, &played.model, &Report::new());
    let worst = deviation.ok().and_then(|deviation| deviation.total.worst);
    let differences = announced(played.differences, worst.as_ref());
    let differences = differences.iter().map(|difference| difference.kind).collect();
    let poses = requested.iter().map(|pose| vertices(&played.model, pose)).collect();
    PlayedFile { refusal, differences, poses }
}

fn vertices(model: &Model, pose: &RequestedPose) -> Vec<Vec<f32>> {
    let spec = match pose.clip {
        Some(clip) => PoseSpec::linear(ClipId::from_index(clip), pose.time),
        None => PoseSpec { moment: Moment::Rest, ..PoseSpec::default() },
    };
    let mut meshes = skin_model(model, &spec);
    to_display_space(&model.axes, &mut meshes);
    let of_vertex = |(position, normal): (&glam::Vec3, &glam::Vec3)| {
        let mut numbers = position.to_array().to_vec();
        numbers
            .extend((*normal != glam::Vec3::ZERO).then(|| normal.to_array()).into_iter().flatten());
        numbers
    };
    let of_mesh = meshes.iter().flat_map(|mesh| mesh.positions.iter().zip(&mesh.normals));
    of_mesh.map(of_vertex).collect()
}
