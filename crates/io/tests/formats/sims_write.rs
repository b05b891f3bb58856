//! Writes files of The Sims: text and binary files convert into each other, and other models become
//! characters with the same motion.

use rigscope_core::model::{ClipId, MaterialId, MeshId};
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use rigscope_core::pose::{Moment, PoseSpec, Sampling, skin_model};
use rigscope_io::convert::{Check, ConvertOptions, convert};
use rigscope_io::formats::{
    OutputFile, OutputPlace, ReadOptions, RelatedFile, Source, WriteOptions, by_id, is_image, open,
    write,
};

use super::sims::{bytes, folder};
use crate::support::folder::InMemory;
use crate::support::{open_file, samples};
use rigscope_testing::*;

const SKINS: [&str; 5] = [
    "xskin-b900mafit_mannequin-PELVIS-BODY",
    "xskin-c900ma_mannequin-HEAD-HEAD",
    "xskin-h900lo-L_HAND-HAND",
    "xskin-h900ro-R_HAND-HAND",
    "tiny",
];
const CHARACTERS: [&str; 5] = [
    "b900mafit_mannequin",
    "c900ma_mannequin",
    "h900_mannequin",
    "mannequin-skeleton",
    "mannequin-skills",
];

fn options(stem: &str) -> WriteOptions {
    WriteOptions { stem: stem.to_owned(), ..WriteOptions::default() }
}

fn written(model: &Model, format: &str, stem: &str) -> (Vec<OutputFile>, Report) {
    let report = Report::new();
    let outputs = write(model, by_id(format).unwrap(), &options(stem), &report);
    (outputs.unwrap(), report)
}

/// The file name of an output.
fn name_of(output: &OutputFile, stem: &str, format: &str) -> String {
    match &output.place {
        OutputPlace::Main => format!("{stem}.{format}"),
        OutputPlace::Suffix(suffix) => format!("{stem}{suffix}.{format}"),
        OutputPlace::Named(name) | OutputPlace::There(name) => name.clone(),
    }
}

/// Reads output `number` with only its related files.
fn read_back(outputs: &[OutputFile], number: usize, stem: &str, format: &str) -> Model {
    let related_files = outputs.iter().filter(|output| output.is_related_file);
    let related_files = related_files
        .map(|output| RelatedFile::new(name_of(output, stem, format), output.bytes.clone()));
    // Images that a file names are in its folder, not passed explicitly.
    let (images, related_files): (Vec<_>, Vec<_>) = related_files.partition(|c| is_image(&c.name));
    let images = images.into_iter().map(|c| (c.name, c.bytes.to_vec()));
    let main = &outputs[number];
    let source = Source::new(name_of(main, stem, format), main.bytes.clone())
        .with_related_files(related_files)
        .with_folders(vec![Arc::new(InMemory::of(images))]);
    let report = Report::new();
    let opened = open(&source, &ReadOptions::default(), &report).unwrap();
    assert_eq!(opened.format.info.id, format, "{stem}");
    let bad = [FindingKind::BrokenRecord, FindingKind::Dropped, FindingKind::UnusedRelatedFile];
    let findings = report.findings();
    assert!(!findings.iter().any(|n| bad.contains(&n.kind)), "{stem} {findings:?}");
    opened.model
}

fn beside_all(name: &str) -> Model {
    let beside = InMemory::copy(&folder(), |_| true);
    let source = Source::new(name, bytes(name)).with_folders(vec![Arc::new(beside)]);
    open(&source, &ReadOptions::default(), &Report::new()).unwrap().model
}

