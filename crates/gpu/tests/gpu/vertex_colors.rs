//! Vertex colours: with textures and base colours, on their own, as a colouring, and missing ones.

use glam::{Vec2, Vec3, Vec4};
use rigscope_core::model::MeshId;
use rigscope_gpu::headless::{self, Image};
use rigscope_gpu::{Background, FrameInput, Msaa, Show, Target};

use super::images::{SIDE, at, covered, draw, front};
use super::squares::{TEXTURED, assert_near, base, material, png, unlit};
use super::uploaded;
use rigscope_testing::*;

/// A square from -0.8 to 0.8 with these colours, from the upper left corner counter-clockwise.
fn square(colors: [Vec4; 4], material: Option<Material>) -> Model {
    let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)].map(|(u, v)| Vec2::new(u, v));
    let place = |uv: Vec2| Vec3::new(uv.x * 1.6 - 0.8, 0.8 - uv.y * 1.6, 0.0);
    let square = ModelBuilder::new().mesh(corners.map(place)).indices([0, 1, 2, 0, 2, 3]);
    let square = square.subsets(&[(6, material.is_some().then_some(0))]).normal(Vec3::Z);
    let model = square.colors(colors).uvs(corners).build();
    Model { materials: material.into_iter().collect(), ..model }
}

fn plain(color: Vec4, material: Option<Material>) -> Model {
    square([color; 4], material)
}

fn shown(model: &Model, show: Show) -> Image {
    let input = FrameInput { show, background: Background::Plain([0.0; 3]), ..front() };
    draw(model, &input)
}

fn look(base_color: Vec4, alpha: AlphaMode) -> Material {
    let look = MaterialLook { base_color, alpha, ..unlit() };
    material(Vec::new(), look)
}

