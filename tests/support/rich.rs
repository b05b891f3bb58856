//! A model that uses every feature of models.

use rigscope_core::model::ClipId;
use std::sync::Arc;

use glam::{Affine2, Mat4, Quat, Vec2, Vec3, Vec4};

use rigscope_testing::*;

/// Rings of the body, and vertices in each.
const NUM_RINGS: u32 = 9;
const NUM_SIDES: u32 = 12;
/// Bones of the spine; one more moves nothing.
const NUM_SPINE: u32 = 6;

/// A tube of six bones with a hat: two UV sets, colours, tangents, six influences, a morph target,
/// curves of every interpolation, events, hulls, an occlusion mesh, textures, an embedded image.
pub fn rich() -> Model {
    let dot = ByteView::whole(PNG.to_vec());
    let mut model = Model {
        name: "rich".into(),
        meshes: vec![body(), hat()].into(),
        materials: materials().into(),
        images: vec![Image { name: "dot".into(), bytes: dot, is_embedded: true }].into(),
        skeleton: skeleton(),
        clips: vec![bend(), steps(), cache()].into(),
        hulls: vec![Hull { points: corners(0.5, 0.0, 2.0) }],
        occluder: Some(OcclusionMesh {
            positions: corners(0.2, 0.2, 1.8),
            indices: vec![0, 1, 2, 2, 1, 3, 4, 6, 5, 5, 6, 7],
        }),
        ..Model::default()
    };
    check::check(&mut model, &Report::new());
    model
}

/// [`rich`] without the clip of whole vertex positions, which few formats hold, and without steps: a
/// jump that lies a rounding error earlier or later is as far off as it is wide.
pub fn rich_without_jumps() -> Model {
    let mut model = rich();
    model.clips.as_mut_vec().truncate(2);
    if let Motion::Tracks(tracks) = &mut model.clips[ClipId(1)].motion {
        tracks.retain(|track| {
            let rotation = track.rotation.as_ref();
            rotation.is_none_or(|track| track.interpolation != Interpolation::Step)
        });
    }
    model
}

/// One white pixel.
const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
    1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0x0a, 0x49, 0x44, 0x41, 0x54,
    0x78, 0x9c, 0x63, 0xf8, 0x0f, 0x00, 0x01, 0x01, 0x01, 0x00, 0x1b, 0xb6, 0xee, 0x56, 0, 0, 0, 0,
    0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

fn corners(half: f32, low: f32, high: f32) -> Vec<Vec3> {
    let corner = |i: usize| {
        let pick = |bit: usize, low: f32, high: f32| if i & bit == 0 { low } else { high };
        Vec3::new(pick(1, -half, half), pick(2, low, high), pick(4, -half, half))
    };
    (0..8).map(corner).collect()
}

fn tube(radius: f32, low: f32, high: f32, num_rings: u32) -> (Streams, Vec<u32>) {
    let mut streams = Streams::default();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for ring in 0..num_rings {
        let height = ring as f32 / (num_rings - 1) as f32;
        for side in 0..=NUM_SIDES {
            let around = side as f32 / NUM_SIDES as f32;
            let (sin, cos) = (around * std::f32::consts::TAU).sin_cos();
            let y = low + (high - low) * height;
            streams.positions.push(Vec3::new(radius * sin, y, radius * cos));
            streams.normals.push(Vec3::new(sin, 0.0, cos));
            streams.tangents.push(Vec4::new(cos, 0.0, -sin, 1.0));
            first.push(Vec2::new(around, 1.0 - height));
            second.push(Vec2::new(0.5 * around, 0.5 * height));
        }
    }
    let named = |name: &str, coords| UvSet { name: name.into(), coords };
    streams.uv_sets = vec![named("map1", first), named("light", second)];
    let mut indices = Vec::new();
    for ring in 0..num_rings - 1 {
        for side in 0..NUM_SIDES {
            let a = ring * (NUM_SIDES + 1) + side;
            let b = a + NUM_SIDES + 1;
            indices.extend([a, a + 1, b, b, a + 1, b + 1]);
        }
    }
    (streams, indices)
}

fn body() -> Mesh {
    let (mut streams, indices) = tube(0.4, 0.0, 2.0, NUM_RINGS);
    let num = streams.positions.len();
    streams.colors = (0..num).map(|v| Vec4::new(1.0, (v % 5) as f32 * 0.25, 0.5, 1.0)).collect();
    // Every vertex follows all bones, the nearest most.
    let lists: Vec<Vec<(u32, f32)>> = (streams.positions.iter())
        .map(|p| {
            let weight = |bone: u32| {
                let apart = (p.y - bone as f32 * 0.4).abs();
                (bone, (1.0 - apart).max(0.02).powi(3))
            };
            let list: Vec<_> = (0..NUM_SPINE).map(weight).collect();
            let sum: f32 = list.iter().map(|(_, weight)| weight).sum();
            list.into_iter().map(|(bone, weight)| (bone, weight / sum)).collect()
        })
        .collect();
    let num_indices = u32::try_from(indices.len()).unwrap();
    let half = num_indices / 6 * 3;
    let places = (0u8..).map(|bone| Mat4::from_translation(Vec3::Y * -0.4 * f32::from(bone)));
    let binds: Vec<_> = (0..NUM_SPINE).zip(places).collect();
    let breath =
        (0..u32::try_from(num).unwrap()).step_by(3).map(|v| (v, Vec3::new(0.0, 0.1, 0.05)));
    ModelBuilder::new()
        .add_mesh(Mesh { vertices: VertexData::Streams(streams), ..Mesh::default() })
        .name("body")
        .indices(indices)
        .subsets(&[(half, Some(0)), (num_indices - half, Some(1))])
        .skin(skin(&binds, lists))
        .morph("breathe", &breath.collect::<Vec<_>>())
        .into_mesh()
}

