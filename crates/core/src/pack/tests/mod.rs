//! Packing small models made in code.

use crate::model::{ClipId, MeshId};
use glam::{Affine3A, Mat4, Quat, Vec2, Vec3, Vec4};

mod deviation;

use super::*;
use crate::measure::{MeasureOptions, measure};
use crate::model::testing::*;
use crate::reshape::{ReshapeError, SamplingLimit};

fn bone(name: &str, parent: Option<u32>, x: f32) -> Bone {
    crate::model::testing::bone(name, parent, Vec3::X * x)
}

/// A triangle on bones, with lists of slots and weights.
fn mesh(name: &str, binds: &[(u32, Mat4)], lists: [&[(u32, f32)]; 3]) -> Mesh {
    let triangle = ModelBuilder::new().triangle().name(name).normal(Vec3::Z);
    triangle.skin(skin(binds, lists)).into_mesh()
}

/// A clip in which `bone` rotates about z.
fn turn(bone: u32) -> Clip {
    let keys = linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(2.0))]);
    ModelBuilder::new().clip("turn", 1.0).rotation(bone, keys).into_clip()
}

fn model(meshes: Vec<Mesh>, bones: Vec<Bone>, clips: Vec<Clip>) -> Model {
    Model {
        meshes: meshes.into(),
        skeleton: Skeleton::new(bones, true).unwrap(),
        clips: clips.into(),
        ..Model::default()
    }
}

const HIERARCHY: PackOptions = PackOptions {
    hierarchy: true,
    last_bones: false,
    rate: Some(30.0),
    scale: 1.0,
    uv_tiles: UvTiles::Move,
    v_up: false,
    as_tool: false,
    never_split: false,
    sampling: SamplingLimit::USUAL,
};

fn baked() -> PackOptions {
    PackOptions { rate: Some(30.0), ..PackOptions::default() }
}

/// Packs into one model, and also returns the largest distance from the source.
fn packed(model: &Model, options: &PackOptions) -> (Packing, f32) {
    let packing = pack(model, options, &Report::new()).unwrap();
    assert_eq!(packing.parts.len(), 1);
    let measured = measure(&packing.job(model), MeasureOptions::default(), &Report::new()).unwrap();
    #[expect(clippy::cast_possible_truncation, reason = "of single precision")]
    let max = measured.max_at_keys() as f32;
    (packing, max)
}

fn vertices(packing: &Packing) -> &PackedVertices {
    crate::model::testing::packed(&packing.parts[0].model.meshes[MeshId(0)])
}

fn names(packing: &Packing) -> Vec<&str> {
    let bones = packing.parts[0].model.skeleton.bones().iter();
    bones.map(|bone| bone.name.as_str()).collect()
}

#[test]
fn unused_bones_are_dropped_unless_requested() {
    let bones = vec![
        bone("root", None, 0.0),
        bone("arm", Some(0), 1.0),
        bone("hand", Some(1), 1.0),
        bone("other", Some(0), 0.0),
    ];
    let bind = Mat4::from_translation(-Vec3::X);
    let model = model(vec![mesh("a", &[(1, bind)], [ONE; 3])], bones, vec![turn(0)]);
    assert_eq!(names(&packed(&model, &baked()).0), ["arm"]);
    let last = PackOptions { last_bones: true, ..baked() };
    assert_eq!(names(&packed(&model, &last).0), ["arm", "hand"]);
    let (with_parents, error) = packed(&model, &HIERARCHY);
    assert_eq!(names(&with_parents), ["root", "arm"]);
    assert!(error < 1e-6, "{error}");
    let all = PackOptions { last_bones: true, ..HIERARCHY };
    assert_eq!(names(&packed(&model, &all).0).len(), 4);
}

#[test]
fn helper_bones_are_merged_into_their_children() {
    let mut helper = bone("helper", Some(0), 3.0);
    helper.kind = BoneKind::Helper;
    let bones = vec![bone("root", None, 1.0), helper, bone("tip", Some(1), 0.5)];
    let model = model(vec![mesh("a", &[(2, Mat4::IDENTITY)], [ONE; 3])], bones, vec![turn(1)]);
    let (packing, error) = packed(&model, &HIERARCHY);
    assert_eq!(names(&packing), ["root", "tip"]);
    assert_eq!(packing.parts[0].model.skeleton.bones()[BoneId(1)].parent, Some(BoneId(0)));
    assert!(error < 1e-6, "{error}");
}

