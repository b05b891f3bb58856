//! Settings on disk: RON in the platform's folder for it.
//!
//! Reading forgives everything: a file that is no settings is kept beside under another name and
//! defaults are used. Writing replaces the file whole or not at all.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::cli::save;
use crate::state::Settings;

/// Names another folder, for tests and for those who want it elsewhere.
const FOLDER_VARIABLE: &str = "RIGSCOPE_CONFIG_DIR";
const FILE_NAME: &str = "settings.ron";
/// What a file that cannot be read is called afterwards.
const BAD_NAME: &str = "settings.ron.bad";

/// The folder; none where the platform has no home folder.
pub(super) fn folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(FOLDER_VARIABLE) {
        return Some(PathBuf::from(named));
    }
    let project = directories::ProjectDirs::from("", "", "rigscope")?;
    Some(project.config_dir().to_owned())
}

/// The settings in `folder`, and what to tell the user where they could not be read.
pub(super) fn read(folder: &Path) -> (Settings, Option<String>) {
    let path = folder.join(FILE_NAME);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return (Settings::default(), None);
        }
        Err(error) => {
            let message = format!("the settings could not be read: {error}");
            return (Settings::default(), Some(message));
        }
    };
    match ron::from_str(&text) {
        Ok(settings) => (settings, None),
        Err(error) => {
            let kept = match std::fs::rename(&path, folder.join(BAD_NAME)) {
                Ok(()) => format!("; the file is kept as {BAD_NAME}"),
                Err(_) => String::new(),
            };
            let message = format!("the settings are damaged and start anew ({error}){kept}");
            (Settings::default(), Some(message))
        }
    }
}

/// Replaces the settings in `folder`.
pub(super) fn write(folder: &Path, settings: &Settings) -> anyhow::Result<()> {
    let text = ron::ser::to_string_pretty(settings, ron::ser::PrettyConfig::default())?;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("no settings folder can be made: {}", folder.display()))?;
    save(&folder.join(FILE_NAME), text.as_bytes(), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = scratch();
        let mut settings = Settings::default();
        settings.remember(Path::new("a b/ü.bsm2"));
        settings.overlays.wireframe = true;
        let nested = folder.path().join("new");
        write(&nested, &settings).unwrap();
        write(&nested, &settings).unwrap();
        assert_eq!(read(&nested), (settings, None));
        assert_eq!(std::fs::read_dir(&nested).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_file_means_defaults_and_no_word() {
        assert_eq!(read(scratch().path()), (Settings::default(), None));
    }

    #[test]
    fn a_damaged_file_is_kept_beside() {
        let folder = scratch();
        std::fs::write(folder.path().join(FILE_NAME), "(watch: maybe").unwrap();
        let (settings, warning) = read(folder.path());
        assert_eq!(settings, Settings::default());
        assert!(warning.unwrap().contains("damaged"));
        let kept = std::fs::read_to_string(folder.path().join(BAD_NAME)).unwrap();
        assert_eq!(kept, "(watch: maybe");
    }

    #[test]
    fn fields_of_other_versions_do_no_harm() {
        let folder = scratch();
        let text = "(watch: false, something_new: 3, overlays: (wireframe: true))";
        std::fs::write(folder.path().join(FILE_NAME), text).unwrap();
        let (settings, warning) = read(folder.path());
        assert_eq!(warning, None);
        assert!(!settings.watch && settings.overlays.wireframe && settings.overlays.surface);
    }
}
