//! Scenes built in code as text, for features that no sample has.

mod skins;

use glam::{Vec2, Vec3, Vec4};
use rigscope_core::model::{ClipId, ImageId, MaterialId, MeshId};

use super::*;
use crate::formats::{Limits, ReadError, ReadOptions};
use rigscope_core::model;
use rigscope_testing::*;

/// A quad of 2 x 2 centimetres, Z up, with two UV sets and a textured, half transparent material.
const QUAD: &str = r#"; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}
GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",2
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",1
		P: "FrontAxisSign", "int", "Integer", "",-1
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",1
	}
}
Objects:  {
	Geometry: 1, "Geometry::", "Mesh" {
		Vertices: *12 { a: 0,0,0,2,0,0,2,2,0,0,2,0 }
		PolygonVertexIndex: *4 { a: 0,1,2,-4 }
		LayerElementUV: 0 {
			Name: "first"
			MappingInformationType: "ByPolygonVertex"
			ReferenceInformationType: "Direct"
			UV: *8 { a: 0,0,1,0,1,1,0,1 }
		}
		LayerElementUV: 1 {
			Name: "second"
			MappingInformationType: "ByPolygonVertex"
			ReferenceInformationType: "Direct"
			UV: *8 { a: 0,0,0,0,0,0,0,0 }
		}
		Layer: 0 {
			LayerElement:  {
				Type: "LayerElementUV"
				TypedIndex: 0
			}
		}
		Layer: 1 {
			LayerElement:  {
				Type: "LayerElementUV"
				TypedIndex: 1
			}
		}
	}
	Model: 2, "Model::quad", "Mesh" {
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",0,0,100
		}
	}
	Model: 6, "Model::again", "Mesh" { }
	Material: 3, "Material::glass", "" {
		ShadingModel: "phong"
		Properties70:  {
			P: "DiffuseColor", "Color", "", "A",0.5,0.25,0
			P: "TransparentColor", "Color", "", "A",1,1,1
			P: "TransparencyFactor", "Number", "", "A",0.25
		}
	}
	Texture: 4, "Texture::skin", "" {
		Properties70:  {
			P: "UVSet", "KString", "", "", "second"
			P: "WrapModeU", "enum", "", "",1
			P: "Translation", "Vector", "", "A",0.25,0.5,0
		}
		FileName: "C:\art\skin.png"
		RelativeFilename: "tex\skin.png"
	}
	Texture: 5, "Texture::bumps", "" {
		FileName: "C:\art\bumps.png"
		RelativeFilename: "tex\bumps.png"
	}
}
Connections:  {
	C: "OO",2,0
	C: "OO",6,0
	C: "OO",1,2
	C: "OO",1,6
	C: "OO",3,2
	C: "OP",4,3, "DiffuseColor"
	C: "OP",5,3, "Bump"
}
"#;

fn read(text: &str) -> (Model, Report) {
    let (options, report) = (ReadOptions::default(), Report::new());
    let scene = load("fbx", text.as_bytes(), &options, &report).unwrap();
    let converted = convert("fbx", scene, &options, &report).unwrap();
    (converted, report)
}

fn checked(text: &str) -> Model {
    let mut model = read(text).0;
    check::check(&mut model, &Report::new());
    model
}

#[test]
fn a_scene_is_converted_to_metres_and_y_up_and_states_its_original_axes() {
    let model = checked(QUAD);
    assert_eq!(model.axes.unit_meters, Some(1.0));
    let bones = model.skeleton.bones();
    let up = bones[BoneId(0)].rest_local.to_affine().translation;
    assert!(Vec3::from(up).abs_diff_eq(Vec3::new(0.0, 1.0, 0.0), 1e-6), "{up}");
    for (name, value) in [("up axis", "+z"), ("unit in metres", "0.01")] {
        let value = Detail::Text(value.to_owned());
        assert!(model.details.contains(&(name, value)), "{name}");
    }
}

