//! Meshes that don't fit in a single buffer look and behave like ones that do.

use rigscope_core::model::MeshId;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use rigscope_core::pose::{Moment, PoseSpec};
use rigscope_core::visual::{Coloring, DrawnWith, OutlineTarget, SHOW, VertexPaint};
use rigscope_gpu::headless::Image;
use rigscope_gpu::pick::{PickPoint, Picker};
use rigscope_gpu::{
    Background, FrameInput, Gpu, Msaa, Renderer, Scene, Show, SubsetLook, headless, readback,
};

use super::culling::sheet;
use super::full_models::{
    FULL, FullRecipe, cache_clip, checked, morph_clip, random_copies, targets,
};
use super::gpu;
use super::images::front;
use super::models::{PLAIN, Random, Recipe};
use super::support::rich::rich;
use rigscope_testing::*;

const SIZE_PX: [u32; 2] = [96, 80];

/// A model on two devices: one on which it fits, and one with small buffers.
struct Pair {
    model: Model,
    renderer: Renderer,
    whole: Scene,
    small: Gpu,
    cut: Scene,
}

impl Pair {
    /// `max_buffer` is the limit of the small device, in bytes.
    fn new(model: Model, max_buffer: u64) -> Self {
        let small = gpu().clone().with_max_buffer(max_buffer);
        let renderer = Renderer::new(gpu());
        let upload = |gpu| Scene::upload(gpu, &renderer, &model, &Report::new()).unwrap();
        let (whole, cut) = (upload(gpu()), upload(&small));
        assert_eq!(whole.num_chunks(), model.meshes.len());
        assert!(cut.num_chunks() > model.meshes.len() + 1, "{} chunks", cut.num_chunks());
        Self { model, renderer, whole, small, cut }
    }

    fn draw(&mut self, input: &FrameInput<'_>) -> [Image; 2] {
        let draw = |gpu, scene| {
            headless::render_image(gpu, &self.renderer, scene, SIZE_PX, Msaa::X4, input).unwrap()
        };
        let images = [draw(gpu(), &mut self.whole), draw(&self.small, &mut self.cut)];
        assert!(gpu().errors().messages().is_empty(), "{:?}", gpu().errors());
        images
    }

    #[track_caller]
    fn assert_same(&mut self, input: &FrameInput<'_>, what: &str) {
        let [whole, cut] = self.draw(input);
        assert!(whole.rgba8 == cut.rgba8, "{what}: {} pixels differ", num_others([&whole, &cut]));
    }

    #[track_caller]
    fn assert_same_vertices(&mut self, pose: &PoseSpec) {
        let of = |gpu, scene| readback::skinned(gpu, &self.renderer, scene, pose).unwrap();
        assert_eq!(of(gpu(), &mut self.whole), of(&self.small, &mut self.cut));
    }
}

fn num_others([whole, cut]: [&Image; 2]) -> usize {
    let texels = |image: &Image| image.rgba8.as_chunks::<4>().0.to_vec();
    texels(whole).into_iter().zip(texels(cut)).filter(|(a, b)| a != b).count()
}

