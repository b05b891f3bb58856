//! Compares real files with themselves and with their equivalents in other formats and packings.

use std::path::Path;

use rigscope_core::compare::{Comparison, DiffOptions, DifferenceKind, MatchMethod, compare};
use rigscope_core::model::{Model, Report};
use rigscope_core::pack::{PackOptions, pack};

use crate::support::{open_file, readable_samples, samples};

fn compared(a: &Model, b: &Model, tolerance: f64) -> Comparison {
    let options = DiffOptions { tolerance, max_moments: 20, ..DiffOptions::default() };
    compare(a, b, &options, &Report::new()).unwrap()
}

fn model(path: &Path) -> Model {
    let read = open_file(path, &[], &Report::new());
    read.unwrap_or_else(|error| panic!("{error}: {}", path.display()))
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_sample_equals_itself() {
    let mut num = 0;
    for path in readable_samples() {
        let Ok(model) = open_file(&path, &[], &Report::new()) else { continue };
        let comparison = compared(&model, &model, 0.0);
        assert!(
            comparison.differences.is_empty(),
            "{}: {:#?}",
            path.display(),
            comparison.differences
        );
        num += 1;
    }
    assert!(num > 40, "only {num} samples can be read");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn the_quantised_fox_matches_the_exact_one_at_rest() {
    let samples = samples();
    let exact = model(&samples.join("gltf/Fox.glb"));
    let packed = model(&samples.join("gltf/derived_Fox.quant.glb"));
    let comparison = compared(&exact, &packed, 0.0);
    assert_eq!(comparison.matching.by, MatchMethod::Position);
    assert_eq!(comparison.matching.num_unmatched_a, 0);
    assert_eq!(comparison.matching.num_unmatched_b, 0);
    let position = comparison.max.position.unwrap();
    assert!((position - 0.0071).abs() < 1e-4, "{position}");
    let uv = comparison.max.uv.unwrap();
    assert!(uv < 1e-3, "the material restores the UVs: {uv}");
    let weight = comparison.max.weight.unwrap();
    assert!(weight < 1.0 / 255.0, "{weight}");
    let is_triangle = |kind: DifferenceKind| kind.info().group == "triangles";
    assert!(!comparison.differences.iter().any(|d| is_triangle(d.kind)));
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn text_and_binary_skins_of_the_sims_are_equal() {
    let samples = samples();
    for name in ["tiny", "xskin-h900ro-R_HAND-HAND", "xskin-b900mafit_mannequin-PELVIS-BODY"] {
        let open = |extension| model(&samples.join(format!("sims/{name}.{extension}")));
        let comparison = compared(&open("skn"), &open("bmf"), 1e-6);
        assert!(comparison.is_equal(), "{name}: {:#?}", comparison.differences);
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn an_fbx_matches_its_reference_obj_despite_the_missing_unit() {
    let samples = samples();
    let fbx = model(&samples.join("fbx/maya_dual_quaternion_7500_ascii.fbx"));
    let obj = model(&samples.join("fbx/maya_dual_quaternion.obj"));
    let comparison = compared(&fbx, &obj, 0.0);
    let position = comparison.max.position.unwrap() / comparison.extent;
    assert!(position < 1e-5, "{position}");
    assert_eq!(comparison.matching.num_unmatched_b, 0);
    let scale = comparison.differences.iter().find(|d| d.kind == DifferenceKind::Scale);
    assert!(scale.unwrap().what.starts_with("B doesn't state a unit"));
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_packed_model_moves_like_its_source() {
    let samples = samples();
    for name in ["fbx/maya_game_sausage_6100_binary_combined.fbx", "gltf/Fox.glb"] {
        let source = model(&samples.join(name));
        for hierarchy in [false, true] {
            let options = PackOptions { hierarchy, ..PackOptions::default() };
            let packed = pack(&source, &options, &Report::new()).unwrap();
            let comparison = compared(&source, &packed.parts[0].model, 0.0);
            let max = &comparison.max;
            // Only at keys: between them, the packed model holds the last key and the source
            // interpolates.
            let error = comparison.in_clips.as_ref().unwrap();
            let at_keys = error.per_vertex.iter().copied().fold(0.0, f32::max);
            let skinned = f64::from(at_keys) / comparison.extent;
            assert!(skinned < 0.005, "{name} {hierarchy}: {skinned} {:#?}", comparison.differences);
            let position = max.position.unwrap() / comparison.extent;
            assert!(position < 0.001, "{name} {hierarchy}: {position}");
            assert!(max.weight.unwrap() < 0.005, "{name} {hierarchy}: {max:?}");
            assert!(max.normal_deg.is_none_or(|deg| deg < 0.5), "{name} {hierarchy}: {max:?}");
        }
    }
}
