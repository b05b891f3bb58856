//! Background tasks that return an action: comparing, measuring, baking.
//!
//! Each task has a slot. A new task replaces the one in the same slot, whose answer is then
//! ignored.

use std::sync::Arc;

use super::{JobId, JobOwner, TaskSlot};
use crate::{Action, AppState, Request};
use rigscope_core::model::{Cancelled, Report};

/// The work of a task. It asks the report whether to continue and returns an action.
type Work = dyn Fn(&Report) -> Result<Action, Cancelled> + Send + Sync;

/// Work for a background thread.
#[derive(Clone)]
pub struct Task {
    pub id: JobId,
    pub slot: TaskSlot,
    work: Arc<Work>,
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Task({:?})", self.id)
    }
}

impl PartialEq for Task {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Task {
    /// Runs the task on the current thread.
    ///
    /// # Errors
    /// If the report asks to stop.
    pub fn run(&self, report: &Report) -> Result<Action, Cancelled> {
        (self.work)(report)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct RunningTask {
    pub id: JobId,
    pub slot: TaskSlot,
    /// 0 to 1.
    pub fraction: f32,
}

impl AppState {
    /// Starts `work` in `slot`, cancelling the task that was there.
    pub(crate) fn start_task(
        &mut self,
        slot: TaskSlot,
        work: impl Fn(&Report) -> Result<Action, Cancelled> + Send + Sync + 'static,
    ) -> Vec<Request> {
        let mut requests = self.cancel_task(slot);
        let id = self.begin_task(slot);
        requests.push(Request::Run(Task { id, slot, work: Arc::new(work) }));
        requests
    }

    /// Adds a task for other work. It doesn't replace the tasks in its slot.
    pub(crate) fn begin_task(&mut self, slot: TaskSlot) -> JobId {
        self.begin(JobOwner::Task(slot), slot)
    }

    /// Adds a task for an upload to the GPU, which the application has started. It doesn't replace
    /// the tasks in its slot, because two models may be shown.
    pub fn begin_upload(&mut self, slot: TaskSlot) -> JobId {
        self.begin(JobOwner::Upload(slot), slot)
    }

    fn begin(&mut self, owner: JobOwner, slot: TaskSlot) -> JobId {
        let id = self.new_job(owner);
        self.tasks.push(RunningTask { id, slot, fraction: 0.0 });
        id
    }

    /// Cancels the task in `slot`.
    pub(crate) fn cancel_task(&mut self, slot: TaskSlot) -> Vec<Request> {
        let is_it = |task: &&RunningTask| task.slot == slot;
        let stopped = self.tasks.iter().filter(is_it);
        let requests = stopped.map(|task| Request::Cancel(task.id)).collect();
        self.tasks.retain(|task| task.slot != slot);
        self.ended_tasks.retain(|ended| *ended != slot);
        requests
    }

    /// Cancels all tasks, because their document was replaced or closed.
    pub(crate) fn cancel_tasks(&mut self) -> Vec<Request> {
        self.ended_tasks.clear();
        let tasks = std::mem::take(&mut self.tasks);
        tasks.iter().map(|task| Request::Cancel(task.id)).collect()
    }

    /// The running task in `slot`.
    pub fn task(&self, slot: TaskSlot) -> Option<&RunningTask> {
        self.tasks.iter().find(|task| task.slot == slot)
    }

    /// Whether a task is running in `slot`.
    pub fn is_running(&self, slot: TaskSlot) -> bool {
        self.task(slot).is_some()
    }

    /// Whether the last task of `slot` is running or has ended without being cancelled, with or
    /// without a result.
    pub(super) fn was_started(&self, slot: TaskSlot) -> bool {
        self.is_running(slot) || self.ended_tasks.contains(&slot)
    }

    pub(crate) fn task_progress(&mut self, id: JobId, fraction: f32) {
        if let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) {
            task.fraction = fraction.clamp(0.0, 1.0);
        }
    }

    /// Applies the action of a finished task, unless it was cancelled or replaced.
    pub(crate) fn apply_task_done(&mut self, id: JobId, answer: Option<Action>) -> Vec<Request> {
        let Some(at) = self.tasks.iter().position(|task| task.id == id) else { return Vec::new() };
        self.ended_tasks.push(self.tasks.remove(at).slot);
        answer.map_or_else(Vec::new, |answer| self.apply(answer))
    }
}
