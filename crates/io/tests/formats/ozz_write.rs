//! Writes ozz archives: the project's own files byte for byte, and every other sample within the
//! precision of half floats and 48-bit quaternions.

use rigscope_core::model::{ClipId, MeshId};
use std::fmt::Write as _;

use rigscope_io::convert::{Check, ConversionDeviation, ConvertOptions, convert, read_back};
use rigscope_io::formats::loss_list::observed;
use rigscope_io::formats::losses::{Aspect, Counts, Held};
use rigscope_io::formats::{
    Format, OutputFile, OutputPlace, ReadOptions, Source, WriteError, WriteOptions, by_id, open,
    write,
};

use crate::support::rich::rich;
use crate::support::{off_at_keys, open_file, readable_samples, samples};
use rigscope_testing::*;

/// Size limit: larger samples take minutes and add no coverage.
const MOST_BYTES: u64 = 2 << 20;

fn ozz() -> &'static Format {
    by_id("ozz").unwrap()
}

fn part(part: &str) -> WriteOptions {
    WriteOptions {
        stem: "trip".into(),
        part: (!part.is_empty()).then(|| part.to_owned()),
        ..WriteOptions::default()
    }
}

fn alone(bytes: &[u8]) -> Model {
    let source = Source::new("x.ozz", bytes.to_vec());
    open(&source, &ReadOptions::default(), &Report::new()).unwrap().model
}

fn written(model: &Model, options: &WriteOptions) -> Vec<OutputFile> {
    write(model, ozz(), options, &Report::new()).unwrap()
}

