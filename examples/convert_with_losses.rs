//! Converts a file, and prints losses and the deviation of vertices before writing anything:
//! `cargo run --example convert_with_losses -- assets/sample.bsm2 /tmp/sample.glb`
#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use rigscope::{ConvertOptions, convert, open};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = args.as_slice() else { return Err("convert_with_losses FILE OUTPUT".into()) };
    print!("{}", run(Path::new(from), Path::new(to))?);
    Ok(())
}

pub(crate) fn run(from: &Path, to: &Path) -> Result<String, Box<dyn Error>> {
    let mut out = String::new();
    let document = open(from)?;
    let conversion = convert(&document, to, &ConvertOptions::default())?;
    for loss in &conversion.losses {
        writeln!(out, "lost: {loss}")?;
    }
    for finding in &conversion.findings {
        writeln!(out, "{}: {}", finding.kind.code(), finding.message)?;
    }
    if let Some(errors) = &conversion.errors {
        writeln!(out, "off: {errors}")?;
    }
    // A strict program would stop here.
    for path in conversion.save()? {
        writeln!(out, "written: {}", path.display())?;
    }
    Ok(out)
}
