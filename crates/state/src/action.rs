//! What can be asked of the state, and what it asks of the shell.

use std::path::PathBuf;

use glam::Vec2;

use super::{
    Command, Document, ExportChoice, ExportOutcome, ExportRequest, InspectAction, ModelKey, Origin,
    PickAt, PickHit, Selection, TimeRange,
};
use rigscope_core::camera::Camera;
use rigscope_core::model::{Aabb, ClipId, Place, UpAxis};

/// Everything that can change the state.
#[derive(Clone, Debug)]
pub enum Action {
    /// Does what a menu entry says.
    Run(Command),
    /// Runs a command and puts it first in the palette.
    RunFromPalette(Command),

    /// Opens a file.
    Open(PathBuf),
    /// A file was chosen in a dialog: the next one opens in its folder.
    UsedDialog(PathBuf),
    /// Opens the first file, the others along with it.
    OpenMany(Vec<PathBuf>),
    /// Reads the file again with these along with it.
    AddCompanions(Vec<PathBuf>),
    /// What was let go over the window.
    Drop(Vec<super::Dropped>),
    /// Chooses among the files around the model.
    Companion(super::CompanionAction),
    /// Reads the file again at so many frames a second.
    SetFps(f64),
    /// Opens what the command line names.
    Start(LoadRequest),
    /// Work on a file goes on.
    JobProgress {
        /// Which job.
        id: u64,
        /// What is being done.
        what: &'static str,
        /// 0 to 1.
        fraction: f32,
    },
    /// A file has been read.
    Loaded {
        /// Which job.
        id: u64,
        /// What was read.
        document: Box<Document>,
        /// Wall-clock time, for people.
        clock: String,
    },
    /// A file could not be read.
    LoadFailed {
        /// Which job.
        id: u64,
        /// Why.
        failure: LoadFailure,
    },
    /// Shows, opens or closes tabs.
    Tab(super::TabAction),
    /// The open file has changed on disk and is stable again.
    FileChanged,
    /// The open file has gone from disk.
    FileGone,
    /// Empties the list of recent files.
    ClearRecent,

    /// Looks at recent files, or forgets one.
    Recent(super::RecentAction),
    /// Selects.
    Select(Selection),
    /// Asks what is under the pointer, to select it or to show it in a tooltip.
    Pick(PickAt),
    /// That is there in the model that it was asked of.
    Picked(PickAt, ModelKey, PickHit),
    /// The pointer is on the view no more.
    LeaveView,
    /// The pointer is on a row of this, or on none any more.
    HoverRow(Option<Selection>),
    /// Picking and inspecting.
    Inspect(InspectAction),
    /// Selects what a finding is about and shows it.
    Focus(Place),
    /// Shows or hides a subset.
    SetVisible(usize, bool),
    /// Shows only this subset, or all again.
    Isolate(Option<usize>),
    /// Colours a subset, linear RGB.
    SetColor(usize, [f32; 3]),

    /// The picture has a new size, in points.
    ViewSized(Vec2),
    /// Turns the camera.
    Orbit {
        /// About Y.
        yaw_rad: f32,
        /// Above the horizon.
        pitch_rad: f32,
    },
    /// Moves the camera in the image plane, in points.
    Pan(Vec2),
    /// Multiplies the distance while the point at `at_ndc` stays.
    Zoom {
        /// Below 1 is nearer.
        factor: f32,
        /// In the picture, -1..=1, y up.
        at_ndc: Vec2,
    },

    /// Frames a box that a task has looked up.
    Frame {
        /// Display space.
        bounds: Aabb,
        /// The camera when it was asked for: one that has been moved since stays.
        from: Camera,
    },

    /// Weights of bones.
    Weights(super::WeightsAction),
    /// How bones are drawn.
    Bones(super::BonesAction),

    /// Shows a clip from its start.
    SetClip(ClipId),
    /// Shows a moment and stops the clock.
    Seek(f64),
    /// Shows a key and stops the clock.
    SeekKey(usize),
    /// Sets how fast the clock runs.
    SetSpeed(f64),
    /// Sets what happens at the end.
    SetLoop(super::LoopMode),
    /// Sets the stretch that is played.
    SetRange(Option<TimeRange>),
    /// Scrubs and zooms.
    Timeline(super::TimelineAction),

    /// Sets the export dialog.
    ChooseExport(ExportChoice),
    /// Asks where to write what is chosen.
    PickExport,
    /// Writes it.
    ExportTo(PathBuf),
    /// Stops writing.
    CancelExport,
    /// It is written, or not.
    Exported {
        /// Which job.
        id: u64,
        /// What came of it; why not, as a sentence.
        outcome: Result<ExportOutcome, String>,
    },

    /// Does something in the pane of bytes.
    Bytes(super::BytesAction),
    /// Searches the bytes.
    ByteSearch(super::ByteSearchAction),
    /// Shows two models.
    Second(super::SecondAction),
    /// The document as BSM2.
    AsBsm2(super::AsBsm2Action),
    /// The document against another.
    Compare(super::CompareAction),
    /// The weights of the model compared with are measured.
    ComparedWeights(std::sync::Arc<rigscope_core::visual::WeightTable>),
    /// The GPU against the CPU.
    Truth(super::TruthAction),

    /// A task is done; without an answer it was cancelled or failed.
    TaskDone {
        /// Which job.
        id: u64,
        /// What to do now.
        answer: Option<Box<Action>>,
    },
    /// The GPU lacks a part of a model that is shown.
    Lacks(super::ModelKey, super::UploadPart),
    /// Keeps where panes are, as the docks spell it.
    KeepLayout(String),
    /// Opens or closes a pane.
    ShowPane(super::Pane, bool),

