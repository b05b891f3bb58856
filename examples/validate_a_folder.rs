//! Validates all readable files below a folder, with one line per finding:
//! `cargo run --example validate_a_folder -- assets`
#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::path::Path;

use rigscope::model::Severity;
use rigscope::{formats, open, validate};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("validate_a_folder FOLDER")?;
    let (num_files, num_bad) = run(Path::new(&folder))?;
    println!("{num_bad} of {num_files} files have errors");
    Ok(())
}

/// Number of files, and of files with errors.
pub(crate) fn run(folder: &Path) -> Result<(usize, usize), Box<dyn Error>> {
    let (mut num_files, mut num_bad) = (0, 0);
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            let (files, bad) = run(&path)?;
            (num_files, num_bad) = (num_files + files, num_bad + bad);
        } else if is_model(&path) {
            num_files += 1;
            num_bad += usize::from(is_bad(&path));
        }
    }
    Ok((num_files, num_bad))
}

fn is_model(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let known = formats().flat_map(|format| format.extensions);
    // Most .txt files aren't models.
    known.into_iter().any(|known| *known == extension) && extension != "txt"
}

fn is_bad(path: &Path) -> bool {
    let findings = match open(path) {
        Ok(document) => [validate(&document.model), document.findings].concat(),
        Err(error) => {
            println!("error: {error}");
            return true;
        }
    };
    for finding in &findings {
        let (severity, code) = (finding.severity().as_str(), finding.kind.code());
        println!("{}: {severity}: {code}: {}", path.display(), finding.message);
    }
    findings.iter().any(|finding| finding.severity() == Severity::Error)
}
