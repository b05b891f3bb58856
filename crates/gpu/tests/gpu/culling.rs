//! Culling: omitting triangles that cover no sample doesn't change the image.

use glam::Vec3;
use rigscope_core::camera::Projection;
use rigscope_core::model::MeshId;
use rigscope_core::visual::OutlineTarget;
use rigscope_gpu::headless;
use rigscope_gpu::{Background, FrameInput, Msaa, Show, SubsetLook, Target};

use super::squares::view;
use super::uploaded;
use rigscope_testing::*;

const SIDE: u32 = 200;
const SIZE_PX: [u32; 2] = [160, 120];

/// A crumpled sheet of many triangles that folds over itself, in two subsets.
pub(crate) fn sheet(side: u32) -> Model {
    let place = |at: u32| {
        let [x, y] = [at % side, at / side].map(|step| step as f32 / (side - 1) as f32 * 2.0 - 1.0);
        let wave = (x * 9.0).sin() * (y * 7.0).cos();
        // Some corners coincide, and some triangles are slivers.
        let x = if at.is_multiple_of(11) { x + 0.02 } else { x };
        Vec3::new(x * 0.9 + wave * 0.1, y * 0.8, wave * 0.6)
    };
    let squares = (0..(side - 1) * (side - 1)).map(|at| at / (side - 1) * side + at % (side - 1));
    let corners = |first: u32| {
        let below = first + side;
        [first, below, first + 1, first + 1, below, below + 1]
    };
    let indices: Vec<u32> = squares.flat_map(corners).collect();
    let half = u32::try_from(indices.len() / 6).unwrap() * 3;
    let rest = u32::try_from(indices.len()).unwrap() - half;
    ModelBuilder::new()
        .mesh((0..side * side).map(place).collect::<Vec<_>>())
        .indices(indices)
        .subsets(&[(half, None), (rest, None)])
        .build()
}

/// The culled and the unculled image of `model` must be identical.
#[track_caller]
fn assert_same(model: &Model, input: &FrameInput<'_>, msaa: Msaa) {
    let (gpu, renderer, mut scene) = uploaded(model);
    let mut draw = |is_software: bool| {
        let mut gpu = gpu.clone();
        gpu.caps.is_software = is_software;
        let target = Target::new(&gpu, SIZE_PX, msaa);
        renderer.render(&gpu, &mut scene, &target, input);
        let picture = headless::read_target(&gpu, &target, input.background).unwrap();
        assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
        (picture.rgba8, scene.num_culled_meshes())
    };
    let (whole, none) = draw(false);
    let (left, all) = draw(true);
    assert_eq!((none, all), (0, 1));
    assert!(whole.chunks_exact(4).filter(|pixel| pixel[3] > 0).count() > 1000, "little is visible");
    assert!(whole == left, "the images differ");
}

fn looked_at(yaw: f32, distance: f32) -> FrameInput<'static> {
    let mut input = FrameInput {
        show: Show { subset_colors: true, ..view().show },
        background: Background::Transparent,
        ..view()
    };
    input.camera.yaw_rad += yaw;
    input.camera.distance *= distance;
    input
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn culling_triangles_without_samples_does_not_change_the_image() {
    let model = sheet(SIDE);
    for msaa in [Msaa::Off, Msaa::X4] {
        for (yaw, distance) in [(0.0, 1.0), (0.9, 1.0), (1.4, 0.6), (2.2, 2.0)] {
            assert_same(&model, &looked_at(yaw, distance), msaa);
        }
        let mut parallel = looked_at(0.5, 1.0);
        parallel.camera.projection = Projection::Orthographic;
        assert_same(&model, &parallel, msaa);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn triangles_behind_the_eye_hide_nothing_in_front_of_it() {
    // From within the sheet, so that triangles extend from in front of the eye to behind it.
    assert_same(&sheet(SIDE), &looked_at(0.7, 0.05), Msaa::Off);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn culling_works_in_part_of_an_image_and_with_hidden_subsets() {
    let mut input = looked_at(0.3, 1.0);
    input.layer.view = [0.3, 1.0];
    input.layer.window = [0.4, 0.95];
    let looks = [SubsetLook { visible: false, color: None }, SubsetLook::default()];
    input.subsets = &looks;
    assert_same(&sheet(SIDE), &input, Msaa::Off);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn outlines_shadows_and_edges_use_the_whole_mesh() {
    let model = sheet(SIDE);
    let mut input = looked_at(0.6, 1.0);
    input.show.wireframe = true;
    input.show.ground_shadow = true;
    for outlined in
        [OutlineTarget::Part(1), OutlineTarget::Triangle { mesh: MeshId(0), triangle: 777 }]
    {
        input.selected = Some(outlined);
        for msaa in [Msaa::Off, Msaa::X4] {
            assert_same(&model, &input, msaa);
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn u16_indices_are_read_correctly() {
    let mut model = sheet(170);
    let mesh = &mut model.meshes[MeshId(0)];
    let bytes: Vec<u8> =
        mesh.indices.iter().flat_map(|index| u16::try_from(index).unwrap().to_le_bytes()).collect();
    mesh.indices = Indices::U16(ByteView::whole(bytes));
    assert_same(&model, &looked_at(0.4, 1.0), Msaa::Off);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn meshes_of_few_or_large_triangles_are_not_culled() {
    let (gpu, renderer, mut scene) = uploaded(&sheet(SIDE));
    let mut num_culled = |size_px| {
        let target = Target::new(gpu, size_px, Msaa::Off);
        renderer.render(gpu, &mut scene, &target, &looked_at(0.0, 1.0));
        scene.num_culled_meshes()
    };
    let of_small_picture = usize::from(gpu.caps.is_software);
    assert_eq!([num_culled(SIZE_PX), num_culled([1600, 900])], [of_small_picture, 0]);
    assert_eq!(num_culled(SIZE_PX), of_small_picture);
    let (gpu, renderer, mut scene) = uploaded(&sheet(20));
    let target = Target::new(gpu, SIZE_PX, Msaa::Off);
    renderer.render(gpu, &mut scene, &target, &looked_at(0.0, 1.0));
    assert_eq!(scene.num_culled_meshes(), 0);
}
