//! In-memory effects of a config, two meshes and images.

use std::sync::Arc;

use glam::{Affine3A, Mat4, Quat, Vec3};

use crate::formats::source::tests::InMemory;
use crate::formats::{Opened, ReadError, ReadOptions, Source, WriteOptions, by_id, open, write};
use rigscope_core::model::{Approximation, ClipId, MaterialId, MeshId};
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_testing::images::Ktx1;
use rigscope_testing::*;

/// A config with the meshes `a.bsm2` and `b.bsm2` and entries of the SDK.
const CONFIG_TEXT: &str = r#"{
    "scene": "two",
    "render_list": { "default": [
        { "layer": "filter" }, { "layer": "x", "sub_geometries": ["cut", 7] },
        { "layer": "y", "sub_geometries": ["skin"] }, { "layer": "y", "sub_geometries": ["cut"] }
    ] },
    "assets": {
        "attachments": { "target": { "type": "color" } },
        "images": {
            "red.png": { "type": "texture", "file_name": "images/red.png" },
            "mrao": { "type": "texture", "file_name": "images/mrao.ktx" },
            "sky": { "type": "cubemap", "file_name": "images/sky.ktx" },
            "table": { "type": "texture", "file_name": "images/table.ktx" },
            "gone": { "type": "texture", "file_name": "images/gone.png" },
            "cam": { "type": "camera" }
        },
        "materials": {
            "$builtin$materials/copy": { "samplers": [] },
            "shaders/skin": {
                "samplers": [
                    { "name": "tex_diffuse", "image": "red.png" },
                    { "name": "tex_mrao", "image": "mrao" },
                    { "name": "tex_normal", "image": "gone" },
                    { "name": "tex_ibl_diff", "image": "sky" },
                    { "name": "tex_ibl_spec", "image": "sky" },
                    { "name": "tex_brdf", "image": "table" },
                    { "name": "tex_else", "image": "nowhere" },
                    { "name": "tex_behind", "image": "target" },
                    { "name": "bnb_BONES" },
                    { "name": "glfx_BACKGROUND", "image": "cam" }
                ],
                "state": { "backfaces": true, "blend": "alpha", "colorwrite": true, "zwrite": false, "ztest": true }
            },
            "shaders/cut": { "state": { "backfaces": false, "blend": "off", "colorwrite": false } },
            "shaders/shown": { "state": { "ztest": false }, "samplers": [ { "name": "tex", "image": "red.png" } ] },
            "shaders/unused": {},
            "shaders/filter": {}
        },
        "meshes": {
            "!glfx_FACE": "$builtin$meshes/face.stream:0",
            "camera_surface": "$builtin$meshes/fs_tri",
            "a": "meshes/a.bsm2",
            "b": "meshes/b.bsm2"
        }
    },
    "components": { "filter": { "materials": ["shaders/filter"], "mesh": "camera_surface" } }
}"#;

/// A triangle on two bones, the second of which moves along x and rotates over `num_keys`.
fn mesh(materials: &[&str], has_hierarchy: bool, clips: &[(&str, usize)]) -> Model {
    let one = [255, 0, 0, 0];
    let of_bone = |position: Vec3, bone: u8| PackedVertex {
        bones: [bone, 0, 0, 0],
        weights: one,
        ..packed_vertex(position)
    };
    let vertices = [of_bone(Vec3::ZERO, 0), of_bone(Vec3::X, 1), of_bone(Vec3::Y, 1)];
    let binds = vec![Mat4::IDENTITY, Mat4::from_translation(Vec3::new(0.0, -1.0, 0.0))];
    let subset = |material| (3, Some(u32::try_from(material).unwrap()));
    let subsets: Vec<_> = (0..materials.len()).map(subset).collect();
    let bones = [("root", None), ("tip", Some(0))].map(|(name, parent)| {
        if has_hierarchy { bone(name, parent, Vec3::ZERO) } else { bone("", None, Vec3::ZERO) }
    });
    let space = if has_hierarchy { KeySpace::Local } else { KeySpace::Skin };
    let key = |at: usize| {
        let rotation = Quat::from_rotation_z(0.3 * at as f32);
        [
            Affine3A::from_translation(Vec3::Z * at as f32),
            Affine3A::from_rotation_translation(rotation, Vec3::X * at as f32),
        ]
    };
    let clips = clips.iter().map(|&(name, num)| {
        let keys: Vec<_> = (0..num).flat_map(key).collect();
        sampled(name, space, 100_000_000, 2, &keys)
    });
    Model {
        meshes: vec![Mesh {
            vertices: VertexData::Packed(PackedVertices::from_vertices(vertices)),
            indices: Indices::U32([0, 1, 2].repeat(materials.len())),
            subsets: subsets_of(&subsets),
            skin: Skin::InverseBind(InverseBindSkin {
                bones: vec![BoneId(0), BoneId(1)],
                bone_from_mesh: if has_hierarchy { binds } else { Vec::new() },
                influences: Influences::InVertices,
                ..InverseBindSkin::default()
            }),
            ..Mesh::default()
        }]
        .into(),
        skeleton: Skeleton::new(bones.to_vec(), has_hierarchy).unwrap(),
        clips: clips.collect(),
        default_pose: DefaultPose::FirstKey,
        normal_matrix: NormalMatrix::Same,
        ..ModelBuilder::new().materials(materials).build()
    }
}

