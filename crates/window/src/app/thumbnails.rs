//! Thumbnails of recent files, drawn in the background and cached on disk.
//!
//! The cache key contains the file's path, time and length, so a changed file is drawn again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::image_export::ViewRenderer;
use super::portrait::portrait;
use super::thumbnail_cache::{ThumbnailCache, cache_key};
use rigscope_core::model::Report;
use rigscope_gpu::headless::write_png;
use rigscope_io::files::{catch_panic, disk};
use rigscope_state::{AppState, Document, LoadReason, LoadRequest, Origin, RecentInfo, Thumbnail};

/// Twice the size shown, for high-density screens.
const SIZE_PX: [u32; 2] = [288, 192];
/// Larger files would take too long to read.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// Part of the cache key; increase it when the drawing changes.
const VERSION: u32 = 1;

/// Reads a file; `None` if it can't be read.
type Open<'a> = &'a dyn Fn(&LoadRequest) -> Option<Document>;

/// Checks the files at `paths` in order and passes each result to `on_look`. Thumbnails are cached in
/// `folder`.
pub(super) async fn look(
    paths: &[PathBuf],
    folder: Option<&Path>,
    (report, open): (&Report, Open<'_>),
    mut on_look: impl FnMut(&Path, RecentInfo),
) {
    let mut renderer = None;
    for path in paths {
        if report.progress("looking", 0.0).is_err() {
            return;
        }
        on_look(path, look_at(path, folder, &mut renderer, open).await);
    }
}

async fn look_at(
    path: &Path,
    folder: Option<&Path>,
    renderer: &mut Option<ViewRenderer>,
    open: Open<'_>,
) -> RecentInfo {
    let Ok(metadata) = disk::metadata(path) else {
        return RecentInfo::Missing;
    };
    if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
        return RecentInfo::Plain;
    }
    let key = cache_key((VERSION, path, metadata.modified().ok(), metadata.len()));
    let cache = ThumbnailCache::of(folder);
    if let Some(known) = cache.get(key, SIZE_PX) {
        return RecentInfo::Drawn(Arc::new(known));
    }
    let Some((thumbnail, png)) = drawn(path, renderer, open).await else {
        return RecentInfo::Plain;
    };
    cache.store(key, &png);
    RecentInfo::Drawn(Arc::new(thumbnail))
}

/// The model as it opens, as a thumbnail and as PNG.
async fn drawn(
    path: &Path,
    renderer: &mut Option<ViewRenderer>,
    open: Open<'_>,
) -> Option<(Thumbnail, Vec<u8>)> {
    let request = AppState::request(Origin::File(path.to_owned()), LoadReason::Open);
    let (state, choice) = portrait(catch_panic("reading", || open(&request)).ok()??, SIZE_PX)?;
    let renderer = match renderer {
        Some(renderer) => renderer,
        None => renderer.insert(ViewRenderer::new().await.ok()?),
    };
    let image = renderer.image(&state, &choice, 0).await.ok()?;
    let png = write_png(&image).ok()?;
    let thumbnail =
        Thumbnail { size_px: [image.width as usize, image.height as usize], rgba8: image.rgba8 };
    Some((thumbnail, png))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_io::formats::{self, ReadOptions, Source};

    fn looks(paths: &[PathBuf], folder: &Path) -> Vec<RecentInfo> {
        let mut looks = Vec::new();
        let report = Report::new();
        let open = |request: &LoadRequest| {
            let bytes = std::fs::read(request.target.path()?).ok()?;
            let source = Source::new("a.bsm2", bytes);
            let found = formats::open(&source, &ReadOptions::default(), &report).ok()?;
            Document::new(request, source.content.clone(), found, &report).ok()
        };
        let tell = |_: &Path, look| looks.push(look);
        pollster::block_on(look(paths, Some(folder), (&report, &open), tell));
        looks
    }

    #[test]
    fn files_are_drawn_once_and_missing_or_other_files_are_reported() {
        if rigscope_gpu::Gpu::headless().is_err() {
            assert!(std::env::var_os("CI").is_none(), "no device to test with");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a.bsm2"), rigscope_assets::SAMPLE).unwrap();
        std::fs::write(at("b.fbx"), "no model").unwrap();
        let paths = [at("a.bsm2"), at("b.fbx"), at("gone.obj")];
        let cache = at("cache");
        let first = looks(&paths, &cache);
        assert_eq!(first[1..], [RecentInfo::Plain, RecentInfo::Missing]);
        let RecentInfo::Drawn(thumbnail) = &first[0] else {
            panic!("{:?}", first[0]);
        };
        let (pixels, _) = thumbnail.rgba8.as_chunks::<4>();
        let solid = pixels.iter().filter(|pixel| pixel[3] == 255).count();
        assert!(solid > pixels.len() / 40 && solid < pixels.len() / 2, "{solid}");
        let files: Vec<_> = std::fs::read_dir(&cache).unwrap().map(|f| f.unwrap().path()).collect();
        assert_eq!(files.len(), 1);
        // The next call reads from disk; the files now contain a different image.
        let [width, height] = SIZE_PX;
        let black = image::RgbaImage::new(width, height);
        black.save(&files[0]).unwrap();
        let again = looks(&paths[..1], &cache);
        assert!(matches!(&again[0], RecentInfo::Drawn(t) if t.rgba8.iter().all(|b| *b == 0)));
    }
}
