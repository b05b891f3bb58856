//! Expands the paths on the command line into files.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::config::Configs;
use super::input;
use super::walk_args::{Skipped, WalkArgs, WalkRules};
use rigscope_io::files::{
    ExternalReaders, FileError, io_message, is_standard_stream, name_of, read_file_range,
};
use rigscope_io::formats::{PROBE_WINDOW_BYTES, is_model_file};

/// The result of [`find`].
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FileSearch {
    /// Files to read, sorted and without duplicates.
    pub(super) files: Vec<PathBuf>,
    /// Paths that do not exist.
    pub(super) missing: Vec<PathBuf>,
    /// Folders that cannot be listed, and pipes and devices in folders, with the error.
    pub(super) unlistable: Vec<(PathBuf, String)>,
    /// Folders on the command line without a file of a known format.
    pub(super) empty: Vec<PathBuf>,
    pub(super) skipped: Skipped,
}

/// Takes files as they are, and searches folders for files with the extension of a readable format; if the extension
/// is a common one, the content must match too. Files of `readers` are found as well. Follows links, and enters no
/// folder twice. In folders, hidden and ignored files are skipped, as are those that patterns exclude.
///
/// # Errors
/// Patterns and settings that can't be read.
pub(super) fn find(
    paths: &[PathBuf],
    args: &WalkArgs,
    configs: &mut Configs,
) -> anyhow::Result<FileSearch> {
    let readers = &input::readers()?;
    let mut found = FileSearch::default();
    let mut entered = HashSet::new();
    for path in paths {
        if is_standard_stream(path) {
            found.files.push(path.clone());
            continue;
        }
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let before = (found.files.len(), found.unlistable.len());
                // Settings are looked up for a file.
                let config = configs.of(&path.join("any"))?;
                let rules = WalkRules::new(args, config.walk_settings(), config.folder())?;
                search(path, readers, &rules, &mut entered, &mut found);
                if before == (found.files.len(), found.unlistable.len()) {
                    found.empty.push(path.clone());
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => found.missing.push(path.clone()),
            // Other errors show up when the file is read.
            _ => found.files.push(path.clone()),
        }
    }
    found.files.sort();
    found.files.dedup();
    Ok(found)
}

fn search(
    root: &Path,
    readers: &ExternalReaders,
    rules: &WalkRules,
    entered: &mut HashSet<PathBuf>,
    found: &mut FileSearch,
) {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        // Already entered: through a link, or because it was given twice. Not every system resolves very long paths.
        let real = std::fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        let entries =
            if entered.insert(real) { std::fs::read_dir(&folder).map(Some) } else { Ok(None) };
        let entries = match entries {
            Ok(Some(entries)) => entries,
            Ok(None) => continue,
            Err(error) => {
                found.unlistable.push((folder, io_message(&error)));
                continue;
            }
        };
        let kept = rules.kept(&folder);
        for entry in entries {
            match entry {
                Ok(entry) => {
                    let path = entry.path();
                    let is_folder = path.is_dir();
                    if let Some(why) = rules.skip(&path, is_folder, kept.as_deref()) {
                        // Other files aren't read anyway.
                        if is_folder || is_known(&path, readers) {
                            found.skipped.add(why, &path);
                        }
                    } else if is_folder {
                        folders.push(path);
                    } else if is_known(&path, readers) {
                        // Only a pipe that the user names is waited for. Other errors show up when the file is read.
                        let is_special = path.metadata().is_ok_and(|found| !found.is_file());
                        if is_special {
                            found.unlistable.push((path, FileError::NotAFile.to_string()));
                        } else {
                            found.files.push(path);
                        }
                    }
                }
                Err(error) => {
                    found.unlistable.push((folder.clone(), io_message(&error)));
                    break;
                }
            }
        }
    }
}

fn is_known(path: &Path, readers: &ExternalReaders) -> bool {
    let name = name_of(path);
    let front = || first_bytes(path);
    is_model_file(&name, front) || readers.reads(&name, front)
}

