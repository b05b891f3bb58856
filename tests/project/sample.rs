//! The embedded sample: made by the project's own code, sound, and the right way round.

#[path = "../../examples/make_sample/character/mod.rs"]
mod character;
#[path = "../../examples/make_sample/paint.rs"]
mod paint;

use glam::Vec3;
use rigscope_core::model::{ClipId, MeshId, Model, PartId, Report, Severity, TextureRole};
use rigscope_core::pose::{
    Moment, PoseSpec, Sampling, posed_bounds, sample, skin_model, skin_vertex,
};
use rigscope_io::formats::{ReadOptions, Source, open};

const ASSET: &[u8] = include_bytes!("../../assets/sample.bsm2");

fn read(bytes: &[u8]) -> Model {
    let report = Report::new();
    let source = Source::new("sample.bsm2", bytes.to_vec());
    let opened = open(&source, &ReadOptions::default(), &report).unwrap();
    let findings = report.findings();
    assert!(findings.iter().all(|n| n.severity() == Severity::Info), "{findings:?}");
    opened.model
}

#[test]
fn the_asset_matches_the_output_of_the_example() {
    let (asset, made) = (read(ASSET), read(&character::file().unwrap()));
    assert_eq!(asset.num_vertices(), made.num_vertices());
    assert_eq!(asset.skeleton.len(), 22);
    for clip in 0..2 {
        for key in [0, 7, 22] {
            let spec = PoseSpec { sampling: Sampling::Step, ..PoseSpec::at_key(ClipId(clip), key) };
            let (a, b) = (skin_model(&asset, &spec), skin_model(&made, &spec));
            // Sines differ in their last bit between machines.
            for (p, q) in a[0].positions.iter().zip(&b[0].positions) {
                assert!(p.distance(*q) < 1e-4, "run the example make_sample again");
            }
        }
    }
}

#[test]
fn packing_moves_vertices_by_at_most_one_weight_step() {
    let (made, packed) = (character::model(), read(ASSET));
    for (clip, keys) in [(0u32, 31u32), (1, 61)] {
        for key in (0..keys).step_by(5) {
            let source = PoseSpec::linear(ClipId(clip), f64::from(key) / 30.0);
            let stored = PoseSpec { moment: Moment::Key(key), ..source };
            let expected = skin_model(&made, &source);
            let expected = expected.iter().flat_map(|mesh| &mesh.positions);
            for (a, b) in expected.zip(&skin_model(&packed, &stored)[0].positions) {
                assert!(a.distance(*b) < 0.01, "{a} {b}");
            }
        }
    }
}

#[test]
fn surfaces_face_outwards() {
    let model = read(ASSET);
    let mesh = &model.meshes[MeshId(0)];
    let position = |index: u32| mesh.position(index as usize).unwrap();
    for (index, subset) in mesh.subsets.iter().enumerate() {
        let volume: f32 = mesh
            .triangles(subset.range())
            .map(|[a, b, c]| position(a).dot(position(b).cross(position(c))))
            .sum();
        assert!(volume > 0.0, "subset {index} is inside out");
    }
}

#[test]
fn the_sample_faces_forward_on_the_ground_and_waves_its_left_hand() {
    let model = read(ASSET);
    let bounds = posed_bounds(&model, &PoseSpec::default());
    assert!(bounds.min.y > -0.08 && bounds.min.y < 0.08 && bounds.max.y > 1.5);
    let mesh = &model.meshes[MeshId(0)];
    let eyes = model.materials.iter().position(|m| m.name == "eyes").unwrap();
    let subset = mesh.subsets[PartId::from_index(eyes).index()];
    assert!(
        mesh.triangles(subset.range())
            .flatten()
            .all(|i| mesh.position(i as usize).unwrap().z > 0.0)
    );
    let wave =
        PoseSpec { sampling: Sampling::Step, ..PoseSpec::at_secs(model.find_clip("wave"), 1.0) };
    let highest_of = |side: f32| {
        let skinned = skin_model(&model, &wave);
        let on_side = |p: &&Vec3| p.x * side > 0.45;
        skinned[0].positions.iter().filter(on_side).map(|p| p.y).fold(0.0, f32::max)
    };
    assert!(highest_of(1.0) > 1.2 && highest_of(-1.0) < 1.0, "left is at +X");
}

#[test]
fn skinning_a_single_packed_vertex_matches_the_whole_mesh() {
    let model = read(ASSET);
    let spec = PoseSpec::linear(model.find_clip("wave"), 0.91);
    let mesh = &model.meshes[MeshId(0)];
    let pose = sample(&model, &spec).of_mesh(rigscope_core::model::MeshId(0), mesh);
    let all = skin_model(&model, &spec);
    for (index, position) in all[0].positions.iter().enumerate() {
        let alone = skin_vertex(mesh, index, &pose).unwrap();
        assert!(alone.distance(*position) < 1e-6, "vertex {index}");
    }
}

#[test]
fn painted_materials_are_found_by_name() {
    use rigscope_io::files::RelatedFiles;
    let folder = tempfile::tempdir().unwrap();
    paint::write(folder.path()).unwrap();
    let path = folder.path().join("sample.bsm2");
    std::fs::write(&path, ASSET).unwrap();
    let along = RelatedFiles::default();
    let source = along.source(&path, ASSET.to_vec(), 1 << 30).source;
    let options = ReadOptions { images: true, ..ReadOptions::default() };
    let model = open(&source, &options, &Report::new()).unwrap().model;
    let [.., antenna] = &*model.materials else { panic!("none") };
    let roles: Vec<_> = antenna.textures.iter().map(|texture| texture.role).collect();
    use TextureRole::{BaseColor, Emissive, MetallicRoughness, Normal, Occlusion};
    assert_eq!(roles, [BaseColor, Normal, MetallicRoughness, Occlusion, Emissive]);
    for material in &model.materials {
        assert!(material.textures.len() >= 4, "{}", material.name);
        assert_eq!(material.look.as_ref().unwrap().metallic, 1.0, "the images say where");
    }
    assert_eq!(model.images.len(), 6 * 3 + 1);
}
