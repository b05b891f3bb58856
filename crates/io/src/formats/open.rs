//! Opens files as checked models, and writes models.

use super::losses::{Aspect, Held};
use super::{
    Format, OutputFile, ReadError, ReadOptions, Source, WriteError, WriteOptions, borrowed_faces,
    choose, companion_clips, effect, may_be_model, mirrored_skins, textures,
};
use rigscope_core::bake;
use rigscope_core::model::{FindingKind, Model, Place, Report, check, mark_added_bones};

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
    note_extension(source, format, report);
    if options.format.is_none() {
        refuse_by_front(format, source, options, report)?;
    }
    let mut model = borrowed_faces::read(format, source, options, report)
        .map_err(|error| error.with_cause(source.content.probe_input()))?;
    if model.name.is_empty() {
        model.name.clone_from(&source.name);
    }
    model.axes.up = options.up.unwrap_or(model.axes.up);
    model.normal_matrix = format.normal_matrix();
    companion_clips::add_clips(&mut model, format, source, options, report)?;
    if format.reader.rig_files.is_none() {
        companion_clips::add_folder_rigs(&mut model, source, options, report)?;
    }
    let inside = effect::apply_containing_effect(&mut model, format, source, options, report)?;
    textures::find(&mut model, inside.as_ref().unwrap_or(source), options, report)?;
    report.progress("checking", 0.6)?;
    check::check(&mut model, report);
    mark_added_bones(&mut model);
    if format.reader.may_mirror_skins {
        mirrored_skins::reverse(&mut model, report);
    }
    report.progress("done", 1.0)?;
    Ok(Opened { model, format })
}

/// The error of a large file whose content has no known format, from its beginning: it isn't read whole to be refused.
fn refuse_by_front(
    format: &Format,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<(), ReadError> {
    let input = source.content.probe_input();
    if input.len <= input.head.len() as u64 || may_be_model(&input, &source.extension()) {
        return Ok(());
    }
    let mut front = source.clone();
    front.content = input.head.to_vec().into();
    let read = (format.reader.read)(&front, options, report);
    read.map(|_| report.open_spans()).map_err(|error| error.with_cause(input))
}

/// Reports a file with the extension of another format.
fn note_extension(source: &Source, format: &Format, report: &Report) {
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
        report.note(FindingKind::OtherExtension, Place::File, message);
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
    bake::check_sampling(model, options.rate, samples_tracks, options.sampling)
        .map_err(|source| WriteError::Bake { format: format.info.id, source })?;
    let model = &*bake::for_normal_matrix(model, format.normal_matrix());
    if !holds(Aspect::TextureTransforms) && bake::has_placed_textures(model) {
        let (placed, num_torn) = bake::with_placed_uvs(model);
        report.note_many(FindingKind::LookNotWritten, Place::File, num_torn as u64, || {
            "subsets of a mesh have different texture transforms, which are left out".to_owned()
        });
        return (writer.write)(&placed, options, report);
    }
    (writer.write)(model, options, report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Companion;

    #[test]
    fn a_wrong_extension_is_reported_and_the_content_determines_the_format() {
        let bytes = rigscope_assets::SAMPLE;
        for (name, is_noted) in [("a.glb", true), ("a.bsm2", false), ("a", false), ("a.dat", false)]
        {
            let report = Report::new();
            let source = Source::new(name, bytes.to_vec());
            let opened = open(&source, &ReadOptions::default(), &report).unwrap();
            assert_eq!(opened.format.info.id, "bsm2");
            let notes = report.notes();
            let note = notes.iter().find(|n| n.kind == FindingKind::OtherExtension);
            assert_eq!(note.is_some(), is_noted, "{name}");
        }
    }

    #[test]
    fn unused_related_files_are_reported() {
        let bytes = rigscope_assets::SAMPLE;
        let companion = Companion::new("notes.xyz", Vec::new());
        let source = Source::new("a.bsm2", bytes.to_vec()).with_companions(vec![companion]);
        let report = Report::new();
        assert!(open(&source, &ReadOptions::default(), &report).is_ok());
        let notes = report.notes();
        let note = notes.iter().find(|n| n.kind == FindingKind::UnusedCompanion);
        assert_eq!(
            note.map(|n| n.message.as_str()),
            Some("notes.xyz is not used: its format isn't supported")
        );
    }
}
