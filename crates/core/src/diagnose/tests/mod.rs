//! The search on small models made by hand.
//!
//! | file | contents |
//! |---|---|
//! | `faults` | faults of each cause, and that undoing them restores the model |
//! | `evidence` | faults that each kind of evidence shows |
//! | `models` | other good models |

mod evidence;
mod faults;
mod models;

use glam::{Affine3A, Mat4, Quat, Vec2, Vec3, Vec4};

use super::edit::*;
use super::posed::Posed;
use super::reference::Reference;
use super::specimen::Specimen;
use crate::model::testing::*;
use crate::model::{BoneId, ClipId, LocalTransform, MeshId, Model, Trs};
use crate::pose::{Moment, PoseSpec, sample};
use crate::reshape::plain;

const NUM_BONES: u32 = 8;
const NUM_SIDES: u32 = 12;
const RINGS_PER_BONE: u32 = 5;
const NUM_RINGS: u32 = (NUM_BONES - 1) * RINGS_PER_BONE + 1;

fn at_rest() -> PoseSpec {
    PoseSpec { moment: Moment::Rest, ..PoseSpec::default() }
}

fn rest(bone: u32) -> Trs {
    // The last bones turn back.
    let amount = if bone < 5 { bone as f32 + 1.0 } else { bone as f32 - 8.0 };
    let turn = Quat::from_scaled_axis(Vec3::new(0.1, 0.2, -0.15) * amount * 0.5);
    Trs { translation: Vec3::new(0.1, 1.0, 0.05), rotation: turn, scale: Vec3::ONE }
}

/// A closed tube around a chain of bones, with a morph target and a clip.
fn tube() -> Model {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let mut builder = ModelBuilder::new();
    for (at, name) in (0..NUM_BONES).zip(names) {
        builder = builder.bones(&[(name, at.checked_sub(1), Vec3::ZERO)]);
        builder = builder.rest(LocalTransform::Trs(rest(at)));
    }
    let skeleton = builder.clone().build();
    let world = sample(&skeleton, &at_rest()).model_from_bone;
    let (mut points, mut normals, mut uvs, mut lists) = (vec![], vec![], vec![], vec![]);
    for ring in 0..NUM_RINGS {
        let bone = (ring / RINGS_PER_BONE).min(NUM_BONES - 2);
        let share = (ring - bone * RINGS_PER_BONE) as f32 / RINGS_PER_BONE as f32;
        let [from, to] = [bone, bone + 1].map(|bone| Vec3::from(world[BoneId(bone)].translation));
        let end = if ring == 0 || ring == NUM_RINGS - 1 { 0.0 } else { 0.3 };
        for side in 0..NUM_SIDES {
            let angle = side as f32 / NUM_SIDES as f32 * std::f32::consts::TAU;
            let out = Vec3::new(angle.cos(), 0.0, angle.sin());
            points.push(from.lerp(to, share) + out * end);
            normals.push(out);
            uvs.push(Vec2::new(side as f32 / NUM_SIDES as f32, 0.1 + 0.03 * ring as f32));
            lists.push(vec![(bone, 1.0 - share), (bone + 1, share)]);
        }
    }
    let mut corners = Vec::new();
    for (ring, side) in
        (0..NUM_RINGS - 1).flat_map(|ring| (0..NUM_SIDES).map(move |side| (ring, side)))
    {
        let at = |ring: u32, side: u32| ring * NUM_SIDES + side % NUM_SIDES;
        let [a, b] = [at(ring, side), at(ring, side + 1)];
        let [c, d] = [at(ring + 1, side), at(ring + 1, side + 1)];
        corners.extend([a, c, b, b, c, d]);
    }
    let binds: Vec<(u32, Mat4)> =
        (0..NUM_BONES).map(|bone| (bone, Mat4::from(world[BoneId(bone)].inverse()))).collect();
    let moved: Vec<(u32, Vec3)> = (60..120).map(|at| (at, Vec3::new(0.05, 0.02, 0.0))).collect();
    let num = points.len();
    builder = builder
        .mesh(points)
        .normals(normals)
        .uvs(uvs)
        .indices(corners)
        .skin(skin(&binds, lists))
        .morph("smile", &moved)
        .edit(|mesh| streams_mut(mesh).tangents = vec![Vec4::new(0.0, 1.0, 0.0, 1.0); num])
        .clip("walk", 1.0);
    for bone in 0..NUM_BONES {
        let own = rest(bone);
        let key = |at: u32| f64::from(at) / 10.0;
        let turn = |at: u32| own.rotation * Quat::from_rotation_x((at as f32 * 0.6).sin() * 0.3);
        builder = builder
            .translation(bone, linear((0..11).map(|at| (key(at), own.translation))))
            .rotation(bone, linear((0..11).map(|at| (key(at), turn(at)))))
            .scale(bone, linear([(0.0, Vec3::ONE)]));
    }
    plain(&builder.build(), None)
}