#[test]
fn mesh_with_another_bind_pose_is_moved_or_its_bones_are_duplicated() {
    let bones = || vec![bone("a", None, 0.0), bone("b", Some(0), 1.0)];
    let moved = Mat4::from_translation(Vec3::new(0.0, 5.0, 0.0));
    let binds = [(0, Mat4::IDENTITY), (1, Mat4::from_translation(-Vec3::X))];
    let lists: [&[(u32, f32)]; 3] = [ONE, &[(0, 0.5), (1, 0.5)], &[(1, 1.0)]];
    let elsewhere = binds.map(|(bone, bind)| (bone, bind * moved));
    let meshes = vec![mesh("one", &binds, lists), mesh("two", &elsewhere, lists)];
    let both = model(meshes, bones(), vec![turn(1)]);
    for options in [baked(), HIERARCHY] {
        let (packing, error) = packed(&both, &options);
        assert_eq!(names(&packing), ["a", "b"], "the second mesh was moved");
        assert!(error < 0.03, "weights of a half are 128 and 127: {error}");
    }
    let twisted = [binds[0], (1, binds[1].1 * moved)];
    let meshes = vec![mesh("one", &binds, lists), mesh("two", &twisted, lists)];
    let both = model(meshes, bones(), vec![turn(1)]);
    for options in [baked(), HIERARCHY] {
        let (packing, error) = packed(&both, &options);
        assert_eq!(names(&packing), ["a", "b", "b_rigscope_copy"]);
        assert_eq!(packing.changed.num_doubled_bones, 1);
        assert!(error < 0.03, "weights of a half are 128 and 127: {error}");
    }
}

#[test]
fn dropped_influences_are_counted_with_their_displacement() {
    let bones: Vec<_> = (0..6).map(|i| bone(&format!("b{i}"), None, 0.0)).collect();
    let binds: Vec<_> = (0..6).map(|i| (i, Mat4::IDENTITY)).collect();
    let five: &[(u32, f32)] = &[(0, 0.3), (1, 0.2), (2, 0.2), (3, 0.2), (4, 0.1)];
    let faint: &[(u32, f32)] = &[(0, 0.3), (1, 0.3), (2, 0.2), (3, 0.2), (4, 1e-4)];
    let model = model(vec![mesh("a", &binds, [ONE, five, faint])], bones, vec![turn(4)]);
    let (packing, error) = packed(&model, &baked());
    assert_eq!(packing.dropped.num_cut_vertices, 1, "weights that round to 0 aren't losses");
    assert!((packing.dropped.worst_share - 0.1).abs() < 1e-6);
    // The fifth bone rotates (1, 0, 0) by 2 radians, with a tenth of the weight.
    let moved = 0.1 * 2.0 * 1.0f32.sin();
    assert!((packing.dropped.displacement - moved).abs() < 1e-3);
    assert!((error - moved).abs() < 0.01, "{error}");
    assert!(packing.dropped.is_any());
}

#[test]
fn morphs_use_default_weights_and_bone_local_positions_are_combined() {
    let mut shaped = mesh("a", &[(0, Mat4::IDENTITY)], [ONE; 3]);
    shaped.morph_targets =
        vec![MorphTarget { default_weight: 0.5, ..morph("up", &[(1, Vec3::Y)]) }];
    let copies = bone_local(Vec3::Z, &[&[(0, 0.5, Vec3::X), (1, 0.5, Vec3::Y)]]);
    let local = ModelBuilder::new().mesh([Vec3::ZERO]).normal(Vec3::Z).skin(copies).into_mesh();
    let bones = vec![bone("a", None, 0.0), bone("b", Some(0), 2.0)];
    let model = model(vec![shaped, local], bones, Vec::new());
    let (packing, error) = packed(&model, &baked());
    assert!(error < 1e-6, "{error}");
    assert_eq!(packing.dropped.num_morph_targets, 1);
    assert_eq!(packing.dropped.num_bone_local_meshes, 1);
    let positions: Vec<Vec3> = vertices(&packing).iter().map(|v| v.position).collect();
    assert_eq!(positions[1], Vec3::new(1.0, 0.5, 0.0));
    assert!(positions[3].distance(Vec3::new(1.5, 0.5, 0.0)) < 1e-6);
}

