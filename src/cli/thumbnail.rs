//! `thumbnail`: a small picture for file managers, of the model alone.
//!
//! Not for: choosing what is shown; that is `render`.

use super::exit::{Exit, at_path};
use super::graphics::studio;
use super::input::Input;
use super::output::Output;
use super::{InputArgs, LightArgs, ThumbnailArgs, timings};
use crate::camera::Camera;
use crate::files::{check_target, save};
use crate::gpu::headless::write_small_png;
use crate::gpu::{Background, FrameInput, Opening};
use crate::model::Report;
use crate::pose::{BoneAnchors, PoseSpec, bone_shapes, posed_bounds, sample};
use crate::visual::Show;

/// Reads, draws, writes. What is odd about the file is told by other commands.
pub(super) fn run(args: &ThumbnailArgs, _: &Output) -> anyhow::Result<Exit> {
    let input = Input::new(&InputArgs::default())?.with_images().with_inputs([&args.file]);
    // Whoever asks has made the output's place, and often the file.
    check_target(&args.output, true, input.inputs())?;
    let opening = Opening::begin();
    let document = input.open(&args.file, &timings::report());
    let model = document.map_err(|error| at_path(error, &args.file))?.model;
    let surface = Show::parse("surface").map_err(anyhow::Error::msg)?;
    let show = Show { light: LightArgs::default().light(&model), ..surface };
    let spec = PoseSpec::default();
    let bounds = posed_bounds(&model, &spec);
    let mut camera = Camera::default();
    camera.frame(&bounds, 1.0);
    let mut graphics = studio(opening, &model, &args.file, &Report::new())?;
    let bones = match graphics.shows_bones(&show) {
        true => bone_shapes(&model, &sample(&model, &spec), &BoneAnchors::of(&model)),
        false => Vec::new(),
    };
    let image = graphics.image(
        [args.size_px; 2],
        &FrameInput {
            camera,
            bounds,
            pose: spec,
            show,
            bones: &bones,
            background: Background::Transparent,
            ..FrameInput::default()
        },
    )?;
    save(&args.output, &write_small_png(&image)?, true, input.inputs())?;
    Ok(Exit::Done)
}