const TINT: Vec4 = Vec4::new(1.0, 0.25, 0.5, 1.0);

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn colours_multiply_the_base_colour_and_the_texture() {
    let base_color = Vec4::new(0.5, 1.0, 0.5, 1.0);
    let model = plain(TINT, Some(look(base_color, AlphaMode::Opaque)));
    let image = shown(&model, TEXTURED);
    let wanted = srgb8_from_color(TINT * base_color);
    assert_near(at(&image, 0.1, 0.2), wanted);

    let texel = [200, 100, 250, 255];
    let mut model = plain(TINT, Some(material(vec![base()], unlit())));
    model.images = vec![png(2, &[texel; 4])].into();
    let image = shown(&model, TEXTURED);
    let wanted = srgb8_from_color(TINT * color_from_srgb8(texel));
    assert_near(at(&image, -0.4, 0.2), wanted);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn lit_surface_without_a_material_uses_its_vertex_colours() {
    let lit =
        |base_color| material(Vec::new(), MaterialLook { base_color, ..MaterialLook::default() });
    let tinted = shown(&plain(TINT, None), TEXTURED);
    let wanted = shown(&plain(Vec4::ONE, Some(lit(TINT))), TEXTURED);
    assert_near(at(&tinted, 0.1, 0.2), at(&wanted, 0.1, 0.2));
    // A single-colour look, which the plain shader draws, is tinted as well.
    let both = shown(&plain(TINT, Some(lit(TINT))), TEXTURED);
    let wanted = shown(&plain(Vec4::ONE, Some(lit(TINT * TINT))), TEXTURED);
    assert_near(at(&both, 0.1, 0.2), at(&wanted, 0.1, 0.2));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn colours_are_interpolated_in_linear_light() {
    let (black, white) = (Vec4::W, Vec4::ONE);
    let model = square([black, black, white, white], Some(look(Vec4::ONE, AlphaMode::Opaque)));
    let image = shown(&model, TEXTURED);
    let [r, ..] = at(&image, 0.0, 0.0);
    assert!(r.abs_diff(188) <= 3, "half of the light is 188: {r}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn vertex_alpha_only_counts_if_the_material_blends_or_masks() {
    let half = Vec4::new(1.0, 1.0, 1.0, 0.5);
    let base_color = Vec4::new(1.0, 1.0, 1.0, 0.5);
    let of = |alpha| shown(&plain(half, Some(look(base_color, alpha))), TEXTURED);
    let blended = of(AlphaMode::Blend);
    // A quarter of the light over black.
    assert_near(at(&blended, 0.0, 0.3), [137, 137, 137, 255]);
    let opaque = of(AlphaMode::Opaque);
    assert_near(at(&opaque, 0.0, 0.3), [255; 4]);
    assert_near(at(&of(AlphaMode::Mask(0.2)), 0.0, 0.3), [255; 4]);
    let cut = of(AlphaMode::Mask(0.3));
    assert_near(at(&cut, 0.0, 0.3), [0, 0, 0, 255]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn vertex_colour_mode_is_exact_and_missing_colours_are_grey() {
    let show = Show::parse("surface,vertex-colors").unwrap();
    let textured = look(Vec4::splat(0.1), AlphaMode::Blend);
    let image = shown(&plain(TINT, Some(textured)), show);
    assert_near(at(&image, 0.3, 0.3), srgb8_from_color(TINT));
    let none = shown(&plain(Vec4::ONE, None), show);
    let grey = srgb8_from_color(Vec4::new(0.2, 0.2, 0.2, 1.0));
    assert_near(at(&none, 0.3, 0.3), grey);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn vertex_colours_do_not_tint_plain_surfaces_or_the_checker() {
    for show in ["surface", "surface,subset-colors", "surface,checker,textures"] {
        let show = Show::parse(show).unwrap();
        let image = shown(&plain(TINT, None), show);
        assert_eq!(image, shown(&plain(Vec4::ONE, None), show));
    }
    // White vertex colours have no effect, so that subsets keep their distinguishing colours.
    let white = shown(&plain(Vec4::ONE, None), TEXTURED);
    let mut none = plain(Vec4::ONE, None);
    streams_mut(&mut none.meshes[MeshId(0)]).colors.clear();
    assert_eq!(white, shown(&none, TEXTURED));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn vertex_colours_are_restored_after_another_colouring() {
    let mut model = plain(TINT, Some(look(Vec4::ONE, AlphaMode::Opaque)));
    // The second mesh of two, so that values start at its first vertex.
    let mut first = plain(Vec4::ONE, None).meshes.as_mut_vec().remove(0);
    let streams = streams_mut(&mut first);
    streams.positions.iter_mut().for_each(|p| *p = *p * 0.2 + Vec3::X * 5.0);
    streams.colors.clear();
    model.meshes.as_mut_vec().insert(0, first);
    let (gpu, renderer, mut scene) = uploaded(&model);
    let target = Target::new(gpu, [SIDE; 2], Msaa::Off);
    let mut pixel = |show: &str| {
        let input = FrameInput { show: Show::parse(show).unwrap(), ..front() };
        renderer.render(gpu, &mut scene, &target, &input);
        let image = headless::read_target(gpu, &target, input.background).unwrap();
        at(&image, 0.0, 0.2)
    };
    let wanted = srgb8_from_color(TINT);
    assert_near(pixel("surface,textures"), wanted);
    let counted = pixel("surface,influence-colors");
    assert!(counted[0].abs_diff(wanted[0]) > 20, "{counted:?}");
    assert_near(pixel("surface,textures"), wanted);
    assert_near(pixel("surface,vertex-colors"), wanted);
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn point_cloud_dots_have_vertex_colours() {
    let mut model = plain(TINT, None);
    model.meshes[MeshId(0)].indices = Indices::default();
    model.meshes[MeshId(0)].subsets.clear();
    let image = shown(&model, TEXTURED);
    assert_near(at(&image, 0.8, 0.8), srgb8_from_color(TINT));
    // Over a surface, dots keep their own colour.
    let dots = Show { points: true, ..TEXTURED };
    let over = shown(&plain(TINT, None), dots);
    let [r, _, b, _] = at(&over, 0.8, 0.8);
    assert!(b > r, "a light blue core");
    assert!(covered(&over) > 100);
}
