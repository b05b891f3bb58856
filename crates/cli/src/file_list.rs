//! The file lists of `--files-from`.

use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use super::exit::at_path;
use rigscope_io::files::{Inputs, Pipes, disk, io_message, is_standard_stream, stdin};

/// Longer than any path.
const MAX_NAME_BYTES: u64 = 1 << 20;
/// Limit for a list in UTF-16, which is converted at once.
const MAX_UTF16_BYTES: u64 = 1 << 30;

/// Opens the list of `--files-from`, if there is one; `-` means stdin. It is added to `inputs`.
pub(super) fn open(list: Option<&Path>, inputs: &Inputs) -> anyhow::Result<Option<FileList>> {
    let Some(list) = list else { return Ok(None) };
    let reader: Box<dyn Read + Send> = if is_standard_stream(list) {
        Box::new(stdin().map_err(|error| at_path(error, list))?)
    } else if list == Path::new("/dev/null") {
        // The only device that ends; scripts pass it as an empty list.
        Box::new(std::io::empty())
    } else {
        inputs.add(list);
        let opened = disk::open(list, Pipes::Allowed);
        Box::new(opened.map_err(|error| at_path(error, list))?.0)
    };
    let reader = as_utf8(BufReader::new(reader));
    let reader = reader.map_err(|error| at_path(io_message(&error), list))?;
    Ok(Some(FileList { reader, list: list.to_owned(), end: None }))
}

/// The list without a byte order mark, and converted if it's in UTF-16, as written by `>` in Windows PowerShell.
fn as_utf8(mut reader: Reader) -> std::io::Result<Reader> {
    match reader.fill_buf()? {
        [0xef, 0xbb, 0xbf, ..] => reader.consume(3),
        [0xff, 0xfe, ..] => {
            let mut bytes = Vec::new();
            reader.take(MAX_UTF16_BYTES).read_to_end(&mut bytes)?;
            let units = bytes.chunks_exact(2).skip(1);
            let units: Vec<u16> =
                units.map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
            let text = String::from_utf16_lossy(&units);
            return Ok(BufReader::new(Box::new(Cursor::new(text))));
        }
        _ => {}
    }
    Ok(reader)
}

type Reader = BufReader<Box<dyn Read + Send>>;

/// The paths in a list, read lazily.
pub(super) struct FileList {
    reader: Reader,
    list: PathBuf,
    /// Separator: a zero byte if the first buffer contains one, else a line feed.
    end: Option<u8>,
}

impl Iterator for FileList {
    type Item = anyhow::Result<PathBuf>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.name() {
                Ok(None) => return None,
                Ok(Some(name)) if name.is_empty() => {}
                Ok(Some(name)) => return Some(Ok(path_of(name))),
                Err(error) => return Some(Err(at_path(io_message(&error), &self.list))),
            }
        }
    }
}

impl FileList {
    /// The next name, which may be empty; `None` at the end of the list.
    fn name(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        let end = match self.end {
            Some(end) => end,
            None => {
                let has_zero = self.reader.fill_buf()?.contains(&0);
                *self.end.insert(if has_zero { 0 } else { b'\n' })
            }
        };
        let mut name = Vec::new();
        if (&mut self.reader).take(MAX_NAME_BYTES).read_until(end, &mut name)? == 0 {
            return Ok(None);
        }
        if name.len() as u64 == MAX_NAME_BYTES {
            return Err(std::io::Error::other("a name is longer than any path"));
        }
        if name.last() == Some(&end) {
            name.pop();
        }
        if end == b'\n' && name.last() == Some(&b'\r') {
            name.pop();
        }
        Ok(Some(name))
    }
}

#[cfg(unix)]
fn path_of(name: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(name).into()
}

#[cfg(not(unix))]
fn path_of(name: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&name).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(list: &Path) -> anyhow::Result<FileList> {
        super::open(Some(list), &Inputs::none()).map(Option::unwrap)
    }

    #[test]
    fn names_are_separated_by_line_ends_or_zero_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        for (text, names) in [
            ("a.glb\r\n\nb c.bsm2\n d.ozz", vec!["a.glb", "b c.bsm2", " d.ozz"]),
            ("a\nb.glb\0c.glb\0", vec!["a\nb.glb", "c.glb"]),
            ("", vec![]),
        ] {
            std::fs::write(&list, text).unwrap();
            let found: Vec<_> = open(&list).unwrap().map(Result::unwrap).collect();
            let names: Vec<_> = names.into_iter().map(PathBuf::from).collect();
            assert_eq!(found, names);
        }
        assert!(open(&folder.path().join("none")).is_err());
        assert!(open(folder.path()).is_err(), "a folder isn't a list");
    }

    #[test]
    fn lists_may_begin_with_a_byte_order_mark() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        let text = "\u{feff}a.glb\r\nh\u{e9}ros.bsm2\r\n";
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [text.as_bytes(), &utf16] {
            std::fs::write(&list, bytes).unwrap();
            let found: Vec<_> = open(&list).unwrap().map(Result::unwrap).collect();
            assert_eq!(found, [PathBuf::from("a.glb"), "h\u{e9}ros.bsm2".into()]);
        }
    }
}
