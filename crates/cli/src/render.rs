//! `render`: images without a window.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use glam::Vec3;

use super::blend_args::with_second_clip;
use super::bone_selection::find_bone;
use super::contact_sheet::Sheet;
use super::exit::{Exit, at_path};
use super::graphics::studio;
use super::input::{self, print_findings};
use super::output::Output;
use super::pipeline::{Limits, run_pipeline};
use super::pose_selection::{pose_spec, second_clip};
use super::runtimes::played;
use super::standard_output::{check_output, without_format, write_output};
use super::text::counted;
use super::timings;
use super::{BackgroundArg, CompressArg, ImageFormat, RenderArgs, Selected};
use rigscope_core::camera::Projection;
use rigscope_core::model::{BoneId, ByteView, Clip, Image, Model, Report, Severity, as_u32, stats};
use rigscope_core::pose::{Moment, PoseSpec, SecondClip};
use rigscope_core::visual::{OutlineTarget, Show, bone_colors};
use rigscope_gpu::film::{Film, FilmFormat};
use rigscope_gpu::headless::{Pixels, bytes_in_flight, write_png, write_small_png};
use rigscope_gpu::{
    Background, GpuTimes, ImageRequest, ImageSequence, PendingDevice, Shot, Studio, SubsetLook,
};
use rigscope_io::files::{FileError, Inputs, Pipes, is_standard_stream, numbered_path, read_input};

/// Linear RGB of the plain background, the middle of the gradient.
const PLAIN: [f32; 3] = [0.045, 0.050, 0.058];

/// Default duration of a turn in a GIF.
const TURN_SECS: f64 = 4.0;
/// Default frame rate of a clip in a GIF. GIF delays are whole hundredths of a second.
const CLIP_IMAGES_PER_SEC: f64 = 25.0;
/// Largest number of images in an animation if the arguments don't set it, to limit the time.
const MAX_CLIP_IMAGES: f64 = 250.0;

/// Default size of an image, and of one in a contact sheet.
const SIZE_PX: [u32; 2] = [1000, 600];
const SHEET_SIZE_PX: [u32; 2] = [240, 180];

/// Output files.
enum Target {
    /// One file per image.
    Pngs(Vec<PathBuf>),
    Film(FilmFormat, PathBuf),
    /// One image with all clips.
    Sheet(PathBuf),
}

impl Target {
    fn of(args: &RenderArgs) -> anyhow::Result<Self> {
        let path = &args.output;
        let extension = path.extension().unwrap_or_default();
        let format = match args.to {
            Some(format) => format,
            None if is_standard_stream(path) => return Err(without_format(path, "png")),
            None => match extension.to_string_lossy().to_ascii_lowercase().as_str() {
                "png" => ImageFormat::Png,
                "gif" => ImageFormat::Gif,
                "apng" => ImageFormat::Apng,
                "webp" => ImageFormat::Webp,
                _ => {
                    let message = "the name of the output must end in .png, .gif, .apng or .webp, unless --to is given";
                    return Err(at_path(message, path));
                }
            },
        };
        let film = match format {
            ImageFormat::Png => None,
            ImageFormat::Gif => Some(FilmFormat::Gif),
            ImageFormat::Apng => Some(FilmFormat::Apng),
            ImageFormat::Webp => Some(FilmFormat::WebP),
        };
        if args.sheet.is_some() {
            return match film {
                None => Ok(Self::Sheet(path.clone())),
                Some(_) => Err(at_path(
                    "a contact sheet is a PNG; use --turntable or --clip for animations",
                    path,
                )),
            };
        }
        if let Some(film) = film {
            return Ok(Self::Film(film, path.clone()));
        }
        let num_images = args.frames.or(args.turntable);
        if num_images.is_some() && is_standard_stream(path) {
            let message = "standard output has room for one image; write an animation with --to webp, or name a file";
            return Err(at_path(message, path));
        }
        Ok(Self::Pngs(match num_images {
            Some(num) => (0..num).map(|number| numbered_path(path, number)).collect(),
            None => vec![path.clone()],
        }))
    }

    fn paths(&self) -> &[PathBuf] {
        match self {
            Self::Pngs(paths) => paths,
            Self::Film(_, path) | Self::Sheet(path) => std::slice::from_ref(path),
        }
    }
}

/// Size limit of an environment image file.
const MAX_ENVIRONMENT_BYTES: u64 = 1 << 30;

