//! The structure of `fbx_bsm2 --json`. Keys and their order are a contract.

use serde::Serialize;

use super::conversion::{Conversion, Losses};
use super::text::{clip_name, packed_clips};
use rigscope_core::measure::FarthestVertex;
use rigscope_core::model::{Model, Origin};
use rigscope_core::summary::FindingEntry;
use rigscope_io::convert::Lost as LostOf;
use rigscope_io::files::path_text;

#[derive(Debug, Serialize)]
pub(super) struct Converted {
    schema: &'static str,
    input: String,
    outputs: Vec<String>,
    /// Over all outputs, like the other counts.
    vertices: usize,
    triangles: usize,
    subsets: usize,
    bones: usize,
    /// Keys per second.
    rate: f64,
    clips: Vec<Clip>,
    /// Null without vertices.
    max_error: Option<MaxError>,
    dropped: Dropped,
    changed: Changed,
    /// All losses, as in `rigscope convert --json`.
    losses: Vec<Lost>,
    /// Bones that were added because the format needs them.
    added: Vec<String>,
    #[serde(rename = "notes")]
    findings: Vec<FindingEntry>,
}

#[derive(Debug, Serialize)]
struct Lost {
    code: &'static str,
    message: String,
}

#[derive(Debug, Serialize)]
struct Clip {
    name: String,
    keys: usize,
    /// Frames per second in the source; null if unknown.
    source_rate: Option<f64>,
}

#[derive(Debug, Serialize)]
struct MaxError {
    units: f64,
    of_extent: f64,
    /// Vertex of the source.
    vertex: Vertex,
    clip: String,
    /// Null for a clip that isn't in the output.
    key: Option<u32>,
    time_secs: f64,
    /// Over all times. Runtimes hold the earlier key, so motion between keys is a deviation.
    between_keys: BetweenKeys,
}

#[derive(Debug, Serialize)]
struct BetweenKeys {
    units: f64,
    of_extent: f64,
    vertex: Vertex,
    clip: String,
    time_secs: f64,
}

#[derive(Debug, Serialize)]
struct Vertex {
    mesh: u32,
    /// Three if the vertex was made by a cut.
    numbers: Vec<u32>,
}

#[derive(Debug, Serialize)]
struct Dropped {
    influences: Influences,
    blend_shapes: usize,
    dual_quaternion_meshes: usize,
    bone_local_meshes: usize,
    vertex_caches: usize,
    clamped_uvs: usize,
}

#[derive(Debug, Serialize)]
struct Influences {
    vertices: usize,
    worst_share: f32,
    displacement: f32,
}

#[derive(Debug, Serialize)]
struct Changed {
    moved_uvs: usize,
    cut_triangles: usize,
    unweighted_vertices: usize,
    doubled_bones: usize,
    turned_meshes: usize,
    meshes_with_new_normals: usize,
}

impl Vertex {
    fn of(worst: &FarthestVertex) -> Self {
        Self {
            mesh: worst.origin.nearest().mesh.0,
            numbers: match worst.origin {
                Origin::Vertex(at) => vec![at.vertex.0],
                Origin::Inside { corners, .. } => corners.map(|at| at.vertex.0).to_vec(),
            },
        }
    }
}

fn losses(source: &Losses) -> Vec<Lost> {
    let aspects = source.predicted.iter().copied().map(LostOf::Aspect);
    let findings = source.dropped().into_iter().cloned().map(LostOf::Finding);
    let deviations = source.deviations.iter().copied().map(LostOf::Deviation);
    let all = aspects.chain(findings).chain(deviations);
    all.map(|lost| Lost { code: lost.code(), message: lost.to_string() }).collect()
}

impl Converted {
    pub(super) fn of(source: &Conversion) -> Self {
        let parts = || source.packing.parts.iter().map(|part| &part.model);
        let (dropped, changed) = (&source.packing.dropped, &source.packing.changed);
        let measured = &source.measured;
        let clip = |worst: &FarthestVertex| clip_name(&source.model, worst.clip);
        let both = measured.at_keys.zip(measured.worst);
        let max_error = both.map(|(at_keys, worst)| MaxError {
            units: at_keys.distance,
            of_extent: measured.max_of_extent_at_keys,
            vertex: Vertex::of(&at_keys),
            clip: clip(&at_keys),
            key: at_keys.key,
            time_secs: at_keys.time_secs,
            between_keys: BetweenKeys {
                units: worst.distance,
                of_extent: measured.max_of_extent,
                vertex: Vertex::of(&worst),
                clip: clip(&worst),
                time_secs: worst.time_secs,
            },
        });
        let clips = packed_clips(source).into_iter().enumerate();
        Self {
            schema: "rigscope.fbx_bsm2/1",
            input: path_text(&source.input),
            outputs: source.outputs.iter().map(|path| path_text(path)).collect(),
            vertices: parts().map(Model::num_vertices).sum(),
            triangles: parts().map(Model::num_triangles).sum(),
            subsets: parts().map(Model::num_subsets).sum(),
            bones: parts().map(|model| model.skeleton.len()).sum(),
            rate: source.rate,
            clips: clips
                .map(|(number, (name, keys))| Clip {
                    name: name.to_owned(),
                    keys,
                    source_rate: source.source_rate(number),
                })
                .collect(),
            max_error,
            dropped: Dropped {
                influences: Influences {
                    vertices: dropped.num_cut_vertices,
                    worst_share: dropped.worst_share,
                    displacement: dropped.displacement,
                },
                blend_shapes: dropped.num_morph_targets,
                dual_quaternion_meshes: dropped.num_dual_quaternion_meshes,
                bone_local_meshes: dropped.num_bone_local_meshes,
                vertex_caches: dropped.num_vertex_caches,
                clamped_uvs: dropped.num_clamped_uvs,
            },
            changed: Changed {
                moved_uvs: changed.num_moved_uvs,
                cut_triangles: changed.num_cut_triangles,
                unweighted_vertices: changed.num_unweighted,
                doubled_bones: changed.num_doubled_bones,
                turned_meshes: source.num_flipped_meshes(),
                meshes_with_new_normals: changed.num_meshes_with_new_normals,
            },
            losses: losses(&source.losses),
            added: source.losses.added().into_iter().map(str::to_owned).collect(),
            findings: source.losses.of_reader.iter().map(FindingEntry::from).collect(),
        }
    }
}
