//! The export dialog: settings, predicted losses, progress and result.

use std::path::PathBuf;

use super::stage::Stage;
use crate::{AppState, Dialog, FilePurpose, JobId, JobOwner, Request, Subject, ToastLevel};
use rigscope_core::model::{Finding, Model};
use rigscope_io::convert::{ConvertOptions, foreseen};
use rigscope_io::formats::loss_list::Loss;
use rigscope_io::formats::losses::Counts;
use rigscope_io::formats::{FORMATS, Format, by_id};

/// The settings of the export dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportChoice {
    /// Id of the format.
    pub format: &'static str,
    /// Only the clip that is shown.
    pub only_clip: bool,
    /// The options of the command line and Python.
    pub options: ConvertOptions,
}

/// The result of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOutcome {
    /// Paths and lengths in bytes, the main file first.
    pub files: Vec<(PathBuf, u64)>,
    /// Losses that weren't predicted.
    pub unforeseen: Vec<Loss>,
    /// Data that was dropped when the document was read or the file written.
    pub dropped: Vec<String>,
    /// Bones and nodes that were added because the format needs them.
    pub added: Vec<String>,
    /// Deviations as one line.
    pub errors: String,
    /// Other findings of the writer.
    pub findings: Vec<String>,
}

/// The export dialog.
#[derive(Clone, Debug)]
pub struct Export {
    pub choice: ExportChoice,
    /// Predicted losses.
    pub losses: Vec<Loss>,
    /// Progress and result.
    pub stage: Stage<ExportOutcome>,
    /// Counts of the selected clips' model.
    counts: Counts,
}

/// A file to write, and the options.
#[derive(Clone, Debug)]
pub struct ExportRequest {
    pub id: JobId,
    /// The main file.
    pub path: PathBuf,
    /// The files that the document was read from.
    pub sources: Vec<PathBuf>,
    /// Findings of the reader of the document.
    pub read_findings: Vec<Finding>,
    /// Id of the format.
    pub format: &'static str,
    pub options: ConvertOptions,
}

impl PartialEq for ExportRequest {
    /// Each job has one request.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.path == other.path
    }
}

impl Export {
    fn new(counts: Counts, model: &Model) -> Self {
        let writer = FORMATS.iter().find(|format| format.info.can_write);
        let mut export = Self {
            choice: ExportChoice {
                format: writer.map_or("", |format| format.info.id),
                only_clip: false,
                options: ConvertOptions::default(),
            },
            losses: Vec::new(),
            stage: Stage::default(),
            counts,
        };
        export.foresee(model);
        export
    }

    fn format(&self) -> Option<&'static Format> {
        by_id(self.choice.format)
    }

    /// Predicts the losses of `model`.
    fn foresee(&mut self, model: &Model) {
        let Some(format) = self.format() else { return };
        let options = self.options(None);
        self.losses = foreseen(model, &self.counts, format, &options);
    }

    fn options(&self, clip: Option<String>) -> ConvertOptions {
        ConvertOptions {
            clip: clip.filter(|_| self.choice.only_clip),
            ..self.choice.options.clone()
        }
    }

    /// The extension of the main file.
    pub fn extension(&self) -> &'static str {
        let Some(info) = self.format().map(|format| &format.info) else { return "" };
        let asked = self.choice.options.write.part.as_deref();
        let part = info.parts.iter().find(|part| Some(part.id) == asked);
        let usual = info.extensions.first().copied().unwrap_or(info.id);
        part.map_or(usual, |part| part.extension)
    }
}

impl AppState {
    /// Whether any material of the open model names a texture.
    pub fn has_textures(&self) -> bool {
        let mut materials = self.tab.document.iter().flat_map(|d| &d.model.materials);
        materials.any(|material| !material.textures.is_empty())
    }

