//! Heat maps of weights, and bones in given colours.

use rigscope_core::model::MeshId;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use rigscope_core::pose::BoneShape;
use rigscope_core::visual::{Coloring, VertexPaint, WeightTable};
use rigscope_gpu::{FrameInput, Show};

use super::images::{at, draw, front};
use rigscope_testing::*;

/// A square whose left half moves with bone 0 and whose right half moves with bone 1.
pub(crate) fn model() -> Model {
    let corner =
        |x, y, bone| PackedVertex { bones: [bone, 0, 0, 0], ..packed_vertex(Vec3::new(x, y, 0.0)) };
    let half = |x: f32, bone: u8| {
        [(x, -0.8), (x + 0.8, -0.8), (x + 0.8, 0.8), (x, 0.8)].map(|(x, y)| corner(x, y, bone))
    };
    let vertices = PackedVertices::from_vertices([half(-0.8, 0), half(0.0, 1)].concat());
    let mut model = ModelBuilder::new()
        .chain(&["", ""])
        .add_mesh(Mesh { vertices: VertexData::Packed(vertices), ..Mesh::default() })
        .indices([0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7])
        .skin(skin(&[0, 1].map(|bone| (bone, Mat4::IDENTITY)), [ONE; 0]))
        .build();
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).influences = Influences::InVertices;
    model
}

fn heat_of(table: &WeightTable, bone: u32) -> VertexPaint {
    VertexPaint::Heat { values: Arc::new(table.values(BoneId(bone))), low: 0.0, high: 1.0 }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_heat_map_is_red_for_full_weight_and_blue_for_none() {
    let model = model();
    let table = WeightTable::of(&model, &Report::new()).unwrap();
    for (bone, red_x, blue_x) in [(0, -0.4, 0.4), (1, 0.4, -0.4)] {
        let paint = heat_of(&table, bone);
        let input = FrameInput {
            show: Show { surface: true, coloring: Some(Coloring::Paint), ..Show::NOTHING },
            paint: Some(&paint),
            ..front()
        };
        let image = draw(&model, &input);
        let [r, g, b, _] = at(&image, red_x, 0.1);
        assert!(r > 150 && g < 90 && b < 90, "bone {bone}: {r} {g} {b}");
        let [r, g, b, _] = at(&image, blue_x, 0.1);
        assert!(b > 100 && r < 90 && g < 110, "bone {bone}: {r} {g} {b}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn bones_have_the_given_colours_and_size() {
    let bones = [BoneShape {
        bone: BoneId(1),
        head: Vec3::new(0.0, -0.6, 0.5),
        tail: Vec3::new(0.0, 0.6, 0.5),
    }];
    let colors = [[0.0; 3], [0.9, 0.0, 0.0]];
    let drawn = |size| {
        let input = FrameInput {
            show: Show::parse("bones").unwrap(),
            bones: &bones,
            bone_colors: &colors,
            bone_size: size,
            ..front()
        };
        draw(&model(), &input)
    };
    let image = drawn(1.0);
    let num = |image, wanted: fn([u8; 4]) -> bool| {
        let pixels = super::images::pixels(image);
        pixels.filter(|pixel| wanted(*pixel)).count()
    };
    let red = |[r, g, b, a]: [u8; 4]| a > 200 && r > 100 && g < 60 && b < 60;
    let usual = num(&image, red);
    assert!(usual > 20, "{usual} red pixels");
    let thick = drawn(3.0);
    assert!(num(&thick, red) > usual * 3 / 2, "{}", num(&thick, red));
}
