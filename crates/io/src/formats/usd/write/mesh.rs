//! Meshes: points, faces, primvars and subsets.
//!
//! Source: OpenUSD, `UsdGeomMesh`, `UsdGeomPrimvarsAPI` and `UsdGeomSubset`. Points are vertices, so that all primvars
//! have one value per point.

use glam::{DMat4, Vec3};
use openusd::gf::{Vec2f, Vec3f};
use openusd::sdf::{Path, Value};

use super::animation::Timing;
use super::layer::{Layer, PerElement, token};
use super::values::vec3;
use rigscope_core::model::{
    FindingKind, MaterialId, Mesh, MeshId, Model, Place, Report, Streams, VertexAnimation,
    VertexData, counted,
};

/// The name of a UV set by its number: the usual name first.
pub(super) fn uv_name(set: usize) -> String {
    if set == 0 { "st".to_owned() } else { format!("st{set}") }
}

/// Writes the geometry of a mesh. `materials` are the prims of all materials.
pub(super) fn write(
    prim: &Path,
    model: &Model,
    id: MeshId,
    mesh: &Mesh,
    materials: &[Path],
    layer: &mut Layer,
    report: &Report,
) {
    let VertexData::Streams(streams) = &mesh.vertices else { return };
    let list = |values: &[Vec3]| Value::Vec3fVec(values.iter().map(vec3).collect());
    layer.attribute(prim, "points", "point3f[]").value(list(&streams.positions));
    layer.attribute(prim, "extent", "float3[]").value(Value::Vec3fVec(extent(&streams.positions)));
    layer.attribute(prim, "subdivisionScheme", "token").uniform().value(token("none"));
    if streams.normals.iter().any(|normal| *normal != Vec3::ZERO) {
        layer
            .attribute(prim, "normals", "normal3f[]")
            .value(list(&streams.normals))
            .per(PerElement::Vertex);
    }
    write_colors(prim, streams, layer);
    for (number, set) in streams.uv_sets.iter().enumerate() {
        let own = uv_name(number);
        let uvs = set.coords.iter().map(|uv| Vec2f { x: uv.x, y: 1.0 - uv.y }).collect();
        let attribute = layer
            .attribute(prim, &format!("primvars:{own}"), "texCoord2f[]")
            .value(Value::Vec2fVec(uvs))
            .per(PerElement::Vertex);
        if !set.name.is_empty() && set.name != own {
            attribute.with("displayName", set.name.clone());
        }
    }
    let surface = Surface { model, id, mesh, materials };
    surface.write(prim, layer, report);
}

/// Writes animated points. `mesh_from_world` is the inverse of the mesh's transform.
pub(super) fn write_points(
    prim: &Path,
    cache: &VertexAnimation,
    num_points: usize,
    mesh_from_world: &DMat4,
    timing: Timing,
    layer: &mut Layer,
) {
    let at = |frame: usize| {
        let first = frame.saturating_mul(num_points);
        let points = cache.positions.get(first..first + num_points).unwrap_or_default();
        let local =
            |point: &Vec3| vec3(&mesh_from_world.transform_point3(point.as_dvec3()).as_vec3());
        Value::Vec3fVec(points.iter().map(local).collect())
    };
    /// Held positions end this much earlier than the next begin, in seconds or as a share of the time.
    const JUMP: f64 = 1e-9;
    let mut samples: Vec<(f64, Value)> = Vec::new();
    for (frame, &time) in cache.times_secs.iter().enumerate() {
        if let Some(before) = frame.checked_sub(1).filter(|_| !cache.is_blended) {
            samples.push((timing.code(time - JUMP * time.abs().max(1.0)), at(before)));
        }
        samples.push((timing.code(time), at(frame)));
    }
    if let Ok(path) = prim.append_property("points") {
        layer.set(&path, "timeSamples", Value::TimeSamples(samples));
    }
}

fn extent(points: &[Vec3]) -> Vec<Vec3f> {
    let finite = points.iter().filter(|point| point.is_finite());
    let corners = finite.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), point| {
        (min.min(*point), max.max(*point))
    });
    [corners.0, corners.1].iter().map(vec3).collect()
}

