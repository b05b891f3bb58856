//! Thumbnails of key poses, drawn in the background and cached on disk by file content.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use super::image_export::ViewRenderer;
use super::portrait::portrait;
use super::thumbnail_cache::{ThumbnailCache, cache_key};
use rigscope_core::model::Report;
use rigscope_gpu::headless::{Image, write_png};
use rigscope_io::files::disk;
use rigscope_state::{
    Action, AppState, ClipPoses, Document, ImageExportChoice, PosesAction, Thumbnail,
};

/// Side of a pose thumbnail; larger than shown, for high-density screens.
const SIDE_PX: u32 = 160;
/// Side of the drawn image, which is cropped to the model.
const DRAWN_PX: u32 = 2 * SIDE_PX;
/// Free margin around the model, as a share of a thumbnail.
const MARGIN: f32 = 0.04;
/// Part of the cache key; increase it when the drawing changes.
const VERSION: u32 = 2;

/// Draws the poses of each clip in a row and calls `on_strip` for each clip, until `report` is cancelled.
pub(super) async fn draw(
    document: Document,
    clips: &[ClipPoses],
    cache: ThumbnailCache<'_>,
    report: &Report,
    mut on_strip: impl FnMut(&ClipPoses, Option<Arc<Thumbnail>>),
) {
    let file = document_key(&document);
    let mut renderer = PoseRenderer::Unopened(Box::new(document));
    for (number, poses) in clips.iter().enumerate() {
        let goes_on = || report.progress("drawing", number as f32 / clips.len() as f32).is_ok();
        if !goes_on() {
            return;
        }
        let times: Vec<u64> = poses.times.iter().map(|time| time.to_bits()).collect();
        let key = cache_key((VERSION, SIDE_PX, file, poses.clip.0, &times));
        let width = SIDE_PX * u32::try_from(times.len()).unwrap_or(1);
        if let Some(known) = cache.get(key, [width, SIDE_PX]) {
            on_strip(poses, Some(Arc::new(known)));
            continue;
        }
        let mut images = Vec::new();
        for time in &poses.times {
            if !goes_on() {
                return;
            }
            images.extend(renderer.image(poses, *time).await);
        }
        let strip = Some(images)
            .filter(|images| images.len() == times.len())
            .map(|images| side_by_side(cut(images)));
        if let Some(png) = strip.as_ref().and_then(|strip| write_png(strip).ok()) {
            cache.store(key, &png);
        }
        on_strip(
            poses,
            strip.map(|image| {
                let size_px = [image.width as usize, image.height as usize];
                Arc::new(Thumbnail { size_px, rgba8: image.rgba8 })
            }),
        );
    }
}

/// Draws poses. Its device is opened for the first thumbnail that isn't cached, because that takes a while.
enum PoseRenderer {
    Unopened(Box<Document>),
    Ready(Box<(ViewRenderer, AppState, ImageExportChoice)>),
    /// No device is available.
    Unavailable,
}

impl PoseRenderer {
    async fn image(&mut self, poses: &ClipPoses, time_secs: f64) -> Option<Image> {
        if let Self::Unopened(_) = self
            && let Self::Unopened(document) = std::mem::replace(self, Self::Unavailable)
        {
            let (state, choice) = portrait(*document, [DRAWN_PX; 2])?;
            *self = Self::Ready(Box::new((ViewRenderer::new().await.ok()?, state, choice)));
        }
        let Self::Ready(ready) = self else { return None };
        let (view_renderer, state, choice) = ready.as_mut();
        state.apply(Action::Poses(PosesAction::Show(poses.clip, time_secs)));
        view_renderer.image(state, choice, 0).await.ok()
    }
}

/// Hash of the file's content and of the reading options. Related files count by name, time and length.
fn document_key(document: &Document) -> u64 {
    let main = document.origin.path();
    let related = document.files().filter(|path| Some(*path) != main).map(stamp);
    let related: Vec<_> = related.collect();
    let (options, pairs) = (&document.options, &document.bind_pair_choices);
    let read = format!("{:?} {:?} {pairs:?}", options.fps, options.up);
    cache_key((document.content.whole().ok(), related, read, document.format.id))
}

fn stamp(path: &Path) -> (&Path, Option<SystemTime>, u64) {
    let metadata = disk::metadata(path).ok();
    let len = metadata.as_ref().map_or(0, disk::Metadata::len);
    (path, metadata.and_then(|metadata| metadata.modified().ok()), len)
}

