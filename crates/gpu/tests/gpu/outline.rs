//! Outlines are drawn around the selected or hovered part and change nothing inside it.

use rigscope_core::model::MeshId;
use std::sync::Arc;

use glam::Vec3;
use rigscope_core::model::*;
use rigscope_core::pose::BoneShape;
use rigscope_core::visual::{CollisionShapes, Coloring, Marks, OutlineTarget, VertexPaint};
use rigscope_gpu::headless::{self, Image};
use rigscope_gpu::{FrameInput, Layer, Msaa, Show, Target};

use super::images::{SIDE, at, draw, front, pixels};
use super::models::{facing, still_life};
use super::squares::{BLUE, TEXTURED, UPRIGHT, base, material, model as squares, png, unlit};
use super::{uploaded, weights};

/// Size of a pixel in an image of height 2.
const PIXEL: f32 = 2.0 / SIDE as f32;

fn selecting(what: OutlineTarget) -> FrameInput<'static> {
    FrameInput { selected: Some(what), ..front() }
}

/// Number of changed pixels: inside the surface of `without`, and outside of it.
fn changed(with: &Image, without: &Image) -> [usize; 2] {
    let pairs = || pixels(with).zip(pixels(without)).filter(|(a, b)| a != b);
    let inside = pairs().filter(|(_, b)| b[3] == 255).count();
    [inside, pairs().count() - inside]
}

