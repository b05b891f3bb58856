//! Written files: texture slots, clip lengths, shapes, joints.

use glam::{Affine2, Mat4, Quat, Vec2, Vec3, Vec4};
use rigscope_core::model::{ClipId, ImageId, MaterialId};
use serde_json::Value;

use super::super::write::write;
use super::read;
use crate::formats::{Limits, WriteError, WriteOptions};
use rigscope_core::pose::{PoseSpec, Sampling, sample, skin_model};
use rigscope_testing::*;

/// The JSON of the written file, the model read from it, and the findings, except nodes that were added for meshes.
fn written(model: &Model) -> (Value, Model, Vec<FindingKind>) {
    let report = Report::new();
    let files = write(model, &WriteOptions::default(), &report).unwrap();
    let bytes = &files[0].bytes;
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let mut model = read(bytes, &Report::new()).unwrap();
    check::check(&mut model, &Report::new());
    let kinds = report
        .findings()
        .iter()
        .map(|n| n.kind)
        .filter(|kind| *kind != FindingKind::BoneAdded)
        .collect();
    (json, model, kinds)
}

fn triangle() -> Mesh {
    ModelBuilder::new().triangle().name("flag").into_mesh()
}

fn with_mesh(mesh: Mesh, bones: Vec<Bone>) -> Model {
    Model {
        meshes: vec![mesh].into(),
        skeleton: Skeleton::new(bones, true).unwrap(),
        ..Model::default()
    }
}

fn clip(motion: Motion, start_secs: f64, duration_secs: f64) -> Clip {
    Clip { name: "wave".into(), start_secs, duration_secs, motion, ..Clip::default() }
}

#[test]
fn materials_keep_their_look_and_every_texture() {
    let mut mesh = triangle();
    mesh.subsets[0].material = Some(MaterialId(0));
    let mut model = with_mesh(mesh, vec![]);
    model.images = vec![Image {
        name: "skin".into(),
        bytes: ByteView::whole(b"\x89PNG\r\n\x1a\n...".to_vec()),
        is_embedded: true,
    }]
    .into();
    let rotation =
        Affine2::from_scale_angle_translation(Vec2::new(2.0, 0.5), 0.0, Vec2::new(0.1, 0.2));
    let inside = TextureRef {
        wrap: [Wrap::Clamp, Wrap::Mirror],
        texture_from_uv: Some(Box::new(rotation)),
        ..TextureRef::embedded(TextureRole::BaseColor, ImageId(0))
    };
    let beside = |role, path| TextureRef::file(role, path);
    let look = MaterialLook {
        base_color: Vec4::new(0.5, 0.25, 1.0, 0.75),
        alpha: AlphaMode::Mask(0.3),
        is_two_sided: true,
        is_unlit: true,
        ..MaterialLook::default()
    };
    model.materials = vec![Material {
        name: "cloth".into(),
        textures: vec![
            inside.clone(),
            beside(TextureRole::Normal, "a b/n.png"),
            TextureRef { uv_set: 1, ..beside(TextureRole::Other, "C:\\x\\gloss.tga") },
            beside(TextureRole::Other, "bump.png"),
        ],
        look: Some(Box::new(look)),
        ..Material::default()
    }]
    .into();
    let (json, back, findings) = written(&model);
    assert_eq!(findings, []);
    let material = &back.materials[MaterialId(0)];
    assert_eq!((material.name.as_str(), material.look.as_deref()), ("cloth", Some(&look)));
    assert_eq!(material.textures[0], inside);
    assert_eq!(back.images[ImageId(0)].bytes, model.images[ImageId(0)].bytes);
    let mut paths: Vec<_> = material.textures.iter().map(|t| (t.path.as_str(), t.uv_set)).collect();
    paths.sort_unstable();
    assert_eq!(paths[1..], [("a b/n.png", 0), ("bump.png", 0), ("gloss.tga", 1)]);
    // The mesh has no UVs, but both UV sets that textures use are written.
    assert_eq!(streams(&back.meshes[MeshId(0)]).uv_sets.len(), 2);
    assert_eq!(json["materials"][0]["occlusionTexture"]["strength"], 0.0);
}

