//! Vertex arrays: attribute streams, and influences.

use glam::{Vec2, Vec3, Vec4};

use super::components::{fraction_of, read, scalar_of, unit};
use super::header::{IqmHeader, TableLocation};
use super::tables::FileTables;
use crate::formats::ReadError;
use crate::formats::record::record;
use rigscope_core::model::{
    Element, Field, FindingKind, Influences, Place, Scalar, Span, Streams, UvSet, as_u32,
    color_from_srgb,
};

record! {
    /// Location and contents of an array.
    pub(super) struct ArrayRecord {
        kind: u32 = "type";
        flags: u32 = "flags";
        /// Number format.
        format: u32 = "format";
        /// Components per vertex.
        size: u32 = "size";
        offset: u32 = "offset";
    }
}

/// Types from here on are this number plus the offset of a name.
const FIRST_CUSTOM: u32 = 0x10;
/// Maximum number of influences per vertex; the specification recommends 4.
const MAX_INFLUENCES: usize = 16;
/// Maximum number of UV sets; many arrays can refer to the same bytes.
const MAX_UV_SETS: usize = 8;

pub(super) const POSITION: u32 = 0;
pub(super) const TEXCOORD: u32 = 1;
pub(super) const NORMAL: u32 = 2;
pub(super) const TANGENT: u32 = 3;
pub(super) const BLEND_INDEXES: u32 = 4;
pub(super) const BLEND_WEIGHTS: u32 = 5;
pub(super) const COLOR: u32 = 6;

/// Contents of a file's vertex arrays.
#[derive(Default)]
pub(super) struct VertexAttributes {
    pub(super) streams: Streams,
    /// `None` without blend indexes.
    pub(super) influences: Option<Influences>,
    /// Vertices without weights, and their first bones.
    pub(super) unweighted: Vec<(u32, u32)>,
    /// Names of unknown arrays; their bytes are preserved.
    pub(super) custom: Vec<String>,
}

#[derive(Clone, Copy)]
struct Array<'a> {
    bytes: &'a [u8],
    component: Scalar,
    size: usize,
}

impl Array<'_> {
    fn record(&self, vertex: usize) -> &[u8] {
        let stride = self.size * self.component.num_bytes();
        let first = vertex * stride;
        self.bytes.get(first..first + stride).unwrap_or_default()
    }

    /// Component `at` of a vertex as stored.
    fn plain(&self, vertex: usize, at: usize) -> f64 {
        let record = self.record(vertex);
        let first = at * self.component.num_bytes();
        read(self.component, record.get(first..).unwrap_or_default())
    }

    /// Components of a vertex, with those of `missing` for absent ones; integers are converted to
    /// fractions.
    #[expect(clippy::cast_possible_truncation, reason = "streams are f32")]
    fn fractions<const N: usize>(&self, vertex: usize, missing: [f32; N]) -> [f32; N] {
        let mut values = missing;
        for (at, value) in values.iter_mut().enumerate().take(self.size) {
            *value = (self.plain(vertex, at) / unit(self.component)) as f32;
        }
        values
    }

    /// Like [`Self::fractions`], but without conversion of integers.
    #[expect(clippy::cast_possible_truncation, reason = "streams are f32")]
    fn numbers<const N: usize>(&self, vertex: usize) -> [f32; N] {
        std::array::from_fn(|at| self.plain(vertex, at) as f32)
    }

    /// Component `at` of a vertex as a slot; invalid values become `u32::MAX`.
    fn slot(&self, vertex: usize, at: usize) -> u32 {
        let value = self.plain(vertex, at);
        let is_slot = value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0;
        #[expect(clippy::cast_possible_truncation, reason = "checked before")]
        #[expect(clippy::cast_sign_loss, reason = "checked before")]
        if is_slot { value as u32 } else { u32::MAX }
    }
}

pub(super) fn vertices(
    tables: &mut FileTables<'_>,
    header: &IqmHeader,
) -> Result<VertexAttributes, ReadError> {
    let num_vertices = header.num_vertices;
    let table = TableLocation { num: header.num_vertex_arrays, offset: header.vertex_arrays };
    let records = tables.list::<ArrayRecord>(table, Element::VertexArray, "vertex arrays")?;
    let mut vertices = VertexAttributes::default();
    let (mut indexes, mut weights) = (None, None);
    let mut has_positions = false;
    let mut seen = [false; FIRST_CUSTOM as usize];
    for record in records {
        tables.report.progress("reading vertices", 0.1)?;
        let array = array(tables, &record, num_vertices)?;
        let kind = record.kind;
        let num = num_vertices as usize;
        let is_second =
            seen.get_mut(kind as usize).is_some_and(|seen| std::mem::replace(seen, true));
        let streams = &mut vertices.streams;
        match kind {
            // Reads more than one set, though the specification has only one.
            TEXCOORD if streams.uv_sets.len() < MAX_UV_SETS => {
                let coords = collect(tables, num, |v| Vec2::from(array.fractions(v, [0.0; 2])))?;
                streams.uv_sets.push(UvSet { name: String::new(), coords });
            }
            _ if is_second => dropped(tables, kind, "occurs more than once"),
            POSITION => {
                streams.positions = collect(tables, num, |v| Vec3::from(array.numbers(v)))?;
                has_positions = true;
            }
            NORMAL => {
                streams.normals =
                    collect(tables, num, |v| Vec3::from(array.fractions(v, [0.0; 3])))?;
            }
            TANGENT => {
                streams.tangents =
                    collect(tables, num, |v| Vec4::from(array.fractions(v, [0.0, 0.0, 0.0, 1.0])))?;
            }
            BLEND_INDEXES => indexes = Some(array),
            BLEND_WEIGHTS => weights = Some(array),
            COLOR => {
                streams.colors = collect(tables, num, |v| {
                    color_from_srgb(array.fractions(v, [1.0; 4]).map(f64::from))
                })?;
            }
            FIRST_CUSTOM.. => {
                let name = tables.name(kind - FIRST_CUSTOM, "vertex array name")?;
                tables.keep("custom vertex array", record.offset as usize, array.bytes.len());
                vertices.custom.push(name);
            }
            _ => dropped(tables, kind, "is unknown"),
        }
    }
    if num_vertices > 0 && !has_positions {
        let what = format!("{num_vertices} vertices have no positions");
        return Err(tables.cursor.malformed("vertex arrays", what));
    }
    if let Some(indexes) = indexes {
        let num = num_vertices as usize;
        let unweighted = &mut vertices.unweighted;
        vertices.influences = Some(influences(tables, indexes, weights, num, unweighted)?);
    }
    Ok(vertices)
}

