//! Reads a file: its tables become one mesh, one skeleton and one clip per anim.

use std::collections::{BTreeSet, HashMap};

use std::sync::Arc;

use super::clips::{clips, poses};
use super::header::{IqmHeader, TableLocation, header};
use super::joints::{inverse_binds, joints};
use super::tables::FileTables;
use super::vertices::{VertexAttributes, vertices};
use crate::formats::record::{Record, fields, list, record};
use crate::formats::textures::is_image;
use crate::formats::unknown_bytes::lossy;
use crate::formats::{ReadError, ReadOptions, Source};
use rigscope_core::model::{
    Axes, BoneId, Clip, Detail, Element, Field, FindingKind, Indices, InverseBindSkin, Layout,
    Material, MaterialId, Mesh, Model, Place, Report, Scalar, Skeleton, Skin, Subset, TextureRef,
    TextureRole, UpAxis, VertexData, Winding, as_u32, counted, singular_or_plural,
};

/// Bytes per triangle.
const TRIANGLE_BYTES: usize = 12;
/// Extensions between two checks for cancellation.
const EXTENSIONS_PER_LOOK: usize = 4096;

const INDEX_FIELDS: &[Field] = &fields([("vertex", Scalar::U32.one())]);
const COMMENT_FIELDS: &[Field] = &fields([("comment", Layout::TEXT)]);

record! {
    #[derive(Default)]
    pub(super) struct MeshRecord {
        name: u32 = "name";
        material: u32 = "material";
        first_vertex: u32 = "first vertex";
        num_vertices: u32 = "number of vertices";
        first_triangle: u32 = "first triangle";
        num_triangles: u32 = "number of triangles";
    }

    /// An element of the linked list of extensions.
    struct Extension {
        name: u32 = "name";
        data: TableLocation = "number of bytes", "data";
        next: u32 = "next";
    }
}

pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let (header, file, cut) = header(&bytes, &options.limits)?;
    let read = read_tables(&bytes, &header, file, options, report);
    match (cut, read) {
        (_, Err(ReadError::Cancelled)) => Err(ReadError::Cancelled),
        // A truncated file is rejected even if some of it could be read.
        (Some(cut), _) => Err(cut),
        (None, read) => read,
    }
}

fn read_tables(
    whole: &Arc<Vec<u8>>,
    header: &IqmHeader,
    file: &[u8],
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let mut tables = FileTables::new(whole, file, header.text, &options.limits, report)?;
    let vertices = vertices(&mut tables, header)?;
    report.progress("reading triangles", 0.2)?;
    let indices = triangles(&mut tables, header)?;
    let parts = meshes(&mut tables, header, indices.len() / 3)?;

    let mut skeleton = joints(&mut tables, header, options)?;
    let poses = poses(&mut tables, header, options)?;
    let is_only_animation = skeleton.is_empty();
    if is_only_animation {
        skeleton = poses.skeleton(&tables)?;
    } else {
        poses.compare(&tables, &skeleton);
    }
    let clips = clips(&mut tables, header, &poses, skeleton.len(), options)?;
    let mut details = details(header, &parts, &vertices, &clips);
    extras(&mut tables, header, &mut details)?;

    let mut meshes = Vec::new();
    if header.num_vertices > 0 || !indices.is_empty() {
        let mut skin = skin(&tables, vertices.influences, &skeleton, is_only_animation);
        if let Skin::InverseBind(skin) = &mut skin {
            skin.unweighted_slots = vertices.unweighted;
        }
        if parts.has_several_names() {
            tables.keep_made("mesh names", parts.names.join("\0").into_bytes());
        }
        meshes.push(Mesh {
            name: parts.names.first().cloned().unwrap_or_default(),
            vertices: VertexData::Streams(vertices.streams),
            indices: Indices::U32(indices),
            subsets: parts.subsets,
            skin,
            ..Mesh::default()
        });
    }
    let preserved = tables.finish(file.len());
    Ok(Model {
        axes: Axes { up: UpAxis::Z, winding: Winding::Clockwise, ..Axes::default() },
        meshes: meshes.into(),
        materials: parts.materials.into(),
        skeleton,
        clips: clips.into(),
        provenance: report.take_provenance(),
        details,
        preserved,
        ..Model::default()
    })
}

fn skin(
    tables: &FileTables<'_>,
    influences: Option<rigscope_core::model::Influences>,
    skeleton: &Skeleton,
    is_only_animation: bool,
) -> Skin {
    let Some(influences) = influences else { return Skin::None };
    if is_only_animation {
        let message = "the vertices have blend indexes, but the file has no joints";
        tables.report.add(FindingKind::Dropped, Place::Mesh(0), message);
        return Skin::None;
    }
    Skin::InverseBind(InverseBindSkin {
        bones: (0..skeleton.len()).map(BoneId::from_index).collect(),
        bone_from_mesh: inverse_binds(tables, skeleton),
        influences,
        ..InverseBindSkin::default()
    })
}

fn triangles(tables: &mut FileTables<'_>, header: &IqmHeader) -> Result<Vec<u32>, ReadError> {
    let (num, bytes) = tables.records(header.triangles, TRIANGLE_BYTES, "triangles")?;
    let mut indices = tables.cursor.vec(num * 3, "triangles")?;
    indices.extend(list::<u32>(bytes));
    let offset = header.triangles.offset as usize;
    tables.span(Element::Index { mesh: 0 }, offset, 4, num * 3, INDEX_FIELDS);
    let offset = header.adjacency as usize;
    if offset >= IqmHeader::BYTES {
        // Adjacency isn't read, so it isn't checked either.
        let end = offset.saturating_add(num * TRIANGLE_BYTES);
        if end <= tables.cursor.offset() + tables.cursor.remaining() {
            tables.span(Element::Unread, offset, TRIANGLE_BYTES, num, &[]);
        }
    }
    Ok(indices)
}

