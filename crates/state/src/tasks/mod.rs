//! Background tasks and messages.
//!
//! Not for: running tasks; the application owns the threads.

mod derived;
mod job;
mod log;
mod task;
mod toast;

pub(super) use derived::DerivedIn;
pub use derived::{Derived, ModelKey};
pub use job::{JobError, JobId, JobOwner, TaskSlot};
pub use log::{Log, LogEntry, ToastLevel};
pub use task::{RunningTask, Task};
pub use toast::{Subject, Toast, Toasts};
