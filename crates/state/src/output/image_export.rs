//! Saving the view as an image, a turntable or a loop of its clip.
//!
//! Not for: drawing and writing, which the application does in the background from a copy of the
//! state.

use std::path::PathBuf;

use super::stage::Stage;
use crate::{AppState, Dialog, FilePurpose, JobId, JobOwner, Request, Subject, ToastLevel};
use rigscope_core::visual::ShowGroup;

/// Size of an image before the view has one.
const USUAL_SIZE_PX: [u32; 2] = [1280, 720];
/// Default length of a turntable: 48 images take four seconds.
const TURN_IMAGES: u32 = 48;
const TURN_IMAGES_PER_SEC: f64 = 12.0;
/// Default frame rate of a clip: delays in GIF are whole hundredths of a second.
const CLIP_IMAGES_PER_SEC: f64 = 25.0;
/// Default limit of images; more would take minutes.
const MAX_CLIP_IMAGES: f64 = 150.0;
/// Most images of a sequence, all of which are kept in memory until the last one is drawn.
pub const MAX_IMAGES: u32 = 1000;

/// The content to save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageExportKind {
    /// The view.
    #[default]
    Still,
    /// A full turn around the model.
    Turntable,
    /// One loop of the range to play.
    Clip,
}

/// The file format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageExportFormat {
    /// One file per image.
    #[default]
    Png,
    /// One animated file, with 256 colours per image.
    Gif,
    /// One animated file without loss.
    WebP,
}

impl ImageExportFormat {
    /// Without dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Gif => "gif",
            Self::WebP => "webp",
        }
    }
}

/// The options of the dialog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageExportChoice {
    pub kind: ImageExportKind,
    pub format: ImageExportFormat,
    pub size_px: [u32; 2],
    /// Factor by which each side is rendered larger before downscaling: a power of 2.
    pub supersampling: u32,
    /// Whether the background is transparent.
    pub is_transparent: bool,
    /// Draws grid, compass, bones and selection.
    pub has_overlays: bool,
    /// Length of a sequence, in images.
    pub num_images: u32,
    /// Frame rate of a GIF.
    pub images_per_sec: f64,
}

impl Default for ImageExportChoice {
    fn default() -> Self {
        Self {
            kind: ImageExportKind::default(),
            format: ImageExportFormat::default(),
            size_px: USUAL_SIZE_PX,
            supersampling: 2,
            is_transparent: false,
            has_overlays: true,
            num_images: TURN_IMAGES,
            images_per_sec: TURN_IMAGES_PER_SEC,
        }
    }
}

/// The files written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageExportOutcome {
    /// The file, or the first one.
    pub path: PathBuf,
    pub num_files: usize,
    /// Size of all files.
    pub num_bytes: u64,
}

/// The state of the dialog.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageExport {
    pub choice: ImageExportChoice,
    pub stage: Stage<ImageExportOutcome>,
}

/// An image to render and write.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageExportRequest {
    pub id: JobId,
    /// The file; several PNGs have numbers appended to this name.
    pub path: PathBuf,
    pub choice: ImageExportChoice,
}

/// An action on images.
#[derive(Clone, Debug)]
pub enum ImageExportAction {
    /// Sets the options.
    Choose(ImageExportChoice),
    /// Shows a file dialog.
    Pick,
    /// Renders and writes the images.
    WriteTo(PathBuf),
    /// Renders a still image and copies it.
    Copy,
    /// The image has been copied, or couldn't be.
    Copied {
        id: JobId,
        /// The size in pixels; the failure is a sentence.
        outcome: Result<[u32; 2], String>,
    },
    Cancel,
    /// The images have been written, or couldn't be.
    Written {
        id: JobId,
        /// The failure is a sentence.
        outcome: Result<ImageExportOutcome, String>,
    },
}

impl AppState {
    /// Opens the dialog for `kind`, with the size of the view.
    pub(crate) fn open_image_export(&mut self, kind: ImageExportKind) {
        let is_running = self.tab.view.image_export.stage.job().is_some();
        if !is_running {
            self.tab.view.image_export.choice =
                self.suited(ImageExportChoice { kind, ..self.sized() });
            self.tab.view.image_export.stage = Stage::Choosing;
        }
        self.dialog = Some(Dialog::ImageExport);
    }

