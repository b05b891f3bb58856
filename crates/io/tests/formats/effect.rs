//! Real effects of the SDK, each opened as a whole.

use std::path::{Path, PathBuf};

use rigscope_core::model::{
    AlphaMode, ClipId, Finding, FindingKind, ImageUse, Material, MaterialLook, Model, Report,
    Severity, TextureRole,
};
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_core::validate::validate;

use crate::support::{open_file, samples};

fn effect(name: &str) -> PathBuf {
    samples().join("effects").join(name).join("config.json")
}

fn read(path: &Path) -> (Model, Vec<Finding>) {
    let report = Report::new();
    let model = open_file(path, &[], &report).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    (model, report.findings())
}

fn material<'a>(model: &'a Model, name: &str) -> &'a Material {
    model.materials.iter().find(|material| material.name == name).unwrap()
}

fn look(model: &Model, name: &str) -> MaterialLook {
    **material(model, name).look.as_ref().unwrap()
}

/// Roles of a material's textures, all of which must have been found.
fn roles(model: &Model, name: &str) -> Vec<TextureRole> {
    let textures = &material(model, name).textures;
    assert!(textures.iter().all(|texture| texture.image.is_some()), "{name}");
    textures.iter().map(|texture| texture.role).collect()
}

/// Name; meshes; numbers of vertices, subsets, bones and clips; number of meshes that the SDK
/// generates.
type Known = (&'static str, &'static [&'static str], [usize; 4], usize);

const KNOWN: &[Known] = &[
    ("CartoonOctopus", &["octopus.bsm2"], [10410, 5, 98, 7], 2),
    ("Glasses_Clear", &["mesh.bsm2", "morph.bsm2"], [3549 + 3290, 3, 2, 1], 2),
    ("necklace_02", &["head.bsm2", "necklace_2.bsm2", "tri.bsm2"], [18666, 3, 9, 1], 2),
];

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn effect_meshes_form_one_model_with_the_environment() {
    for &(name, meshes, [vertices, subsets, bones, clips], num_built_in) in KNOWN {
        let (model, findings) = read(&effect(name));
        let mut names: Vec<&str> = model.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, meshes);
        let counts =
            [model.num_vertices(), model.num_subsets(), model.skeleton.len(), model.clips.len()];
        assert_eq!(counts, [vertices, subsets, bones, clips], "{name}");
        let light = model.environment.unwrap();
        let named = |id: Option<rigscope_core::model::ImageId>| &model.images[id.unwrap()].name;
        assert_eq!(named(light.irradiance), "images/ibl_diff.ktx");
        assert_eq!(named(light.prefiltered), "images/ibl_spec.ktx");
        assert_eq!(named(light.split_sum), "images/brdf.ktx");
        let skipped =
            findings.iter().find(|finding| finding.kind == FindingKind::BuiltInMesh).unwrap();
        assert_eq!(skipped.count, num_built_in as u64, "{name}");
        let missing = [
            FindingKind::MissingTexture,
            FindingKind::MissingRelatedFile,
            FindingKind::BrokenRecord,
        ];
        assert!(
            findings.iter().all(|finding| !missing.contains(&finding.kind)),
            "{name}: {findings:#?}"
        );
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn effect_materials_match_their_shaders() {
    use TextureRole::{BaseColor, Metallic, MetallicRoughnessOcclusion, Normal, Roughness};
    let (octopus, findings) = read(&effect("CartoonOctopus"));
    assert_eq!(roles(&octopus, "octopus"), [Normal, MetallicRoughnessOcclusion, BaseColor]);
    assert_eq!(look(&octopus, "octopus").alpha, AlphaMode::Blend);
    assert!(!look(&octopus, "octopus").is_two_sided && look(&octopus, "eyelashes").is_two_sided);
    let bare =
        findings.iter().find(|finding| finding.kind == FindingKind::MaterialNotInEffect).unwrap();
    assert!(bare.message.ends_with(" Head") && bare.severity() == Severity::Info);
    assert!(material(&octopus, "Head").textures.is_empty());

    let (glasses, _) = read(&effect("Glasses_Clear"));
    assert_eq!(roles(&glasses, "glass"), [BaseColor, Normal, Metallic, Roughness]);
    assert_eq!(look(&glasses, "glass").alpha, AlphaMode::Blend);
    assert!(look(&glasses, "cut").is_depth_only && !look(&glasses, "mesh").is_depth_only);

    let (necklace, _) = read(&effect("necklace_02"));
    assert_eq!(roles(&necklace, "mat_gold"), [BaseColor, Normal, Metallic, Roughness]);
    assert_eq!(look(&necklace, "mat_gold").alpha, AlphaMode::Opaque);
    assert!(look(&necklace, "mat_cut").is_depth_only);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_mesh_of_an_effect_moves_as_when_opened_separately() {
    let (joined, _) = read(&effect("necklace_02"));
    let path = effect("necklace_02").with_file_name("meshes").join("necklace_2.bsm2");
    let (alone, findings) = read(&path);
    let at = joined.meshes.iter().position(|mesh| mesh.name == "necklace_2.bsm2").unwrap();
    assert_eq!(joined.clips[ClipId(0)].name, alone.clips[ClipId(0)].name);
    for key in [0, 17, 125] {
        let spec = PoseSpec {
            clip: Some(rigscope_core::model::ClipId(0)),
            moment: rigscope_core::pose::Moment::Key(key),
            ..PoseSpec::default()
        };
        let [whole, own] = [&joined, &alone].map(|model| skin_model(model, &spec));
        assert_eq!(whole[at].positions, own[0].positions, "key {key}");
    }
    // Opened separately, the mesh has the same material and environment.
    assert_eq!(material(&alone, "mat_gold").textures.len(), 4);
    assert!(alone.environment.is_some());
    assert!(findings.iter().any(|finding| finding.kind == FindingKind::DressedByEffect));
}

/// (effect, finding, number of places), each verified in the config and the images.
const FOUND: &[(&str, FindingKind, u64)] = &[
    // 350 and 400 pixels.
    ("CartoonOctopus", FindingKind::SizeNoPowerOfTwo, 2),
    // The SDK's converter applies the sRGB curve to normal maps and packed values too.
    ("CartoonOctopus", FindingKind::SrgbNumbers, 4),
    // RGBA8 textures don't have the curve.
    ("CartoonOctopus", FindingKind::LinearColors, 1),
    ("CartoonOctopus", FindingKind::MaterialWithoutMesh, 1),
    ("CartoonOctopus", FindingKind::TextureMemory, 1),
    ("Glasses_Clear", FindingKind::MaterialWithoutMesh, 1),
    ("Glasses_Clear", FindingKind::TextureMemory, 1),
    ("necklace_02", FindingKind::MaterialWithoutMesh, 1),
    ("necklace_02", FindingKind::TextureMemory, 1),
];

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn effects_have_the_expected_findings() {
    for (name, ..) in KNOWN {
        let (model, _) = read(&effect(name));
        assert!(model.effect.as_ref().unwrap().images.iter().all(|image| {
            let is_light = image.uses.iter().any(|meant| !matches!(meant, ImageUse::Texture(_)));
            image.layout.is_some_and(|layout| layout.gpu_bytes > 0 || is_light)
        }));
        let report = Report::new();
        validate(&model, &report).unwrap();
        let of_effects = [
            FindingKind::UnlistedImage,
            FindingKind::MaterialWithoutMesh,
            FindingKind::SizeNoPowerOfTwo,
            FindingKind::TooFewChannels,
            FindingKind::SrgbNumbers,
            FindingKind::LinearColors,
            FindingKind::NotACube,
            FindingKind::CubeWithoutLevels,
            FindingKind::TextureMemory,
        ];
        let mut found: Vec<_> = (report.findings().into_iter())
            .filter(|finding| of_effects.contains(&finding.kind))
            .map(|finding| (*name, finding.kind.code(), finding.count))
            .collect();
        let known = FOUND.iter().filter(|row| row.0 == *name);
        let mut known: Vec<_> = known.map(|row| (row.0, row.1.code(), row.2)).collect();
        found.sort_unstable();
        known.sort_unstable();
        assert_eq!(found, known);
    }
}