fn binds(model: &mut Model, change: impl Fn(BoneId, Mat4) -> Mat4) {
    map_binds(model, &[MeshId(0)], change);
}

fn translations(model: &mut Model, change: impl Fn(Vec3) -> Vec3) {
    map_tracks(model, |_, _| true, |track| map_translations(track, &change));
}

fn rotations(model: &mut Model, change: impl Fn(Quat) -> Quat) {
    map_tracks(model, |_, _| true, |track| map_rotations(track, &change));
}

/// The keys of a rotation track.
fn rotation_of(model: &mut Model, bone: u32) -> &mut Vec<Quat> {
    let tracks = tracks_mut(&mut model.clips[ClipId(0)]);
    let own = tracks.iter_mut().find(|track| track.bone == BoneId(bone)).unwrap();
    &mut own.rotation.as_mut().unwrap().values
}

/// Changes the influences of all vertices, given the vertex and its row.
fn influences_by_row(model: &mut Model, change: impl Fn(usize, &mut Vec<(u32, f32)>)) {
    influences(model).map_rows(change);
}

/// All values that faults change.
fn values(model: &Model) -> Vec<f32> {
    let mut all: Vec<f32> = Vec::new();
    for bone in model.skeleton.bones() {
        all.extend(bone.rest_local.to_affine().to_cols_array());
    }
    for mesh in &model.meshes {
        let own = streams(mesh);
        all.extend(own.positions.iter().chain(&own.normals).flat_map(|at| at.to_array()));
        all.extend(own.tangents.iter().flat_map(|at| at.to_array()));
        all.extend(own.uv_sets.iter().flat_map(|set| &set.coords).flat_map(|uv| uv.to_array()));
        all.extend(mesh.indices.iter().map(|at| at as f32));
        if let Some(skin) = mesh.inverse_bind() {
            all.extend(skin.bones.iter().map(|bone| bone.0 as f32));
            all.extend(skin.bone_from_mesh.iter().flat_map(|bind| bind.to_cols_array()));
        }
        for vertex in 0..mesh.num_vertices() {
            let mut weights = [0.0; NUM_BONES as usize];
            mesh.for_each_influence(vertex, |bone, weight| weights[bone.index()] += weight);
            all.extend(weights);
        }
        let shapes = mesh.morph_targets.iter().flat_map(|target| &target.shapes);
        all.extend(shapes.flat_map(|shape| &shape.position_offsets).flat_map(|at| at.to_array()));
    }
    for clip in &model.clips {
        all.extend([clip.start_secs, clip.duration_secs].map(super::evidence::single));
        for track in tracks(clip) {
            all.extend(track.times().flatten().map(|secs| super::evidence::single(*secs)));
            let vectors = track.translation.iter().chain(&track.scale).flat_map(|own| &own.values);
            all.extend(vectors.flat_map(|value| value.to_array()));
            // The negative of all keys is the same motion.
            let keys = || track.rotation.iter().flat_map(|own| &own.values);
            let sign = keys().next().map_or(1.0, |first| first.w.signum());
            all.extend(keys().flat_map(|key| (*key * sign).to_array()));
        }
    }
    all
}

fn is_same(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-3 * b.abs().max(1.0))
}