fn through(model: &Model) -> Model {
    let files = written(model, &part(""));
    let named = (files.into_iter().enumerate())
        .map(|(number, file)| (format!("trip{number}.ozz"), file))
        .collect::<Vec<_>>();
    read_back(&named, ozz(), 30.0, &Report::new()).unwrap().remove(0)
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn original_ozz_files_are_rewritten_byte_for_byte() {
    let folder = samples();
    let mut faults = String::new();
    for (name, kind) in [
        ("pab_skeleton", "skeleton"),
        ("arnaud_mesh", "mesh"),
        ("arnaud_mesh_4", "mesh"),
        ("floor", "mesh"),
        ("pab_atlas", "animation"),
        ("pab_crossarms", "animation"),
        ("pab_curl_additive", "animation"),
        ("pab_jog", "animation"),
        ("pab_run", "animation"),
        ("pab_walk", "animation"),
    ] {
        let bytes = std::fs::read(folder.join(format!("ozz/{name}.ozz"))).unwrap();
        let files = written(&alone(&bytes), &part(kind));
        assert_eq!(files[0].place, OutputPlace::Main);
        let again = &files[0].bytes;
        let off = bytes.iter().zip(again).filter(|(a, b)| a != b).count();
        // If two components of a quaternion are equally large, a file may omit either.
        let most_off = match name {
            "pab_atlas" => 5,
            "pab_walk" => 1,
            _ => 0,
        };
        assert_eq!(alone(again).clips, alone(&bytes).clips, "{name}");
        if again.len() != bytes.len() || off > most_off {
            let at = bytes.iter().zip(again).position(|(a, b)| a != b);
            let (was, is) = (bytes.len(), again.len());
            let _ = writeln!(faults, "{name}: {off} bytes differ from {at:?} on, {was} -> {is}");
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn a_mesh_with_skeleton_and_animations_is_rewritten_byte_for_byte() {
    let folder = samples();
    let at = |name: &str| folder.join("ozz").join(name);
    let with = [at("pab_skeleton.ozz"), at("pab_jog.ozz"), at("pab_run.ozz")];
    let model = open_file(&at("arnaud_mesh.ozz"), &with, &Report::new()).unwrap();
    let files = written(&model, &part(""));
    let mut places: Vec<OutputPlace> = files.iter().map(|file| file.place.clone()).collect();
    places[2..].sort_by_key(|place| format!("{place:?}"));
    let suffix = |text: &str| OutputPlace::Suffix(text.to_owned());
    assert_eq!(places, [OutputPlace::Main, suffix(".skeleton"), suffix(".jog"), suffix(".run")]);
    assert!(!files[0].is_related_file && files[1..].iter().all(|file| file.is_related_file));
    for path in [&at("arnaud_mesh.ozz")].into_iter().chain(&with) {
        let bytes = std::fs::read(path).unwrap();
        assert!(files.iter().any(|file| file.bytes == bytes), "{}", path.display());
    }
    let again = through(&model);
    assert_eq!((again.skeleton == model.skeleton, again.clips.len()), (true, 2));
}

/// Maximum deviation at written keys, as defined by [`off_at_keys`].
const MOST_OFF: f64 = 2e-3;

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn samples_play_the_same_and_have_only_predicted_losses() {
    let mut faults = String::new();
    let mut num_moving = 0;
    for path in readable_samples() {
        if path.metadata().unwrap().len() > MOST_BYTES {
            continue;
        }
        let Ok(model) = open_file(&path, &[], &Report::new()) else { continue };
        let options =
            ConvertOptions { write: part(""), check: Check::Full, ..ConvertOptions::default() };
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let converted = match convert(&model, ozz(), "ozz", &options, &Report::new()) {
            Ok(converted) => converted,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        if converted.observed != converted.predicted {
            let _ = writeln!(
                faults,
                "{name}: foreseen {:?}, found {:?}",
                converted.predicted, converted.observed
            );
        }
        let errors: ConversionDeviation = converted.errors.unwrap();
        let rest = errors.position.unwrap_or(0.0) / errors.extent.max(1e-9);
        let played = off_at_keys(&model, &errors).unwrap_or(0.0);
        num_moving += usize::from(errors.skinned.is_some() && !model.clips.is_empty());
        println!("{name}: at rest {rest:.1e}, played {played:.1e} of the extent");
        // These losses change the motion of vertices, as predicted.
        let moves_otherwise = [
            Aspect::Shears,
            Aspect::DualQuaternions,
            Aspect::MorphTargets,
            Aspect::VertexAnimations,
        ];
        let lost = &converted.predicted;
        if lost.iter().any(|loss| moves_otherwise.contains(&loss.aspect)) {
            continue;
        }
        // The second key of a bind pair isn't motion, and the plain form omits it.
        let is_pair = |clip: &Clip| clip.as_sampled().is_some_and(|motion| motion.is_bind_pair);
        if model.clips.iter().any(is_pair) {
            continue;
        }
        if rest > 1e-5 || played > MOST_OFF {
            let _ = writeln!(faults, "{name}: rest {rest:.1e} played {played:.1e} {errors:?}");
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(num_moving > 20, "{num_moving}");
}

#[test]
fn parts_are_written_separately_and_missing_ones_are_refused() {
    let model = rich();
    for (name, num_files, tag) in [
        ("mesh", 1, "ozz-sample-Mesh"),
        ("skeleton", 1, "ozz-skeleton"),
        ("animation", 2, "ozz-animation"),
    ] {
        let files = written(&model, &part(name));
        assert_eq!((files.len(), &files[0].place), (num_files, &OutputPlace::Main));
        assert!(files.iter().all(|file| file.bytes[1..].starts_with(tag.as_bytes())));
        assert!(files[1..].iter().all(|file| file.is_related_file));
    }
    let mut bare =
        Model { meshes: model.meshes.iter().skip(1).cloned().collect(), ..Model::default() };
    for mesh in &mut bare.meshes {
        (mesh.skin, mesh.attached_to) = (rigscope_core::model::Skin::None, None);
    }
    for name in ["skeleton", "animation"] {
        let refused = write(&bare, ozz(), &part(name), &Report::new());
        assert!(matches!(refused, Err(WriteError::NothingToWrite { .. })));
    }
    let refused = write(&Model::default(), ozz(), &part(""), &Report::new());
    assert!(matches!(refused, Err(WriteError::NothingToWrite { .. })));
}

#[test]
fn a_rich_model_keeps_all_features_that_the_format_supports() {
    let model = rich();
    let again = through(&model);
    assert_eq!(again.meshes.len(), 2);
    let hat = inverse_bind(&again.meshes[MeshId(1)]);
    assert_eq!((hat.bones.len(), hat.bones[0].0), (1, 5));
    let names: Vec<&str> = again.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["bend", "steps"]);
    assert_eq!(
        (again.clips[ClipId(0)].start_secs, again.clips[ClipId(0)].duration_secs),
        (0.0, 1.0)
    );
    let tracks = tracks(&again.clips[ClipId(0)]);
    let rotated = tracks[1].rotation.as_ref().unwrap();
    let times = &rotated.times_secs;
    for authored in [0.0, 0.1, 0.4, 0.5, 1.0] {
        assert!(times.iter().any(|t| (t - authored).abs() < 1e-6), "{authored} {times:?}");
    }
    assert_eq!(tracks.len(), model.skeleton.len(), "every joint has a track");
    let lost = observed(&Counts::of_model(&model), &Counts::of_model(&again));
    assert!(lost.iter().all(|loss| ozz().stored(loss.aspect).held(&part("")) != Held::Whole));
    assert!(lost.iter().any(|loss| loss.aspect == Aspect::MorphTargets));
}

#[test]
fn counts_beyond_the_format_limits_are_refused() {
    let mut model = rich();
    let mut bones = model.skeleton.bones().to_vec();
    bones.resize(1025, rigscope_core::model::Bone::default());
    model.skeleton = rigscope_core::model::Skeleton::new(bones, true).unwrap();
    match write(&model, ozz(), &part(""), &Report::new()) {
        Err(WriteError::TooMany { count, limit, .. }) => assert_eq!((count, limit), (1025, 1024)),
        other => panic!("{other:?}"),
    }
    let mut model = rich();
    if let rigscope_core::model::VertexData::Streams(streams) =
        &mut model.meshes[MeshId(1)].vertices
    {
        streams.positions.resize(65_536, glam::Vec3::ZERO);
        streams.normals.clear();
        streams.tangents.clear();
        streams.uv_sets.clear();
    }
    match write(&model, ozz(), &part(""), &Report::new()) {
        Err(WriteError::TooMany { count, limit, .. }) => {
            assert_eq!((count, limit), (65_536, 65_535))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn bones_are_numbered_depth_first_and_all_have_names() {
    let bone = |name: &str, parent: Option<u32>| Bone {
        name: name.into(),
        parent: parent.map(BoneId),
        ..Bone::default()
    };
    let bones = vec![
        bone("hand", Some(2)),
        bone("foot", Some(3)),
        bone("", Some(3)),
        bone("root", None),
        bone("second\0root", None),
    ];
    let model = Model { skeleton: Skeleton::new(bones, true).unwrap(), ..Model::default() };
    let report = Report::new();
    let files = write(&model, ozz(), &part(""), &report).unwrap();
    let again = alone(&files[0].bytes);
    let names: Vec<&str> = again.skeleton.bones().iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["root", "foot", "bone 2", "hand", "second_root"]);
    let parents: Vec<_> = again.skeleton.bones().iter().map(|b| b.parent).collect();
    assert_eq!(parents, [None, Some(BoneId(0)), Some(BoneId(0)), Some(BoneId(2)), None]);
    let changed = report.findings().into_iter().find(|n| n.kind == FindingKind::ChangedName);
    assert_eq!(changed.unwrap().count, 2);
}
