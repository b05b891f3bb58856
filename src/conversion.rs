//! Converting to other formats, with losses and deviations.

use std::path::{Path, PathBuf};

use super::{Document, Error};
use rigscope_core::model::{Finding, Report};
use rigscope_io::convert::{ConversionDeviation, Converted, Lost, convert_for_path, target_of};
use rigscope_io::files::{ClaimedPaths, Inputs, Output, check_target, outputs_of, save_set};
use rigscope_io::formats::{ConvertOptions, FORMATS};
use rigscope_io::open::{conversion_files, inputs};

/// Converts a document to the format that the extension of `to` names. The result is read back and
/// compared with its source; [`Conversion::save`] writes it to disk.
///
/// # Errors
/// If there is no such format, clip or part, or the format can't store the model.
///
/// # Examples
/// ```
/// use rigscope::ConvertOptions;
///
/// let document = rigscope::open("assets/sample.bsm2")?;
/// let folder = tempfile::tempdir().unwrap();
/// let to = folder.path().join("sample.glb");
/// let conversion = rigscope::convert(&document, &to, &ConvertOptions::default())?;
/// for loss in &conversion.losses {
///     println!("{loss}");
/// }
/// let errors = conversion.errors.as_ref().unwrap();
/// assert!(errors.of_extent_at_keys.unwrap() < 1e-5, "{errors}");
/// assert_eq!(conversion.save()?, [to]);
/// # Ok::<(), rigscope::Error>(())
/// ```
pub fn convert(
    document: &Document,
    to: impl AsRef<Path>,
    options: &ConvertOptions,
) -> Result<Conversion, Error> {
    let to = to.as_ref();
    let extension = to.extension().unwrap_or_default().to_string_lossy();
    let Some((format, part)) = target_of(&extension) else {
        let name = to.display();
        let subject = match &*extension {
            "" => format!("{name} has no extension that names a format"),
            extension => format!("no format is written as .{extension}"),
        };
        let reason = format!("{subject}; writable ones are {}", writable_extensions());
        return Err(Error::BadOption { reason });
    };
    let mut options = options.clone();
    options.write.part = options.write.part.or(part.map(str::to_owned));
    let parts = format.info.parts;
    if let Some(wanted) = &options.write.part
        && !parts.iter().any(|part| part.id == wanted)
    {
        let known: Vec<&str> = parts.iter().map(|part| part.id).collect();
        let known = if known.is_empty() {
            "it is a single file without parts".to_owned()
        } else {
            format!("its parts are {}", known.join(", "))
        };
        let reason = format!("{} has no part {wanted}; {known}", format.info.id);
        return Err(Error::BadOption { reason });
    }
    let files = conversion_files(document, to, options.overwrite, ClaimedPaths::default());
    let report = Report::with_progress(|_| {}, options.cancel.clone());
    let converted = convert_for_path(&document.model, format, &options, files, &report)
        .map_err(|error| Error::of_convert(&error, to))?;
    let losses = converted.losses();
    let added = converted.added().cloned().collect();
    let Converted { files, errors, findings, .. } = converted;
    Ok(Conversion {
        losses,
        added,
        errors,
        findings,
        files,
        to: to.to_owned(),
        overwrite: options.overwrite,
        inputs: inputs(document).clone(),
    })
}

/// `.bsm2, .glb, …`: the usual extension of each format that can be written.
fn writable_extensions() -> String {
    let writable = FORMATS.iter().filter(|format| format.writer.is_some());
    let extensions = writable.filter_map(|format| format.info.extensions.first());
    extensions.map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ")
}

/// The result of a conversion, in memory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversion {
    /// Data that the files don't have: because the format can't store it, because it was missing when the files were
    /// read back, or because it was dropped when the input was read or the output written; and deviations in
    /// [`Conversion::errors`] that are more than rounding. Each displays as a phrase.
    pub losses: Vec<Lost>,
    /// Bones and nodes that were added because the format needs them.
    pub added: Vec<Finding>,
    /// Deviations from the source; `None` with [`Check::None`](rigscope_io::convert::Check::None).
    pub errors: Option<ConversionDeviation>,
    /// Findings of the writer, worst first.
    pub findings: Vec<Finding>,
    files: Vec<(String, rigscope_io::formats::OutputFile)>,
    to: PathBuf,
    overwrite: bool,
    inputs: Inputs,
}

impl Conversion {
    /// Path and bytes of each file; the requested file is the last.
    pub fn files(&self) -> impl Iterator<Item = (PathBuf, &[u8])> {
        let outputs = outputs_of(&self.files, &self.to, self.overwrite, self.overwrite);
        let files = outputs.into_iter();
        files.map(|output| (output.path, output.bytes))
    }

    /// The files that the source was read from, which are never overwritten; sorted.
    pub fn input_paths(&self) -> Vec<PathBuf> {
        self.inputs.paths()
    }

    /// Writes all files, each completely or not at all, and returns their paths. Identical files aren't
    /// rewritten.
    ///
    /// # Errors
    /// If a file exists and must not be replaced, is an input, or can't be written. Existing files are
    /// unchanged then.
    pub fn save(&self) -> Result<Vec<PathBuf>, Error> {
        let files: Vec<_> = self.files().collect();
        save_files(&files, self.overwrite, &self.inputs)?;
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }

    /// Like [`Self::save`], for [`Self::files`] and [`Self::input_paths`] of a conversion in another process.
    ///
    /// # Errors
    /// As [`Self::save`].
    pub fn save_files(
        files: &[(PathBuf, &[u8])],
        overwrite: bool,
        inputs: &[PathBuf],
    ) -> Result<(), Error> {
        save_files(files, overwrite, &Inputs::of(inputs))
    }
}

fn save_files(files: &[(PathBuf, &[u8])], overwrite: bool, inputs: &Inputs) -> Result<(), Error> {
    let Some((main, _)) = files.last() else { return Ok(()) };
    check_target(main, overwrite, inputs)?;
    let outputs = files.iter().map(|(path, bytes)| Output {
        path: path.clone(),
        bytes,
        may_replace: overwrite,
    });
    save_set(&outputs.collect::<Vec<_>>(), inputs)?;
    Ok(())
}
