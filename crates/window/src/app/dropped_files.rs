//! Classifies dropped files by their first bytes, to reject unusable ones immediately and to choose the one
//! to open.

use std::io::Read;
use std::path::PathBuf;

use rigscope_io::files::{disk, io_message, model_file, name_of};
use rigscope_io::formats::{ContentKind, PROBE_WINDOW_BYTES, content_kind, is_image};
use rigscope_state::{DroppedFile, DroppedKind};

/// Classifies a file by its first bytes.
pub(super) fn classify(path: PathBuf) -> DroppedFile {
    let path = model_file(&path).into_owned();
    let kind = match kind(&path) {
        Ok(kind) => kind,
        Err(error) => DroppedKind::Unreadable(io_message(&error)),
    };
    DroppedFile { path, kind }
}

fn kind(path: &std::path::Path) -> std::io::Result<DroppedKind> {
    // Check the type before opening: opening a pipe would block.
    let metadata = disk::metadata(path)?;
    if metadata.is_dir() {
        return Ok(DroppedKind::Unreadable("this is a folder".to_owned()));
    }
    if !metadata.is_file() {
        return Ok(DroppedKind::Unreadable("not a regular file".to_owned()));
    }
    let name = name_of(path);
    let mut front = Vec::new();
    let file = disk::open(path)?;
    file.take(PROBE_WINDOW_BYTES as u64).read_to_end(&mut front)?;
    if is_image(&name) {
        return Ok(DroppedKind::Image);
    }
    Ok(match content_kind(&name, front, metadata.len()) {
        None => DroppedKind::Unknown,
        Some(ContentKind::Bones) => DroppedKind::Bones,
        Some(ContentKind::Model) => DroppedKind::Model,
    })
}

/// Sorts by size. The largest of several files is most likely the mesh.
pub(super) fn largest_first(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let num_bytes = |path: &PathBuf| disk::metadata(path).map_or(0, |metadata| metadata.len());
    paths.sort_by_cached_key(|path| std::cmp::Reverse(num_bytes(path)));
    paths
}

/// Groups files that were chosen together by tab: each model gets a tab, largest first. The other files are
/// read with the first model.
pub(super) fn by_tab(paths: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
    let is_model = |path: &PathBuf| classify(path.clone()).kind == DroppedKind::Model;
    let (models, mut others): (Vec<_>, Vec<_>) =
        largest_first(paths).into_iter().partition(is_model);
    let mut tabs: Vec<_> = models.into_iter().map(|path| vec![path]).collect();
    match tabs.first_mut() {
        Some(first) => first.append(&mut others),
        None => tabs.push(others),
    }
    tabs
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
        assert_eq!(kind("a.bsm2", sample), DroppedKind::Model);
        assert_eq!(kind("a.PNG", b"whatever"), DroppedKind::Image);
        assert_eq!(kind("a.ozz", b"\x01ozz-skeleton\0\x02\0\0\0"), DroppedKind::Bones);
        assert_eq!(kind("b.ozz", b"\x01ozz-sample-Mesh\0\x01\0\0\0"), DroppedKind::Model);
        assert_eq!(kind("readme.xyz", b"hello"), DroppedKind::Unknown);
        let gone = classify(folder.path().join("gone.glb")).kind;
        assert!(matches!(gone, DroppedKind::Unreadable(_)));
        let inner = classify(folder.path().to_owned()).kind;
        assert_eq!(inner, DroppedKind::Unreadable("this is a folder".into()));
        let config = folder.path().join("config.json");
        std::fs::write(&config, r#"{"assets": {"meshes": {}, "images": {}}}"#).unwrap();
        let effect = classify(folder.path().to_owned());
        assert_eq!(effect, DroppedFile { path: config, kind: DroppedKind::Model });
    }

    #[test]
    fn each_model_opens_in_a_tab_and_other_files_are_read_with_the_largest() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let sample = rigscope_assets::SAMPLE;
        let small = file("small.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        let large = file("large.bsm2", sample);
        let image = file("skin.png", b"any");
        let tabs = by_tab(vec![image.clone(), small.clone(), large.clone()]);
        assert_eq!(tabs, [vec![large, image.clone()], vec![small]]);
        assert_eq!(by_tab(vec![image.clone()]), [vec![image]]);
    }
}
