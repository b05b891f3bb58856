//! Other formats, with what is lost and how far numbers move.

use std::path::{Path, PathBuf};

use super::{Document, Error};
use rigscope_core::model::{CancelToken, Note, Report};
use rigscope_io::convert::{
    Check, ConvertOptions as Asked, Converted, Errors, TextureMode, convert as run, target_of,
};
use rigscope_io::files::{
    ClaimedPaths, ConversionFiles, Inputs, check_target, image_places, outputs_of, save_set,
};
use rigscope_io::formats::WriteOptions;
use rigscope_io::formats::loss_list::Loss;

/// How a document is converted.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// Only this clip, by name or number.
    pub clip: Option<String>,
    /// Keys a second; all clips are sampled so.
    pub rate: Option<f64>,
    /// How much larger.
    pub scale: Option<f32>,
    /// All meshes as one.
    pub merge: bool,
    /// Equal vertices as one.
    pub weld: bool,
    /// So many influences on a vertex at most.
    pub limit_influences: Option<usize>,
    /// v up where it was down, for engines that read it so.
    pub flip_v: bool,
    /// Id of the part that is written alone, for formats of several files.
    pub part: Option<String>,
    /// Bones are written with their parents, where the format leaves the choice (BSM2).
    pub hierarchy: bool,
    /// Hulls are made where the model has none and the format holds them.
    pub make_hulls: bool,
    /// The same for an occluder.
    pub make_occluder: bool,
    /// Images stay where they are and are named there; otherwise they are written along.
    pub keep_images: bool,
    /// No image is written, and none is named.
    pub drop_images: bool,
    /// What was written is neither read back nor compared: faster, and nobody knows.
    pub unchecked: bool,
    /// Files that are there may be replaced; what was read never is.
    pub overwrite: bool,
    /// Stops the work from another thread.
    pub cancel: CancelToken,
}

/// Converts a document to the format that the extension of `to` names. What was made is read back and
/// compared with its source; nothing is on disk before [`Conversion::save`].
///
/// # Errors
/// When there is no such format, clip or part, or the format cannot hold the model.
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
    let text =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, extension) = (text(to.file_stem()), text(to.extension()));
    let Some((format, part)) = target_of(&extension) else {
        let reason = format!("no format is written as .{extension}");
        return Err(Error::BadOption { reason });
    };
    let mut asked = asked(options, stem, part);
    let disk = ConversionFiles {
        target: to,
        input: &document.path,
        with: &document.with,
        inputs: document.inputs.clone(),
        force: options.overwrite,
        claims: ClaimedPaths::default(),
    };
    asked.write.images = image_places(&document.model, options.keep_images, disk);
    let report = Report::with_progress(|_| {}, options.cancel.clone());
    let converted = run(&document.model, format, &extension, &asked, &report)
        .map_err(|error| Error::of_convert(&error, to))?;
    let unforeseen = converted.unforeseen();
    let Converted { files, mut predicted, errors, notes, .. } = converted;
    predicted.extend(unforeseen);
    Ok(Conversion {
        losses: predicted,
        errors,
        notes,
        files,
        to: to.to_owned(),
        overwrite: options.overwrite,
        inputs: document.inputs.clone(),
    })
}

fn asked(options: &ConvertOptions, stem: String, part: Option<&str>) -> Asked {
    Asked {
        clip: options.clip.clone(),
        rate: options.rate,
        scale: options.scale,
        merge: options.merge,
        weld: options.weld,
        limit_influences: options.limit_influences,
        flip_v: options.flip_v,
        textures: match (options.drop_images, options.keep_images) {
            (true, _) => TextureMode::None,
            (false, true) => TextureMode::Reference,
            (false, false) => TextureMode::Copy,
        },
        write: WriteOptions {
            stem,
            part: options.part.clone().or(part.map(str::to_owned)),
            rate: options.rate,
            hierarchy: options.hierarchy,
            make_hulls: options.make_hulls,
            make_occluder: options.make_occluder,
            ..WriteOptions::default()
        },
        check: match options.unchecked {
            true => Check::None,
            false => Check::Full,
        },
    }
}

/// What a conversion made, in memory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversion {
    /// What the files hold less of: what the format's table says, and what was found besides. Each is
    /// displayed as a phrase.
    pub losses: Vec<Loss>,
    /// How far numbers moved; none where that was not asked for.
    pub errors: Option<Errors>,
    /// What the writer noted, worst first.
    pub notes: Vec<Note>,
    files: Vec<(String, rigscope_io::formats::OutputFile)>,
    to: PathBuf,
    overwrite: bool,
    inputs: Inputs,
}

impl Conversion {
    /// Where each file goes, and its bytes; the one that was asked for is the last.
    pub fn files(&self) -> impl Iterator<Item = (PathBuf, &[u8])> {
        let outputs = outputs_of(&self.files, &self.to, self.overwrite, self.overwrite);
        let files = outputs.into_iter();
        files.map(|output| (output.path, output.bytes))
    }

    /// Writes all files, each whole or not at all, and gives their paths. Those that are there already,
    /// byte for byte, are left as they are.
    ///
    /// # Errors
    /// When one is there and may not be replaced, was read, or the system fails. What was there before
    /// is still there then.
    pub fn save(&self) -> Result<Vec<PathBuf>, Error> {
        check_target(&self.to, self.overwrite, &self.inputs)?;
        let outputs = outputs_of(&self.files, &self.to, self.overwrite, self.overwrite);
        save_set(&outputs, &self.inputs)?;
        Ok(outputs.into_iter().map(|output| output.path).collect())
    }
}
