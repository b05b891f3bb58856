//! Summarizes a file that was read.

use std::collections::HashSet;

use super::info;
use crate::model::{
    AlphaMode, Avatar, BoneId, Expression, Finding, Handedness, LooseKind, MaterialLook, Mesh,
    Model, RelatedFileUse, Spring, UpAxis, stats,
};
use crate::pose::{PoseSpec, posed_bounds};

/// A file that was read.
pub struct FileRead<'a> {
    /// The content of the file.
    pub model: &'a Model,
    /// Id of the format that read it.
    pub format: &'static str,
    /// Size of the file.
    pub num_bytes: u64,
    /// The related files and whether they were used.
    pub related_files: &'a [RelatedFileUse],
    /// Findings, worst first.
    pub findings: &'a [Finding],
}

/// The `info` summary of a file with the name `name`.
pub fn info_of(name: &str, file: &FileRead<'_>) -> info::Info {
    let model = file.model;
    info::Info {
        schema: "rigscope.info/1",
        file: name.to_owned(),
        format: file.format,
        bytes: file.num_bytes,
        totals: totals(model),
        meshes: model.meshes.iter().map(mesh).collect(),
        noun: model.bone_noun(),
        materials: materials(model),
        bones: bones(model),
        clips: model.clips.iter().map(clip).collect(),
        value_tracks: (model.value_tracks.iter())
            .map(|track| info::ValueTrack {
                name: track.name.clone(),
                kind: track.kind.as_str(),
                keys: track.ratios.len(),
            })
            .collect(),
        hulls: hulls(model),
        occluder: model.occluder.as_ref().map(|occluder| info::OcclusionMesh {
            vertices: occluder.positions.len(),
            triangles: occluder.indices.len() / 3,
        }),
        bounds: info::Bounds::of(&posed_bounds(model, &PoseSpec::default())),
        axes: info::Axes {
            up: match model.axes.up {
                UpAxis::Y => "y",
                UpAxis::Z => "z",
            },
            handedness: match model.axes.handedness {
                Handedness::Right => "right",
                Handedness::Left => "left",
            },
            front: model.axes.faces_backward.then_some("-z"),
        },
        unit_meters: model.axes.unit_meters,
        details: info::Details(model.details.clone()),
        avatar: model.avatar.as_deref().map(avatar),
        related_files: file.related_files.iter().map(info::RelatedFile::from).collect(),
        findings: file.findings.iter().map(info::FindingEntry::from).collect(),
    }
}

fn avatar(avatar: &Avatar) -> info::Avatar {
    let bones = avatar.humanoid.iter();
    let expression = |expression: &Expression| info::Expression {
        name: expression.name.clone(),
        weights: (expression.weights.iter())
            .map(|weight| info::ExpressionWeight {
                mesh: weight.mesh.0,
                target: weight.target,
                weight: weight.weight,
            })
            .collect(),
        material_changes: expression.num_material_changes,
    };
    info::Avatar {
        humanoid: bones
            .map(|(bone, name)| info::HumanBone { bone: bone.0, name: name.clone() })
            .collect(),
        expressions: avatar.expressions.iter().map(expression).collect(),
        springs: (avatar.springs.iter())
            .map(|spring| info::Spring { name: spring.name.clone(), bones: bones_of(spring) })
            .collect(),
        colliders: avatar.colliders.len(),
    }
}

/// The bones that swing, and those at their ends.
fn bones_of(spring: &Spring) -> Vec<u32> {
    let mut known = HashSet::new();
    let segments = spring.segments.iter();
    let ends = segments.flat_map(|segment| [Some(segment.bone), segment.tail]).flatten();
    ends.filter(|bone| known.insert(*bone)).map(|bone| bone.0).collect()
}

