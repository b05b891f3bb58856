//! What fuzzing does with a file, done with good ones: the package of the fuzz targets is built by
//! nobody but who fuzzes.

use rigscope::formats::{FORMATS, WriteOptions, write};
use rigscope::model::Report;

use crate::support::rich::rich;

#[path = "../../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "public in the package it is made for")]
mod body;

#[test]
fn files_of_every_format_that_is_written_are_read_and_posed() {
    let mut num_read = 0;
    for format in FORMATS.iter().filter(|format| format.info().can_write) {
        let options = WriteOptions {
            stem: "fuzzed".into(),
            ..WriteOptions::default()
        };
        let files = write(&rich(), *format, &options, &Report::new()).unwrap();
        for file in files.iter().filter(|file| !file.is_companion) {
            body::read_and_pose(format.info().id, &file.bytes);
            // What was cut off is read as far as it goes.
            body::read_and_pose(format.info().id, &file.bytes[..file.bytes.len() * 2 / 3]);
            num_read += 1;
        }
    }
    assert!(num_read > 10, "{num_read}");
}
