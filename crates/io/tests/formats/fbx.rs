//! Known facts about real FBX files, and the errors of damaged ones.

use rigscope_core::model::{ClipId, MeshId};
use std::path::PathBuf;

use rigscope_core::pose::PoseSpec;
use rigscope_io::formats::{ReadError, ReadOptions, Source, open};

use crate::support::{sample_files, samples};
use rigscope_testing::*;

fn options() -> ReadOptions {
    ReadOptions { format: Some("fbx".into()), ..ReadOptions::default() }
}

fn read_bytes(bytes: Vec<u8>) -> (Result<Model, ReadError>, Report) {
    let report = Report::new();
    let read = open(&Source::new("x.fbx", bytes), &options(), &report);
    (read.map(|opened| opened.model), report)
}

fn path(name: &str) -> PathBuf {
    samples().join("fbx").join(name)
}

fn read(name: &str) -> Model {
    let bytes = std::fs::read(path(name)).unwrap();
    read_bytes(bytes).0.unwrap()
}

fn clips(model: &Model) -> Vec<(&str, f64, f64)> {
    let clips = model.clips.iter();
    // All files here have 24 frames per second.
    let frames = |secs: f64| (secs * 24.0 * 1e6).round() / 1e6;
    clips.map(|c| (&*c.name, frames(c.start_secs), frames(c.duration_secs))).collect()
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn takes_become_clips_with_their_original_times() {
    let model = read("maya_game_sausage_6100_binary_combined.fbx");
    let expected = [("wiggle", 1.0, 19.0), ("spin", 20.0, 20.0), ("deform", 40.0, 20.0)];
    assert_eq!(clips(&model), expected);
    let blender = read("blender_279_sausage_7400_binary.fbx");
    let expected =
        [("Skeleton|Base", 0.0, 1.0), ("Skeleton|Spin", 0.0, 19.0), ("Skeleton|Wiggle", 0.0, 19.0)];
    assert_eq!(clips(&blender), expected);
    let max7 = read("max7_skin_5000_binary.fbx");
    let names: Vec<_> = max7.clips.iter().map(|clip| &*clip.name).collect();
    assert_eq!(names, ["Take 001", "(internal)"]);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn key_times_are_sorted_and_inside_their_clip() {
    let mut num_clips = 0;
    for file in sample_files("fbx", "fbx") {
        let (Ok(model), _) = read_bytes(std::fs::read(&file).unwrap()) else { continue };
        for clip in &model.clips {
            let Motion::Curves(curves) = &clip.motion else { panic!("not live") };
            let times = curves.0.key_times_secs();
            assert!(times.is_sorted_by(|a, b| a < b));
            let end = clip.start_secs + clip.duration_secs;
            let is_inside = |t: &f64| (clip.start_secs - 1e-5..=end + 1e-5).contains(t);
            assert!(times.iter().all(is_inside), "{}", file.display());
            println!("{} {} has {} keys", file.display(), clip.name, times.len());
            num_clips += usize::from(!times.is_empty());
        }
    }
    assert!(num_clips > 15, "{num_clips} clips");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn an_animation_only_file_has_bones_and_a_clip() {
    let walk = read("pab_walk.fbx");
    assert!(walk.meshes.is_empty());
    let bones = walk.skeleton.bones();
    let below_hips = (0..bones.len()).filter(|&bone| {
        let mut at = Some(BoneId::from_index(bone));
        while let Some(bone) = at {
            if bones[bone].name == "Hips" {
                return true;
            }
            at = bones[bone].parent;
        }
        false
    });
    // The additional node is the footsteps of the biped, which aren't a bone.
    assert_eq!(below_hips.count(), 67 + 1);
    assert_eq!((bones.len(), walk.clips[ClipId(0)].name.as_str()), (84, "walk"));
    let camera = bones.iter().find(|bone| bone.name == "Camera01").unwrap();
    assert!(camera.is_helper(), "a camera isn't a bone");
    let hips = bones.iter().position(|bone| bone.name == "Hips").unwrap();
    let at = |secs| {
        let spec = PoseSpec::linear(ClipId(0), secs);
        rigscope_core::pose::sample(&walk, &spec).model_from_bone[BoneId::from_index(hips)]
            .translation
    };
    let step = at(0.0).distance(at(0.6));
    assert!(step > 0.1 && step < 3.0, "{step} metres");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn the_barbarian_has_embedded_textures() {
    let model = read("blender_293_barbarian_7400_binary.fbx");
    assert_eq!((model.meshes.len(), model.materials.len()), (38, 27));
    let textures = |name: &str| {
        let mut materials = model.materials.iter();
        let material = materials.find(|m| m.name == name).unwrap();
        let textures = material.textures.iter();
        let names = textures.map(|t| {
            let image = &model.images[t.image.unwrap()];
            assert!(image.is_embedded && image.bytes.starts_with(b"\x89PNG"));
            image.name.clone()
        });
        names.collect::<Vec<_>>()
    };
    assert_eq!(textures("hair"), ["diffuse_hair.png"]);
    assert_eq!(textures("body"), ["diffuse.png"]);
    let most = model.meshes.iter().map(|mesh| mesh.morph_targets.len());
    assert_eq!(most.sum::<usize>(), 3);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn dual_quaternions_and_unweighted_vertices_are_preserved() {
    let model = read("maya_dual_quaternion_7500_ascii.fbx");
    let skin = inverse_bind(&model.meshes[MeshId(0)]);
    assert_eq!(skin.blending, Blending::DualQuaternion);
    let half = read("blender_293_half_skinned_7400_binary.fbx");
    let skin = inverse_bind(&half.meshes[MeshId(0)]);
    let names: Vec<_> = skin.bones.iter().map(|bone| half.skeleton.display_name(*bone)).collect();
    assert_eq!(names.last().unwrap(), "Plane", "the mesh's own node");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn helper_nodes_represent_scales_that_are_not_inherited() {
    let model = read("motionbuilder_sausage_rrss_7700_binary.fbx");
    let bones = model.skeleton.bones();
    let helpers = bones.iter().filter(|bone| bone.is_helper());
    assert!(helpers.filter(|bone| bone.name.is_empty()).count() > 0);
    assert_eq!(model.details[0], ("version", Detail::Int(7700)));
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn valid_files_are_read_without_errors() {
    for file in sample_files("fbx", "fbx") {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let is_bad = file.parent().unwrap().ends_with("bad");
        if is_bad || name.starts_with("synthetic_node_cycle_fail") {
            continue;
        }
        let (model, report) = read_bytes(std::fs::read(&file).unwrap());
        assert!(model.is_ok(), "{name}");
        assert_ne!(report.worst(), Some(Severity::Error), "{name}");
        for finding in report.findings() {
            assert_ne!(finding.kind, FindingKind::NotFinite, "{name}");
        }
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn each_bad_file_has_a_specific_error() {
    for (name, message) in [
        ("bad/empty.fbx", "the file is empty (0 bytes). Export it again"),
        ("bad/png_named.fbx", "not an FBX file (it looks like a PNG image)"),
        (
            "bad/sausage_ascii_trunc_60pct.fbx",
            "truncated FBX file: the text ends while the brace at line 843, column 51 is open \
             (text at line 856, column 41). Export it again",
        ),
        (
            "bad/sausage_bin_header_only_27.fbx",
            "truncated FBX file: the file ends before its last node (node at offset 0x1b). \
             Export it again",
        ),
        (
            "bad/sausage_bin_trunc_50pct.fbx",
            "truncated FBX file: a node ends at 0x1b290, past the file's end at 0xf278 \
             (node at offset 0x4030). Export it again",
        ),
        (
            "synthetic_node_cycle_fail_7700_ascii.fbx",
            "damaged FBX file: cyclic node hierarchy (scene). Export it again",
        ),
    ] {
        let path = path(name);
        let (read, _) = read_bytes(std::fs::read(path).unwrap());
        assert_eq!(read.unwrap_err().to_string(), message, "{name}");
    }
    let whole = read("bad/sausage_bin_trunc_last16.fbx");
    assert_eq!(whole.meshes[MeshId(0)].num_triangles(), 44);
}
