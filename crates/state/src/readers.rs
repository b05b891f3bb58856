//! The programs of the user that read further formats, as the settings dialog lists them.
//!
//! Not for: running them (`rigscope_io::files::external`).

use super::{AppState, Dialog, Request, Subject, ToastLevel};
use rigscope_io::files::external::ReaderProgram;

/// The list of the dialog.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReaderList {
    /// Path of the settings file, for display; empty if there is no settings folder.
    pub path: String,
    pub programs: Vec<ReaderProgram>,
    /// Why the settings file can't be read.
    pub fault: Option<String>,
}

/// A change of the settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReaderChange {
    Add { name: String, command: Vec<String>, extensions: Vec<String> },
    Remove(String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum ReadersAction {
    /// The settings file has been read.
    Listed(ReaderList),
    Change(ReaderChange),
    /// The settings file couldn't be changed.
    Failed(String),
}

impl AppState {
    pub(crate) fn open_readers(&mut self) -> Vec<Request> {
        self.open_modal(Dialog::Readers);
        vec![Request::ListReaders]
    }

    pub(crate) fn apply_readers(&mut self, action: ReadersAction) -> Vec<Request> {
        match action {
            ReadersAction::Listed(list) => self.readers = list,
            ReadersAction::Change(change) => return vec![Request::ChangeReaders(change)],
            ReadersAction::Failed(message) => {
                self.toasts.push_about(Subject::Settings, ToastLevel::Error, message);
            }
        }
        Vec::new()
    }
}

/// The words of a command line: separated by spaces, except within double quotes. `{file}` is added if it's missing.
#[must_use]
pub fn command_words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    for letter in text.chars() {
        match letter {
            '"' => {
                is_quoted ^= true;
                word.get_or_insert_default();
            }
            ' ' | '\t' if !is_quoted => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if !words.is_empty() && !words.iter().any(|word| word.contains("{file}")) {
        words.push("{file}".to_owned());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_join_words_and_the_file_is_added() {
        for (text, words) in [
            ("python read.py {file}", &["python", "read.py", "{file}"][..]),
            ("  python  \"my read.py\"", &["python", "my read.py", "{file}"]),
            (
                "\"C:\\Program Files\\a.exe\" --in={file}",
                &["C:\\Program Files\\a.exe", "--in={file}"],
            ),
            ("a \"\"", &["a", "", "{file}"]),
            ("", &[]),
        ] {
            assert_eq!(command_words(text), words, "{text}");
        }
    }

    #[test]
    fn the_dialog_lists_the_programs_when_it_opens() {
        let mut state = AppState::default();
        let requests = state.open_readers();
        assert!(matches!(requests[..], [Request::ListReaders]));
        assert_eq!(state.dialog, Some(Dialog::Readers));
        let list = ReaderList { path: "config.toml".into(), ..ReaderList::default() };
        state.apply_readers(ReadersAction::Listed(list.clone()));
        assert_eq!(state.readers, list);
        let change = ReaderChange::Remove("a".into());
        let requests = state.apply_readers(ReadersAction::Change(change));
        assert!(
            matches!(&requests[..], [Request::ChangeReaders(ReaderChange::Remove(name))] if name == "a")
        );
    }
}
