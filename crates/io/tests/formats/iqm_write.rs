//! Writes IQM, from every sample and from files of the format itself.

use rigscope_core::model::{Model, Report, Skin, VertexData};
use rigscope_io::formats::ReadOptions;
use rigscope_io::formats::losses::Aspect;

use crate::support::written::{converted, disagreement, reopened, short};
use crate::support::{open_file, readable_samples, sample_files};

/// Size limit: larger samples take long and add no coverage.
const MAX_VERTICES: usize = 40_000;
/// Relative to the size: weights are bytes, and some samples move by many times their size.
const TOLERANCE: f64 = 0.06;

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn samples_have_only_predicted_losses_and_the_same_motion() {
    let (mut wrong, mut num) = (Vec::new(), 0);
    for path in readable_samples() {
        let name = short(&path);
        let Ok(model) = open_file(&path, &[], &Report::new()) else { continue };
        if model.num_vertices() > MAX_VERTICES {
            continue;
        }
        num += 1;
        let done = converted(&model, "iqm", None);
        wrong.extend(disagreement(&done).map(|what| format!("{name}: {what}")));
        let changes_motion = done.predicted.iter().any(|loss| {
            matches!(
                loss.aspect,
                Aspect::Influences
                    | Aspect::Shears
                    | Aspect::MorphTargets
                    | Aspect::DualQuaternions
                    | Aspect::BoneLocal
                    | Aspect::VertexAnimations
            )
        });
        let errors = done.errors.unwrap();
        // Between keys, one runtime holds the last key and the other interpolates, so compare at
        // keys.
        let off = errors.of_extent_at_keys.or(errors.of_extent());
        if !changes_motion && off.unwrap_or(0.0) > TOLERANCE {
            wrong.push(format!("{name}: {errors:?}"));
        }
        if errors.num_unmatched > 0 || errors.uv.unwrap_or(0.0) > 1e-6 {
            wrong.push(format!("{name}: {errors:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(num > 60, "only {num} samples");
}

fn same(a: &Model, b: &Model) {
    for (own, read) in a.skeleton.bones().iter().zip(b.skeleton.bones()) {
        assert_eq!((&own.name, own.parent), (&read.name, read.parent));
        // Rotations are normalised once more.
        let (own, read) = (own.rest_local.to_affine(), read.rest_local.to_affine());
        assert!(own.abs_diff_eq(read, 1e-6), "{own} {read}");
    }
    assert_eq!(a.clips, b.clips);
    assert_eq!(a.materials, b.materials);
    for (a, b) in a.meshes.iter().zip(&b.meshes) {
        assert_eq!((&a.name, &a.subsets), (&b.name, &b.subsets));
        assert!(a.indices.iter().eq(b.indices.iter()));
        let (VertexData::Streams(own), VertexData::Streams(read)) = (&a.vertices, &b.vertices)
        else {
            panic!("float vertices");
        };
        assert_eq!(own, read);
        let (Skin::InverseBind(own), Skin::InverseBind(read)) = (&a.skin, &b.skin) else {
            panic!("skinned");
        };
        for vertex in 0..a.num_vertices() {
            let list = |skin: &rigscope_core::model::InverseBindSkin| {
                skin.influences.row(vertex).collect::<Vec<_>>()
            };
            assert_eq!(list(own), list(read), "vertex {vertex}");
        }
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn iqm_files_round_trip() {
    for path in sample_files("iqm", "iqm") {
        let model = open_file(&path, &[], &Report::new()).unwrap();
        let once = converted(&model, "iqm", None);
        let again = reopened(&once.files, &ReadOptions::default());
        same(&model, &again);
        assert_eq!(model.skeleton.len(), again.skeleton.len());
        assert_eq!(model.meshes.len(), again.meshes.len());
        // From then on, the bytes don't change.
        let twice = converted(&again, "iqm", None);
        let is_same = once.files[0].1.bytes == twice.files[0].1.bytes;
        assert!(is_same || model.meshes.is_empty(), "{}", short(&path));
        assert!(once.predicted.is_empty() && once.observed.is_empty());
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn requantized_clips_stay_within_one_quantization_step() {
    for path in sample_files("iqm", "iqm") {
        let mut model = open_file(&path, &[], &Report::new()).unwrap();
        model.preserved.clear();
        let errors = converted(&model, "iqm", None).errors.unwrap();
        let off = errors.of_extent_at_keys.or(errors.of_extent());
        let off = off.unwrap_or(0.0);
        assert!(off < 1e-4, "{}: {off}", short(&path));
    }
}
