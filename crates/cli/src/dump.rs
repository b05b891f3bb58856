//! `info --dump`: a file as text that Git compares line by line.
//!
//! In addition to the facts of `info`, it has the findings of all rules, and hashes of the shape, the motion and the
//! weights of each part, so that a vertex that moves changes a line.

use std::path::Path;

use glam::Vec3;

use super::dump_section::{Digest, MAX_CLIPS, MOMENTS_PER_CLIP, section};
use super::info_text;
use super::lines::Lines;
use super::output::Output;
use super::table::{Align, Table};
use super::text::{grouped, name, point};
use super::{dump_bones, input, timings};
use rigscope_core::model::{Aabb, BoneId, ClipId, Model, Report, numbered, spread};
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_core::validate::validate;
use rigscope_io::files::catch_panic;
use rigscope_io::open::{self, Document, Opener};

/// Prints the text of one file. A file that can't be read is a line of text too, because Git would stop at an error.
pub(super) fn print(opener: &Opener, path: &Path, output: &Output) -> anyhow::Result<()> {
    match input::open(opener, path, &timings::report()) {
        Ok(document) => output.print_lines(&text(document)),
        Err(error) => output.print_lines(&Lines::from_iter([format!("can't be read: {error}")])),
    }
}

fn text(mut document: Document) -> Lines {
    let of_rules = Report::new();
    // Rules should never panic; if one does, its findings are missing here.
    let _ = catch_panic("checking", || validate(&document.model, &of_rules));
    document.findings.extend(of_rules.findings());
    // Git passes the path of a temporary file.
    let mut lines = info_text::without_path(&open::info(&document, ""), &document.model);
    let model = &document.model;
    let bones = [dump_bones::rest(model), parts(model)];
    let clips = [motions(model), dump_bones::motions(model)];
    for section in [shapes(model)].iter().chain(&bones).chain(&clips) {
        lines.append(section);
    }
    lines
}

/// The stored vertices of each mesh.
fn shapes(model: &Model) -> Lines {
    let mut table = Table::new([Align::Left; 4]);
    table.row(["mesh", "from", "to", "vertices"].map(str::to_owned));
    let display_from_file = model.axes.display_from_file();
    for (index, mesh) in model.meshes.iter().enumerate() {
        let positions = (0..mesh.num_vertices()).filter_map(|vertex| mesh.position(vertex));
        let positions = positions.map(|position| display_from_file.transform_point3(position));
        let bounds = Aabb::from_points(positions.clone());
        let mut digest = Digest::default();
        positions.for_each(|position| digest.add(position));
        for vertex in 0..mesh.num_vertices() {
            digest.add(mesh.normal(vertex).unwrap_or_default());
            digest.add(mesh.uv(vertex).unwrap_or_default().extend(0.0));
        }
        mesh.indices.iter().for_each(|index| digest.add_index(index));
        let own = name(&numbered("mesh", index, &mesh.name));
        table.row([own, point(bounds.min), point(bounds.max), digest.text()]);
    }
    section("shape", &table)
}

/// The vertices that each bone moves, which locate a change.
fn parts(model: &Model) -> Lines {
    let bones = model.skeleton.bones();
    let mut weights = vec![0.0f64; bones.len()];
    let mut centers = vec![glam::DVec3::ZERO; bones.len()];
    let mut nums = vec![0u64; bones.len()];
    let mut digests = vec![Digest::default(); bones.len()];
    let display_from_file = model.axes.display_from_file();
    for mesh in &model.meshes {
        for vertex in 0..mesh.num_vertices() {
            let position = mesh.position(vertex).unwrap_or_default();
            let position = display_from_file.transform_point3(position);
            mesh.for_each_influence(vertex, |bone, weight| {
                let at = bone.index();
                if weight > 0.0 && at < nums.len() {
                    nums[at] += 1;
                    weights[at] += f64::from(weight);
                    centers[at] += position.as_dvec3() * f64::from(weight);
                    digests[at].add(position);
                    digests[at].add(Vec3::splat(weight));
                }
            });
        }
    }
    let mut table = Table::new([Align::Left, Align::Right, Align::Left, Align::Left]);
    table.row(["bone", "vertices", "centre", "hash"].map(str::to_owned));
    for at in (0..bones.len()).filter(|at| nums[*at] > 0) {
        let bone = model.skeleton.display_name(BoneId::from_index(at));
        let center = (centers[at] / weights[at].max(f64::MIN_POSITIVE)).as_vec3();
        table.row([name(&bone), grouped(nums[at]), point(center), digests[at].text()]);
    }
    section("vertices by bone", &table)
}

/// The poses of each clip.
fn motions(model: &Model) -> Lines {
    let mut table = Table::new([Align::Left; 4]);
    table.row(["clip", "from", "to", "poses"].map(str::to_owned));
    let display_from_file = model.axes.display_from_file();
    for index in spread(model.clips.len(), MAX_CLIPS) {
        let clip = &model.clips[ClipId::from_index(index)];
        let mut digest = Digest::default();
        let mut bounds = Aabb::EMPTY;
        for part in 0..MOMENTS_PER_CLIP {
            let share = part as f64 / (MOMENTS_PER_CLIP - 1) as f64;
            let secs = clip.start_secs + clip.duration_secs * share;
            let posed = skin_model(model, &PoseSpec::linear(ClipId::from_index(index), secs));
            for position in posed.iter().flat_map(|mesh| &mesh.positions) {
                let position = display_from_file.transform_point3(*position);
                bounds = bounds.union(Aabb { min: position, max: position });
                digest.add(position);
            }
        }
        let own = name(&numbered("clip", index, &clip.name));
        table.row([own, point(bounds.min), point(bounds.max), digest.text()]);
    }
    section("motion", &table)
}
