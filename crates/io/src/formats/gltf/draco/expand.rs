//! Stores the decoded values in buffer views of the accessors.

use std::collections::{BTreeMap, HashMap, HashSet};

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::buffer::View;
use gltf_json::mesh::Mode;
use gltf_json::validation::{Checked, USize64};
use gltf_json::{Accessor, Index, Root};
use rayon::prelude::*;

use super::extension::{CompressedPrimitive, NAME, Shape};
use super::stream::{DecodedStream, StreamLimits, decode};
use crate::formats::ReadError;
use crate::formats::gltf::buffers::Buffers;
use crate::formats::gltf::fault::{malformed, nth};
use crate::formats::gltf::memory::{Compression, Memory};
use rigscope_core::model::{ByteView, Element, FindingKind, Place, Report, as_u32};

/// Smooth, coarsely quantized meshes have the highest ratio. The decoder needs up to 7 times
/// the memory of the result, measured on 2,000 streams.
const DRACO: Compression = Compression { max_ratio: 64, decoder_factor: 8 };
/// Exporters that don't update the counts of accessors state those before compression, which may
/// be lower: vertices are split where attributes differ.
const MAX_GROWTH: usize = 2;
/// Largest attribute, and room for those that the extension doesn't list, in bytes per vertex.
const ATTRIBUTE_BYTES: usize = 16;

/// A stream to decode.
struct Job {
    bytes: ByteView,
    /// Bytes of the decoded values according to the accessors.
    num_bytes: usize,
    limits: StreamLimits,
    /// The first primitive that uses it.
    name: String,
}

/// Decodes the streams of all primitives that nodes refer to, and makes their accessors refer to
/// the decoded values. Returns these accessors.
pub(in crate::formats::gltf) fn expand(
    root: &mut Root,
    buffers: &mut Buffers,
    memory: &mut Memory,
    report: &Report,
) -> Result<HashSet<usize>, ReadError> {
    let primitives = compressed_primitives(root)?;
    if primitives.is_empty() {
        return Ok(HashSet::new());
    }
    report.progress("decompressing meshes", 0.1)?;
    let mut jobs: BTreeMap<usize, Job> = BTreeMap::new();
    for primitive in &primitives {
        let (num_bytes, limits) = sizes(root, primitive)?;
        if let Some(known) = jobs.get_mut(&primitive.view) {
            known.num_bytes = known.num_bytes.max(num_bytes);
            known.limits.num_bytes = known.limits.num_bytes.max(limits.num_bytes);
            continue;
        }
        let bytes = stream_bytes(root, buffers, primitive.view, report)?;
        let name = primitive_name(root, primitive);
        jobs.insert(primitive.view, Job { bytes, num_bytes, limits, name });
    }
    for job in jobs.values() {
        memory.raise(job.num_bytes, DRACO);
        memory.charge::<[u8; 8]>(job.num_bytes, NAME)?;
    }
    let decoded: Vec<_> = jobs
        .into_par_iter()
        .map(|(view, job)| {
            let decoded = decode(&job.bytes, job.limits).map_err(|why| {
                malformed(NAME, format!("{}: the Draco data can't be decoded: {why}", job.name))
            });
            (view, decoded)
        })
        .collect();
    let mut streams = HashMap::new();
    for (view, decoded) in decoded {
        streams.insert(view, decoded?);
    }
    let mut binder =
        Binder { root, buffers, report, claimed: HashMap::new(), views: HashMap::new() };
    for primitive in primitives {
        let stream = streams.get(&primitive.view);
        let stream = stream.ok_or_else(|| malformed(NAME, "a stream is missing"))?;
        binder.bind(&primitive, stream)?;
    }
    Ok(binder.claimed.into_keys().collect())
}

/// The compressed primitives of all meshes that a node refers to.
fn compressed_primitives(root: &Root) -> Result<Vec<CompressedPrimitive>, ReadError> {
    let used: HashSet<usize> =
        root.nodes.iter().filter_map(|node| Some(node.mesh?.value())).collect();
    let mut found = Vec::new();
    for (mesh, stored) in root.meshes.iter().enumerate().filter(|(mesh, _)| used.contains(mesh)) {
        for (at, primitive) in stored.primitives.iter().enumerate() {
            let name = || CompressedPrimitive::name(mesh, stored.name.as_deref(), at);
            found.extend(CompressedPrimitive::of(primitive, (mesh, at), name)?);
        }
    }
    Ok(found)
}

fn primitive_name(root: &Root, primitive: &CompressedPrimitive) -> String {
    let mesh = root.meshes.get(primitive.mesh);
    let name = mesh.and_then(|mesh| mesh.name.as_deref());
    CompressedPrimitive::name(primitive.mesh, name, primitive.primitive)
}

