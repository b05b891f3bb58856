//! `render`: pictures without a window.

use std::path::{Path, PathBuf};

use super::bone_show::{self, BoneShow};
use super::exit::{Exit, at_path};
use super::graphics::Graphics;
use super::input::{Input, tell};
use super::moment::pose_spec;
use super::output::Output;
use super::save::{check_target, save};
use super::{BackgroundArg, RenderArgs, SizePx};
use crate::camera::Camera;
use crate::gpu::{Background, FrameInput, Show};
use crate::model::{Aabb, Model, Report};
use crate::pose::{BoneAnchors, Moment, PoseSpec, bone_shapes, posed_bounds, sample};
use crate::visual::Coloring;

/// Linear RGB of the plain background: the middle of the gradient.
const PLAIN: [f32; 3] = [0.045, 0.050, 0.058];

/// One picture to be made.
struct Shot {
    path: PathBuf,
    spec: PoseSpec,
}

/// Reads, draws, writes.
pub(super) fn run(args: &RenderArgs, output: &Output) -> anyhow::Result<Exit> {
    let (bone_show, mut show) = match &args.show {
        Some(list) => {
            let (own, others) = BoneShow::split(list);
            (own, Show::parse(&others).map_err(anyhow::Error::msg)?)
        }
        None => (BoneShow::default(), Show::default()),
    };
    let paths = output_paths(args)?;
    for path in &paths {
        check_target(path, args.force)?;
    }
    let document = Input::new(&args.input)?
        .with_images()
        .open_and_tell(&args.file, output)?;
    let model = &document.model;
    let bone = args
        .bone
        .as_deref()
        .map(|name| bone_show::find(model, name));
    let bone = bone.transpose()?;
    let paint = bone_show.paint(model, bone)?;
    if paint.is_some() {
        show.coloring = Some(Coloring::Paint);
    }
    let bone_colors = bone_show::colors(model, bone);
    let spec = pose_spec(&args.pose, args.frames.is_some(), model, &args.file, output)?;
    let shots = shots(model, spec, paths);
    let bounds = bounds_of(model, &shots);
    let camera = camera_of(args, &bounds);
    let report = Report::new();
    let mut graphics = Graphics::new(model, &args.file, &report)?;
    tell(&report.notes(), &args.file, output);
    let shows_bones = graphics.shows_bones(&show);
    let anchors = match shows_bones {
        true => BoneAnchors::of(model),
        false => BoneAnchors::default(),
    };
    for (number, shot) in shots.iter().enumerate() {
        output.progress(|| format!("picture {} of {}", number + 1, shots.len()));
        let bones = match shows_bones {
            true => bone_shapes(model, &sample(model, &shot.spec), &anchors),
            false => Vec::new(),
        };
        let marks = bone_show.marks(model, &shot.spec, bounds.extent());
        let input = FrameInput {
            camera,
            bounds,
            pose: shot.spec,
            show,
            bones: &bones,
            selected_bone: bone,
            bone_colors: &bone_colors,
            paint: paint.as_ref(),
            marks: &marks,
            background: background(args.background),
            ..FrameInput::default()
        };
        let png = graphics.png([args.size.width, args.size.height], &input)?;
        save(&shot.path, &png, args.force)?;
    }
    output.clear_progress();
    Ok(Exit::Done)
}

/// The one file to write, or one a frame: `out.png` becomes `out_0000.png` and so on.
fn output_paths(args: &RenderArgs) -> anyhow::Result<Vec<PathBuf>> {
    let path = &args.output;
    let extension = path.extension().unwrap_or_default();
    if !extension.eq_ignore_ascii_case("png") {
        return Err(at_path("the output must end in .png", path));
    }
    Ok(match args.frames {
        Some(num) => (0..num).map(|number| numbered(path, number)).collect(),
        None => vec![path.clone()],
    })
}

fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("_{number:04}."));
    name.push(path.extension().unwrap_or_default());
    path.with_file_name(name)
}

/// What each picture shows: with several, equal steps over one loop of the clip, whose end is the
/// beginning of the next.
fn shots(model: &Model, spec: PoseSpec, paths: Vec<PathBuf>) -> Vec<Shot> {
    let is_sequence = paths.len() > 1;
    let num = paths.len() as f64;
    // The keys of a bind pair are no motion: all pictures show their product.
    let moving = spec.clip_of(model).filter(|clip| {
        let sampled = clip.as_sampled();
        is_sequence && !sampled.is_some_and(|motion| motion.is_bind_pair)
    });
    let shot = |(number, path): (usize, PathBuf)| {
        let time_secs =
            |clip: &crate::model::Clip| clip.start_secs + clip.duration_secs * number as f64 / num;
        let moment = moving.map_or(spec.moment, |clip| Moment::TimeSecs(time_secs(clip)));
        Shot {
            path,
            spec: PoseSpec { moment, ..spec },
        }
    };
    paths.into_iter().enumerate().map(shot).collect()
}

/// The box around the model in all pictures, display space.
fn bounds_of(model: &Model, shots: &[Shot]) -> Aabb {
    let boxes = shots.iter().map(|shot| posed_bounds(model, &shot.spec));
    boxes.fold(Aabb::EMPTY, Aabb::union)
}

fn camera_of(args: &RenderArgs, bounds: &Aabb) -> Camera {
    let mut camera = Camera::default();
    if let Some(angles) = args.camera {
        (camera.yaw_rad, camera.pitch_rad) = (0.0, 0.0);
        // Turning keeps off the poles, where up would be undefined.
        camera.orbit(angles.yaw_rad, angles.pitch_rad);
    }
    let SizePx { width, height } = args.size;
    camera.frame(bounds, width as f32 / height as f32);
    camera
}

fn background(background: BackgroundArg) -> Background {
    match background {
        BackgroundArg::Gradient => Background::Gradient,
        BackgroundArg::Plain => Background::Plain(PLAIN),
        BackgroundArg::Transparent => Background::Transparent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_before_the_extension() {
        let numbered = |path: &str, number| numbered(Path::new(path), number);
        assert_eq!(numbered("a/walk.png", 7), Path::new("a/walk_0007.png"));
        assert_eq!(numbered("x.y.PNG", 12345), Path::new("x.y_12345.PNG"));
    }
}
