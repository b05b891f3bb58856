//! The interface through which readers access the folder of a file.
//!
//! Not for: deciding which files a reader may use; see [`super::Source`].

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::file_names::{below, last_part};
use rigscope_core::images::ImageKind;

/// Selects paths of a folder. Other files may be added and removed without affecting a reader that only asks for these.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathQuery {
    /// Files to which a path in another file may refer: with the whole path or only the file name, ignoring case.
    ReferredToBy(String),
    /// Files directly in the folder with this extension.
    Extension(String),
    /// All images.
    Images,
}

impl PathQuery {
    /// The matching paths of `paths`, in their order.
    pub fn select<'a>(&self, paths: &'a [String]) -> Vec<&'a String> {
        let matches: Box<dyn Fn(&str) -> bool> = match self {
            Self::ReferredToBy(reference) => {
                let (name, inner) = (last_part(reference).trim(), below(reference));
                Box::new(move |path| {
                    let is_inner = |inner: &String| inner.eq_ignore_ascii_case(path);
                    last_part(path).eq_ignore_ascii_case(name)
                        || inner.as_ref().is_some_and(is_inner)
                })
            }
            Self::Extension(extension) => Box::new(|path| {
                let own = path.rsplit_once('.').unwrap_or_default().1;
                !path.contains('/') && own.eq_ignore_ascii_case(extension)
            }),
            Self::Images => Box::new(|path| ImageKind::of_name(path).is_some()),
        };
        paths.iter().filter(|path| matches(path)).collect()
    }
}

/// The folder of the file to read.
pub trait Folder: Send + Sync {
    /// Paths relative to the folder, separated by `/`, in any order. A huge folder is only partly listed.
    fn paths(&self) -> &[String];

    /// Those of [`Self::paths`] that `query` selects.
    fn select(&self, query: &PathQuery) -> Vec<&String> {
        query.select(self.paths())
    }

    /// All bytes of one of [`Self::paths`].
    ///
    /// # Errors
    /// If it can't be read or is too large.
    fn read(&self, path: &str) -> std::io::Result<Vec<u8>>;

    /// The bytes in `range` of one of [`Self::paths`], fewer if the file ends before, and the size of the
    /// file. A folder on disk reads only the range.
    ///
    /// # Errors
    /// If it can't be read or the range is too large.
    fn read_range(&self, path: &str, range: Range<u64>) -> std::io::Result<(Vec<u8>, u64)> {
        let all = self.read(path)?;
        let at = |offset: u64| usize::try_from(offset).map_or(all.len(), |at| at.min(all.len()));
        let part = all.get(at(range.start)..at(range.end)).unwrap_or_default();
        Ok((part.to_vec(), all.len() as u64))
    }

    /// Like [`Self::read`], but a file of more than `limit_bytes` is an error. An implementation that knows the size of
    /// a file should read no more of it.
    ///
    /// # Errors
    /// If it can't be read or is too large.
    fn read_within(&self, path: &str, limit_bytes: u64) -> std::io::Result<Vec<u8>> {
        let all = self.read(path)?;
        if all.len() as u64 > limit_bytes { Err(too_large(limit_bytes)) } else { Ok(all) }
    }
}

fn too_large(limit_bytes: u64) -> std::io::Error {
    std::io::Error::other(format!("the file is larger than the limit of {limit_bytes} bytes"))
}
