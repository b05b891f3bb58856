//! Morph targets as blend shapes, and the names by which animations refer to them.
//!
//! Source: OpenUSD, `UsdSkelBlendShape`: the offsets of the main shape have a weight of 1; in-betweens are attributes
//! with a weight, and share its points. Animations name blend shapes for all meshes of a skeleton.

use std::collections::{BTreeMap, HashMap};

use glam::Vec3;
use openusd::sdf::{FieldKey, Path, Value};

use super::layer::{Layer, tokens};
use super::names::Names;
use super::values::vec3;
use rigscope_core::model::{
    Clip, FindingKind, IdVec, Mesh, MeshId, Model, MorphShape, MorphTarget, Place, Report, Track,
    counted,
};

/// The names of morph targets in animations.
pub(super) struct WeightNames {
    /// Of each target of each mesh.
    names: IdVec<MeshId, Vec<String>>,
    /// A target with each name.
    targets: BTreeMap<String, (MeshId, usize)>,
}

impl WeightNames {
    /// Targets of different meshes share a name if their weights are always the same.
    pub(super) fn of(model: &Model) -> Self {
        let mut out = Self { names: IdVec::default(), targets: BTreeMap::new() };
        let mut unique = Names::default();
        let mut known: HashMap<String, Vec<(MeshId, usize, String)>> = HashMap::new();
        let tracks = tracks_by_target(model);
        for (id, mesh) in model.meshes.iter_enumerated() {
            let mut own = Vec::new();
            for (number, target) in mesh.morph_targets.iter().enumerate() {
                let alike = known.entry(target.name.clone()).or_default();
                let is_same = |(other, at, _): &&(MeshId, usize, String)| {
                    let of_other =
                        model.meshes.get(*other).and_then(|own| own.morph_targets.get(*at));
                    *other != id
                        && of_other.is_some_and(|own| own.default_weight == target.default_weight)
                        && tracks.get(&(*other, *at)) == tracks.get(&(id, number))
                };
                let name = match alike.iter().find(is_same) {
                    Some((.., name)) => name.clone(),
                    None => {
                        let name = unique.identifier(&target.name, "shape");
                        alike.push((id, number, name.clone()));
                        out.targets.insert(name.clone(), (id, number));
                        name
                    }
                };
                own.push(name);
            }
            out.names.push(own);
        }
        out
    }

    fn of_mesh(&self, id: MeshId) -> &[String] {
        self.names.get(id).map_or(&[], |own| own)
    }

    /// The names that a clip animates or that have a default weight, with their track and default weight.
    pub(super) fn in_clip<'a>(
        &'a self,
        clip: &'a Clip,
        model: &Model,
    ) -> Vec<(&'a str, Option<&'a Track<f32>>, f32)> {
        let mut tracks: HashMap<(MeshId, usize), &Track<f32>> = HashMap::new();
        for track in clip.morph_tracks.iter().filter(|track| !track.weights.times_secs.is_empty()) {
            tracks.entry((track.mesh, track.target)).or_insert(&track.weights);
        }
        let own = self.targets.iter().filter_map(|(name, (mesh, number))| {
            let target = model.meshes.get(*mesh)?.morph_targets.get(*number)?;
            let track = tracks.get(&(*mesh, *number)).copied();
            let is_needed = track.is_some() || target.default_weight != 0.0;
            is_needed.then_some((name.as_str(), track, target.default_weight))
        });
        own.collect()
    }

    /// The default weights of a model without clips.
    pub(super) fn write_defaults(&self, prim: &Path, model: &Model, layer: &mut Layer) {
        let still = Clip::default();
        let own = self.in_clip(&still, model);
        let list = tokens(own.iter().map(|(name, ..)| name));
        layer.attribute(prim, "blendShapes", "token[]").uniform().value(list);
        let weights = own.iter().map(|(.., weight)| *weight).collect();
        layer.attribute(prim, "blendShapeWeights", "float[]").value(Value::FloatVec(weights));
    }

    /// Whether a morph target has a weight outside of clips.
    pub(super) fn has_defaults(model: &Model) -> bool {
        let mut targets = model.meshes.iter().flat_map(|mesh| &mesh.morph_targets);
        targets.any(|target| target.default_weight != 0.0)
    }
}

/// The tracks of each target, with the numbers of their clips.
type TracksByTarget<'a> = HashMap<(MeshId, usize), Vec<(usize, &'a Track<f32>)>>;

