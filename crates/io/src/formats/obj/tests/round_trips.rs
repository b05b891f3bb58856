//! Writing and reading back.

use super::*;
use rigscope_core::model::MaterialId;

#[test]
fn a_written_model_reads_back_bit_for_bit() {
    let look = MaterialLook {
        base_color: glam::Vec4::new(0.1, 0.2, 0.3, 0.5),
        alpha: AlphaMode::Blend,
        roughness: 0.3,
        emissive: Vec3::new(2.5, 0.1, 0.0),
        ior: 1.33,
        clearcoat: 0.7,
        clearcoat_roughness: 0.1,
        sheen_color: Vec3::new(0.1, 0.2, 0.3),
        metallic: 1.0,
        ..MaterialLook::default()
    };
    let file = TextureRef::file;
    let model = Model {
        meshes: vec![odd_mesh("arm", 0), odd_mesh("leg", 1)].into(),
        materials: vec![
            Material {
                name: "skin".into(),
                textures: vec![
                    file(TextureRole::BaseColor, "a skin.png"),
                    file(TextureRole::Normal, "sub/bumps.png"),
                    file(TextureRole::Other, "shine.png"),
                    file(TextureRole::Emissive, "glow.png"),
                    file(TextureRole::Metallic, "metal.png"),
                ],
                look: Some(Box::new(look)),
                ..Material::default()
            },
            Material { name: "cloth".into(), ..Material::default() },
        ]
        .into(),
        ..Model::default()
    };
    let (source, report) = written(&model);
    assert!(report.findings().is_empty(), "{:?}", report.findings());
    let (read, report) = read_source(&source);
    let library = &source.used()[0];
    assert!(library.starts_with("my trip.") && library.ends_with(".mtl"));
    let kinds: Vec<_> = report.findings().iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [], "all is read");
    let names: Vec<_> = read.meshes.iter().map(|mesh| &*mesh.name).collect();
    assert_eq!(names, ["arm", "leg"]);
    for (mesh, source) in read.meshes.iter().zip(&model.meshes) {
        let (VertexData::Streams(own), VertexData::Streams(wanted)) =
            (&mesh.vertices, &source.vertices)
        else {
            panic!("streams")
        };
        assert_eq!(mesh.num_triangles(), 2);
        assert_eq!(own.positions.len(), 4);
        for (at, position) in own.positions.iter().enumerate() {
            let bits = |p: &Vec3| p.to_array().map(f32::to_bits);
            let found = wanted.positions.iter().position(|p| bits(p) == bits(position));
            let found = found.unwrap_or_else(|| panic!("{position} is new"));
            assert_eq!(own.uv_sets[0].coords[at], wanted.uv_sets[0].coords[found]);
            assert_eq!(own.colors[at], wanted.colors[found]);
            assert_eq!(own.normals[at], Vec3::Z);
        }
    }
    let skin = read.materials.iter().find(|m| m.name == "skin").unwrap();
    assert_eq!(skin.look.as_deref(), Some(&look));
    let paths = |m: &Material| {
        let mut paths: Vec<_> = m.textures.iter().map(|t| t.path.clone()).collect();
        paths.sort_unstable();
        paths
    };
    assert_eq!(paths(skin), paths(&model.materials[MaterialId(0)]));
    let role = |path: &str| skin.textures.iter().find(|t| t.path == path).unwrap().role;
    assert_eq!(role("a skin.png"), TextureRole::BaseColor);
    assert_eq!(role("sub/bumps.png"), TextureRole::Normal);
    assert_eq!(role("shine.png"), TextureRole::Other);
    assert_eq!(role("glow.png"), TextureRole::Emissive);
    assert_eq!(role("metal.png"), TextureRole::Metallic);

    // With other settings: all in one mesh, by control points.
    let (merged, points) = read_merged(&source, &ReadOptions::default(), &Report::new()).unwrap();
    assert_eq!((merged.num_triangles(), points.len()), (4, 8));
}

#[test]
fn names_become_unique_single_words() {
    let material = |name: &str| Material { name: name.into(), ..Material::default() };
    let model = Model {
        meshes: vec![odd_mesh("left arm", 0), odd_mesh("left_arm", 1), odd_mesh("", 2)].into(),
        materials: vec![material("m"), material("m"), material("none\\")].into(),
        ..Model::default()
    };
    let (source, report) = written(&model);
    let findings = report.findings();
    let respelled = findings.iter().find(|n| n.kind == FindingKind::NameRespelled);
    assert_eq!(respelled.unwrap().count, 4, "{findings:?}");
    let (read, _) = read_source(&source);
    let names: Vec<_> = read.meshes.iter().map(|mesh| &*mesh.name).collect();
    assert_eq!(names, ["left_arm", "left_arm_1", "mesh_2"]);
    let mut names: Vec<_> = read.materials.iter().map(|m| &*m.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["m", "m_1", "none", "none_"]);
}

#[test]
fn points_are_written_with_and_without_triangles() {
    let mut points = odd_mesh("points", 0);
    points.indices = Indices::U32(Vec::new());
    points.subsets.clear();
    let alone = Model { meshes: vec![points.clone()].into(), ..Model::default() };
    let (source, report) = written(&alone);
    assert!(report.findings().is_empty());
    assert_eq!(read_source(&source).0.num_vertices(), 4);
    let mut half = odd_mesh("half", 0);
    half.subsets.truncate(1);
    let (source, report) = written(&Model {
        meshes: vec![points, half].into(),
        materials: vec![Material::default()].into(),
        ..Model::default()
    });
    let kinds: Vec<_> = report.findings().iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::UncoveredNotWritten]);
    let (read, _) = read_source(&source);
    let sizes = read.meshes.iter();
    let sizes: Vec<_> = sizes.map(|m| (&*m.name, m.num_vertices(), m.num_triangles())).collect();
    assert_eq!(sizes, [("points", 4, 0), ("half", 3, 1)]);
}
