//! Settings on disk: RON in the platform's settings folder.
//!
//! Reading tolerates everything: an invalid file is renamed and the defaults are used. Writing replaces the
//! whole file or nothing.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::app::settings_text::{ParsedSettings, format_settings, parse_settings};
use rigscope_io::files::external::named_folder;
use rigscope_io::files::{FileError, Inputs, read_settings, save};
use rigscope_state::Settings;

const FILE_NAME: &str = "settings.ron";
/// An unreadable settings file is renamed to this.
const BAD_NAME: &str = "settings.ron.broken";

/// The cache folder for thumbnails of recent files and key poses.
pub(in crate::app) fn thumbnails_folder() -> Option<PathBuf> {
    const NAME: &str = "thumbnails";
    if let Some(named) = named_folder() {
        return Some(named.join(NAME));
    }
    let project = directories::ProjectDirs::from("", "", "rigscope")?;
    Some(project.cache_dir().join(NAME))
}

/// The settings in `folder`, and a message for the user if they couldn't be read.
pub(super) fn read(folder: &Path) -> (Settings, Option<String>) {
    let path = folder.join(FILE_NAME);
    let text = match read_settings(&path, &Inputs::none()) {
        Ok(text) => text,
        Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            return (Settings::default(), None);
        }
        Err(error) => {
            let message = format!("the settings could not be read: {error}");
            return (Settings::default(), Some(message));
        }
    };
    let (settings, warning) = match parse_settings(&text) {
        ParsedSettings::Complete(settings) => return (settings, None),
        ParsedSettings::Partial(settings, lost) => (settings, lost),
        ParsedSettings::Invalid(error) => {
            let kept = match std::fs::rename(&path, folder.join(BAD_NAME)) {
                Ok(()) => format!("; the damaged file was renamed to {BAD_NAME}"),
                Err(_) => String::new(),
            };
            (Settings::default(), format!("{error}{kept}"))
        }
    };
    (settings, Some(warning))
}

pub(super) fn write(folder: &Path, settings: &Settings) -> anyhow::Result<()> {
    let text = format_settings(settings)?;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("can't create the settings folder {}", folder.display()))?;
    let path = folder.join(FILE_NAME);
    // Writing to a pipe would block until it's read.
    if std::fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        anyhow::bail!("can't write the settings: {} isn't a regular file", path.display());
    }
    Ok(save(&path, text.as_bytes(), true, &Inputs::none())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn written_settings_are_read_back() {
        let folder = scratch();
        let mut settings = Settings::default();
        settings.remember(Path::new("a b/ü.bsm2"));
        settings.overlays.wireframe = true;
        (settings.overlays.bone_axes, settings.bones.size) = (true, 1.5);
        let nested = folder.path().join("new");
        write(&nested, &settings).unwrap();
        write(&nested, &settings).unwrap();
        assert_eq!(read(&nested), (settings, None));
        assert_eq!(std::fs::read_dir(&nested).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_huge_file_as_settings_is_rejected_with_a_warning() {
        let folder = scratch();
        let path = folder.path().join(FILE_NAME);
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let (settings, warning) = read(folder.path());
        assert_eq!(settings, Settings::default());
        assert!(warning.unwrap().contains("not a regular file"));
        assert!(write(folder.path(), &settings).is_err());
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, " ".repeat(2 << 20)).unwrap();
        let (_, warning) = read(folder.path());
        assert!(warning.unwrap().contains("larger than the limit"));
    }

    #[test]
    fn a_missing_file_means_defaults_without_a_warning() {
        assert_eq!(read(scratch().path()), (Settings::default(), None));
    }

    #[test]
    fn a_damaged_file_is_renamed() {
        let folder = scratch();
        std::fs::write(folder.path().join(FILE_NAME), "(watch: maybe").unwrap();
        let (settings, warning) = read(folder.path());
        assert_eq!(settings, Settings::default());
        assert!(warning.unwrap().contains("damaged"));
        let kept = std::fs::read_to_string(folder.path().join(BAD_NAME)).unwrap();
        assert_eq!(kept, "(watch: maybe");
    }

    #[test]
    fn an_unknown_value_resets_only_its_field() {
        let folder = scratch();
        let text = "(watch: false, theme: Sepia, recent: [\"a, (b\"], panes: [Outline, Teapot])";
        std::fs::write(folder.path().join(FILE_NAME), text).unwrap();
        let (settings, warning) = read(folder.path());
        assert!(!settings.watch);
        assert_eq!(settings.recent, [PathBuf::from("a, (b")]);
        assert_eq!(settings.theme, Settings::default().theme);
        assert!(warning.unwrap().ends_with("theme, panes"));
        assert!(!folder.path().join(BAD_NAME).exists());
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let folder = scratch();
        let text = "(watch: false, something_new: 3, overlays: (wireframe: true))";
        std::fs::write(folder.path().join(FILE_NAME), text).unwrap();
        let (settings, warning) = read(folder.path());
        assert_eq!(warning, None);
        assert!(!settings.watch && settings.overlays.wireframe && settings.overlays.surface);
    }

    #[test]
    fn bone_overlays_of_older_versions_are_read() {
        let folder = scratch();
        let text = "(overlays: (grid: false), bones: (axes: true, trail: true, size: 2.0))";
        std::fs::write(folder.path().join(FILE_NAME), text).unwrap();
        let (settings, warning) = read(folder.path());
        assert_eq!((warning, settings.bones.size), (None, 2.0));
        let overlays = settings.overlays;
        assert!(
            overlays.bone_axes && overlays.motion_path && !overlays.bind_bones && !overlays.grid
        );
        std::fs::write(folder.path().join(FILE_NAME), "(overlays: (trail: true))").unwrap();
        assert!(read(folder.path()).0.overlays.motion_path);
    }
}
