//! Files to write.

use std::path::{Path, PathBuf};

use crate::files::{folder_of, has_bytes};
use crate::formats::{OutputFile, OutputPlace};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output<'a> {
    pub path: PathBuf,
    pub bytes: &'a [u8],
    /// Whether an existing file may be replaced.
    pub may_replace: bool,
}

impl Output<'_> {
    /// Whether the file exists already with the same bytes.
    pub fn is_there(&self) -> bool {
        has_bytes(&self.path, self.bytes)
    }
}

/// The files of a conversion with their paths, for a main file at `main`. The main file comes last.
/// `force_main` and `force` allow replacing an existing main file and other existing files.
pub fn outputs_of<'a>(
    files: &'a [(String, OutputFile)],
    main: &Path,
    force_main: bool,
    force: bool,
) -> Vec<Output<'a>> {
    let output = |(name, file): &'a (String, OutputFile)| {
        let is_main = file.place == OutputPlace::Main;
        Output {
            path: if is_main { main.to_owned() } else { folder_of(main).join(name) },
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
