//! Work beside the window that answers with an action: comparing, measuring, baking.
//!
//! A task belongs to a slot; a new one in the same slot takes the place of the old one, whose
//! answer is then ignored.

use std::sync::Arc;

use crate::{Action, AppState, Effect};
use rigscope_core::model::{Cancelled, Report};

/// What a task does, as people read it, like "comparing"; one of each at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskSlot(pub &'static str);

/// What a task does: asks the report whether to go on, and answers.
type Work = dyn Fn(&Report) -> Result<Action, Cancelled> + Send + Sync;

/// Work to be done on a thread of its own.
#[derive(Clone)]
pub struct Task {
    /// Number of the job.
    pub id: u64,
    /// What it does.
    pub slot: TaskSlot,
    work: Arc<Work>,
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Task({} {})", self.id, self.slot.0)
    }
}

impl PartialEq for Task {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Task {
    /// Does the work on this thread.
    ///
    /// # Errors
    /// When the report asks to stop.
    pub fn run(&self, report: &Report) -> Result<Action, Cancelled> {
        (self.work)(report)
    }
}

/// A task on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct RunningTask {
    /// Number of the job.
    pub id: u64,
    /// What it does.
    pub slot: TaskSlot,
    /// 0 to 1.
    pub fraction: f32,
}

impl AppState {
    /// Starts `work` in `slot`; what was there before is cancelled.
    pub(crate) fn start_task(
        &mut self,
        slot: TaskSlot,
        work: impl Fn(&Report) -> Result<Action, Cancelled> + Send + Sync + 'static,
    ) -> Vec<Effect> {
        let mut effects = self.cancel_task(slot);
        self.last_job_id += 1;
        let id = self.last_job_id;
        self.tasks.push(RunningTask { id, slot, fraction: 0.0 });
        effects.push(Effect::Run(Task { id, slot, work: Arc::new(work) }));
        effects
    }

    /// Stops what is in `slot`.
    pub(crate) fn cancel_task(&mut self, slot: TaskSlot) -> Vec<Effect> {
        let is_it = |task: &&RunningTask| task.slot == slot;
        let stopped = self.tasks.iter().filter(is_it);
        let effects = stopped.map(|task| Effect::CancelLoad(task.id)).collect();
        self.tasks.retain(|task| task.slot != slot);
        self.ended_tasks.retain(|ended| *ended != slot);
        effects
    }

    /// Stops all tasks: what they work on has gone.
    pub(crate) fn cancel_tasks(&mut self) -> Vec<Effect> {
        self.ended_tasks.clear();
        let tasks = std::mem::take(&mut self.tasks);
        tasks.iter().map(|task| Effect::CancelLoad(task.id)).collect()
    }

    /// What is being done in `slot`.
    pub fn task(&self, slot: TaskSlot) -> Option<&RunningTask> {
        self.tasks.iter().find(|task| task.slot == slot)
    }

    /// Whether something is being done in `slot`.
    pub fn is_running(&self, slot: TaskSlot) -> bool {
        self.task(slot).is_some()
    }

    /// Whether the last task of `slot` is running or has ended by itself, with a value or without.
    pub(super) fn was_started(&self, slot: TaskSlot) -> bool {
        self.is_running(slot) || self.ended_tasks.contains(&slot)
    }

    pub(crate) fn task_progress(&mut self, id: u64, fraction: f32) {
        if let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) {
            task.fraction = fraction.clamp(0.0, 1.0);
        }
    }

    /// Takes the answer of a task, unless it was cancelled or overtaken.
    pub(crate) fn apply_task_done(&mut self, id: u64, answer: Option<Action>) -> Vec<Effect> {
        let Some(at) = self.tasks.iter().position(|task| task.id == id) else { return Vec::new() };
        self.ended_tasks.push(self.tasks.remove(at).slot);
        answer.map_or_else(Vec::new, |answer| self.apply(answer))
    }
}