fn dropped(tables: &FileTables<'_>, kind: u32, why: &str) {
    tables.report.add_many(FindingKind::Dropped, Place::File, 1, || {
        format!("a vertex array is left out, because its type {kind} {why}")
    });
}

fn array<'a>(
    tables: &mut FileTables<'a>,
    &ArrayRecord { kind, format, size, offset, .. }: &ArrayRecord,
    num_vertices: u32,
) -> Result<Array<'a>, ReadError> {
    let Some(component) = scalar_of(format) else {
        let what = format!("vertex array of type {kind} has format {format}");
        return Err(tables.cursor.malformed("vertex array format", what));
    };
    let least = match kind {
        POSITION | NORMAL | TANGENT | COLOR => 3,
        TEXCOORD => 2,
        _ => 1,
    };
    if size < least {
        let what = format!("vertex array of type {kind} has {size} components of {least}");
        return Err(tables.cursor.malformed("vertex array size", what));
    }
    let stride = (size as usize).saturating_mul(component.num_bytes());
    let table = TableLocation { num: num_vertices, offset };
    let (num, bytes) = tables.records(table, stride, "vertices")?;
    let scalar = match kind {
        POSITION | BLEND_INDEXES => component,
        _ => fraction_of(component),
    };
    let layout = scalar.times(u16::try_from(size).unwrap_or(u16::MAX));
    let field = Field::new(attribute(kind), 0, layout);
    let span = Span::new(Element::Vertex { mesh: 0 }, offset as usize, stride, num);
    tables.report.span(span.with_fields(vec![field]));
    Ok(Array { bytes, component, size: size as usize })
}

/// Name of an array's attribute.
fn attribute(kind: u32) -> &'static str {
    const ATTRIBUTES: [&str; 7] =
        ["position", "uv", "normal", "tangent", "blend indexes", "blend weights", "color"];
    let known = usize::try_from(kind).ok().and_then(|kind| ATTRIBUTES.get(kind));
    known.copied().unwrap_or("custom")
}

fn collect<T>(
    tables: &mut FileTables<'_>,
    num: usize,
    value: impl Fn(usize) -> T,
) -> Result<Vec<T>, ReadError> {
    let mut list = tables.cursor.vec(num, "vertices")?;
    list.extend((0..num).map(value));
    Ok(list)
}

/// Influences of weight 0 are left out; without weights, the first bone has all weight.
fn influences(
    tables: &mut FileTables<'_>,
    indexes: Array<'_>,
    weights: Option<Array<'_>>,
    num_vertices: usize,
    unweighted: &mut Vec<(u32, u32)>,
) -> Result<Influences, ReadError> {
    let size = weights.map_or(1, |weights| weights.size.min(indexes.size));
    if size > MAX_INFLUENCES {
        let what = format!("{size} influences per vertex exceed {MAX_INFLUENCES}");
        return Err(tables.cursor.unsupported("vertex array size", what));
    }
    // A vertex without weights still has one entry.
    let num_most = num_vertices.saturating_mul(size);
    let mut first = tables.cursor.vec(num_vertices + 1, "influences")?;
    let mut slots = tables.cursor.vec(num_most, "influences")?;
    let mut shares = tables.cursor.vec(num_most, "influences")?;
    first.push(0);
    for vertex in 0..num_vertices {
        let begin = slots.len();
        for at in 0..size {
            let weight = weights.map_or(1.0, |weights| {
                #[expect(clippy::cast_possible_truncation, reason = "weights are f32")]
                let weight = (weights.plain(vertex, at) / unit(weights.component)) as f32;
                weight
            });
            if weight != 0.0 {
                slots.push(indexes.slot(vertex, at));
                shares.push(weight);
            }
        }
        if slots.len() == begin {
            let place = Place::Vertex { mesh: 0, vertex: as_u32(vertex) };
            tables.report.add_many(FindingKind::VertexWithoutWeights, place, 1, || {
                format!("vertex {vertex} has no weights; its first bone gets the whole weight")
            });
            unweighted.push((as_u32(vertex), indexes.slot(vertex, 0)));
            slots.push(indexes.slot(vertex, 0));
            shares.push(1.0);
        }
        first.push(as_u32(slots.len()));
    }
    Ok(Influences::Rows { first, slots, weights: shares })
}
