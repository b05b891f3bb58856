//! The Sims, written: twins of text and bytes turn into one another, and other models into
//! characters that move alike.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use rigscope::formats::losses::{Aspect, Counts, observed, predicted};
use rigscope::formats::{
    Companion, OutputFile, OutputPlace, ReadOptions, Source, WriteOptions, by_id, open, write,
};
use rigscope::model::{ClipId, Model, NoteKind, Report};
use rigscope::pose::{Moment, PoseSpec, Sampling, skin_model};

use super::sims::{bytes, folder};
use crate::support::folder::InMemory;
use crate::support::{open_file, readable_samples, samples};

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
    WriteOptions {
        stem: stem.to_owned(),
        ..WriteOptions::default()
    }
}

fn written(model: &Model, format: &str, stem: &str) -> (Vec<OutputFile>, Report) {
    let report = Report::new();
    let outputs = write(model, by_id(format).unwrap(), &options(stem), &report);
    (outputs.unwrap(), report)
}

/// The name that an output gets.
fn name_of(output: &OutputFile, stem: &str, format: &str) -> String {
    match &output.place {
        OutputPlace::Main => format!("{stem}.{format}"),
        OutputPlace::Suffix(suffix) => format!("{stem}{suffix}.{format}"),
        OutputPlace::Named(name) => name.clone(),
    }
}

/// Reads output `number` with the companions among the others and nothing else.
fn read_back(outputs: &[OutputFile], number: usize, stem: &str, format: &str) -> Model {
    let companions = outputs.iter().filter(|output| output.is_companion);
    let companions = companions.map(|output| Companion {
        name: name_of(output, stem, format),
        bytes: Arc::new(output.bytes.clone()),
    });
    let main = &outputs[number];
    let source = Source::new(name_of(main, stem, format), main.bytes.clone())
        .with_companions(companions.collect());
    let report = Report::new();
    let opened = open(&source, &ReadOptions::default(), &report).unwrap();
    assert_eq!(opened.format.info().id, format, "{stem}");
    let bad = [
        NoteKind::BrokenRecord,
        NoteKind::Dropped,
        NoteKind::UnusedCompanion,
    ];
    let notes = report.notes();
    assert!(
        !notes.iter().any(|n| bad.contains(&n.kind)),
        "{stem} {notes:?}"
    );
    opened.model
}

fn beside_all(name: &str) -> Model {
    let beside = InMemory::copy(&folder().unwrap(), |_| true);
    let source = Source::new(name, bytes(name)).with_folders(vec![Arc::new(beside)]);
    open(&source, &ReadOptions::default(), &Report::new())
        .unwrap()
        .model
}