#[test]
fn every_node_with_a_mesh_yields_one() {
    let model = checked(QUAD);
    let names: Vec<_> = model.meshes.iter().map(|mesh| &*mesh.name).collect();
    assert_eq!(names, ["quad", "again"]);
    let bones: Vec<_> = model.meshes.iter().map(|m| m.attached_to).collect();
    assert_eq!(
        bones,
        [Some(rigscope_core::model::BoneId(0)), Some(rigscope_core::model::BoneId(1))]
    );
    assert_eq!(model.meshes[MeshId(0)].num_triangles(), 2);
    assert_eq!(model.meshes[MeshId(0)].subsets[0].index_count, 6);
}

#[test]
fn uv_sets_keep_their_names_and_have_v_down() {
    let model = checked(QUAD);
    let streams = streams(&model.meshes[MeshId(0)]);
    let names: Vec<_> = streams.uv_sets.iter().map(|set| &*set.name).collect();
    assert_eq!(names, ["first", "second"]);
    assert_eq!(streams.uv_sets[0].coords[0], Vec2::new(0.0, 1.0));
    assert!(streams.tangents.is_empty(), "the file has no tangents");
    assert_eq!(streams.normals.len(), 4, "they are made");
}

#[test]
fn materials_keep_colour_opacity_and_texture_transforms() {
    let model = checked(QUAD);
    let material = &model.materials[MaterialId(0)];
    let look = material.look.as_ref().unwrap();
    assert_eq!(look.alpha, AlphaMode::Blend);
    assert_eq!(look.base_color.to_array(), [1.0, 1.0, 1.0, 0.75]);
    let texture = |end: &str| {
        let mut textures = material.textures.iter();
        textures.find(|texture| texture.path.ends_with(end)).unwrap()
    };
    let skin = texture("skin.png");
    assert_eq!((skin.role, &*skin.path), (TextureRole::BaseColor, "tex\\skin.png"));
    assert_eq!((skin.uv_set, skin.wrap), (1, [Wrap::Clamp, Wrap::Repeat]));
    // The texture is moved up by (0.25, 0.5), so UV (0.25, 0.5) shows its lower left corner.
    let map = skin.texture_from_uv.as_ref().unwrap();
    let corner = map.transform_point2(Vec2::new(0.25, 0.5));
    assert!(corner.abs_diff_eq(Vec2::new(0.0, 1.0), 1e-6), "{corner}");
    assert_eq!(texture("bumps.png").role, TextureRole::Other, "a height");
    let plain = QUAD.replace("C: \"OP\",4,3, \"DiffuseColor\"", "");
    let plain = plain.replace("A\",0.25\n", "A\",1\n");
    let look = *checked(&plain).materials[MaterialId(0)].look.clone().unwrap();
    assert_eq!(look.base_color.to_array(), [0.5, 0.25, 0.0, 1.0]);
    assert_eq!(look.alpha, AlphaMode::Opaque, "nothing is made invisible");
}

/// The look of a material with these properties and connections in this shading model.
fn surface(shading: &str, properties: &str, connections: &str) -> model::Material {
    let begin = QUAD.find("\t\tShadingModel").unwrap();
    let end = begin + QUAD[begin..].find("\t}\n\tTexture").unwrap();
    let material =
        format!("\t\tShadingModel: \"{shading}\"\n\t\tProperties70:  {{\n{properties}\t\t}}\n");
    let text = format!("{}{material}{}", &QUAD[..begin], &QUAD[end..]);
    let own = text.find("\tC: \"OP\",4,3").unwrap();
    let text = format!("{}{connections}}}\n", &text[..own]);
    checked(&text).materials.as_mut_vec().remove(0)
}

fn property(name: &str, value: &str) -> String {
    let kind = if value.contains(',') { "Color" } else { "Number" };
    format!("\t\t\tP: \"{name}\", \"{kind}\", \"\", \"A\",{value}\n")
}