fn view(model: &Model, show: Show) -> FrameInput<'static> {
    let mut input = FrameInput { show, background: Background::Transparent, ..front() };
    input.bounds = rigscope_core::pose::posed_bounds(model, &input.pose);
    input.camera.frame(&input.bounds, 1.2);
    input.camera.yaw_rad += 0.4;
    input
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn images_of_chunks_equal_those_of_the_whole() {
    let mut pair = Pair::new(rich(), 2000);
    for row in SHOW.iter().filter(|row| !matches!(row.drawn_with, DrawnWith::Text)) {
        let Some(word) = row.word else { continue };
        let input = view(&pair.model, Show::parse(&format!("surface,{word}")).unwrap());
        // Coinciding marks are drawn in the order of chunks.
        match word {
            "points" | "normals" | "tangents" | "bitangents" => {
                let [whole, cut] = pair.draw(&input);
                let others = num_others([&whole, &cut]);
                assert!(others < 200, "{word}: {others} pixels differ");
            }
            _ => pair.assert_same(&input, word),
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn parts_of_chunks_are_hidden_outlined_and_painted_like_the_whole() {
    let mut pair = Pair::new(rich(), 2000);
    let num_parts: usize = pair.model.meshes.iter().map(Mesh::num_parts).sum();
    let usual = view(&pair.model, Show { subset_colors: true, ..Show::default() });
    for part in 0..num_parts {
        let look = |at| SubsetLook { visible: at != part, ..SubsetLook::default() };
        let looks: Vec<_> = (0..num_parts).map(look).collect();
        pair.assert_same(&FrameInput { subsets: &looks, ..usual }, "hidden");
        let selected = Some(OutlineTarget::Part(part));
        pair.assert_same(&FrameInput { selected, ..usual }, "outlined");
    }
    let (plain, num_triangles) =
        (pair.draw(&usual)[0].rgba8.clone(), pair.model.meshes[MeshId(0)].num_triangles());
    let mut num_seen = 0;
    for triangle in (0..u32::try_from(num_triangles).unwrap()).step_by(7) {
        let selected = Some(OutlineTarget::Triangle { mesh: MeshId(0), triangle });
        let input = FrameInput { selected, ..usual };
        pair.assert_same(&input, "triangle");
        num_seen += usize::from(pair.draw(&input)[1].rgba8 != plain);
    }
    assert!(num_seen > 10, "{num_seen} triangles are outlined");
    let num = pair.model.num_vertices();
    let values = (0..num).map(|at| at as f32 / num as f32).collect();
    let colors = (0..num).map(|at| [u8::try_from(at % 256).unwrap(), 90, 200, 255]).collect();
    let heat = VertexPaint::Heat { values: Arc::new(values), low: 0.0, high: 1.0 };
    let show = Show { coloring: Some(Coloring::Paint), ..usual.show };
    for paint in [heat, VertexPaint::Colors(Arc::new(colors))] {
        pair.assert_same(&FrameInput { paint: Some(&paint), show, ..usual }, "paint");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn picking_chunks_equals_picking_the_whole() {
    let mut model = rich();
    let lone = LooseGeometry { kind: LooseKind::Points, indices: vec![3, 60, 90], material: None };
    let lines =
        LooseGeometry { kind: LooseKind::Lines, indices: vec![0, 20, 5, 80], material: None };
    model.meshes[MeshId(0)].loose = vec![lone, lines];
    let mut pair = Pair::new(model, 2000);
    let input = view(&pair.model, Show { wireframe: true, ..Show::default() });
    pair.assert_same(&input, "loose");
    let mut pickers = [Picker::default(), Picker::default()];
    let mut found = std::collections::BTreeSet::new();
    for at in 0..SIZE_PX[0] * SIZE_PX[1] / 4 {
        let at = Vec2::new((at % 48) as f32 * 2.0 + 0.5, (at / 48) as f32 * 2.0 + 0.5);
        let point = PickPoint { at_px: at, reach_points: 4.0 };
        let [whole, cut] = &mut pickers;
        let pick = |picker: &mut Picker, gpu, scene| {
            let pending =
                picker.request(gpu, &pair.renderer, scene, &input, SIZE_PX, point).unwrap();
            pollster::block_on(pending.result(&pair.model)).unwrap()
        };
        let hit = pick(whole, gpu(), &mut pair.whole);
        assert_eq!(hit, pick(cut, &pair.small, &mut pair.cut), "at {at}");
        found.insert((hit.triangle.is_some(), hit.point.is_some()));
    }
    assert_eq!(found.len(), 3, "triangles, points and nothing are hit: {found:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn vertices_of_chunks_move_like_those_of_the_whole() {
    let packed = Recipe { num_bones: 20, num_keys: 3, ..PLAIN }.model();
    let of_curves = |blending| {
        let recipe = FullRecipe { num_vertices: 900, blending, ..FULL };
        let mut model = recipe.model();
        let random = &mut Random::new(3);
        model.meshes[MeshId(0)].morph_targets = targets(random, 900);
        model.clips.push(morph_clip(0));
        model.clips.push(cache_clip(random, 0, 900));
        checked(model)
    };
    let shares = (0..900).map(|at| at as f32 / 900.0).collect();
    let mut of_copies = of_curves(Blending::Linear);
    of_copies.meshes[MeshId(0)].morph_targets.clear();
    of_copies.meshes[MeshId(0)].skin = random_copies(&mut Random::new(5), 900, FULL.num_bones);
    for (model, max_buffer) in [
        (packed, 20_000),
        (of_curves(Blending::Linear), 16_000),
        (of_curves(Blending::DualQuaternion), 16_000),
        (of_curves(Blending::Mixed(shares)), 16_000),
        (checked(of_copies), 16_000),
        (rich(), 2000),
    ] {
        let num_clips = model.clips.len();
        let mut pair = Pair::new(model, max_buffer);
        pair.assert_same_vertices(&PoseSpec::default());
        for clip in 0..num_clips {
            let moment = Moment::TimeSecs(0.07);
            let clip = Some(ClipId::from_index(clip));
            pair.assert_same_vertices(&PoseSpec { clip, moment, ..PoseSpec::default() });
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn chunks_with_many_triangles_are_culled_separately() {
    let mut pair = Pair::new(sheet(400), 3_000_000);
    let input = view(&pair.model, Show { subset_colors: true, ..Show::default() });
    pair.small.caps.is_software = true;
    pair.assert_same(&input, "culled");
    assert!(pair.cut.num_culled_meshes() > 1);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn unreferenced_vertices_are_not_a_point_cloud() {
    let places =
        (0..600u16).map(|at| Vec3::new(f32::from(at % 30), f32::from(at / 30), 0.0) * 0.05);
    let places: Vec<_> = places.collect();
    let cloud = ModelBuilder::new().mesh(places.clone()).build();
    let input = |model: &Model| view(model, Show::default());
    let mut pair = Pair::new(cloud, 3000);
    let cloud = pair.draw(&input(&pair.model))[1].rgba8.clone();
    pair.assert_same(&input(&pair.model), "cloud");
    let triangle = ModelBuilder::new().mesh(places).indices([0, 29, 599]).subsets(&[(3, None)]);
    let mut pair = Pair::new(triangle.build(), 3000);
    pair.assert_same(&input(&pair.model), "triangle");
    assert!(pair.draw(&input(&pair.model))[1].rgba8 != cloud);
}
