//! Opens files as checked models, and writes models.

use super::losses::{Aspect, Held};
use super::{
    Format, OutputFile, ReadError, ReadOptions, Source, WriteError, WriteOptions, borrowed_faces,
    choose, effect, may_be_model, mirrored_skins, related_clips, textures,
};
use rigscope_core::model::{FindingKind, Model, Place, Report, check, mark_added_bones};
use rigscope_core::reshape;

/// Share of opening that reading the bytes takes, for the progress.
const READING: f32 = 0.2;

pub struct Opened {
    /// The checked model.
    pub model: Model,
    /// The format that was recognized.
    pub format: &'static Format,
}

/// Recognizes the format, reads the file and checks the model.
///
/// After an error the spans read so far stay in `report`; see [`super::FileMap`].
///
/// # Errors
/// If no format recognizes the bytes or the file can't be read.
pub fn open(source: &Source, options: &ReadOptions, report: &Report) -> Result<Opened, ReadError> {
    report.open_spans();
    if source.content.is_empty() {
        return Err(ReadError::Empty);
    }
    let format = choose(source, options, report)?;
    report_extension(source, format, report);
    if options.format.is_none() {
        refuse_by_front(format, source, options, report)?;
    }
    // Until the model is read. Other contents are in memory already.
    let _whole = if (format.reader.reads_parts)(source.content.front()) {
        None
    } else {
        Some(source.content.load(|share| report.progress("reading", READING * share))?)
    };
    let mut model = borrowed_faces::read(format, source, options, report)
        .map_err(|error| error.with_cause(source.content.probe_input()))?;
    if model.name.is_empty() {
        model.name.clone_from(&source.name);
    }
    model.axes.up = options.up.unwrap_or(model.axes.up);
    // Without a runtime, the file may state it.
    if format.runtime.is_some() {
        model.normal_matrix = format.normal_matrix();
    }
    related_clips::add_clips(&mut model, format, source, options, report)?;
    if format.reader.rig_files.is_none() {
        related_clips::add_folder_rigs(&mut model, source, options, report)?;
    }
    let inside = effect::apply_containing_effect(&mut model, format, source, options, report)?;
    textures::find(&mut model, inside.as_ref().unwrap_or(source), options, report)?;
    report.progress("checking", 0.6)?;
    check::check(&mut model, report);
    mark_added_bones(&mut model);
    if format.reader.may_mirror_skins {
        mirrored_skins::reverse(&mut model, report);
    }
    report.add_paths(&model);
    report.progress("done", 1.0)?;
    Ok(Opened { model, format })
}

/// Files from this size on are refused by their beginning if their content has no known format.
const MIN_REFUSED_BYTES: u64 = 1 << 20;

