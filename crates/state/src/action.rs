//! The actions that change the state, and the requests that they make to the application.

use std::path::PathBuf;

use glam::Vec2;

use super::{
    Command, Document, ExportChoice, ExportOutcome, ExportRequest, InspectAction, JobId, ModelKey,
    Origin, PickAt, PickHit, Selection, TimeRange,
};
use rigscope_core::camera::Camera;
use rigscope_core::model::{Aabb, ClipId, Place};
use rigscope_io::OpenOptions;

/// An input to [`AppState::apply`](super::AppState::apply): every change of the state is one.
#[derive(Clone, Debug)]
pub enum Action {
    /// Runs a menu command.
    Run(Command),
    /// Runs a command and moves it to the top of the palette.
    RunFromPalette(Command),

    Open(PathBuf),
    /// A file was chosen in a dialog; the next dialog opens in the same folder.
    DialogUsed(PathBuf),
    /// The window's own file dialog.
    Chooser(super::ChooserAction),
    /// Opens files that were chosen together.
    OpenGroup(Box<super::FileGroup>),
    /// Opens the first file with the others as its related files.
    OpenWith(PathBuf, Vec<PathBuf>),
    /// Reloads the file with these additional related files.
    AddRelatedFiles(Vec<PathBuf>),
    /// Files were dropped on the window.
    Drop(Vec<super::ChosenFile>),
    /// Chooses among the files related to the model.
    RelatedFile(super::RelatedFileAction),
    /// Reloads the file at this many frames per second.
    SetFps(f64),
    /// Opens the file given on the command line.
    Start(LoadRequest),
    /// Progress of a background job.
    JobProgress {
        id: JobId,
        /// Description of the current step.
        what: &'static str,
        /// 0 to 1.
        fraction: f32,
    },
    /// A background job has ended without an answer.
    JobFailed {
        id: JobId,
        error: super::JobError,
    },
    /// A file has been loaded.
    Loaded {
        id: JobId,
        document: Box<Document>,
        /// Wall-clock time, formatted for display.
        clock: String,
    },
    /// A file could not be loaded.
    LoadFailed {
        id: JobId,
        failure: LoadFailure,
    },
    /// Shows, opens or closes tabs.
    Tab(super::TabAction),
    /// The open file has changed on disk and is no longer being written.
    FileChanged,
    /// The open file was deleted or moved.
    FileGone,
    /// Clears the list of recent files.
    ClearRecent,

    /// Inspects recent files, or removes one from the list.
    Recent(super::RecentAction),
    Select(Selection),
    /// Picks at a point of the view, for a selection or a tooltip.
    Pick(PickAt),
    /// The result of a pick, with the model that it was made in.
    Picked(PickAt, ModelKey, PickHit),
    /// The pointer left the view.
    LeaveView,
    /// The pointer is over the row of this item; `None` if it is over no row.
    HoverRow(Option<Selection>),
    /// Selects a vertex by number, or sets the kind of element that a click selects.
    Inspect(InspectAction),
    /// Selects the subject of a finding and frames it.
    ShowPlace(Place),
    /// Shows or hides a subset.
    SetVisible(usize, bool),
    /// Shows only this subset; `None` shows all again.
    Isolate(Option<usize>),
    /// Colours a subset, linear RGB.
    SetColor(usize, [f32; 3]),

    /// The view has a new size, in points.
    ViewSized(Vec2),
    /// Orbits the camera.
    Orbit {
        /// Around the Y axis.
        yaw_rad: f32,
        /// Above the horizon.
        pitch_rad: f32,
    },
    /// Moves the camera in the image plane, in points.
    Pan(Vec2),
    /// Scales the distance of the camera, keeping the point at `at_ndc` in place.
    Zoom {
        /// Below 1 moves closer.
        factor: f32,
        /// In the view, from -1 to 1, Y up.
        at_ndc: Vec2,
    },
    /// Places the camera around everything drawn.
    PlaceCamera(super::CameraOrbit),