#[test]
fn unweighted_vertices_get_a_static_bone() {
    let lists: [&[(u32, f32)]; 3] = [&[], &[(0, 1.0)], &[(0, 0.0)]];
    let model = model(
        vec![mesh("cape", &[(0, Mat4::IDENTITY)], lists)],
        vec![bone("a", None, 0.0)],
        vec![turn(0)],
    );
    for options in [baked(), HIERARCHY] {
        let (packing, error) = packed(&model, &options);
        assert_eq!(names(&packing), ["a", "_rigscope_still"]);
        assert_eq!(packing.changed.num_unweighted, 2);
        assert!(vertices(&packing).iter().all(|v| v.weight_sum() == 255));
        assert!(error < 1e-6, "{error}");
    }
}

#[test]
fn equal_vertices_are_welded_and_triangles_are_grouped_by_material() {
    let with = |first, second| Mesh {
        indices: Indices::U32(vec![0, 1, 2, 2, 1, 0]),
        subsets: subsets_of(&[(3, Some(first)), (3, Some(second))]),
        ..mesh("", &[(0, Mat4::IDENTITY)], [ONE; 3])
    };
    let mut model = model(vec![with(2, 0), with(0, 2)], vec![bone("a", None, 0.0)], Vec::new());
    model.materials = ["hair", "unused", "skin"]
        .map(|name| Material { name: name.into(), ..Material::default() })
        .to_vec()
        .into();
    let (packing, _) = packed(&model, &baked());
    assert_eq!((vertices(&packing).len(), packing.changed.num_welded), (3, 3));
    let packed = &packing.parts[0].model;
    let names: Vec<&str> = packed.materials.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["skin", "hair"]);
    let mesh = &packed.meshes[MeshId(0)];
    for (number, subset) in mesh.subsets.iter().enumerate() {
        assert_eq!(subset.material, Some(MaterialId::from_index(number)));
    }
    let indices: Vec<u32> = mesh.indices.iter().collect();
    assert_eq!(indices, [0, 1, 2, 2, 1, 0, 2, 1, 0, 0, 1, 2]);
}

#[test]
fn tangents_are_generated_and_mirrored_seams_are_split() {
    // The second triangle is the first one mirrored at the y axis, with the same texture.
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, -Vec3::X];
    let mirrored = ModelBuilder::new()
        .mesh(corners)
        .indices([0, 1, 2, 0, 2, 3])
        .normal(Vec3::Z)
        .uvs([Vec2::Y, Vec2::ONE, Vec2::ZERO, Vec2::ONE])
        .skin(skin(&[(0, Mat4::IDENTITY)], [ONE; 4]))
        .into_mesh();
    let model = model(vec![mirrored], vec![bone("a", None, 0.0)], Vec::new());
    let (packing, _) = packed(&model, &baked());
    assert_eq!(packing.changed.num_meshes_with_new_tangents, 1);
    let mesh = &packing.parts[0].model.meshes[MeshId(0)];
    assert_eq!(mesh.num_vertices(), 6, "the shared edge is doubled");
    let sign = |triangle: usize| {
        let corners = mesh.triangles(0..6).nth(triangle).unwrap();
        corners.map(|corner| mesh.tangent(corner as usize).unwrap().w)
    };
    assert_eq!((sign(0), sign(1)), ([1.0; 3], [-1.0; 3]));
    let tangent: Vec4 = mesh.tangent(0).unwrap();
    assert!(tangent.truncate().distance(Vec3::X) < 1e-2);
}

#[test]
fn static_model_has_one_key_in_tool_compatible_mode() {
    let mut still = turn(0);
    still.motion = Motion::Tracks(Vec::new());
    let make = |clips| {
        let mesh = mesh("", &[(0, Mat4::IDENTITY)], [ONE; 3]);
        model(vec![mesh], vec![bone("a", None, 0.0)], clips)
    };
    let tool = PackOptions { as_tool: true, ..baked() };
    let clips = |model: &Model, options: &PackOptions| -> Vec<(String, usize)> {
        let (packing, _) = packed(model, options);
        let clips = packing.parts[0].model.clips.iter();
        clips.map(|clip| (clip.name.clone(), clip.as_sampled().unwrap().keys.num_keys())).collect()
    };
    let of = |name: &str, num_keys| vec![(name.to_owned(), num_keys)];
    assert_eq!(clips(&make(vec![still.clone()]), &tool), of("static", 1));
    assert_eq!(clips(&make(vec![still]), &baked()), of("turn", 31));
    assert_eq!(clips(&make(vec![turn(0)]), &tool), of("turn", 31));
    assert_eq!(clips(&make(Vec::new()), &baked()), of("static", 1));
    let internal = Clip { name: "(internal)".into(), ..turn(0) };
    assert_eq!(clips(&make(vec![internal, turn(0)]), &tool), of("turn", 31));
}

