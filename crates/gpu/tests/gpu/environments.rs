//! Orientation of environments, behind the model and in reflections.

use glam::Vec3;
use image::ImageFormat;
use rigscope_core::camera::Preset;
use rigscope_core::visual::{Backdrop, Light};
use rigscope_gpu::headless::{self, Image as Picture};
use rigscope_gpu::{Msaa, SceneLight, Target};

use super::images::{SIDE, at, draw};
use super::physical::{LIT, ball, cube, in_environment, linear, lit};
use super::squares::{BLUE, GREEN, RED, png};
use super::uploaded;
use rigscope_testing::*;

/// One per face; every second one also has another channel.
const SIX: [Vec3; 6] = [
    Vec3::new(0.8, 0.0, 0.0),
    Vec3::new(0.0, 0.8, 0.8),
    Vec3::new(0.0, 0.8, 0.0),
    Vec3::new(0.8, 0.0, 0.8),
    Vec3::new(0.0, 0.0, 0.8),
    Vec3::new(0.8, 0.8, 0.0),
];

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_backdrop_shows_the_environment_and_rotates_anticlockwise() {
    let behind = |preset, turn_degrees, is_parallel: bool| {
        let light = Light { backdrop: Backdrop::Sharp, turn_degrees, ..LIT };
        let mut input = lit(light);
        input.camera.look_from(preset);
        if is_parallel {
            input.camera.projection = rigscope_core::camera::Projection::Orthographic;
        }
        let seen = draw(&in_environment(ball(MaterialLook::default()), SIX, SIX), &input);
        Vec3::from_array([0, 1, 2].map(|channel| linear(at(&seen, 0.95, 0.95)[channel])))
    };
    let [px, nx, py, ny, pz, nz] = SIX;
    for is_parallel in [false, true] {
        for (preset, turn_degrees, wanted) in [
            (Preset::Front, 0, nz),
            (Preset::Back, 0, pz),
            // From +X.
            (Preset::Side, 0, nx),
            (Preset::Top, 0, ny),
            (Preset::Bottom, 0, py),
            // From above, +X is right and -Z is up, so +X of the environment is at -Z then.
            (Preset::Front, 90, px),
        ] {
            let found = behind(preset, turn_degrees, is_parallel);
            let error = (found - wanted).abs().max_element();
            assert!(
                error < 0.02,
                "{preset:?} {turn_degrees} {is_parallel}: {found} is not {wanted}"
            );
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn equirectangular_images_and_cube_maps_light_the_same_sides() {
    // Red behind the camera (+Z), green to the right (+X), blue above.
    let texel = |at: u32| {
        let (x, y) = (at % 128, at / 128);
        match (x, y) {
            (_, 0..16) => BLUE,
            (0..16 | 112.., _) => RED,
            (80..112, _) => GREEN,
            _ => [0, 0, 0, 255],
        }
    };
    let texels: Vec<[u8; 4]> = (0..128 * 64).map(texel).collect();
    let picture = image::RgbaImage::from_raw(128, 64, texels.concat()).unwrap();
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    let bytes = ByteView::whole(bytes.into_inner());
    let picture = Image { name: "all.png".into(), bytes, is_embedded: false };
    let look = MaterialLook { metallic: 1.0, roughness: 0.0, ..MaterialLook::default() };
    let seen = |environment: &Image| {
        let (gpu, renderer, mut scene) = uploaded(&ball(look));
        scene.set_light(Some(SceneLight::upload(gpu, &renderer, environment).unwrap()));
        let target = Target::new(gpu, [SIDE; 2], Msaa::Off);
        let input = lit(LIT);
        renderer.render(gpu, &mut scene, &target, &input);
        headless::read_target(gpu, &target, input.background).unwrap()
    };
    let image = seen(&picture);
    let near = |found: [u8; 4], wanted: [u8; 4]| {
        let is_near = found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 12);
        assert!(is_near, "{found:?} is not {wanted:?}");
    };
    near(at(&image, 0.0, 0.0), RED);
    near(at(&image, 0.62, 0.0), GREEN);
    near(at(&image, 0.0, 0.66), BLUE);
    near(at(&image, -0.62, 0.0), [0, 0, 0, 255]);
    let image = seen(&cube(5, SIX));
    let wanted = |at: usize| SIX[at];
    let found = |x, y| Vec3::from_array([0, 1, 2].map(|channel| linear(at(&image, x, y)[channel])));
    for (x, y, face) in [(0.0, 0.0, 4), (0.62, 0.0, 0), (0.0, 0.62, 2), (0.0, -0.62, 3)] {
        let error = (found(x, y) - wanted(face)).abs().max_element();
        assert!(error < 0.04, "{x} {y}: {} is not {}", found(x, y), wanted(face));
    }
    // Images that don't cover all directions are refused.
    let (gpu, renderer, _) = uploaded(&ball(look));
    let square = png(2, &[RED; 4]);
    let refusal = SceneLight::upload(gpu, &renderer, &square).unwrap_err();
    assert!(refusal.to_string().contains("twice as wide"), "{refusal}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_mirror_reflects_the_environment_in_front_of_it() {
    let look = MaterialLook { metallic: 1.0, roughness: 0.0, ..MaterialLook::default() };
    let image = draw(&in_environment(ball(look), SIX, SIX), &lit(LIT));
    let seen = |picture: &Picture, x, y| {
        Vec3::from_array([0, 1, 2].map(|channel| linear(at(picture, x, y)[channel])))
    };
    let near = |found: Vec3, wanted: Vec3| (found - wanted).abs().max_element() < 0.04;
    // The camera looks from +Z; right of the picture is +X, its top +Y.
    assert!(near(seen(&image, 0.0, 0.0), SIX[4]), "{}", seen(&image, 0.0, 0.0));
    assert!(near(seen(&image, 0.62, 0.0), SIX[0]), "{}", seen(&image, 0.62, 0.0));
    assert!(near(seen(&image, 0.0, 0.62), SIX[2]), "{}", seen(&image, 0.0, 0.62));
    assert!(near(seen(&image, 0.0, -0.62), SIX[3]), "{}", seen(&image, 0.0, -0.62));
}
