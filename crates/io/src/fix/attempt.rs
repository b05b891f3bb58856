//! One result of fixing a file: its bytes, and the findings that remain.

use std::path::Path;

use super::arrays::{changed_parts, patch};
use super::chosen::Chosen;
use super::fields::have_same_layout;
use super::result::{FixError, Written};
use crate::convert::{ConvertOptions, Converted, convert_for_path, read_back};
use crate::files::{ConversionFiles, FileSource, folder_of};
use crate::formats::{
    Edit, EditPlace, Edited, Format, NamedFiles, OutputFile, OutputPlace, ReadOptions, RelatedFile,
    Source, open,
};
use crate::open::Document;
use rigscope_core::compare::drawing_difference;
use rigscope_core::diagnose::Diagnosis;
use rigscope_core::fix::Part;
use rigscope_core::model::{Element, Finding, Model, Report, Span};
use rigscope_core::reshape::plain;
use rigscope_core::validate::validate;

/// A file to fix.
pub(super) struct FixJob<'a, 'f> {
    pub(super) file: &'a FileSource,
    pub(super) document: &'a Document,
    /// The format of the source.
    pub(super) format: &'static Format,
    /// The model as read, in plain form.
    pub(super) before: Model,
    pub(super) diagnosis: Option<&'a Diagnosis>,
    /// The format to write.
    pub(super) target: &'static Format,
    /// Whether source and result have the same extension.
    pub(super) is_same_kind: bool,
    pub(super) files: &'a dyn Fn() -> ConversionFiles<'f>,
    pub(super) options: &'a ConvertOptions,
    pub(super) report: &'a Report,
}

/// The result of some fixes.
pub(super) struct Attempt {
    pub(super) written: Written,
    /// The fixed model, in plain form.
    pub(super) after: Model,
    /// The model read from the written file.
    pub(super) model: Model,
    /// The findings of the written file.
    pub(super) findings: Vec<Finding>,
    /// The largest distance between vertices of a rewritten file and the fixed model, as a fraction of its size.
    pub(super) deviation: Option<f64>,
}

impl FixJob<'_, '_> {
    /// The model after some fixes.
    fn fixed(&self, fixes: &[Chosen]) -> Model {
        let mut model = self.before.clone();
        for fix in fixes {
            match fix {
                Chosen::Model(fix) => fix.apply(&mut model),
                Chosen::Cause(id) => {
                    if let Some(diagnosis) = self.diagnosis {
                        diagnosis.undo(*id, &mut model);
                    }
                }
                Chosen::Piece(piece) => {
                    if let Some(diagnosis) = self.diagnosis {
                        diagnosis.take(piece, &mut model);
                    }
                }
                Chosen::File(_) => {}
            }
        }
        model
    }

    /// Why fixes would undo each other: two of them change the same values, and together they change none.
    pub(super) fn opposites(&self, fixes: &[Chosen]) -> Option<String> {
        if fixes.len() < 2 {
            return None;
        }
        let alone: Vec<(&Chosen, Vec<Part>)> = fixes
            .iter()
            .map(|fix| (fix, changed_parts(&self.before, &self.fixed(&[*fix]))))
            .filter(|(_, parts)| !parts.is_empty())
            .collect();
        for (at, (first, parts)) in alone.iter().enumerate() {
            for (second, others) in alone.iter().skip(at + 1) {
                let is_shared = parts.iter().any(|part| others.contains(part));
                if !is_shared {
                    continue;
                }
                let both = self.fixed(&[**first, **second]);
                if have_same_layout(&self.before, &both)
                    && changed_parts(&self.before, &both).is_empty()
                {
                    let name = |fix: &Chosen| fix.name(self.diagnosis);
                    return Some(format!(
                        "{} and {} would undo each other",
                        name(first),
                        name(second)
                    ));
                }
            }
        }
        None
    }

