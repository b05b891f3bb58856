//! Generates `assets/sample.bsm2`, the character that the program shows when first started:
//! `cargo run --no-default-features --example make_sample`.
//!
//! With a folder, generates the same character there with physically based materials, whose images are found by
//! name: `cargo run --no-default-features --example make_sample -- FOLDER`.

#[path = "character/mod.rs"]
mod character;
mod paint;

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = character::file()?;
    match std::env::args_os().nth(1) {
        Some(folder) => {
            let folder = Path::new(&folder);
            std::fs::create_dir_all(folder)?;
            std::fs::write(folder.join("sample.bsm2"), &bytes)?;
            paint::write(folder)?;
        }
        None => {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.bsm2");
            std::fs::write(path, &bytes)?;
        }
    }
    Ok(())
}