fn bytes(model: &Model) -> Vec<u8> {
    let options = WriteOptions::default();
    let files = write(model, by_id("bsm2").unwrap(), &options, &Report::new()).unwrap();
    files.into_iter().next().unwrap().bytes
}

fn a() -> Model {
    mesh(&["skin", "Head"], true, &[("walk", 4)])
}

fn b() -> Model {
    mesh(&["cut", "skin", "shown"], false, &[("static", 1)])
}

/// A cubemap of one level with four bytes per face.
fn cube() -> Vec<u8> {
    let face: &[u8] = &[1, 2, 3, 4];
    let ktx = Ktx1 {
        gl_type: 0x8c3e,
        type_size: 4,
        gl_format: 0x1907,
        gl_internal: 0x8c3d,
        size: [1, 1],
        levels: vec![vec![face; 6]],
        orientation: None,
    };
    ktx.bytes()
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let png = image::RgbImage::from_pixel(3, 2, image::Rgb([255, 0, 0]));
    let mut red = std::io::Cursor::new(Vec::new());
    png.write_to(&mut red, image::ImageFormat::Png).unwrap();
    vec![
        ("config.json", CONFIG_TEXT.into()),
        ("meshes/a.bsm2", bytes(&a())),
        ("meshes/b.bsm2", bytes(&b())),
        ("images/red.png", red.into_inner()),
        ("images/mrao.ktx", Ktx1::compressed(0x9275, [4, 4], &[0; 8])),
        ("images/table.ktx", Ktx1::compressed(0x9272, [4, 4], &[0; 16])),
        ("images/sky.ktx", cube()),
    ]
}

