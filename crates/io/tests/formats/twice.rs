//! Round trips through every format, twice: changes of the first one are reported, and the second changes nothing.
//!
//! `RIGSCOPE_ROUND_TRIPS=all` includes large samples.

use std::collections::BTreeSet;

use glam::{Mat4, Vec3};
use rayon::prelude::*;
use rigscope_core::model::added_bones;
use rigscope_io::convert::{Check, ConvertOptions, Converted, convert, read_back};
use rigscope_io::formats::losses::Aspect;
use rigscope_io::formats::{FORMATS, Format, ReadOptions, Source, WriteOptions, by_id, open};
use rigscope_testing::*;

use crate::support::rich::{rich, rich_without_jumps};
use crate::support::{fixtures, is_set, open_file, readable_samples_if_any};

/// Larger samples are only converted on request.
const MAX_SAMPLE_BYTES: u64 = 24 << 10;

/// The format for models that have no writable one.
const HOME: &str = "gltf";

struct Case {
    name: String,
    home: &'static Format,
    model: Model,
}

/// The parts of a model that a round trip must not change.
#[derive(Clone, Debug, PartialEq)]
struct Inventory {
    bones: Vec<String>,
    meshes: Vec<String>,
    clips: Vec<String>,
    targets: Vec<String>,
    materials: Vec<String>,
    num_images: usize,
    num_vertices: usize,
    num_triangles: usize,
    num_subsets: usize,
    num_keys: Vec<usize>,
}

impl Inventory {
    fn of(models: &[Model]) -> Self {
        let names = |list: &dyn Fn(&Model) -> Vec<String>| models.iter().flat_map(list).collect();
        let sum = |count: &dyn Fn(&Model) -> usize| models.iter().map(count).sum();
        let targets = |model: &Model| {
            let meshes = model.meshes.iter();
            let targets = meshes.flat_map(|mesh| mesh.morph_targets.iter().map(|t| t.name.clone()));
            targets.collect()
        };
        Self {
            bones: names(&|model| model.skeleton.bones().iter().map(|b| b.name.clone()).collect()),
            meshes: names(&|model| model.meshes.iter().map(|mesh| mesh.name.clone()).collect()),
            clips: names(&|model| model.clips.iter().map(|clip| clip.name.clone()).collect()),
            targets: names(&targets),
            materials: names(&|model| model.materials.iter().map(|m| m.name.clone()).collect()),
            num_images: sum(&|model| model.images.len()),
            num_vertices: sum(&|model| model.num_vertices()),
            num_triangles: sum(&|model| model.num_triangles()),
            num_subsets: sum(&|model| model.num_subsets()),
            num_keys: models.iter().flat_map(|model| model.clips.iter().map(num_keys)).collect(),
        }
    }
}

impl Inventory {
    /// Equal except for numbers of vertices and keys, which rounding changes: vertices become equal and are
    /// merged, or quantized rotations need another key.
    fn is_like(&self, other: &Self) -> bool {
        let names = |own: &Self| (own.bones.clone(), own.clips.clone(), own.targets.clone());
        let counts =
            |own: &Self| [own.meshes.len(), own.materials.len(), own.num_images, own.num_subsets];
        names(self) == names(other) && counts(self) == counts(other)
    }
}

/// The largest number of keys in a track.
fn num_keys(clip: &Clip) -> usize {
    match &clip.motion {
        Motion::Tracks(tracks) => {
            tracks.iter().flat_map(BoneTrack::times).map(<[f64]>::len).max().unwrap_or(0)
        }
        Motion::Sampled(motion) => motion.keys.num_keys(),
        Motion::VertexAnimation(cache) => cache.times_secs.len(),
        Motion::Curves(_) => 0,
    }
}

/// One conversion and the models that are read back from its files.
struct Step {
    converted: Converted,
    models: Vec<Model>,
}

fn step(model: &Model, to: &'static Format) -> Result<Step, String> {
    let options = ConvertOptions {
        // Formats that leave out bones without this option list them as lost.
        write: WriteOptions {
            stem: "trip".into(),
            hierarchy: true,
            last_bones: true,
            ..WriteOptions::default()
        },
        check: Check::Losses,
        ..ConvertOptions::default()
    };
    let report = Report::new();
    let converted = convert(model, to, to.info.extensions[0], &options, &report);
    let converted = converted.map_err(|error| error.to_string())?;
    let fps = to.written_fps(model, None);
    let models = read_back(&converted.files, to, fps, &Report::new());
    Ok(Step { models: models.map_err(|error| error.to_string())?, converted })
}

