//! Text output of `fbx_bsm2`.

use super::conversion::Conversion;
use crate::lines::Lines;
use crate::text::{counted, name as shown_name, names, path, plain};
use rigscope_core::measure::FarthestVertex;
use rigscope_core::model::{Model, Origin, numbers};
use rigscope_core::pack::Packed;
use rigscope_io::formats::loss_summary::label;

/// Relative difference below which rates are equal: intervals are stored in whole nanoseconds.
const SAME_RATE: f64 = 1e-3;

/// All lines about one file.
pub(super) fn lines(converted: &Conversion) -> Lines {
    let mut out = Lines::default();
    let mut line = |text: String| out.push(text);
    for (output, part) in converted.outputs.iter().zip(&converted.packing.parts) {
        line(format!("{}: {}", path(output), contents(part, converted.hierarchy)));
    }
    line(format!("  {}", clips(converted)));
    for error in deviations(converted) {
        line(format!("  {error}"));
    }
    for lost in converted.losses.sentences() {
        let label = label(&lost, &converted.losses.predicted);
        line(format!("  {label}: {}", plain(&lost)));
    }
    for added in converted.losses.added() {
        line(format!("  added: {}", plain(added)));
    }
    for changed in changed(converted) {
        line(format!("  changed: {changed}"));
    }
    out
}

fn contents(part: &Packed, hierarchy: bool) -> String {
    let model = &part.model;
    let count = |number: usize, one: &str| counted(number as u64, one);
    let mut parts = vec![
        count(model.num_vertices(), "vertex"),
        count(model.num_triangles(), "triangle"),
        count(model.num_subsets(), "subset"),
        count(model.skeleton.len(), "bone"),
    ];
    if hierarchy {
        parts.push("hierarchy".to_owned());
    }
    parts.join(", ")
}

/// Names and key counts of the packed clips.
pub(super) fn packed_clips(converted: &Conversion) -> Vec<(&str, usize)> {
    let first = converted.packing.parts.first();
    let clips = first.map(|part| &*part.model.clips).unwrap_or_default();
    let num_keys =
        |clip: &rigscope_core::model::Clip| clip.as_sampled().map_or(0, |m| m.keys.num_keys());
    clips.iter().map(|clip| (clip.name.as_str(), num_keys(clip))).collect()
}

fn clips(converted: &Conversion) -> String {
    let clips = packed_clips(converted);
    let named = clips.into_iter().map(|(name, num_keys)| {
        let keys = counted(num_keys as u64, "key");
        format!("{} ({keys})", shown_name(name))
    });
    format!("clips: {}", names(named))
}

/// The name of a clip of the source, or of the static pose.
pub(super) fn clip_name(model: &Model, clip: Option<rigscope_core::model::ClipId>) -> String {
    let clip = clip.map(|clip| model.clip(clip));
    clip.map_or_else(|| "static".to_owned(), |clip| clip.name.clone())
}

/// The largest deviation at keys, and between keys if that is larger, because runtimes hold the earlier key.
fn deviations(converted: &Conversion) -> Vec<String> {
    let measured = &converted.measured;
    let Some(at_keys) = &measured.at_keys else {
        return vec!["the model has no vertices to compare".to_owned()];
    };
    let units_and_share = |worst: &FarthestVertex, share: f64| {
        let (units, share) = (numbers::number(worst.distance), numbers::percent(share));
        format!("{units} units, {share} of the size")
    };
    let size = units_and_share(at_keys, measured.max_of_extent_at_keys);
    let key = match (at_keys.key, at_keys.made_clip) {
        (Some(key), Some(_)) => format!("in key {key}"),
        _ => format!("at {:.3} s", at_keys.time_secs),
    };
    let (place, clip) = (place(converted, at_keys), clip(converted, at_keys));
    let mut out = vec![format!("largest deviation: {size}, at {place} {key} of {clip}")];
    if let Some(worst) = &measured.worst
        && worst.distance > at_keys.distance
    {
        let size = units_and_share(worst, measured.max_of_extent);
        let (place, clip) = (self::place(converted, worst), self::clip(converted, worst));
        let secs = worst.time_secs;
        out.push(format!(
            "between keys, while the earlier key is held: {size}, at {place} at {secs:.3} s of {clip}"
        ));
    }
    out
}

fn clip(converted: &Conversion, worst: &FarthestVertex) -> String {
    let name = shown_name(&clip_name(&converted.model, worst.clip));
    match worst.made_clip {
        None if worst.clip.is_some() => format!("{name:?}, which isn't in the file"),
        _ => format!("{name:?}"),
    }
}

fn place(converted: &Conversion, worst: &FarthestVertex) -> String {
    let mesh = worst.origin.nearest().mesh;
    let meshes = &converted.model.meshes;
    let mesh = match meshes.get(mesh).map(|mesh| &mesh.name) {
        Some(name) if !name.is_empty() => format!("{:?}", shown_name(name)),
        _ => format!("mesh {}", mesh.0),
    };
    match worst.origin {
        Origin::Vertex(at) => format!("vertex {} of {mesh}", at.vertex.0),
        Origin::Inside { corners, .. } => {
            let [a, b, c] = corners.map(|corner| corner.vertex.0);
            format!("a cut between vertices {a}, {b} and {c} of {mesh}")
        }
    }
}

/// Frame rates of the source that differ from the output, without duplicates.
fn other_rates(converted: &Conversion) -> Vec<f64> {
    let rate = converted.rate;
    let rates = (0..converted.model.clips.len()).filter_map(|number| converted.source_rate(number));
    let mut others: Vec<f64> = rates
        .filter(|own| (own - rate).abs() > rate * SAME_RATE)
        .map(|own| (own * 1e3).round() / 1e3)
        .collect();
    others.sort_by(f64::total_cmp);
    others.dedup();
    others
}

fn changed(converted: &Conversion) -> Vec<String> {
    let changed = &converted.packing.changed;
    let count = |number: usize, one: &str| counted(number as u64, one);
    let mut out = Vec::new();
    let others = other_rates(converted);
    if let Some(first) = others.first() {
        let all: Vec<String> = others.iter().map(f64::to_string).collect();
        out.push(format!(
            "{} keys per second; the file has {} frames per second (--rate {first} keeps them)",
            converted.rate,
            all.join(", ")
        ));
    }
    if changed.num_moved_uvs > 0 {
        let vertices = count(changed.num_moved_uvs, "vertex");
        out.push(format!("UVs of {vertices} moved by whole tiles"));
    }
    if changed.num_cut_triangles > 0 {
        let triangles = count(changed.num_cut_triangles, "triangle");
        out.push(format!("{triangles} cut at texture tile borders"));
    }
    if changed.num_unweighted > 0 {
        let vertices = count(changed.num_unweighted, "vertex");
        out.push(format!("{vertices} without weights assigned to a static bone"));
    }
    if changed.num_doubled_bones > 0 {
        let bones = count(changed.num_doubled_bones, "bone");
        out.push(format!("{bones} duplicated, because meshes bind them differently"));
    }
    if converted.num_flipped_meshes() > 0 {
        let meshes = match converted.num_flipped_meshes() {
            1 => "a mirrored mesh".to_owned(),
            num => format!("{num} mirrored meshes"),
        };
        out.push(format!("triangles of {meshes} flipped to keep their front side"));
    }
    if changed.num_meshes_with_new_normals > 0 {
        let meshes = match changed.num_meshes_with_new_normals {
            1 => "a mesh".to_owned(),
            num => format!("{num} meshes"),
        };
        out.push(format!("normals computed for {meshes} without normals"));
    }
    out
}
