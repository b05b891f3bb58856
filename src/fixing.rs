//! Fixing findings and causes in files.

use std::path::{Path, PathBuf};

use super::{Document, Error, OpenOptions};
use rigscope_core::diagnose::{CAUSES, Context, PIECES};
use rigscope_core::measure::FarthestVertex;
use rigscope_core::model::{Finding, Report};
use rigscope_core::validate::finding_of_code;
use rigscope_io::files::{ClaimedPaths, Inputs, Pipes, check_target, outputs_of, save_set};
use rigscope_io::fix::{
    Applied, Choice, FixError, FixOptions, FixResult, Offered, Refused, Written,
};
use rigscope_io::open::{Opener, conversion_files, neighbours};

/// Fixes findings and causes in the file at `path`, for writing to `to`. Only the affected bytes differ if the format
/// stores the changed values in place; otherwise the format's writer makes a new file. Each fix is proven: when the
/// result is read again, its finding is gone and no other appears. [`Fixed::save`] writes the result.
///
/// `good` is a correct version of the model, for causes that show only in comparison.
///
/// # Errors
/// If `choice` names an unknown finding or cause, the file can't be read, or the result can't be written in the format
/// of `to`.
///
/// # Examples
/// ```
/// use rigscope::FixChoice;
///
/// let folder = tempfile::tempdir().unwrap();
/// let broken = folder.path().join("broken.bsm2");
/// let mut bytes = std::fs::read("assets/sample.bsm2").unwrap();
/// bytes[52] = 3; // A weight of the first vertex.
/// std::fs::write(&broken, bytes).unwrap();
///
/// let to = folder.path().join("fixed.bsm2");
/// let fixed = rigscope::fix(&broken, &to, FixChoice::All, None)?;
/// assert_eq!(fixed.applied[0].name, "weights-not-normalized");
/// assert!(fixed.is_patched());
/// assert_eq!(fixed.save(false)?, [to]);
/// # Ok::<(), rigscope::Error>(())
/// ```
pub fn fix(
    path: impl AsRef<Path>,
    to: impl AsRef<Path>,
    choice: Choice,
    good: Option<&Document>,
) -> Result<Fixed, Error> {
    let (path, to) = (path.as_ref(), to.as_ref());
    check_names(&choice)?;
    let report = Report::new();
    let document = OpenOptions::default().open(path)?;
    let unreadable = |reason: String| Error::Unreadable { path: path.to_owned(), reason };
    let opener = Opener::new(&OpenOptions::default(), Pipes::Allowed, &report)
        .map_err(|(path, error)| Error::Unreadable { path, reason: error.to_string() })?;
    let opener = opener.with_images();
    let file = opener.file(path, &report).map_err(|error| unreadable(error.to_string()))?;
    let neighbours = neighbours(&opener, path, &document.model, Some(to));
    let reference = good.map(|document| &document.model);
    let context = Context { reference, neighbours: &neighbours };
    let options = FixOptions { choice, context, diagnosis: None };
    let claims = ClaimedPaths::default();
    let files = || conversion_files(&document, to, false, claims.clone());
    let result = rigscope_io::fix::fix(&file, &document, &options, &files, &report);
    let FixResult { written, applied, refused, offered, unfixable, new, moved, .. } = result
        .map_err(|error| match error {
            FixError::Cancelled => Error::Cancelled,
            other => Error::CannotWrite { path: to.to_owned(), reason: other.to_string() },
        })?;
    let mut inputs = rigscope_io::open::inputs(&document).clone();
    inputs.extend([path]);
    let to = to.to_owned();
    Ok(Fixed { applied, refused, offered, unfixable, new, moved, written, to, inputs })
}

/// Rejects names that no finding, cause or piece has.
fn check_names(choice: &Choice) -> Result<(), Error> {
    let Choice::Named { codes, causes, pieces } = choice else { return Ok(()) };
    let unknown = |what: &str, name: &String| {
        Err(Error::BadOption { reason: format!("there is no {what} {name}") })
    };
    if let Some(code) = codes.iter().find(|code| finding_of_code(code).is_none()) {
        return unknown("finding", code);
    }
    let is_cause = |name: &String| CAUSES.iter().any(|cause| cause.name == name);
    if let Some(name) = causes.iter().find(|name| !is_cause(name)) {
        return unknown("cause", name);
    }
    let is_piece = |name: &String| PIECES.iter().any(|piece| piece.name == name);
    match pieces.iter().find(|name| !is_piece(name)) {
        Some(name) => unknown("piece", name),
        None => Ok(()),
    }
}

/// The result of fixing a file, in memory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fixed {
    /// The applied fixes; empty if there was nothing to fix.
    pub applied: Vec<Applied>,
    /// Fixes that weren't applied because their finding would remain or others would appear, with the reason.
    pub refused: Vec<Refused>,
    /// Fixes that must be named: guesses, and fixes that remove, rename or reorder parts of the model. Empty if `choice`
    /// names some.
    pub offered: Vec<Offered>,
    /// Findings without a fix, most severe first.
    pub unfixable: Vec<Finding>,
    /// Findings that only a rewritten file has.
    pub new: Vec<Finding>,
    /// How far vertices moved; `None` if they didn't, or if their number changed.
    pub moved: Option<FarthestVertex>,
    written: Option<Written>,
    to: PathBuf,
    inputs: Inputs,
}

impl Fixed {
    /// Whether only the affected bytes differ from the source.
    pub fn is_patched(&self) -> bool {
        self.written.as_ref().is_some_and(|written| written.is_patched)
    }

    /// Number of bytes that differ from the source; `None` if the file was rewritten or nothing was fixed.
    pub fn num_changed(&self) -> Option<u64> {
        let written = self.written.as_ref().filter(|written| written.is_patched)?;
        Some(written.num_changed)
    }

    /// Losses of a rewritten file, as phrases.
    pub fn losses(&self) -> Vec<String> {
        let written = self.written.iter();
        written.flat_map(|written| &written.losses).map(ToString::to_string).collect()
    }

    /// Path and bytes of each file, the requested one last; none without fixes.
    pub fn files(&self) -> impl Iterator<Item = (PathBuf, &[u8])> {
        let written = self.written.iter();
        let outputs = written.flat_map(|written| outputs_of(&written.files, &self.to, true, true));
        outputs.map(|output| (output.path, output.bytes))
    }

    /// The files that were read, which are never overwritten; sorted.
    pub fn input_paths(&self) -> Vec<PathBuf> {
        self.inputs.paths()
    }

    /// Writes the files, each completely or not at all, and returns their paths. Without fixes, nothing is written.
    ///
    /// # Errors
    /// If a file exists and `overwrite` is false, is an input, or can't be written.
    pub fn save(&self, overwrite: bool) -> Result<Vec<PathBuf>, Error> {
        let Some(written) = &self.written else { return Ok(Vec::new()) };
        check_target(&self.to, overwrite, &self.inputs)?;
        let outputs = outputs_of(&written.files, &self.to, overwrite, overwrite);
        save_set(&outputs, &self.inputs)?;
        Ok(outputs.into_iter().map(|output| output.path).collect())
    }
}
