//! Work beside the window that answers with an action: comparing, measuring, baking.
//!
//! A task belongs to a slot; a new one in the same slot takes the place of the old one, whose
//! answer is then ignored.

use std::sync::Arc;

use crate::model::{Cancelled, Report};
use crate::state::{Action, AppState, Effect};

/// What a task is for; one of each at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskSlot(pub &'static str);

/// What a task does: asks the report whether to go on, and answers.
type Work = dyn Fn(&Report) -> Result<Action, Cancelled> + Send + Sync;

/// Work to be done on a thread of its own.
#[derive(Clone)]
pub struct Task {
    /// Number of the job.
    pub id: u64,
    /// What it is for.
    pub slot: TaskSlot,
    /// As people read it, like "comparing".
    pub what: &'static str,
    work: Arc<Work>,
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Task({} {})", self.id, self.what)
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
    /// What it is for.
    pub slot: TaskSlot,
    /// As people read it.
    pub what: &'static str,
    /// 0 to 1.
    pub fraction: f32,
}

impl AppState {
    /// Starts `work` in `slot`; what was there before is cancelled.
    pub(in crate::state) fn start_task(
        &mut self,
        slot: TaskSlot,
        what: &'static str,
        work: impl Fn(&Report) -> Result<Action, Cancelled> + Send + Sync + 'static,
    ) -> Vec<Effect> {
        let mut effects = self.cancel_task(slot);
        self.last_job_id += 1;
        let id = self.last_job_id;
        self.tasks.push(RunningTask { id, slot, what, fraction: 0.0 });
        effects.push(Effect::Run(Task { id, slot, what, work: Arc::new(work) }));
        effects
    }

    /// Stops what is in `slot`.
    pub(in crate::state) fn cancel_task(&mut self, slot: TaskSlot) -> Vec<Effect> {
        let is_it = |task: &&RunningTask| task.slot == slot;
        let stopped = self.tasks.iter().filter(is_it);
        let effects = stopped.map(|task| Effect::CancelLoad(task.id)).collect();
        self.tasks.retain(|task| task.slot != slot);
        effects
    }

    /// Stops all tasks: what they work on has gone.
    pub(in crate::state) fn cancel_tasks(&mut self) -> Vec<Effect> {
        let tasks = std::mem::take(&mut self.tasks);
        tasks.iter().map(|task| Effect::CancelLoad(task.id)).collect()
    }

    /// Whether something is being done in `slot`.
    pub fn is_running(&self, slot: TaskSlot) -> bool {
        self.tasks.iter().any(|task| task.slot == slot)
    }

    pub(in crate::state) fn task_progress(&mut self, id: u64, fraction: f32) {
        if let Some(task) = self.tasks.iter_mut().find(|task| task.id == id) {
            task.fraction = fraction.clamp(0.0, 1.0);
        }
    }

    /// Takes the answer of a task, unless it was cancelled or overtaken.
    pub(in crate::state) fn task_done(&mut self, id: u64, answer: Option<Action>) -> Vec<Effect> {
        let Some(at) = self.tasks.iter().position(|task| task.id == id) else {
            return Vec::new();
        };
        self.tasks.remove(at);
        answer.map_or_else(Vec::new, |answer| self.apply(answer))
    }
}