/// A triangle with one material.
fn with_material(textures: Vec<TextureRef>, look: MaterialLook) -> Model {
    let mut mesh = triangle();
    mesh.subsets[0].material = Some(MaterialId(0));
    let material = Material { textures, look: Some(Box::new(look)), ..Material::default() };
    Model { materials: vec![material].into(), ..with_mesh(mesh, vec![]) }
}

#[test]
fn physically_based_looks_round_trip_exactly() {
    use TextureRole::*;
    let look = MaterialLook {
        metallic: 0.3,
        roughness: 0.7,
        emissive: Vec3::new(3.7, 0.1, 1.3),
        normal_scale: 0.6,
        occlusion_strength: 0.9,
        ior: 1.33,
        specular: 0.2,
        specular_color: Vec3::new(1.7, 0.1, 0.3),
        clearcoat: 0.1,
        clearcoat_roughness: 0.2,
        sheen_color: Vec3::new(0.1, 0.2, 0.3),
        sheen_roughness: 0.4,
        transmission: 0.9,
        ..MaterialLook::default()
    };
    let file = TextureRef::file;
    let roles = [Emissive, MetallicRoughness, BaseColor, Occlusion, Normal];
    let textures = || roles.map(|role| file(role, format!("{role:?}.png"))).to_vec();
    let (json, back, findings) = written(&with_material(textures(), look));
    assert_eq!(findings, []);
    assert_eq!(back.materials[MaterialId(0)].look.as_deref(), Some(&look));
    let mut found: Vec<_> =
        back.materials[MaterialId(0)].textures.iter().map(|t| (t.role, t.path.clone())).collect();
    found.sort_unstable();
    let mut wanted: Vec<_> = roles.map(|role| (role, format!("{role:?}.png"))).to_vec();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    let used = json["extensionsUsed"].as_array().unwrap();
    let used = used.iter().map(|name| &name.as_str().unwrap()["KHR_materials_".len()..]);
    let all = ["clearcoat", "emissive_strength", "ior", "sheen", "specular", "transmission"];
    assert_eq!(used.collect::<Vec<_>>(), all);
    // Default values need no extension and add no member.
    let (json, ..) = written(&with_material(Vec::new(), MaterialLook::default()));
    assert!(json.get("extensionsUsed").is_none());
    assert!(json["materials"][0].get("extensions").is_none());
    let pbr = &json["materials"][0]["pbrMetallicRoughness"];
    assert_eq!((&pbr["metallicFactor"], &pbr["roughnessFactor"]), (&0.0.into(), &1.0.into()));
    for emissive in [Vec3::splat(f32::MAX), Vec3::new(1.0, 0.5, 0.0), Vec3::new(-1.0, 2.0, 0.0)] {
        let bright = MaterialLook { emissive, ..MaterialLook::default() };
        let (json, back, _) = written(&with_material(Vec::new(), bright));
        let factors = json["materials"][0]["emissiveFactor"].as_array().unwrap();
        assert!(factors.iter().all(|f| (0.0..=1.0).contains(&f.as_f64().unwrap())), "{json}");
        let found = back.materials[MaterialId(0)].look.as_ref().unwrap().emissive;
        assert!(emissive.max_element() > 1e30 || found == emissive.max(Vec3::ZERO), "{found}");
    }
}