fn properties(list: &[(&str, &str)]) -> String {
    list.iter().map(|(name, value)| property(name, value)).collect()
}

#[test]
fn phong_roughness_matches_its_highlight_and_lambert_is_matt() {
    let look = |shading, list: &[_]| *surface(shading, &properties(list), "").look.unwrap();
    let plain = MaterialLook::default();
    let shiny = [("SpecularColor", "0.5,0.5,0.5"), ("ShininessExponent", "30")];
    let own = surface("phong", &properties(&shiny), "");
    let roughness = own.look.as_ref().unwrap().roughness;
    assert!((roughness - 0.5).abs() < 1e-6, "the fourth root of 2 / 32: {roughness}");
    assert!(own.approximated.contains(model::Approximation::Shininess));
    assert_eq!(look("lambert", &shiny), plain);
    let off = [("SpecularColor", "0,0,0"), ("ShininessExponent", "30")];
    assert_eq!(look("phong", &off), plain);
    let off = [("SpecularColor", "1,1,1"), ("SpecularFactor", "0"), ("Shininess", "30")];
    assert_eq!(look("phong", &off), plain);
    assert_eq!(look("phong", &[("ReflectionFactor", "1")]).metallic, 0.0);
}

#[test]
fn emission_is_colour_times_factor_and_a_texture_replaces_the_colour() {
    let look =
        |list: &[_], connections| *surface("lambert", &properties(list), connections).look.unwrap();
    let texture = "\tC: \"OP\",4,3, \"EmissiveColor\"\n";
    let white = ("EmissiveColor", "1,1,1");
    assert_eq!(look(&[], "").emissive, Vec3::ZERO);
    assert_eq!(look(&[white, ("EmissiveFactor", "0")], "").emissive, Vec3::ZERO);
    assert_eq!(
        look(&[("EmissiveColor", "0,0,0"), ("EmissiveFactor", "1")], "").emissive,
        Vec3::ZERO
    );
    assert_eq!(look(&[white, ("EmissiveFactor", "2.5")], "").emissive, Vec3::splat(2.5));
    assert_eq!(look(&[white], "").emissive, Vec3::ONE);
    let dark = [("EmissiveColor", "0,0,0")];
    assert_eq!(look(&dark, texture).emissive, Vec3::ONE);
    let off = [("EmissiveColor", "0,0,0"), ("EmissiveFactor", "0")];
    assert_eq!(look(&off, texture).emissive, Vec3::ZERO);
    let role = surface("lambert", "", texture).textures[0].role;
    assert_eq!(role, TextureRole::Emissive);
}

#[test]
fn blender_phong_is_read_as_metallic_and_roughness() {
    let list = properties(&[
        ("SpecularColor", "0,0,0"),
        ("ShininessExponent", "25"),
        ("ReflectionFactor", "0.75"),
        ("BumpFactor", "0.5"),
        ("TransparencyFactor", "0.25"),
    ]);
    let by_blender = |text: &str| {
        let creator =
            "\tFBXVersion: 7400\n\tCreator: \"Blender (stable FBX IO) - 4.4.0 - 5.0.1\"\n";
        let text = text.replacen("\tFBXVersion: 7400\n", creator, 1);
        checked(&text).materials.as_mut_vec().remove(0)
    };
    let begin = QUAD.find("\t\t\tP: \"DiffuseColor\"").unwrap();
    let end = begin + QUAD[begin..].find("\t\t}\n").unwrap();
    let text = format!("{}{list}{}", &QUAD[..begin], &QUAD[end..]);
    let look = *by_blender(&text).look.unwrap();
    let plain = MaterialLook { alpha: AlphaMode::Blend, ..MaterialLook::default() };
    let base_color = Vec4::new(1.0, 1.0, 1.0, 0.75);
    assert_eq!(look, MaterialLook { base_color, metallic: 0.75, roughness: 0.5, ..plain });
    // Its textures include metallic and roughness, and the strength comes from its normal map.
    let text = text.replace("4,3, \"DiffuseColor\"", "4,3, \"ShininessExponent\"");
    let text = text.replace(
        "C: \"OP\",5,3, \"Bump\"",
        "C: \"OP\",5,3, \"ReflectionFactor\"\n\tC: \"OP\",5,3, \"NormalMap\"",
    );
    let own = by_blender(&text);
    let look = own.look.as_ref().unwrap();
    assert_eq!((look.metallic, look.roughness, look.normal_scale), (1.0, 1.0, 0.5));
    let mut roles: Vec<_> = own.textures.iter().map(|t| t.role).collect();
    roles.sort_unstable();
    use TextureRole::{Metallic, Normal, Roughness};
    assert_eq!(roles, [Normal, Metallic, Roughness]);
    // Without its name, the same value is a shininess rather than a roughness.
    let roles: Vec<_> =
        checked(&text).materials[MaterialId(0)].textures.iter().map(|t| t.role).collect();
    assert!(!roles.contains(&Roughness) && !roles.contains(&Metallic), "{roles:?}");
}