    /// Applies some fixes, and reads the result.
    pub(super) fn attempt(&self, fixes: &[Chosen]) -> Result<Attempt, FixError> {
        let after = self.fixed(fixes);
        self.report.progress("fixing", 0.3)?;
        if self.is_same_kind
            && !fixes.iter().any(Chosen::needs_new_file)
            && let Some((files, num_changed)) = self.patched(&after, fixes)
            && let Some((model, findings)) = self.read_files(&files)
            // Otherwise the bytes have other readers than those that the byte map knows, and a new file is written.
            && (changes_file(fixes) || drawing_difference(&after, &plain(&model, None)).is_none())
        {
            let files = files.into_iter().enumerate();
            let files = files.map(|(at, (name, bytes))| {
                let place =
                    if at == 0 { OutputPlace::Main } else { OutputPlace::Named(name.clone()) };
                (name, OutputFile { place, ..OutputFile::main(bytes) })
            });
            let written = Written {
                files: files.collect(),
                is_patched: true,
                num_changed,
                losses: Vec::new(),
                findings: Vec::new(),
            };
            return Ok(Attempt { written, after, model, findings, deviation: None });
        }
        self.rewritten(after)
    }

    /// The files with only the affected bytes changed, and the number of these bytes; `None` if that is impossible.
    fn patched(&self, after: &Model, fixes: &[Chosen]) -> Option<(NamedFiles, u64)> {
        if !have_same_layout(&self.before, after) {
            return None;
        }
        let source = &self.file.source;
        let editor = self.format.writer.and_then(|writer| writer.editor);
        let original = match editor {
            Some(editor) => (editor.joined)(source)?,
            None => source.content.whole().ok()?.to_vec(),
        };
        let is_joined = !source.content.equals(&original);
        let joined = if is_joined { Some(self.read(&original, &[])?) } else { None };
        let (read, before) = match &joined {
            Some((model, _)) => (model, plain(model, None)),
            None => (&self.document.model, self.before.clone()),
        };
        let provenance = &read.provenance;
        if provenance.is_partial {
            return None;
        }
        let spans: Vec<&Span> = provenance.spans.iter().chain(&provenance.shared).collect();
        let mut stored: Vec<Part> = Vec::new();
        let mut codes: Vec<&str> = Vec::new();
        for fix in fixes {
            codes.extend(fix.codes());
            if let Chosen::Model(fix) = fix {
                stored.extend(fix.stored);
            }
        }
        let changed = changed_parts(&before, after);
        let parts: Vec<Part> = Part::ALL
            .iter()
            .copied()
            .filter(|p| changed.contains(p) || stored.contains(p))
            .collect();
        let has_new_bones = changed.contains(&Part::Rest) || changed.contains(&Part::Names);
        if has_new_bones && editor.is_none() {
            return None;
        }
        let mut patched = patch(&original, &spans, [&before, after], &parts, &stored).ok()?;
        if codes.contains(&"trailing-bytes")
            && let Some(trailing) = provenance.find(Element::Trailing)
        {
            patched.truncate(usize::try_from(trailing.offset).ok()?);
        }
        let stem = self.stem();
        let Some(editor) = editor else {
            let name = self.target_name();
            let num_changed = num_different(&original, &patched);
            return Some((vec![(name, patched)], num_changed));
        };
        let codes: Vec<&str> = codes.into_iter().filter(|code| self.is_found(code)).collect();
        let num_in_arrays = num_different(&original, &patched);
        let edit = Edit {
            original: &original,
            patched,
            before: &before,
            after,
            provenance,
            codes: &codes,
        };
        let is_in_same_folder = folder_of((self.files)().target) == folder_of(&self.file.path);
        let place = EditPlace { stem: &stem, is_in_same_folder };
        let Edited { bytes, num_outside } = (editor.edit)(edit)?;
        let num_changed = if bytes.len() == original.len() {
            num_different(&original, &bytes)
        } else {
            num_in_arrays + num_outside
        };
        Some(((editor.files)(bytes, source, &place)?, num_changed))
    }

    fn is_found(&self, code: &str) -> bool {
        // The document lacks the findings of rules; editors only fix bounds and findings of readers.
        self.document.findings.iter().any(|finding| finding.kind.code() == code)
            || self
                .format
                .writer
                .and_then(|w| w.editor)
                .is_some_and(|editor| editor.fixes.iter().any(|fix| fix.codes.contains(&code)))
    }

