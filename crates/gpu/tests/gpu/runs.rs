//! Merging subsets that look the same into one draw changes nothing.

use glam::{Vec2, Vec3};
use rigscope_core::visual::{DrawnWith, OutlineTarget, PickHit, SHOW};
use rigscope_gpu::headless::{Image, read_target};
use rigscope_gpu::pick::{PickPoint, Picker};
use rigscope_gpu::{Background, FrameInput, Gpu, Msaa, Renderer, Scene, Show, SubsetLook, Target};

use super::culling::sheet;
use super::gpu;
use super::images::front;
use super::support::rich::rich;
use rigscope_testing::*;

const SIZE_PX: [u32; 2] = [96, 80];

/// A model of many subsets that merge, and the same with an empty subset after each, which prevents
/// merging.
struct Pair {
    gpu: Gpu,
    renderer: Renderer,
    models: [Model; 2],
    scenes: [Scene; 2],
    num_subsets: usize,
}

impl Pair {
    /// Splits each subset of `model` into several of `num_triangles` triangles.
    fn new(model: &Model, num_triangles: u32) -> Self {
        let renderer = Renderer::new(gpu());
        let models = [false, true].map(|is_apart| cut(model, num_triangles, is_apart));
        let scenes =
            models.each_ref().map(|m| Scene::upload(gpu(), &renderer, m, &Report::new()).unwrap());
        let num_subsets = models[0].meshes.iter().map(|mesh| mesh.subsets.len()).sum();
        Self { gpu: gpu().clone(), renderer, models, scenes, num_subsets }
    }

    /// Both images and their numbers of draws, with the subsets' looks from `look`.
    fn draw(
        &mut self,
        input: &FrameInput<'_>,
        look: impl Fn(usize) -> SubsetLook,
    ) -> [(Image, u32); 2] {
        let mut draw = |at: usize| {
            let looks: Vec<_> = (0..self.num_subsets).flat_map(|n| vec![look(n); at + 1]).collect();
            let selected = input.selected.map(|what| numbered(what, at + 1));
            let input = FrameInput { subsets: &looks, selected, ..*input };
            let target = Target::new(&self.gpu, SIZE_PX, Msaa::Off);
            let stats = self.renderer.render(&self.gpu, &mut self.scenes[at], &target, &input);
            (read_target(&self.gpu, &target, input.background).unwrap(), stats.draws)
        };
        let drawn = [draw(0), draw(1)];
        assert!(gpu().errors().messages().is_empty(), "{:?}", gpu().errors());
        drawn
    }

    /// The numbers of draws, after checking that the images are equal.
    #[track_caller]
    fn num_draws(
        &mut self,
        input: &FrameInput<'_>,
        look: impl Fn(usize) -> SubsetLook,
        what: &str,
    ) -> [u32; 2] {
        let [(together, few), (apart, many)] = self.draw(input, look);
        assert!(together.rgba8 == apart.rgba8, "{what}");
        [few, many]
    }

    fn view(&self, show: Show) -> FrameInput<'static> {
        let mut input = FrameInput { show, background: Background::Transparent, ..front() };
        input.bounds = rigscope_core::pose::posed_bounds(&self.models[0], &input.pose);
        input.camera.frame(&input.bounds, 1.2);
        input.camera.yaw_rad += 0.4;
        input
    }
}

fn cut(model: &Model, num_triangles: u32, is_apart: bool) -> Model {
    let mut model = model.clone();
    for mesh in &mut model.meshes {
        let mut subsets = Vec::new();
        for whole in std::mem::take(&mut mesh.subsets) {
            let end = whole.first_index + whole.index_count;
            for first_index in (whole.first_index..end).step_by(num_triangles as usize * 3) {
                let index_count = (end - first_index).min(num_triangles * 3);
                subsets.push(Subset { first_index, index_count, ..whole });
                if is_apart {
                    subsets.push(Subset { first_index, index_count: 0, ..whole });
                }
            }
        }
        mesh.subsets = subsets;
    }
    model
}

/// `what`, renumbered for `numbers_each` numbers per subset.
fn numbered(what: OutlineTarget, numbers_each: usize) -> OutlineTarget {
    match what {
        OutlineTarget::Part(part) => OutlineTarget::Part(part * numbers_each),
        other => other,
    }
}

fn usual(_: usize) -> SubsetLook {
    SubsetLook::default()
}