/// `model` through `format` and back to `home`.
fn trip(
    model: &Model,
    format: &'static Format,
    home: &'static Format,
) -> Result<[Step; 2], String> {
    let there = step(model, format)?;
    let [model] = &there.models[..] else { return Err("several files".to_owned()) };
    let back = step(model, home)?;
    if back.models.len() != 1 {
        return Err("several files".to_owned());
    }
    Ok([there, back])
}

/// Changes of the numbers of bones, meshes, clips, targets and materials that no step reports.
fn unreported(before: &Model, after: &Model, steps: &[Step]) -> Vec<String> {
    let is_split =
        |step: &Step| step.converted.added().any(|finding| finding.kind == FindingKind::MeshSplit);
    let splits = steps.iter().any(is_split);
    let num_added: u64 =
        steps.iter().flat_map(|step| step.converted.added()).map(|n| n.count).sum();
    let lost: BTreeSet<Aspect> =
        steps.iter().flat_map(|s| &s.converted.predicted).map(|loss| loss.aspect).collect();
    let (a, b) =
        (Inventory::of(std::slice::from_ref(before)), Inventory::of(std::slice::from_ref(after)));
    let mut faults = Vec::new();
    let mut check = |what: &str, a: &[String], b: &[String], may_grow: bool, aspects: &[Aspect]| {
        let is_lost = aspects.iter().any(|aspect| lost.contains(aspect));
        if b.len() > a.len() && !may_grow || b.len() < a.len() && !is_lost {
            faults.push(format!("{} {what} become {}: {a:?} {b:?}", a.len(), b.len()));
        }
    };
    let bones = [Aspect::UsedBones, Aspect::UnusedBones, Aspect::Skins];
    check("bones", &own_bones(before), &own_bones(after), num_added > 0, &bones);
    check("meshes", &a.meshes, &b.meshes, splits, &[Aspect::Meshes, Aspect::Vertices]);
    check("clips", &a.clips, &b.clips, false, &[Aspect::Clips, Aspect::VertexAnimations]);
    check("targets", &a.targets, &b.targets, false, &[Aspect::MorphTargets]);
    let num_more = b.bones.len().saturating_sub(a.bones.len()) as u64;
    if num_more > num_added {
        faults.push(format!("of {num_more} more bones, {num_added} are reported: {:?}", b.bones));
    }
    faults
}

/// The names of bones that no writer added.
fn own_bones(model: &Model) -> Vec<String> {
    let added = added_bones(model);
    let bones = model.skeleton.bones().iter().zip(&added);
    let own = bones.filter(|(_, added)| added.is_none());
    own.map(|(bone, _)| bone.name.clone()).collect()
}

/// The faults of one pair of model and format; `None` if the format can't store the model.
fn faults(case: &Case, format: &'static Format, is_sample: bool) -> Option<Vec<String>> {
    let own = || format!("{} through {}", case.name, format.info.id);
    let first = trip(&case.model, format, case.home).ok()?;
    let once = &first[1].models[0];
    let mut faults: Vec<String> = unreported(&case.model, once, &first)
        .into_iter()
        .map(|fault| format!("{}: {fault}", own()))
        .collect();
    match trip(once, format, case.home) {
        Ok(second) => {
            let (one, two) = (Inventory::of(&first[1].models), Inventory::of(&second[1].models));
            if one != two && !(is_sample && one.is_like(&two)) {
                faults.push(format!("{}:\n  {one:?}\n  {two:?}", own()));
            }
        }
        Err(error) => faults.push(format!("{}: the second trip fails: {error}", own())),
    }
    Some(faults)
}

