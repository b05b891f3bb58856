//! The JSON and the binary buffer under construction: buffer views and accessors.
//!
//! Source: glTF 2.0, sections 3.6.2 (accessors, alignment, bounds) and 5.11 (buffer views).

use rigscope_core::model::as_u32;
use std::collections::HashMap;

use gltf_json::accessor::{Accessor, ComponentType, GenericComponentType, Type, sparse};
use gltf_json::buffer::{Target, View};
use gltf_json::validation::{Checked, USize64};
use gltf_json::{Index, Root};
use serde_json::Value;

use crate::formats::record::bytes_of;

/// Alignment of accessors in bytes.
const ALIGNMENT: usize = 4;

/// Index into one of the root's lists, as the crate's type.
pub(super) fn index<T>(at: usize) -> Index<T> {
    Index::new(as_u32(at))
}

/// Usage of a buffer view; a view may only have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// A vertex attribute.
    Vertices,
    Indices,
    /// Sampler times and values; those of one clip share a view.
    Keys,
    /// Other data.
    Other,
}

/// A channel that animates the property at `pointer`. The crate's types only have channels of nodes, so that it has a
/// placeholder as its target until the text is made.
pub(super) struct PointerChannel {
    pub(super) animation: usize,
    pub(super) channel: usize,
    pub(super) pointer: String,
}

/// A file under construction.
#[derive(Default)]
pub(super) struct FileData {
    pub(super) root: Root,
    pub(super) bin: Vec<u8>,
    pub(super) pointers: Vec<PointerChannel>,
    /// Accessors of key times by their bits: many channels share the same times.
    times: HashMap<Vec<u32>, usize>,
    /// The view to which keys are still appended.
    open_keys: Option<usize>,
}

fn kind_of<const N: usize>() -> Type {
    match N {
        1 => Type::Scalar,
        2 => Type::Vec2,
        3 => Type::Vec3,
        16 => Type::Mat4,
        _ => Type::Vec4,
    }
}

/// Minimum and maximum per component, as JSON.
fn bounds<const N: usize>(values: &[[f32; N]]) -> (Option<Value>, Option<Value>) {
    let fold = |start: f32, pick: fn(f32, f32) -> f32| {
        let mut all = [start; N];
        for value in values {
            for (bound, number) in all.iter_mut().zip(value) {
                *bound = pick(*bound, *number);
            }
        }
        // JSON has no negative zero.
        let list = all.iter().map(|number| Value::from(f64::from(*number) + 0.0));
        Some(Value::Array(list.collect()))
    };
    (fold(f32::INFINITY, f32::min), fold(f32::NEG_INFINITY, f32::max))
}

/// The place of bytes in a view.
struct Placement {
    view: usize,
    offset: usize,
}

impl FileData {
    /// Appends bytes to the buffer.
    fn place(&mut self, bytes: &[u8], used_for: Use) -> Placement {
        let padded = self.bin.len().next_multiple_of(ALIGNMENT);
        self.bin.resize(padded, 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        let open = self.open_keys.filter(|_| used_for == Use::Keys);
        if let Some(at) = open
            && let Some(view) = self.root.buffer_views.get_mut(at)
        {
            let start = view.byte_offset.map_or(0, |offset| offset.0);
            let start = usize::try_from(start).unwrap_or(offset);
            view.byte_length = USize64::from(self.bin.len().saturating_sub(start));
            return Placement { view: at, offset: offset.saturating_sub(start) };
        }
        let at = self.root.buffer_views.len();
        self.root.buffer_views.push(View {
            buffer: Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(offset)),
            byte_stride: None,
            name: None,
            target: match used_for {
                Use::Vertices => Some(Checked::Valid(Target::ArrayBuffer)),
                Use::Indices => Some(Checked::Valid(Target::ElementArrayBuffer)),
                Use::Keys | Use::Other => None,
            },
            extensions: None,
            extras: Default::default(),
        });
        self.open_keys = (used_for == Use::Keys).then_some(at);
        Placement { view: at, offset: 0 }
    }

    /// A view of bytes that don't belong to an accessor.
    pub(super) fn view(&mut self, bytes: &[u8]) -> Index<View> {
        index(self.place(bytes, Use::Other).view)
    }

    /// Makes the next keys start a new view.
    pub(super) fn close_keys(&mut self) {
        self.open_keys = None;
    }

    fn accessor(
        &mut self,
        Placement { view, offset }: Placement,
        kind: Type,
        component: ComponentType,
        count: usize,
    ) -> usize {
        let at = self.root.accessors.len();
        self.root.accessors.push(Accessor {
            buffer_view: Some(index(view)),
            byte_offset: (offset > 0).then(|| USize64::from(offset)),
            ..bare(kind, component, count)
        });
        at
    }