#[test]
fn textures_of_unsupported_roles_are_preserved_without_effect_and_reported() {
    use TextureRole::{
        Emissive, Metallic, MetallicRoughnessOcclusion, Occlusion, Other, Roughness,
    };
    let shiny = MaterialLook { metallic: 1.0, roughness: 0.5, ..MaterialLook::default() };
    let file = TextureRef::file;
    let apart = vec![file(Metallic, "m.png"), file(Roughness, "r.png"), file(Other, "h.png")];
    let (json, back, findings) = written(&with_material(apart, shiny));
    // Two slots have no visible effect; in the third, green would act as roughness.
    assert_eq!(findings, [FindingKind::LeftOut, FindingKind::LookNotWritten]);
    let paths: Vec<_> =
        back.materials[MaterialId(0)].textures.iter().map(|t| (t.role, &*t.path)).collect();
    assert_eq!(paths, [(Other, "m.png"), (Other, "r.png")]);
    assert_eq!(json["materials"][0]["occlusionTexture"]["strength"], 0.0);
    let look = back.materials[MaterialId(0)].look.as_ref().unwrap();
    assert_eq!((look.metallic, look.roughness), (0.0, 0.5), "not all of it is metal");
    // A visible emission keeps its slot.
    let glowing = MaterialLook { emissive: Vec3::ONE, ..shiny };
    let all = vec![
        file(MetallicRoughnessOcclusion, "mro.png"),
        file(Emissive, "e.png"),
        file(Occlusion, "o.png"),
    ];
    let (_, back, findings) = written(&with_material(all, glowing));
    assert_eq!(findings, [FindingKind::LeftOut, FindingKind::LookNotWritten]);
    let paths: Vec<_> =
        back.materials[MaterialId(0)].textures.iter().map(|t| (t.role, &*t.path)).collect();
    assert_eq!(paths, [(Occlusion, "o.png"), (Emissive, "e.png")]);
    let hidden = MaterialLook { is_depth_only: true, ..MaterialLook::default() };
    assert_eq!(written(&with_material(Vec::new(), hidden)).2, [FindingKind::LookNotWritten]);
}

/// A square image whose colour depends on the column.
fn picture(name: &str, size: u32, color: impl Fn(u8) -> [u8; 3]) -> Image {
    let of = |x: u32, _| image::Rgb(color(u8::try_from(x).unwrap()));
    let mut png = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_fn(size, size, of);
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    Image { name: name.into(), bytes: ByteView::whole(png.into_inner()), is_embedded: false }
}

#[test]
fn separate_metallic_and_roughness_images_are_packed() {
    use TextureRole::{BaseColor, Metallic, MetallicRoughness, Occlusion, Roughness};
    let look = MaterialLook { metallic: 1.0, roughness: 0.5, ..MaterialLook::default() };
    let own = |role, image| TextureRef {
        image: Some(ImageId(image)),
        wrap: [Wrap::Clamp; 2],
        ..TextureRef::file(role, "own.png")
    };
    let textures = vec![own(BaseColor, 0), own(Roughness, 1), own(Metallic, 2)];
    let mut model = with_material(textures, look);
    model.images = vec![
        picture("base.png", 1, |_| [1, 2, 3]),
        picture("rough.png", 2, |x| [x * 100, 9, 9]),
        picture("metal.png", 4, |x| [x * 20, 9, 9]),
    ]
    .into();
    model.materials.push(model.materials[MaterialId(0)].clone());
    let (json, back, findings) = written(&model);
    assert_eq!(findings, [FindingKind::JoinedImages], "nothing is lost, and there is one finding");
    assert_eq!(json["images"].as_array().unwrap().len(), 2, "one for both materials");
    let found = &back.materials[MaterialId(0)];
    let roles: Vec<_> = found.textures.iter().map(|texture| texture.role).collect();
    assert_eq!(roles, [BaseColor, MetallicRoughness]);
    let kept = found.look.as_ref().unwrap();
    assert_eq!((kept.metallic, kept.roughness), (1.0, 0.5));
    let joined = &found.textures[1];
    assert_eq!(joined.wrap, [Wrap::Clamp; 2]);
    let bytes = &back.images[joined.image.unwrap()].bytes;
    let joined = image::load_from_memory(bytes).unwrap().into_rgb8();
    assert_eq!(joined.dimensions(), (4, 4), "as large as the larger");
    let row: Vec<_> = (0..4).map(|x| joined.get_pixel(x, 2).0).collect();
    assert_eq!(row, [[255, 0, 0], [255, 25, 20], [255, 75, 40], [255, 100, 60]]);

    // The image of an effect has different channels, and occlusion.
    let three = vec![own(TextureRole::MetallicRoughnessOcclusion, 0)];
    let mut effect = with_material(three, look);
    effect.images = model.images.clone();
    let (_, back, findings) = written(&effect);
    assert_eq!(findings, [FindingKind::JoinedImages]);
    let roles: Vec<_> = back.materials[MaterialId(0)].textures.iter().map(|t| t.role).collect();
    assert_eq!(roles, [MetallicRoughness, Occlusion]);
    let joined = image::load_from_memory(&back.images[ImageId(0)].bytes).unwrap().into_rgb8();
    assert_eq!((back.images.len(), joined.get_pixel(0, 0).0), (1, [3, 2, 1]));

    // Such a file is sRGB-encoded, but glTF requires linear values.
    let normals = vec![own(TextureRole::Normal, 0), own(BaseColor, 0)];
    let mut effect = with_material(normals, look);
    let mut block = [0; 8];
    block[..3].fill(0xb8);
    let ktx = rigscope_testing::images::Ktx1::compressed(0x9275, [4, 4], &block);
    effect.images =
        vec![Image { name: "n.ktx".into(), bytes: ByteView::whole(ktx), is_embedded: false }]
            .into();
    let (_, back, findings) = written(&effect);
    assert_eq!(findings, []);
    let first = |texture: &TextureRef| {
        let bytes = &back.images[texture.image.unwrap()].bytes;
        image::load_from_memory(bytes).unwrap().into_rgb8().get_pixel(0, 0).0
    };
    let found: Vec<_> =
        back.materials[MaterialId(0)].textures.iter().map(|t| (t.role, first(t))).collect();
    let [(BaseColor, [color, ..]), (TextureRole::Normal, [number, ..])] = found[..] else {
        panic!("{found:?}")
    };
    let decoded = rigscope_core::model::linear_from_srgb(f64::from(color) / 255.0) * 255.0;
    assert!((f64::from(number) - decoded).abs() <= 0.5 && number < color, "{color} {number}");

    // Images with different wrapping can't be packed.
    model.materials.as_mut_vec().truncate(1);
    model.materials[MaterialId(0)].textures[1].wrap = [Wrap::Repeat; 2];
    assert_eq!(written(&model).2, [FindingKind::LookNotWritten]);
}