fn count(accessor: &Accessor) -> usize {
    usize::try_from(accessor.count.0).unwrap_or(usize::MAX)
}

/// The size of a primitive's values according to its accessors, and limits with room for counts
/// that are out of date.
fn sizes(root: &Root, primitive: &CompressedPrimitive) -> Result<(usize, StreamLimits), ReadError> {
    let (mut num_vertices, mut vertex_bytes) = (0, 0);
    for (_, accessor, _) in &primitive.attributes {
        let accessor = nth(&root.accessors, *accessor, "accessor")?;
        num_vertices = num_vertices.max(count(accessor));
        vertex_bytes += type_of(accessor).map_or(0, |(kind, num)| kind.size() * num);
    }
    let num_indices = match primitive.indices {
        Some(accessor) => count(nth(&root.accessors, accessor, "accessor")?),
        None => num_vertices.saturating_mul(3),
    };
    let num_triangles =
        if primitive.shape == Shape::TriangleList { num_indices / 3 } else { num_indices };
    let num_bytes = num_vertices.saturating_mul(vertex_bytes);
    let num_others = primitive.num_other_attributes + 1;
    let most_vertices = num_vertices.saturating_mul(MAX_GROWTH);
    let limits = StreamLimits {
        num_vertices: most_vertices,
        num_triangles: num_triangles.saturating_mul(MAX_GROWTH),
        num_bytes: most_vertices.saturating_mul(vertex_bytes + num_others * ATTRIBUTE_BYTES),
    };
    Ok((num_bytes.saturating_add(num_triangles.saturating_mul(12)), limits))
}

fn stream_bytes(
    root: &Root,
    buffers: &Buffers,
    view: usize,
    report: &Report,
) -> Result<ByteView, ReadError> {
    let stored = nth(&root.buffer_views, view, "bufferView")?;
    let offset = stored.byte_offset.map_or(0, |offset| offset.0);
    let (buffer, len) = (stored.buffer.value(), stored.byte_length.0);
    if let Some(place) = buffers.place(buffer, offset, len) {
        report.span(place.span(Element::Compressed));
    }
    let bytes = buffers.view(buffer, offset, len)?;
    bytes.part(0..bytes.len())
}

/// Component type of an accessor, and its number of components.
fn type_of(accessor: &Accessor) -> Option<(ComponentType, usize)> {
    match (accessor.component_type, accessor.type_) {
        (Checked::Valid(kind), Checked::Valid(shape)) => Some((kind.0, shape.multiplicity())),
        _ => None,
    }
}

/// Part of a stream that an accessor can refer to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum StreamPart {
    Triangles,
    /// An attribute, by id, and the type of its components as the number that accessors store.
    Attribute(u32, u32),
}

/// Makes accessors refer to decoded values.
struct Binder<'a> {
    root: &'a mut Root,
    buffers: &'a mut Buffers,
    report: &'a Report,
    /// The part of a stream that each accessor refers to.
    claimed: HashMap<usize, (usize, StreamPart)>,
    /// Buffer views of decoded values.
    views: HashMap<(usize, StreamPart), Index<View>>,
}

