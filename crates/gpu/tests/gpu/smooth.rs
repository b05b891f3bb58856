//! The `smooth` pass for surfaces of one colour with normals gives the same image as `surface`.

use glam::{Affine3A, Vec3};
use rigscope_core::model::MeshId;
use rigscope_gpu::{FrameInput, Msaa, Show};

use super::culling::sheet;
use super::images::{draw_with, front};
use rigscope_testing::*;

/// Two sheets with normals, and the same with an unused vertex without a normal in each, which are drawn as
/// meshes without normals.
fn models() -> [Model; 2] {
    let mut smooth = sheet(200);
    smooth.meshes.push(smooth.meshes[MeshId(0)].clone());
    for (mesh, shift) in smooth.meshes.iter_mut().zip([0.0, 0.3]) {
        let streams = mesh.streams_mut().unwrap();
        let rotated = Affine3A::from_rotation_y(shift);
        streams.positions.iter_mut().for_each(|at| *at = rotated.transform_point3(*at));
        let normal = |at: &Vec3| Vec3::new(at.y, at.z, 1.0).normalize_or_zero();
        streams.normals = streams.positions.iter().map(normal).collect();
    }
    let mut other = smooth.clone();
    for mesh in &mut other.meshes {
        let streams = mesh.streams_mut().unwrap();
        streams.positions.push(Vec3::ZERO);
        streams.normals.push(Vec3::ZERO);
    }
    [smooth, other]
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn smooth_pass_matches_the_surface_pass() {
    let models = models();
    for (words, msaa) in
        [("surface", Msaa::Off), ("surface", Msaa::X4), ("surface,wireframe", Msaa::Off)]
    {
        for is_seen_from_behind in [false, true] {
            let mut input = FrameInput { show: Show::parse(words).unwrap(), ..front() };
            if is_seen_from_behind {
                input.camera.yaw_rad += std::f32::consts::PI;
            }
            let [smooth, other] = models.each_ref().map(|model| draw_with(model, &input, msaa));
            let pixels = smooth.rgba8.chunks(4);
            assert!(pixels.filter(|pixel| pixel[3] > 0).count() > 1000, "the sheets are visible");
            let far = smooth.rgba8.iter().zip(&other.rgba8).filter(|(a, b)| a.abs_diff(**b) > 1);
            assert_eq!(far.count(), 0, "{words} {msaa:?} from behind {is_seen_from_behind}");
        }
    }
}
