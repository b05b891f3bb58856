//! Reading: copies each array described by the header into the model.

use glam::{Vec2, Vec3};

use super::ID;
use super::arrays::Arrays;
use super::layout::{ArrayInfo, Header, HullRecord, MAGIC, MeshRecord, array, at};
use crate::formats::record::{Record, list};
use crate::formats::unknown_bytes::lossy;
use crate::formats::{Cursor, ReadError, ReadOptions, Source};
use rigscope_core::model::{
    Aabb, Detail, FindingKind, Hull, Indices, Material, MaterialId, Mesh, Model, OcclusionMesh,
    Place, Report, StoredBounds, Streams, Subset, TextureRef, TextureRole, UvSet, VertexData,
    as_u32,
};

/// Convex hulls may share vertices, but only this often, so that a small file can't become a huge model.
const MAX_POINT_USES: usize = 4;
/// Tolerance for vertices outside the stored bounds, relative to their size: real files deviate by up to
/// 7e-7.
const BOUNDS_TOLERANCE: f32 = 1e-5;

pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let mut cursor = Cursor::new(ID, &bytes, &options.limits);
    if !bytes.starts_with(MAGIC) {
        let what = "the file does not begin with BINARYSTATICMESH".to_owned();
        return Err(cursor.malformed_at(0, MAGIC.len() as u64, "magic number", what));
    }
    let Header { version, extension, sphere, bounds, .. } = cursor.record()?;
    if version < 1 {
        let what = format!("version {version} is below 1");
        return Err(cursor.malformed_at(at("version"), 4, "version", what));
    }
    let [min_x, min_y, min_z, max_x, max_y, max_z] = bounds;
    let stored_bounds = StoredBounds {
        sphere_center: sphere.truncate(),
        sphere_radius: sphere.w,
        aabb: Aabb { min: Vec3::new(min_x, min_y, min_z), max: Vec3::new(max_x, max_y, max_z) },
    };

    let mut reader = Reader { arrays: Arrays::new(cursor, report), report };
    let (mesh, materials) = reader.mesh()?;
    let hulls = reader.hulls()?;
    let occluder = reader.occluder()?;
    let preserved = reader.arrays.finish(&bytes);
    let positions = match &mesh.vertices {
        VertexData::Streams(streams) => streams.positions.as_slice(),
        VertexData::Packed(_) => &[],
    };
    Ok(Model {
        stored_bounds: usable_bounds(stored_bounds, positions, report),
        meshes: vec![mesh].into(),
        materials: materials.into(),
        hulls,
        occluder,
        provenance: report.take_provenance(),
        details: vec![
            ("version", Detail::Int(i64::from(version))),
            ("extension", Detail::Int(i64::from(extension))),
        ],
        preserved,
        ..Model::default()
    })
}

struct Reader<'a> {
    arrays: Arrays<'a>,
    report: &'a Report,
}

