//! Converts values of pairs to values of vertices, for display.

use super::Job;
use super::PairValues;
use crate::model::{VertexAt, VertexId, VertexNumbers};

/// Values of the vertices of both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexValues {
    /// The largest value of each vertex of the source, numbered through all meshes; NaN if there is
    /// nothing to compare.
    pub of_source: Vec<f32>,
    /// The same for each vertex of the result, a list per part.
    pub of_parts: Vec<Vec<f32>>,
    /// The largest value; 0 if there is nothing to compare.
    pub max: f32,
    /// Mean over all compared pairs.
    pub mean: f64,
    /// The vertex of the source with the largest value.
    pub worst: Option<VertexAt>,
}

impl VertexValues {
    /// Converts `values` of all pairs of `job`, in the order of [`super::Deviation::per_pair`].
    pub fn of(job: &Job<'_>, values: &[PairValues]) -> Self {
        let source = VertexNumbers::of(job.source.model);
        let mut out = Self { of_source: vec![f32::NAN; source.num()], ..Self::default() };
        let (mut sum, mut num) = (0.0f64, 0u64);
        let mut largest: Option<f32> = None;
        for (part, values) in job.parts.iter().zip(values) {
            let numbers = VertexNumbers::of(part.made.model);
            let mut own = vec![f32::NAN; numbers.num()];
            let mut values = values.iter();
            let meshes = part.origins.iter().zip(&part.made.model.meshes);
            for (mesh, (origins, made)) in meshes.enumerate() {
                origins.for_each(made.num_vertices(), |vertex, origin| {
                    let Some(&value) = values.next().filter(|value| !value.is_nan()) else {
                        return;
                    };
                    (sum, num) = (sum + f64::from(value), num + 1);
                    let nearest = origin.nearest();
                    let at = VertexAt { vertex: VertexId(vertex), ..VertexAt::new(mesh, 0) };
                    // The maximum of a number and NaN is the number.
                    let raise = |list: &mut Vec<f32>, number: Option<u32>| {
                        let slot = number.and_then(|number| list.get_mut(number as usize));
                        if let Some(slot) = slot {
                            *slot = slot.max(value);
                        }
                    };
                    raise(&mut out.of_source, source.get(nearest));
                    raise(&mut own, numbers.get(at));
                    if largest.is_none_or(|known| value > known) {
                        largest = Some(value);
                        out.worst = Some(nearest);
                    }
                });
            }
            out.of_parts.push(own);
        }
        out.max = largest.unwrap_or(0.0);
        out.mean = sum / num.max(1) as f64;
        out
    }
}