/// A model as text, without name, provenance and images.
fn described(mut model: Model) -> String {
    model.name.clear();
    model.provenance = Provenance::default();
    model.images.as_mut_vec().clear();
    model.details.retain(|(name, _)| *name != "skeleton");
    // Preserved data includes its offset in the file, so compare only the bytes.
    let kept: Vec<_> = std::mem::take(&mut model.preserved)
        .into_iter()
        .filter(|kept| !matches!(kept.what, "line end" | "head"))
        .map(|kept| (kept.what, kept.bytes.to_vec()))
        .collect();
    for material in &mut model.materials {
        for texture in &mut material.textures {
            texture.image = None;
        }
    }
    format!("{model:?} {kept:?}")
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn skins_convert_between_text_and_binary_byte_for_byte() {
    for name in SKINS {
        for from in ["skn", "bmf"] {
            let model = beside_all(&format!("{name}.{from}"));
            for to in ["skn", "bmf"] {
                let (outputs, _) = written(&model, to, name);
                assert!(outputs[0].bytes == bytes(&format!("{name}.{to}")), "{name} {from} {to}");
                let again = read_back(&outputs, 0, name, to);
                assert!(described(again) == described(model.clone()), "{name} {from} {to}");
            }
        }
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn characters_convert_between_text_and_binary_with_related_files() {
    for name in CHARACTERS {
        let files = [("cmx", format!("{name}.cmx")), ("bcf", format!("{name}.cmx.bcf"))];
        for (from, file) in &files {
            let model = beside_all(file);
            for (to, twin) in &files {
                let (outputs, _) = written(&model, to, name);
                let known = bytes(twin);
                let own = String::from_utf8_lossy(&outputs[0].bytes).into_owned();
                let text = String::from_utf8_lossy(&known).into_owned();
                match (*from, *to) {
                    // Binary files don't have the comment at the start of the text.
                    ("bcf", "cmx") => assert_eq!(
                        own.split_once('\n').unwrap().1,
                        text.split_once('\n').unwrap().1
                    ),
                    _ => assert!(outputs[0].bytes == known, "{name} {from} {to}"),
                }
                for output in &outputs[1..] {
                    assert!(output.is_related_file);
                    let file = name_of(output, name, to);
                    let text = file.ends_with("skeleton.cmx");
                    assert!(text || output.bytes == bytes(&file), "{file}");
                }
                let again = read_back(&outputs, 0, name, to);
                assert!(described(again) == described(model.clone()), "{name} {from} {to}");
            }
        }
    }
}

fn spec(clip: Option<usize>, secs: f64) -> PoseSpec {
    PoseSpec {
        clip: clip.map(ClipId::from_index),
        moment: clip.map_or(Moment::Default, |_| Moment::TimeSecs(secs)),
        sampling: Sampling::Linear,
        ..PoseSpec::default()
    }
}

/// All posed positions in display space, mesh by mesh.
fn posed(model: &Model, spec: &PoseSpec) -> Vec<Vec3> {
    let display_from_file = model.axes.display_from_file();
    let meshes = skin_model(model, spec);
    let all = meshes.iter().flat_map(|mesh| &mesh.positions);
    all.map(|p| display_from_file.transform_point3(*p)).collect()
}

/// The diagonal of the bounding box.
fn extent(points: &[Vec3]) -> f32 {
    let min = points.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let max = points.iter().copied().reduce(Vec3::max).unwrap_or_default();
    (max - min).length()
}

/// The largest distance from any point to its nearest neighbour among the others.
fn farthest(points: &[Vec3], others: &[Vec3], size: f32) -> f32 {
    let cell = (size * 0.02).max(f32::MIN_POSITIVE);
    let key = |p: Vec3| (p / cell).floor().as_ivec3();
    let mut grid: std::collections::HashMap<glam::IVec3, Vec<Vec3>> = Default::default();
    for &other in others {
        grid.entry(key(other)).or_default().push(other);
    }
    let nearest = |point: Vec3| {
        let mut best = f32::MAX;
        for x in -1..=1 {
            for y in -1..=1 {
                for z in -1..=1 {
                    let cell = key(point) + glam::IVec3::new(x, y, z);
                    for other in grid.get(&cell).into_iter().flatten() {
                        best = best.min(other.distance(point));
                    }
                }
            }
        }
        best
    };
    points.iter().map(|&p| nearest(p)).fold(0.0, f32::max)
}

/// The same model with only the two largest influences per vertex, the limit of the format.
fn with_two(model: &Model) -> Model {
    let plain = rigscope_core::reshape::plain(model, None);
    rigscope_core::reshape::with_influences(&plain, 2).0
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn models_of_other_formats_become_characters_with_the_same_motion() {
    let samples = samples();
    let mut wrong: Vec<String> = Vec::new();
    for (name, most) in [
        ("Fox.glb", 5e-4),
        ("SimpleSkin.gltf", 5e-4),
        ("cesium_man.gltf", 5e-4),
        ("raylib_robot.glb", 5e-4),
    ] {
        let path = samples.join("gltf").join(name);
        let before = open_file(&path, &[], &Report::new()).unwrap();
        let reduced = with_two(&before);
        for format in ["bcf", "cmx"] {
            let (outputs, report) = written(&before, format, "made");
            let after = read_back(&outputs, 0, "made", format);
            assert_eq!(after.clips.len(), before.clips.len(), "{name}");
            let rest = posed(&reduced, &spec(None, 0.0));
            let size = extent(&rest);
            let back = posed(&after, &spec(None, 0.0));
            let mut worst = farthest(&rest, &back, size) / size;
            assert!(worst < 1e-5, "{name} at rest {worst}");
            for (number, clip) in before.clips.iter().enumerate() {
                let written = &after.clips[ClipId::from_index(number)];
                let is_unnamed = clip.name.is_empty();
                assert!(is_unnamed || written.name == clip.name, "{name}");
                let longer = written.duration_secs - clip.duration_secs;
                assert!((-1e-4..0.034).contains(&longer), "{name} {longer}");
                let (num_keys, interval_secs) = written.uniform_keys().unwrap();
                for key in (0..num_keys).step_by(num_keys / 40 + 1) {
                    let secs = key as f64 * interval_secs;
                    let was = posed(&reduced, &spec(Some(number), clip.start_secs + secs));
                    let is = posed(&after, &spec(Some(number), secs));
                    let off = farthest(&was, &is, size) / size;
                    worst = worst.max(off);
                }
            }
            println!("{name} {format}: {worst} of its extent; {:?}", report.findings());
            if worst >= most {
                wrong.push(format!("{name} {format} {worst}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// A figure as authoring tools export it: a scaled root, a bone rotated and scaled at rest, names
/// that the format can't store, a mesh with two materials, a mesh attached to a bone, and an
/// unattached mesh.
fn made() -> Model {
    let scaled = |scale: Vec3, rotation: Quat, translation: Vec3| {
        LocalTransform::Trs(Trs { translation, rotation, scale })
    };
    let bone = |name: &str, parent: Option<u32>, rest_local| Bone {
        name: name.into(),
        parent: parent.map(BoneId),
        rest_local,
        ..Bone::default()
    };
    let tilt = Quat::from_rotation_x(-1.5);
    let skeleton = Skeleton::new(
        vec![
            bone("null", None, scaled(Vec3::splat(0.01), tilt, Vec3::Y)),
            bone("Arm", Some(0), scaled(Vec3::new(1.0, 2.0, 3.0), Quat::IDENTITY, Vec3::X * 40.0)),
            bone("ARM", Some(1), scaled(Vec3::ONE, tilt, Vec3::Z * 30.0)),
            bone("\u{4e00}", Some(2), scaled(Vec3::new(-1.0, 1.0, 1.0), tilt, Vec3::Y * 20.0)),
        ],
        true,
    );
    let mut random = Random(1);
    let mut mesh = |name: &str, skin: Skin, attached_to: Option<BoneId>, materials: u32| {
        let positions: Vec<Vec3> = (0..24).map(|_| random.vec3().abs()).collect();
        let subsets: Vec<_> = (0..materials).map(|at| (24 / materials, Some(at))).collect();
        let mesh = ModelBuilder::new().mesh(positions).name(name).normal(Vec3::Y).skin(skin);
        let mesh = mesh.indices((0..24).collect::<Vec<_>>()).subsets(&subsets).into_mesh();
        Mesh { attached_to, ..mesh }
    };
    let lists: Vec<_> = (0..24u32).map(|at| [(at % 4, 0.75), ((at + 1) % 4, 0.25)]).collect();
    let shifted = |n: u8| Mat4::from_translation(Vec3::splat(f32::from(n)));
    let skin = skin(&[0, 1, 2, 3].map(|n| (u32::from(n), shifted(n))), lists);
    let meshes = vec![
        mesh("body", skin, None, 2),
        mesh("hat", Skin::None, Some(BoneId(3)), 1),
        mesh("body", Skin::None, None, 1),
    ];
    let turn = |angle: f32| Quat::from_rotation_y(angle);
    let sound = Event {
        time_secs: 2.25,
        name: "sound".into(),
        value: "step".into(),
        bone: Some(BoneId(2)),
    };
    let clip = |name: &str, end: f32| {
        let keys = linear([(2.0, turn(0.0)), (2.5, turn(1.0)), (3.0, turn(end))]);
        let clip = ModelBuilder::new().clip(name, 1.0).rotation(1, keys).into_clip();
        Clip { start_secs: 2.0, events: vec![sound.clone()], ..clip }
    };
    let named = ModelBuilder::new().textured("skin", "t/skin.png").textured("white", "t/white.png");
    let mut model = named.add_clip(clip("go", 0.0)).add_clip(clip("sit", 1.5)).build();
    (model.meshes, model.skeleton) = (meshes.into(), skeleton.unwrap());
    check::check(&mut model, &Report::new());
    model
}

#[test]
fn scaled_bones_odd_names_and_loose_meshes_round_trip() {
    let before = made();
    let (outputs, report) = written(&before, "bcf", "made");
    let after = read_back(&outputs, 0, "made", "bcf");
    let findings = report.findings();
    let count = |kind| findings.iter().find(|n| n.kind == kind).map_or(0, |n| n.count);
    assert_eq!(count(FindingKind::ChangedName), 4, "three bones and a mesh: {findings:?}");
    assert_eq!(count(FindingKind::LongerClip), 1, "{findings:?}");
    let names: Vec<_> = after.skeleton.bones().iter().map(|b| &*b.name).collect();
    assert_eq!(names, [rigscope_core::model::STILL_NAME, "null_2", "Arm", "ARM_2", "_"]);
    let meshes: Vec<_> = after.meshes.iter().map(|m| &*m.name).collect();
    assert_eq!(meshes, ["body", "body-1", "hat", "body_2"]);
    let texture = |at: usize| {
        after.texture_name(&after.materials[MaterialId::from_index(at)].textures[0]).to_owned()
    };
    assert_eq!([texture(0), texture(1)], ["skin.bmp", "white_.bmp"]);
    let size = extent(&posed(&before, &spec(None, 0.0)));
    let compare = |was: &PoseSpec, is: &PoseSpec| {
        let (was, is) = (posed(&before, was), posed(&after, is));
        let off = farthest(&was, &is, size).max(farthest(&is, &was, size)) / size;
        assert!(off < 5e-4, "{off} at {is:?}", is = is.len());
        off
    };
    let mut worst = compare(&spec(None, 0.0), &spec(None, 0.0));
    for (number, num_frames) in [(0, 30), (1, 32)] {
        let clip = &after.clips[ClipId::from_index(number)];
        let (num_keys, interval_secs) = clip.uniform_keys().unwrap();
        // In a repeating clip, the first frame is also the last key.
        assert_eq!(num_keys, num_frames + usize::from(number == 0));
        for key in 0..num_keys {
            let secs = key as f64 * interval_secs;
            worst = worst.max(compare(&spec(Some(number), 2.0 + secs), &spec(Some(number), secs)));
        }
        let event = &clip.events[0];
        let found = (event.time_secs, &*event.name, &*event.value, event.bone);
        assert_eq!(found, (0.25, "sound", "step", Some(BoneId(3))));
    }
    eprintln!("made: {worst} of its extent");
}

#[test]
fn each_skin_of_a_model_can_be_read_separately() {
    let before = made();
    let (outputs, _) = written(&before, "skn", "made");
    let names: Vec<_> = outputs.iter().map(|o| name_of(o, "made", "skn")).collect();
    let known = ["made.skn", "made.body-1.skn", "made.hat.skn", "made.body_2.skn"];
    assert_eq!(names[..4], known);
    assert_eq!(names[4..], ["made-skeleton.cmx"]);
    let was = posed(&before, &spec(None, 0.0));
    let size = extent(&was);
    for number in 0..4 {
        let after = read_back(&outputs, number, "made", "skn");
        assert_eq!(after.meshes.len(), 1);
        let is = posed(&after, &spec(None, 0.0));
        assert!(farthest(&is, &was, size) / size < 1e-5);
    }
}

#[test]
fn clip_values_are_written_separately_and_missing_parts_are_errors() {
    let write_with = |model: &Model, format: &str, part: Option<&str>| {
        let options = WriteOptions { part: part.map(str::to_owned), ..options("made") };
        write(model, by_id(format).unwrap(), &options, &Report::new())
    };
    let mut model = made();
    let error = write_with(&model, "cmx", Some("cfp")).unwrap_err().to_string();
    assert_eq!(error, "the model has 2 clips, but CMX stores at most 1");
    model.clips.as_mut_vec().truncate(1);
    let (outputs, _) = written(&model, "cmx", "made");
    let values = write_with(&model, "cmx", Some("cfp")).unwrap();
    let related_file = outputs.iter().find(|o| name_of(o, "", "") == "xskill-made-go.cfp");
    assert_eq!(values[0].bytes, related_file.unwrap().bytes);
    model.clips.as_mut_vec().clear();
    model.meshes.as_mut_vec().clear();
    let error = write_with(&model, "bcf", Some("cfp")).unwrap_err().to_string();
    assert_eq!(error, "the model has no clip to write as BCF");
    let error = write_with(&model, "bmf", None).unwrap_err().to_string();
    assert_eq!(error, "the model has no mesh to write as BMF");
}

#[test]
fn names_invalid_for_files_are_replaced_in_every_output() {
    let (outputs, _) = written(&made(), "cmx", "figure");
    let mut main = String::from_utf8(outputs[0].bytes.clone()).unwrap();
    let mut related_files = Vec::new();
    for output in &outputs[1..] {
        let name = name_of(output, "figure", "cmx");
        let (stem, extension) = name.rsplit_once('.').unwrap();
        // Names in archives can contain any byte.
        let odd = format!("{stem}\u{15}?");
        main = main.replace(&format!("\n{stem}\r"), &format!("\n{odd}\r"));
        related_files.push(RelatedFile::new(format!("{odd}.{extension}"), output.bytes.clone()));
    }
    let source = Source::new("figure.cmx", main.into_bytes()).with_related_files(related_files);
    let model = open(&source, &ReadOptions::default(), &Report::new());
    let model = model.unwrap().model;
    assert!(model.meshes[MeshId(0)].name.contains('\u{15}'));
    for format in ["cmx", "bcf", "skn", "bmf"] {
        let options = ConvertOptions {
            write: options("other"),
            check: Check::Losses,
            ..ConvertOptions::default()
        };
        let format = by_id(format).unwrap();
        let converted = convert(&model, format, "x", &options, &Report::new()).unwrap();
        let names = converted.files.iter().map(|(name, _)| name);
        let mut chars = names.flat_map(|name| name.chars());
        assert!(!chars.any(|c| c.is_control() || c == '?'));
        assert!(converted.unforeseen().is_empty(), "{:?}", converted.observed);
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn changed_models_are_not_written_from_preserved_bytes() {
    let before = beside_all("b900mafit_mannequin.cmx");
    let larger = rigscope_core::reshape::scaled(&before, 2.0);
    let (outputs, _) = written(&larger, "bcf", "larger");
    let after = read_back(&outputs, 0, "larger", "bcf");
    let (was, is) = (posed(&larger, &spec(None, 0.0)), posed(&after, &spec(None, 0.0)));
    assert_eq!(was.len(), is.len());
    let off = was.iter().zip(&is).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(off < 1e-4, "{off}: two positions a vertex are kept, in order");
}
