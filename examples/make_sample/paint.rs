//! Physically based materials for the character, as images named after its materials: base colour,
//! normals, occlusion with roughness and metallic, emission. Every pattern is periodic in u.

use std::f32::consts::TAU;
use std::path::Path;

use image::{ImageResult, Rgb, RgbImage};

/// Width and height in texels.
const SIDE: u32 = 128;

/// One material, as functions of (u, v).
struct Paint {
    name: &'static str,
    /// Linear steps of sRGB, 0 to 1.
    base_color: fn(f32, f32) -> [f32; 3],
    /// Relative to the width of the image.
    height: fn(f32, f32) -> f32,
    /// Occlusion, roughness, metallic.
    orm: fn(f32, f32) -> [f32; 3],
    emissive: Option<fn(f32, f32) -> [f32; 3]>,
}

const PAINTS: [Paint; 6] = [
    Paint {
        name: "suit",
        base_color: |u, v| mix([0.12, 0.30, 0.55], [0.16, 0.38, 0.66], weave(u, v)),
        height: |u, v| 0.004 * weave(u, v),
        orm: |u, v| [0.7 + 0.3 * weave(u, v), 0.85, 0.0],
        emissive: None,
    },
    Paint {
        name: "skin",
        base_color: |u, v| mix([0.86, 0.62, 0.49], [0.90, 0.67, 0.54], waves(u, v, 3.0)),
        height: |u, v| 0.0008 * waves(u, v, 12.0),
        orm: |u, v| [1.0, 0.45 + 0.1 * waves(u, v, 3.0), 0.0],
        emissive: None,
    },
    Paint {
        name: "eyes",
        base_color: |_, v| mix([0.02, 0.02, 0.03], [0.10, 0.35, 0.30], step(0.86, v)),
        height: |_, _| 0.0,
        orm: |_, _| [1.0, 0.05, 0.0],
        emissive: None,
    },
    Paint {
        name: "boots_and_gloves",
        base_color: |u, v| mix([0.22, 0.11, 0.06], [0.33, 0.17, 0.09], waves(u, v, 5.0)),
        height: |u, v| 0.003 * waves(u, v, 9.0),
        orm: |u, v| [0.8 + 0.2 * waves(u, v, 9.0), 0.35 + 0.25 * waves(u, v, 5.0), 0.0],
        emissive: None,
    },
    Paint {
        name: "scarf",
        base_color: |_, v| mix([0.72, 0.08, 0.10], [0.93, 0.86, 0.70], stripe(v, 10.0)),
        height: |u, v| 0.006 * weave(2.0 * u, 2.0 * v),
        orm: |u, v| [0.6 + 0.4 * weave(2.0 * u, 2.0 * v), 0.95, 0.0],
        emissive: None,
    },
    Paint {
        name: "antenna",
        base_color: |_, _| [0.95, 0.78, 0.36],
        height: |_, v| 0.003 * stripe(v, 12.0),
        orm: |_, v| [1.0, 0.18 + 0.2 * stripe(v, 12.0), 1.0],
        emissive: Some(|_, v| mix([0.0; 3], [0.20, 0.95, 0.75], stripe(v, 4.0))),
    },
];

fn mix(a: [f32; 3], b: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|at| a[at] + (b[at] - a[at]) * share)
}

fn step(edge: f32, x: f32) -> f32 {
    f32::from(u8::from(x >= edge))
}

/// Bands along v with soft edges.
fn stripe(v: f32, num: f32) -> f32 {
    ((TAU * num * v).sin() * 3.0 + 0.5).clamp(0.0, 1.0)
}

/// A woven pattern.
fn weave(u: f32, v: f32) -> f32 {
    let (along, across) = ((TAU * 16.0 * u).sin(), (TAU * 16.0 * v).sin());
    0.5 + 0.5 * along * across
}

/// Irregular waves.
fn waves(u: f32, v: f32, num: f32) -> f32 {
    let a = (TAU * (num * u + 0.3 * (TAU * 2.0 * v).sin())).sin();
    let b = (TAU * (num * v + 0.2 * (TAU * 3.0 * u).sin())).sin();
    0.5 + 0.25 * (a + b)
}

/// Writes the images into `folder`.
pub(crate) fn write(folder: &Path) -> ImageResult<()> {
    for paint in &PAINTS {
        let save = |ending: &str, color: &dyn Fn(f32, f32) -> [f32; 3]| {
            let texel = |at: u32| (at as f32 + 0.5) / SIDE as f32;
            let image = RgbImage::from_fn(SIDE, SIDE, |x, y| Rgb(bytes(color(texel(x), texel(y)))));
            image.save(folder.join(format!("{}_{ending}.png", paint.name)))
        };
        save("base_color", &paint.base_color)?;
        save("normal", &|u, v| normal(paint.height, u, v))?;
        save("orm", &paint.orm)?;
        if let Some(emissive) = paint.emissive {
            save("emissive", &emissive)?;
        }
    }
    Ok(())
}

/// Normal map texel of a surface with this height; green is up.
fn normal(height: fn(f32, f32) -> f32, u: f32, v: f32) -> [f32; 3] {
    let near = 0.5 / SIDE as f32;
    let slope_u = (height(u + near, v) - height(u - near, v)) / (2.0 * near);
    let slope_v = (height(u, v + near) - height(u, v - near)) / (2.0 * near);
    // v is down.
    let n = [-slope_u, slope_v, 1.0];
    let length = n.iter().map(|x| x * x).sum::<f32>().sqrt();
    n.map(|x| 0.5 + 0.5 * x / length)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn bytes(color: [f32; 3]) -> [u8; 3] {
    color.map(|share| (share.clamp(0.0, 1.0) * 255.0).round() as u8)
}