    /// Frames a box that a task has computed.
    Frame {
        /// Display space.
        bounds: Aabb,
        /// The camera at the time of the request. If it has moved since, it isn't framed.
        from: Camera,
    },

    Weights(super::WeightsAction),
    Bones(super::BonesAction),
    /// Changes which bones of added animations move which bones of the model.
    BonePairs(super::BonePairsAction),

    /// Shows a clip from its start.
    SetClip(ClipId),
    /// Jumps to a time in seconds and pauses.
    Seek(f64),
    /// Jumps to a key and pauses.
    SeekKey(usize),
    /// Sets the playback speed.
    SetSpeed(f64),
    SetLoop(super::LoopMode),
    /// Sets the range to play; `None` plays the whole clip.
    SetRange(Option<TimeRange>),
    /// Scrubs and zooms.
    Timeline(super::TimelineAction),

    /// Lists and changes the programs that read further formats.
    Readers(super::ReadersAction),
    /// Lists the revisions of the open file, and compares with one.
    Revisions(super::RevisionsAction),
    /// Changes the export options.
    ChooseExport(ExportChoice),
    /// Asks for the path of the export.
    PickExport,
    /// Starts the export.
    ExportTo(PathBuf),
    CancelExport,
    /// An export has finished.
    Exported {
        id: JobId,
        /// The failure is a sentence.
        outcome: Result<ExportOutcome, String>,
    },

    Bytes(super::BytesAction),
    ByteSearch(super::ByteSearchAction),
    Second(super::SecondAction),
    /// Compares the document with its conversion to BSM2.
    AsBsm2(super::AsBsm2Action),
    /// Compares the document with another file.
    Compare(super::CompareAction),
    /// Plays the document as a runtime.
    Runtime(super::RuntimeAction),
    /// Finds the causes of the document's faults.
    Diagnosis(super::DiagnosisAction),
    /// Fixes the file.
    Fix(super::FixAction),
    /// The weights of the compared model have been computed.
    ComparedWeights(std::sync::Arc<rigscope_core::visual::WeightTable>),
    /// Compares skinning on the GPU with the CPU.
    GpuCheck(super::GpuCheckAction),

    /// A task has ended; `None` if it failed or was cancelled.
    TaskDone {
        id: JobId,
        /// The action to apply.
        answer: Option<Box<Action>>,
    },
    /// Stores the layout of the panes, in the format of the dock library.
    SaveLayout(String),
    /// Opens or closes a pane.
    ShowPane(super::Pane, bool),
    /// The open panes behind another tab have changed.
    CoveredPanes(std::collections::BTreeSet<super::Pane>),
    /// The primary button of the pointer was pressed or released.
    Press(bool),

    ClearLog,
    ImageExport(super::ImageExportAction),
    Statistics(super::StatisticsAction),
    Findings(super::FindingsAction),
    Animation(super::AnimationAction),
    Measure(super::MeasureAction),
    Poses(super::PosesAction),
    Materials(super::MaterialsAction),
    /// Changes the display of hulls, occlusion meshes and bounds.
    Collision(super::CollisionAction),
    /// Changes the display of normals, tangents and bad triangles.
    Surface(super::SurfaceAction),
    /// Replaces images of the file.
    UserImage(super::UserImageAction),
    SetLight(rigscope_core::visual::Light),
    Uv(super::UvAction),

    /// Hides the message about a failed load.
    DismissProblem,
    /// Hides a toast.
    DismissToast(u64),
    /// Shows a message.
    ShowMessage(super::ToastLevel, String),
    /// Copies text to the clipboard.
    CopyText(String),
    CloseDialog,
}

