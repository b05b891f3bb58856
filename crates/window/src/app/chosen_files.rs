//! Classifies chosen files by their first bytes, to reject unusable ones immediately and to choose those
//! to open.

use std::path::PathBuf;

use rigscope_io::files::{FileError, disk, model_file, name_of, read_file_range};
use rigscope_io::formats::{ContentKind, PROBE_WINDOW_BYTES, content_kind, is_image};
use rigscope_state::{ChosenFile, ChosenKind};

/// Classifies a file by its first bytes.
pub(super) fn classify(path: PathBuf) -> ChosenFile {
    let path = model_file(&path).into_owned();
    let kind = match kind(&path) {
        Ok(kind) => kind,
        Err(error) => ChosenKind::Unreadable(error.to_string()),
    };
    ChosenFile { path, kind }
}

fn kind(path: &std::path::Path) -> Result<ChosenKind, FileError> {
    const WINDOW: u64 = PROBE_WINDOW_BYTES as u64;
    let (front, num_bytes) = read_file_range(path, 0..WINDOW, WINDOW)?;
    let name = name_of(path);
    if is_image(&name) {
        return Ok(ChosenKind::Image);
    }
    Ok(match content_kind(&name, front, num_bytes) {
        None => ChosenKind::Unknown,
        Some(ContentKind::Bones) => ChosenKind::Bones,
        Some(ContentKind::Model) => ChosenKind::Model,
    })
}

/// Sorts by size. The largest of several files is most likely the mesh.
pub(super) fn largest_first(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let num_bytes = |path: &PathBuf| disk::metadata(path).map_or(0, |metadata| metadata.len());
    paths.sort_by_cached_key(|path| std::cmp::Reverse(num_bytes(path)));
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_classified_by_their_first_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let kind = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            classify(path).kind
        };
        let sample = rigscope_assets::SAMPLE;
        assert_eq!(kind("a.bsm2", sample), ChosenKind::Model);
        assert_eq!(kind("a.PNG", b"whatever"), ChosenKind::Image);
        assert_eq!(kind("a.ozz", b"\x01ozz-skeleton\0\x02\0\0\0"), ChosenKind::Bones);
        assert_eq!(kind("b.ozz", b"\x01ozz-sample-Mesh\0\x01\0\0\0"), ChosenKind::Model);
        assert_eq!(kind("readme.xyz", b"hello"), ChosenKind::Unknown);
        let gone = classify(folder.path().join("gone.glb")).kind;
        assert!(matches!(gone, ChosenKind::Unreadable(_)));
        let inner = classify(folder.path().to_owned()).kind;
        assert_eq!(inner, ChosenKind::Unreadable("this is a folder, not a file".into()));
        let config = folder.path().join("config.json");
        std::fs::write(&config, r#"{"assets": {"meshes": {}, "images": {}}}"#).unwrap();
        let effect = classify(folder.path().to_owned());
        assert_eq!(effect, ChosenFile { path: config, kind: ChosenKind::Model });
    }
}