/// Images in flight on the GPU: one is read back, one is drawn and one is queued, so that the GPU is never idle.
const MOST_DRAWN: usize = 3;
/// Limit for the read-back buffers of images in flight, and again for images that are being encoded.
const MOST_BYTES: u64 = 1 << 30;

/// Number of images that may be in one stage: up to `most`, fewer for large images.
fn at_once(size_px: [u32; 2], most: usize) -> usize {
    let fit = usize::try_from(MOST_BYTES / bytes_in_flight(size_px).max(1)).unwrap_or(usize::MAX);
    most.min(fit).max(1)
}

pub(super) fn run(args: &RenderArgs, output: &Output) -> anyhow::Result<Exit> {
    let target = Target::of(args)?;
    let opener = input::opener(&args.input.0)?.with_images().with_inputs([&args.file]);
    for path in target.paths() {
        check_output(path, args.force, opener.inputs())?;
    }
    let opening = PendingDevice::begin();
    let document = input::open_and_report(&opener, &args.file, output)?;
    let document = played(document, args.pose.runtime, &args.file)?;
    let model = &document.model;
    let show = Show { light: args.light.light(model), ..args.show.unwrap_or_default() };
    let bone = bone_of(args, model)?;
    let spec = pose_spec(&args.pose, args.frames.is_some(), model, &args.file, output)?;
    let second = second_clip(&args.pose, &spec, model, &args.file)?;
    let size_px = args.size.map(|size| [size.width, size.height]);
    let size_px = size_px.unwrap_or(if args.sheet.is_some() { SHEET_SIZE_PX } else { SIZE_PX });
    let chosen = args.pose.clip.as_ref().and(spec.clip);
    let sheet = args.sheet.map(|columns| Sheet::new(model, chosen, columns, size_px)).transpose();
    let sheet = sheet.map_err(|message| at_path(message, &args.file))?;
    let request = ImageRequest {
        size_px,
        shots: match &sheet {
            Some(sheet) => sheet.shots(spec, model),
            None => shots(args, model, (spec, second.as_ref()), &target),
        },
        angles_rad: args.camera.map(|angles| [angles.yaw_rad, angles.pitch_rad]),
        projection: if args.orthographic {
            Projection::Orthographic
        } else {
            Projection::default()
        },
        target: args.target.map(Vec3::from),
        distance: args.distance,
        show,
        subsets: looks(args, model)?,
        selected: selection(args, model)?,
        bone,
        bone_colors: bone_colors(&model.skeleton, &stats::used_bones(model), bone, None),
        paint: None,
        background: background(args.background),
    };
    request.check().map_err(anyhow::Error::msg)?;
    let num_images = request.shots.len();
    let report = Report::new();
    // The model is measured while it is uploaded.
    let mut sequence = None;
    let studio = rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            let _work = timings::begin("measuring bounds");
            sequence = Some(ImageSequence::new(request, model));
        });
        studio(opening, model, &args.file, &report)
    });
    let mut graphics = studio?;
    let sequence = sequence.context("internal error: the model was not measured")?;
    print_findings(&report.findings(), &args.file, output);
    if timings::is_on() && !graphics.measure_passes() {
        tracing::info!("the device doesn't support timestamps for passes");
    }
    if let Some(path) = args.light.environment_file() {
        let image = environment_image(path, opener.inputs())
            .map_err(|error| at_path(format!("the environment can't be read: {error}"), path))?;
        graphics
            .set_environment(&image)
            .map_err(|refusal| at_path(format!("the environment {refusal}"), path))?;
    }
    // The vertices are on the GPU now; free those in memory unless the overlays need them.
    let posed;
    let model = if sequence.needs_vertices() {
        &document.model
    } else {
        posed = document.model.without_vertices();
        drop(document);
        &posed
    };
    let draw = |graphics: &mut Studio, number: usize| -> anyhow::Result<_> {
        timings::at("drawing");
        output.progress(|| format!("image {} of {num_images}", number + 1));
        Ok(sequence.draw(graphics, model, number)?)
    };
    let read = |graphics: &mut Studio, drawing| -> anyhow::Result<_> {
        timings::at("reading back the image");
        let pixels = graphics.read(drawing)?;
        for GpuTimes { total_ms, passes_ms, .. } in graphics.gpu_times() {
            timings::add_image(total_ms, &passes_ms);
        }
        Ok(pixels)
    };
    let begun = at_once(size_px, MOST_DRAWN);
    match &target {
        Target::Pngs(paths) => {
            let inputs = opener.inputs();
            let limits =
                Limits { begun, finishing: at_once(size_px, rayon::current_num_threads()) };
            let write = |number: usize, pixels: Pixels| {
                let _work = timings::begin("averaging samples");
                let Some(path) = paths.get(number) else { return Ok(()) };
                let image = pixels.image()?;
                timings::at("encoding");
                let png = match args.compress {
                    CompressArg::Fast => write_png(&image)?,
                    CompressArg::Best => write_small_png(&image)?,
                };
                timings::at("writing files");
                write_output(path, &png, args.force, inputs, output)
            };
            run_pipeline(num_images, limits, &mut graphics, draw, read, write)?;
        }
        Target::Sheet(path) => {
            let sheet = sheet.as_ref().context("internal error: there is no sheet")?;
            let canvas = Mutex::new(sheet.canvas());
            let limits = Limits { begun, finishing: 1 };
            let place = |number: usize, pixels: Pixels| {
                let _work = timings::begin("averaging samples");
                let mut canvas = canvas.lock().unwrap_or_else(PoisonError::into_inner);
                sheet.place(number, &pixels.image()?, &mut canvas);
                Ok(())
            };
            run_pipeline(num_images, limits, &mut graphics, draw, read, place)?;
            let image = canvas.into_inner().unwrap_or_else(PoisonError::into_inner);
            timings::at("encoding");
            let png = match args.compress {
                CompressArg::Fast => write_png(&image)?,
                CompressArg::Best => write_small_png(&image)?,
            };
            timings::at("writing files");
            write_output(path, &png, args.force, opener.inputs(), output)?;
        }
        Target::Film(format, path) => {
            let mut bytes = Vec::new();
            let rate = rate(args, model, &spec, num_images);
            let film = Film::new(*format, &mut bytes, as_u32(num_images), rate)?;
            let film = Mutex::new(film);
            // The images of a film are encoded in order.
            let limits = Limits { begun, finishing: 1 };
            let add = |_, pixels: Pixels| {
                let _work = timings::begin("averaging samples");
                let image = pixels.image()?;
                timings::at("encoding");
                Ok(film.lock().unwrap_or_else(PoisonError::into_inner).add(image)?)
            };
            run_pipeline(num_images, limits, &mut graphics, draw, read, add)?;
            film.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
            timings::at("writing files");
            write_output(path, &bytes, args.force, opener.inputs(), output)?;
        }
    }
    output.clear_progress();
    for line in sheet.iter().flat_map(|sheet| sheet.descriptions(model)) {
        output.report(Severity::Info, &line);
    }
    Ok(Exit::Done)
}