fn hat() -> Mesh {
    let (streams, indices) = tube(0.3, 0.0, 0.3, 3);
    let hat = Mesh { vertices: VertexData::Streams(streams), ..Mesh::default() };
    let hat = ModelBuilder::new().add_mesh(hat).name("hat").indices(indices).of_material(1);
    hat.attached_to(NUM_SPINE - 1).into_mesh()
}

fn skeleton() -> Skeleton {
    let mut spine = ModelBuilder::new().bones(&[("spine 0", None, Vec3::ZERO)]);
    for above in 0..NUM_SPINE {
        let name = format!("spine {}", above + 1);
        spine = spine.bones(&[(&name, Some(above), Vec3::Y * 0.4)]);
    }
    spine.build().skeleton
}

fn materials() -> Vec<Material> {
    vec![
        Material {
            name: "skin".into(),
            textures: vec![TextureRef {
                texture_from_uv: Some(Box::new(Affine2::from_scale(Vec2::splat(2.0)))),
                ..TextureRef::embedded(TextureRole::BaseColor, ImageId(0))
            }],
            ..Material::default()
        },
        Material {
            name: "felt".into(),
            textures: vec![TextureRef::file(TextureRole::BaseColor, "felt.png")],
            look: Some(Box::new(MaterialLook {
                base_color: Vec4::new(0.5, 0.25, 0.125, 1.0),
                alpha: AlphaMode::Mask(0.5),
                is_two_sided: true,
                ..MaterialLook::default()
            })),
            ..Material::default()
        },
    ]
}

fn rotations(times_secs: Vec<f64>, interpolation: Interpolation, most_rad: f32) -> Track<Quat> {
    let value = |&time: &f64| {
        #[allow(clippy::cast_possible_truncation, reason = "an angle")]
        let angle = (time * 4.0).sin() as f32 * most_rad;
        Quat::from_rotation_z(angle)
    };
    let values: Vec<Quat> = times_secs.iter().map(value).collect();
    let values = match interpolation {
        // Tangents of zero on both sides.
        Interpolation::Cubic => {
            let flat = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            values.into_iter().flat_map(|value| [flat, value, flat]).collect()
        }
        _ => values,
    };
    Track { times_secs, values, interpolation }
}

/// Linear keys at uneven times, starting at 0.5 s, a growing bone, a morph target, an event.
fn bend() -> Clip {
    let times = vec![0.5, 0.6, 0.9, 1.0, 1.5];
    let mut bend = ModelBuilder::new().clip("bend", 1.0);
    for bone in 1..NUM_SPINE {
        bend = bend.rotation(bone, rotations(times.clone(), Interpolation::Linear, 0.2));
        if bone == 3 {
            bend = bend.scale(bone, linear([(0.5, Vec3::ONE), (1.5, Vec3::splat(1.25))]));
        }
    }
    let weights = linear([(0.5, 0.0), (1.0, 1.0), (1.5, 0.0)]);
    let breath = Event { time_secs: 1.0, name: "breath".into(), value: "in".into(), bone: None };
    Clip {
        start_secs: 0.5,
        morph_tracks: vec![MorphTrack { mesh: MeshId(0), target: 0, weights }],
        events: vec![breath],
        ..bend.into_clip()
    }
}

/// Step and cubic keys.
fn steps() -> Clip {
    let times = vec![0.0, 0.4, 0.8];
    ModelBuilder::new()
        .clip("steps", 0.8)
        .rotation(1, rotations(times.clone(), Interpolation::Step, 0.3))
        .rotation(2, rotations(times, Interpolation::Cubic, 0.3))
        .into_clip()
}

/// The hat, falling.
fn cache() -> Clip {
    let hat = hat();
    let at = |y: f32| {
        let num = hat.num_vertices();
        let hat = &hat;
        (0..num).map(move |v| hat.position(v).unwrap() + Vec3::Y * y)
    };
    Clip {
        name: "fall".into(),
        duration_secs: 1.0,
        motion: Motion::VertexAnimation(VertexAnimation {
            is_blended: false,
            mesh: MeshId(1),
            times_secs: vec![0.0, 1.0],
            positions: Arc::new(at(2.0).chain(at(0.0)).collect()),
        }),
        ..Clip::default()
    }
}
