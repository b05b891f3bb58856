//! Materials, textures and images.

use glam::{Vec2, Vec3, Vec4};
use serde_json::json;

use super::*;
use rigscope_core::model::{Approximation, ImageId, MaterialId};

fn textured() -> FileJson {
    let mut file = FileJson::new();
    let view = file.view(b"\x89PNG stored");
    file.json["images"] = json!([
        { "bufferView": view, "mimeType": "image/png", "name": "skin" },
        { "uri": "data:image/png;base64,iVBORw==" },
        { "uri": "my%20textures/fur.png" },
        { "bufferView": 77 },
    ]);
    file.json["samplers"] = json!([{ "wrapS": 33071, "wrapT": 33648 }]);
    file.json["textures"] = json!([
        { "source": 0, "sampler": 0 }, { "source": 1 }, { "source": 2 }, { "source": 3 },
        { "extensions": { "EXT_texture_webp": { "source": 2 } } }, {},
    ]);
    file
}

#[test]
fn a_material_has_its_colour_textures_and_alpha() {
    let mut file = textured();
    file.json["materials"] = json!([{
        "name": "fur",
        "pbrMetallicRoughness": {
            "baseColorFactor": [1, 0.5, 0, 0.25],
            "baseColorTexture": { "index": 0, "texCoord": 1 },
            "metallicRoughnessTexture": { "index": 4 },
        },
        "normalTexture": { "index": 1 },
        "emissiveTexture": { "index": 2 },
        "alphaMode": "MASK",
        "doubleSided": true,
        "extensions": { "KHR_materials_unlit": {}, "KHR_materials_sheen": { "a": [1] } },
    }, { "alphaMode": "BLEND" }, { "alphaMode": "MASK", "alphaCutoff": 0.9 }]);
    let (model, findings) = file.reported();
    assert!(findings == [FindingKind::ImageLeftOut], "image 3 is broken: {findings:?}");
    let fur = &model.materials[MaterialId(0)];
    let look = fur.look.as_ref().unwrap();
    assert_eq!(look.base_color, Vec4::new(1.0, 0.5, 0.0, 0.25));
    assert_eq!(look.alpha, AlphaMode::Mask(0.5));
    assert!(look.is_two_sided && look.is_unlit);
    let roles: Vec<_> = fur.textures.iter().map(|t| t.role).collect();
    use TextureRole::{BaseColor, MetallicRoughness, Normal, Other};
    assert_eq!(roles, [BaseColor, Normal, MetallicRoughness, Other], "emission has a factor of 0");
    assert_eq!(fur.textures[0].image, Some(ImageId(0)));
    assert_eq!(fur.textures[0].uv_set, 1);
    assert_eq!(fur.textures[0].wrap, [Wrap::Clamp, Wrap::Mirror]);
    assert_eq!(fur.textures[1].image, Some(ImageId(1)));
    assert_eq!(fur.textures[2].path, "my textures/fur.png");
    assert_eq!(fur.textures[3].path, "my textures/fur.png");
    assert_eq!(model.images[ImageId(0)].name, "skin");
    assert_eq!(*model.images[ImageId(0)].bytes, *b"\x89PNG stored");
    assert_eq!(*model.images[ImageId(1)].bytes, *b"\x89PNG");
    assert!(model.images.iter().all(|image| image.is_embedded));
    let alpha =
        |at: usize| model.materials[MaterialId::from_index(at)].look.as_ref().unwrap().alpha;
    assert_eq!((alpha(1), alpha(2)), (AlphaMode::Blend, AlphaMode::Mask(0.9)));
}

#[test]
fn texture_transforms_change_uvs_and_may_select_another_uv_set() {
    let mut file = textured();
    let moved = json!({ "KHR_texture_transform": {
        "offset": [0.5, 0.25], "scale": [2, 4], "texCoord": 3,
    } });
    let idle = json!({ "KHR_texture_transform": {} });
    file.json["materials"] = json!([
        {
            "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "extensions": moved } },
            "normalTexture": { "index": 0, "extensions": moved },
        },
        { "normalTexture": { "index": 0, "extensions": idle } },
    ]);
    let model = file.read().unwrap();
    for texture in &model.materials[MaterialId(0)].textures {
        let matrix = texture.texture_from_uv.as_ref().unwrap();
        assert_eq!(matrix.transform_point2(Vec2::ONE), Vec2::new(2.5, 4.25));
        assert_eq!(texture.uv_set, 3);
    }
    assert_eq!(model.materials[MaterialId(1)].textures[0].texture_from_uv, None);
}