fn write_colors(prim: &Path, streams: &Streams, layer: &mut Layer) {
    if streams.colors.is_empty() {
        return;
    }
    let colors = streams.colors.iter().map(|color| vec3(&color.truncate())).collect();
    layer
        .attribute(prim, "primvars:displayColor", "color3f[]")
        .value(Value::Vec3fVec(colors))
        .per(PerElement::Vertex);
    if streams.colors.iter().any(|color| color.w != 1.0) {
        let opacities = streams.colors.iter().map(|color| color.w).collect();
        layer
            .attribute(prim, "primvars:displayOpacity", "float[]")
            .value(Value::FloatVec(opacities))
            .per(PerElement::Vertex);
    }
}

/// The triangles of a mesh and their materials.
struct Surface<'a> {
    model: &'a Model,
    id: MeshId,
    mesh: &'a Mesh,
    materials: &'a [Path],
}

impl Surface<'_> {
    fn write(&self, prim: &Path, layer: &mut Layer, report: &Report) {
        let mesh = self.mesh;
        let (mut corners, mut faces) = (Vec::new(), Faces::new());
        let mut is_drawn = vec![false; mesh.indices.len()];
        for subset in mesh.subsets.iter().filter(|subset| subset.index_count > 0) {
            if let Some(drawn) = is_drawn.get_mut(subset.range()) {
                drawn.fill(true);
            }
            let first = corners.len() / 3;
            for triangle in mesh.triangles(subset.range()) {
                corners.extend(triangle.map(|corner| i32::try_from(corner).unwrap_or(i32::MAX)));
            }
            faces.push((subset.material, first..corners.len() / 3));
        }
        let num_left = is_drawn.iter().filter(|is_drawn| !**is_drawn).count() / 3;
        if faces.is_empty() {
            for triangle in mesh.triangles(0..mesh.indices.len()) {
                corners.extend(triangle.map(|corner| i32::try_from(corner).unwrap_or(i32::MAX)));
            }
        } else {
            report.add_many(FindingKind::LeftOut, Place::Mesh(self.id.0), num_left as u64, || {
                format!("{} in no subset left out", counted(num_left as u64, "triangle"))
            });
        }
        let counts = vec![3i32; corners.len() / 3];
        layer.attribute(prim, "faceVertexCounts", "int[]").value(Value::IntVec(counts));
        layer.attribute(prim, "faceVertexIndices", "int[]").value(Value::IntVec(corners));
        let looks = faces.iter().filter_map(|(material, _)| self.model.materials.get((*material)?));
        let is_two_sided = looks.filter_map(|own| own.look.as_ref()).any(|look| look.is_two_sided);
        if is_two_sided {
            layer.attribute(prim, "doubleSided", "bool").uniform().value(true);
        }
        self.write_subsets(prim, &faces, layer);
    }

    fn path(&self, material: Option<MaterialId>) -> Option<&Path> {
        self.materials.get(material?.index())
    }

    /// One binding for the mesh, or a subset for each material.
    fn write_subsets(&self, prim: &Path, faces: &Faces, layer: &mut Layer) {
        if let [(material, _)] = &faces[..] {
            if let Some(path) = self.path(*material) {
                bind(prim, path, layer);
            }
            return;
        }
        if !faces.iter().any(|(material, _)| self.path(*material).is_some()) {
            return;
        }
        layer
            .attribute(prim, "subsetFamily:materialBind:familyType", "token")
            .uniform()
            .value(token("nonOverlapping"));
        for (material, range) in faces {
            let (Some(material), Some(path)) = (*material, self.path(*material)) else { continue };
            let list = range.clone().map(|face| i32::try_from(face).unwrap_or(i32::MAX));
            let name = self.model.materials.get(material).map_or("", |own| &own.name);
            let subset = layer.prim(prim, name, "GeomSubset");
            layer.attribute(&subset, "elementType", "token").uniform().value(token("face"));
            layer.attribute(&subset, "familyName", "token").uniform().value(token("materialBind"));
            layer.attribute(&subset, "indices", "int[]").value(Value::IntVec(list.collect()));
            bind(&subset, path, layer);
        }
    }
}

/// The faces of each subset.
type Faces = Vec<(Option<MaterialId>, std::ops::Range<usize>)>;

fn bind(prim: &Path, material: &Path, layer: &mut Layer) {
    layer.apply(prim, "MaterialBindingAPI");
    layer.relate(prim, "material:binding", vec![material.clone()]);
}
