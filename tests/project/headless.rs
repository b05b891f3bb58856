//! The example that draws, run as its `main` runs it.

use std::path::Path;

#[path = "../../examples/headless_render.rs"]
#[allow(dead_code, reason = "its main is not called")]
mod headless_render;

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn headless_render_makes_a_png() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.bsm2");
    let png = headless_render::run(&sample, "wave", 1.05).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let size: Vec<_> = png[16..24].chunks(4).map(|word| word[2..].to_vec()).collect();
    assert_eq!(size, [[2, 128], [1, 224]], "640 x 480");
    let options = {
        let mut options = rigscope::RenderOptions::default();
        options.show = Some("nonsense".into());
        options
    };
    let model = rigscope::open(&sample).unwrap().model;
    let error = rigscope::render(&model, &options).unwrap_err();
    assert!(matches!(error, rigscope::Error::BadOption { .. }), "{error}");
}
