//! Two models in one image: split views, onion skins, and the packed path against full precision.

use std::sync::Arc;

use glam::Vec2;
use rigscope_core::model::{Aabb, Model, Report};
use rigscope_core::pose::PoseSpec;
use rigscope_gpu::headless::{self, Image};
use rigscope_gpu::{Background, FrameInput, Msaa, Renderer, Scene, Show, SubsetLook, Target};
use rigscope_state::{
    Action, AppState, Arrangement, Command, CompareAction, Document, Layer, Request, SecondAction,
};

use super::gpu;
use super::images::{SIDE, at, covered, front, pixels};
use super::models::{facing, still_life};
use super::support::{open_file, written};

const COLOR: [SubsetLook; 1] = [SubsetLook { visible: true, color: None }];

/// Draws layers over each other, as the window does.
fn draw(layers: &[Layer], input: &FrameInput<'_>) -> Image {
    let gpu = gpu();
    let renderer = Renderer::new(gpu);
    let target = Target::new(gpu, [SIDE; 2], Msaa::Off);
    for (number, layer) in layers.iter().enumerate() {
        let mut scene = Scene::upload(gpu, &renderer, &layer.model, &Report::new()).unwrap();
        let input = FrameInput {
            pose: layer.pose,
            bounds: layer.bounds,
            subsets: &COLOR,
            layer: rigscope_gpu::Layer {
                keeps: number > 0,
                is_followed: number + 1 < layers.len(),
                view: layer.view,
                window: layer.window,
                ghost: layer.ghost,
                has_background: true,
            },
            ..*input
        };
        renderer.render(gpu, &mut scene, &target, &input);
    }
    let image = headless::read_target(gpu, &target, input.background).unwrap();
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
    image
}

/// A state that compares a large triangle with a small one.
fn state() -> AppState {
    let mut state = AppState::default();
    state.apply(Action::ViewSized(Vec2::splat(SIDE as f32)));
    let first = state.apply(Action::Open("large.bsm2".into()));
    answer(&mut state, first, still_life(&[facing(0.0, 0.9)]));
    let with = CompareAction::Load("small.bsm2".into());
    let second = state.apply(Action::Compare(with));
    answer(&mut state, second, still_life(&[facing(0.0, 0.3)]));
    state
}

fn answer(state: &mut AppState, requests: Vec<Request>, model: Model) {
    let request = requests.into_iter().find_map(|request| match request {
        Request::Load(request) => Some(*request),
        _ => None,
    });
    let request = request.unwrap();
    let opened = rigscope_io::formats::Opened { model, format: rigscope_io::formats::FORMATS[0] };
    let document = Document::new(&request, Arc::default(), opened, &Report::new()).unwrap();
    state.apply(Action::Loaded {
        id: request.id,
        document: Box::new(document),
        clock: String::new(),
    });
}

fn arranged(state: &mut AppState, arrangement: Arrangement) -> Vec<Layer> {
    state.apply(Action::Second(SecondAction::Arrange(arrangement)));
    state.layers()
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn split_view_draws_each_model_on_its_side_of_the_divider() {
    let mut state = state();
    let split = arranged(&mut state, Arrangement::Split);
    let image = draw(&split, &front());
    let large = draw(&arranged(&mut state, Arrangement::First), &front());
    let small = draw(&arranged(&mut state, Arrangement::Second), &front());
    assert!(covered(&large) > 4 * covered(&small) && covered(&small) > 100);
    for y in 0..SIDE as usize {
        for x in 0..SIDE as usize {
            let pixel = |image: &Image| -> [u8; 4] {
                let first = (y * SIDE as usize + x) * 4;
                image.rgba8[first..first + 4].try_into().unwrap()
            };
            let wanted = if x < SIDE as usize / 2 { &large } else { &small };
            assert_eq!(pixel(&image), pixel(wanted), "{x} {y}");
        }
    }
    // Moving the divider to the right enlarges the first model's part.
    state.apply(Action::Second(SecondAction::Divide(0.75)));
    let moved = draw(&arranged(&mut state, Arrangement::Split), &front());
    assert!(covered(&moved) > covered(&image));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn models_side_by_side_are_centred_in_their_halves() {
    let mut state = state();
    let beside = arranged(&mut state, Arrangement::Beside);
    let image = draw(&beside, &front());
    for (x, y) in [(-0.5, 0.0), (0.5, 0.0), (-0.5, -0.5)] {
        assert_eq!(at(&image, x, y)[3], 255, "{x} {y}");
    }
    // The small triangle ends here; the large one doesn't.
    assert_eq!(at(&image, 0.5, -0.5)[3], 0);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn blinking_shows_one_model_and_then_the_other() {
    let mut state = state();
    let first = arranged(&mut state, Arrangement::Blink);
    let image = draw(&first, &front());
    let secs = state.wake_in_secs().unwrap();
    state.tick(secs);
    let other = draw(&state.layers(), &front());
    assert!(covered(&image) > 4 * covered(&other) && covered(&other) > 100);
    state.tick(state.wake_in_secs().unwrap());
    assert_eq!(draw(&state.layers(), &front()), image);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_packed_path_draws_the_same_image() {
    let path = crate::support::sample_file();
    let model = open_file(&path, &[], &Report::new()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let files = written::converted(&model, "gltf", None).files;
    for (name, file) in &files {
        std::fs::write(folder.path().join(name), &file.bytes).unwrap();
    }
    let source = open_file(&folder.path().join(&files[0].0), &[], &Report::new()).unwrap();
    let mut state = AppState::default();
    state.apply(Action::ViewSized(Vec2::splat(SIDE as f32)));
    let requests = state.apply(Action::Open("sample.gltf".into()));
    answer(&mut state, requests, source);
    for request in state.apply(Action::Run(Command::AsBsm2)) {
        if let Request::Run(task) = request {
            let answer = task.run(&Report::new()).ok().map(Box::new);
            state.apply(Action::TaskDone { id: task.id, answer });
        }
    }
    let middle = state.clip_range().end_secs * 0.4;
    state.apply(Action::Seek(middle));
    let input = FrameInput {
        camera: state.tab.view.camera,
        show: Show { surface: true, ..Show::NOTHING },
        background: Background::Transparent,
        ..FrameInput::default()
    };
    let wanted = draw(&arranged(&mut state, Arrangement::First), &input);
    let layers = arranged(&mut state, Arrangement::Second);
    assert!(!layers[0].is_document && layers[0].pose != PoseSpec::default());
    assert_ne!(layers[0].bounds, Aabb::EMPTY);
    let packed = draw(&layers, &input);
    assert!(covered(&wanted) > 500, "{}", covered(&wanted));
    let far = pixels(&wanted)
        .zip(pixels(&packed))
        .filter(|(a, b)| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 12));
    // Rounding may move an edge by a pixel in places.
    let num = far.count();
    assert!(num * 100 <= covered(&wanted), "{num} pixels differ");
}