#[test]
fn embedded_images_are_read_once_with_their_file_name() {
    let video = "\tVideo: 8, \"Video::skin\", \"Clip\" {\n\t\tType: \"Clip\"\n\t\tRelativeFilename: \
                 \"tex\\skin.png\"\n\t\tFileName: \"C:\\art\\skin.png\"\n\t\tContent: ,\n\t\t\t\"iVBORw==\"\n\t}\n\
                 \tTexture: 4,";
    let text = QUAD.replace("\tTexture: 4,", video);
    let text =
        text.replace("C: \"OP\",4,3", "C: \"OO\",8,4\n\tC: \"OP\",4,3, \"Bump\"\n\tC: \"OP\",4,3");
    let model = checked(&text);
    let image = &model.images[ImageId(0)];
    assert_eq!((model.images.len(), &*image.name, image.is_embedded), (1, "skin.png", true));
    assert_eq!(*image.bytes, *b"\x89PNG");
    let shown =
        model.materials[MaterialId(0)].textures.iter().filter(|texture| texture.image.is_some());
    assert_eq!(shown.count(), 2);
}

#[test]
fn faces_with_two_corners_or_one_are_lines_or_points() {
    let text = QUAD.replacen("*4 { a: 0,1,2,-4", "*7 { a: 0,1,2,-4,0,-3,-2", 1);
    assert_ne!(text, QUAD);
    let model = checked(&text);
    let mesh = &model.meshes[MeshId(0)];
    let place = |&at: &u32| mesh.position(at as usize).unwrap();
    let places = |at: usize| mesh.loose[at].indices.iter().map(place).collect::<Vec<_>>();
    assert_eq!(mesh.num_triangles(), 2);
    assert_eq!(mesh.loose.len(), 2);
    assert_eq!((mesh.loose[0].kind, mesh.loose[1].kind), (LooseKind::Lines, LooseKind::Points));
    assert!(places(0)[0].abs_diff_eq(Vec3::ZERO, 1e-6));
    assert!((places(0)[1].length() - 0.02 * 2f32.sqrt()).abs() < 1e-6, "across the quad");
    assert!((places(1)[0].length() - 0.02).abs() < 1e-6);
    assert_eq!(mesh.loose[0].material, mesh.subsets[0].material);
}