/// All that a model says but where it comes from and which images there are.
fn described(mut model: Model) -> String {
    model.name.clear();
    model.provenance.spans.clear();
    model.images.clear();
    model.details.retain(|(name, _)| *name != "skeleton");
    // Kept bytes tell where in their file they lie.
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
fn skins_turn_into_their_twins_and_back_to_the_last_byte() {
    if folder().is_none() {
        return;
    }
    for name in SKINS {
        for from in ["skn", "bmf"] {
            let model = beside_all(&format!("{name}.{from}"));
            for to in ["skn", "bmf"] {
                let (outputs, _) = written(&model, to, name);
                assert!(
                    outputs[0].bytes == bytes(&format!("{name}.{to}")),
                    "{name} {from} {to}"
                );
                let again = read_back(&outputs, 0, name, to);
                assert!(
                    described(again) == described(model.clone()),
                    "{name} {from} {to}"
                );
            }
        }
    }
}

#[test]
fn characters_turn_into_their_twins_and_bring_all_they_name() {
    if folder().is_none() {
        return;
    }
    for name in CHARACTERS {
        let files = [
            ("cmx", format!("{name}.cmx")),
            ("bcf", format!("{name}.cmx.bcf")),
        ];
        for (from, file) in &files {
            let model = beside_all(file);
            for (to, twin) in &files {
                let (outputs, _) = written(&model, to, name);
                let known = bytes(twin);
                let own = String::from_utf8_lossy(&outputs[0].bytes).into_owned();
                let text = String::from_utf8_lossy(&known).into_owned();
                match (*from, *to) {
                    // Bytes have no comment, which the text begins with.
                    ("bcf", "cmx") => assert_eq!(
                        own.split_once('\n').unwrap().1,
                        text.split_once('\n').unwrap().1
                    ),
                    _ => assert!(outputs[0].bytes == known, "{name} {from} {to}"),
                }
                for output in &outputs[1..] {
                    assert!(output.is_companion);
                    let file = name_of(output, name, to);
                    let text = file.ends_with("skeleton.cmx");
                    assert!(text || output.bytes == bytes(&file), "{file}");
                }
                let again = read_back(&outputs, 0, name, to);
                assert!(
                    described(again) == described(model.clone()),
                    "{name} {from} {to}"
                );
            }
        }
    }
}

fn spec(clip: Option<usize>, secs: f64) -> PoseSpec {
    PoseSpec {
        clip: clip.map(ClipId::from_index),
        moment: clip.map_or(Moment::Default, |_| Moment::TimeSecs(secs)),
        sampling: Sampling::Linear,
    }
}

/// All posed positions in display space, mesh after mesh.
fn posed(model: &Model, spec: &PoseSpec) -> Vec<Vec3> {
    let display_from_file = model.axes.display_from_file();
    let meshes = skin_model(model, spec);
    let all = meshes.iter().flat_map(|mesh| &mesh.positions);
    all.map(|p| display_from_file.transform_point3(*p))
        .collect()
}

/// The number, among `others`, of the vertex that each of `vertices` became, by place at rest and
/// texture coordinates.
fn extent(points: &[Vec3]) -> f32 {
    let min = points.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let max = points.iter().copied().reduce(Vec3::max).unwrap_or_default();
    (max - min).length()
}

/// The greatest distance from any point to the nearest of others.
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

/// The same model with the two largest influences a vertex, which is what the format holds.
fn with_two(model: &Model) -> Model {
    let plain = rigscope::bake::plain(model, None);
    rigscope::bake::with_influences(&plain, 2).0
}

#[test]
fn models_of_other_formats_become_characters_that_move_alike() {
    let Some(samples) = samples() else { return };
    for (name, most) in [
        ("Fox.glb", 2e-3),
        ("SimpleSkin.gltf", 2e-3),
        ("cesium_man.gltf", 2e-3),
        ("raylib_robot.glb", 2e-3),
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
                let written = &after.clips[number];
                assert_eq!(written.name, clip.name);
                let longer = written.duration_secs - clip.duration_secs;
                assert!((-1e-4..0.034).contains(&longer), "{name} {longer}");
                for key in 0..=20 {
                    let secs = clip.duration_secs * f64::from(key) / 20.0;
                    let was = posed(&reduced, &spec(Some(number), clip.start_secs + secs));
                    let is = posed(&after, &spec(Some(number), secs));
                    let off = farthest(&was, &is, size) / size;
                    worst = worst.max(off);
                }
            }
            println!(
                "{name} {format}: {worst} of its extent; {:?}",
                report.notes()
            );
            assert!(worst < most, "{name} {worst}");
        }
    }
}

#[test]
fn losses_of_every_sample_are_those_predicted() {
    let mut wrong = Vec::new();
    let mut num = 0;
    for path in readable_samples() {
        let Ok(before) = open_file(&path, &[], &Report::new()) else {
            continue;
        };
        if before.num_vertices() > 60_000 {
            continue;
        }
        for format in ["skn", "bmf", "cmx", "bcf"] {
            let writer = by_id(format).unwrap();
            let report = Report::new();
            let outputs = match write(&before, writer, &options("made"), &report) {
                Ok(outputs) => outputs,
                Err(error) => {
                    println!("{} {format}: {error}", path.display());
                    continue;
                }
            };
            num += 1;
            let is_main = |output: &&OutputFile| !output.is_companion;
            let num_mains = outputs.iter().filter(is_main).count();
            let after = (0..num_mains)
                .map(|number| Counts::of_model(&read_back(&outputs, number, "made", format)))
                .reduce(|a, b| a.joined(&b))
                .unwrap();
            let before = Counts::of_model(&before);
            let set = |list: Vec<rigscope::formats::losses::Loss>| -> BTreeSet<Aspect> {
                list.into_iter().map(|loss| loss.aspect).collect()
            };
            let known = set(predicted(&before, writer, &options("made")));
            let found = set(observed(&before, &after));
            if known != found {
                wrong.push(format!(
                    "{} {format}: only predicted {:?}, only observed {:?}",
                    short(&path),
                    known.difference(&found).collect::<Vec<_>>(),
                    found.difference(&known).collect::<Vec<_>>()
                ));
            }
        }
    }
    println!("{num} written");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn short(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}