fn source(text: &str, files: Vec<(&'static str, Vec<u8>)>) -> Source {
    Source::new("config.json", text.to_owned().into_bytes()).with_folders(vec![InMemory::of(files)])
}

fn read(source: &Source) -> (Result<Opened, ReadError>, Report) {
    let options = ReadOptions { images: true, ..ReadOptions::default() };
    let report = Report::new();
    (open(source, &options, &report), report)
}

fn finding_of(report: &Report, kind: FindingKind) -> Option<Finding> {
    report.findings().into_iter().find(|finding| finding.kind == kind)
}

#[test]
fn effect_meshes_move_on_a_shared_skeleton_as_they_do_separately() {
    let (opened, report) = read(&source(CONFIG_TEXT, files()));
    let model = opened.unwrap().model;
    assert_eq!(model.name, "two");
    let names: Vec<&str> = model.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(model.skeleton.len(), 4);
    assert_eq!(model.skeleton.bones()[BoneId(1)].parent, Some(BoneId(0)));
    let built_in = finding_of(&report, FindingKind::BuiltInMesh).unwrap();
    assert!(built_in.message.starts_with("2 of"), "{}", built_in.message);
    // The static clip adds nothing to the pose of the mesh.
    assert_eq!(model.clips.len(), 1);
    assert_eq!(
        (model.clips[ClipId(0)].name.as_str(), model.clips[ClipId(0)].uniform_keys()),
        ("walk", Some((4, 0.1)))
    );
    let (alone_a, alone_b) = (a(), b());
    for key in 0..4u32 {
        let spec = PoseSpec::linear(ClipId(0), f64::from(key) * 0.1);
        let joined = skin_model(&model, &spec);
        let still = skin_model(&alone_b, &PoseSpec::default());
        assert_eq!(joined[0].positions, skin_model(&alone_a, &spec)[0].positions, "key {key}");
        assert_eq!(joined[1].positions, still[0].positions, "key {key}");
    }
    // Vertex bytes are passed through unchanged.
    assert_eq!(packed(&model.meshes[MeshId(1)]), packed(&alone_b.meshes[MeshId(0)]));
}

#[test]
fn bytes_of_mesh_files_belong_to_the_vertices_and_bones_of_the_joined_model() {
    let options = ReadOptions { related_bytes: true, ..ReadOptions::default() };
    let mut list = files();
    let with_bones = bytes(&mesh(&["cut"], true, &[("walk", 2)]));
    list[2].1.clone_from(&with_bones);
    let model = open(&source(CONFIG_TEXT, list), &options, &Report::new()).unwrap().model;
    let names: Vec<&str> = model.related_bytes.iter().map(|related| &*related.name).collect();
    assert_eq!(names, ["meshes/a.bsm2", "meshes/b.bsm2"]);
    let place = Place::Vertex { mesh: 1, vertex: 2 };
    let [first, second] = &model.related_bytes[..] else { panic!() };
    assert_eq!(first.provenance.of_place(place), []);
    let alone = open(&Source::new("b.bsm2", with_bones), &ReadOptions::default(), &Report::new());
    let alone = alone.unwrap().model;
    let of_alone = alone.provenance.of_place(Place::Vertex { mesh: 0, vertex: 2 });
    assert_eq!(second.provenance.of_place(place), of_alone);
    // The bones of the second file follow the two of the first.
    let bone = second.provenance.of_place(Place::Bone(2));
    assert!(!bone.is_empty());
    assert_eq!(bone, alone.provenance.of_place(Place::Bone(0)));
    assert_eq!(second.provenance.of_place(Place::Bone(0)), []);
}

#[test]
fn clips_with_equal_names_are_merged_and_shorter_ones_hold_the_last_key() {
    let mut text = files();
    text[2].1 = bytes(&mesh(&["cut"], false, &[("wave", 2), ("walk", 2)]));
    let (opened, _) = read(&source(CONFIG_TEXT, text));
    let model = opened.unwrap().model;
    let names: Vec<&str> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["walk", "wave"]);
    let far = |clip: u32, secs: f64, mesh: usize| {
        skin_model(&model, &PoseSpec::linear(ClipId(clip), secs))[mesh].positions[0].z
    };
    assert_eq!([far(0, 0.3, 0), far(0, 0.3, 1)], [3.0, 1.0], "the shorter one holds its last key");
    assert_eq!([far(1, 0.1, 0), far(1, 0.1, 1)], [0.0, 1.0]);
}