#[test]
fn an_image_that_cannot_become_a_png_is_left_out_with_a_finding() {
    let mut mesh = triangle();
    mesh.subsets[0].material = Some(MaterialId(0));
    let mut model = with_mesh(mesh, vec![]);
    model.images = vec![Image {
        name: "skin".into(),
        bytes: ByteView::whole(b"BM....".to_vec()),
        is_embedded: true,
    }]
    .into();
    model.materials = vec![Material {
        textures: vec![TextureRef::embedded(TextureRole::BaseColor, ImageId(0))],
        ..Material::default()
    }]
    .into();
    let (_, back, findings) = written(&model);
    assert_eq!(
        (back.materials[MaterialId(0)].textures.len(), &findings[..]),
        (0, &[FindingKind::UnreadableTexture][..])
    );
}

#[test]
fn directions_are_normalized_and_missing_ones_computed() {
    let mut mesh = triangle();
    mesh.vertices = VertexData::Streams(Streams {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z * 3.0, Vec3::ZERO, Vec3::Z],
        tangents: vec![Vec4::ZERO, Vec4::new(2.0, 0.0, 0.0, -0.5), Vec4::X],
        colors: vec![Vec4::splat(2.0), Vec4::ONE, Vec4::splat(0.5)],
        uv_sets: vec![UvSet { name: "map1".into(), coords: vec![Vec2::splat(-1.5); 3] }],
    });
    let (_, back, findings) = written(&with_mesh(mesh, vec![]));
    let made = streams(&back.meshes[MeshId(0)]);
    assert_eq!(made.normals, [Vec3::Z; 3]);
    assert_eq!(made.tangents[1..], [Vec4::new(1.0, 0.0, 0.0, -1.0), Vec4::new(1.0, 0.0, 0.0, 1.0)]);
    let tangent = made.tangents[0];
    assert!(tangent.w == 1.0 && tangent.truncate().dot(Vec3::Z).abs() < 1e-6);
    assert_eq!(made.colors[0], Vec4::ONE);
    assert_eq!(made.uv_sets[0].coords, [Vec2::splat(-1.5); 3]);
    for kind in [FindingKind::MadeDirection, FindingKind::Altered] {
        assert!(findings.contains(&kind), "{kind:?}");
    }
}