#[test]
fn missing_textures_are_reported_and_left_out() {
    // Image 3 is broken in all of them.
    let mut file = textured();
    file.json["materials"] = json!([{ "normalTexture": { "index": 3 } }]);
    assert_eq!(file.reported().1, [FindingKind::ImageLeftOut]);
    for texture in [
        json!({ "index": 5 }),
        json!({ "index": u32::MAX }),
        json!({ "index": 0, "texCoord": 256 }),
    ] {
        let mut file = textured();
        file.json["materials"] = json!([{ "normalTexture": texture }]);
        let (model, findings) = file.reported();
        assert!(model.materials[MaterialId(0)].textures.is_empty(), "{texture}");
        assert_eq!(findings, [FindingKind::ImageLeftOut, FindingKind::TextureLeftOut]);
    }
    let mut file = textured();
    file.json["textures"][0]["sampler"] = json!(1);
    file.json["materials"] = json!([{ "normalTexture": { "index": 0 } }]);
    assert!(file.read().unwrap().materials[MaterialId(0)].textures.is_empty());
}

#[test]
fn diffuse_colours_apply_without_a_base_colour_texture() {
    let mut file = FileJson::new();
    file.json["images"] = json!([{ "uri": "a.png" }, { "uri": "b.png" }]);
    file.json["textures"] = json!([{ "source": 0 }, { "source": 1 }]);
    let older = json!({ "KHR_materials_pbrSpecularGlossiness": {
        "diffuseFactor": [0.5, 0.25, 1.0, 0.75],
        "diffuseTexture": { "index": 1, "texCoord": 1 },
    }});
    let newer = json!({ "baseColorTexture": { "index": 0 } });
    file.json["materials"] = json!([
        { "extensions": older },
        { "extensions": older, "pbrMetallicRoughness": newer },
        { "extensions": { "KHR_materials_pbrSpecularGlossiness": { "diffuseTexture": 7 } } },
    ]);
    let (model, _) = file.reported();
    let of = |at: usize| {
        let material: &rigscope_core::model::Material =
            &model.materials[MaterialId::from_index(at)];
        let paths: Vec<&str> = material.textures.iter().map(|t| &*t.path).collect();
        (paths, material.look.as_ref().unwrap().base_color.to_array())
    };
    assert_eq!(of(0), (vec!["b.png"], [0.5, 0.25, 1.0, 0.75]));
    assert_eq!(model.materials[MaterialId(0)].textures[0].uv_set, 1);
    assert_eq!(of(1), (vec!["a.png"], [1.0; 4]));
    assert_eq!(of(2), (vec![], [1.0; 4]));
}

