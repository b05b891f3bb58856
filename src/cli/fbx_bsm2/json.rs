//! The shape of `fbx_bsm2 --json`: a contract, key by key and in this order.

use serde::Serialize;

use super::Converted as Source;
use super::text::{clip_name, packed_clips};
use crate::bake::Origin;
use crate::cli::json::NoteEntry;
use crate::model::Model;

/// One file.
#[derive(Debug, Serialize)]
pub(super) struct Converted {
    schema: &'static str,
    input: String,
    outputs: Vec<String>,
    /// Of all outputs together, as all counts.
    vertices: usize,
    triangles: usize,
    subsets: usize,
    bones: usize,
    /// Keys a second.
    rate: f64,
    clips: Vec<Clip>,
    /// Null where there is no vertex.
    max_error: Option<MaxError>,
    dropped: Dropped,
    changed: Changed,
    notes: Vec<NoteEntry>,
}

#[derive(Debug, Serialize)]
struct Clip {
    name: String,
    keys: usize,
    /// Frames a second in the source; null where it does not say.
    source_rate: Option<f64>,
}

#[derive(Debug, Serialize)]
struct MaxError {
    units: f32,
    of_extent: f32,
    /// Vertex of the source.
    vertex: Vertex,
    clip: String,
    key: usize,
}

#[derive(Debug, Serialize)]
struct Vertex {
    mesh: u32,
    /// Three where it was made by a cut.
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

impl Converted {
    pub(super) fn of(source: &Source) -> Self {
        let parts = || source.packing.parts.iter().map(|part| &part.model);
        let (dropped, changed) = (&source.packing.dropped, &source.packing.changed);
        let measured = &source.measured;
        let max_error = measured.worst.map(|worst| MaxError {
            units: measured.max,
            of_extent: measured.max_of_extent,
            vertex: Vertex {
                mesh: worst.origin.mesh(),
                numbers: match worst.origin {
                    Origin::Vertex { vertex, .. } => vec![vertex],
                    Origin::Inside { corners, .. } => corners.to_vec(),
                },
            },
            clip: clip_name(&source.model, worst.clip),
            key: worst.key,
        });
        let clips = packed_clips(source).into_iter().enumerate();
        Self {
            schema: "rigscope.fbx_bsm2/1",
            input: source.input.display().to_string(),
            outputs: source
                .outputs
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
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
                turned_meshes: source.num_turned_meshes(),
                meshes_with_new_normals: changed.num_meshes_with_new_normals,
            },
            notes: source.notes.iter().map(NoteEntry::from).collect(),
        }
    }
}
