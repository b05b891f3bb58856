//! Packages (`.usdz`): ZIP archives of layers and images.
//!
//! Source: "USDZ File Format Specification" (openusd.org): files are stored without compression or encryption, and the
//! first one is the root layer. Compressed files are read as well, because some exporters write them.

use std::collections::HashMap;
use std::io::{Cursor, Read};
use std::sync::Arc;

use zip::{CompressionMethod, ZipArchive};

/// Extensions of layers.
const LAYERS: [&str; 3] = ["usda", "usdc", "usd"];
/// The most files of a package.
const MAX_FILES: usize = 1 << 16;

/// The files of a package by path.
#[derive(Debug, Default)]
pub(super) struct Package {
    files: HashMap<String, Arc<Vec<u8>>>,
    /// Where the content of the root layer begins, if it is stored as it is.
    pub(super) root_start: Option<u64>,
    /// The path of the root layer.
    pub(super) root: String,
}

impl Package {
    /// Reads a package whose files need at most `max_bytes` in total.
    ///
    /// # Errors
    /// A message if it isn't an archive, is damaged or too large, or has no layer.
    pub(super) fn read(bytes: &[u8], max_bytes: u64) -> Result<Self, String> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
        if archive.len() > MAX_FILES {
            return Err(format!("the package has {} files", archive.len()));
        }
        let mut package = Self::default();
        let mut left = max_bytes;
        for number in 0..archive.len() {
            let file = archive.by_index(number).map_err(|error| error.to_string())?;
            if file.is_dir() {
                continue;
            }
            let name = file.name().to_owned();
            let start =
                file.data_start().filter(|_| file.compression() == CompressionMethod::Stored);
            let mut content = Vec::new();
            file.take(left.saturating_add(1))
                .read_to_end(&mut content)
                .map_err(|error| format!("{name:?} can't be read: {error}"))?;
            left = left
                .checked_sub(content.len() as u64)
                .ok_or_else(|| format!("the files need more than {max_bytes} bytes"))?;
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            let is_layer = LAYERS.iter().any(|layer| extension.eq_ignore_ascii_case(layer));
            if is_layer && package.root.is_empty() {
                package.root.clone_from(&name);
                package.root_start = start;
            }
            package.files.insert(name, Arc::new(content));
        }
        if package.root.is_empty() {
            return Err("the package has no layer".to_owned());
        }
        Ok(package)
    }

    /// The file at a path.
    pub(super) fn file(&self, path: &str) -> Option<&Arc<Vec<u8>>> {
        self.files.get(path)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn package(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(*name, options).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn the_first_layer_is_the_root() {
        let files: [(&str, &[u8]); 3] = [("a.png", b"1"), ("b/Hero.USDC", b"22"), ("c.usda", b"3")];
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let package = Package::read(&package(&files, method), 4).unwrap();
            assert_eq!(package.root, "b/Hero.USDC");
            assert_eq!(package.file("a.png").map(|file| file.to_vec()), Some(b"1".to_vec()));
        }
    }

    #[test]
    fn large_and_empty_packages_are_refused() {
        let zeros = vec![0; 1 << 20];
        let large = package(&[("a.usdc", &zeros)], CompressionMethod::Deflated);
        let message = Package::read(&large, 1000).unwrap_err();
        assert_eq!(message, "the files need more than 1000 bytes");
        let no_layer = package(&[("a.png", b"1")], CompressionMethod::Stored);
        assert!(Package::read(&no_layer, 1000).is_err());
        assert!(Package::read(b"PK", 1000).is_err());
    }
}