    /// Opens the dialog with the last settings.
    pub(crate) fn open_export(&mut self) -> Vec<Request> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let counts = Counts::of_model(&document.model);
        self.tab.export = Some(match self.tab.export.take() {
            Some(mut export) => {
                export.counts = counts;
                if export.stage.job().is_none() {
                    export.stage = Stage::Choosing;
                }
                export.foresee(&document.model);
                export
            }
            None => Export::new(counts, &document.model),
        });
        self.dialog = Some(Dialog::Export);
        Vec::new()
    }

    /// Predicts losses again after the model or the clip has changed.
    pub(crate) fn renew_export(&mut self) {
        let clip = self.tab.playback.clip;
        let (Some(export), Some(document)) = (&mut self.tab.export, &self.tab.document) else {
            return;
        };
        let model = &document.model;
        let clip = clip.filter(|_| export.choice.only_clip);
        let chosen = clip.map(|clip| rigscope_core::reshape::with_clip(model, clip));
        export.counts = Counts::of_model(chosen.as_ref().unwrap_or(model));
        export.foresee(model);
    }

    pub(crate) fn apply_export(&mut self, choice: ExportChoice) {
        let Some(export) = &mut self.tab.export else { return };
        if export.stage.job().is_some() {
            return;
        }
        let is_other_format = export.choice.format != choice.format;
        let is_other_clips = export.choice.only_clip != choice.only_clip;
        export.choice = choice;
        if is_other_format {
            export.choice.options.write.part = None;
        }
        export.stage = Stage::Choosing;
        if is_other_clips {
            self.renew_export();
        } else if let Some(document) = &self.tab.document {
            export.foresee(&document.model);
        }
    }

    /// Requests a path from the user.
    pub(crate) fn apply_pick_export(&self) -> Vec<Request> {
        let (Some(export), Some(document)) = (&self.tab.export, &self.tab.document) else {
            return Vec::new();
        };
        let stem = document.model.name.rsplit_once('.');
        let stem = stem.map_or(document.model.name.as_str(), |(stem, _)| stem);
        let extension = export.extension();
        vec![Request::PickTarget {
            purpose: FilePurpose::Export,
            folder: None,
            name: format!("{stem}.{extension}"),
            extension: extension.to_owned(),
        }]
    }

    pub(crate) fn apply_export_to(&mut self, path: PathBuf) -> Vec<Request> {
        let clip = self.tab.playback.clip;
        let files = self.tab.document.iter().flat_map(|document| document.files());
        let sources = files.map(|path| path.to_owned()).collect();
        let findings = self.tab.document.iter().flat_map(|document| &document.findings);
        let read_findings = findings.cloned().collect();
        let id = self.new_job(JobOwner::Export);
        let Some(export) = &mut self.tab.export else { return Vec::new() };
        export.stage = Stage::Running { id, what: "writing", fraction: 0.0 };
        let extension = export.extension();
        let path = match path.extension() {
            Some(_) => path,
            None => path.with_extension(extension),
        };
        vec![Request::Export(Box::new(ExportRequest {
            id,
            path,
            sources,
            read_findings,
            format: export.choice.format,
            options: export.options(clip.map(|clip| clip.index().to_string())),
        }))]
    }

    pub(crate) fn export_progress(&mut self, job: JobId, now: &'static str, share: f32) {
        if let Some(export) = self.export_of(job) {
            export.stage.progress(now, share);
        }
    }

    pub(crate) fn apply_cancel_export(&mut self) -> Vec<Request> {
        let Some(export) = &mut self.tab.export else { return Vec::new() };
        let Some(id) = export.stage.job() else { return Vec::new() };
        export.stage = Stage::Choosing;
        vec![Request::Cancel(id)]
    }

    pub(crate) fn apply_exported(&mut self, job: JobId, outcome: Result<ExportOutcome, String>) {
        let is_seen = self.docked_dialog() == Some(Dialog::Export);
        let Some(export) = self.export_of(job) else { return };
        let (level, text) = match &outcome {
            Ok(done) => {
                let main = done.files.first().map(|(path, _)| path.display().to_string());
                (ToastLevel::Info, format!("saved {}", main.unwrap_or_default()))
            }
            Err(message) => (ToastLevel::Error, format!("not saved: {message}")),
        };
        export.stage = Stage::ended(outcome);
        if !is_seen {
            self.toasts.push_about(Subject::Export, level, text);
        }
    }
}
