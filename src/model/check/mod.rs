//! The gate behind every reader and before every writer: what leaves it may be trusted.
//!
//! For: finite numbers, indices in range, influences consistent, and a note for every oddity.
//! Not for: judging an export's quality; that is `validate`'s rule table.
//!
//! Policy, once for all formats: a number that is not finite is read as 0; an influence of a bone
//! that does not exist is left out; weights are scaled to sum to 1 where they are used; a subset
//! that reaches outside is left out whole; a triangle that names no vertex becomes one without area,
//! so that those after it keep their numbers. Packed arrays are copied only where one of these
//! changes them; otherwise they stay views of the file.

mod clips;
mod influences;
mod loose;
mod morphs;
#[cfg(test)]
mod random;
mod triangles;
mod verify;
mod vertices;

pub use verify::verify;

use glam::Vec3;

use super::{Environment, Model, NoteKind, Place, Report, counted, numbered};

/// Notes every oddity of `model` and mends what later code could not bear.
///
/// Afterwards all indices are in range, all numbers finite, all influence lists consistent:
/// [`verify`] holds.
pub fn check(model: &mut Model, report: &Report) {
    let num_bones = model.skeleton.len();
    for (index, mesh) in model.meshes.iter_mut().enumerate() {
        let mesh_number = u32::try_from(index).unwrap_or(u32::MAX);
        vertices::check(mesh, mesh_number, report);
        influences::check(mesh, mesh_number, num_bones, report);
        morphs::check(mesh, mesh_number, report);
        // Before triangles, whose absence is reported only where there is nothing else.
        loose::check(mesh, mesh_number, model.materials.len(), report);
        triangles::check(mesh, mesh_number, model.materials.len(), report);
    }
    if model.meshes.is_empty() {
        report.note(NoteKind::NoMesh, Place::File, "no mesh");
    }
    materials(model, report);
    let bad = model.skeleton.mend_rest();
    if let Some(&first) = bad.first() {
        let place = Place::Bone(u32::try_from(first).unwrap_or(u32::MAX));
        report.note_many(NoteKind::NotFinite, place, bad.len() as u64, || {
            let name = model.skeleton.bones().get(first).map_or("", |bone| &bone.name);
            format!("the rest transform of {} isn't finite", numbered("bone", first, name))
        });
    }
    clips::check(model, report);
    for track in &mut model.value_tracks {
        let (mut bad, mut first) = (0, 0);
        let values = track.values.iter_mut().enumerate();
        for (at, value) in values.filter(|(_, value)| !value.is_finite()) {
            *value = 0.0;
            first = if bad == 0 { at } else { first };
            bad += 1;
        }
        report.note_many(NoteKind::NotFinite, Place::File, bad, || {
            let key = first / track.kind.num().max(1);
            format!("curve {:?}: the value of key {key} isn't finite", track.name)
        });
    }
    bones(model, report);
    collision(model, report);
    let unit = model.axes.unit_meters;
    model.axes.unit_meters = unit.filter(|unit| unit.is_finite() && *unit > 0.0);
    debug_assert_eq!(verify(model), Ok(()), "what leaves the check may be trusted");
}

/// Notes bones that move nothing and names that occur twice.
fn bones(model: &Model, report: &Report) {
    let used = super::stats::used_bones(model);
    let mut names = std::collections::HashSet::new();
    // A skeleton alone is not meant to move anything.
    let has_vertices = model.num_vertices() > 0;
    for (index, bone) in model.skeleton.bones().iter().enumerate() {
        let place = Place::Bone(u32::try_from(index).unwrap_or(u32::MAX));
        if has_vertices && !used.get(index).copied().unwrap_or(false) {
            report.note_many(NoteKind::UnreferencedBone, place, 1, || {
                format!("bone {index} moves no vertex")
            });
        }
        if !bone.name.is_empty() && !names.insert(bone.name.as_str()) {
            report.note_many(NoteKind::DuplicateName, place, 1, || {
                format!("bone {index} is named {:?} like another", bone.name)
            });
        }
    }
    let roots = model.skeleton.bones().iter().filter(|b| b.parent.is_none());
    let num_roots = roots.count();
    if model.skeleton.has_hierarchy() && num_roots > 1 {
        report.note(
            NoteKind::SeveralRoots,
            Place::File,
            format!("{num_roots} bones have no parent"),
        );
    }
}

/// Drops what textures name and does not exist, and numbers that are not finite.
fn materials(model: &mut Model, report: &Report) {
    let num_images = model.images.len();
    if let Some(environment) = &mut model.environment {
        let Environment { irradiance, prefiltered, split_sum } = environment;
        for image in [irradiance, prefiltered, split_sum] {
            *image = image.filter(|image| image.index() < num_images);
        }
    }
    for (index, material) in model.materials.iter_mut().enumerate() {
        let mut bad = 0;
        for texture in &mut material.textures {
            texture.image = texture.image.filter(|image| image.index() < num_images);
            if texture.texture_from_uv.as_ref().is_some_and(|t| !t.is_finite()) {
                texture.texture_from_uv = None;
                bad += 1;
            }
        }
        if let Some(look) = &mut material.look {
            bad += look.mend();
        }
        let place = Place::Material(u32::try_from(index).unwrap_or(u32::MAX));
        report.note_many(NoteKind::NotFinite, place, bad, || {
            format!("a number of material {:?} is not finite", material.name)
        });
    }
}

/// Mends hulls, occluder and stored bounds.
fn collision(model: &mut Model, report: &Report) {
    if model.stored_bounds.is_some_and(|bounds| !bounds.is_finite()) {
        model.stored_bounds = None;
        let what = "the stored bounds are not finite and are left out";
        report.note(NoteKind::NotFinite, Place::File, what);
    }
    for (at, hull) in model.hulls.iter_mut().enumerate() {
        finite_points(&mut hull.points, &|| format!("hull {at}"), report);
    }
    if let Some(occluder) = &mut model.occluder {
        finite_points(&mut occluder.positions, &|| "the occlusion mesh".to_owned(), report);
        let num = occluder.positions.len();
        let before = occluder.indices.len() / 3;
        let (triangles, _) = occluder.indices.as_chunks::<3>();
        let kept: Vec<u32> = triangles
            .iter()
            .filter(|t| t.iter().all(|&i| (i as usize) < num))
            .flatten()
            .copied()
            .collect();
        let lost = before - kept.len() / 3;
        report.note_many(NoteKind::IndexOutOfRange, Place::File, lost as u64, || {
            let lost = counted(lost as u64, "triangle");
            format!("vertices past its {num} in {lost} of the occluder")
        });
        occluder.indices = kept;
    }
}

/// Replaces points that are not finite by the origin.
fn finite_points(points: &mut [Vec3], subject: &dyn Fn() -> String, report: &Report) {
    let mut bad = Tally::default();
    for (at, point) in points.iter_mut().enumerate() {
        if !point.is_finite() {
            *point = Vec3::ZERO;
            bad.add(true, at);
        }
    }
    report.note_many(NoteKind::NotFinite, Place::File, bad.count, || {
        format!("point {} of {} isn't finite", bad.first, subject())
    });
}

/// Counts occurrences of one finding and remembers the first, so that a loop over vertices takes
/// no lock and builds no text.
#[derive(Default)]
struct Tally {
    count: u64,
    first: u32,
}

impl Tally {
    /// Counts occurrence `at` where `happened`.
    fn add(&mut self, happened: bool, at: usize) {
        if happened {
            if self.count == 0 {
                self.first = u32::try_from(at).unwrap_or(u32::MAX);
            }
            self.count += 1;
        }
    }
}