/// A request to the application. Everything slow runs in the background as a job, which is answered with the action
/// named here or with [`Action::JobFailed`].
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Read a file; answered with [`Action::Loaded`] or [`Action::LoadFailed`].
    Load(Box<LoadRequest>),
    /// Stop a job; its answer is ignored.
    Cancel(JobId),
    /// Show a file dialog for opening.
    PickFiles(FileKind),
    /// Show a file dialog for saving; answered with the action of the purpose.
    PickTarget {
        purpose: super::FilePurpose,
        /// The initial folder; `None` uses that of the last dialog.
        folder: Option<PathBuf>,
        /// The suggested file name.
        name: String,
        extension: String,
    },
    /// List a folder, and look up a name in it; answered with [`super::ChooserAction::Listed`].
    ListFolder { id: JobId, folder: PathBuf, name: Option<String> },
    /// Use files that were chosen in the window's own file dialog.
    FilesChosen(super::FilePurpose, Vec<PathBuf>),
    /// Inspect these files; answered with [`super::RecentAction::Inspected`] for each, and finally
    /// with [`super::RecentAction::AllInspected`].
    InspectRecent { id: JobId, paths: Vec<PathBuf> },
    /// Draw these poses of the open model; answered with [`super::PosesAction::Drawn`] for each
    /// clip, and finally with [`Action::TaskDone`].
    DrawPoses {
        id: JobId,
        /// In order of urgency.
        clips: Vec<super::ClipPoses>,
    },
    /// Render the current view to files; answered with [`super::ImageExportAction::Written`].
    WriteImages(super::ImageExportRequest),
    /// Render the current view to the clipboard; answered with [`super::ImageExportAction::Copied`].
    CopyImage { id: JobId, choice: super::ImageExportChoice },
    /// Write the open model; answered with [`Action::Exported`].
    Export(Box<ExportRequest>),
    /// Fix a file; answered with [`super::FixAction::Done`].
    Fix(Box<super::FixRequest>),
    /// Skin the open model on the GPU in this pose; answered with [`super::GpuCheckAction::Read`].
    ReadSkinned { id: JobId, pose: Box<rigscope_core::pose::PoseSpec> },
    /// Read an image chosen by the user; answered with [`Action::TaskDone`] containing
    /// [`super::UserImageAction::Loaded`].
    ReadImage(super::ImageRequest),
    /// Run a task; answered with [`Action::TaskDone`].
    Run(super::Task),
    /// Pick at this point; answered with [`Action::Picked`].
    Pick(PickAt),
    /// Save the settings.
    SaveSettings,
    /// Read the list of programs; answered with [`super::ReadersAction::Listed`].
    ListReaders,
    /// Change the list of programs; answered like [`Request::ListReaders`], or with [`super::ReadersAction::Failed`].
    ChangeReaders(super::ReaderChange),
    /// List the revisions of a file; answered with [`super::RevisionsAction::Listed`].
    ListRevisions { id: JobId, path: PathBuf },
    /// Save pairs of bones next to a model; answered with [`super::BonePairsAction::Saved`].
    SaveBoneMap { id: JobId, model: PathBuf, map: rigscope_core::rig::BoneMap },
    /// Copy text to the clipboard.
    CopyText(String),
    /// Close the window.
    Quit,
}

/// The purpose of a file dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Model,
    /// Related files of the open model.
    RelatedFiles,
    Compare,
    /// A replacement for an image of the file.
    Image(super::ImageSlot),
}

/// The reason for a load, which decides how much of the view is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadReason {
    Open,
    /// The file is already open and may have changed; the view and the playback stay as they are.
    Reload,
    /// Opened together with other files, or dropped on an open model: if it has no mesh, it is added to one that has.
    Together,
}

/// The initial state of the playback after a load.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartAt {
    /// Name or number of a clip.
    pub clip: Option<String>,
    /// In the time of the clip.
    pub time_secs: Option<f64>,
}

/// A file to load, with options.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadRequest {
    pub id: JobId,
    pub target: Origin,
    pub options: OpenOptions,
    pub reason: LoadReason,
    pub start: StartAt,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LoadFailure {
    /// Cancelled by the user.
    Cancelled,
    Failed {
        /// The message as printed by the command line.
        message: String,
        /// The same as a sentence in plain language.
        words: String,
        /// Details as names and values: format, offset, field.
        facts: Vec<(&'static str, String)>,
        /// The bytes of the file, if its content is at fault.
        file: Option<Box<super::BrokenFile>>,
    },
}
