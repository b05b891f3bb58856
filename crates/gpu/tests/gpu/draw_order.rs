//! Blended surfaces at the same depth are drawn in the order of the file.

use glam::Vec3;
use rigscope_core::model::DrawState;
use rigscope_gpu::{Background, FrameInput};

use super::images::{at, draw};
use super::squares::{UPRIGHT, assert_near, material, model, unlit, view};
use rigscope_testing::*;

/// A half-transparent material with its position in the draw list.
fn pane(color: Vec3, order: Option<u32>) -> Material {
    let draw = DrawState { order, tests_depth: true, writes_depth: false };
    let look = MaterialLook {
        base_color: color.extend(0.5),
        alpha: AlphaMode::Blend,
        draw: Some(draw),
        ..unlit()
    };
    material(Vec::new(), look)
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn coinciding_transparent_surfaces_are_drawn_in_file_order() {
    // Half the light of the later surface, a quarter of the earlier one's.
    let (half, quarter) = (188, 137);
    let (red_last, green_last) = ([half, quarter, 0, 255], [quarter, half, 0, 255]);
    let cases = [
        ([Some(4), Some(2)], red_last),
        ([Some(2), Some(4)], green_last),
        // Unlisted materials come last; by default, the later one does.
        ([None, Some(2)], red_last),
        ([Some(7), Some(7)], green_last),
        ([None, None], green_last),
    ];
    for ([red, green], wanted) in cases {
        let panes = vec![pane(Vec3::X, red), pane(Vec3::Y, green)];
        let input = FrameInput { background: Background::Plain([0.0; 3]), ..view() };
        let image = draw(&model(&[UPRIGHT; 2], panes, Vec::new()), &input);
        assert_near(at(&image, 0.0, 0.0), wanted);
    }
}