#[test]
fn more_than_256_bones_are_split_or_refused_if_splitting_is_disabled() {
    let bones: Vec<_> = (0..300).map(|i| bone(&format!("b{i}"), None, i as f32)).collect();
    let meshes = (0..300).map(|bone| Mesh {
        skin: Skin::None,
        attached_to: Some(BoneId(bone)),
        subsets: subsets_of(&[(3, Some(bone / 100))]),
        ..mesh("", &[], [&[]; 3])
    });
    let mut model = model(meshes.collect(), bones, Vec::new());
    model.materials = vec![Material::default(); 3].into();
    for hierarchy in [false, true] {
        let options = PackOptions { hierarchy, ..baked() };
        let packing = pack(&model, &options, &Report::new()).unwrap();
        let num_bones: Vec<_> = packing.parts.iter().map(|p| p.model.skeleton.len()).collect();
        assert_eq!(num_bones, [200, 100]);
        let measured =
            measure(&packing.job(&model), MeasureOptions::default(), &Report::new()).unwrap();
        assert!(measured.max_at_keys() < 1e-4 && measured.worst.is_some());
        let never = PackOptions { never_split: true, ..options };
        assert_eq!(
            pack(&model, &never, &Report::new()).unwrap_err(),
            ReshapeError::TooMany { what: "bones", count: 300, limit: 256 }
        );
    }
}

#[test]
fn scale_and_v_direction_options_are_applied() {
    let mut rigid = mesh("", &[], [&[]; 3]);
    rigid.skin = Skin::None;
    rigid.attached_to = Some(BoneId(0));
    let model = model(vec![rigid], vec![bone("a", None, 2.0)], vec![turn(0)]);
    let options = PackOptions { scale: 10.0, v_up: true, ..baked() };
    let (packing, error) = packed(&model, &options);
    assert!(error < 1e-4);
    assert_eq!(vertices(&packing).get(1).unwrap().position, Vec3::X * 10.0);
    assert_eq!(vertices(&packing).get(1).unwrap().uv, [0, 0], "there are no UVs");
    let motion = packing.parts[0].model.clips[ClipId(0)].as_sampled().unwrap();
    let first = motion.keys.matrix(0, 0).unwrap();
    assert!(first.abs_diff_eq(Affine3A::from_translation(Vec3::X * 20.0), 1e-5));
}

#[test]
fn packing_can_be_cancelled() {
    let cancel = crate::model::CancelToken::default();
    cancel.cancel();
    let report = Report::with_progress(|_| {}, cancel);
    let made = pack(&Model::default(), &baked(), &report);
    assert_eq!(made.unwrap_err(), ReshapeError::Cancelled);
}

#[test]
fn missing_normals_are_generated_and_sharp_edges_are_split() {
    // A second triangle is on the edge from 0 to 1, perpendicular to the first.
    let source = ModelBuilder::new()
        .mesh([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z])
        .name("bare")
        .indices([0, 1, 2, 1, 0, 3])
        .skin(skin(&[(0, Mat4::IDENTITY)], [ONE; 4]))
        .into_mesh();
    let with = mesh("lit", &[(0, Mat4::IDENTITY)], [ONE; 3]);
    let source = model(vec![source, with], vec![bone("a", None, 0.0)], vec![]);
    let (packing, error) = packed(&source, &baked());
    assert_eq!(packing.changed.num_meshes_with_new_normals, 1);
    assert!(error < 1e-6);
    let packed = vertices(&packing);
    // 6 corners of the first mesh; those of the second equal three of them.
    assert_eq!(packed.len(), 6);
    let normal = |v: Vec3| packed.iter().filter(|p| p.normal_decoded().distance(v) < 0.01).count();
    assert_eq!((normal(Vec3::Z), normal(Vec3::Y)), (3, 3));
}
