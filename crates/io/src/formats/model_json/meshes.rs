//! Meshes: attributes and subsets. Every list must have one entry per vertex.

use glam::{Vec2, Vec4};

use super::lengths::Lengths;
use super::parse::named;
use super::schema::{LooseText, MeshText, vectors};
use super::{morphs, skins};
use crate::formats::ReadError;
use rigscope_core::model::value_names::LOOSE_KIND;
use rigscope_core::model::{
    BoneId, Indices, LooseGeometry, LooseKind, MaterialId, Mesh, Streams, Subset, UvSet, VertexData,
};

/// The mesh with that number; `binds` are the inverse bind matrices of the bones at rest.
pub(super) fn mesh(number: usize, text: MeshText, binds: &skins::Binds) -> Result<Mesh, ReadError> {
    let at = Lengths { mesh: number, num_vertices: text.positions.len() };
    let skin = skins::skin(&text, &at, binds)?;
    let subsets = subsets(&text, &at)?;
    let morphs = text.morph_targets.into_iter().enumerate();
    let morph_targets =
        morphs.map(|(target, text)| morphs::target(target, text, &at)).collect::<Result<_, _>>()?;
    let loose = text.loose.into_iter().enumerate();
    let loose = loose.map(|(number, text)| at.loose(number, text)).collect::<Result<_, _>>()?;
    let mut streams = Streams {
        positions: vectors(text.positions),
        normals: vectors(at.optional("normals", text.normals)?),
        tangents: at
            .optional("tangents", text.tangents)?
            .into_iter()
            .map(Vec4::from_array)
            .collect(),
        colors: at.optional("colors", text.colors)?.into_iter().map(Vec4::from_array).collect(),
        ..Streams::default()
    };
    let first = Some(text.uvs).filter(|uvs| !uvs.is_empty());
    let names = text.uv_names.into_iter().chain(std::iter::repeat(String::new()));
    for (set, name) in first.into_iter().chain(text.more_uvs).zip(names) {
        let set = at.exact("uvs", set)?.into_iter();
        streams.uv_sets.push(UvSet { name, coords: set.map(Vec2::from_array).collect() });
    }
    Ok(Mesh {
        name: text.name,
        subsets,
        indices: Indices::U32(text.triangles.into_flattened()),
        loose,
        skin,
        attached_to: text.attached_to.map(BoneId),
        morph_targets,
        is_hidden: text.hidden,
        vertices: VertexData::Streams(streams),
        ..Mesh::default()
    })
}

impl Lengths {
    fn loose(&self, number: usize, text: LooseText) -> Result<LooseGeometry, ReadError> {
        let path = format!("meshes[{}].loose[{number}].kind", self.mesh);
        let kind = named("meshes", &path, Some(&text.kind), LOOSE_KIND)?;
        let kind = kind.unwrap_or(LooseKind::Points);
        if text.indices.width.is_some_and(|width| width != kind.num_corners()) {
            let what = "needs pairs of vertices for lines, and a list of vertices for points";
            return Err(self.fault(&format!("loose[{number}].indices {what}")));
        }
        Ok(LooseGeometry {
            kind,
            indices: text.indices.values,
            material: text.material.map(MaterialId),
        })
    }
}

fn subsets(text: &MeshText, at: &Lengths) -> Result<Vec<Subset>, ReadError> {
    let too_many = || at.fault("triangles has more corners than indices can name");
    let Some(given) = &text.subsets else {
        let num = u32::try_from(text.triangles.len()).ok().and_then(|num| num.checked_mul(3));
        let index_count = num.ok_or_else(too_many)?;
        let whole = Subset { first_index: 0, index_count, material: None };
        return Ok(if index_count > 0 { vec![whole] } else { Vec::new() });
    };
    let subset = |&(first, num, material): &(u32, u32, Option<u32>)| {
        let ends = first.checked_mul(3).zip(num.checked_mul(3));
        let (first_index, index_count) = ends.ok_or_else(too_many)?;
        Ok(Subset { first_index, index_count, material: material.map(MaterialId) })
    };
    given.iter().map(subset).collect()
}
