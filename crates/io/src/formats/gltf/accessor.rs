//! Accessors as arrays of floats or integers. Everything is checked before it is read.

use bytemuck::Pod;
use gltf_json::Accessor;
use gltf_json::accessor::{ComponentType, Type, sparse};
use gltf_json::validation::Checked;
use rayon::prelude::*;

use super::asset::Asset;
use super::fault::{malformed, nth};
use crate::formats::ReadError;
use rigscope_core::model::{FindingKind, Number, Place, Scalar};

/// Elements filled per parallel task; smaller tasks aren't worth the overhead.
pub(super) const BLOCK: usize = 1 << 16;

/// How integers are interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integers {
    /// As the accessor's `normalized` specifies.
    AsStated,
    /// Always as fractions, if only that makes sense for the attribute.
    Fractions,
}

/// Decodes floats from any component type (section 3.6.2.2, and 3.11 for fractions).
fn float(kind: ComponentType, is_fraction: bool) -> impl Fn(&[u8]) -> f32 + Copy + Sync {
    let scalar = scalar(kind, is_fraction);
    let one = match (kind, is_fraction) {
        (ComponentType::U32, true) => u32::MAX as f32,
        _ => 1.0,
    };
    move |bytes| scalar.number(bytes).map_or(0.0, Number::to_f32) / one
}

/// Decodes integers from the unsigned component types.
fn integer(kind: ComponentType) -> Option<impl Fn(&[u8]) -> u32 + Copy + Sync> {
    let is_unsigned = matches!(kind, ComponentType::U8 | ComponentType::U16 | ComponentType::U32);
    let scalar = scalar(kind, false);
    is_unsigned.then_some(move |bytes: &[u8]| match scalar.number(bytes) {
        Some(Number::Unsigned(number)) => u32::try_from(number).unwrap_or(u32::MAX),
        _ => 0,
    })
}

/// Converts components to numbers.
trait Decode<T>: Copy {
    /// Decodes components of `size` bytes each until `values` or `bytes` ends.
    fn fill(self, values: &mut [T], bytes: &[u8], size: usize);

    /// The memory of `values`, if their bytes equal the stored ones.
    fn as_stored(self, _: &mut [T]) -> Option<&mut [u8]> {
        None
    }
}

impl<T, F: Fn(&[u8]) -> T + Copy> Decode<T> for F {
    #[inline]
    fn fill(self, values: &mut [T], bytes: &[u8], size: usize) {
        for (value, component) in values.iter_mut().zip(bytes.chunks_exact(size)) {
            *value = self(component);
        }
    }
}

/// Components of the requested type, which are copied without conversion.
#[derive(Clone, Copy)]
struct AsStored;

impl<T: Pod> Decode<T> for AsStored {
    #[inline]
    fn fill(self, values: &mut [T], bytes: &[u8], _: usize) {
        let own: &mut [u8] = bytemuck::cast_slice_mut(values);
        let num = own.len().min(bytes.len());
        if let (Some(own), Some(bytes)) = (own.get_mut(..num), bytes.get(..num)) {
            own.copy_from_slice(bytes);
        }
    }

    fn as_stored(self, values: &mut [T]) -> Option<&mut [u8]> {
        Some(bytemuck::cast_slice_mut(values))
    }
}

fn scalar(kind: ComponentType, is_fraction: bool) -> Scalar {
    match (kind, is_fraction) {
        (ComponentType::F32, _) => Scalar::F32,
        (ComponentType::I8, false) => Scalar::I8,
        (ComponentType::U8, false) => Scalar::U8,
        (ComponentType::I16, false) => Scalar::I16,
        (ComponentType::U16, false) => Scalar::U16,
        (ComponentType::U32, _) => Scalar::U32,
        (ComponentType::I8, true) => Scalar::Snorm8,
        (ComponentType::U8, true) => Scalar::Unorm8,
        (ComponentType::I16, true) => Scalar::Snorm16,
        (ComponentType::U16, true) => Scalar::Unorm16,
    }
}

/// Type and number of an accessor's values.
pub(super) struct AccessorValues {
    pub(super) scalar: Scalar,
    pub(super) num_components: usize,
    /// Bytes per value.
    pub(super) num_bytes: usize,
    pub(super) count: usize,
}

/// An accessor's element type and count.
#[derive(Clone, Copy)]
struct Elements {
    index: usize,
    component: ComponentType,
    num_components: usize,
    count: usize,
}

impl Elements {
    fn num_bytes(self) -> usize {
        self.component.size() * self.num_components
    }
}

