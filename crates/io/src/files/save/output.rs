//! Files to write.

use std::path::{Path, PathBuf};

use crate::files::{disk, folder_of};
use crate::formats::{OutputFile, OutputPlace};

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output<'a> {
    /// Where.
    pub path: PathBuf,
    /// What.
    pub bytes: &'a [u8],
    /// Whether a file that is there may be replaced.
    pub may_replace: bool,
}

impl Output<'_> {
    /// Whether the file is there already, byte for byte.
    pub fn is_there(&self) -> bool {
        let metadata = disk::metadata(&self.path);
        metadata.is_ok_and(|found| found.is_file() && found.len() == self.bytes.len() as u64)
            && disk::read(&self.path).is_ok_and(|bytes| bytes == self.bytes)
    }
}

/// Where the files of a conversion go whose main one goes to `main`: the main one last. `force_main`
/// and `force` say whether the main file and the others may replace what is there.
pub fn outputs_of<'a>(
    files: &'a [(String, OutputFile)],
    main: &Path,
    force_main: bool,
    force: bool,
) -> Vec<Output<'a>> {
    let output = |(name, file): &'a (String, OutputFile)| {
        let is_main = file.place == OutputPlace::Main;
        Output {
            path: match is_main {
                true => main.to_owned(),
                false => folder_of(main).join(name),
            },
            bytes: &file.bytes,
            may_replace: if is_main { force_main } else { force },
        }
    };
    let is_written = |(_, file): &&(String, OutputFile)| !file.is_there();
    let mut outputs: Vec<_> = files.iter().filter(is_written).map(output).collect();
    let main_first = usize::from(outputs.first().is_some_and(|first| first.path == main));
    outputs.rotate_left(main_first);
    outputs
}