fn environment_image(path: &Path, inputs: &Inputs) -> Result<Image, FileError> {
    let bytes = read_input(path, MAX_ENVIRONMENT_BYTES, Pipes::Refused, inputs, |_| Ok(()))?;
    let name = path.display().to_string();
    Ok(Image { name, bytes: ByteView::whole(bytes), is_embedded: false })
}

/// The bone selected by `--bone` or `--select`.
fn bone_of(args: &RenderArgs, model: &Model) -> anyhow::Result<Option<BoneId>> {
    match (&args.bone, args.select) {
        (Some(name), _) => find_bone(model, name).map(Some),
        (None, Some(Selected::Bone(number))) => Ok(Some(BoneId(number))),
        (None, _) => Ok(None),
    }
}

/// The clip that advances over several images. The keys of a bind pair aren't an animation: all
/// images show their product.
fn moving_clip<'a>(model: &'a Model, spec: &PoseSpec) -> Option<&'a Clip> {
    let clip = spec.clip_of(model)?;
    let is_bind_pair = clip.as_sampled().is_some_and(|motion| motion.is_bind_pair);
    (!is_bind_pair).then_some(clip)
}

/// The images to render. Several images are evenly spaced over one loop of the clip, without its end, which is
/// the start of the next loop, or over a turn.
fn shots(
    args: &RenderArgs,
    model: &Model,
    (spec, second): (PoseSpec, Option<&SecondClip>),
    target: &Target,
) -> Vec<Shot> {
    if let Some(num) = args.turntable {
        let step_rad = std::f32::consts::TAU / num as f32;
        return (0..num)
            .map(|number| Shot { pose: spec, turn_rad: step_rad * number as f32 })
            .collect();
    }
    let clip = moving_clip(model, &spec);
    let num = match (args.frames, target) {
        (Some(num), _) => num,
        (None, Target::Film(..)) if args.pose.time.is_none() && args.pose.key.is_none() => {
            clip.map_or(1, |clip| num_images_per_loop(args, clip.duration_secs))
        }
        (None, _) => 1,
    };
    let moving = clip.filter(|_| num > 1);
    let shot = |number: u32| {
        let moment = moving.map_or(spec.moment, |clip| {
            let share = f64::from(number) / f64::from(num);
            Moment::TimeSecs(clip.start_secs + clip.duration_secs * share)
        });
        let pose = with_second_clip(PoseSpec { moment, ..spec }, second, model);
        Shot { pose, turn_rad: 0.0 }
    };
    (0..num).map(shot).collect()
}

