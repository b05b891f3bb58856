//! Paths derived from other paths.

use std::path::{Path, PathBuf};

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

    #[test]
    fn numbers_are_inserted_before_the_extension() {
        let numbered_path = |path: &str, number| numbered_path(Path::new(path), number);
        assert_eq!(numbered_path("a/walk.png", 7), Path::new("a/walk_0007.png"));
        assert_eq!(numbered_path("x.y.PNG", 12345), Path::new("x.y_12345.PNG"));
    }
}