#[test]
fn joints_get_a_common_root_and_unweighted_vertices_stay() {
    let mut mesh = triangle();
    let shift = Mat4::from_translation(Vec3::X);
    // Bone 0 is bound in two ways, bone 1 in one; six influences need two sets.
    let rows: [&[(u32, f32)]; 3] = [&[(0, 1.0), (2, 3.0)], &[], &[(1, 0.5), (1, 0.25), (0, 0.25)]];
    mesh.skin = skin(&[(0, Mat4::IDENTITY), (1, shift), (0, shift)], rows);
    let model = with_mesh(mesh, vec![bone("a", None, Vec3::ZERO), bone("b", None, Vec3::ZERO)]);
    let (json, back, _) = written(&model);
    let before = &skin_model(&model, &PoseSpec::default())[0];
    let after = &skin_model(&back, &PoseSpec::default())[0];
    assert_eq!(before.positions, after.positions);
    let joints = json["skins"][0]["joints"].as_array().unwrap();
    let mut unique: Vec<_> = joints.iter().map(Value::as_u64).collect();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!((joints.len(), unique.len()), (4, 4));
    // Everything except the mesh's own node is below one root.
    assert_eq!(json["scenes"][0]["nodes"].as_array().unwrap().len(), 2);
    assert_eq!(back.skeleton.bones()[BoneId(0)].name, "a");
}

#[test]
fn a_clip_keeps_its_start_and_length_for_any_keys() {
    let rotation = |times: &[f64], interpolation| {
        let num = times.len() * if interpolation == Interpolation::Cubic { 3 } else { 1 };
        let values = vec![Quat::from_rotation_z(0.5); num];
        let track = Track { times_secs: times.to_vec(), values, interpolation };
        ModelBuilder::new().clip("", 0.0).rotation(0, track).into_clip().motion
    };
    for (motion, start, duration) in [
        (rotation(&[0.0], Interpolation::Step), 0.0, 2.0),
        (rotation(&[0.5, 1.0], Interpolation::Linear), 0.25, 2.0),
        (rotation(&[1.0, 1.5], Interpolation::Cubic), 1.0, 0.5),
        (Motion::Tracks(Vec::new()), 0.0, 1.0),
        (Motion::Tracks(Vec::new()), 0.0, 0.0),
    ] {
        let mut model = with_mesh(triangle(), vec![bone("a", None, Vec3::ZERO)]);
        model.clips = vec![clip(motion, start, duration)].into();
        let (_, back, findings) = written(&model);
        let found = &back.clips[ClipId(0)];
        assert_eq!((found.start_secs, found.duration_secs), (start, duration));
        assert_eq!((found.name.as_str(), &findings[..]), ("wave", &[][..]));
    }
}

#[test]
fn single_keys_are_written_at_both_ends_of_the_clip() {
    for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::Cubic] {
        let num = if interpolation == Interpolation::Cubic { 3 } else { 1 };
        let rotation = Track {
            times_secs: vec![0.75],
            values: vec![Quat::from_rotation_z(0.5); num],
            interpolation,
        };
        let moves = linear([(0.25, Vec3::ZERO), (1.25, Vec3::X)]);
        let moving = ModelBuilder::new().clip("", 0.0).translation(0, moves).rotation(0, rotation);
        let mut model = with_mesh(triangle(), vec![bone("a", None, Vec3::ZERO)]);
        model.clips = vec![clip(moving.into_clip().motion, 0.25, 1.0)].into();
        let (_, back, _) = written(&model);
        assert_eq!(
            (back.clips[ClipId(0)].start_secs, back.clips[ClipId(0)].duration_secs),
            (0.25, 1.0)
        );
        let rotation = tracks(&back.clips[ClipId(0)])[0].rotation.as_ref().unwrap();
        assert_eq!(rotation.times_secs, [0.25, 1.25], "{interpolation:?}");
        let pose = |model: &Model| {
            sample(model, &PoseSpec::linear(ClipId(0), 1.0)).model_from_bone[BoneId(0)]
        };
        assert!(pose(&model).abs_diff_eq(pose(&back), 1e-6), "{interpolation:?}");
    }
}

