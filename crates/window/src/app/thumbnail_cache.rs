//! Disk cache for thumbnails, in the system's cache folder.
//!
//! Each file is named by a hash of the thumbnail's inputs, so any change causes a cache miss. The least recently used
//! files are deleted when the cache is full.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rigscope_core::images::{self, Texels};
use rigscope_io::files::{Inputs, disk, read_unlinked, save};
use rigscope_state::Thumbnail;

/// Limit for the whole cache: a few thousand thumbnails.
const MAX_BYTES: u64 = 48 << 20;
/// After trimming, this share of the limit remains, so that trimming is rare.
const TRIMMED_SHARE: u64 = 3;
const OF_SHARES: u64 = 4;

/// The cache folder; `None` disables the cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThumbnailCache<'a> {
    folder: Option<&'a Path>,
    max_bytes: u64,
}

/// The cache key for `decides`.
pub(super) fn cache_key(decides: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    decides.hash(&mut hasher);
    hasher.finish()
}

impl<'a> ThumbnailCache<'a> {
    pub(super) fn of(folder: Option<&'a Path>) -> Self {
        Self { folder, max_bytes: MAX_BYTES }
    }

    fn path(&self, key: u64) -> Option<PathBuf> {
        self.folder.map(|folder| folder.join(format!("{key:016x}.png")))
    }

    /// The thumbnail for `key`, if it exists in this size.
    pub(super) fn get(&self, key: u64, size_px: [u32; 2]) -> Option<Thumbnail> {
        let path = self.path(key)?;
        let bytes = read_unlinked(&path, MAX_THUMBNAIL_BYTES).ok()?;
        let header = images::header(&bytes, "thumbnail.png").ok()?;
        if [header.width, header.height] != size_px {
            return None;
        }
        let surface = images::decode(&bytes, header).ok()?.levels.into_iter().flatten().next()?;
        let Texels::Rgba8(rgba8) = surface.texels else { return None };
        // Mark it as used. If that fails, it is only deleted earlier.
        let _ = disk::set_modified(&path, SystemTime::now());
        Some(Thumbnail { size_px: size_px.map(|side| side as usize), rgba8 })
    }

    /// Stores a thumbnail. On failure it is drawn again next time.
    pub(super) fn store(&self, key: u64, png: &[u8]) {
        let (Some(folder), Some(path)) = (self.folder, self.path(key)) else { return };
        let _ = std::fs::create_dir_all(folder);
        let _ = save(&path, png, true, &Inputs::none());
        let _ = self.trim(folder);
    }

    fn trim(&self, folder: &Path) -> std::io::Result<()> {
        let mut pictures = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            // Skip files that this cache didn't write.
            let name = entry.file_name();
            let key = name.to_str().and_then(|name| name.strip_suffix(".png"));
            let is_ours = key.is_some_and(|key| {
                key.len() == 16 && key.bytes().all(|digit| digit.is_ascii_hexdigit())
            });
            if let Ok(metadata) = entry.metadata()
                && is_ours
            {
                pictures.push((metadata.modified()?, metadata.len(), entry.path()));
            }
        }
        let mut num_bytes: u64 = pictures.iter().map(|(_, len, _)| len).sum();
        if num_bytes <= self.max_bytes {
            return Ok(());
        }
        pictures.sort();
        for (_, len, path) in pictures {
            if num_bytes <= self.max_bytes / OF_SHARES * TRIMMED_SHARE {
                break;
            }
            std::fs::remove_file(path)?;
            num_bytes -= len;
        }
        Ok(())
    }
}

/// Limit for a thumbnail that is read.
const MAX_THUMBNAIL_BYTES: u64 = 4 << 20;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_cache_is_limited_and_keeps_recently_used_files() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ThumbnailCache { folder: Some(folder.path()), max_bytes: 1000 };
        let mine = folder.path().join("mine.png");
        std::fs::write(&mine, [0; 5000]).unwrap();
        let mut png = std::io::Cursor::new(Vec::new());
        image::RgbaImage::new(2, 1).write_to(&mut png, image::ImageFormat::Png).unwrap();
        cache.store(0, png.get_ref());
        assert_eq!(cache.get(0, [2, 1]).unwrap().rgba8.len(), 8);
        assert!(cache.get(0, [1, 2]).is_none() && cache.get(9, [2, 1]).is_none());
        let earlier = |key: u64, secs| {
            let file = std::fs::File::options().append(true).open(cache.path(key).unwrap());
            file.unwrap().set_modified(SystemTime::now() - Duration::from_secs(secs)).unwrap();
        };
        for key in 1..20 {
            cache.store(key, &[0; 200]);
            earlier(key, 100 - key);
            earlier(0, 1000);
            assert!(cache.get(0, [2, 1]).is_some(), "it is looked at before {key} goes");
            let entries = std::fs::read_dir(folder.path()).unwrap();
            let all: u64 = entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
            assert!(all <= 5000 + 1000, "{all}");
        }
        assert!(mine.exists() && !cache.path(1).unwrap().exists());
        assert!(cache.path(19).unwrap().exists());
    }
}
