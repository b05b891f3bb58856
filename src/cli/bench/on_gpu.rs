//! What is measured on a GPU.

use std::cell::RefCell;
use std::path::Path;

use super::watch::{Copy, Step, Work, timed};
use super::work::{Grid, between_keys, source_bytes};
use super::{Rows, json};
use crate::camera::Camera;
use crate::cli::graphics::studio;
use crate::gpu::headless::write_png;
use crate::gpu::{AdapterFacts, CopyRoom, FrameInput, Opening, Show, Studio, skinned_bytes};
use crate::model::{Model, Report};
use crate::pose::{PoseSpec, Sampling, posed_bounds};

const SIZES_PX: [[u32; 2]; 2] = [[1000, 600], [1920, 1080]];
/// So much at once is long beside what looking for its end takes.
const AT_ONCE_SECS: f64 = 0.02;
const MOST_AT_ONCE: u32 = 64;

/// Adds what `model`, which was read from `path`, and models of many sizes take.
pub(super) fn rows(
    model: &Model,
    path: &Path,
    grids: &[[Grid; 2]],
    rows: &mut Rows<'_>,
) -> anyhow::Result<json::BenchAdapter> {
    let mut studio = studio(Opening::begin(), model, path, &Report::new())?;
    skinning(&mut studio, "skin on the GPU", model, rows)?;
    for size_px in SIZES_PX {
        picture(&mut studio, size_px, model, rows)?;
    }
    let AdapterFacts { name, backend, kind } = studio.adapter();
    let adapter = json::BenchAdapter { name, backend, kind };
    for grid in grids.as_flattened() {
        // What was measured so far is not lost where memory ends.
        if let Err(error) = skinning_of_grid(&mut studio, *grid, rows) {
            rows.leave_out(*grid, &error);
        }
    }
    Ok(adapter)
}

fn skinning_of_grid(studio: &mut Studio, grid: Grid, rows: &mut Rows<'_>) -> anyhow::Result<()> {
    let model = grid.model();
    studio.set_model(&model, &Report::new())?;
    skinning(studio, &format!("skin on the GPU: {}", grid.name()), &model, rows)
}

/// With the earlier key, and with both blended.
fn skinning(
    studio: &mut Studio,
    name: &str,
    model: &Model,
    rows: &mut Rows<'_>,
) -> anyhow::Result<()> {
    let num = model.num_vertices() as u64;
    let linear = between_keys(model);
    for (spec, how) in
        [(PoseSpec { sampling: Sampling::Step, ..linear }, "step"), (linear, "linear")]
    {
        // Shaders are compiled and keys go up before anything is timed.
        studio.skin_repeatedly(&spec, 1)?;
        let (took, done) = timed(|| studio.skin_repeatedly(&spec, 1));
        done?;
        let at_once = at_once(took.as_secs_f64());
        let shared = RefCell::new(&mut *studio);
        rows.add(Step {
            name: format!("{name}, {how}"),
            work: Work { num, of: "vertices", bytes: source_bytes(model) + skinned_bytes(model) },
            run: Box::new(|| {
                let (took, done) = timed(|| shared.borrow_mut().skin_repeatedly(&spec, at_once));
                done?;
                Ok(took / at_once)
            }),
            copy: copy(&shared),
        })?;
    }
    Ok(())
}

/// Drawn at twice the size where that is how pictures are made, read back and encoded as PNG.
fn picture(
    studio: &mut Studio,
    size_px: [u32; 2],
    model: &Model,
    rows: &mut Rows<'_>,
) -> anyhow::Result<()> {
    let bounds = posed_bounds(model, &PoseSpec::default());
    let [width, height] = size_px;
    let mut camera = Camera::default();
    camera.frame(&bounds, width as f32 / height as f32);
    let input = FrameInput { camera, bounds, show: Show::default(), ..FrameInput::default() };
    let num_pixels = u64::from(width) * u64::from(height);
    let shared = RefCell::new(studio);
    rows.add(Step {
        name: format!("picture of {width} x {height}"),
        // Moved vertices are read, pixels and their depth written.
        work: Work { num: num_pixels, of: "pixels", bytes: skinned_bytes(model) + num_pixels * 8 },
        run: Box::new(|| {
            let (took, image) = timed(|| shared.borrow_mut().image(size_px, &input));
            image?;
            Ok(took)
        }),
        copy: copy(&shared),
    })?;
    let image = shared.borrow_mut().image(size_px, &input)?;
    rows.add(Step {
        name: format!("PNG of {width} x {height}"),
        work: Work { num: num_pixels, of: "pixels", bytes: num_pixels * 4 },
        run: Box::new(|| {
            let (took, png) = timed(|| write_png(&image));
            png?;
            Ok(took)
        }),
        copy: super::copy_on_cpu(),
    })
}

/// Copies from one buffer to another.
fn copy<'a>(studio: &'a RefCell<&mut Studio>) -> Copy<'a> {
    let mut known = None;
    Box::new(move |bytes| {
        let studio = studio.borrow();
        let copied = |room: &CopyRoom, num| -> anyhow::Result<_> {
            let (took, done) = timed(|| studio.copy_repeatedly(room, num));
            done?;
            Ok(took / num)
        };
        let (room, num) = match &known {
            Some(known) => known,
            None => {
                let room = studio.room_to_copy(bytes / 2)?;
                copied(&room, 1)?;
                let once = copied(&room, 1)?;
                known.insert((room, at_once(once.as_secs_f64())))
            }
        };
        copied(room, *num)
    })
}

fn at_once(secs: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let num = (AT_ONCE_SECS / secs.max(1e-9)).clamp(1.0, f64::from(MOST_AT_ONCE)) as u32;
    num
}