impl Reader<'_> {
    fn mesh(&mut self) -> Result<(Mesh, Vec<Material>), ReadError> {
        self.report.progress("reading vertices", 0.1)?;
        let positions = self.records(&array::POSITIONS)?;
        let mut coords: Vec<Vec2> = self.records(&array::UVS)?;
        // V is up in the file.
        coords.iter_mut().for_each(|uv| uv.y = 1.0 - uv.y);
        let normals = self.records(&array::NORMALS)?;
        let tangents = self.records(&array::TANGENTS)?;
        self.report.progress("reading triangles", 0.3)?;
        let indices = self.indices(&array::TRIANGLES)?;
        let (subsets, materials) = self.subsets(indices.len() / 3)?;
        let mesh = Mesh {
            vertices: VertexData::Streams(Streams {
                positions,
                normals,
                tangents,
                uv_sets: vec![UvSet { name: String::new(), coords }],
                ..Streams::default()
            }),
            indices: Indices::U32(indices),
            subsets,
            ..Mesh::default()
        };
        Ok((mesh, materials))
    }

    /// Ranges of triangles, each with a material. A range beyond the triangles is reported and left out; its
    /// material stays, so that a mesh and its material have the same number.
    fn subsets(&mut self, num_triangles: usize) -> Result<(Vec<Subset>, Vec<Material>), ReadError> {
        let (num, bytes) = self.arrays.find(&array::MESHES)?;
        let mut subsets = self.arrays.cursor().vec(num, array::MESHES.count)?;
        let mut materials = self.arrays.cursor().vec(num, array::MESHES.count)?;
        for (number, record) in list::<MeshRecord>(bytes).enumerate() {
            materials.push(self.material(&record.material, number));
            match index_range(record.first_triangle, record.num_triangles, num_triangles) {
                Ok((first, count)) => subsets.push(Subset {
                    first_index: first * 3,
                    index_count: count * 3,
                    material: Some(MaterialId::from_index(number)),
                }),
                Err((first, count)) => {
                    let place = Place::Subset { mesh: 0, subset: as_u32(number) };
                    self.report.add_many(FindingKind::SubsetOutOfRange, place, 1, || {
                        format!(
                            "mesh {number} has {count} triangles from triangle {first} on, but the file \
                             has {num_triangles}"
                        )
                    });
                }
            }
        }
        Ok((subsets, materials))
    }

    /// A material with the name in `field`, which ends at a NUL or fills the field.
    fn material(&self, field: &[u8], number: usize) -> Material {
        let name = field.split(|&byte| byte == 0).next().unwrap_or_default();
        let place = Place::Material(as_u32(number));
        let text = lossy(name, place, "material name", self.report);
        let textures = if text.is_empty() {
            Vec::new()
        } else {
            vec![TextureRef::file(TextureRole::BaseColor, &text)]
        };
        Material { name: text, textures, ..Material::default() }
    }

    fn hulls(&mut self) -> Result<Vec<Hull>, ReadError> {
        self.report.progress("reading collision geometry", 0.4)?;
        let points: Vec<Vec3> = self.records(&array::POINTS)?;
        let (num, bytes) = self.arrays.find(&array::HULLS)?;
        let mut hulls = self.arrays.cursor().vec(num, array::HULLS.count)?;
        let mut num_used = 0usize;
        for (number, HullRecord { first, num }) in list(bytes).enumerate() {
            let range = index_range(first, num, points.len()).map_err(|(first, count)| {
                let what = format!(
                    "hull {number} has {count} vertices from {first} on, of {}",
                    points.len()
                );
                self.arrays.cursor().malformed("convex hull", what)
            })?;
            let first = range.0 as usize;
            let own = points.get(first..first + range.1 as usize).unwrap_or_default();
            num_used = num_used.saturating_add(own.len());
            if num_used > points.len().saturating_mul(MAX_POINT_USES) {
                let what = format!(
                    "hulls 0 to {number} have {num_used} vertices in all, of {}",
                    points.len()
                );
                return Err(self.arrays.cursor().over_limit("convex hull", what));
            }
            let mut copy = self.arrays.cursor().vec(own.len(), "convex hull")?;
            copy.extend_from_slice(own);
            hulls.push(Hull { points: copy });
        }
        Ok(hulls)
    }

    fn occluder(&mut self) -> Result<Option<OcclusionMesh>, ReadError> {
        let positions: Vec<Vec3> = self.records(&array::OCCLUDER_VERTICES)?;
        let indices = self.indices(&array::OCCLUDER_TRIANGLES)?;
        let is_there = !positions.is_empty() || !indices.is_empty();
        Ok(is_there.then_some(OcclusionMesh { positions, indices }))
    }

    /// Vertex indices of triangles. A negative index becomes one past the end, which the check reports.
    fn indices(&mut self, info: &ArrayInfo) -> Result<Vec<u32>, ReadError> {
        let (num, bytes) = self.arrays.find(info)?;
        let mut indices = self.arrays.cursor().vec(num * 3, info.count)?;
        indices.extend(list::<u32>(bytes));
        Ok(indices)
    }

    fn records<T: Record>(&mut self, info: &ArrayInfo) -> Result<Vec<T>, ReadError> {
        let (num, bytes) = self.arrays.find(info)?;
        let mut records = self.arrays.cursor().vec(num, info.count)?;
        records.extend(list::<T>(bytes));
        Ok(records)
    }
}

/// First record and number of records if they are inside a list of `len`, or else the stored values.
fn index_range(first: i32, num: i32, len: usize) -> Result<(u32, u32), (i32, i32)> {
    let range = u32::try_from(first).ok().zip(u32::try_from(num).ok());
    let is_inside = |&(first, num): &(u32, u32)| u64::from(first) + u64::from(num) <= len as u64;
    range.filter(is_inside).ok_or((first, num))
}

/// Whether a position is inside the stored bounds, up to rounding.
pub(super) fn holding(bounds: StoredBounds) -> impl Fn(Vec3) -> bool {
    let room = Vec3::splat(bounds.aabb.extent() * BOUNDS_TOLERANCE);
    let (min, max) = (bounds.aabb.min - room, bounds.aabb.max + room);
    let radius = bounds.sphere_radius * (1.0 + BOUNDS_TOLERANCE);
    move |p| {
        let is_in_box = p.cmpge(min).all() && p.cmple(max).all();
        is_in_box && p.distance(bounds.sphere_center) <= radius
    }
}

/// The stored bounds if all numbers are finite; reports vertices outside.
fn usable_bounds(
    bounds: StoredBounds,
    positions: &[Vec3],
    report: &Report,
) -> Option<StoredBounds> {
    if !bounds.is_finite() {
        report.add(
            FindingKind::NotFinite,
            Place::Offset(at("bounding sphere")),
            "the stored bounds aren't finite and are ignored",
        );
        return None;
    }
    let hold = holding(bounds);
    let is_outside = |&(_, p): &(usize, &Vec3)| p.is_finite() && !hold(*p);
    let mut outside = positions.iter().enumerate().filter(is_outside);
    if let Some((vertex, _)) = outside.next() {
        let place = Place::Vertex { mesh: 0, vertex: as_u32(vertex) };
        let count = 1 + outside.count() as u64;
        report.add_many(FindingKind::BoundsMismatch, place, count, || {
            format!("vertex {vertex} is outside the stored bounds")
        });
    }
    Some(bounds)
}