    /// The last options with the size of the view.
    fn sized(&self) -> ImageExportChoice {
        let choice = self.tab.view.image_export.choice;
        let size = self.view_size_points.round();
        if size.min_element() < 1.0 {
            return choice;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a screen has few pixels")]
        #[expect(clippy::cast_sign_loss, reason = "checked above")]
        let size_px = [size.x as u32, size.y as u32];
        ImageExportChoice { size_px, ..choice }
    }

    /// Renders a still image with the current options, to copy it.
    pub(crate) fn copy_image(&mut self) -> Vec<Request> {
        if self.tab.document.is_none() {
            return Vec::new();
        }
        let choice = match self.docked_dialog() {
            Some(Dialog::ImageExport) => self.tab.view.image_export.choice,
            _ => self.sized(),
        };
        let choice = self.suited(ImageExportChoice { kind: ImageExportKind::Still, ..choice });
        let id = self.new_job(JobOwner::CopiedImage);
        let overtaken = self.copying.replace(id);
        let text = "copying the image…";
        self.toasts.push_about(Subject::Clipboard, ToastLevel::Info, text);
        let mut requests: Vec<_> = overtaken.map(Request::Cancel).into_iter().collect();
        requests.push(Request::CopyImage { id, choice });
        requests
    }

    fn image_copied(&mut self, id: JobId, outcome: Result<[u32; 2], String>) {
        if self.copying.take_if(|copying| *copying == id).is_none() {
            return;
        }
        let (level, text) = match outcome {
            Ok([width, height]) => {
                (ToastLevel::Info, format!("image copied ({width} × {height} pixels)"))
            }
            Err(message) => (ToastLevel::Error, format!("image not copied: {message}")),
        };
        self.toasts.push_about(Subject::Clipboard, level, text);
    }

    /// `choice` with the defaults for its kind.
    fn suited(&self, choice: ImageExportChoice) -> ImageExportChoice {
        let (format, num_images, images_per_sec) = match choice.kind {
            ImageExportKind::Still => (ImageExportFormat::Png, 1, TURN_IMAGES_PER_SEC),
            ImageExportKind::Turntable => {
                (ImageExportFormat::Gif, TURN_IMAGES, TURN_IMAGES_PER_SEC)
            }
            ImageExportKind::Clip => {
                let secs = self.play_range().duration_secs();
                let num = (secs * CLIP_IMAGES_PER_SEC).round();
                #[expect(clippy::cast_possible_truncation, reason = "held in a small range")]
                #[expect(clippy::cast_sign_loss, reason = "held in a small range")]
                let num = num.clamp(2.0, MAX_CLIP_IMAGES) as u32;
                let rate = if secs > 0.0 {
                    (f64::from(num) / secs).clamp(1.0, 50.0)
                } else {
                    CLIP_IMAGES_PER_SEC
                };
                (ImageExportFormat::Gif, num, rate)
            }
        };
        ImageExportChoice { format, num_images, images_per_sec, ..choice }
    }

    pub(crate) fn apply_image_export(&mut self, action: ImageExportAction) -> Vec<Request> {
        let is_running = self.tab.view.image_export.stage.job().is_some();
        match action {
            ImageExportAction::Choose(choice) if !is_running => {
                let is_other = choice.kind != self.tab.view.image_export.choice.kind;
                self.tab.view.image_export = ImageExport {
                    choice: if is_other { self.suited(choice) } else { choice },
                    stage: Stage::Choosing,
                };
                if choice.kind == ImageExportKind::Still {
                    self.tab.view.image_export.choice.format = ImageExportFormat::Png;
                }
            }
            ImageExportAction::Pick if !is_running => return self.pick_image_file(),
            ImageExportAction::WriteTo(path) if !is_running => return self.write_images(path),
            ImageExportAction::Choose(_)
            | ImageExportAction::Pick
            | ImageExportAction::WriteTo(_) => {}
            ImageExportAction::Copy => return self.copy_image(),
            ImageExportAction::Copied { id, outcome } => self.image_copied(id, outcome),
            ImageExportAction::Cancel => {
                let stage = std::mem::take(&mut self.tab.view.image_export.stage);
                return stage.job().map(Request::Cancel).into_iter().collect();
            }
            ImageExportAction::Written { id, outcome } => self.images_written(id, outcome),
        }
        Vec::new()
    }

    fn pick_image_file(&self) -> Vec<Request> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let choice = &self.tab.view.image_export.choice;
        let stem = document.model.name.rsplit_once('.');
        let stem = stem.map_or(document.model.name.as_str(), |(stem, _)| stem);
        let extension = choice.format.extension();
        vec![Request::PickTarget {
            purpose: FilePurpose::Image,
            folder: None,
            name: format!("{stem}.{extension}"),
            extension: extension.to_owned(),
        }]
    }