impl<'a> Asset<'a> {
    fn accessor(&self, index: usize) -> Result<&'a Accessor, ReadError> {
        nth(&self.root.accessors, index, "accessor")
    }

    fn elements(&self, index: usize) -> Result<Elements, ReadError> {
        let accessor = self.accessor(index)?;
        let (Checked::Valid(component), Checked::Valid(kind)) =
            (accessor.component_type, accessor.type_)
        else {
            let what = format!("accessor {index} has no known type");
            return Err(malformed("accessors", what));
        };
        Ok(Elements {
            index,
            component: component.0,
            num_components: num_components(kind),
            count: length(accessor.count.0, index)?,
        })
    }

    /// Type and number of an accessor's values, for inspection of their bytes.
    pub(super) fn values_of(&self, index: usize, integers: Integers) -> Option<AccessorValues> {
        let accessor = self.accessor(index).ok()?;
        let elements = self.elements(index).ok()?;
        let is_fraction = integers == Integers::Fractions || accessor.normalized;
        Some(AccessorValues {
            scalar: scalar(elements.component, is_fraction),
            num_components: elements.num_components,
            num_bytes: elements.num_bytes(),
            count: elements.count,
        })
    }

    /// Number of elements, and of components per element.
    pub(super) fn shape(&self, index: usize) -> Result<(usize, usize), ReadError> {
        let elements = self.elements(index)?;
        Ok((elements.count, elements.num_components))
    }

    /// The accessor as floats, `N` per element.
    pub(super) fn floats<const N: usize>(
        &mut self,
        index: usize,
        integers: Integers,
    ) -> Result<Vec<[f32; N]>, ReadError> {
        let is_fraction = integers == Integers::Fractions || self.accessor(index)?.normalized;
        let elements = self.elements(index)?;
        match elements.component {
            ComponentType::F32 => self.read(elements, AsStored),
            kind => self.read(elements, float(kind, is_fraction)),
        }
    }

    /// The accessor as unsigned integers, `N` per element.
    pub(super) fn integers<const N: usize>(
        &mut self,
        index: usize,
    ) -> Result<Vec<[u32; N]>, ReadError> {
        let elements = self.elements(index)?;
        let decode = integer(elements.component).ok_or_else(|| {
            let stored = match elements.component {
                ComponentType::F32 => "floats",
                _ => "signed integers",
            };
            let what =
                format!("accessor {index} stores {stored} where unsigned integers are required");
            malformed("accessors", what)
        })?;
        match elements.component {
            ComponentType::U32 => self.read(elements, AsStored),
            _ => self.read(elements, decode),
        }
    }

    fn read<T: Pod + Send, const N: usize>(
        &mut self,
        elements: Elements,
        decode: impl Decode<T> + Sync,
    ) -> Result<Vec<[T; N]>, ReadError> {
        let Elements { index, count, .. } = elements;
        if elements.num_components != N {
            let found = elements.num_components;
            let what = format!("accessor {index} has {found} components where {N} are needed");
            return Err(malformed("accessors", what));
        }
        let accessor = self.accessor(index)?;
        let data = match accessor.buffer_view {
            None => None,
            Some(view) => {
                let view = self.view(view.value())?;
                let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
                let stride = view.stride.unwrap_or_else(|| elements.num_bytes());
                let range = range(elements, offset, stride, view.bytes.len())?;
                Some((view.bytes, range, stride))
            }
        };
        let mut values = self.zeros::<[T; N]>(count, "accessor count")?;
        if let Some((bytes, range, stride)) = data {
            let size = elements.component.size();
            let fill = |(block, values): (usize, &mut [[T; N]])| {
                let start = range.start + block * BLOCK * stride;
                let end = range.end.min(start + values.len() * stride);
                if stride == size * N {
                    let values = values.as_flattened_mut();
                    match decode.as_stored(values) {
                        Some(stored) => bytes.read_at(start, stored)?,
                        None => decode.fill(values, &bytes.part(start..end)?, size),
                    }
                    return Ok::<(), ReadError>(());
                }
                let bytes = bytes.part(start..end)?;
                for (value, element) in values.iter_mut().zip(bytes.chunks(stride)) {
                    decode.fill(value, element, size);
                }
                Ok(())
            };
            if count > BLOCK {
                values.par_chunks_mut(BLOCK).enumerate().try_for_each(fill)?
            } else {
                fill((0, &mut values))?
            }
        }
        if let Some(sparse) = &accessor.sparse {
            self.overlay(&mut values, sparse, elements, decode)?;
        }
        Ok(values)
    }

    /// Replaces the elements that a sparse accessor overrides (section 3.6.2.3).
    fn overlay<T: Pod, const N: usize>(
        &mut self,
        values: &mut [[T; N]],
        sparse: &sparse::Sparse,
        elements: Elements,
        decode: impl Decode<T>,
    ) -> Result<(), ReadError> {
        let index = elements.index;
        let num = length(sparse.count.0, index)?;
        if num > values.len() {
            let what = format!("accessor {index} replaces {num} of {} elements", values.len());
            return Err(malformed("sparse", what));
        }
        let Checked::Valid(kind) = sparse.indices.component_type else {
            let what = format!("accessor {index} has sparse indices of no known type");
            return Err(malformed("sparse", what));
        };
        let places = Elements { component: kind.0, num_components: 1, count: num, ..elements };
        let decode_place = integer(kind.0);
        let places_stored = self.view(sparse.indices.buffer_view.value())?.bytes;
        let offset = sparse.indices.byte_offset.0;
        let place_range = range(places, offset, places.num_bytes(), places_stored.len())?;
        let values_stored = self.view(sparse.values.buffer_view.value())?.bytes;
        let replaced = Elements { count: num, ..elements };
        let (offset, stride) = (sparse.values.byte_offset.0, replaced.num_bytes());
        let value_range = range(replaced, offset, stride, values_stored.len())?;

        let place_bytes = places_stored.part(place_range)?;
        let value_bytes = values_stored.part(value_range)?;
        let places = place_bytes.chunks_exact(places.num_bytes());
        let (mut before, mut num_unsorted, mut first_unsorted) = (None, 0, None);
        for (place, element) in places.zip(value_bytes.chunks_exact(stride)) {
            let place = decode_place.map_or(u32::MAX, |decode| decode(place)) as usize;
            if let Some(before) = before.filter(|before| *before >= place) {
                num_unsorted += 1;
                first_unsorted.get_or_insert((before, place));
            }
            before = Some(place);
            let num = values.len();
            let Some(value) = values.get_mut(place) else {
                let what = format!("accessor {index} replaces element {place} of {num}");
                return Err(malformed("sparse", what));
            };
            decode.fill(value, element, elements.component.size());
        }
        if let Some((before, place)) = first_unsorted.filter(|_| self.is_first_check(index)) {
            let kind = FindingKind::SparseIndicesUnsorted;
            self.report.add_many(kind, Place::File, num_unsorted, || {
                format!(
                    "the sparse indices of accessor {index} don't ascend: {place} follows {before}"
                )
            });
        }
        Ok(())
    }
}

