//! Writes BonesPro text, from every sample with bones and from files of the format itself.

use rigscope_core::model::{Clip, ClipId, Model, Motion, Report};
use rigscope_io::formats::ReadOptions;
use rigscope_io::formats::losses::Aspect;

use crate::support::rich::rich_without_jumps;
use crate::support::written::{converted, disagreement, reopened, short};
use crate::support::{open_file, readable_samples, samples};

/// Size limits: text is large, and larger samples take long.
const MAX_VERTICES: usize = 15_000;
const MAX_MATRICES: usize = 30_000;
/// Relative to the size of the model.
const TOLERANCE: f64 = 3e-5;

fn num_matrices(model: &Model) -> usize {
    let keys = |clip: &Clip| clip.uniform_keys().map_or(30, |(keys, _)| keys);
    model.clips.iter().map(keys).sum::<usize>() * model.skeleton.len()
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn samples_with_bones_have_only_predicted_losses_and_the_same_motion() {
    let (mut wrong, mut num) = (Vec::new(), 0);
    for path in readable_samples() {
        let name = short(&path);
        let Ok(model) = open_file(&path, &[], &Report::new()) else { continue };
        let is_large = model.num_vertices() > MAX_VERTICES || num_matrices(&model) > MAX_MATRICES;
        if is_large || model.skeleton.is_empty() {
            continue;
        }
        num += 1;
        let done = converted(&model, "bonespro", None);
        wrong.extend(disagreement(&done).map(|what| format!("{name}: {what}")));
        let changes_motion = done.predicted.iter().any(|loss| {
            matches!(
                loss.aspect,
                Aspect::MorphTargets | Aspect::DualQuaternions | Aspect::BoneLocal
            )
        });
        let errors = done.errors.unwrap();
        // Between keys, one runtime holds the last key and the other interpolates, so compare at
        // keys.
        let off = errors.of_extent_at_keys.or(errors.of_extent());
        let is_off = !changes_motion && off.unwrap_or(0.0) > TOLERANCE;
        if is_off || errors.num_unmatched > 0 {
            wrong.push(format!("{name}: {errors:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(num > 30, "only {num} samples");
}

const ANIMATIONS: [&str; 5] = [
    "fox_walk_bones_abs_matrix",
    "fox_walk_bones_rel_euler",
    "fox_walk_bones_rel_matrix",
    "fox_walk_mesh_absolute",
    "fox_walk_mesh_bones_cs",
];

/// Reads the structure with only the given animations. Also returns the bytes of these files.
fn fox(animations: &[&str]) -> (Model, Vec<Vec<u8>>) {
    let folder = samples().join("bonespro");
    let names = std::iter::once("fox_structure").chain(animations.iter().copied());
    let read = |name: &str| std::fs::read(folder.join(format!("{name}.txt"))).unwrap();
    let bytes: Vec<Vec<u8>> = names.clone().map(read).collect();
    let files: Vec<_> = names
        .zip(&bytes)
        .map(|(name, bytes)| {
            let file = rigscope_io::formats::OutputFile::main(bytes.clone());
            (format!("{name}.txt"), file)
        })
        .collect();
    (reopened(&files, &ReadOptions::default()), bytes)
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn bonespro_files_are_rewritten_byte_for_byte() {
    let (model, bytes) = fox(&ANIMATIONS);
    assert_eq!(model.clips.len(), 5);
    let done = converted(&model, "bonespro", None);
    let written: Vec<&[u8]> = done.files.iter().map(|(_, file)| &file.bytes[..]).collect();
    assert!(written == bytes, "byte for byte");
    assert!(done.predicted.is_empty() && done.observed.is_empty());
    assert_eq!(done.files[1].0, "a.fox_walk_bones_abs_matrix.txt");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn clips_keep_their_names_and_motion_in_every_mode() {
    let (model, _) = fox(&["fox_walk_bones_abs_matrix"]);
    assert_holds_in_every_mode(&model);
}

#[test]
fn generated_clips_keep_their_names_and_motion_in_every_mode() {
    let mut made = rich_without_jumps();
    made.clips.as_mut_vec().truncate(1);
    if let Motion::Tracks(tracks) = &mut made.clips[ClipId(0)].motion {
        // Euler angles can't store a scale.
        tracks.iter_mut().for_each(|track| track.scale = None);
    }
    let files = converted(&made, "bonespro", None).files;
    assert_holds_in_every_mode(&reopened(&files, &ReadOptions::default()));
}

fn assert_holds_in_every_mode(model: &Model) {
    let structure = converted(model, "bonespro", Some("structure")).files;
    assert_eq!(structure.len(), 1);
    for part in
        ["animation", "animation-relative", "animation-euler", "mesh-absolute", "mesh-bones"]
    {
        let mut files = structure.clone();
        files.extend(converted(model, "bonespro", Some(part)).files);
        files[1].0 = format!("a.{}.txt", model.clips[ClipId(0)].name);
        if part == "mesh-bones" {
            // Vertices in bone space need the bone matrices of the same frames.
            let mut bones = converted(model, "bonespro", Some("animation")).files;
            bones[0].0 = "a.bones.txt".into();
            files.extend(bones);
        }
        let read = reopened(&files, &ReadOptions::default());
        assert_eq!(read.clips[ClipId(0)].name, model.clips[ClipId(0)].name, "{part}");
        let mut read = read;
        read.clips.as_mut_vec().truncate(1);
        let comparison = rigscope_core::compare::compare(
            model,
            &read,
            &rigscope_core::compare::DiffOptions::default(),
            &Report::new(),
        );
        let comparison = comparison.unwrap();
        let off = comparison.max.skinned.unwrap() / comparison.extent;
        assert!(off < 2e-5, "{part}: {off}");
    }
}