/// The first bytes of a file, as many as format detection needs.
fn first_bytes(path: &Path) -> Option<Vec<u8>> {
    const WINDOW: u64 = PROBE_WINDOW_BYTES as u64;
    read_file_range(path, 0..WINDOW, WINDOW).ok().map(|(bytes, _)| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_io::files::Inputs;

    fn find(paths: &[PathBuf]) -> FileSearch {
        find_with(paths, &WalkArgs::default())
    }

    fn find_with(paths: &[PathBuf], args: &WalkArgs) -> FileSearch {
        let mut configs = Configs::of_files(None, &Inputs::none()).unwrap();
        super::find(paths, args, &mut configs).unwrap()
    }

    #[test]
    fn hidden_ignored_and_excluded_files_are_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [".git", ".hidden", "build", "keep/old"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        let names = ["a.glb", "b.tmp.glb", ".c.glb", ".hidden/d.glb", "build/e.glb", "keep/f.bsm2"];
        for name in names.into_iter().chain(["keep/old/g.glb", ".git/h.glb"]) {
            std::fs::write(at(name), b"").unwrap();
        }
        std::fs::write(at(".gitignore"), "/build\n*.tmp.glb\n").unwrap();
        let all = [folder.path().to_owned()];
        let found = find(&all);
        assert_eq!(found.files, [at("a.glb"), at("keep/f.bsm2"), at("keep/old/g.glb")]);
        let text = found.skipped.text().unwrap();
        assert!(text.contains("2 hidden (") && text.contains("2 excluded by .gitignore"), "{text}");

        // A folder that is named is searched, and so is a file.
        assert_eq!(find(&[at("build")]).files, [at("build/e.glb")]);
        assert_eq!(find(&[at("b.tmp.glb")]).files, [at("b.tmp.glb")]);

        let no_ignore = WalkArgs { no_ignore: true, ..WalkArgs::default() };
        let found = find_with(&all, &no_ignore);
        assert_eq!((found.files.len(), found.skipped.text()), (8, None));

        let args = WalkArgs {
            include: vec!["*.glb".to_owned()],
            exclude: vec!["old/".to_owned()],
            ..WalkArgs::default()
        };
        let found = find_with(&all, &args);
        assert_eq!(found.files, [at("a.glb")]);
        assert!(
            found.skipped.text().unwrap().ends_with(
                ", 2 excluded by patterns; --no-ignore includes hidden and ignored ones"
            )
        );

        let toml = "[files]\nno-ignore = true\nexclude = [\"/keep\", \".*\"]\n";
        std::fs::write(at("rigscope.toml"), toml).unwrap();
        assert_eq!(find(&all).files, [at("a.glb"), at("b.tmp.glb"), at("build/e.glb")]);
        let wrong = WalkArgs { exclude: vec!["{a".to_owned()], ..WalkArgs::default() };
        let mut configs = Configs::of_files(None, &Inputs::none()).unwrap();
        let error = super::find(&all, &wrong, &mut configs).unwrap_err();
        assert!(error.to_string().starts_with("\"{a\" isn't a pattern: "), "{error}");
    }

    #[test]
    fn folders_are_searched_and_explicit_files_are_always_included() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("deep/er")).unwrap();
        for name in ["b.BSM2", "deep/er/a.bsm2", "readme.txt", "deep/notes.txt"] {
            std::fs::write(at(name), b"").unwrap();
        }
        let export = "1\n0\n1\nBones\nAbsolute\nMatrix\n";
        std::fs::write(at("deep/walk.txt"), export).unwrap();
        std::fs::create_dir(at("empty")).unwrap();
        let paths = [at("readme.txt"), at("b.BSM2"), at("none"), at("empty"), at("")];
        let found = find(&paths);
        assert_eq!(
            found.files,
            [at("b.BSM2"), at("deep/er/a.bsm2"), at("deep/walk.txt"), at("readme.txt")]
        );
        assert_eq!(found.missing, [at("none")]);
        assert_eq!(found.empty, [at("empty")]);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_in_folders_are_reported_and_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("/dev/zero", at("device.glb")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(at("pipe.bsm2")).status();
        assert!(made.unwrap().success());
        let found = find(&[folder.path().to_owned()]);
        assert!(found.files.is_empty() && found.empty.is_empty());
        assert_eq!(found.unlistable.len(), 2);
        // A pipe that the user names is one on purpose.
        assert_eq!(find(&[at("pipe.bsm2")]).files.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn symlink_loops_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("inner")).unwrap();
        std::fs::write(at("inner/a.bsm2"), b"").unwrap();
        std::os::unix::fs::symlink(folder.path(), at("inner/back")).unwrap();
        std::os::unix::fs::symlink(at("self.bsm2"), at("self.bsm2")).unwrap();
        let found = find(&[folder.path().to_owned()]);
        assert_eq!(found.files, [at("inner/a.bsm2"), at("self.bsm2")]);
    }
}