fn num_components(kind: Type) -> usize {
    kind.multiplicity()
}

fn length(num: u64, accessor: usize) -> Result<usize, ReadError> {
    usize::try_from(num).map_err(|_| {
        let what = format!("accessor {accessor} has {num} elements");
        malformed("accessors", what)
    })
}

/// Range of the elements within the `len` bytes of a view.
fn range(
    elements: Elements,
    offset: u64,
    stride: usize,
    len: usize,
) -> Result<std::ops::Range<usize>, ReadError> {
    let Elements { index, count, .. } = elements;
    let num_bytes = elements.num_bytes();
    let end = || {
        let start = usize::try_from(offset).ok()?;
        let last = count.checked_sub(1)?.checked_mul(stride)?;
        let end = start.checked_add(last)?.checked_add(num_bytes)?;
        (end <= len).then_some(start..end)
    };
    if stride < num_bytes {
        let what = format!(
            "accessor {index} has a stride of {stride} bytes for elements of {num_bytes} bytes"
        );
        return Err(malformed("byteStride", what));
    }
    if count == 0 {
        return Ok(0..0);
    }
    end().ok_or_else(|| {
        let what = format!(
            "accessor {index} has {count} elements of {num_bytes} bytes at {offset}, which exceed \
             {len} bytes left"
        );
        malformed("accessors", what)
    })
}

/// The values of `accessor`, if their number equals the number of vertices.
pub(super) fn as_many<T>(
    values: Vec<T>,
    num_vertices: usize,
    accessor: usize,
) -> Result<impl Iterator<Item = T>, ReadError> {
    let num = values.len();
    if num == num_vertices {
        Ok(values.into_iter())
    } else {
        let what = format!("accessor {accessor} has {num} values for {num_vertices} vertices");
        Err(malformed("attributes", what))
    }
}