    pub(super) fn floats<const N: usize>(&mut self, values: &[[f32; N]], used_for: Use) -> usize {
        let place = self.place(&bytes_of(values), used_for);
        self.accessor(place, kind_of::<N>(), ComponentType::F32, values.len())
    }

    pub(super) fn bounded<const N: usize>(&mut self, values: &[[f32; N]], used_for: Use) -> usize {
        let at = self.floats(values, used_for);
        self.set_bounds(at, values);
        at
    }

    fn set_bounds<const N: usize>(&mut self, at: usize, values: &[[f32; N]]) {
        if let Some(accessor) = self.root.accessors.get_mut(at) {
            (accessor.min, accessor.max) = bounds(values);
        }
    }

    /// An accessor of key times; equal times share one.
    pub(super) fn times(&mut self, times: &[f32]) -> usize {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(&known) = self.times.get(&bits) {
            return known;
        }
        let values: Vec<[f32; 1]> = times.iter().map(|&time| [time]).collect();
        let at = self.bounded(&values, Use::Keys);
        self.times.insert(bits, at);
        at
    }

    /// Offsets that may be mostly zero: stored sparse if that is smaller (section 3.6.2.3).
    pub(super) fn offsets(&mut self, values: &[[f32; 3]], has_bounds: bool) -> usize {
        let moved: Vec<(u32, [f32; 3])> = (0u32..)
            .zip(values)
            .filter(|(_, value)| **value != [0.0; 3])
            .map(|(at, value)| (at, *value))
            .collect();
        // A sparse element takes 4 bytes for the index and 12 for the value, a dense one 12.
        let at = if moved.len() >= values.len() / 4 * 3 {
            self.floats(values, Use::Vertices)
        } else {
            let at = self.root.accessors.len();
            let sparse = (!moved.is_empty()).then(|| self.sparse(&moved));
            self.root
                .accessors
                .push(Accessor { sparse, ..bare(Type::Vec3, ComponentType::F32, values.len()) });
            at
        };
        if has_bounds {
            self.set_bounds(at, values);
        }
        at
    }

    fn sparse(&mut self, moved: &[(u32, [f32; 3])]) -> sparse::Sparse {
        let (indices, values): (Vec<u32>, Vec<[f32; 3]>) = moved.iter().copied().unzip();
        let indices = self.place(&bytes_of(&indices), Use::Other).view;
        let values = self.place(&bytes_of(&values), Use::Other).view;
        sparse::Sparse {
            count: USize64::from(moved.len()),
            indices: sparse::Indices {
                buffer_view: index(indices),
                byte_offset: USize64(0),
                component_type: Checked::Valid(gltf_json::accessor::IndexComponentType(
                    ComponentType::U32,
                )),
                extensions: None,
                extras: Default::default(),
            },
            values: sparse::Values {
                buffer_view: index(values),
                byte_offset: USize64(0),
                extensions: None,
                extras: Default::default(),
            },
            extensions: None,
            extras: Default::default(),
        }
    }

    /// Four joints per vertex: as bytes if possible.
    pub(super) fn joints(&mut self, values: &[[u16; 4]]) -> usize {
        let flat = values.as_flattened();
        let bytes: Option<Vec<u8>> = flat.iter().map(|&j| u8::try_from(j).ok()).collect();
        let (bytes, component) = match bytes {
            Some(bytes) => (bytes, ComponentType::U8),
            None => (bytes_of(flat), ComponentType::U16),
        };
        let place = self.place(&bytes, Use::Vertices);
        self.accessor(place, Type::Vec4, component, values.len())
    }

    /// Triangle indices: 16 bits if the number of vertices permits. The largest value of each type
    /// is reserved for primitive restart (section 3.7.2.1).
    pub(super) fn indices(&mut self, values: &[u32], num_vertices: usize) -> usize {
        let (bytes, component): (Vec<u8>, _) = if num_vertices <= usize::from(u16::MAX) {
            let short = |&at: &u32| u16::try_from(at).unwrap_or_default();
            (bytes_of(&values.iter().map(short).collect::<Vec<u16>>()), ComponentType::U16)
        } else {
            (bytes_of(values), ComponentType::U32)
        };
        let place = self.place(&bytes, Use::Indices);
        self.accessor(place, Type::Scalar, component, values.len())
    }
}

/// An accessor without data: all zeros.
fn bare(kind: Type, component: ComponentType, count: usize) -> Accessor {
    Accessor {
        buffer_view: None,
        byte_offset: None,
        count: USize64::from(count),
        component_type: Checked::Valid(GenericComponentType(component)),
        extensions: None,
        extras: Default::default(),
        type_: Checked::Valid(kind),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
    }
}