#[test]
fn metallic_roughness_emission_and_layers_are_read_with_their_textures() {
    let mut file = textured();
    let moved = json!({ "KHR_texture_transform": { "scale": [2, 4] } });
    file.json["materials"] = json!([{
        "pbrMetallicRoughness": {
            "metallicFactor": 0.75,
            "roughnessFactor": 0.25,
            "metallicRoughnessTexture": { "index": 0, "texCoord": 1, "extensions": moved },
        },
        "normalTexture": { "index": 1, "scale": -2 },
        "occlusionTexture": { "index": 0, "strength": 0.5, "extensions": moved },
        "emissiveTexture": { "index": 2, "extensions": moved },
        "emissiveFactor": [1, 0.5, 0],
        "extensions": {
            "KHR_materials_emissive_strength": { "emissiveStrength": 8 },
            "KHR_materials_ior": { "ior": 1.25 },
            "KHR_materials_specular": { "specularFactor": 0.5, "specularColorFactor": [2, 1, 0] },
            "KHR_materials_clearcoat": {
                "clearcoatFactor": 0.75, "clearcoatRoughnessFactor": 0.125,
                "clearcoatTexture": { "index": 1, "texCoord": 2, "extensions": moved },
            },
            "KHR_materials_sheen": {
                "sheenColorFactor": [0.5, 0.25, 1], "sheenRoughnessFactor": 0.5,
            },
            "KHR_materials_transmission": { "transmissionFactor": 0.5 },
            "KHR_materials_volume": { "thicknessFactor": 1 },
        },
    }, {
        "occlusionTexture": { "index": 0, "strength": 0 },
        "extensions": {
            "KHR_materials_specular": { "specularFactor": "much", "specularColorFactor": [1] },
        },
    }]);
    let (model, findings) = file.reported();
    assert_eq!(findings, [FindingKind::ImageLeftOut], "image 3 is broken");
    let look = MaterialLook {
        metallic: 0.75,
        roughness: 0.25,
        emissive: Vec3::new(8.0, 4.0, 0.0),
        normal_scale: -2.0,
        occlusion_strength: 0.5,
        ior: 1.25,
        specular: 0.5,
        specular_color: Vec3::new(2.0, 1.0, 0.0),
        clearcoat: 0.75,
        clearcoat_roughness: 0.125,
        sheen_color: Vec3::new(0.5, 0.25, 1.0),
        sheen_roughness: 0.5,
        transmission: 0.5,
        ..MaterialLook::default()
    };
    let [all, plain] = &*model.materials else { panic!("{}", model.materials.len()) };
    assert_eq!(all.look.as_deref(), Some(&look));
    let roles: Vec<_> = all.textures.iter().map(|t| (t.role, t.uv_set)).collect();
    use TextureRole::{Emissive, MetallicRoughness, Normal, Occlusion, Other};
    let wanted = [(Normal, 0), (MetallicRoughness, 1), (Occlusion, 0), (Emissive, 0), (Other, 2)];
    assert_eq!(roles, wanted);
    for texture in &all.textures[1..] {
        let matrix = texture.texture_from_uv.as_ref().unwrap();
        assert_eq!(matrix.transform_point2(Vec2::ONE), Vec2::new(2.0, 4.0), "{:?}", texture.role);
    }
    for told in
        [Approximation::LayerTextures, Approximation::Transmission, Approximation::FinerLayers]
    {
        assert!(all.approximated.contains(told), "{told:?}");
    }
    // Unset metallic defaults to 1 (section 5.22), and a value of the wrong type counts as absent.
    let metal = MaterialLook { metallic: 1.0, ..MaterialLook::default() };
    assert_eq!(plain.look.as_deref(), Some(&metal));
    assert_eq!(plain.textures[0].role, Other, "nothing is seen of it");
    assert_eq!(plain.approximated.texts().count(), 0);
}

#[test]
fn specular_glossiness_is_approximated_by_specular_colour_and_roughness() {
    let mut file = textured();
    let older = |of| json!({ "extensions": { "KHR_materials_pbrSpecularGlossiness": of } });
    file.json["materials"] = json!([
        older(json!({ "specularFactor": [0.25, 0.5, 0.125], "glossinessFactor": 0.75 })),
        older(json!({ "specularGlossinessTexture": { "index": 0 }, "glossinessFactor": 0.5 })),
    ]);
    let (model, _) = file.reported();
    let look = |at: usize| *model.materials[MaterialId::from_index(at)].look.clone().unwrap();
    let reflecting = MaterialLook {
        roughness: 0.25,
        ior: 0.0,
        specular_color: Vec3::new(0.25, 0.5, 0.125),
        ..MaterialLook::default()
    };
    assert_eq!(look(0), reflecting);
    assert_eq!(look(1), MaterialLook { roughness: 0.75, ..MaterialLook::default() });
    assert_eq!(model.materials[MaterialId(1)].textures[0].role, TextureRole::Other);
    let told =
        |at: usize, one| model.materials[MaterialId::from_index(at)].approximated.contains(one);
    assert!(told(0, Approximation::SpecularGlossiness));
    assert!(!told(0, Approximation::SpecularGlossinessTexture));
    assert!(told(1, Approximation::SpecularGlossinessTexture));
}

#[test]
fn sources_of_extensions_are_used_without_a_plain_one() {
    let mut file = FileJson::new();
    let png = file.view(b"\x89PNG stored");
    let image = |name| json!({ "bufferView": png, "mimeType": "image/ktx2", "name": name });
    file.json["images"] = json!([image("png"), image("basis"), { "uri": "b.ktx2" }]);
    let by = |source| json!({ "KHR_texture_basisu": { "source": source } });
    file.json["textures"] = json!([
        { "source": 0, "extensions": by(1) }, { "extensions": by(1) }, { "extensions": by(2) },
    ]);
    let material = |at| json!({ "name": format!("m{at}"), "normalTexture": { "index": at } });
    file.json["materials"] = (0..3).map(material).collect();
    let (model, findings) = file.reported();
    let name = |at: usize| {
        model.texture_name(&model.materials[MaterialId::from_index(at)].textures[0]).to_owned()
    };
    assert_eq!([0, 1, 2].map(name), ["png", "basis", "b.ktx2"]);
    assert_eq!(findings, []);
}
