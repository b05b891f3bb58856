//! `diff`: compares two files, which may have different formats.

use std::path::PathBuf;

mod args;
#[cfg(feature = "gpu")]
mod heat_map;
mod json;
pub(crate) mod text;

pub use args::DiffArgs;
#[cfg(feature = "gpu")]
pub(crate) use heat_map::{heat_map, plain_image};
pub(crate) use json::Diff;

use super::exit::{Exit, at_path};
use super::input;
use super::output::Output;
use super::standard_output::check_target;
use super::text::counted;
use super::timings;
#[cfg(not(feature = "gpu"))]
use super::without_gpu::heat_map;
use rigscope_core::compare::{Comparison, Difference, compare};
use rigscope_core::model::{Cancelled, ClipId, Severity, numbers};
use rigscope_io::files::save;
use rigscope_io::open::Opener;

pub(super) fn run(args: &DiffArgs, output: &Output) -> anyhow::Result<Exit> {
    let [path_a, path_b] = &args.files[..] else {
        anyhow::bail!(
            "diff compares two files; {} given",
            counted(args.files.len() as u64, "file")
        );
    };
    let is_png = |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
    if let Some(path) = args.heat_map.as_ref().filter(|path| !is_png(path)) {
        return Err(at_path("the name of the heat map must end in .png", path));
    }
    let opener = |with: &[PathBuf]| -> anyhow::Result<Opener> {
        let mut options = args.input.0.clone();
        options.with.extend_from_slice(with);
        Ok(input::opener(&options)?.with_inputs([path_a, path_b]))
    };
    let (opener_a, opener_b) = (opener(&args.with_a)?, opener(&args.with_b)?);
    let inputs = opener_a.inputs();
    inputs.add_all(opener_b.inputs());
    if let Some(path) = &args.heat_map {
        check_target(path, args.force, inputs)?;
    }
    let a = input::open_and_report(&opener_a, path_a, output)?;
    let b = input::open_and_report(&opener_b, path_b, output)?;
    let options = &args.compare.0;
    timings::at("comparing");
    let compared = compare(&a.model, &b.model, options, &timings::report());
    let comparison = compared.map_err(|Cancelled| anyhow::anyhow!("cancelled"))?;
    timings::at("printing");
    if args.json {
        output.print_json(&as_json(&comparison))?
    } else {
        output.print_lines(&text::lines(&comparison, options, output.paint()))?
    }
    if let Some(path) = &args.heat_map {
        let (png, most) = heat_map(&b.model, &comparison, path)?;
        inputs.add_all(opener_b.inputs());
        save(path, &png, args.force, inputs)?;
        let most = numbers::number(most);
        output.report_at(
            Severity::Info,
            path,
            &format!("red marks the largest deviation, {most} units"),
        );
    }
    Ok(if comparison.is_equal() { Exit::Done } else { Exit::Findings })
}

pub(crate) fn as_json(comparison: &Comparison) -> json::Diff {
    let entry = |difference: &Difference| json::DifferenceEntry {
        kind: difference.kind.code(),
        group: difference.kind.info().group,
        what: difference.what.clone(),
        count: difference.count,
        amount: difference.amount,
        exceeds: difference.exceeds,
    };
    let (max, matching) = (&comparison.max, &comparison.matching);
    json::Diff {
        schema: "rigscope.diff/1",
        equal: comparison.is_equal(),
        max: json::DiffMax {
            position: max.position,
            normal_deg: max.normal_deg,
            uv: max.uv,
            weight: max.weight,
            key: max.key,
            skinned: max.skinned,
        },
        differences: comparison.differences.iter().map(entry).collect(),
        worst: comparison.farthest.map(|farthest| json::DiffWorst {
            distance: farthest.distance,
            of_size: farthest.of_extent().unwrap_or_default(),
            mesh: farthest.origin.nearest().mesh.index(),
            vertex: farthest.origin.nearest().vertex.index(),
            mesh_b: farthest.made.mesh.index(),
            vertex_b: farthest.made.vertex.index(),
            clip: farthest.clip.map(ClipId::index),
            time_secs: farthest.clip.map(|_| farthest.time_secs),
        }),
        extent: comparison.extent,
        matched: json::DiffMatched {
            by: text::by(matching),
            pose_a: matching.pose_a.as_str(),
            pose_b: matching.pose_b.as_str(),
            unmatched_a: matching.num_unmatched_a,
            unmatched_b: matching.num_unmatched_b,
            farthest_unmatched: matching.farthest_unmatched,
        },
    }
}
