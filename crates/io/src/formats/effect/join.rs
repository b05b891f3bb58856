//! Joins meshes with separate skeletons to one model with one skeleton.
//!
//! Vertices and indices remain views of their files: a packed vertex refers to slots of its mesh's skin,
//! which refer to bones of the joined skeleton. If only some files store parents, all keys become local: a
//! bone without parent and inverse bind matrix has the same local and complete matrix.

use std::collections::HashMap;

use glam::Mat4;

use super::clips;
use super::effect_mesh::EffectMesh;
use crate::formats::Limits;
use rigscope_core::model::{
    Bone, BoneId, DefaultPose, Detail, Element, MaterialId, Mesh, Model, Provenance, RelatedBytes,
    Report, Skeleton, Skin, Span, as_u32,
};

/// Joins all parts; a single part is returned unchanged except for the mesh name.
pub(super) fn join(mut parts: Vec<EffectMesh>, limits: &Limits, report: &Report) -> Model {
    if let [_] = parts.as_slice()
        && let Some(EffectMesh { name, file, bytes, mut model }) = parts.pop()
    {
        model.meshes.iter_mut().for_each(|mesh| mesh.name.clone_from(&name));
        let provenance = std::mem::take(&mut model.provenance);
        model.related_bytes = vec![RelatedBytes { name: file, bytes, provenance }];
        return model;
    }
    let has_hierarchy = parts.iter().any(|part| part.model.skeleton.has_hierarchy());
    let clips = clips::join(&parts, has_hierarchy, limits, report);
    let mut joined = Joined { has_hierarchy, ..Joined::default() };
    for part in parts {
        joined.add(part);
    }
    let Joined { model, bones, .. } = joined;
    // The parents come from valid skeletons and are only renumbered.
    let skeleton = Skeleton::new(bones, has_hierarchy).unwrap_or_default();
    Model {
        skeleton,
        clips: clips.into(),
        default_pose: DefaultPose::FirstKey,
        details: vec![("hierarchy", Detail::Bool(has_hierarchy))],
        ..model
    }
}

#[derive(Default)]
struct Joined {
    has_hierarchy: bool,
    model: Model,
    bones: Vec<Bone>,
    materials: HashMap<String, MaterialId>,
}

impl Joined {
    fn add(&mut self, part: EffectMesh) {
        let EffectMesh { name, file, bytes, model } = part;
        let first_bone = self.bones.len();
        let provenance = joined_provenance(model.provenance, self.model.meshes.len(), first_bone);
        self.model.related_bytes.push(RelatedBytes { name: file, bytes, provenance });
        let moved = |bone: BoneId| BoneId::from_index(first_bone + bone.index());
        let materials: Vec<MaterialId> = (model.materials.into_iter())
            .map(|material| {
                let next = MaterialId::from_index(self.model.materials.len());
                let id = *self.materials.entry(material.name.clone()).or_insert(next);
                if id == next {
                    self.model.materials.push(material);
                }
                id
            })
            .collect();
        for mut mesh in model.meshes {
            mesh.name.clone_from(&name);
            self.bind(&mut mesh, moved);
            for subset in &mut mesh.subsets {
                // An index past the end stays past the end, for the check to find.
                subset.material = subset
                    .material
                    .map(|id| materials.get(id.index()).copied().unwrap_or(MaterialId(u32::MAX)));
            }
            self.model.meshes.push(mesh);
        }
        self.bones.extend(
            model
                .skeleton
                .bones()
                .iter()
                .map(|bone| Bone { parent: bone.parent.map(moved), ..bone.clone() }),
        );
    }

    fn bind(&self, mesh: &mut Mesh, moved: impl Fn(BoneId) -> BoneId) {
        let Skin::InverseBind(skin) = &mut mesh.skin else { return };
        for bone in &mut skin.bones {
            *bone = moved(*bone);
        }
        if self.has_hierarchy && skin.bone_from_mesh.is_empty() {
            skin.bone_from_mesh = vec![Mat4::IDENTITY; skin.bones.len()];
        }
    }
}

/// The spans of a mesh's file in terms of the joined model: its meshes and bones follow those before it. Keys of a clip
/// and names of materials don't keep their numbers, so their records aren't told apart.
fn joined_provenance(of_file: Provenance, first_mesh: usize, first_bone: usize) -> Provenance {
    let first_mesh = as_u32(first_mesh);
    let joined = |span: Span| {
        let moved = |mesh: u32| first_mesh.saturating_add(mesh);
        let element = match span.element {
            Element::Vertex { mesh } => Element::Vertex { mesh: moved(mesh) },
            Element::Index { mesh } => Element::Index { mesh: moved(mesh) },
            Element::Subset { mesh } => Element::Subset { mesh: moved(mesh) },
            Element::Bone | Element::BoneParent | Element::BoneInverseBind | Element::BoneName => {
                let first = span.first.saturating_add(first_bone as u64);
                return Span { first, ..span };
            }
            Element::Key { .. } => Element::Frame,
            Element::ClipName { .. } | Element::ClipHeader { .. } | Element::MaterialName => {
                Element::Text
            }
            Element::Hull
            | Element::HullPoint
            | Element::OccluderVertex
            | Element::OccluderIndex => Element::Attribute,
            other => other,
        };
        Span { element, ..span }
    };
    let Provenance { spans, shared, is_partial, .. } = of_file;
    let mut provenance =
        Provenance::from_spans(spans.into_iter().chain(shared).map(joined).collect());
    provenance.is_partial = is_partial;
    provenance
}
