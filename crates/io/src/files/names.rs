//! Paths derived from other paths, and paths as text.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A path as text that differs for different paths: bytes that aren't UTF-8 are written as `\xE9`, which shells accept
/// in `$'…'`.
#[must_use]
pub fn path_text(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string never fails.
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

/// [`path_text`] with `/` between the parts on every system. Elsewhere than on Windows, a backslash is part of a name.
#[must_use]
pub fn slash_path(path: &Path) -> String {
    let text = path_text(path);
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// Whether `file` is `scope` or in that folder; all files are below an empty path. Both have `/` between their parts.
pub fn is_below(file: &str, scope: &str) -> bool {
    let scope = scope.trim_end_matches('/');
    let rest = file.strip_prefix(scope);
    scope.is_empty()
        || scope == "."
        || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folder of a file; `.` if its path names no folder.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The file name of one image of a sequence: `out.png` becomes `out_0000.png` and so on.
#[must_use]
pub fn numbered_path(path: &Path, number: u32) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("_{number:04}."));
    name.push(path.extension().unwrap_or_default());
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf8_are_spelled_out() {
        use std::os::unix::ffi::OsStrExt as _;
        let text = |bytes: &[u8]| path_text(Path::new(std::ffi::OsStr::from_bytes(bytes)));
        assert_eq!(text("in/\u{e4}.glb".as_bytes()), "in/\u{e4}.glb");
        assert_eq!(text(b"h\xe9ros\xff.glb"), "h\\xE9ros\\xFF.glb");
    }

    #[test]
    fn folders_contain_files_below_them() {
        for (file, scope) in [("a/b.glb", "a"), ("a/b.glb", "a/"), ("a/b.glb", ""), ("a", "a")] {
            assert!(is_below(file, scope), "{file} {scope}");
        }
        assert!(!is_below("ab/c.glb", "a"));
        assert!(!is_below("a", "a/b"));
    }

    #[test]
    fn numbers_are_inserted_before_the_extension() {
        let numbered_path = |path: &str, number| numbered_path(Path::new(path), number);
        assert_eq!(numbered_path("a/walk.png", 7), Path::new("a/walk_0007.png"));
        assert_eq!(numbered_path("x.y.PNG", 12345), Path::new("x.y_12345.PNG"));
    }
}