#[test]
fn if_every_property_is_animated_the_first_channel_spans_the_clip() {
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let values = match interpolation {
            // Tangents of both sides around each value.
            Interpolation::Cubic => {
                vec![Vec3::ONE, Vec3::X, Vec3::ONE, Vec3::ONE, Vec3::Y, Vec3::ONE]
            }
            _ => vec![Vec3::X, Vec3::Y],
        };
        let track = Track { times_secs: vec![0.5, 1.5], values, interpolation };
        let moving = ModelBuilder::new().clip("", 0.0).translation(0, track.clone());
        let moving = moving.scale(0, track).into_clip();
        let mut model = with_mesh(triangle(), vec![bone("a", None, Vec3::ZERO)]);
        model.clips = vec![clip(moving.motion, 0.0, 2.0)].into();
        let (_, back, findings) = written(&model);
        assert_eq!(
            (back.clips[ClipId(0)].start_secs, back.clips[ClipId(0)].duration_secs),
            (0.0, 2.0)
        );
        assert_eq!(findings, []);
        for time_secs in [0.0, 0.25, 0.5, 0.75, 1.25, 1.5, 2.0] {
            let place = |model: &Model| {
                let sampling = Sampling::Decomposed;
                let spec = PoseSpec { sampling, ..PoseSpec::at_secs(ClipId(0), time_secs) };
                sample(model, &spec).model_from_bone[BoneId(0)]
            };
            let (before, after) = (place(&model), place(&back));
            assert!(
                before.abs_diff_eq(after, 1e-6),
                "{interpolation:?} {time_secs}: {before} {after}"
            );
        }
    }
}

#[test]
fn weights_with_one_key_span_the_clip_and_an_empty_clip_is_left_out() {
    let mut mesh = triangle();
    mesh.morph_targets = vec![morph("open", &[(1, Vec3::Z)])];
    let mut model = with_mesh(mesh, vec![]);
    let weights = linear([(0.0, 0.5)]);
    let empty = || clip(Motion::Tracks(Vec::new()), 0.0, 2.0);
    model.clips = vec![Clip {
        morph_tracks: vec![MorphTrack { mesh: MeshId(0), target: 0, weights }],
        ..empty()
    }]
    .into();
    let (_, back, _) = written(&model);
    let spec = PoseSpec::at_secs(ClipId(0), 1.5);
    assert_eq!(back.clips[ClipId(0)].duration_secs, 2.0);
    assert_eq!(skin_model(&back, &spec)[0].positions[1], Vec3::new(1.0, 0.0, 0.5));
    let nothing = Model { clips: vec![empty()].into(), ..Model::default() };
    let (_, back, findings) = written(&nothing);
    assert_eq!((back.clips.len(), &findings[..]), (0, &[FindingKind::LeftOut][..]));
}

#[test]
fn lines_points_and_triangles_outside_subsets_are_primitives() {
    let mut mesh = triangle();
    mesh.subsets.clear();
    let loose =
        |kind, indices: &[u32]| LooseGeometry { kind, indices: indices.to_vec(), material: None };
    mesh.loose = vec![loose(LooseKind::Lines, &[0, 1, 1, 2]), loose(LooseKind::Points, &[2])];
    let (json, back, _) = written(&with_mesh(mesh.clone(), vec![]));
    let modes: Vec<_> = json["meshes"][0]["primitives"].as_array().unwrap().iter().collect();
    let modes: Vec<u64> = modes.iter().map(|p| p["mode"].as_u64().unwrap_or(4)).collect();
    assert_eq!(modes, [4, 1, 0]);
    assert_eq!(back.num_triangles(), 1);
    let kinds =
        |mesh: &Mesh| mesh.loose.iter().map(|l| (l.kind, l.indices.len())).collect::<Vec<_>>();
    let found: Vec<_> = back.meshes.iter().flat_map(kinds).collect();
    assert_eq!(found, kinds(&mesh));
}

