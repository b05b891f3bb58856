//! Models without tangents, which have no tangent array, look the same as with a mesh that has tangents.

use glam::{Vec2, Vec3, Vec4};
use rigscope_core::pose::PoseSpec;
use rigscope_core::visual::{DrawnWith, SHOW};
use rigscope_gpu::{FrameInput, Show, readback};

use super::culling::sheet;
use super::images::{draw, front};
use super::uploaded;
use rigscope_testing::*;

/// A sheet, and the same with a distant invisible triangle that has tangents.
fn models() -> [Model; 2] {
    let mut alone = sheet(20);
    for mesh in &mut alone.meshes {
        let streams = mesh.streams_mut().unwrap();
        let normal = |at: &Vec3| Vec3::new(at.y, at.z, 1.0).normalize_or_zero();
        streams.normals = streams.positions.iter().map(normal).collect();
        let coords: Vec<Vec2> = streams.positions.iter().map(|at| at.truncate()).collect();
        streams.uv_sets = vec![uv_set(coords)];
    }
    let far = ModelBuilder::new().triangle().normal(Vec3::Z).tangent(Vec4::ONE).edit(|mesh| {
        let streams = mesh.streams_mut().unwrap();
        streams.positions.iter_mut().for_each(|at| at.x += 1e3);
    });
    let mut beside = alone.clone();
    beside.meshes.push(far.into_mesh());
    [alone, beside]
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn meshes_without_tangents_look_the_same_next_to_one_with_tangents() {
    let models = models();
    for row in SHOW.iter().filter(|row| !matches!(row.drawn_with, DrawnWith::Text)) {
        // The vertex order counts the vertices of all meshes.
        let Some(word) = row.word.filter(|word| *word != "vertex-order") else { continue };
        let show = Show::parse(&format!("surface,{word}")).unwrap();
        let input = FrameInput { show, ..front() };
        let [alone, beside] = models.each_ref().map(|model| draw(model, &input));
        assert!(alone.rgba8.chunks(4).any(|pixel| pixel[3] > 0), "{word} is visible");
        assert!(alone.rgba8 == beside.rgba8, "{word}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn missing_tangents_are_read_back_as_zeros() {
    for model in models() {
        let (gpu, renderer, mut scene) = uploaded(&model);
        let back = readback::skinned(gpu, &renderer, &mut scene, &PoseSpec::default()).unwrap();
        let expected = rigscope_core::pose::skin_model(&model, &PoseSpec::default());
        for (back, expected) in back.iter().zip(&expected) {
            assert_eq!(back.positions, expected.positions);
            assert_eq!(back.tangents.len(), back.positions.len());
        }
        assert!(back[0].tangents.iter().all(|tangent| *tangent == Vec4::ZERO));
        assert!(back.iter().skip(1).flat_map(|mesh| &mesh.tangents).all(|t| *t != Vec4::ZERO));
    }
}
