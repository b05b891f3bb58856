//! GPU check: vertices skinned by the shaders are read back and compared with the reference in
//! `pose`, for one pose or all keys of the clip.
//!
//! The application reads back one pose at a time; a task skins the same pose on the CPU and
//! compares.

use std::sync::Arc;

use super::deviation::{ModelDeviation, WorstVertex};
use crate::{
    Action, AppState, DISPLAY_UNITS, JobId, JobOwner, Painter, Pane, Request, TaskSlot, ToastLevel,
};
use rigscope_core::measure::skinning_deviation;
use rigscope_core::model::{Cancelled, ClipId, Model, Motion, Report, as_u32, numbers};
use rigscope_core::pose::{Moment, PoseSpec, SkinnedMesh, skin_model};

/// Compares one pose.
pub const GPU_CHECK_TASK: TaskSlot = TaskSlot("checking the GPU");
/// Most poses to check per clip, evenly spaced and including the last.
const MAX_MOMENTS: usize = 300;
/// Poses per second for clips without stored keys.
const MOMENTS_A_SECOND: f64 = 30.0;

/// Largest accepted position error relative to the size of the model, as in the shader tests. Keep
/// in sync with `tests/gpu/skinning.rs`.
const SOUND_OF_EXTENT: f32 = 1e-5;
/// Largest accepted normal error in degrees: 2e-3 in length.
const SOUND_NORMAL_DEG: f32 = 0.115;

/// The difference between GPU and CPU.
#[derive(Clone, Debug, Default)]
pub struct GpuDeviation {
    /// Largest distance, display units.
    pub max: f32,
    /// Largest distance relative to the size of the model in its pose.
    pub max_of_extent: f32,
    /// Largest angle between normals, degrees.
    pub max_normal_deg: f32,
    /// The vertex with the largest distance, if there are vertices.
    pub worst: Option<WorstVertex>,
    pub num_poses: usize,
    /// The largest distance per vertex, over all meshes in order.
    pub per_vertex: Arc<Vec<f32>>,
}

impl GpuDeviation {
    /// Whether the difference can be explained by single precision.
    pub fn is_sound(&self) -> bool {
        self.max_of_extent <= SOUND_OF_EXTENT && self.max_normal_deg <= SOUND_NORMAL_DEG
    }

    /// The result as a sentence.
    pub fn verdict(&self) -> &'static str {
        if self.is_sound() {
            "GPU and CPU agree."
        } else {
            "The GPU result deviates from the CPU. Please report this."
        }
    }
}

impl PartialEq for GpuDeviation {
    /// Compared by identity.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.per_vertex, &other.per_vertex) && self.num_poses == other.num_poses
    }
}

/// A check in progress.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    id: JobId,
    poses: Vec<PoseSpec>,
    so_far: GpuDeviation,
}

/// The last check and the one in progress.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GpuCheck {
    /// The result of the last check.
    pub outcome: Option<Box<GpuDeviation>>,
    /// The reason why the last check failed.
    pub problem: Option<String>,
    run: Option<Box<Run>>,
}

impl GpuCheck {
    /// Completed and total poses of the check in progress.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let run = self.run.as_ref()?;
        Some((run.so_far.num_poses, run.poses.len()))
    }
}

/// An action on the GPU check.
#[derive(Clone, Debug)]
pub enum GpuCheckAction {
    /// The vertices have been read back, or couldn't be.
    Read {
        id: JobId,
        /// The vertices of all meshes, file space; the failure is a sentence.
        vertices: Result<Arc<Vec<SkinnedMesh>>, String>,
    },
    /// A pose has been compared.
    Compared {
        id: JobId,
        /// The result including all previous poses.
        so_far: Box<GpuDeviation>,
    },
    /// Stops the check, keeping the result so far.
    Cancel,
}

impl AppState {
    /// Checks the current pose.
    pub(crate) fn check_gpu_pose(&mut self) -> Vec<Request> {
        self.start_gpu_check(vec![self.tab.playback.pose_spec()])
    }