    fn stem(&self) -> String {
        let target = (self.files)().target;
        target.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn target_name(&self) -> String {
        let target = (self.files)().target;
        target.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn read_files(&self, files: &[(String, Vec<u8>)]) -> Option<(Model, Vec<Finding>)> {
        let ((_, main), others) = files.split_first()?;
        self.read(main, others)
    }

    /// Reads `main` instead of the file, and `others`, such as written buffers, instead of those in the folder.
    fn read(&self, main: &[u8], others: &[(String, Vec<u8>)]) -> Option<(Model, Vec<Finding>)> {
        let mut source = self.file.source.clone();
        let others =
            others.iter().map(|(name, bytes)| RelatedFile::new(name.clone(), bytes.clone()));
        source.related_files = others.chain(source.related_files).collect();
        source.content = main.to_vec().into();
        let report = self.report.part();
        let options = ReadOptions {
            format: Some(self.format.info.id.to_owned()),
            images: true,
            ..ReadOptions::default()
        };
        let opened = open(&source, &options, &report).ok()?;
        let of_rules = self.report.quiet();
        validate(&opened.model, &of_rules).ok()?;
        Some((opened.model, [report.findings(), of_rules.findings()].concat()))
    }

    /// The file as written by the target's writer without any fix.
    pub(super) fn attempt_rewrite(&self) -> Result<Attempt, FixError> {
        self.rewritten(self.before.clone())
    }

    /// Writes the model with the target's writer.
    fn rewritten(&self, after: Model) -> Result<Attempt, FixError> {
        let quiet = self.report.quiet();
        let converted = convert_for_path(&after, self.target, self.options, (self.files)(), &quiet);
        let Converted { files, predicted, observed, findings: of_writer, errors, read_findings: _ } =
            converted?;
        let deviation = errors.and_then(|errors| errors.of_extent);
        let losses = if observed.is_empty() { predicted } else { observed };
        let fps = self.target.written_fps(&after, self.options.rate);
        let report = self.report.quiet();
        let mut models = read_back(&files, self.target, fps, &report)?;
        if models.is_empty() {
            return Err(FixError::Empty);
        }
        let model = models.swap_remove(0);
        let of_rules = self.report.quiet();
        validate(&model, &of_rules)?;
        let findings = [self.reader_findings(&files, fps), of_rules.findings()].concat();
        let written =
            Written { files, is_patched: false, num_changed: 0, losses, findings: of_writer };
        Ok(Attempt { written, after, model, findings, deviation })
    }

    fn reader_findings(&self, files: &[(String, OutputFile)], fps: f64) -> Vec<Finding> {
        let Some((name, main)) = files.iter().find(|(_, file)| !file.is_related_file) else {
            return Vec::new();
        };
        let others = files.iter().filter(|(other, _)| other != name);
        let others = others.map(|(name, file)| RelatedFile::new(name.clone(), file.bytes.clone()));
        let source = Source::new(name.clone(), main.bytes.clone())
            .with_related_files(others.collect())
            .with_folders(self.file.source.folders.clone());
        let report = self.report.quiet();
        let options = ReadOptions {
            format: Some(self.target.info.id.to_owned()),
            fps: Some(fps),
            images: true,
            ..ReadOptions::default()
        };
        let _ = open(&source, &options, &report);
        report.findings()
    }
}

/// Whether some fixes change the file in ways that the model doesn't show.
fn changes_file(fixes: &[Chosen]) -> bool {
    fixes.iter().any(|fix| matches!(fix, Chosen::File(_)))
}

/// Number of bytes in which two files differ, counting those that only one of them has.
fn num_different(old: &[u8], new: &[u8]) -> u64 {
    let differing = old.iter().zip(new).filter(|(a, b)| a != b).count();
    (differing + old.len().abs_diff(new.len())) as u64
}

/// Whether two paths have the same extension.
pub(super) fn has_same_extension(a: &Path, b: &Path) -> bool {
    let lower = |path: &Path| path.extension().map(|e| e.to_ascii_lowercase());
    lower(a) == lower(b)
}
