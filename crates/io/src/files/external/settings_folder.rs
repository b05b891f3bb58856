//! The folder of the user's settings.

use std::ffi::OsString;
use std::path::PathBuf;

/// Overrides the folder, for tests and custom setups.
const FOLDER_VARIABLE: &str = "RIGSCOPE_CONFIG_DIR";

/// The folder that [`FOLDER_VARIABLE`] names, if it is set.
#[must_use]
pub fn named_folder() -> Option<PathBuf> {
    named(std::env::var_os(FOLDER_VARIABLE))
}

/// An empty variable counts as unset.
fn named(variable: Option<OsString>) -> Option<PathBuf> {
    variable.filter(|named| !named.is_empty()).map(PathBuf::from)
}

/// The folder of the user's settings; `None` without a home folder.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn settings_folder() -> Option<PathBuf> {
    named_folder().or_else(|| {
        let project = directories::ProjectDirs::from("", "", "rigscope")?;
        Some(project.config_dir().to_owned())
    })
}

/// Settings of a page are in the browser's storage.
#[cfg(target_arch = "wasm32")]
#[must_use]
pub fn settings_folder() -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_environment_variable_is_ignored() {
        assert_eq!(named(None), None);
        assert_eq!(named(Some("".into())), None);
        assert_eq!(named(Some("x".into())), Some("x".into()));
    }
}
