//! Values of accessors in the binary chunk, and their bounds in the JSON.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::document::{Parts, numbers};
use super::json_text::{JsonText, place};
use rigscope_core::model::{Provenance, Scalar};

/// The place and type of an accessor's values in the binary chunk.
struct Layout {
    start: usize,
    stride: usize,
    count: usize,
    num_components: usize,
    scalar: Scalar,
}

impl Layout {
    /// `None` if the values aren't stored plainly in buffer 0.
    fn of(json: &JsonText, accessor: usize) -> Option<Self> {
        let number = |key: &str| json.index(place!("accessors", accessor, key));
        let view = number("bufferView")?;
        let of_view = |key: &str| json.index(place!("bufferViews", view, key));
        let is_plain = json.get(place!("accessors", accessor, "sparse")).is_none()
            && json.get(place!("bufferViews", view, "extensions")).is_none()
            && of_view("buffer")? == 0;
        is_plain.then_some(())?;
        // Section 5.1.3, `componentType`.
        let scalar = match number("componentType")? {
            5120 => Scalar::I8,
            5121 => Scalar::U8,
            5122 => Scalar::I16,
            5123 => Scalar::U16,
            5125 => Scalar::U32,
            5126 => Scalar::F32,
            _ => return None,
        };
        let num_components = match json.get(place!("accessors", accessor, "type"))?.as_str()? {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            // Columns of smaller matrices are padded.
            _ => return None,
        };
        let num_bytes = scalar.num_bytes() * num_components;
        let stride = of_view("byteStride").filter(|stride| *stride > 0).unwrap_or(num_bytes);
        let start =
            of_view("byteOffset").unwrap_or(0).checked_add(number("byteOffset").unwrap_or(0))?;
        Some(Self { start, stride, count: number("count")?, num_components, scalar })
    }

    /// The bytes of each value.
    fn values<'a>(&self, bin: &'a [u8]) -> Option<impl Iterator<Item = &'a [u8]>> {
        let num_bytes = self.scalar.num_bytes() * self.num_components;
        let last = self.count.checked_sub(1)?.checked_mul(self.stride)?;
        let end = self.start.checked_add(last)?.checked_add(num_bytes)?;
        (self.stride >= num_bytes).then_some(())?;
        let bytes = bin.get(self.start..end)?;
        Some(bytes.chunks(self.stride).filter_map(move |value| value.get(..num_bytes)))
    }

    /// The minimum and maximum of each component, as stored.
    fn bounds(&self, bin: &[u8]) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut low = vec![f64::INFINITY; self.num_components];
        let mut high = vec![f64::NEG_INFINITY; self.num_components];
        for value in self.values(bin)? {
            let components = value.chunks(self.scalar.num_bytes());
            for ((low, high), bytes) in low.iter_mut().zip(&mut high).zip(components) {
                let number = self.scalar.number(bytes)?.to_f64();
                if number.is_finite() {
                    (*low, *high) = (low.min(number), high.max(number));
                }
            }
        }
        let is_any = low.iter().zip(&high).all(|(low, high)| low <= high);
        is_any.then_some((low, high))
    }

    fn has_changed(&self, old: &[u8], new: &[u8]) -> bool {
        let values = self.values(old).zip(self.values(new));
        values.is_some_and(|(mut old, mut new)| {
            loop {
                match (old.next(), new.next()) {
                    (None, None) => break false,
                    (old, new) if old != new => break true,
                    _ => {}
                }
            }
        })
    }
}

/// Writes the bounds of an accessor if they differ from those stored.
pub(super) fn set_bounds(file: &mut Parts<'_>, accessor: usize) -> Option<()> {
    let (low, high) = Layout::of(&file.json, accessor)?.bounds(file.new_bin)?;
    for (key, values) in [("min", low), ("max", high)] {
        let stored = file.json.get(place!("accessors", accessor, key));
        let is_same = |stored: &Value| {
            let stored: Option<Vec<f64>> =
                stored.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
            #[expect(
                clippy::cast_possible_truncation,
                reason = "compared as the values are stored"
            )]
            let single = |list: &[f64]| -> Vec<f32> { list.iter().map(|v| *v as f32).collect() };
            stored.is_some_and(|stored| single(&stored) == single(&values))
        };
        if !stored.as_ref().is_some_and(is_same) {
            file.json.set(place!("accessors", accessor, key), &numbers(values))?;
        }
    }
    Some(())
}

/// Recomputes the stored bounds of accessors whose values have changed. `None` if some of them aren't in the byte map:
/// an extension may read them with another meaning.
pub(super) fn update_bounds(file: &mut Parts<'_>, provenance: &Provenance) -> Option<()> {
    if file.old_bin == file.new_bin {
        return Some(());
    }
    let spans = provenance.spans.iter().chain(&provenance.shared);
    let known: HashSet<u64> = spans.map(|span| span.offset).collect();
    for accessor in 0..file.json.len(place!("accessors")) {
        if let Some(layout) = Layout::of(&file.json, accessor)
            && layout.has_changed(file.old_bin, file.new_bin)
        {
            let start = file.bin_start.checked_add(layout.start)?;
            known.contains(&(start as u64)).then_some(())?;
        }
        let has_bounds = ["min", "max"]
            .iter()
            .any(|key| file.json.get(place!("accessors", accessor, *key)).is_some());
        let Some(layout) = Layout::of(&file.json, accessor).filter(|_| has_bounds) else {
            continue;
        };
        if layout.has_changed(file.old_bin, file.new_bin) {
            set_bounds(file, accessor)?;
        }
    }
    Some(())
}

/// The accessors of attributes whose name begins with `prefix`.
pub(super) fn of_attributes(json: &JsonText, prefix: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for mesh in 0..json.len(place!("meshes")) {
        for primitive in 0..json.len(place!("meshes", mesh, "primitives")) {
            let attributes = place!("meshes", mesh, "primitives", primitive, "attributes");
            for key in json.keys(attributes) {
                if key.starts_with(prefix) {
                    let place = place!("meshes", mesh, "primitives", primitive, "attributes", key);
                    found.extend(json.index(place));
                }
            }
        }
    }
    found
}

/// The accessors of key times.
pub(super) fn of_key_times(json: &JsonText) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for animation in 0..json.len(place!("animations")) {
        for sampler in 0..json.len(place!("animations", animation, "samplers")) {
            found.extend(json.index(place!("animations", animation, "samplers", sampler, "input")));
        }
    }
    found
}