/// The error of a large file whose content has no known format, if its beginning shows that the format of its extension
/// can't read it either: it isn't read whole only to be refused.
fn refuse_by_front(
    format: &Format,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(), ReadError> {
    let input = source.content.probe_input();
    if input.len < MIN_REFUSED_BYTES || may_be_model(&input, &source.extension()) {
        return Ok(());
    }
    let mut front = source.clone();
    front.content = input.head.to_vec().into();
    let front_bytes = input.head.len() as u64;
    match (format.reader.read)(&front, options, &report.quiet()) {
        // A model ends within the beginning; what follows isn't part of it.
        Ok(_) => Err(ReadError::UnknownFormat { advice: None }),
        Err(error) if !is_in(&error, front_bytes) => Ok(()),
        Err(_) => {
            // Once more, for the spans.
            let read = (format.reader.read)(&front, options, report);
            read.map(|_| ()).map_err(|error| error.with_cause(input))
        }
    }
}

/// Whether the failure is in the first `num_bytes` of the file, so that what follows doesn't matter.
fn is_in(error: &ReadError, num_bytes: u64) -> bool {
    error.failure().is_some_and(|failure| {
        let ends_in = failure.bytes.as_ref().is_none_or(|bytes| bytes.end <= num_bytes);
        ends_in
            && match failure.place {
                Place::Offset(at) => at < num_bytes,
                Place::Line { .. } => true,
                _ => false,
            }
    })
}

/// Reports a file with the extension of another format.
fn report_extension(source: &Source, format: &Format, report: &Report) {
    let extension = source.extension();
    let has = |format: &Format| format.info.extensions.contains(&extension.as_str());
    if has(format) {
        return;
    }
    let mut others = super::FORMATS.iter();
    if let Some(other) = others.find(|other| has(other)) {
        let (own, other) = (&format.info, &other.info);
        let message = format!(
            "the extension .{extension} belongs to {}, but the content is {}",
            other.name, own.name
        );
        report.add(FindingKind::OtherExtension, Place::File, message);
    }
}

/// Writes `model`, which has passed the check.
///
/// # Errors
/// If the format can't store it.
pub fn write(
    model: &Model,
    format: &Format,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    let Some(writer) = format.writer else {
        return Err(WriteError::ReadOnly { format: format.info.id });
    };
    let holds = |aspect| (writer.stored)(aspect).held(options) != Held::No;
    let samples_tracks = holds(Aspect::Clips) && !holds(Aspect::UnevenKeys);
    reshape::check_sampling(model, options.rate, samples_tracks, options.sampling)
        .map_err(|source| WriteError::Bake { format: format.info.id, source })?;
    let model = &*reshape::for_normal_matrix(model, format.normal_matrix());
    if !holds(Aspect::TextureTransforms) && reshape::has_placed_textures(model) {
        let (placed, num_torn) = reshape::with_placed_uvs(model);
        report.add_many(FindingKind::LookNotWritten, Place::File, num_torn as u64, || {
            "subsets of a mesh have different texture transforms, which are left out".to_owned()
        });
        return (writer.write)(&placed, options, report);
    }
    (writer.write)(model, options, report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Failure;
    use crate::formats::RelatedFile;
    use crate::formats::content::tests::on_disk;

    #[test]
    fn a_large_file_that_cannot_be_a_model_is_refused_by_its_beginning() {
        for name in ["a.glb", "a.bsm2", "a.obj", "a.fbx", "a.iqm", "a.txt", "a"] {
            let (content, num_read) = on_disk(vec![0; 2 << 20]);
            let source = Source::new(name, content);
            assert!(open(&source, &ReadOptions::default(), &Report::new()).is_err(), "{name}");
            assert!(*num_read.lock().unwrap() < 1 << 16, "{name}");
        }
    }

    #[test]
    fn a_failure_beyond_the_beginning_decides_nothing() {
        let failed = |place, bytes| {
            let failure = Failure::new("bsm2", "clip", place, String::new());
            ReadError::Malformed(Box::new(Failure { bytes, ..failure }))
        };
        assert!(is_in(&failed(Place::Offset(0), Some(0..4)), 16));
        assert!(!is_in(&failed(Place::Offset(12), Some(12..20)), 16));
        assert!(!is_in(&failed(Place::Offset(16), None), 16));
        assert!(!is_in(&failed(Place::File, None), 16));
        assert!(!is_in(&ReadError::Empty, 16));
    }

    #[test]
    fn a_wrong_extension_is_reported_and_the_content_determines_the_format() {
        let bytes = rigscope_assets::SAMPLE;
        for (name, is_reported) in
            [("a.glb", true), ("a.bsm2", false), ("a", false), ("a.dat", false)]
        {
            let report = Report::new();
            let source = Source::new(name, bytes.to_vec());
            let opened = open(&source, &ReadOptions::default(), &report).unwrap();
            assert_eq!(opened.format.info.id, "bsm2");
            let findings = report.findings();
            let finding = findings.iter().find(|n| n.kind == FindingKind::OtherExtension);
            assert_eq!(finding.is_some(), is_reported, "{name}");
        }
    }

    #[test]
    fn unused_related_files_are_reported() {
        let bytes = rigscope_assets::SAMPLE;
        let related_file = RelatedFile::new("notes.xyz", Vec::new());
        let source = Source::new("a.bsm2", bytes.to_vec()).with_related_files(vec![related_file]);
        let report = Report::new();
        assert!(open(&source, &ReadOptions::default(), &report).is_ok());
        let findings = report.findings();
        let finding = findings.iter().find(|n| n.kind == FindingKind::UnusedRelatedFile);
        assert_eq!(
            finding.map(|n| n.message.as_str()),
            Some("notes.xyz is not used: its format isn't supported")
        );
    }
}