#[test]
fn negative_times_are_shifted_and_equal_ones_separated() {
    let mut model = with_mesh(triangle(), vec![bone("a", None, Vec3::ZERO)]);
    let moves = linear([(-1.0, Vec3::ZERO), (0.0, Vec3::X), (0.0, Vec3::Y), (1.0, Vec3::Z)]);
    let moving = ModelBuilder::new().clip("", 0.0).translation(0, moves).into_clip();
    model.clips = vec![clip(moving.motion, -1.0, 2.0)].into();
    let (_, back, findings) = written(&model);
    assert_eq!(findings, [FindingKind::Altered]);
    let times = &tracks(&back.clips[ClipId(0)])[0].translation.as_ref().unwrap().times_secs;
    assert!(times.is_sorted_by(|a, b| a < b) && times[0] == 0.0 && times[2] == 1.0);
}

#[test]
fn in_between_shapes_become_morph_targets_with_equivalent_weights() {
    let shape = |full_weight, offset| {
        let target = morph("", &[(1, offset)]);
        MorphShape { full_weight, ..target.shapes[0].clone() }
    };
    let smile = MorphTarget {
        name: "smile".into(),
        default_weight: 0.25,
        shapes: vec![shape(0.5, Vec3::Y), shape(1.0, Vec3::Z)],
    };
    let mut mesh = triangle();
    mesh.morph_targets = vec![smile, morph("blink", &[(1, Vec3::X)])];
    let mut model = with_mesh(mesh, vec![bone("a", None, Vec3::ZERO)]);
    let track = |target, values: Vec<f32>| MorphTrack {
        mesh: MeshId(0),
        target,
        weights: linear((0u8..).map(f64::from).zip(values)),
    };
    let mut smiling = clip(Motion::Tracks(Vec::new()), 0.0, 2.0);
    smiling.morph_tracks = vec![track(0, vec![-0.5, 1.5, 0.25]), track(1, vec![0.5, -0.5])];
    model.clips = vec![smiling].into();
    let (json, back, _) = written(&model);
    let names = json["meshes"][0]["extras"]["targetNames"].as_array().unwrap();
    assert_eq!(names[..], ["smile 0.5", "smile", "blink"]);
    let rest = |model: &Model| skin_model(model, &PoseSpec::default())[0].positions.clone();
    assert_eq!(rest(&model), rest(&back));
    for time_secs in [0.0, 0.1, 0.5, 0.75, 1.0, 1.4, 2.0] {
        let spec = PoseSpec::linear(None, time_secs);
        let (a, b) = (skin_model(&model, &spec), skin_model(&back, &spec));
        assert!(a[0].positions[1].distance(b[0].positions[1]) < 1e-5, "{time_secs}");
        assert_eq!(sample(&back, &spec).morph_weights[0].len(), 3);
    }
}

#[test]
fn an_empty_model_is_written() {
    let (json, back, findings) = written(&Model::default());
    assert!(json.get("scenes").is_none() && json.get("buffers").is_none());
    assert!(back.meshes.is_empty() && findings.is_empty());
}

#[test]
fn more_nodes_than_the_reader_allows_are_not_written() {
    let limit = Limits::default().max_bones;
    let skeleton = |num: u32| {
        let bones: Vec<Bone> = (0..num).map(|_| bone("", None, Vec3::ZERO)).collect();
        with_mesh(triangle(), bones)
    };
    let written = |model: &Model| write(model, &WriteOptions::default(), &Report::new());
    // Plus one node for the mesh.
    assert!(written(&skeleton(limit - 1)).is_ok());
    let error = written(&skeleton(limit)).unwrap_err();
    let WriteError::TooMany { what: "nodes", count, .. } = error else { panic!("{error}") };
    assert_eq!(count, u64::from(limit) + 1);
}