fn tracks_by_target(model: &Model) -> TracksByTarget<'_> {
    let mut out = TracksByTarget::new();
    for (number, clip) in model.clips.iter().enumerate() {
        for track in &clip.morph_tracks {
            out.entry((track.mesh, track.target)).or_default().push((number, &track.weights));
        }
    }
    out
}

/// Writes the morph targets of a mesh as prims below its own.
pub(super) fn write(
    prim: &Path,
    id: MeshId,
    mesh: &Mesh,
    names: &WeightNames,
    layer: &mut Layer,
    report: &Report,
) {
    if mesh.morph_targets.is_empty() {
        return;
    }
    let mut targets = Vec::new();
    for target in &mesh.morph_targets {
        let path = layer.prim(prim, &target.name, "BlendShape");
        if names.of_mesh(id).get(targets.len()) != Some(&target.name) {
            layer.set(&path, FieldKey::DisplayName, Value::String(target.name.clone()));
        }
        shapes(&path, target, Place::Mesh(id.0), layer, report);
        targets.push(path);
    }
    let list = tokens(names.of_mesh(id));
    layer.attribute(prim, "skel:blendShapes", "token[]").uniform().value(list);
    layer.relate(prim, "skel:blendShapeTargets", targets);
}

/// Offsets of all points that any shape of a target moves.
struct Offsets {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

fn shapes(prim: &Path, target: &MorphTarget, place: Place, layer: &mut Layer, report: &Report) {
    let moved = target.shapes.iter().flat_map(|shape| &shape.vertices);
    let mut points: Vec<u32> = moved.map(|vertex| vertex.0).collect();
    points.sort_unstable();
    points.dedup();
    if points.is_empty() {
        // An empty list stands for all points.
        points.push(0);
    }
    let number: HashMap<u32, usize> =
        points.iter().enumerate().map(|(at, point)| (*point, at)).collect();
    let has_normals = target.shapes.iter().any(|shape| !shape.normal_offsets.is_empty());
    let empty = || Offsets {
        positions: vec![Vec3::ZERO; points.len()],
        normals: if has_normals { vec![Vec3::ZERO; points.len()] } else { Vec::new() },
    };
    let add = |offsets: &mut Offsets, shape: &MorphShape, weight: f32| {
        for (at, vertex) in shape.vertices.iter().enumerate() {
            let Some(place) = number.get(&vertex.0) else { continue };
            let of = |list: &[Vec3]| list.get(at).copied().unwrap_or_default() * weight;
            if let Some(own) = offsets.positions.get_mut(*place) {
                *own += of(&shape.position_offsets);
            }
            if let Some(own) = offsets.normals.get_mut(*place) {
                *own += of(&shape.normal_offsets);
            }
        }
    };
    let mut main = empty();
    for (shape, weight) in target.shapes.iter().zip(target.shape_weights(1.0)) {
        add(&mut main, shape, weight);
    }
    let indices = points.iter().map(|point| i32::try_from(*point).unwrap_or(i32::MAX)).collect();
    layer.attribute(prim, "pointIndices", "int[]").uniform().value(Value::IntVec(indices));
    write_offsets(prim, "offsets", "normalOffsets", &main, None, layer);
    let mut num_lost = 0u64;
    let mut names = Names::default();
    for shape in target.shapes.iter().filter(|shape| shape.full_weight != 1.0) {
        if target.shapes.len() == 1 {
            // The main shape is on the same line.
            continue;
        }
        if shape.full_weight == 0.0 {
            num_lost += 1;
            continue;
        }
        let mut own = empty();
        add(&mut own, shape, 1.0);
        let name = names.identifier(&format!("at_{}", shape.full_weight), "at");
        let (offsets, normals) =
            (format!("inbetweens:{name}"), format!("inbetweens:{name}:normalOffsets"));
        write_offsets(prim, &offsets, &normals, &own, Some(shape.full_weight), layer);
    }
    report.add_many(FindingKind::Altered, place, num_lost, || {
        format!("{} of {:?} at weight 0 left out", counted(num_lost, "shape"), target.name)
    });
}

fn write_offsets(
    prim: &Path,
    name: &str,
    normals: &str,
    offsets: &Offsets,
    weight: Option<f32>,
    layer: &mut Layer,
) {
    let list = |values: &[Vec3]| Value::Vec3fVec(values.iter().map(vec3).collect());
    let attribute =
        layer.attribute(prim, name, "vector3f[]").uniform().value(list(&offsets.positions));
    if let Some(weight) = weight {
        attribute.with("weight", weight);
    }
    if !offsets.normals.is_empty() {
        layer.attribute(prim, normals, "vector3f[]").uniform().value(list(&offsets.normals));
    }
}
