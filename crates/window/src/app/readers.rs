//! Lists and changes the programs of the user that read further formats.

use super::window::App;
use super::{Msg, send};
use rigscope_io::files::ExternalReaders;
use rigscope_io::files::external::{CONFIG_NAME, settings_folder};
use rigscope_state::{Action, ReaderChange, ReaderList, ReadersAction};

impl App {
    /// Sends the list to the state.
    pub(super) fn list_readers(&self) {
        let path = settings_folder().map(|folder| folder.join(CONFIG_NAME));
        let path = path.map_or_else(String::new, |path| path.display().to_string());
        let list = match ExternalReaders::of_user() {
            Ok(readers) => ReaderList { path, programs: readers.programs().to_vec(), fault: None },
            Err(fault) => ReaderList { path, programs: Vec::new(), fault: Some(fault) },
        };
        self.answer(ReadersAction::Listed(list));
    }

    /// Changes the settings file, and sends the new list to the state.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn change_readers(&self, change: ReaderChange) {
        use rigscope_io::files::external::{change_settings, with_reader, without_reader};
        let changed = change_settings(|text| match &change {
            ReaderChange::Add { name, command, extensions } => {
                with_reader(text, name, command, extensions)
            }
            ReaderChange::Remove(name) => without_reader(text, name),
        });
        if let Err(message) = changed {
            self.answer(ReadersAction::Failed(message));
        }
        self.list_readers();
    }

    /// A page has no settings file.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn change_readers(&self, _: ReaderChange) {}

    fn answer(&self, action: ReadersAction) {
        send(&self.proxy, Msg::Answer(Box::new(Action::Readers(action))));
    }
}
