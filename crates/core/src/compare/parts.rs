//! Compares the parts of a model: counts, mesh names, subsets, materials, textures.

use super::DifferenceKind as Kind;
use super::collector::{DifferenceCollector, first_names};
use crate::model::{
    Material, MaterialId, Mesh, Model, Subset, TextureRole, as_u32, match_materials,
};

/// Compares everything except vertices, triangles, bones and clips.
pub(super) fn compare(a: &Model, b: &Model, found: &mut DifferenceCollector<'_>) {
    let (meshes_a, meshes_b) = (a.meshes.len(), b.meshes.len());
    found.number(Kind::MeshCount, "meshes", meshes_a, meshes_b);
    let (vertices_a, vertices_b) = (a.num_vertices(), b.num_vertices());
    found.number(Kind::VertexCount, "vertices", vertices_a, vertices_b);
    let (triangles_a, triangles_b) = (a.num_triangles(), b.num_triangles());
    found.number(Kind::TriangleCount, "triangles", triangles_a, triangles_b);
    if a.meshes.len() == b.meshes.len() {
        let renamed = || a.meshes.iter().zip(&b.meshes).filter(|(a, b)| a.name != b.name);
        found.structure(Kind::MeshNames, renamed().count(), || {
            let first = renamed().next();
            first.map_or(String::new(), |(a, b)| format!("{:?} in A is {:?} in B", a.name, b.name))
        });
    }
    let a_of_b = materials(a, b, found);
    subsets(a, b, &a_of_b, found);
}

fn materials(a: &Model, b: &Model, found: &mut DifferenceCollector<'_>) -> Vec<Option<usize>> {
    let a_of_b = match_materials(&b.materials, &a.materials);
    let a_of_b: Vec<_> = a_of_b.into_iter().map(|id| id.map(MaterialId::index)).collect();
    let mut is_in_b = vec![false; a.materials.len()];
    for at in a_of_b.iter().flatten() {
        is_in_b[*at] = true;
    }
    let removed: Vec<_> = a.materials.iter().zip(&is_in_b).filter(|(_, is_in)| !**is_in).collect();
    found.structure(Kind::MaterialsRemoved, removed.len(), || {
        let names = removed.iter().map(|(material, _)| &material.name[..]);
        format!("materials only in A: {}", first_names(names))
    });
    let added: Vec<_> =
        b.materials.iter().zip(&a_of_b).filter(|(_, of_a)| of_a.is_none()).collect();
    found.structure(Kind::MaterialsAdded, added.len(), || {
        let names = added.iter().map(|(material, _)| &material.name[..]);
        format!("materials only in B: {}", first_names(names))
    });
    let pairs = || {
        let both = b.materials.iter().zip(&a_of_b);
        both.filter_map(|(material, of_a)| {
            Some((a.materials.get(MaterialId::from_index((*of_a)?))?, material))
        })
    };
    let mut tell = |kind,
                    differs: &dyn Fn(&Material, &Material) -> bool,
                    what: &dyn Fn(&Material, &Material) -> String| {
        let differing = || pairs().filter(|(a, b)| differs(a, b));
        found.structure(kind, differing().count(), || {
            differing().next().map_or(String::new(), |(a, b)| what(a, b))
        });
    };
    tell(Kind::MaterialsRenamed, &|a, b| a.name != b.name, &|a, b| {
        format!("material {:?} in A is {:?} in B", a.name, b.name)
    });
    tell(Kind::MaterialLooks, &|a, b| a.look != b.look, &|a, _| {
        format!("material {:?} looks different", a.name)
    });
    tell(Kind::Textures, &|m, n| textures(a, m) != textures(b, n), &|m, n| {
        let list = |model, material| {
            let names = textures(model, material);
            if names.is_empty() {
                "none".to_owned()
            } else {
                first_names(names.iter().map(|(_, name)| &name[..]))
            }
        };
        format!("textures of material {:?}: {} in A, {} in B", m.name, list(a, m), list(b, n))
    });
    a_of_b
}

/// Role and file name of each texture, sorted. Ignores folders and case.
fn textures(model: &Model, material: &Material) -> Vec<(TextureRole, String)> {
    let mut list: Vec<_> = material
        .textures
        .iter()
        .map(|texture| {
            let path = model.texture_name(texture);
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            (texture.role, name.to_lowercase())
        })
        .collect();
    list.sort();
    list
}

/// The subsets of all meshes as ranges of one triangle list, as formats with a single mesh store
/// them.
fn listed(model: &Model) -> Vec<Subset> {
    let mut first = 0u32;
    let mut out = Vec::new();
    for mesh in &model.meshes {
        out.extend(mesh.subsets.iter().map(|subset| Subset {
            first_index: first.saturating_add(subset.first_index),
            ..*subset
        }));
        first = first.saturating_add(len(mesh));
    }
    out
}

fn len(mesh: &Mesh) -> u32 {
    as_u32(mesh.indices.len())
}

fn subsets(a: &Model, b: &Model, a_of_b: &[Option<usize>], found: &mut DifferenceCollector<'_>) {
    let (listed_a, listed_b) = (listed(a), listed(b));
    found.number(Kind::SubsetCount, "subsets", listed_a.len(), listed_b.len());
    let pairs = || listed_a.iter().zip(&listed_b).enumerate();
    let other_range = || pairs().filter(|(_, (a, b))| a.range() != b.range());
    found.structure(Kind::SubsetRanges, other_range().count(), || {
        other_range().next().map_or(String::new(), |(at, (a, b))| {
            let (a, b) = (a.range(), b.range());
            format!("subset {at} covers indices {a:?} in A, {b:?} in B")
        })
    });
    let of_a = |subset: &Subset| subset.material.map(MaterialId::index);
    let other_material = || {
        pairs().filter(|(_, (a, b))| {
            let in_b = of_a(b).map(|at| a_of_b.get(at).copied().flatten());
            // Materials that only B has never match.
            in_b != of_a(a).map(Some)
        })
    };
    found.structure(Kind::SubsetMaterials, other_material().count(), || {
        let name = |model: &Model, subset: &Subset| {
            let material =
                of_a(subset).and_then(|at| model.materials.get(MaterialId::from_index(at)));
            material.map_or("none".to_owned(), |material| format!("{:?}", material.name))
        };
        other_material().next().map_or(String::new(), |(at, (m, n))| {
            format!("subset {at} has material {} in A, {} in B", name(a, m), name(b, n))
        })
    });
}
