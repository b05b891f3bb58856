//! Bakes texture transforms into UVs, for formats whose materials can't move or scale textures.

use glam::Affine2;

use super::float::{floats, forget_source};
use crate::model::{Material, Mesh, Model, TextureRef, VertexData};

/// Whether any texture has a transform.
pub fn has_placed_textures(model: &Model) -> bool {
    let mut textures = model.materials.iter().flat_map(|m| &m.textures);
    textures.any(|texture| texture.texture_from_uv.is_some())
}

/// The model with texture transforms applied to the UVs and removed from the materials; and the
/// number of meshes whose subsets have conflicting transforms, which keep their UVs.
#[must_use]
pub fn with_placed_uvs(model: &Model) -> (Model, usize) {
    let mut out = floats(model);
    forget_source(&mut out);
    let mut num_torn = 0;
    for mesh in &mut out.meshes {
        match placement(mesh, &model.materials) {
            Ok(None) => {}
            Ok(Some((uv_set, texture_from_uv))) => place(mesh, uv_set, texture_from_uv),
            Err(Torn) => num_torn += 1,
        }
    }
    for texture in out.materials.iter_mut().flat_map(|m| &mut m.textures) {
        texture.texture_from_uv = None;
    }
    (out, num_torn)
}

/// Subsets of one mesh have conflicting texture transforms.
struct Torn;

/// The UV set and transform on which all subsets of `mesh` agree; `None` if no change is needed.
fn placement(mesh: &Mesh, materials: &[Material]) -> Result<Option<(usize, Affine2)>, Torn> {
    let mut placements = mesh.subsets.iter().filter_map(|subset| {
        let texture = drawn(materials.get(subset.material?.index())?)?;
        let change = texture.texture_from_uv.as_deref();
        Some(change.map(|change| (usize::from(texture.uv_set), *change)))
    });
    let Some(first) = placements.next() else { return Ok(None) };
    if placements.all(|other| other == first) { Ok(first) } else { Err(Torn) }
}

/// The displayed texture: the first colour texture, otherwise the first.
fn drawn(material: &Material) -> Option<&TextureRef> {
    let mut textures = material.textures.iter();
    let color = textures.find(|texture| texture.role == crate::model::TextureRole::BaseColor);
    color.or_else(|| material.textures.first())
}

fn place(mesh: &mut Mesh, uv_set: usize, texture_from_uv: Affine2) {
    if let VertexData::Streams(streams) = &mut mesh.vertices
        && let Some(set) = streams.uv_sets.get_mut(uv_set)
    {
        for uv in &mut set.coords {
            *uv = texture_from_uv.transform_point2(*uv);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::model::{MaterialId, MeshId, Subset, TextureRole};
    use crate::reshape::fixture::bent_strip;

    fn scaled(by: f32) -> Material {
        Material {
            textures: vec![TextureRef {
                texture_from_uv: Some(Box::new(Affine2::from_scale(Vec2::splat(by)))),
                ..TextureRef::file(TextureRole::BaseColor, "a.png")
            }],
            ..Material::default()
        }
    }

    #[test]
    fn texture_transforms_are_baked_into_uvs() {
        let mut source = bent_strip();
        source.materials = vec![scaled(2.0)].into();
        source.meshes[MeshId(0)].subsets[0].material = Some(MaterialId(0));
        assert!(has_placed_textures(&source));
        let (placed, num_torn) = with_placed_uvs(&source);
        assert_eq!(num_torn, 0);
        assert_eq!(placed.meshes[MeshId(0)].uv(0), Some(Vec2::new(0.5, 1.0)));
        assert!(!has_placed_textures(&placed));
    }

    #[test]
    fn mesh_with_conflicting_texture_transforms_keeps_its_uvs() {
        let mut source = bent_strip();
        source.materials = vec![scaled(2.0), scaled(3.0)].into();
        let subset = |material| Subset {
            material: Some(MaterialId(material)),
            ..source.meshes[MeshId(0)].subsets[0]
        };
        source.meshes[MeshId(0)].subsets = vec![subset(0), subset(1)];
        let (placed, num_torn) = with_placed_uvs(&source);
        assert_eq!(num_torn, 1);
        assert_eq!(placed.meshes[MeshId(0)].uv(0), source.meshes[MeshId(0)].uv(0));
    }
}