/// Number of images in one loop of an animation.
fn num_images_per_loop(args: &RenderArgs, duration_secs: f64) -> u32 {
    let num = (duration_secs * args.rate.unwrap_or(CLIP_IMAGES_PER_SEC)).round();
    #[expect(clippy::cast_possible_truncation, reason = "clamped to a small range")]
    #[expect(clippy::cast_sign_loss, reason = "clamped to a small range")]
    let num = num.clamp(1.0, MAX_CLIP_IMAGES) as u32;
    num
}

/// Images per second in an animation.
fn rate(args: &RenderArgs, model: &Model, spec: &PoseSpec, num: usize) -> f64 {
    args.rate.unwrap_or_else(|| {
        let clip = moving_clip(model, spec).filter(|_| args.turntable.is_none());
        let secs = clip.map_or(TURN_SECS, |clip| clip.duration_secs);
        if secs > 0.0 { num as f64 / secs } else { CLIP_IMAGES_PER_SEC }
    })
}

/// The outlined object, which must exist.
fn selection(args: &RenderArgs, model: &Model) -> anyhow::Result<Option<OutlineTarget>> {
    Ok(match args.select {
        Some(Selected::Subset(number)) if number >= model.num_parts() => {
            return Err(missing_subset(number, model, &args.file));
        }
        Some(Selected::Subset(number)) => Some(OutlineTarget::Part(number)),
        Some(Selected::Bone(number)) if number as usize >= model.skeleton.len() => {
            // Numbers are those of the file, which counts all nodes.
            let (num, text) = (model.skeleton.len(), model.bones_text());
            return Err(missing("bone", number as usize, num, &text, &args.file));
        }
        Some(Selected::Bone(number)) => Some(OutlineTarget::Bone(BoneId(number))),
        None => None,
    })
}

fn missing_subset(number: usize, model: &Model, path: &Path) -> anyhow::Error {
    let num = model.num_parts();
    missing("subset", number, num, &counted(num as u64, "subset"), path)
}

/// The error about the bone or subset `number` of `num`, which are `counted`.
fn missing(noun: &str, number: usize, num: usize, counted: &str, path: &Path) -> anyhow::Error {
    let existing = match num {
        0 => format!("the model has no {noun}s"),
        1 => format!("the model has {counted} (0)"),
        _ => format!("the model has {counted} (0 to {})", num - 1),
    };
    at_path(format!("there is no {noun} {number}; {existing}"), path)
}

/// The look of each subset; empty if no argument changes it.
fn looks(args: &RenderArgs, model: &Model) -> anyhow::Result<Vec<SubsetLook>> {
    if args.hide.is_empty() && args.unhide.is_empty() && args.subset_color.is_empty() {
        return Ok(Vec::new());
    }
    let mut looks = SubsetLook::of_parts(model);
    let missing = |number: usize| missing_subset(number, model, &args.file);
    for &number in &args.hide {
        looks.get_mut(number).ok_or_else(|| missing(number))?.visible = false;
    }
    for &number in &args.unhide {
        looks.get_mut(number).ok_or_else(|| missing(number))?.visible = true;
    }
    for &(number, color) in &args.subset_color {
        looks.get_mut(number).ok_or_else(|| missing(number))?.color = Some(color);
    }
    Ok(looks)
}

fn background(background: BackgroundArg) -> Background {
    match background {
        BackgroundArg::Gradient => Background::Gradient,
        BackgroundArg::Plain => Background::Plain(PLAIN),
        BackgroundArg::Transparent => Background::Transparent,
    }
}
