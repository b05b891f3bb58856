//! Renders a frame of a clip to a PNG file without a window:
//! `cargo run --example headless_render -- assets/sample.bsm2 wave 1.05 sample.png`
#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::path::Path;

use rigscope::{Moment, RenderOptions, open, render};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, clip, secs, to] = args.as_slice() else {
        return Err("headless_render FILE CLIP SECONDS OUTPUT.png".into());
    };
    std::fs::write(to, run(Path::new(file), clip, secs.parse()?)?)?;
    println!("{to}");
    Ok(())
}

/// The bytes of a PNG file.
pub(crate) fn run(file: &Path, clip: &str, time_secs: f64) -> Result<Vec<u8>, rigscope::Error> {
    let model = open(file)?.model;
    let mut options = RenderOptions::default();
    options.pose.clip = model.find_clip(clip);
    options.pose.moment = Moment::TimeSecs(time_secs);
    options.size_px = [640, 480];
    options.angles_deg = Some([30.0, 15.0]);
    options.show = Some("surface,textures,bones,grid".into());
    render(&model, &options)?.png()
}
