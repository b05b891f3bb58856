//! The `fbx_bsm2` program: arguments to the command line's part of that name.

use std::process::ExitCode;

use rigscope_cli::{Output, fbx_bsm2};

fn main() -> ExitCode {
    fbx_bsm2(std::env::args_os(), &Output::of_process()).into()
}