fn totals(model: &Model) -> info::Totals {
    info::Totals {
        vertices: model.num_vertices(),
        triangles: model.num_triangles(),
        lines: model.num_loose(LooseKind::Lines),
        points: model.num_loose(LooseKind::Points),
        subsets: model.num_subsets(),
        bones: model.num_bones(),
        nodes: model.num_nodes(),
        clips: model.clips.len(),
        hulls: model.hulls.len(),
        morph_targets: model.meshes.iter().map(|m| m.morph_targets.len()).sum(),
    }
}

fn mesh(mesh: &Mesh) -> info::Mesh {
    let histogram = stats::influence_histogram(mesh);
    info::Mesh {
        name: mesh.name.clone(),
        vertices: mesh.num_vertices(),
        triangles: mesh.num_triangles(),
        max_influences: histogram.len().saturating_sub(1),
        influences: histogram
            .into_iter()
            .enumerate()
            .filter(|&(_, num_vertices)| num_vertices > 0)
            .collect(),
        subsets: mesh
            .subsets
            .iter()
            .map(|subset| info::Subset {
                material: subset.material.map(|material| material.index()),
                first_index: subset.first_index,
                index_count: subset.index_count,
            })
            .collect(),
        loose: mesh
            .loose
            .iter()
            .map(|loose| info::LooseParts {
                kind: loose.kind.name(),
                count: loose.len(),
                material: loose.material.map(|material| material.index()),
            })
            .collect(),
    }
}

fn materials(model: &Model) -> Vec<info::Material> {
    let materials = model.materials.iter().map(|material| info::Material {
        name: material.name.clone(),
        textures: material
            .textures
            .iter()
            .map(|texture| model.texture_name(texture).to_owned())
            .collect(),
        roles: material.textures.iter().map(|texture| texture.role.info().name).collect(),
        look: material.look.as_deref().map(look),
        approximated: material.approximated.texts().collect(),
    });
    materials.collect()
}

fn look(look: &MaterialLook) -> info::Look {
    let (alpha, alpha_cutoff) = match look.alpha {
        AlphaMode::Opaque => ("opaque", None),
        AlphaMode::Mask(cutoff) => ("mask", Some(cutoff)),
        AlphaMode::Blend => ("blend", None),
    };
    info::Look {
        base_color: look.base_color.to_array(),
        alpha,
        alpha_cutoff,
        two_sided: look.is_two_sided,
        unlit: look.is_unlit,
        depth_only: look.is_depth_only,
        metallic: look.metallic,
        roughness: look.roughness,
        emissive: look.emissive.to_array(),
        normal_scale: look.normal_scale,
        occlusion_strength: look.occlusion_strength,
        ior: look.ior,
        specular: look.specular,
        specular_color: look.specular_color.to_array(),
        clearcoat: look.clearcoat,
        clearcoat_roughness: look.clearcoat_roughness,
        sheen_color: look.sheen_color.to_array(),
        sheen_roughness: look.sheen_roughness,
        transmission: look.transmission,
        draw_order: look.draw.and_then(|draw| draw.order),
        depth_test: look.draw.map(|draw| draw.tests_depth),
        depth_write: look.draw.map(|draw| draw.writes_depth),
    }
}

fn bones(model: &Model) -> Vec<info::Bone> {
    let bones = model.skeleton.bones().iter().enumerate().map(|(index, bone)| info::Bone {
        name: bone.name.clone(),
        parent: bone.parent.map(|parent| parent.index()),
        kind: if bone.is_helper() {
            "helper"
        } else {
            model.noun_of(BoneId::from_index(index)).one()
        },
    });
    bones.collect()
}

fn clip(clip: &crate::model::Clip) -> info::Clip {
    let (keys, interval_secs) = clip.uniform_keys().unzip();
    info::Clip {
        name: clip.name.clone(),
        start_secs: clip.start_secs,
        duration_secs: clip.duration_secs,
        keys,
        interval_secs,
    }
}

fn hulls(model: &Model) -> Vec<info::Hull> {
    let hulls = model.hulls.iter().map(|hull| info::Hull { vertices: hull.points.len() });
    hulls.collect()
}