#[test]
fn vertex_colours_are_srgb_and_from_the_first_set() {
    let set = |number: u32, colors: &str, indices: &str| {
        format!(
            "LayerElementColor: {number} {{\n Name: \"c{number}\"\n \
             MappingInformationType: \"ByPolygonVertex\"\n \
             ReferenceInformationType: \"IndexToDirect\"\n \
             Colors: *8 {{\n a: {colors}\n }}\n ColorIndex: *4 {{\n a: {indices}\n }}\n }}\n"
        )
    };
    let layer = |number: u32| {
        format!(
            "Layer: {number} {{\n LayerElement: {{\n Type: \"LayerElementColor\"\n \
             TypedIndex: {number}\n }}\n"
        )
    };
    let sets =
        set(0, "1,0.5,0,0.25,0.2,0.2,0.2,1", "0,1,0,1") + &set(1, "0,0,0,1,0,0,0,1", "0,1,0,1");
    let text = QUAD.replacen("LayerElementUV: 0 {", &format!("{sets}LayerElementUV: 0 {{"), 1);
    let text = text.replacen("Layer: 0 {\n", &layer(0), 1);
    let text = text.replacen("Layer: 1 {\n", &layer(1), 1);
    let (model, report) = read(&text);
    let mesh = &model.meshes[MeshId(0)];
    assert_eq!(mesh.color(0), Some(color_from_srgb([1.0, 0.5, 0.0, 0.25])));
    assert_eq!(mesh.color(1), Some(color_from_srgb([0.2, 0.2, 0.2, 1.0])));
    let findings = report.findings();
    let dropped = findings.iter().find(|finding| finding.message.contains("vertex colours"));
    assert!(dropped.is_some(), "{findings:?}");
}

#[test]
fn reading_stops_when_cancelled() {
    let cancel = CancelToken::default();
    let seen = cancel.clone();
    // Cancelled at the first progress, so that the library stops.
    let report = Report::with_progress(move |_| seen.cancel(), cancel);
    let options = ReadOptions::default();
    let stopped = load("fbx", QUAD.as_bytes(), &options, &report);
    assert!(matches!(stopped, Err(ReadError::Cancelled)));
}

#[test]
fn memory_is_limited() {
    let limits = |max_alloc_bytes, max_bones| ReadOptions {
        limits: Limits { max_alloc_bytes, max_bones, ..Limits::default() },
        ..ReadOptions::default()
    };
    let report = Report::new();
    let tight = load("fbx", QUAD.as_bytes(), &limits(4096, 100), &report);
    assert!(matches!(tight, Err(ReadError::Limit(_))));
    for options in [limits(1 << 20, 1), limits(1 << 16, 100)] {
        let scene = load("fbx", QUAD.as_bytes(), &ReadOptions::default(), &report);
        let mut model = convert("fbx", scene.unwrap(), &options, &report);
        if options.limits.max_bones == 100 {
            assert!(model.is_ok());
            let scene = load("fbx", QUAD.as_bytes(), &ReadOptions::default(), &report);
            model = convert("fbx", scene.unwrap(), &limits(64, 100), &report);
        }
        assert!(matches!(model, Err(ReadError::Limit(_))));
    }
}

#[test]
fn the_frame_rate_is_the_stated_one() {
    let stated = |settings: &str| {
        let stack = r#"	AnimationStack: 30, "AnimStack::Take", "" {
		Properties70:  {
			P: "LocalStop", "KTime", "Time", "",46186158000
		}
	}
	Texture: 4,"#;
        let settings = format!("{settings}\n		P: \"UpAxis\",");
        let text = QUAD.replace("	Texture: 4,", stack);
        let model = checked(&text.replace("P: \"UpAxis\",", &settings));
        let found = model.details.iter().find(|(name, _)| *name == "frames a second");
        let rate = model.clips[ClipId(0)].frames_per_sec();
        assert_eq!(found.is_some(), rate.is_some());
        rate
    };
    let mode = |mode: u32| format!("P: \"TimeMode\", \"enum\", \"\", \"\",{mode}");
    let custom = |rate: f64| {
        format!("{}\nP: \"CustomFrameRate\", \"double\", \"Number\", \"\",{rate}", mode(14))
    };
    assert_eq!(stated(""), None);
    assert_eq!(stated(&mode(0)), Some(30.0));
    assert_eq!(stated(&mode(10)), Some(25.0));
    assert_eq!(stated(&mode(11)), Some(24.0));
    assert_eq!(stated(&custom(12.5)), Some(12.5));
    for odd in [-1.0, 0.0, 1e12] {
        assert_eq!(stated(&custom(odd)), None, "{odd}");
    }
}

