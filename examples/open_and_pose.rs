//! Opens a file, poses it at a time of a clip, and measures it:
//! `cargo run --example open_and_pose -- assets/sample.bsm2 walk 0.3`
#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::path::Path;

use rigscope::{PoseSpec, open, pose};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, clip, secs] = args.as_slice() else {
        return Err("open_and_pose FILE CLIP SECONDS".into());
    };
    println!("{}", run(Path::new(file), clip, secs.parse()?)?);
    Ok(())
}

pub(crate) fn run(file: &Path, clip: &str, time_secs: f64) -> Result<String, Box<dyn Error>> {
    let model = open(file)?.model;
    let Some(id) = model.find_clip(clip) else {
        let names: Vec<_> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
        return Err(format!("no clip {clip:?}; there are {names:?}").into());
    };
    let spec = PoseSpec::at_secs(id, time_secs);
    let meshes = pose(&model, &spec);
    let positions = || meshes.iter().flat_map(|mesh| &mesh.positions);
    let (low, high) = positions()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| (low.min(p.y), high.max(p.y)));
    Ok(format!(
        "{} at {time_secs} s of {clip}: {} vertices from {low:.3} to {high:.3} high",
        model.name,
        positions().count(),
    ))
}
