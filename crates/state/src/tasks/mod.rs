//! Background tasks and messages.
//!
//! Not for: running tasks; the application owns the threads.

mod derived;
mod log;
mod task;
mod toast;
mod upload;

pub(super) use derived::DerivedIn;
pub use derived::{Derived, ModelKey};
pub use log::{Log, LogEntry, ToastLevel};
pub use task::{RunningTask, Task, TaskSlot};
pub use toast::{Subject, Toast, Toasts};
pub use upload::UploadPart;