#[test]
fn a_constraint_is_reported_and_not_solved() {
    let text = QUAD.replace(
        "	Texture: 4,",
        "	Constraint: 7, \"Constraint::look\", \"Aim\" {\n	}\n	Texture: 4,",
    );
    let (_, report) = read(&text);
    let findings = report.findings();
    let finding = findings.iter().find(|n| n.kind == FindingKind::Dropped).unwrap();
    assert_eq!(finding.message, "parts of the file aren't shown: constraints (1)");
}

#[test]
fn library_errors_become_phrases_with_the_format() {
    let fails = |text: &[u8]| {
        let options = ReadOptions::default();
        let read = load("fbx", text, &options, &Report::new());
        read.map(drop).unwrap_err().to_string()
    };
    assert_eq!(fails(b""), "truncated FBX file: empty file (scene). Export it again");
    assert!(fails(&[b'x'; 4000]).starts_with("damaged FBX file: "));
}

#[test]
fn a_left_handed_scene_is_mirrored_with_its_front_faces_outside() {
    let left = QUAD.replace(
        "\"CoordAxisSign\", \"int\", \"Integer\", \"\",1",
        "\"CoordAxisSign\", \"int\", \"Integer\", \"\",-1",
    );
    assert_ne!(left, QUAD);
    for (text, corner) in [(QUAD, 0.02), (&*left, -0.02)] {
        let model = checked(text);
        let posed =
            rigscope_core::pose::skin_model(&model, &rigscope_core::pose::PoseSpec::default());
        let positions = &posed[1].positions;
        let farthest = positions.iter().map(|p| p.x).max_by(|a, b| a.abs().total_cmp(&b.abs()));
        assert!((farthest.unwrap() - corner).abs() < 1e-6, "{positions:?}");
        for at in model.meshes[MeshId(1)].triangles(0..6) {
            let [a, b, c] = at.map(|at| positions[at as usize]);
            let front = (b - a).cross(c - a);
            assert!(front.dot(posed[1].normals[0]) > 0.0, "{corner} {front}");
        }
    }
}

/// In FBX the library clamps such positions; this is the second check.

#[test]
fn faces_with_a_missing_position_never_reach_triangulation() {
    let mut num_left_out = 0;
    for face in [
        "1 2 3 9",
        "1 2 9 3 4",
        "9 8 7 6",
        "0 1 2 3",
        "-1 -2 -3 -9",
        "1 2 3 4 1 2 3 4294967295",
        "1/1 2/2 99/3 4/4 5/5",
        "9 1 2",
        "1 9",
        "9",
    ] {
        let text = format!("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf {face}\nf 1 2 3 4\n");
        let (options, report) = (ReadOptions::default(), Report::new());
        let opts = ufbx::LoadOpts {
            file_format: ufbx::FileFormat::Obj,
            index_error_handling: ufbx::IndexErrorHandling::NoIndex,
            ..ufbx::LoadOpts::default()
        };
        let Ok(scene) = ufbx::load_memory(text.as_bytes(), opts) else { continue };
        num_left_out += 1;
        let model = convert("fbx", scene, &options, &report).unwrap();
        assert_eq!(model.meshes[MeshId(0)].num_triangles(), 2, "{face}");
        assert!(model.meshes[MeshId(0)].loose.is_empty(), "{face}");
        let findings = report.findings();
        let left_out = findings.iter().find(|finding| finding.kind == FindingKind::FaceLeftOut);
        assert_eq!(left_out.map(|finding| finding.count), Some(1), "{face}");
    }
    assert!(num_left_out >= 6, "{num_left_out}");
}