fn is_orange([r, g, b, a]: [u8; 4]) -> bool {
    a > 200 && r > 200 && (110..200).contains(&g) && b < 110
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn outline_changes_no_pixel_inside_colourings_and_textures() {
    let values = VertexPaint::Heat {
        values: Arc::new(vec![0.0, 0.3, 0.6, 1.0, 0.2, 0.4, 0.8, 0.1]),
        low: 0.0,
        high: 1.0,
    };
    let paint = |coloring| Show { surface: true, coloring: Some(coloring), ..Show::NOTHING };
    let shown = Show { surface: true, subset_colors: true, ..Show::NOTHING };
    let textured =
        squares(&[UPRIGHT], vec![material(vec![base()], unlit())], vec![png(1, &[BLUE])]);
    let wired = Show { wireframe: true, ..shown };
    let square = weights::model();
    let cases = [
        (&square, paint(Coloring::Paint)),
        (&square, paint(Coloring::InfluenceCounts)),
        (&square, paint(Coloring::Normals)),
        (&square, paint(Coloring::Uv)),
        (&square, paint(Coloring::FaceOrientation)),
        (&square, shown),
        (&square, wired),
        (&textured, TEXTURED),
    ];
    for (model, show) in cases {
        let plain = FrameInput { show, paint: Some(&values), ..front() };
        let selected = FrameInput { selected: Some(OutlineTarget::Part(0)), ..plain };
        let [inside, around] = changed(&draw(model, &selected), &draw(model, &plain));
        assert_eq!(inside, 0, "{show:?}");
        assert!(around > 300, "a ring and its halo: {around}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn ring_surrounds_the_selection_and_covers_no_other_part() {
    // A small triangle in front of a large one, away from its edges.
    let model = still_life(&[facing(0.0, 0.4), facing(-0.1, 0.9)]);
    let plain = draw(&model, &front());
    let image = draw(&model, &selecting(OutlineTarget::Part(0)));
    assert_eq!(at(&image, 0.0, 0.0), at(&plain, 0.0, 0.0), "inside");
    assert!(is_orange(at(&image, 0.0, -0.4 - 1.5 * PIXEL)), "below its base");
    assert_eq!(at(&image, 0.0, -0.7), at(&plain, 0.0, -0.7), "on the other one");
    assert_eq!(at(&image, 0.0, -0.95), at(&plain, 0.0, -0.95), "around the other one");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_dark_line_separates_the_ring_from_a_surface_of_its_colour() {
    let image = draw(&still_life(&[facing(0.0, 0.5)]), &selecting(OutlineTarget::Part(0)));
    let below = |pixels: f32| at(&image, 0.0, -0.5 - pixels * PIXEL);
    let ring = below(1.5);
    assert!(is_orange(ring), "{ring:?}");
    let [red, _, _, alpha] = below(0.5);
    assert!(red < ring[0] / 2 && alpha > 150, "{:?} beside {ring:?}", below(0.5));
    assert!(!is_orange(below(3.5)), "{:?}", below(3.5));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn ring_is_dimmer_around_hidden_parts_of_the_selection() {
    // The same triangle in front of and behind one that covers its left half.
    let model = |z: f32| {
        let mut model = still_life(&[facing(0.0, 0.5), facing(z, 0.9)]);
        let VertexData::Packed(_) = model.meshes[MeshId(0)].vertices else { unreachable!() };
        model.meshes[MeshId(0)].subsets.truncate(2);
        model
    };
    let red = |z: f32| {
        let model = model(z);
        let (with, without) =
            (draw(&model, &selecting(OutlineTarget::Part(0))), draw(&model, &front()));
        let place = (0.0, -0.5 - 1.5 * PIXEL);
        let warmth = |p: [u8; 4]| i32::from(p[0]) - i32::from(p[2]);
        warmth(at(&with, place.0, place.1)) - warmth(at(&without, place.0, place.1))
    };
    let (seen, hidden) = (red(-0.2), red(0.2));
    assert!(hidden > 30 && hidden < seen * 2 / 3, "seen {seen}, hidden {hidden}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn hover_has_a_thinner_outline_except_on_the_selection() {
    let model = still_life(&[facing(0.0, 0.5)]);
    let plain = draw(&model, &front());
    let ring = |input: &FrameInput<'_>| changed(&draw(&model, input), &plain);
    let part = Some(OutlineTarget::Part(0));
    let selected = FrameInput { selected: part, ..front() };
    let hovered = FrameInput { hovered: part, ..front() };
    let ([inside, thick], [inside_too, thin]) = (ring(&selected), ring(&hovered));
    assert_eq!([inside, inside_too], [0; 2]);
    assert!(thin > 100 && thin * 4 < thick * 3, "{thin} {thick}");
    let both = FrameInput { hovered: part, ..selected };
    assert_eq!(draw(&model, &both), draw(&model, &selected));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn ring_width_is_independent_of_pixel_density_and_msaa() {
    let model = still_life(&[facing(0.0, 0.5)]);
    let (gpu, renderer, mut scene) = uploaded(&model);
    let mut below = |side: u32, msaa: Msaa, selected: Option<OutlineTarget>| {
        let scale = (side / SIDE) as f32;
        let target = Target::new(gpu, [side; 2], msaa);
        let input = FrameInput { selected, pixels_per_point: scale, ..front() };
        renderer.render(gpu, &mut scene, &target, &input);
        let image = headless::read_target(gpu, &target, input.background).unwrap();
        let middle = side / 2;
        let column = (0..side).map(|y| image.rgba8[((y * side + middle) * 4 + 3) as usize]);
        let covered: u32 = column.map(u32::from).sum();
        covered as f32 / 255.0 / scale
    };
    let part = Some(OutlineTarget::Part(0));
    let mut widths = Vec::new();
    for (side, msaa) in
        [(SIDE, Msaa::Off), (SIDE, Msaa::X4), (SIDE * 2, Msaa::Off), (SIDE * 2, Msaa::X4)]
    {
        widths.push(below(side, msaa, part) - below(side, msaa, None));
    }
    // Dark line, ring and halo at the base; more at the tip.
    for width in &widths {
        assert!((width - widths[0]).abs() < 0.8, "{widths:?}");
        assert!((4.0..14.0).contains(width), "{widths:?}");
    }
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}

const BONES: [BoneShape; 2] = [
    BoneShape {
        bone: BoneId(0),
        head: Vec3::new(-0.5, -0.6, 0.0),
        tail: Vec3::new(-0.5, 0.6, 0.0),
    },
    BoneShape { bone: BoneId(1), head: Vec3::new(0.5, -0.6, 0.0), tail: Vec3::new(0.5, 0.6, 0.0) },
];

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_bone_is_outlined_even_if_bones_are_hidden() {
    let oranges = |image: &Image, left: bool| {
        let all = pixels(image).enumerate();
        let half = all.filter(|(at, _)| ((at % SIDE as usize) < SIDE as usize / 2) == left);
        half.filter(|(_, pixel)| is_orange(*pixel)).count()
    };
    let bones = Show::parse("bones").unwrap();
    for show in [bones, Show { surface: true, ..Show::NOTHING }] {
        let input = FrameInput { show, bones: &BONES, ..selecting(OutlineTarget::Bone(BoneId(1))) };
        let image = draw(&still_life(&[facing(-2.0, 0.01)]), &input);
        assert!(oranges(&image, false) > 100, "{}", oranges(&image, false));
        assert_eq!(oranges(&image, true), 0);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_triangle_and_a_hull_are_outlined_and_keep_their_colours() {
    let mut model = still_life(&[facing(0.0, 0.9)]);
    let plain = draw(&model, &front());
    let triangle = OutlineTarget::Triangle { mesh: MeshId(0), triangle: 0 };
    let [inside, around] = changed(&draw(&model, &selecting(triangle)), &plain);
    assert_eq!(inside, 0);
    assert!(around > 300, "{around}");
    let none = OutlineTarget::Triangle { mesh: MeshId(0), triangle: 1 };
    assert_eq!(draw(&model, &selecting(none)), plain);

    let sign = |bit: usize, number: usize| if number & bit == 0 { -0.4 } else { 0.4 };
    let cube = (0..8).map(|number| Vec3::new(sign(1, number), sign(2, number), sign(4, number)));
    model.hulls = vec![Hull { points: cube.collect() }];
    let mut marks = Marks::default();
    marks.add_hull(&model, &CollisionShapes::of(&model), 0, 1.0);
    let beside = FrameInput { marks: &marks, show: Show::NOTHING, ..front() };
    let selected = FrameInput { selected: Some(OutlineTarget::Hull(0)), ..beside };
    let (with, without) = (draw(&model, &selected), draw(&model, &beside));
    assert_eq!(at(&with, 0.1, 0.0), at(&without, 0.1, 0.0));
    let ring = pixels(&with).filter(|pixel| is_orange(*pixel)).count();
    assert!(ring > 150, "{ring}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_ring_is_drawn_over_later_layers() {
    let model = still_life(&[facing(0.0, 0.5)]);
    let other = still_life(&[facing(0.2, 0.9)]);
    let (gpu, renderer, mut scene) = uploaded(&model);
    let (_, _, mut above) = uploaded(&other);
    let target = Target::new(gpu, [SIDE; 2], Msaa::X4);
    let first = FrameInput {
        layer: Layer { is_followed: true, ..Layer::default() },
        ..selecting(OutlineTarget::Part(0))
    };
    renderer.render(gpu, &mut scene, &target, &first);
    let layer = Layer { keeps: true, has_background: false, ..Layer::default() };
    renderer.render(gpu, &mut above, &target, &FrameInput { layer, ..front() });
    let image = headless::read_target(gpu, &target, front().background).unwrap();
    assert!(is_orange(at(&image, 0.0, -0.5 - 1.5 * PIXEL)));
    // The next image has no selection, and no ring of this one.
    let first = FrameInput { layer: first.layer, ..front() };
    renderer.render(gpu, &mut scene, &target, &first);
    renderer.render(gpu, &mut above, &target, &FrameInput { layer, ..front() });
    let image = headless::read_target(gpu, &target, front().background).unwrap();
    assert!(!pixels(&image).any(is_orange));
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn outline_is_not_drawn_without_a_selection() {
    let model = still_life(&[facing(0.0, 0.5)]);
    let (gpu, renderer, mut scene) = uploaded(&model);
    let target = Target::new(gpu, [SIDE; 2], Msaa::Off);
    let plain = renderer.render(gpu, &mut scene, &target, &front());
    let selected = renderer.render(gpu, &mut scene, &target, &selecting(OutlineTarget::Part(0)));
    let again = renderer.render(gpu, &mut scene, &target, &front());
    assert_eq!(plain.draws, again.draws);
    assert_eq!(selected.draws, plain.draws + 2);
}
