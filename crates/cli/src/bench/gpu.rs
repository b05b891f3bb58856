//! The steps on the GPU.

use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};

use super::grids::{Grid, between_keys, source_bytes};
use super::stopwatch::{Amount, Copy, Step, timed};
use super::{Rows, json};
use crate::graphics::studio;
use rigscope_core::model::{Model, Report};
use rigscope_core::pose::{PoseSpec, Sampling};
use rigscope_gpu::headless::write_png;
use rigscope_gpu::{
    AdapterFacts, CopyBuffers, ImageRequest, ImageSequence, PendingDevice, Studio, skinned_bytes,
};

const SIZES_PX: [[u32; 2]; 2] = [[1000, 600], [1920, 1080]];
/// Repetitions are submitted together until they take this long, so that the cost of submitting and of waiting
/// for the fence is negligible.
const SUBMITTED: Duration = Duration::from_millis(20);
const MOST_SUBMITTED: u32 = 256;
/// Warm-up time before measuring: the clock of an idle GPU rises over tens of milliseconds, and memory is slow on
/// first use.
const WARM_UP: Duration = Duration::from_millis(100);

/// Measures `model`, which was read from `path`, and the `grids`, and adds the results to `rows`.
pub(super) fn rows(
    model: &Model,
    path: &Path,
    grids: &[[Grid; 2]],
    rows: &mut Rows<'_>,
) -> anyhow::Result<json::BenchAdapter> {
    let mut studio = studio(PendingDevice::begin(), model, path, &Report::new())?;
    skinning(&mut studio, "skin on the GPU", model, rows)?;
    for size_px in SIZES_PX {
        image(&mut studio, size_px, model, rows)?;
    }
    let AdapterFacts { name, backend, kind } = studio.adapter();
    let adapter = json::BenchAdapter { name, backend, kind };
    for grid in grids.as_flattened() {
        // If the GPU runs out of memory, the results so far are still printed.
        if let Err(error) = skinning_of_grid(&mut studio, *grid, rows) {
            rows.skip(*grid, &error);
        }
    }
    Ok(adapter)
}

fn skinning_of_grid(studio: &mut Studio, grid: Grid, rows: &mut Rows<'_>) -> anyhow::Result<()> {
    let model = grid.model();
    studio.set_model(&model, &Report::new())?;
    skinning(studio, &format!("skin on the GPU: {}", grid.name()), &model, rows)
}

/// Skinning with the earlier key, and with both keys blended.
fn skinning(
    studio: &mut Studio,
    name: &str,
    model: &Model,
    rows: &mut Rows<'_>,
) -> anyhow::Result<()> {
    let num_vertices = model.num_vertices() as u64;
    let bytes = source_bytes(model) + skinned_bytes(model);
    let linear = between_keys(model);
    for (spec, how) in
        [(PoseSpec { sampling: Sampling::Step, ..linear }, "step"), (linear, "linear")]
    {
        let num = repetitions(|num| Ok(studio.skin_repeatedly(&spec, num)?))?;
        let shared = RefCell::new(&mut *studio);
        rows.add(Step {
            name: format!("{name}, {how}"),
            amount: Amount { num: num_vertices, of: "vertices", bytes },
            run: Box::new(|| Ok(shared.borrow_mut().skin_repeatedly(&spec, num)? / num)),
            copy: copy(&shared),
        })?;
    }
    Ok(())
}

/// Rendering, with supersampling if the renderer uses it, reading back and encoding as PNG.
fn image(
    studio: &mut Studio,
    size_px: [u32; 2],
    model: &Model,
    rows: &mut Rows<'_>,
) -> anyhow::Result<()> {
    let request = ImageRequest { size_px, ..ImageRequest::default() };
    let sequence = ImageSequence::new(request, model);
    let [width, height] = size_px;
    let num_pixels = u64::from(width) * u64::from(height);
    let shared = RefCell::new(studio);
    rows.add(Step {
        name: format!("image of {width} x {height}"),
        // Reads skinned vertices, writes pixels and depth.
        amount: Amount {
            num: num_pixels,
            of: "pixels",
            bytes: skinned_bytes(model) + num_pixels * 8,
        },
        run: Box::new(|| {
            let (took, image) = timed(|| sequence.image(&mut shared.borrow_mut(), model));
            image?;
            Ok(took)
        }),
        copy: copy(&shared),
    })?;
    let image = sequence.image(&mut shared.borrow_mut(), model)?;
    rows.add(Step {
        name: format!("PNG of {width} x {height}"),
        amount: Amount { num: num_pixels, of: "pixels", bytes: num_pixels * 4 },
        run: Box::new(|| {
            let (took, png) = timed(|| write_png(&image));
            png?;
            Ok(took)
        }),
        copy: super::copy_on_cpu(),
    })
}

/// Copies between two buffers in device memory with a compute shader.
fn copy<'a>(studio: &'a RefCell<&mut Studio>) -> Copy<'a> {
    let mut known: Option<(CopyBuffers, u32)> = None;
    Box::new(move |bytes| {
        let studio = studio.borrow();
        let (room, num) = match &known {
            Some(known) => known,
            None => {
                let room = studio.copy_buffers(bytes / 2)?;
                let num = repetitions(|num| Ok(studio.copy_repeatedly(&room, num)?))?;
                known.insert((room, num))
            }
        };
        Ok(studio.copy_repeatedly(room, *num)? / *num)
    })
}

/// Warms up, and returns how many repetitions of `work` take [`SUBMITTED`] together.
fn repetitions(mut work: impl FnMut(u32) -> anyhow::Result<Duration>) -> anyhow::Result<u32> {
    let (start, mut num) = (Instant::now(), 1);
    loop {
        let is_enough = work(num)? >= SUBMITTED || num >= MOST_SUBMITTED;
        if is_enough && start.elapsed() >= WARM_UP {
            return Ok(num);
        }
        if !is_enough {
            num *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cold_start_does_not_reduce_the_repetitions() {
        let mut calls = 0;
        let num = repetitions(|num| {
            calls += 1;
            std::thread::sleep(Duration::from_millis(5));
            // One millisecond per repetition, and a hundred more in the first two calls.
            let cold = if calls <= 2 { 100 } else { 0 };
            Ok(Duration::from_millis(u64::from(num) + cold))
        });
        assert_eq!(num.unwrap(), 32);
        let never_long = repetitions(|_| Ok(Duration::ZERO));
        assert_eq!(never_long.unwrap(), MOST_SUBMITTED);
    }
}