#[test]
fn the_only_mesh_of_an_effect_is_rewritten_byte_for_byte() {
    let text = CONFIG_TEXT.replace(r#""b": "meshes/b.bsm2""#, r#""b": 7"#);
    let (opened, report) = read(&source(&text, files()));
    let model = opened.unwrap().model;
    assert_eq!(model.meshes[MeshId(0)].name, "a");
    let written = write(&model, by_id("bsm2").unwrap(), &WriteOptions::default(), &Report::new());
    assert_eq!(written.unwrap()[0].bytes, bytes(&a()));
    let odd = finding_of(&report, FindingKind::BrokenRecord).unwrap();
    assert_eq!((odd.count, odd.message.contains("mesh \"b\"")), (1, true), "{}", odd.message);
}

#[test]
fn subsets_get_the_textures_and_the_state_of_their_material() {
    let (opened, report) = read(&source(CONFIG_TEXT, files()));
    let model = opened.unwrap().model;
    let names: Vec<&str> = model.materials.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["skin", "Head", "cut", "shown"], "those of one name are one");
    assert_eq!(model.meshes[MeshId(1)].subsets[1].material, Some(MaterialId(0)));
    let [skin, head, cut, shown] = &*model.materials else { panic!("four") };
    let roles: Vec<_> = skin.textures.iter().map(|t| (t.role, t.image.is_some())).collect();
    assert_eq!(
        roles,
        [
            (TextureRole::BaseColor, true),
            (TextureRole::MetallicRoughnessOcclusion, true),
            (TextureRole::Normal, false),
        ]
    );
    let look = |material: &Material| **material.look.as_ref().unwrap();
    let worn = look(skin);
    assert_eq!((worn.alpha, worn.is_two_sided, worn.metallic), (AlphaMode::Blend, true, 1.0));
    assert!(!worn.is_depth_only && !worn.is_unlit);
    assert!(look(cut).is_depth_only && look(cut).alpha == AlphaMode::Opaque);
    assert!(look(shown).is_unlit && !look(shown).is_two_sided);
    assert!(head.look.is_none() && head.textures.is_empty());
    // The draw list may contain a material twice, or not at all.
    let draw = |material| look(material).draw.unwrap();
    assert_eq!([skin, cut, shown].map(|own| draw(own).order), [Some(2), Some(1), None]);
    assert_eq!([skin, cut, shown].map(|own| draw(own).writes_depth), [false, true, true]);
    assert_eq!([skin, cut, shown].map(|own| draw(own).tests_depth), [true, true, false]);
    let told = |own: &Material| own.approximated.contains(Approximation::DepthState);
    assert_eq!([skin, cut, shown].map(told), [false, false, true]);
    let bare = finding_of(&report, FindingKind::MaterialNotInEffect).unwrap();
    assert_eq!((bare.count, bare.message.contains("Head")), (1, true), "{}", bare.message);
    let missing = finding_of(&report, FindingKind::MissingTexture).unwrap();
    assert!(missing.message.contains("images/gone.png"), "{}", missing.message);

    let light = model.environment.unwrap();
    assert_eq!(light.irradiance, light.prefiltered, "one file is read once");
    let name = |id: Option<ImageId>| model.images[id.unwrap()].name.as_str();
    assert_eq!(
        [name(light.irradiance), name(light.split_sum)],
        ["images/sky.ktx", "images/table.ktx"]
    );

    let facts = model.effect.unwrap();
    assert_eq!(facts.unused_materials, ["unused"]);
    assert_eq!(facts.unlisted_images.len(), 1);
    assert_eq!(facts.unlisted_images[0].image, "nowhere");
    let of = |path: &str| facts.images.iter().find(|image| image.path == path).unwrap();
    assert_eq!(of("images/gone.png").layout, None);
    let red = of("images/red.png").layout.unwrap();
    // 3x2 and 1x1 pixels of four bytes.
    assert_eq!((red.size, red.num_channels, red.gpu_bytes), ([3, 2], 3, 28));
    let mrao = of("images/mrao.ktx").layout.unwrap();
    assert_eq!((mrao.is_srgb, mrao.gpu_bytes), (Some(true), 8));
    let sky = of("images/sky.ktx");
    assert_eq!(sky.uses, [ImageUse::Irradiance, ImageUse::Prefiltered]);
    assert_eq!(sky.layout.map(|layout| (layout.num_faces, layout.gpu_bytes)), Some((6, 24)));
    assert_eq!(of("images/table.ktx").layout.unwrap().num_channels, 2);
}

#[test]
fn a_mesh_inside_an_effect_uses_its_materials() {
    let files = files();
    let above = InMemory::of(files.clone());
    let own = InMemory::of([("a.bsm2", files[1].1.clone())]);
    let alone =
        || Source::new("a.bsm2", files[1].1.clone()).with_folders(vec![Arc::clone(&own) as _]);
    let (opened, report) = read(&alone().with_effect(Arc::clone(&above) as _));
    let model = opened.unwrap().model;
    assert_eq!(model.materials[MaterialId(0)].textures.len(), 3);
    assert!(model.environment.is_some() && model.effect.is_none());
    let worn = finding_of(&report, FindingKind::DressedByEffect).unwrap();
    assert_eq!(worn.message, "1 material was taken from two");
    let config =
        report.related_files().into_iter().find(|file| file.file == "config.json").unwrap();
    assert!(config.is_used);
    // Only the mesh: nothing of the folder above is read.
    for source in [alone(), alone().without(&["config.json".into()]).with_effect(above)] {
        let (opened, report) = read(&source);
        let model = opened.unwrap().model;
        assert!(model.materials.iter().all(|m| m.textures.is_empty() && m.look.is_none()));
        assert!(model.images.is_empty());
        assert_eq!(finding_of(&report, FindingKind::DressedByEffect), None);
    }
}