    fn write_images(&mut self, path: PathBuf) -> Vec<Request> {
        if self.tab.document.is_none() {
            return Vec::new();
        }
        let id = self.new_job(JobOwner::ImageExport);
        let choice = self.tab.view.image_export.choice;
        self.tab.view.image_export.stage = Stage::Running { id, what: "drawing", fraction: 0.0 };
        let extension = choice.format.extension();
        let is_right = |found: &std::ffi::OsStr| found.eq_ignore_ascii_case(extension);
        let path = if path.extension().is_some_and(is_right) {
            path
        } else {
            let mut name = path.into_os_string();
            name.push(format!(".{extension}"));
            name.into()
        };
        vec![Request::WriteImages(ImageExportRequest { id, path, choice })]
    }

    pub(crate) fn image_progress(&mut self, job: JobId, now: &'static str, share: f32) {
        if let Some(stage) = self.image_export_of(job) {
            stage.progress(now, share);
        }
    }

    fn images_written(&mut self, job: JobId, outcome: Result<ImageExportOutcome, String>) {
        let is_seen = self.docked_dialog() == Some(Dialog::ImageExport);
        let Some(stage) = self.image_export_of(job) else {
            return;
        };
        let (level, text) = match &outcome {
            Ok(done) => (ToastLevel::Info, format!("saved {}", done.path.display())),
            Err(message) => (ToastLevel::Error, format!("not saved: {message}")),
        };
        *stage = Stage::ended(outcome);
        if !is_seen {
            self.toasts.push_about(Subject::ImageExport, level, text);
        }
    }

    /// The state from which image `number` of `choice` is drawn: a copy of this one with the camera
    /// turned or the time changed, and without overlays if they are turned off.
    pub fn of_image(&self, choice: &ImageExportChoice, number: u32) -> Self {
        let mut state = self.clone();
        let share = f64::from(number) / f64::from(choice.num_images.max(1));
        match choice.kind {
            ImageExportKind::Still => {}
            ImageExportKind::Turntable => {
                if number > 0 {
                    #[expect(clippy::cast_possible_truncation, reason = "an angle")]
                    let turn_rad = (share * std::f64::consts::TAU) as f32;
                    state.tab.view.camera.orbit(turn_rad, 0.0);
                }
            }
            ImageExportKind::Clip => {
                let range = state.play_range();
                state.seek(range.start_secs + range.duration_secs() * share);
            }
        }
        state.view_size_points = glam::Vec2::from(choice.size_px.map(|side| side as f32));
        if !choice.has_overlays {
            let groups = [ShowGroup::Bones, ShowGroup::Scene];
            state.tab.view.overlays = state.tab.view.overlays.without(&groups);
            state.tab.selection = crate::Selection::None;
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn export_kind_sets_its_defaults_and_stills_are_png() {
        let mut state =
            AppState { view_size_points: glam::Vec2::new(640.2, 480.0), ..AppState::default() };
        state.open_image_export(ImageExportKind::Turntable);
        let choice = state.tab.view.image_export.choice;
        assert_eq!((choice.size_px, choice.num_images), ([640, 480], 48));
        assert_eq!(choice.format, ImageExportFormat::Gif);
        let still = ImageExportChoice { kind: ImageExportKind::Still, ..choice };
        state.apply_image_export(ImageExportAction::Choose(still));
        assert_eq!(state.tab.view.image_export.choice.format, ImageExportFormat::Png);
    }

    #[test]
    fn turntable_starts_and_ends_at_the_current_view() {
        let state = AppState::default();
        let choice = ImageExportChoice {
            kind: ImageExportKind::Turntable,
            num_images: 4,
            has_overlays: false,
            ..ImageExportChoice::default()
        };
        let yaw = |number| state.of_image(&choice, number).tab.view.camera.yaw_rad;
        let start = state.tab.view.camera.yaw_rad;
        assert_eq!(yaw(0), start);
        assert!((yaw(1) - start - std::f32::consts::FRAC_PI_2).abs() < 1e-5);
        assert!((yaw(4) - start).abs() < 1e-5);
        assert!(!state.of_image(&choice, 0).tab.view.overlays.grid);
    }

    #[test]
    fn late_result_is_ignored() {
        let mut state = AppState::default();
        let outcome = Err("late".to_owned());
        state.apply_image_export(ImageExportAction::Written { id: JobId::default(), outcome });
        assert_eq!(state.tab.view.image_export.stage, Stage::Choosing);
    }
}
