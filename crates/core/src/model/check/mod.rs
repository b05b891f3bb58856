//! Validation after every reader and before every writer: its output can be trusted.
//!
//! For: finite numbers, indices in range, consistent influences, and a finding for every oddity.
//! Not for: judging the quality of an export; that is done by the rules of `validate`.
//!
//! Policy for all formats: a non-finite number is read as 0; an influence of a missing bone is removed, and listed in
//! `InverseBindSkin::outside`; weights are scaled to sum to 1 when they are used; a subset that reaches past the index
//! list is removed entirely; a triangle with a missing vertex becomes degenerate, so that the following triangles keep
//! their numbers. Packed arrays are copied only if one of these rules changes them; otherwise they remain views of the
//! file.

mod avatar;
mod clips;
mod curves;
mod influences;
mod loose;
mod morphs;
#[cfg(test)]
mod random;
mod triangles;
mod verify;
mod vertices;

pub use curves::{report_equal_times, report_unsorted_times};
pub use verify::verify;

use crate::model::as_u32;
use glam::Vec3;

use super::{
    BoneNoun, Environment, FindingKind, LocalTransform, MAX_PLACES, Model, Place, Report, counted,
    numbered, numbers, singular_or_plural,
};

/// Shorter axes count as scaled to 0. A hundredth of the value that exporters write instead of 0.
const MIN_SCALE: f32 = 1e-5;
/// Most names in one message.
const MAX_NAMES: usize = 4;

