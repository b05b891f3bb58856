//! Colours of influence counts, and models that only have points or bones.

use glam::Vec3;
use rigscope_core::model::MeshId;
use rigscope_core::pose::{BoneAnchors, PoseSpec, bone_shapes, posed_bounds, sample};
use rigscope_gpu::headless::Image;
use rigscope_gpu::{FrameInput, Show};

use super::full_models::{FULL, checked};
use super::images::{at, covered, draw, front};
use super::models::{facing, still_life};
use rigscope_testing::*;

fn colored() -> FrameInput<'static> {
    FrameInput { show: Show::parse("surface,influence-colors,flat,two-sided").unwrap(), ..front() }
}

/// A triangle in full precision that fills the middle, whose corners have these influence counts.
fn triangle(counts: [usize; 3]) -> Model {
    let mut model = FULL.model();
    model.clips.as_mut_vec().clear();
    let list = |num: usize| -> Vec<(u32, f32)> {
        // Another one with zero weight.
        let mut list = vec![(0, 1.0); num];
        list.push((1, 0.0));
        list
    };
    let lists = counts.map(list);
    let mesh = ModelBuilder::new().mesh(facing(0.0, 0.9).corners).indices([0, 1, 2]);
    model.meshes = vec![mesh.bound_by_keys(2, lists).into_mesh()].into();
    model.skeleton = Skeleton::new(vec![Bone::default(); 2], true).unwrap();
    checked(model)
}

/// A measure of hue: channels relative to the brightest.
fn hue([r, g, b, _]: [u8; 4]) -> [u32; 3] {
    let most = u32::from(r.max(g).max(b)).max(1);
    [r, g, b].map(|channel| u32::from(channel) * 100 / most)
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn each_number_of_influences_has_a_separate_color() {
    let mut seen = Vec::new();
    for count in 0..6 {
        let image = draw(&triangle([count; 3]), &colored());
        let pixel = at(&image, 0.0, -0.2);
        assert_eq!(pixel[3], 255);
        let hue = hue(pixel);
        let differs = |other: &[u32; 3]| (0..3).any(|c| hue[c].abs_diff(other[c]) > 12);
        assert!(seen.iter().all(differs), "{count}: {hue:?} {seen:?}");
        seen.push(hue);
    }
    let more = draw(&triangle([9; 3]), &colored());
    assert_eq!(more, draw(&triangle([5; 3]), &colored()));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn influence_colors_are_not_blended_between_vertices() {
    let mixed = draw(&triangle([1, 1, 4]), &colored());
    let one = draw(&triangle([1; 3]), &colored());
    let four = draw(&triangle([4; 3]), &colored());
    assert_eq!(at(&mixed, -0.7, -0.85), at(&one, -0.7, -0.85));
    assert_eq!(at(&mixed, 0.0, 0.7), at(&four, 0.0, 0.7));
    let pixels = |image: &Image| image.rgba8.as_chunks::<4>().0.to_vec();
    let pairs = pixels(&one).into_iter().zip(pixels(&four));
    for (mixed, (one, four)) in pixels(&mixed).into_iter().zip(pairs) {
        assert!(mixed == one || mixed == four, "{mixed:?}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn influences_of_packed_and_rigid_vertices_are_counted() {
    let two = draw(&triangle([2; 3]), &colored());
    let vertex = |position| PackedVertex {
        normal: 0,
        tangent: 0,
        weights: [200, 0, 55, 0],
        ..packed_vertex(position)
    };
    let mut model = triangle([0; 3]);
    model.meshes[MeshId(0)].vertices =
        VertexData::Packed(PackedVertices::from_vertices(facing(0.0, 0.9).corners.map(vertex)));
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).influences = Influences::InVertices;
    assert_eq!(draw(&model, &colored()), two);

    model.meshes[MeshId(0)].skin = Skin::None;
    let none = draw(&triangle([0; 3]), &colored());
    assert_eq!(draw(&model, &colored()), none);
    model.meshes[MeshId(0)].attached_to = Some(BoneId(0));
    let one = draw(&triangle([1; 3]), &colored());
    assert_eq!(draw(&model, &colored()), one);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn influence_colors_change_the_image_only_when_enabled() {
    let model = still_life(&[facing(0.0, 0.9)]);
    let plain = draw(&model, &front());
    let with = FrameInput { show: Show::parse("surface,influence-colors").unwrap(), ..front() };
    assert_ne!(draw(&model, &with), plain);
    assert_eq!(covered(&draw(&Model::default(), &with)), 0);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_float_point_cloud_is_visible() {
    let model = ModelBuilder::new().mesh([Vec3::ZERO, Vec3::new(0.5, -0.5, 0.0)]).checked();
    let image = draw(&model, &front());
    assert_eq!(at(&image, 0.0, 0.0)[3], 255);
    assert_eq!(at(&image, 0.5, -0.5)[3], 255);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn point_clouds_have_influence_colors() {
    let dots = |count| {
        let mut model = triangle([count; 3]);
        model.meshes[MeshId(0)].indices = Indices::U32(Vec::new());
        model.meshes[MeshId(0)].subsets.clear();
        let corner = facing(0.0, 0.9).corners[2];
        let image = draw(&model, &colored());
        hue(at(&image, corner.x, corner.y))
    };
    let one = dots(1);
    let four = dots(4);
    assert!(one[2] == 100 && four[0] == 100, "{one:?} {four:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_model_of_only_bones_is_visible() {
    let mut model = FULL.model();
    model.meshes.as_mut_vec().clear();
    let spec = PoseSpec::default();
    let bones = bone_shapes(&model, &sample(&model, &spec), &BoneAnchors::of(&model));
    let bounds = posed_bounds(&model, &spec);
    assert!(!bounds.is_empty(), "the bounding box is the bones' box");
    let mut camera = front().camera;
    camera.frame(&bounds, 1.0);
    let input = FrameInput { camera, bounds, bones: &bones, ..front() };
    let image = draw(&model, &input);
    assert!(covered(&image) > 200, "{}", covered(&image));
    // If there is a surface, bones are drawn only if enabled.
    let nothing = FrameInput { show: Show::NOTHING, ..input };
    assert_eq!(covered(&draw(&model, &nothing)), 0);
}