    /// Checks all keys of the clip.
    pub(crate) fn check_gpu_clip(&mut self) -> Vec<Request> {
        self.start_gpu_check(self.moments_of_clip())
    }

    fn moments_of_clip(&self) -> Vec<PoseSpec> {
        let own = self.tab.playback.pose_spec();
        let Some(clip) = self.clip().filter(|_| !self.is_bind_pair()) else { return vec![own] };
        let at = |moment| PoseSpec { moment, ..own };
        let chosen = |num: usize| {
            let num_chosen = num.clamp(1, MAX_MOMENTS);
            let last = (num_chosen - 1).max(1);
            (0..num_chosen).map(move |at| at * (num.saturating_sub(1)) / last)
        };
        if let Motion::Sampled(motion) = &clip.motion {
            let keys = chosen(motion.keys.num_keys());
            return keys.map(|key| at(Moment::Key(as_u32(key)))).collect();
        }
        #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
        #[expect(clippy::cast_sign_loss, reason = "not negative")]
        let steps = (clip.duration_secs.max(0.0) * MOMENTS_A_SECOND).ceil() as usize;
        let (start, duration) = (clip.start_secs, clip.duration_secs.max(0.0));
        let times = chosen(steps.saturating_add(1));
        times
            .map(|step| {
                let share = step as f64 / steps.max(1) as f64;
                at(Moment::TimeSecs(start + share * duration))
            })
            .collect()
    }

    fn start_gpu_check(&mut self, poses: Vec<PoseSpec>) -> Vec<Request> {
        if self.tab.document.is_none() {
            return Vec::new();
        }
        self.bring_to_front(Pane::Truth);
        let mut requests = self.cancel_task(GPU_CHECK_TASK);
        requests.push(Request::SaveSettings);
        let id = self.new_job(JobOwner::GpuCheck);
        self.unpaint(Painter::GpuCheck);
        self.tab.view.gpu_check = GpuCheck {
            run: Some(Box::new(Run { id, poses, so_far: GpuDeviation::default() })),
            ..GpuCheck::default()
        };
        requests.extend(self.next_pose());
        requests
    }

    /// Requests the next pose, or ends the check.
    fn next_pose(&mut self) -> Vec<Request> {
        let Some(run) = &self.tab.view.gpu_check.run else { return Vec::new() };
        match run.poses.get(run.so_far.num_poses) {
            Some(&pose) => vec![Request::ReadSkinned { id: run.id, pose: Box::new(pose) }],
            None => {
                self.end_gpu_check();
                if let Some(outcome) = &self.tab.view.gpu_check.outcome {
                    let level =
                        if outcome.is_sound() { ToastLevel::Info } else { ToastLevel::Error };
                    self.toasts.report(level, format!("GPU check: {}", outcome.verdict()));
                }
                Vec::new()
            }
        }
    }

    /// Ends the check in progress, keeping the result so far.
    pub(super) fn end_gpu_check(&mut self) {
        if let Some(run) = self.tab.view.gpu_check.run.take()
            && run.so_far.num_poses > 0
        {
            self.tab.view.gpu_check.outcome = Some(Box::new(run.so_far));
        }
    }

    pub(crate) fn apply_gpu_check(&mut self, action: GpuCheckAction) -> Vec<Request> {
        match action {
            GpuCheckAction::Read { id, vertices } => return self.compare_read(id, vertices),
            GpuCheckAction::Compared { id, so_far } => {
                let run = self.tab.view.gpu_check.run.as_mut();
                if let Some(run) = run.filter(|run| run.id == id) {
                    run.so_far = *so_far;
                    return self.next_pose();
                }
            }
            GpuCheckAction::Cancel => {
                self.end_gpu_check();
                return self.cancel_task(GPU_CHECK_TASK);
            }
        }
        Vec::new()
    }