/// Meshes and skeletons for which formats need additional bones.
fn awkward() -> Vec<(&'static str, Model)> {
    let two_roots = ModelBuilder::new()
        .bones(&[("left", None, Vec3::X), ("right", None, Vec3::NEG_X)])
        .triangle()
        .name("flag")
        .bound([&[(0, 1.0)][..], &[(1, 1.0)], &[(0, 0.5), (1, 0.5)]])
        .checked();
    let unweighted = ModelBuilder::new()
        .chain(&["hips", "chest"])
        .triangle()
        .name("flag")
        .bound([&[][..], &[(0, 1.0)], &[(1, 1.0)]])
        .clip("wave", 1.0)
        .translation(1, linear([(0.0, Vec3::Y), (1.0, Vec3::Y * 2.0)]))
        .checked();
    let shifted = Mat4::from_translation(Vec3::Y);
    let one: &[(u32, f32)] = &[(0, 1.0)];
    let mut two_binds = ModelBuilder::new()
        .chain(&["hips", "chest"])
        .triangle()
        .name("a")
        .skin(skin(&[(1, Mat4::IDENTITY)], [one; 3]))
        .triangle()
        .name("b")
        .skin(skin(&[(1, shifted)], [one; 3]))
        .clip("wave", 1.0)
        .translation(1, linear([(0.0, Vec3::Y), (1.0, Vec3::Y * 2.0)]))
        .build();
    check::check(&mut two_binds, &Report::new());
    let attached = ModelBuilder::new()
        .chain(&["arm", "hand"])
        .triangle()
        .name("sword")
        .attached_to(1)
        .checked();
    let mixed = ModelBuilder::new()
        .chain(&["hips", "chest"])
        .triangle()
        .name("body")
        .bound([&[(0, 1.0)][..], &[(1, 1.0)], &[(1, 1.0)]])
        .triangle()
        .name("floor")
        .checked();
    let still = ModelBuilder::new().triangle().name("rock").checked();
    vec![
        ("two roots", two_roots),
        ("a vertex without weights", unweighted),
        ("two binds of a bone", two_binds),
        ("an attached mesh", attached),
        ("a skinned and a free mesh", mixed),
        ("a mesh without bones", still),
    ]
}

fn made_in_code() -> Vec<Case> {
    let home = by_id(HOME).unwrap();
    let mut models = vec![
        ("everything", rich()),
        ("without jumps", rich_without_jumps()),
        ("two triangles", fixtures::two_triangles()),
        ("with hierarchy", fixtures::with_hierarchy()),
        ("without clips", fixtures::without_clips()),
    ];
    models.extend(awkward());
    let source = Source::new("sample.bsm2", rigscope_assets::SAMPLE.to_vec());
    let sample = open(&source, &ReadOptions::default(), &Report::new()).unwrap().model;
    let mut cases: Vec<Case> = Vec::new();
    cases.push(Case {
        name: "the sample".into(),
        home: by_id("bsm2").unwrap(),
        model: sample.clone(),
    });
    models.push(("the sample as glTF", sample));
    for (name, model) in models {
        let model = step(&model, home).unwrap().models.remove(0);
        cases.push(Case { name: name.to_owned(), home, model });
    }
    cases
}

fn samples() -> Vec<Case> {
    let takes_all = is_set("RIGSCOPE_ROUND_TRIPS");
    let paths = readable_samples_if_any().into_iter();
    let is_taken = |path: &std::path::PathBuf| {
        takes_all || path.metadata().is_ok_and(|metadata| metadata.len() <= MAX_SAMPLE_BYTES)
    };
    let paths: Vec<_> = paths.filter(is_taken).collect();
    let case = |path: &std::path::PathBuf| {
        let model = open_file(path, &[], &Report::new()).ok()?;
        let source = Source::new("nameless", std::fs::read(path).ok()?);
        let format = rigscope_io::formats::candidates(&source).first()?.format;
        let is_written = format.info.can_write;
        let home = if is_written { format } else { by_id(HOME)? };
        let model = if is_written { model } else { step(&model, home).ok()?.models.pop()? };
        Some(Case { name: path.display().to_string(), home, model })
    };
    paths.par_iter().filter_map(case).collect()
}

fn run(cases: &[Case], are_samples: bool) -> usize {
    let pairs: Vec<(&Case, &'static Format)> = (cases.iter())
        .flat_map(|case| FORMATS.iter().map(move |&format| (case, format)))
        .filter(|(_, format)| format.info.can_write)
        .collect();
    let results: Vec<Option<Vec<String>>> =
        pairs.par_iter().map(|(case, format)| faults(case, format, are_samples)).collect();
    let num = results.iter().flatten().count();
    let found: Vec<String> = results.into_iter().flatten().flatten().collect();
    assert!(found.is_empty(), "{} faults in {num} pairs:\n{}", found.len(), found.join("\n"));
    num
}

#[test]
fn a_second_round_trip_changes_nothing_and_the_first_reports_what_it_adds() {
    let num = run(&made_in_code(), false);
    assert!(num > 80, "{num}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn round_trips_of_samples_add_nothing() {
    let cases = samples();
    let num = run(&cases, true);
    eprintln!("{num} round trips of {} samples", cases.len());
}
