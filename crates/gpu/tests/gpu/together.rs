//! Passes that read the unfinished image, in every combination: there are no driver errors, and earlier
//! passes stay visible.

use glam::{Vec3, Vec4};
use rigscope_core::visual::{Light, OutlineTarget, Shading};
use rigscope_gpu::{Background, FrameInput, Msaa, Show};

use super::images::{at, draw_with};
use super::squares::{Square, TEXTURED, UPRIGHT, material, model, unlit, view};
use rigscope_testing::*;

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn layers_occlusion_shadow_and_outline_combine() {
    let glass = MaterialLook {
        base_color: Vec4::new(0.0, 1.0, 0.0, 0.5),
        alpha: AlphaMode::Blend,
        ..unlit()
    };
    let wall = MaterialLook { base_color: Vec4::new(1.0, 0.0, 0.0, 1.0), ..unlit() };
    let pane = Square { center: Vec3::Z * 0.3, half: 0.3, ..UPRIGHT };
    let materials = vec![material(Vec::new(), wall), material(Vec::new(), glass)];
    let scene = model(&[UPRIGHT, pane], materials, Vec::new());
    for shading in [Shading::Plain, Shading::Physical] {
        let light = Light { shading, ..Light::PLAIN };
        let show = Show { light, ..TEXTURED };
        for msaa in [Msaa::Off, Msaa::X4] {
            for parts in 0..8 {
                let has = |part: u32| parts >> part & 1 != 0;
                let show = Show { ambient_occlusion: has(0), ground_shadow: has(1), ..show };
                let input = FrameInput {
                    show,
                    selected: has(2).then_some(OutlineTarget::Part(0)),
                    background: Background::Plain([0.0; 3]),
                    ..view()
                };
                // Asserts that there are no errors.
                let image = draw_with(&scene, &input, msaa);
                let [r, g, b, _] = at(&image, 0.0, 0.0);
                assert!(
                    r > 120 && g > 120 && b < 60,
                    "{shading:?} {msaa:?} {parts:b}: {r} {g} {b}"
                );
                let [r, g, b, _] = at(&image, 0.4, 0.4);
                assert!(r > 200 && g < 60 && b < 60, "{shading:?} {msaa:?} {parts:b}: {r} {g} {b}");
            }
        }
    }
}