    fn compare_read(
        &mut self,
        id: JobId,
        vertices: Result<Arc<Vec<SkinnedMesh>>, String>,
    ) -> Vec<Request> {
        let run = self.tab.view.gpu_check.run.as_ref().filter(|run| run.id == id);
        let (Some(run), Some(document)) = (run, &self.tab.document) else { return Vec::new() };
        let vertices = match vertices {
            Ok(vertices) => vertices,
            Err(problem) => {
                let text = format!("the vertices could not be read back from the GPU: {problem}");
                self.toasts.push(ToastLevel::Error, text);
                self.end_gpu_check();
                self.tab.view.gpu_check.problem = Some(problem);
                return Vec::new();
            }
        };
        let Some(&pose) = run.poses.get(run.so_far.num_poses) else { return Vec::new() };
        let model = Arc::clone(&document.model);
        let so_far = run.so_far.clone();
        let share = run.so_far.num_poses as f32 / run.poses.len().max(1) as f32;
        self.start_task(GPU_CHECK_TASK, move |report: &Report| {
            report.progress(GPU_CHECK_TASK.0, share)?;
            let found = compared(&model, &pose, &vertices, &so_far, report)?;
            Ok(Action::GpuCheck(GpuCheckAction::Compared { id, so_far: Box::new(found) }))
        })
    }

    /// The deviation of the GPU, if it was checked.
    pub(super) fn gpu_deviation(&self) -> Option<ModelDeviation> {
        let outcome = self.tab.view.gpu_check.outcome.as_ref()?;
        Some(ModelDeviation {
            pane: Some(Pane::Truth),
            title: "Deviation of GPU from CPU".to_owned(),
            unit: DISPLAY_UNITS,
            of_document: Arc::clone(&outcome.per_vertex),
            of_models: Vec::new(),
            max: outcome.max,
        })
    }

    /// Describes the moment of the largest distance.
    pub fn moment_text(&self, worst: &WorstVertex) -> String {
        let document = self.tab.document.as_ref();
        let clip = worst.clip.map_or(0, ClipId::index);
        let name = document.map_or_else(String::new, |document| document.clip_name(clip));
        match worst.moment.unwrap_or_default() {
            Moment::Default => format!("at the start of {name}"),
            Moment::Rest => "in the rest pose".to_owned(),
            Moment::Bind => "in the bind pose".to_owned(),
            Moment::TimeSecs(secs) => format!("at {} of {name}", numbers::seconds(secs)),
            Moment::Key(key) => format!("at key {key} of {name}"),
        }
    }
}

/// Adds a pose to `so_far`.
fn compared(
    model: &Model,
    pose: &PoseSpec,
    vertices: &[SkinnedMesh],
    so_far: &GpuDeviation,
    report: &Report,
) -> Result<GpuDeviation, Cancelled> {
    let wanted = skin_model(model, pose);
    report.progress(GPU_CHECK_TASK.0, 1.0)?;
    let moved = skinning_deviation(model, &wanted, vertices);
    let mut found = so_far.clone();
    #[expect(clippy::cast_possible_truncation, reason = "of single precision")]
    let narrow = |value: f64| value as f32;
    let pairs = moved.distances.iter().enumerate();
    let largest = pairs.map(|(number, &apart)| {
        let before = so_far.per_vertex.get(number).copied();
        before.unwrap_or(0.0).max(narrow(apart))
    });
    let per_vertex: Vec<f32> = largest.collect();
    if let Some(at) = moved.worst
        && (found.worst.is_none() || narrow(moved.max) > found.max)
    {
        found.max = narrow(moved.max);
        found.worst = Some(WorstVertex { vertex: at, clip: pose.clip, moment: Some(pose.moment) });
    }
    if moved.extent > 0.0 {
        let share = narrow(moved.max / moved.extent);
        found.max_of_extent = found.max_of_extent.max(share);
    }
    found.max_normal_deg = found.max_normal_deg.max(narrow(moved.max_normal_deg));
    found.num_poses += 1;
    found.per_vertex = Arc::new(per_vertex);
    Ok(found)
}