/// The values of a kind of evidence, in comparison with `good` if it needs a reference, and the items that are
/// suspicious.
fn measured(
    case: &mut Specimen,
    evidence: &super::Evidence,
    good: &Model,
) -> (Vec<f64>, Vec<usize>) {
    if evidence.is_from_reference() {
        case.reference = Some(Reference::new(&case.model, &case.samples, good));
    }
    let values = (evidence.measure)(case, &Posed::new(&case.model));
    let items = (0..values.len()).filter(|at| evidence.is_suspicious(values[*at])).collect();
    (values, items)
}

fn of_name(name: &str) -> &'static super::Evidence {
    super::evidence::ALL.iter().find(|own| own.name == name).unwrap()
}

/// The names of the causes, and whether the first only estimates the right values.
fn named(model: &Model, reference: Option<&Model>) -> (Vec<&'static str>, bool) {
    let context = super::Context { reference, ..super::Context::default() };
    let found = super::diagnose(model, context, &crate::model::Report::new()).unwrap();
    let is_estimate = found.causes.first().is_some_and(|cause| cause.is_estimate);
    (found.causes.iter().map(|cause| cause.info.name).collect(), is_estimate)
}

/// Gives each vertex the influences of another.
fn moved_influences(model: &mut Model) {
    let num = model.meshes[MeshId(0)].num_vertices();
    let moved = influences(model).of_vertices((0..num).map(|at| (at + num / 2) % num));
    *influences(model) = moved;
}

fn influences(model: &mut Model) -> &mut crate::model::Influences {
    &mut inverse_bind_mut(&mut model.meshes[MeshId(0)]).influences
}

#[test]
fn weights_that_are_moved_along_the_vertices_are_moved_back() {
    let mut faulty = tube();
    moved_influences(&mut faulty);
    assert_eq!(named(&faulty, None), (vec!["weights-of-other-vertices"], false));
    assert_eq!(named(&faulty, Some(&tube())), (vec!["weights-of-other-vertices"], false));
}

#[test]
fn vertices_without_weights_are_named_but_only_a_reference_has_the_right_ones() {
    let mut faulty = tube();
    let num = faulty.meshes[MeshId(0)].num_vertices();
    influences(&mut faulty).map_rows(|vertex, row| {
        if vertex * 4 / num == 2 {
            row.clear();
        }
    });
    assert_eq!(named(&faulty, None), (vec!["vertices-without-weights"], true));
    let (names, is_estimate) = named(&faulty, Some(&tube()));
    assert!(!names.is_empty() && !is_estimate, "{names:?}");
}

#[test]
fn a_bind_space_that_the_inverse_bind_matrices_take_back_is_no_fault() {
    let mut stored = tube();
    let stored_from_mesh = Affine3A::from_scale_rotation_translation(
        Vec3::splat(0.025),
        Quat::from_rotation_x(1.0),
        Vec3::new(3.0, -1.0, 2.0),
    );
    let mesh = &mut stored.meshes[MeshId(0)];
    let back = Mat4::from(stored_from_mesh.inverse());
    inverse_bind_mut(mesh).bone_from_mesh.iter_mut().for_each(|bind| *bind *= back);
    mesh.morph_targets.clear();
    let own = streams_mut(mesh);
    own.positions.iter_mut().for_each(|at| *at = stored_from_mesh.transform_point3(*at));
    let rotation = Quat::from_rotation_x(1.0);
    own.normals.iter_mut().for_each(|normal| *normal = rotation * *normal);
    own.tangents.iter_mut().for_each(|tangent| {
        *tangent = (rotation * tangent.truncate()).extend(tangent.w);
    });
    let mut original = tube();
    original.meshes[MeshId(0)].morph_targets.clear();
    assert_eq!(named(&stored, None), (vec![], false));
    assert_eq!(named(&stored, Some(&original)), (vec![], false));
}

#[test]
fn a_rest_pose_that_differs_from_the_bind_pose_is_no_fault() {
    let mut posed = tube();
    map_rest(&mut posed, |bone, trs| Trs {
        rotation: trs.rotation * Quat::from_rotation_x(0.2 * bone.0 as f32),
        ..trs
    });
    posed.clips.as_mut_vec().clear();
    assert_eq!(named(&posed, None), (vec![], false));
}
