//! Writes the settings on a thread, because a disk can be slower than a frame.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rigscope_state::Settings;

/// A thread that writes the settings. If several versions are queued, it writes only the last.
///
/// Dropping it waits until the last version has been written.
pub(super) struct SettingsWriter {
    /// `None` while it is being dropped.
    send: Option<Sender<Settings>>,
    thread: Option<JoinHandle<()>>,
}

impl SettingsWriter {
    /// Starts a thread that calls `write`.
    ///
    /// # Errors
    /// If the system can't start a thread.
    pub(super) fn new(write: impl FnMut(&Settings) + Send + 'static) -> std::io::Result<Self> {
        let (send, receive) = channel();
        let thread = std::thread::Builder::new()
            .name("settings".to_owned())
            .spawn(move || write_all(&receive, write))?;
        Ok(Self { send: Some(send), thread: Some(thread) })
    }

    /// Queues `settings` for writing.
    pub(super) fn write(&self, settings: &Settings) {
        if let Some(send) = &self.send {
            // Fails only if `write` has panicked.
            let _ = send.send(settings.clone());
        }
    }
}

impl Drop for SettingsWriter {
    fn drop(&mut self) {
        self.send = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn write_all(receive: &Receiver<Settings>, mut write: impl FnMut(&Settings)) {
    while let Ok(settings) = receive.recv() {
        write(&receive.try_iter().last().unwrap_or(settings));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn the_last_settings_are_written_before_the_writer_is_dropped() {
        let written = Arc::new(Mutex::new(Vec::new()));
        let list = Arc::clone(&written);
        let writer = SettingsWriter::new(move |settings: &Settings| {
            list.lock().unwrap().push(settings.hover);
        });
        let writer = writer.unwrap();
        let mut settings = Settings::default();
        for hover in [true, true, false] {
            settings.hover = hover;
            writer.write(&settings);
        }
        drop(writer);
        let written = written.lock().unwrap();
        assert!((1..=3).contains(&written.len()) && written.last() == Some(&false), "{written:?}");
    }
}
