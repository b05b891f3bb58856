//! What is blended and in the same place lies in the order that its file lists.

use glam::Vec3;
use rigscope_core::model::DrawState;
use rigscope_gpu::{Background, FrameInput};

use super::images::{at, draw};
use super::squares::{UPRIGHT, assert_near, material, model, unlit, view};
use rigscope_testing::*;

/// A pane of half of a colour with its place in the list of draws.
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
fn panes_in_one_place_lie_over_one_another_as_their_file_lists_them() {
    // Half of the light of the later and a quarter of that of the earlier.
    let (half, quarter) = (188, 137);
    let (red_last, green_last) = ([half, quarter, 0, 255], [quarter, half, 0, 255]);
    let cases = [
        ([Some(4), Some(2)], red_last),
        ([Some(2), Some(4)], green_last),
        // What is not listed comes last; where nothing says more, the later does.
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