    /// Forgets what the log says.
    ClearLog,
    /// About saving pictures.
    Picture(super::PictureAction),
    /// About the figures.
    Figures(super::FiguresAction),
    /// About the list of notes.
    Notes(super::NotesAction),
    /// Looks at motion.
    Animation(super::AnimationAction),
    /// Measures by hand.
    Measure(super::MeasureAction),
    /// Key poses of clips.
    Poses(super::PosesAction),
    /// About the pane of materials.
    Materials(super::MaterialsAction),
    /// Changes what is shown of hulls, occluder and bounds.
    Collision(super::CollisionAction),
    /// Changes lines of directions and marks of bad triangles.
    Surface(super::SurfaceAction),
    /// Sets images by hand.
    ByHand(super::ByHandAction),
    /// How materials are lit.
    SetLight(rigscope_core::visual::Light),
    /// Changes the UV pane.
    Uv(super::UvAction),

    /// Takes the message about a failed file away.
    DismissProblem,
    /// Takes a short message away.
    DismissToast(u64),
    /// Says something.
    Say(super::ToastLevel, String),
    /// Copies text.
    Copy(String),
    /// Closes the dialog that is open.
    CloseDialog,
}

/// What the shell is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Read a file beside the window and answer with [`Action::Loaded`] or [`Action::LoadFailed`].
    Load(LoadRequest),
    /// Stop reading; its answer will be ignored.
    CancelLoad(u64),
    /// Ask the user for files.
    PickFiles(FileKind),
    /// Ask the user where to write a file of that name.
    PickExport {
        /// What it is called until the user says otherwise.
        name: String,
        /// Its extension.
        extension: &'static str,
    },
    /// Ask the user where to write a picture of that name; answered with
    /// [`super::PictureAction::WriteTo`].
    PickPicture {
        /// What it is called until the user says otherwise.
        name: String,
        /// Its extension.
        extension: &'static str,
    },
    /// Look at these files beside the window, answer with [`super::RecentAction::Looked`] for each, and
    /// at last with [`super::RecentAction::LookedAtAll`].
    LookAtRecent {
        /// Which job it is.
        id: u64,
        /// The files.
        paths: Vec<PathBuf>,
    },
    /// Draw these poses of the open model beside the window, answer with
    /// [`super::PosesAction::Drawn`] for each clip, and at last with [`Action::TaskDone`].
    DrawPoses {
        /// Which job it is.
        id: u64,
        /// Which poses, the most wanted first.
        clips: Vec<super::ClipPoses>,
    },
    /// Draw what the state shows beside the window and answer with
    /// [`super::PictureAction::Written`].
    WritePictures(super::PictureRequest),
    /// Draw what the state shows beside the window, put it on the clipboard and answer with
    /// [`super::PictureAction::Copied`].
    CopyPicture {
        /// Which job it is.
        id: u64,
        /// What.
        choice: super::PictureChoice,
    },
    /// Write the open model beside the window and answer with [`Action::Exported`].
    Export(Box<ExportRequest>),
    /// Skin the open model in this pose on the GPU and answer, beside the window, with
    /// [`super::TruthAction::Read`].
    ReadSkinned {
        /// Number of the check.
        id: u64,
        /// Which pose.
        pose: Box<rigscope_core::pose::PoseSpec>,
    },
    /// Read an image that was chosen by hand, beside the window, and answer with [`Action::TaskDone`] and
    /// in it [`super::ByHandAction::Took`].
    ReadImage(super::ImageRequest),
    /// Do this beside the window and answer with [`Action::TaskDone`].
    Run(super::Task),
    /// Bring this to the GPU beside the window and answer with [`Action::TaskDone`].
    Upload {
        /// Which job it is.
        id: u64,
        /// Of which model.
        model: super::ModelKey,
        /// What of it.
        part: super::UploadPart,
    },
    /// Say what is there, beside the window: answer with [`Action::Picked`].
    Pick(PickAt),
    /// Write the settings.
    SaveSettings,
    /// Put text on the clipboard.
    CopyText(String),
    /// Close the window.
    Quit,
}

/// Which files the user is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A file to open.
    Model,
    /// Files to read along with the open one.
    Companions,
    /// A file to compare with.
    Compare,
    /// An image to set by hand.
    Image(super::HandSlot),
}

/// Why something is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadReason {
    /// To see it.
    Open,
    /// It is open already and may have changed; what the user has set up stays.
    Reload,
    /// It was let go over an open model: to see it where it has a mesh, else to go with that.
    Drop,
}

/// Where the clock shall stand after reading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartAt {
    /// Name or number of a clip.
    pub clip: Option<String>,
    /// On the clip's clock.
    pub time_secs: Option<f64>,
}

/// A file to read and how.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadRequest {
    /// Which job it is.
    pub id: u64,
    /// What to read.
    pub target: Origin,
    /// Files to read along with it.
    pub companions: Vec<PathBuf>,
    /// Names and paths below the folder of files that must not go with it.
    pub without: Vec<String>,
    /// Format to take it for, whatever the probes say.
    pub format: Option<String>,
    /// Frames a second, for formats that count frames and do not say how fast they go.
    pub fps: Option<f64>,
    /// The axis that points up, overriding the format's.
    pub up: Option<UpAxis>,
    /// Why.
    pub reason: LoadReason,
    /// Where the clock shall stand afterwards.
    pub start: StartAt,
}

/// Why reading ended.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadFailure {
    /// Somebody asked for it.
    Cancelled,
    /// Something is wrong.
    Failed {
        /// What, as the command line says it.
        message: String,
        /// The same in a person's words, as a sentence.
        words: String,
        /// Name and value of what is known about it: format, place, field.
        facts: Vec<(&'static str, String)>,
        /// Its bytes, where it was something in the file.
        file: Option<Box<super::BrokenFile>>,
    },
}
