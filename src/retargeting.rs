//! Pairing bones, and playing clips of other skeletons.

use std::path::Path;

use super::{Document, Error};
use rigscope_core::model::{BoneId, Finding, FindingKind, Model, Place, Report};
use rigscope_core::pose::transfer::{self, RetargetedClips, RootMotion, retarget_and_measure};
use rigscope_core::rig::{BoneMap, BonePairs, pair_bones};
use rigscope_io::files::{FileError, Inputs};
use rigscope_io::formats::pairs_of_bone_map;
use rigscope_io::open;

/// Which bones of `from` correspond to which bones of `to`: by name, as parts of a body, and by their place in the
/// hierarchy. `map` overrides this; without it, a file `MODEL.bones.toml` next to `to` does, if there is one.
///
/// # Errors
/// If `map` has names that the models lack, or the same counterpart twice, or the file next to `to` isn't a bone map.
///
/// # Examples
/// ```
/// let document = rigscope::open("assets/sample.bsm2")?;
/// let matched = rigscope::bones(&document, &document, None)?;
/// assert!(matched.pairs.pairs.iter().all(|pair| pair.from == pair.to));
/// for pair in &matched.pairs.pairs {
///     println!("{}: {}", pair.reason.text(), pair.reason.certainty());
/// }
/// # Ok::<(), rigscope::Error>(())
/// ```
pub fn bones(from: &Document, to: &Document, map: Option<&BoneMap>) -> Result<MatchedBones, Error> {
    let report = Report::new();
    let given = given_pairs(from, to, map, &report)?;
    let pairs = pair_bones(&from.model, &to.model, &given);
    let unpaired = pairs.unpaired_names([&from.model, &to.model]);
    Ok(MatchedBones { pairs, unpaired, findings: report.findings() })
}

/// The corresponding bones of two models.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MatchedBones {
    /// In the order of the first model.
    pub pairs: BonePairs,
    /// Names of the bones of each model that are in no pair.
    pub unpaired: [Vec<String>; 2],
    /// Entries of the bone map next to the model that fit neither.
    pub findings: Vec<Finding>,
}

/// Reads a bone map: TOML, JSON, or a resource of Godot (`.tres`).
///
/// # Errors
/// If the file can't be read or isn't a bone map.
pub fn read_bone_map(path: impl AsRef<Path>) -> Result<BoneMap, Error> {
    let path = path.as_ref();
    open::read_bone_map(path, &Inputs::of([path])).map_err(|error| {
        let path = path.to_owned();
        match &error {
            FileError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Error::NotFound { path }
            }
            _ => Error::Unreadable { path, reason: error.to_string() },
        }
    })
}

/// How [`retarget`] carries clips over.
#[derive(Clone, Debug, Default)]
pub struct RetargetOptions {
    /// The motion of the hips.
    pub root: RootMotion,
    /// Keeps feet where those of the clip are, by bending the legs.
    pub feet: bool,
    /// Keeps the model's own clips.
    pub add: bool,
    /// Overrides pairs, as for [`bones`].
    pub map: Option<BoneMap>,
}

/// A model with the clips of `clips`, which may be for skeletons with other names, bone axes, rest poses, proportions
/// and units. The result is measured: angles to the bones of the clip, feet, hands, and joints that bend the wrong way.
///
/// # Errors
/// If a document has no clips, none of its bones corresponds to one of the model, or the bone map is wrong.
///
/// # Examples
/// ```
/// use rigscope::RetargetOptions;
///
/// let sample = rigscope::open("assets/sample.bsm2")?;
/// let done = rigscope::retarget(&[&sample], &sample, &RetargetOptions::default())?;
/// assert_eq!(done.document.model.clips.len(), sample.model.clips.len());
/// for quality in &done.files[0].clips.quality {
///     assert!(quality.median_angle_rad < 0.01);
/// }
/// # Ok::<(), rigscope::Error>(())
/// ```
pub fn retarget(
    clips: &[&Document],
    to: &Document,
    options: &RetargetOptions,
) -> Result<Retargeted, Error> {
    let mut document = to.clone();
    if !options.add {
        document.model.clips.as_mut_vec().clear();
    }
    let mut files = Vec::new();
    for source in clips {
        let named = |reason: String| Error::BadOption { reason: named(&source.model, &reason) };
        if source.model.clips.is_empty() {
            return Err(named("the file has no clips".to_owned()));
        }
        let report = Report::new();
        let given = given_pairs(source, to, options.map.as_ref(), &report)?;
        let name = Path::new(&source.model.name).file_stem().unwrap_or_default();
        let name = name.to_string_lossy();
        let own = transfer::RetargetOptions { root: options.root, feet: options.feet };
        let model = &mut document.model;
        let clips = retarget_and_measure(model, &source.model, &given, own, &name, &report);
        let clips = clips.map_err(named)?;
        open::add_inputs(&mut document, source);
        let name = source.model.name.clone();
        files.push(RetargetedFile { name, clips, findings: report.findings() });
    }
    Ok(Retargeted { document, files })
}

/// A model with clips of other skeletons.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Retargeted {
    /// The model with the clips.
    pub document: Document,
    /// The results for each document with clips, in their order.
    pub files: Vec<RetargetedFile>,
}

/// The clips of one document on the model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RetargetedFile {
    /// The name of the document's model.
    pub name: String,
    /// Pairs, scale and quality.
    pub clips: RetargetedClips,
    /// Bones and values that the model lacks, most severe first.
    pub findings: Vec<Finding>,
}

/// The pairs that a map states, or the map next to the model.
fn given_pairs(
    from: &Document,
    to: &Document,
    map: Option<&BoneMap>,
    report: &Report,
) -> Result<Vec<(BoneId, Option<BoneId>)>, Error> {
    let models = [&from.model, &to.model];
    let names = models.map(|model| if model.name.is_empty() { "the model" } else { &*model.name });
    if let Some(map) = map {
        let (pairs, problems) = pairs_of_bone_map(map, models, names, false);
        let problem = problems.into_iter().next();
        return problem.map_or(Ok(pairs), |reason| Err(Error::BadOption { reason }));
    }
    let Some(path) = open::path(to).and_then(open::bone_map_near) else { return Ok(Vec::new()) };
    let (pairs, problems) = pairs_of_bone_map(&read_bone_map(&path)?, models, names, true);
    let num = problems.len() as u64;
    report.add_many(FindingKind::BoneMapEntryUnused, Place::File, num, || {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        format!("{name}: {}", problems.join("; "))
    });
    Ok(pairs)
}

/// A reason after the name of a model.
fn named(model: &Model, reason: &str) -> String {
    match &*model.name {
        "" => reason.to_owned(),
        name => format!("{name}: {reason}"),
    }
}
