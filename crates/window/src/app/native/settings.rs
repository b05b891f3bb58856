//! Settings stored on disk.

use std::path::PathBuf;

use winit::event_loop::EventLoopProxy;

use super::settings_file;
pub(in crate::app) use super::settings_file::thumbnails_folder;
use super::settings_writer::SettingsWriter;
use crate::app::{Msg, send};
use rigscope_io::files::external::settings_folder;
use rigscope_state::Settings;

pub(in crate::app) struct SettingsStore {
    /// `None` without a settings folder.
    writer: Option<SettingsWriter>,
}

impl SettingsStore {
    /// The store, its settings, and a message for the user if they couldn't be read.
    pub(in crate::app) fn open(proxy: &EventLoopProxy<Msg>) -> (Self, Settings, Option<String>) {
        let folder = settings_folder();
        let (settings, warning) = folder.as_deref().map(settings_file::read).unwrap_or_default();
        (Self { writer: folder.and_then(|folder| writer(folder, proxy)) }, settings, warning)
    }

    /// Queues `settings` for writing.
    pub(in crate::app) fn write(&self, settings: &Settings) {
        if let Some(writer) = &self.writer {
            writer.write(settings);
        }
    }
}

/// Writes settings to `folder` in the background; a failure is only reported.
fn writer(folder: PathBuf, proxy: &EventLoopProxy<Msg>) -> Option<SettingsWriter> {
    let proxy = proxy.clone();
    let writer = SettingsWriter::new(move |settings| {
        if let Err(error) = settings_file::write(&folder, settings) {
            tracing::warn!("{error:#}");
            send(&proxy, Msg::SettingsNotWritten(format!("{error:#}")));
        }
    });
    writer.ok()
}