fn in_color(number: usize) -> SubsetLook {
    let color = [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]][number / 3 % 2];
    SubsetLook { color: Some(color), ..SubsetLook::default() }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn images_of_merged_subsets_equal_those_of_separate_ones() {
    let mut pair = Pair::new(&rich(), 2);
    for row in SHOW.iter().filter(|row| !matches!(row.drawn_with, DrawnWith::Text)) {
        let Some(word) = row.word else { continue };
        for surface in ["surface,", ""] {
            let input = pair.view(Show::parse(&format!("{surface}{word}")).unwrap());
            let [few, many] = pair.num_draws(&input, in_color, word);
            let what = format!("{surface}{word}: {few} draws and {many}");
            assert!(few <= many && (surface.is_empty() || few < many), "{what}");
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn one_subset_of_many_is_hidden_colored_and_outlined() {
    let mut pair = Pair::new(&rich(), 2);
    for show in ["surface,subset-colors", "surface,wireframe,points,normals,ground-shadow"] {
        let input = pair.view(Show::parse(show).unwrap());
        let [(whole, _), _] = pair.draw(&input, in_color);
        let (mut num_hidden, mut num_outlined) = (0, 0);
        for part in (0..pair.num_subsets).step_by(5) {
            let look = |at| SubsetLook { visible: at != part, ..in_color(at) };
            pair.num_draws(&input, look, "hidden");
            num_hidden += usize::from(pair.draw(&input, look)[0].0 != whole);
            let input = FrameInput { selected: Some(OutlineTarget::Part(part)), ..input };
            pair.num_draws(&input, in_color, "outlined");
            num_outlined += usize::from(pair.draw(&input, in_color)[0].0 != whole);
        }
        assert!(num_hidden > 5 && num_outlined > 5, "{num_hidden}, {num_outlined}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn merged_subsets_are_picked_individually() {
    let mut pair = Pair::new(&rich(), 2);
    let input = pair.view(Show::default());
    let mut pickers = [Picker::default(), Picker::default()];
    let mut found = std::collections::BTreeSet::new();
    for at in 0..SIZE_PX[0] * SIZE_PX[1] / 4 {
        let at_px = Vec2::new((at % 48) as f32 * 2.0 + 0.5, (at / 48) as f32 * 2.0 + 0.5);
        let point = PickPoint { at_px, reach_points: 4.0 };
        let mut pick = |at: usize| -> PickHit {
            let scene = &mut pair.scenes[at];
            let pending =
                pickers[at].request(gpu(), &pair.renderer, scene, &input, SIZE_PX, point).unwrap();
            pollster::block_on(pending.result(&pair.models[at])).unwrap()
        };
        let [mut together, apart] = [pick(0), pick(1)];
        if let Some(triangle) = &mut together.triangle {
            found.insert(triangle.subset);
            triangle.subset *= 2;
        }
        assert_eq!(together, apart, "at {at_px}");
    }
    assert!(found.len() > 20, "{found:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn culling_merged_subsets_equals_culling_separate_ones() {
    let mut pair = Pair::new(&sheet(400), 20_000);
    let input = pair.view(Show { subset_colors: false, ..Show::default() });
    let num_culled = |pair: &Pair| pair.scenes.each_ref().map(Scene::num_culled_meshes);
    // Culling is only enabled for software adapters but works on any.
    pair.gpu.caps.is_software = false;
    let [few, many] = pair.num_draws(&input, usual, "whole");
    assert!(few < many, "{few} draws and {many}: subsets that look the same are one draw");
    assert_eq!(num_culled(&pair), [0, 0]);
    pair.gpu.caps.is_software = true;
    let [few, many] = pair.num_draws(&input, usual, "culled");
    assert_eq!(few, many, "each subset has a separate draw");
    assert_eq!(num_culled(&pair), [1, 1]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn ten_thousand_subsets_of_one_material_take_few_draws() {
    let quad = |at: u32| Vec3::new((at % 100) as f32, (at / 100) as f32, 0.0);
    let mut builder = ModelBuilder::new().materials(&["clay"]);
    for mesh in 0..20 {
        let quads = mesh * 500..(mesh + 1) * 500;
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
        let places = quads.clone().flat_map(|at| corners.map(|corner| quad(at) + corner));
        let indices = (0..500).flat_map(|at| [0, 1, 2, 2, 1, 3].map(|corner| at * 4 + corner));
        builder = builder
            .mesh(places.collect::<Vec<_>>())
            .indices(indices.collect::<Vec<_>>())
            .subsets(&[(6, Some(0)); 500]);
    }
    let mut pair = Pair::new(&builder.checked(), 2);
    assert_eq!(pair.num_subsets, 10_000);
    let show = Show { subset_colors: false, grid: false, axes: false, ..Show::default() };
    let input = pair.view(show);
    let [few, many] = pair.num_draws(&input, usual, "all");
    assert!(few < 30 && many >= 10_000, "{few} draws and {many}");
    // A hidden subset leaves two runs.
    let look = |at| SubsetLook { visible: at != 1234, ..SubsetLook::default() };
    assert_eq!(pair.num_draws(&input, look, "hidden")[0], few + 1);
}
