//! Settings between one run and the next.

use std::path::PathBuf;

use winit::event_loop::EventLoopProxy;

use super::settings_file;
pub(in crate::app) use super::settings_file::thumbnails_folder;
use super::settings_writer::SettingsWriter;
use crate::app::Msg;
use rigscope_state::Settings;

/// Where they are kept.
pub(in crate::app) struct Store {
    /// None where there is no folder for them.
    writer: Option<SettingsWriter>,
}

impl Store {
    /// The store, what it holds, and what to tell the user where that could not be read.
    pub(in crate::app) fn open(proxy: &EventLoopProxy<Msg>) -> (Self, Settings, Option<String>) {
        let folder = settings_file::folder();
        let (settings, warning) = folder.as_deref().map(settings_file::read).unwrap_or_default();
        (Self { writer: folder.and_then(|folder| writer(folder, proxy)) }, settings, warning)
    }

    /// Has `settings` kept.
    pub(in crate::app) fn write(&self, settings: &Settings) {
        if let Some(writer) = &self.writer {
            writer.write(settings);
        }
    }
}

/// Writes settings into `folder`; a failure is said and changes nothing else.
fn writer(folder: PathBuf, proxy: &EventLoopProxy<Msg>) -> Option<SettingsWriter> {
    let proxy = proxy.clone();
    let writer = SettingsWriter::new(move |settings| {
        if let Err(error) = settings_file::write(&folder, settings) {
            tracing::warn!("{error:#}");
            // The window may be closed by now; then nobody wants to know.
            let _ = proxy.send_event(Msg::SettingsNotWritten(format!("{error:#}")));
        }
    });
    writer.ok()
}
