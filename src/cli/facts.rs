//! What there is to say of a file that was read, in the shape of JSON.

use super::input::Document;
use super::json;
use crate::model::{AlphaMode, Handedness, LooseKind, MaterialLook, Mesh, Model, UpAxis, stats};
use crate::pose::{PoseSpec, posed_bounds};

/// All that `info` says of a file, which is called `file`.
pub(super) fn of_document(file: &str, document: &Document) -> json::Info {
    let model = &document.model;
    json::Info {
        schema: "rigscope.info/1",
        file: file.to_owned(),
        format: document.format.info().id,
        bytes: document.num_bytes,
        totals: totals(model),
        meshes: model.meshes.iter().map(mesh).collect(),
        noun: model.bone_noun(),
        materials: materials(model),
        bones: bones(model),
        clips: model.clips.iter().map(clip).collect(),
        value_tracks: (model.value_tracks.iter())
            .map(|track| json::ValueTrack {
                name: track.name.clone(),
                kind: track.kind.as_str(),
                keys: track.ratios.len(),
            })
            .collect(),
        hulls: hulls(model),
        occluder: model.occluder.as_ref().map(|occluder| json::Occluder {
            vertices: occluder.positions.len(),
            triangles: occluder.indices.len() / 3,
        }),
        bounds: json::Bounds::of(&posed_bounds(model, &PoseSpec::default())),
        axes: json::Axes {
            up: match model.axes.up {
                UpAxis::Y => "y",
                UpAxis::Z => "z",
            },
            handedness: match model.axes.handedness {
                Handedness::Right => "right",
                Handedness::Left => "left",
            },
        },
        unit_meters: model.axes.unit_meters,
        details: json::Details(model.details.clone()),
        companions: (document.companions.iter()).map(json::Companion::from).collect(),
        notes: document.notes.iter().map(json::NoteEntry::from).collect(),
    }
}

fn totals(model: &Model) -> json::Totals {
    json::Totals {
        vertices: model.num_vertices(),
        triangles: model.num_triangles(),
        lines: model.num_loose(LooseKind::Lines),
        points: model.num_loose(LooseKind::Points),
        subsets: model.num_subsets(),
        bones: model.skeleton.len(),
        clips: model.clips.len(),
        hulls: model.hulls.len(),
        morph_targets: model.meshes.iter().map(|m| m.morph_targets.len()).sum(),
    }
}

fn mesh(mesh: &Mesh) -> json::Mesh {
    let histogram = stats::influence_histogram(mesh);
    json::Mesh {
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
            .map(|subset| json::Subset {
                material: subset.material.map(|material| material.index()),
                first_index: subset.first_index,
                index_count: subset.index_count,
            })
            .collect(),
        loose: mesh
            .loose
            .iter()
            .map(|loose| json::Loose {
                kind: loose.kind.name(),
                count: loose.len(),
                material: loose.material.map(|material| material.index()),
            })
            .collect(),
    }
}

fn materials(model: &Model) -> Vec<json::Material> {
    let materials = model.materials.iter().map(|material| json::Material {
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

fn look(look: &MaterialLook) -> json::Look {
    let (alpha, alpha_cutoff) = match look.alpha {
        AlphaMode::Opaque => ("opaque", None),
        AlphaMode::Mask(cutoff) => ("mask", Some(cutoff)),
        AlphaMode::Blend => ("blend", None),
    };
    json::Look {
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

fn bones(model: &Model) -> Vec<json::Bone> {
    let bones = model.skeleton.bones().iter().map(|bone| json::Bone {
        name: bone.name.clone(),
        parent: bone.parent.map(|parent| parent.index()),
    });
    bones.collect()
}

fn clip(clip: &crate::model::Clip) -> json::Clip {
    let (keys, interval_secs) = clip.uniform_keys().unzip();
    json::Clip {
        name: clip.name.clone(),
        start_secs: clip.start_secs,
        duration_secs: clip.duration_secs,
        keys,
        interval_secs,
    }
}

fn hulls(model: &Model) -> Vec<json::Hull> {
    let hulls = model.hulls.iter().map(|hull| json::Hull { vertices: hull.points.len() });
    hulls.collect()
}
