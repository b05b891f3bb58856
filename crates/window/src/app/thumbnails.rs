//! Small pictures of recent files, drawn beside the window and kept on disk.
//!
//! A picture is kept under a name that is made of the file's path, time and length, so that a file
//! that has changed is drawn again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::kept_pictures::{KeptPictures, key_of};
use super::pictures::Studio;
use super::portrait::portrait;
use rigscope_core::model::Report;
use rigscope_gpu::headless::write_png;
use rigscope_io::files::{catch_panic, disk};
use rigscope_state::{AppState, Document, LoadReason, LoadRequest, Origin, RecentLook, Thumbnail};

/// Twice as large as it is shown, for screens of many pixels.
const SIZE_PX: [u32; 2] = [288, 192];
/// Reading more would take longer than anybody looks at the page.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// What is kept is made anew when pictures are made otherwise.
const VERSION: u32 = 1;

/// Reads a file; none where it cannot be read.
type Open<'a> = &'a dyn Fn(&LoadRequest) -> Option<Document>;

/// Looks at the files at `paths`, one after another, and hands each look to `on_look`. Pictures are kept in
/// `folder`.
pub(super) async fn look(
    paths: &[PathBuf],
    folder: Option<&Path>,
    (report, open): (&Report, Open<'_>),
    mut on_look: impl FnMut(&Path, RecentLook),
) {
    let mut studio = None;
    for path in paths {
        if report.progress("looking", 0.0).is_err() {
            return;
        }
        on_look(path, look_at(path, folder, &mut studio, open).await);
    }
}

async fn look_at(
    path: &Path,
    folder: Option<&Path>,
    studio: &mut Option<Studio>,
    open: Open<'_>,
) -> RecentLook {
    let Ok(metadata) = disk::metadata(path) else {
        return RecentLook::Missing;
    };
    if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
        return RecentLook::Plain;
    }
    let key = key_of((VERSION, path, metadata.modified().ok(), metadata.len()));
    let kept = KeptPictures::of(folder);
    if let Some(known) = kept.get(key, SIZE_PX) {
        return RecentLook::Drawn(Arc::new(known));
    }
    let Some((thumbnail, png)) = drawn(path, studio, open).await else {
        return RecentLook::Plain;
    };
    kept.keep(key, &png);
    RecentLook::Drawn(Arc::new(thumbnail))
}

/// The model alone as it opens, and the same as a file.
async fn drawn(
    path: &Path,
    studio: &mut Option<Studio>,
    open: Open<'_>,
) -> Option<(Thumbnail, Vec<u8>)> {
    let request = AppState::request(Origin::File(path.to_owned()), LoadReason::Open);
    let (state, choice) = portrait(catch_panic("reading", || open(&request)).ok()??, SIZE_PX)?;
    let studio = match studio {
        Some(studio) => studio,
        None => studio.insert(Studio::new().await.ok()?),
    };
    let image = studio.image(&state, &choice, 0).await.ok()?;
    let png = write_png(&image).ok()?;
    let thumbnail =
        Thumbnail { size_px: [image.width as usize, image.height as usize], rgba8: image.rgba8 };
    Some((thumbnail, png))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_io::formats::{self, ReadOptions, Source};

    fn looks(paths: &[PathBuf], folder: &Path) -> Vec<RecentLook> {
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
    fn a_file_is_drawn_once_and_what_is_missing_or_no_model_is_said() {
        if rigscope_gpu::Gpu::headless().is_err() {
            assert!(std::env::var_os("CI").is_none(), "no device to test with");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a.bsm2"), rigscope_assets::SAMPLE).unwrap();
        std::fs::write(at("b.fbx"), "no model").unwrap();
        let paths = [at("a.bsm2"), at("b.fbx"), at("gone.obj")];
        let kept = at("kept");
        let first = looks(&paths, &kept);
        assert_eq!(first[1..], [RecentLook::Plain, RecentLook::Missing]);
        let RecentLook::Drawn(thumbnail) = &first[0] else {
            panic!("{:?}", first[0]);
        };
        let (pixels, _) = thumbnail.rgba8.as_chunks::<4>();
        let solid = pixels.iter().filter(|pixel| pixel[3] == 255).count();
        assert!(solid > pixels.len() / 40 && solid < pixels.len() / 2, "{solid}");
        let files: Vec<_> = std::fs::read_dir(&kept).unwrap().map(|f| f.unwrap().path()).collect();
        assert_eq!(files.len(), 1);
        // Read from there the next time: the picture is another one.
        let [width, height] = SIZE_PX;
        let black = image::RgbaImage::new(width, height);
        black.save(&files[0]).unwrap();
        let again = looks(&paths[..1], &kept);
        assert!(matches!(&again[0], RecentLook::Drawn(t) if t.rgba8.iter().all(|b| *b == 0)));
    }
}
