//! Jobs: work in the background for a part of the state.

use crate::AppState;
use rigscope_core::model::Cancelled;

/// Description of a task for users, such as "comparing"; also its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskSlot(pub &'static str);

/// A job: its number, and the part of the state that waits for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct JobId {
    /// Increases with every job, so that late answers of earlier jobs are recognized.
    number: u64,
    owner: JobOwner,
}

/// The part of the state that waits for a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum JobOwner {
    /// A document to open or to compare with.
    #[default]
    Document,
    Export,
    /// A file to fix.
    Fix,
    /// Images to write.
    ImageExport,
    /// An image for the clipboard.
    CopiedImage,
    /// The files of the start screen.
    RecentFiles,
    /// The revisions of the open file.
    Revisions,
    /// Pairs of bones to save.
    BoneMap,
    /// A folder of the file dialog.
    FileChooser,
    GpuCheck,
    Pick,
    Task(TaskSlot),
    /// A task that uploads to the GPU.
    Upload(TaskSlot),
}

/// Why a job has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobError {
    Cancelled,
    /// The failure as a phrase.
    Failed(String),
}

impl From<Cancelled> for JobError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<String> for JobError {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

impl JobId {
    pub fn owner(self) -> JobOwner {
        self.owner
    }
}

impl JobOwner {
    /// Description of the work, such as "reading".
    pub fn name(self) -> &'static str {
        match self {
            Self::Document => "reading",
            Self::Export => "writing",
            Self::Fix => "fixing",
            Self::ImageExport | Self::CopiedImage => "drawing",
            Self::RecentFiles => "creating thumbnails of recent files",
            Self::Revisions => "listing revisions",
            Self::BoneMap => "saving the pairs of bones",
            Self::FileChooser => "listing a folder",
            Self::GpuCheck => "reading back vertices",
            Self::Pick => "picking",
            Self::Task(slot) | Self::Upload(slot) => slot.0,
        }
    }
}

impl AppState {
    /// Numbers a new job.
    pub fn new_job(&mut self, owner: JobOwner) -> JobId {
        self.last_job += 1;
        JobId { number: self.last_job, owner }
    }
}
