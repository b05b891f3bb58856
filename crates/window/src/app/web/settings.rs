//! Settings between one visit and the next, in the browser's local storage.

use std::path::PathBuf;

use winit::event_loop::EventLoopProxy;

use super::page;
use crate::app::Msg;
use crate::app::settings_text::{Read, read_text, text_of};
use rigscope_state::Settings;

/// Where they are kept.
pub(in crate::app) struct Store;

impl Store {
    /// The store, what it holds, and what to tell the user where that could not be read.
    pub(in crate::app) fn open(_: &EventLoopProxy<Msg>) -> (Self, Settings, Option<String>) {
        let text = page::call("storedSettings", &[]).and_then(|text| text.as_string());
        let (mut settings, warning) = match text.as_deref().map(read_text) {
            None => (Settings::default(), None),
            Some(Read::All(settings)) => (settings, None),
            Some(Read::Part(settings, lost)) => (settings, Some(lost)),
            Some(Read::Nothing(why)) => (Settings::default(), Some(why)),
        };
        forget_files(&mut settings);
        (Self, settings, warning)
    }

    /// Keeps `settings`. A browser that keeps nothing loses nothing else.
    pub(in crate::app) fn write(&self, settings: &Settings) {
        let mut settings = settings.clone();
        forget_files(&mut settings);
        if let Ok(text) = text_of(&settings) {
            page::call("storeSettings", &[text.into()]);
        }
    }
}

/// Files of a page are gone with it.
fn forget_files(settings: &mut Settings) {
    settings.recent.clear();
    settings.open_files.clear();
}

/// Small pictures are not kept.
pub(in crate::app) fn thumbnails_folder() -> Option<PathBuf> {
    None
}