/// Reports every oddity of `model` and fixes the ones that later code can't handle.
///
/// Afterwards all indices are in range, all numbers finite and all influence lists consistent:
/// [`verify`] succeeds.
pub fn check(model: &mut Model, report: &Report) {
    let num_bones = model.skeleton.len();
    for (index, mesh) in model.meshes.iter_mut().enumerate() {
        let mesh_number = as_u32(index);
        vertices::check(mesh, mesh_number, report);
        influences::check(mesh, mesh_number, num_bones, report);
        morphs::check(mesh, mesh_number, report);
        // Before triangles, whose absence is only reported without loose geometry.
        loose::check(mesh, mesh_number, model.materials.len(), report);
        triangles::check(mesh, mesh_number, model.materials.len(), report);
    }
    if model.meshes.is_empty() {
        report.add(FindingKind::NoMesh, Place::File, "the model has no mesh");
    }
    materials(model, report);
    let bad = model.skeleton.reset_non_finite_rest();
    if let Some(&first) = bad.first() {
        report.add_many(FindingKind::NotFinite, Place::Bone(first.0), bad.len() as u64, || {
            let name = &model.skeleton.bones()[first].name;
            format!("the rest transform of {} isn't finite", numbered("bone", first.index(), name))
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
        report.add_many(FindingKind::NotFinite, Place::File, bad, || {
            let key = first / track.kind.num().max(1);
            format!("curve {:?}: the value of key {key} isn't finite", track.name)
        });
    }
    bones(model, report);
    collision(model, report);
    if let Some(mut own) = model.avatar.take() {
        avatar::check(&mut own, model);
        model.avatar = Some(own);
    }
    let unit = model.axes.unit_meters;
    model.axes.unit_meters = unit.filter(|unit| unit.is_finite() && *unit > 0.0);
    debug_assert_eq!(verify(model), Ok(()), "check must establish its invariants");
}

/// Reports bones without effect, bones that are hidden at rest, duplicate names, and meshes whose
/// bones have no common root.
fn bones(model: &Model, report: &Report) {
    let is_idle = super::stats::idle_bones(model);
    let mut names = std::collections::HashMap::new();
    // A skeleton without a mesh isn't expected to move anything.
    let has_skin = model.num_vertices() > 0 && model.bone_noun() == BoneNoun::Bone;
    for (id, bone) in model.skeleton.bones().iter_enumerated() {
        let place = Place::Bone(id.0);
        let title = || format!("{} {}", model.noun_of(id).one(), id.0);
        // Those of an avatar are used without moving a vertex: eyes, springs and colliders.
        let is_used = || model.avatar.as_ref().is_some_and(|avatar| avatar.uses(id));
        if has_skin && is_idle[id] && !is_used() {
            report.add_many(FindingKind::UnreferencedBone, place, 1, || {
                format!("{} moves no vertex, nor does any bone below it", titled(title(), bone))
            });
        }
        let scale = axis_lengths(&bone.rest_local);
        if !bone.is_helper() && scale.min_element() < MIN_SCALE {
            report.add_many(FindingKind::ZeroScaleBone, place, 1, || {
                let scale = scale.to_array().map(numbers::number).join(", ");
                format!(
                    "{} is scaled by {scale} in its rest pose, which hides everything below it",
                    titled(title(), bone)
                )
            });
        }
        if bone.name.is_empty() || bone.is_helper() {
            continue;
        }
        if let Some(first) = names.insert(bone.name.as_str(), id) {
            report.add_many(FindingKind::DuplicateName, place, 1, || {
                let other = model.noun_of(first).one();
                format!("{} and {other} {} are both named {:?}", title(), first.0, bone.name)
            });
        }
    }
    if !model.skeleton.has_hierarchy() || !has_skin {
        return;
    }
    for (number, mesh) in (0u32..).zip(&model.meshes) {
        let roots = super::stats::roots_of(model, mesh);
        report.add_many(
            FindingKind::SeveralRoots,
            Place::Mesh(number),
            u64::from(roots.len() > 1),
            || {
                let names: Vec<_> = roots
                    .iter()
                    .take(MAX_NAMES)
                    .map(|&root| model.skeleton.display_name(root))
                    .collect();
                let more = if roots.len() > MAX_NAMES { ", …" } else { "" };
                format!(
                    "the bones of mesh {number} have {} roots: {}{more}",
                    roots.len(),
                    names.join(", ")
                )
            },
        );
    }
}

/// `bone 3 "hand"`, without the name if it is empty.
fn titled(title: String, bone: &super::Bone) -> String {
    if bone.name.is_empty() { title } else { format!("{title} {:?}", bone.name) }
}

/// Lengths of a transform's axes, which scale all descendants.
fn axis_lengths(local: &LocalTransform) -> Vec3 {
    let matrix = local.to_affine().matrix3;
    Vec3::new(matrix.x_axis.length(), matrix.y_axis.length(), matrix.z_axis.length())
}

/// Removes references to missing images, and non-finite numbers.
fn materials(model: &mut Model, report: &Report) {
    let num_images = model.images.len();
    if let Some(environment) = &mut model.environment {
        let Environment { irradiance, prefiltered, split_sum } = environment;
        for image in [irradiance, prefiltered, split_sum] {
            *image = image.filter(|image| image.index() < num_images);
        }
    }
    let num_materials = model.materials.len();
    if let Some(effect) = &mut model.effect {
        effect.images.retain(|image| image.material.index() < num_materials);
        effect.unlisted_images.retain(|image| image.material.index() < num_materials);
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
            bad += look.replace_non_finite();
        }
        let place = Place::Material(as_u32(index));
        report.add_many(FindingKind::NotFinite, place, bad, || {
            format!("a property of material {:?} isn't a finite number", material.name)
        });
    }
}

/// Fixes hulls, the occlusion mesh and stored bounds.
fn collision(model: &mut Model, report: &Report) {
    if model.stored_bounds.is_some_and(|bounds| !bounds.is_finite()) {
        model.stored_bounds = None;
        let what = "the stored bounds aren't finite and are ignored";
        report.add(FindingKind::NotFinite, Place::File, what);
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
        report.add_many(FindingKind::IndexOutOfRange, Place::File, lost as u64, || {
            let refer = singular_or_plural(lost as u64, "refers", "refer");
            format!(
                "{} of the occlusion mesh {refer} to vertices that don't exist; it has {}",
                counted(lost as u64, "triangle"),
                counted(num as u64, "vertex")
            )
        });
        occluder.indices = kept;
    }
}

/// Replaces non-finite points by the origin.
fn finite_points(points: &mut [Vec3], subject: &dyn Fn() -> String, report: &Report) {
    let mut bad = Tally::default();
    for (at, point) in points.iter_mut().enumerate() {
        if !point.is_finite() {
            *point = Vec3::ZERO;
            bad.add(true, at);
        }
    }
    report.add_many(FindingKind::NotFinite, Place::File, bad.count, || {
        format!("point {} of {} isn't finite", bad.first, subject())
    });
}

/// Counts occurrences of one finding and stores the first ones, so that a loop over vertices takes
/// no lock and formats no text.
#[derive(Default)]
struct Tally {
    count: u64,
    first: u32,
    /// The first occurrences, at most [`MAX_PLACES`].
    all: Vec<u32>,
}

impl Tally {
    /// Counts occurrence `at` if `happened`.
    #[inline]
    fn add(&mut self, happened: bool, at: usize) {
        if happened {
            let at = as_u32(at);
            if self.count == 0 {
                self.first = at;
            }
            self.count += 1;
            // An element with two faults is a single place.
            if self.all.len() < MAX_PLACES && self.all.last() != Some(&at) {
                self.all.push(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::model::testing::*;

    fn findings(model: ModelBuilder) -> Vec<Finding> {
        let report = Report::new();
        super::check(&mut model.build(), &report);
        report.findings()
    }

    fn find(findings: &[Finding], kind: FindingKind) -> Option<&Finding> {
        findings.iter().find(|finding| finding.kind == kind)
    }

    /// A skeleton `root`, `arm`, `hand`, and the node `mesh` of a triangle skinned to the last
    /// joint.
    fn rig() -> ModelBuilder {
        let bones = ModelBuilder::new().bones(&[
            ("root", None, Vec3::ZERO),
            ("arm", Some(0), Vec3::X),
            ("hand", Some(1), Vec3::X),
        ]);
        let mesh = Bone { kind: BoneKind::Node, ..bone("mesh", None, Vec3::ZERO) };
        bones.add_bone(mesh).triangle().bound([[(2, 1.0)]; 3])
    }

    #[test]
    fn valid_skeleton_with_a_mesh_node_has_no_bone_findings() {
        let findings = findings(rig());
        for kind in
            [FindingKind::SeveralRoots, FindingKind::UnreferencedBone, FindingKind::ZeroScaleBone]
        {
            assert_eq!(find(&findings, kind), None);
        }
    }

    #[test]
    fn unused_branch_is_reported_by_its_topmost_bone() {
        let findings =
            findings(rig().bones(&[("ik", Some(0), Vec3::Y), ("ik_end", Some(4), Vec3::Y)]));
        let finding = find(&findings, FindingKind::UnreferencedBone).unwrap();
        assert_eq!((finding.place, finding.count), (Place::Bone(4), 2));
        assert_eq!(finding.message, "bone 4 \"ik\" moves no vertex, nor does any bone below it");
    }

    #[test]
    fn mesh_with_bones_in_two_trees_is_reported_with_their_roots() {
        let second = rig().bones(&[("tail", None, Vec3::Y)]);
        let findings = findings(second.triangle().bound([[(2, 0.5), (4, 0.5)]; 3]));
        let finding = find(&findings, FindingKind::SeveralRoots).unwrap();
        assert_eq!((finding.place, finding.count), (Place::Mesh(1), 1));
        assert_eq!(finding.message, "the bones of mesh 1 have 2 roots: root, tail");
    }

    #[test]
    fn bone_with_zero_rest_scale_is_reported_with_its_scale() {
        for scale in [Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0)] {
            let hidden = Trs { scale, ..Trs::IDENTITY };
            let hat =
                Bone { rest_local: LocalTransform::Trs(hidden), ..bone("hat", Some(2), Vec3::X) };
            let findings = findings(rig().add_bone(hat));
            let finding = find(&findings, FindingKind::ZeroScaleBone).unwrap();
            assert_eq!((finding.place, finding.count), (Place::Bone(4), 1));
            let Vec3 { x, y, z } = scale;
            let expected = format!(
                "bone 4 \"hat\" is scaled by {x}, {y}, {z} in its rest pose, which hides everything below it"
            );
            assert_eq!(finding.message, expected);
        }
    }

    #[test]
    fn a_static_scene_has_no_finding_about_bones_or_clips() {
        let scene = ModelBuilder::new().bones(&[("a", None, Vec3::X), ("b", None, Vec3::Y)]);
        assert_eq!(findings(scene.triangle().attached_to(0)), []);
    }
}
