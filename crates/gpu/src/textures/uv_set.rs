//! Chooses the UV set of a mesh, since skinned vertices have only one.

use crate::buffers::count;
use rigscope_core::model::{FindingKind, Mesh, Model, Place, Report, TextureRole, VertexData};

/// The UV set for `mesh`: the one that all textures of its subsets use, otherwise the first. Also returns
/// whether the textures disagree.
pub(crate) fn uv_set_of(model: &Model, mesh: &Mesh) -> (usize, bool) {
    let num_sets = match &mesh.vertices {
        VertexData::Streams(streams) => streams.uv_sets.len(),
        VertexData::Packed(_) => 1,
    };
    if num_sets < 2 {
        return (0, false);
    }
    let ids = mesh.subsets.iter().filter_map(|subset| subset.material);
    let materials = ids.map(|id| model.material(id));
    let mut sets = materials
        .flat_map(|material| {
            [TextureRole::BaseColor, TextureRole::Normal].map(|role| material.image_of(role))
        })
        .flatten()
        .map(|texture| usize::from(texture.uv_set));
    let Some(first) = sets.next() else { return (0, false) };
    match sets.all(|set| set == first) {
        true if first < num_sets => (first, false),
        true => (0, false),
        false => (0, true),
    }
}

/// Reports findings for meshes whose textures use several UV sets.
pub(super) fn report_uv_sets(model: &Model, report: &Report) {
    for (number, mesh) in model.meshes.iter().enumerate() {
        let (_, disagrees) = uv_set_of(model, mesh);
        report.add_many(
            FindingKind::SeveralUvSets,
            Place::Mesh(count(number)),
            u64::from(disagrees),
            || format!("all textures of {:?} use the first UV set", mesh.name),
        );
    }
}
