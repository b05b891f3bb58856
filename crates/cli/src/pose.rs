//! `pose`: writes the vertices at a time in a clip to a file.

use std::io::Write as _;

use serde::Serialize;

use super::exit::{Exit, at_path};
#[cfg(feature = "gpu")]
use super::graphics::skin as skin_on_gpu;
use super::input;
use super::output::Output;
use super::pose_selection::pose_spec;
use super::runtimes::played;
use super::standard_output::{check_output, without_format, write_output};
use super::text::counted;
use super::timings;
#[cfg(not(feature = "gpu"))]
use super::without_gpu::skin as skin_on_gpu;
use super::{PoseCommandArgs, PoseFormat, SkinArg};
use rigscope_core::model::Severity;
use rigscope_core::pose::{SkinnedMesh, skin_model, to_display_space};
use rigscope_io::files::{is_standard_stream, save_with};
use rigscope_io::formats::obj;

pub(super) fn run(args: &PoseCommandArgs, output: &Output) -> anyhow::Result<Exit> {
    let format = format_of(args)?;
    let opener = input::opener(&args.input.0)?.with_inputs([&args.file]);
    check_output(&args.output, args.force, opener.inputs())?;
    let document = input::open_and_report(&opener, &args.file, output)?;
    let document = played(document, args.pose.runtime, &args.file)?;
    let model = &document.model;
    if format == PoseFormat::Obj && model.num_vertices() == 0 {
        let message =
            "the model has no vertices, and an OBJ without any can't be read; write a .json file";
        return Err(at_path(message, &args.file));
    }
    let spec = pose_spec(&args.pose, false, model, &args.file, output)?;
    timings::at("posing");
    let mut meshes = match args.skin {
        SkinArg::Cpu => skin_model(model, &spec),
        SkinArg::Gpu => skin_on_gpu(model, &spec, &args.file)?,
    };
    to_display_space(&model.axes, &mut meshes);
    let positions = meshes.iter().flat_map(|mesh| &mesh.positions);
    let num_infinite = positions.filter(|p| !p.is_finite()).count() as u64;
    if num_infinite > 0 {
        let vertices = counted(num_infinite, "position");
        let message = format!("{vertices} exceed the range of single precision");
        output.report_at(Severity::Warning, &args.file, &message);
    }
    match format {
        PoseFormat::Obj if is_standard_stream(&args.output) => {
            timings::at("encoding");
            let mut bytes = Vec::new();
            obj::write_posed(model, &spec, &meshes, |text| bytes.write_all(text.as_bytes()))?;
            timings::at("writing files");
            output.print(&bytes)?;
        }
        PoseFormat::Obj => {
            timings::at("encoding and writing");
            save_with(&args.output, args.force, opener.inputs(), |out| {
                obj::write_posed(model, &spec, &meshes, |text| out.write_all(text.as_bytes()))
            })?;
        }
        PoseFormat::Json => {
            timings::at("encoding");
            let bytes = encode_json(&meshes)?;
            timings::at("writing files");
            write_output(&args.output, &bytes, args.force, opener.inputs(), output)?;
        }
    }
    Ok(Exit::Done)
}

fn format_of(args: &PoseCommandArgs) -> anyhow::Result<PoseFormat> {
    let path = &args.output;
    if let Some(format) = args.to {
        return Ok(format);
    }
    if is_standard_stream(path) {
        return Err(without_format(path, "obj"));
    }
    let extension = path.extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("obj") {
        Ok(PoseFormat::Obj)
    } else if extension.eq_ignore_ascii_case("json") {
        Ok(PoseFormat::Json)
    } else {
        Err(at_path("the name of the output must end in .obj or .json, unless --to is given", path))
    }
}

fn encode_json(meshes: &[SkinnedMesh]) -> anyhow::Result<Vec<u8>> {
    let all = |get: fn(&SkinnedMesh) -> &[glam::Vec3]| -> Vec<[f32; 3]> {
        let vectors = meshes.iter().flat_map(get);
        vectors.map(|v| v.to_array()).collect()
    };
    let mut bytes = serde_json::to_vec(&Pose {
        schema: "rigscope.pose/1",
        vertices: &all(|mesh| &mesh.positions),
        normals: &all(|mesh| &mesh.normals),
    })?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// `pose`.
#[derive(Debug, Serialize)]
struct Pose<'a> {
    schema: &'static str,
    vertices: &'a [[f32; 3]],
    normals: &'a [[f32; 3]],
}