#[test]
fn missing_or_damaged_files_are_reported_and_the_rest_opens() {
    let mut some = files();
    some[1].1.truncate(50);
    let (opened, report) = read(&source(CONFIG_TEXT, some));
    assert_eq!(opened.unwrap().model.meshes[MeshId(0)].name, "b");
    let damaged = finding_of(&report, FindingKind::RelatedFileUnreadable).unwrap();
    assert!(
        damaged.message.starts_with("mesh a can't be read: number of vertices"),
        "{}",
        damaged.message
    );
    let mut some = files();
    some.remove(2);
    let (opened, report) = read(&source(CONFIG_TEXT, some));
    assert_eq!(opened.unwrap().model.meshes.len(), 1);
    assert!(
        finding_of(&report, FindingKind::MissingRelatedFile)
            .unwrap()
            .message
            .contains("meshes/b.bsm2")
    );
    let (opened, _) = read(&source(CONFIG_TEXT, Vec::new()));
    let message = opened.err().unwrap().to_string();
    assert!(message.contains("none of the 2 meshes"), "{message}");
    let (opened, _) = read(&source(r#"{"assets": {"meshes": {}, "images": {}}}"#, Vec::new()));
    assert!(opened.err().unwrap().to_string().contains("no mesh file"));
}

#[test]
fn paths_outside_the_folder_are_searched_by_file_name() {
    let text = CONFIG_TEXT
        .replace("meshes/a.bsm2", "../../other/a.bsm2")
        .replace("images/sky.ktx", "/etc/sky.ktx");
    let (opened, report) = read(&source(&text, files()));
    let model = opened.unwrap().model;
    assert_eq!(model.meshes.len(), 2);
    assert_eq!(finding_of(&report, FindingKind::OutsidePath).unwrap().count, 3);
    assert!(model.environment.unwrap().irradiance.is_some());
}

#[test]
fn a_value_of_the_wrong_type_affects_nothing_else() {
    for (right, wrong) in [
        (r#""scene": "two""#, r#""scene": []"#),
        (r#"{ "type": "camera" }"#, "null"),
        (r#"{ "name": "tex_else", "image": "nowhere" }"#, "5"),
        (r#"{ "name": "bnb_BONES" }"#, r#"{ "name": {} }"#),
        (r#""backfaces": false"#, r#""backfaces": "no""#),
        (r#""shaders/unused": {}"#, r#""shaders/unused": true"#),
        (r#""samplers": [ { "name": "tex", "image": "red.png" } ]"#, r#""samplers": {}"#),
        (r#""attachments": { "target": { "type": "color" } }"#, r#""attachments": 1"#),
    ] {
        let text = CONFIG_TEXT.replace(right, wrong);
        assert_ne!(text, CONFIG_TEXT, "{right}");
        let (opened, report) = read(&source(&text, files()));
        let model = opened.unwrap().model;
        assert_eq!(model.meshes.len(), 2, "{wrong}");
        assert!(model.materials[MaterialId(0)].textures.len() >= 3, "{wrong}");
        let odd = finding_of(&report, FindingKind::BrokenRecord);
        assert_eq!(odd.map(|finding| finding.count), Some(1), "{wrong}");
    }
    let (opened, _) = read(&source(&CONFIG_TEXT[..CONFIG_TEXT.len() / 2], files()));
    let error = opened.err().unwrap();
    assert!(matches!(error.place(), Some(Place::Line { .. })), "{error}");
    let nested = format!(r#"{{"assets": {{"meshes": {{}}, "images": {}"#, "[".repeat(5000));
    assert!(read(&source(&nested, files())).0.is_err());
    let many = format!(
        r#"{{"assets": {{"images": {{}}, "meshes": {{}}, "x": [{}1]}}}}"#,
        "1,".repeat(1 << 20)
    );
    assert!(matches!(read(&source(&many, files())).0, Err(ReadError::Limit(_))));
}
