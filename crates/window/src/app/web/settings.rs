//! Settings in the browser's local storage.

use std::path::PathBuf;

use winit::event_loop::EventLoopProxy;

use super::page;
use crate::app::Msg;
use crate::app::settings_text::{ParsedSettings, format_settings, parse_settings};
use rigscope_state::Settings;

pub(in crate::app) struct SettingsStore;

impl SettingsStore {
    /// The store, its settings, and a message for the user if they couldn't be read.
    pub(in crate::app) fn open(_: &EventLoopProxy<Msg>) -> (Self, Settings, Option<String>) {
        let text = page::call("storedSettings", &[]).and_then(|text| text.as_string());
        let (mut settings, warning) = match text.as_deref().map(parse_settings) {
            None => (Settings::default(), None),
            Some(ParsedSettings::Complete(settings)) => (settings, None),
            Some(ParsedSettings::Partial(settings, lost)) => (settings, Some(lost)),
            Some(ParsedSettings::Invalid(why)) => (Settings::default(), Some(why)),
        };
        forget_files(&mut settings);
        (Self, settings, warning)
    }

    /// Stores `settings`. Fails silently in browsers without storage.
    pub(in crate::app) fn write(&self, settings: &Settings) {
        let mut settings = settings.clone();
        forget_files(&mut settings);
        if let Ok(text) = format_settings(&settings) {
            page::call("storeSettings", &[text.into()]);
        }
    }
}

/// Files of a page don't outlive it.
fn forget_files(settings: &mut Settings) {
    settings.recent.clear();
    settings.open_files.clear();
}

/// Thumbnails aren't cached in a browser.
pub(in crate::app) fn thumbnails_folder() -> Option<PathBuf> {
    None
}
