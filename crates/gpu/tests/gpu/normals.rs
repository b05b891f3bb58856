//! Normals and tangents by each normal matrix are the same on the GPU and the CPU, and the matrix can be
//! changed for an uploaded scene.

use rigscope_core::model::MeshId;
use rigscope_core::model::*;
use rigscope_core::pose::{Normals, PoseSpec, SkinnedMesh, skin_model};
use rigscope_gpu::{Renderer, Scene};

use super::full_models::*;
use super::gpu;
use super::models::{PLAIN, Random, Recipe};
use super::skinning::compare;

const RULES: [NormalMatrix; 4] = [
    NormalMatrix::InverseTranspose,
    NormalMatrix::Same,
    NormalMatrix::Cofactor,
    NormalMatrix::InverseTransposePerBone,
];

fn compare_rules(mut model: Model, what: &str) {
    let gpu = gpu();
    let renderer = Renderer::new(gpu);
    let playing = PoseSpec::linear(ClipId(0), 0.137);
    let has_sums = model.meshes.iter().any(|mesh| matches!(mesh.skin, Skin::InverseBind(_)));
    for rule in RULES {
        model.normal_matrix = rule;
        let mut scene = Scene::upload(gpu, &renderer, &model, &Report::new()).unwrap();
        for pose in [playing, PoseSpec::default(), playing] {
            for normals in [Normals::Runtime, Normals::Exact, Normals::Runtime] {
                let spec = PoseSpec { normals, ..pose };
                let what = format!("{what} {rule:?} {spec:?}");
                compare(&model, &mut scene, &renderer, &spec, &what);
            }
        }
        let exact = PoseSpec { normals: Normals::Exact, ..playing };
        let apart = farthest_deg(&skin_model(&model, &playing), &skin_model(&model, &exact));
        let differ = match rule {
            NormalMatrix::InverseTranspose => false,
            NormalMatrix::InverseTransposePerBone => has_sums,
            _ => true,
        };
        assert_eq!(apart > 5.0, differ, "{what} {rule:?}: {apart} degrees");
    }
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}

/// The largest angle between corresponding normals or tangents.
fn farthest_deg(a: &[SkinnedMesh], b: &[SkinnedMesh]) -> f32 {
    let directions = |mesh: &SkinnedMesh| {
        let tangents = mesh.tangents.iter().map(|t| t.truncate());
        mesh.normals.iter().copied().chain(tangents).collect::<Vec<_>>()
    };
    let pairs = a.iter().zip(b);
    let pairs = pairs.flat_map(|(a, b)| directions(a).into_iter().zip(directions(b)));
    let angles = pairs.map(|(a, b)| a.cross(b).length().atan2(a.dot(b)).to_degrees());
    angles.fold(0.0, f32::max)
}

const PACKED: Recipe = Recipe { seed: 61, num_vertices: 1000, num_bones: 30, num_keys: 7, ..PLAIN };

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn packed_vertices_support_all_normal_matrices() {
    for has_hierarchy in [false, true] {
        let recipe = Recipe { has_hierarchy, ..PACKED };
        compare_rules(recipe.model(), "packed");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn packed_vertices_on_one_bone_support_all_normal_matrices() {
    let mut model = Recipe { has_hierarchy: true, ..PACKED }.model();
    model.meshes[MeshId(0)].skin = Skin::None;
    let bones = (0..model.skeleton.len()).map(BoneId::from_index);
    // A bone with a nonuniform scale.
    let mut bones = bones.filter(|bone| {
        let mut other = model.clone();
        other.normal_matrix = NormalMatrix::Cofactor;
        other.meshes[MeshId(0)].attached_to = Some(*bone);
        let spec = PoseSpec::linear(ClipId(0), 0.137);
        let exact = PoseSpec { normals: Normals::Exact, ..spec };
        farthest_deg(&skin_model(&other, &spec), &skin_model(&other, &exact)) > 5.0
    });
    model.meshes[MeshId(0)].attached_to = bones.next();
    assert!(model.meshes[MeshId(0)].attached_to.is_some(), "one mirrors");
    compare_rules(model, "packed on one bone");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn influence_rows_support_all_normal_matrices() {
    compare_rules(FULL.model(), "rows");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn dual_quaternions_support_all_normal_matrices() {
    for blending in [Blending::DualQuaternion, Blending::Mixed(vec![0.5; FULL.num_vertices])] {
        let recipe = FullRecipe { blending, ..FULL };
        compare_rules(recipe.model(), "dual quaternions");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn bone_local_copies_support_all_normal_matrices() {
    let random = &mut Random::new(62);
    let mut model = FULL.model();
    model.meshes[MeshId(0)].skin = random_copies(random, FULL.num_vertices, FULL.num_bones);
    compare_rules(checked(model), "bone local");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn morph_targets_and_rigid_meshes_support_all_normal_matrices() {
    let random = &mut Random::new(63);
    let mut model = FULL.model();
    model.meshes[MeshId(0)].morph_targets = targets(random, FULL.num_vertices);
    let mut rigid = model.meshes[MeshId(0)].clone();
    rigid.skin = Skin::None;
    rigid.attached_to = Some(BoneId(4));
    model.meshes.push(rigid);
    compare_rules(checked(model), "shapes");
}

/// Models as runtimes play them: normals that also follow the node of their mesh, and morph offsets whose sum is rounded.
#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn played_models_are_the_same_on_the_gpu_and_the_cpu() {
    let gpu = gpu();
    let renderer = Renderer::new(gpu);
    let mut model = FULL.model();
    let random = &mut Random::new(97);
    model.meshes[MeshId(0)].morph_targets = targets(random, FULL.num_vertices);
    model.clips[ClipId(0)].morph_tracks = morph_clip(0).morph_tracks;
    model.normal_matrix = NormalMatrix::SameIfSkinned;
    model.meshes[MeshId(0)].rounds_morphs = true;
    let playing = PoseSpec::linear(ClipId(0), 0.137);
    let mut plain = model.clone();
    plain.meshes[MeshId(0)].rounds_morphs = false;
    let with = |model: &Model, normals: SkinNormals| {
        let mut other = model.clone();
        let Skin::InverseBind(skin) = &mut other.meshes[MeshId(0)].skin else { panic!("no skin") };
        skin.normals = normals;
        other
    };
    let apart =
        |model: &Model| farthest_deg(&skin_model(model, &playing), &skin_model(&plain, &playing));
    // A bone with a nonuniform scale.
    let node = (0..model.skeleton.len())
        .map(|bone| SkinNormals::ThenNode(BoneId::from_index(bone)))
        .find(|normals| apart(&with(&plain, *normals)) > 5.0);
    for normals in [SkinNormals::Same, SkinNormals::InverseTranspose, node.unwrap()] {
        model = with(&model, normals);
        let mut scene = Scene::upload(gpu, &renderer, &model, &Report::new()).unwrap();
        for spec in [playing, PoseSpec::default(), PoseSpec { normals: Normals::Exact, ..playing }]
        {
            compare(&model, &mut scene, &renderer, &spec, &format!("{normals:?} {spec:?}"));
        }
        let apart = apart(&model);
        assert_eq!(apart > 5.0, normals != SkinNormals::Same, "{normals:?}: {apart} degrees");
    }
    let positions = |model: &Model| skin_model(model, &playing)[0].positions.clone();
    assert_ne!(positions(&model), positions(&plain));
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}
