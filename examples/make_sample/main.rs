//! Makes `assets/sample.bsm2`, the character that a first start shows:
//! `cargo run --no-default-features --example make_sample`.

#[path = "character/mod.rs"]
mod character;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample.bsm2");
    let bytes = character::file()?;
    std::fs::write(path, &bytes)?;
    Ok(())
}
