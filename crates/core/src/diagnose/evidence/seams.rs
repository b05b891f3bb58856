//! Colours on both sides of UV seams.

use super::{Evidence, Items, Kind, mean};
use crate::diagnose::seams::Seams;
use crate::diagnose::specimen::Specimen;
use crate::model::{Mesh, Model, numbers};

pub(super) const ALL: &[&Evidence] = &[&SEAM_COLORS];

/// Mean difference of the base colour across UV seams, as a fraction of the difference between arbitrary vertices at
/// seams; one item per sampled mesh. Artists paint seams so that they aren't visible.
pub(crate) const SEAM_COLORS: Evidence = Evidence {
    name: "seam-colors",
    meaning: "the difference of the base colour across UV seams",
    unit: "fraction",
    kind: Kind::Drawn,
    items: Items::Meshes,
    noise: 0.25,
    weight: 0.7,
    measure: |case, model| {
        let of_mesh = |(at, seams): (usize, &Option<Seams>)| {
            let seams = seams.as_ref()?;
            contrast(case, model, &model.meshes[case.samples.get(at)?.mesh], seams)
        };
        case.seams.iter().enumerate().map(|own| of_mesh(own).unwrap_or(f64::NAN)).collect()
    },
    text: |value| format!("{} of that between arbitrary vertices", numbers::percent(value)),
};

/// Meshes with fewer pairs of vertices at seams aren't measured.
const MIN_PAIRS: usize = 20;
/// If arbitrary vertices differ by less, the texture is too uniform.
const MIN_CONTRAST: f64 = 0.04;

fn contrast(case: &Specimen, model: &Model, mesh: &Mesh, seams: &Seams) -> Option<f64> {
    let num = seams.pairs.len();
    if num < MIN_PAIRS {
        return None;
    }
    let picture = case.pictures.get(model.images.get(seams.image)?)?;
    let color = |vertex: u32| seams.texture_uv(mesh, vertex).map(|uv| picture.color_at(uv));
    let colors: Vec<[[f64; 3]; 2]> =
        seams.pairs.iter().filter_map(|&[a, b]| Some([color(a)?, color(b)?])).collect();
    let apart =
        |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 3.0;
    let across = mean(colors.iter().map(|&[a, b]| apart(a, b)))?;
    // Pairs of vertices that are far apart in the list of seams.
    let arbitrary = mean((0..colors.len()).flat_map(|at| {
        [num / 3, num / 2, num * 2 / 3]
            .map(|step| apart(colors[at][0], colors[(at + step) % colors.len()][1]))
    }))?;
    (arbitrary >= MIN_CONTRAST).then(|| across / arbitrary)
}
