//! Bytes read as the format that `RIGSCOPE_FUZZ` names by its id.

#![no_main]

use std::panic;
use std::sync::LazyLock;

static FORMAT: LazyLock<&'static str> = LazyLock::new(|| {
    let id = std::env::var("RIGSCOPE_FUZZ").expect("RIGSCOPE_FUZZ names a format");
    let format = rigscope_io::formats::by_id(&id).expect("as `rigscope formats` names it");
    format.info.id
});

libfuzzer_sys::fuzz_target!(
    init: {
        // The hook of libFuzzer aborts. The reader of USD contains panics of its library; others still end the run.
        if *FORMAT == "usd" {
            panic::set_hook(Box::new(|_| {}));
        }
    },
    |bytes: &[u8]| rigscope_fuzz::read_and_pose(*FORMAT, bytes)
);