impl Binder<'_> {
    fn bind(
        &mut self,
        primitive: &CompressedPrimitive,
        stream: &DecodedStream,
    ) -> Result<(), ReadError> {
        let name = primitive_name(self.root, primitive);
        let num_vertices = stream.num_vertices;
        // Of the first attribute; those of one primitive have the same.
        let mut first_count = None;
        for (semantic, accessor, id) in &primitive.attributes {
            let fault =
                |what: String| malformed(NAME, format!("{name}, {}: {what}", semantic.to_string()));
            let attribute = stream.attributes.get(id);
            let attribute = attribute.ok_or_else(|| {
                fault(format!("the Draco data has no attribute with the id {id}"))
            })?;
            let stored = nth(&self.root.accessors, *accessor, "accessor")?;
            let (kind, num_components) = type_of(stored)
                .ok_or_else(|| fault(format!("accessor {accessor} has no known type")))?;
            first_count.get_or_insert((*accessor, count(stored)));
            if num_components != attribute.num_components {
                let found = attribute.num_components;
                return Err(fault(format!(
                    "the Draco data has {found} components, but accessor {accessor} states \
                     {num_components}"
                )));
            }
            let part = (primitive.view, StreamPart::Attribute(*id, kind.as_gl_enum()));
            if !self.views.contains_key(&part) {
                let bytes = attribute.bytes_as(kind).ok_or_else(|| {
                    fault(format!("the Draco data doesn't fit the type of accessor {accessor}"))
                })?;
                self.add_view(part, bytes);
            }
            let bound = self.claim(*accessor, part, num_vertices)?;
            if let Some(slot) = self
                .primitive(primitive)
                .and_then(|stored| stored.attributes.get_mut(&Checked::Valid(semantic.clone())))
            {
                *slot = bound;
            }
        }
        let difference = |num, what, accessor, stated| {
            format!(
                "{name}: the Draco data has {num} {what}, but accessor {accessor} states {stated}"
            )
        };
        let mut differences = Vec::new();
        if let Some((accessor, stated)) = first_count.filter(|(_, num)| *num != num_vertices) {
            differences.push(difference(num_vertices, "vertices", accessor, stated));
        }
        match (&stream.triangles, primitive.shape) {
            (_, Shape::Loose) => {}
            (None, _) => {
                let what = format!("{name}: the Draco data has no triangles");
                return Err(malformed(NAME, what));
            }
            (Some(triangles), shape) => {
                let stored = |accessor| nth(&self.root.accessors, accessor, "accessor");
                if let (Some(accessor), Shape::TriangleList) = (primitive.indices, shape) {
                    let (num, stated) = (triangles.len(), count(stored(accessor)?));
                    if num != stated {
                        differences.push(difference(num, "indices", accessor, stated));
                    }
                }
                self.bind_triangles(primitive, triangles)?;
            }
        }
        let num = differences.len() as u64;
        let kind = FindingKind::DracoCountDiffers;
        self.report.add_many(kind, Place::File, num, || differences.join("; "));
        Ok(())
    }

    /// The triangles of a stream are always a list, whatever the primitive's mode is.
    fn bind_triangles(
        &mut self,
        primitive: &CompressedPrimitive,
        triangles: &[u32],
    ) -> Result<(), ReadError> {
        let part = (primitive.view, StreamPart::Triangles);
        if !self.views.contains_key(&part) {
            self.add_view(part, triangles.iter().flat_map(|index| index.to_le_bytes()).collect());
        }
        let bound = match primitive.indices {
            Some(accessor) => self.claim(accessor, part, triangles.len())?,
            None => {
                let accessor = accessor_of_indices();
                self.root.accessors.push(accessor);
                self.claim(self.root.accessors.len() - 1, part, triangles.len())?
            }
        };
        if let Some(accessor) = self.root.accessors.get_mut(bound.value()) {
            accessor.component_type = Checked::Valid(GenericComponentType(ComponentType::U32));
            accessor.type_ = Checked::Valid(Type::Scalar);
        }
        if let Some(stored) = self.primitive(primitive) {
            stored.indices = Some(bound);
            stored.mode = Checked::Valid(Mode::Triangles);
        }
        Ok(())
    }

    fn primitive(
        &mut self,
        primitive: &CompressedPrimitive,
    ) -> Option<&mut gltf_json::mesh::Primitive> {
        self.root.meshes.get_mut(primitive.mesh)?.primitives.get_mut(primitive.primitive)
    }

    fn add_view(&mut self, part: (usize, StreamPart), bytes: Vec<u8>) {
        let view = View {
            buffer: Index::new(u32::MAX),
            byte_length: USize64(bytes.len() as u64),
            byte_offset: None,
            byte_stride: None,
            name: None,
            target: None,
            extensions: None,
            extras: Default::default(),
        };
        let buffer = as_u32(self.buffers.add(bytes));
        let view = self.root.push(View { buffer: Index::new(buffer), ..view });
        self.views.insert(part, view);
    }

    /// Makes an accessor refer to `part`, or a copy of it if other primitives need its other values.
    fn claim(
        &mut self,
        accessor: usize,
        part: (usize, StreamPart),
        num: usize,
    ) -> Result<Index<Accessor>, ReadError> {
        let mut stored = nth(&self.root.accessors, accessor, "accessor")?.clone();
        let is_own = match self.claimed.get(&accessor) {
            Some(known) => *known == part,
            None => stored.buffer_view.is_none() && stored.sparse.is_none(),
        };
        stored.buffer_view = self.views.get(&part).copied();
        (stored.byte_offset, stored.sparse) = (None, None);
        stored.count = USize64(num as u64);
        let bound = match self.root.accessors.get_mut(accessor).filter(|_| is_own) {
            Some(slot) => {
                *slot = stored;
                Index::new(as_u32(accessor))
            }
            None => self.root.push(stored),
        };
        self.claimed.insert(bound.value(), part);
        Ok(bound)
    }
}

/// For a primitive that doesn't name any.
fn accessor_of_indices() -> Accessor {
    Accessor {
        buffer_view: None,
        byte_offset: None,
        count: USize64(0),
        component_type: Checked::Valid(GenericComponentType(ComponentType::U32)),
        extensions: None,
        extras: Default::default(),
        type_: Checked::Valid(Type::Scalar),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
    }
}