/// The meshes of a file: ranges of triangles with a material.
struct MeshTable {
    subsets: Vec<Subset>,
    materials: Vec<Material>,
    names: Vec<String>,
}

impl MeshTable {
    fn has_several_names(&self) -> bool {
        self.names.iter().any(|name| Some(name) != self.names.first())
    }
}

/// Reads the meshes; those with triangles out of range are reported and left out.
fn meshes(
    tables: &mut FileTables<'_>,
    header: &IqmHeader,
    num_triangles: usize,
) -> Result<MeshTable, ReadError> {
    let element = Element::Subset { mesh: 0 };
    let records = tables.list::<MeshRecord>(header.meshes, element, "meshes")?;
    let mut parts = MeshTable {
        subsets: tables.cursor.vec(records.len(), "meshes")?,
        materials: Vec::new(),
        names: tables.cursor.vec(records.len(), "meshes")?,
    };
    let mut known = HashMap::new();
    for (number, record) in records.enumerate() {
        let (first, count) = (record.first_triangle, record.num_triangles);
        parts.names.push(tables.name(record.name, "mesh name")?);
        let name = tables.name(record.material, "material name")?;
        let material = *known.entry(name).or_insert_with_key(|name| {
            parts.materials.push(named_material(name));
            MaterialId::from_index(parts.materials.len() - 1)
        });
        let end = u64::from(first) + u64::from(count);
        let range = first.checked_mul(3).zip(count.checked_mul(3));
        match range.filter(|_| end <= num_triangles as u64) {
            Some((first_index, index_count)) => {
                parts.subsets.push(Subset { first_index, index_count, material: Some(material) })
            }
            None => {
                let place = Place::Subset { mesh: 0, subset: as_u32(number) };
                let kind = FindingKind::SubsetOutOfRange;
                tables.report.add_many(kind, place, 1, || {
                    format!(
                        "mesh {number} has {count} triangles from triangle {first} on, but the file has \
                         {num_triangles}"
                    )
                });
            }
        }
    }
    Ok(parts)
}

/// A material, which may be named after its texture, as the demos do.
fn named_material(name: &str) -> Material {
    let textures = if is_image(name) {
        vec![TextureRef {
            is_found_by_name: true,
            ..TextureRef::file(TextureRole::BaseColor, name)
        }]
    } else {
        Vec::new()
    };
    Material { name: name.to_owned(), textures, ..Material::default() }
}

fn details(
    header: &IqmHeader,
    parts: &MeshTable,
    vertices: &VertexAttributes,
    clips: &[Clip],
) -> Vec<(&'static str, Detail)> {
    let mut details = vec![
        ("flags", Detail::Int(i64::from(header.flags))),
        ("adjacency", Detail::Bool(header.adjacency != 0)),
    ];
    let looping = clips.iter().filter(|clip| clip.is_looping);
    let looping: Vec<String> = looping.map(|clip| clip.name.clone()).collect();
    let lists = [
        ("meshes", &parts.names),
        ("custom vertex arrays", &vertices.custom),
        ("looping clips", &looping),
    ];
    for (what, names) in lists {
        if !names.is_empty() {
            details.push((what, Detail::Text(names.join(", "))));
        }
    }
    details
}

/// Lists and preserves comment and extensions.
fn extras(
    tables: &mut FileTables<'_>,
    header: &IqmHeader,
    details: &mut Vec<(&'static str, Detail)>,
) -> Result<(), ReadError> {
    let (num, bytes) = tables.records(header.comment, 1, "comment")?;
    if num > 0 {
        let offset = header.comment.offset as usize;
        tables.span(Element::Comment, offset, num, 1, COMMENT_FIELDS);
        tables.keep("comment", offset, num);
        let place = Place::Offset(u64::from(header.comment.offset));
        let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
        let text = bytes.get(..end).unwrap_or_default();
        let text = lossy(text, place, "comment", tables.report);
        details.push(("comment", Detail::Text(text)));
    }
    let mut names = Vec::new();
    let mut seen = BTreeSet::new();
    let mut next = header.extensions.offset;
    // A cyclic list ends when it repeats.
    while names.len() < header.extensions.num as usize && next != 0 && seen.insert(next) {
        if names.len() % EXTENSIONS_PER_LOOK == 0 {
            tables.report.progress("reading extensions", 0.6)?;
        }
        let table = TableLocation { num: 1, offset: next };
        for extension in tables.list::<Extension>(table, Element::Extension, "extension")? {
            names.push(tables.name(extension.name, "extension name")?);
            let (num, _) = tables.records(extension.data, 1, "extension data")?;
            let offset = extension.data.offset as usize;
            tables.span(Element::Extension, offset, num, 1, &[]);
            tables.keep("extension", offset, num);
            next = extension.next;
        }
    }
    if !names.is_empty() {
        details.push(("extensions", Detail::Text(names.join(", "))));
    }
    let (found, stated) = (names.len(), header.extensions.num);
    let is_short = u64::from((found as u64) < u64::from(stated));
    let place = Place::Offset(u64::from(header.extensions.offset));
    tables.report.add_many(FindingKind::Dropped, place, is_short, || {
        let were = singular_or_plural(found as u64, "was", "were");
        format!("only {found} of {} {were} found", counted(u64::from(stated), "extension"))
    });
    Ok(())
}