/// Crops all images to the smallest square that contains the model in each, so that poses of a clip have
/// the same scale.
fn cut(images: Vec<Image>) -> Vec<Image> {
    let whole = DRAWN_PX as f32;
    let (mut low, mut high) = (glam::Vec2::splat(whole), glam::Vec2::ZERO);
    for image in &images {
        let pixels = (0..).zip(image.rgba8.chunks_exact(4));
        for (at, _) in pixels.filter(|(_, pixel)| pixel.last().is_some_and(|alpha| *alpha > 0)) {
            let corner = glam::UVec2::new(at % DRAWN_PX, at / DRAWN_PX).as_vec2();
            (low, high) = (low.min(corner), high.max(corner + 1.0));
        }
    }
    if high.cmple(low).any() {
        // All images are empty.
        (low, high) = (glam::Vec2::ZERO, glam::Vec2::splat(whole));
    }
    let side = ((high - low).max_element() * (1.0 + 2.0 * MARGIN)).min(whole);
    let corner =
        ((low + high) * 0.5 - side * 0.5).clamp(glam::Vec2::ZERO, glam::Vec2::splat(whole - side));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the image")]
    let [x, y, side] = [corner.x, corner.y, side].map(|at| at.round() as u32);
    let part = |image: Image| {
        let whole = image::RgbaImage::from_raw(image.width, image.height, image.rgba8)?;
        let part = image::imageops::crop_imm(&whole, x, y, side, side).to_image();
        let filter = image::imageops::FilterType::Triangle;
        let part = image::imageops::resize(&part, SIDE_PX, SIDE_PX, filter);
        Some(Image { width: SIDE_PX, height: SIDE_PX, rgba8: part.into_raw() })
    };
    images.into_iter().filter_map(part).collect()
}

/// Joins images of equal size in a row.
fn side_by_side(images: Vec<Image>) -> Image {
    let row = SIDE_PX as usize * 4;
    let mut rgba8 = Vec::new();
    for y in 0..SIDE_PX as usize {
        for image in &images {
            rgba8.extend_from_slice(image.rgba8.get(y * row..(y + 1) * row).unwrap_or_default());
        }
    }
    let width = SIDE_PX * u32::try_from(images.len()).unwrap_or(1);
    Image { width, height: SIDE_PX, rgba8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::ClipId;
    use rigscope_io::formats::{self, ReadOptions, Source};
    use rigscope_state::{LoadReason, NUM_POSES, Origin};

    fn sample(more: &[u8]) -> Document {
        let mut bytes = rigscope_assets::SAMPLE.to_vec();
        let report = Report::new();
        let source = Source::new("sample.bsm2", bytes.clone());
        let found = formats::open(&source, &ReadOptions::default(), &report).unwrap();
        let request = AppState::request(Origin::Sample, LoadReason::Open);
        bytes.extend(more);
        Document::new(&request, Arc::new(bytes), found, &report).unwrap()
    }

    fn strips(document: &Document, folder: &Path) -> Vec<Option<Arc<Thumbnail>>> {
        let clips: Vec<ClipPoses> = (0..document.model.clips.len())
            .map(|clip| document.pose_times(ClipId::from_index(clip)))
            .collect();
        let mut strips = Vec::new();
        let cache = ThumbnailCache::of(Some(folder));
        let on_strip = |_: &ClipPoses, strip| strips.push(strip);
        pollster::block_on(draw(document.clone(), &clips, cache, &Report::new(), on_strip));
        strips
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn poses_are_drawn_once_per_content_and_differ() {
        let folder = tempfile::tempdir().unwrap();
        let document = sample(&[]);
        let first = strips(&document, folder.path());
        assert_eq!(first.len(), document.model.clips.len());
        let strip = first[0].as_ref().unwrap();
        let side = SIDE_PX as usize;
        assert_eq!(strip.size_px, [side * NUM_POSES, side]);
        let pose = |number: usize| -> Vec<u8> {
            let rows = strip.rgba8.chunks(side * NUM_POSES * 4);
            rows.flat_map(|row| row[number * side * 4..(number + 1) * side * 4].to_vec()).collect()
        };
        assert_ne!(pose(0), pose(1), "the pose is another one");
        let is_drawn = |at: usize| strip.rgba8.get(at * 4 + 3).is_some_and(|alpha| *alpha > 64);
        let row = side * NUM_POSES;
        let high = (0..side).filter(|y| (0..row).any(|x| is_drawn(y * row + x))).count();
        let wide = (0..side).filter(|x| {
            (0..side * NUM_POSES)
                .any(|cell| is_drawn(cell / NUM_POSES * row + cell % NUM_POSES * side + x))
        });
        let filled = high.max(wide.count());
        assert!(filled > side * 9 / 10, "the model fills {filled} of {side} pixels");
        let solid = pose(2).chunks(4).filter(|pixel| pixel[3] == 255).count();
        assert!(solid > side * side / 40, "{solid}");

        // The next call reads from disk; the files now contain a different image.
        let files = || std::fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().path());
        let num_files = files().count();
        assert_eq!(num_files, first.len());
        for file in files() {
            let size = image::image_dimensions(&file).unwrap();
            image::RgbaImage::new(size.0, size.1).save(&file).unwrap();
        }
        let again = strips(&document, folder.path());
        assert!(again.iter().flatten().all(|strip| strip.rgba8.iter().all(|byte| *byte == 0)));
        // Other content is drawn again.
        let other = strips(&sample(&[0]), folder.path());
        assert_eq!(other, first);
        assert_eq!(files().count(), 2 * num_files);
    }

    #[test]
    fn a_cancelled_job_draws_nothing() {
        let cancel = rigscope_core::model::CancelToken::default();
        cancel.cancel();
        let report = Report::with_progress(|_| {}, cancel);
        let document = sample(&[]);
        let clips = [document.pose_times(ClipId(0))];
        let cache = ThumbnailCache::of(None);
        let on_strip = |poses: &ClipPoses, _| panic!("{poses:?}");
        pollster::block_on(draw(document, &clips, cache, &report, on_strip));
    }
}
