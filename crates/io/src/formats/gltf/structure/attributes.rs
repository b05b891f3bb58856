//! Attributes of primitives: sets that are incomplete, left out or of a type that the specification
//! doesn't allow (section 3.7.2.1).

use std::collections::{BTreeMap, BTreeSet};

use gltf_json::accessor::{ComponentType, GenericComponentType};
use gltf_json::mesh::{Primitive, Semantic};
use gltf_json::validation::Checked;

use super::shown_nodes;
use crate::formats::gltf::asset::Asset;
use crate::formats::gltf::mesh::Meshes;
use crate::formats::gltf::primitive::MAX_UV_SETS;
use rigscope_core::model::{FindingKind, Place};

const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Reports attributes of all shown meshes, once per mesh of the file.
pub(super) fn check(asset: &Asset<'_>, meshes: &Meshes) {
    let root = asset.root;
    let names = || root.extensions_used.iter().chain(&root.extensions_required);
    let is_quantized = names().any(|name| name == QUANTIZATION);
    let mut known = BTreeSet::new();
    let mut known_accessors = BTreeSet::new();
    for (node, number) in shown_nodes(meshes) {
        let stored_node = root.nodes.get(node);
        let Some(mesh) = stored_node.and_then(|node| node.mesh) else { continue };
        let mesh = mesh.value();
        let Some(stored) = root.meshes.get(mesh) else { continue };
        let place = Place::Mesh(number);
        let has_skin = stored_node.is_some_and(|node| node.skin.is_some());
        let num_joints = stored.primitives.iter().filter(|p| has_joints(p)).count();
        let is_unbound = u64::from(num_joints > 0 && !has_skin);
        asset.report.add_many(FindingKind::JointsWithoutSkin, place, is_unbound, || {
            format!(
                "{} has joints and weights, but {} has no skin",
                asset.mesh_name(mesh),
                asset.node_name(node)
            )
        });
        if !known.insert(mesh) {
            continue;
        }
        for (at, primitive) in stored.primitives.iter().enumerate() {
            let name = || format!("{}, primitive {at}", asset.mesh_name(mesh));
            sets(asset, primitive, place, name);
            for (semantic, accessor) in attributes(primitive) {
                if known_accessors.insert(accessor) {
                    stored_type(asset, &semantic, accessor, is_quantized, place, name);
                }
            }
        }
    }
}

fn has_joints(primitive: &Primitive) -> bool {
    let semantics = primitive.attributes.keys();
    semantics.into_iter().any(|key| matches!(key, Checked::Valid(Semantic::Joints(_))))
}

/// The attributes of a primitive and its morph targets, with their accessors.
fn attributes(primitive: &Primitive) -> impl Iterator<Item = (Semantic, usize)> + '_ {
    let own = primitive.attributes.iter().filter_map(|(semantic, accessor)| match semantic {
        Checked::Valid(semantic) => Some((semantic.clone(), accessor.value())),
        Checked::Invalid => None,
    });
    let targets = primitive.targets.iter().flatten().flat_map(|target| {
        let all = [
            (Semantic::Positions, target.positions),
            (Semantic::Normals, target.normals),
            (Semantic::Tangents, target.tangents),
        ];
        all.into_iter().filter_map(|(semantic, accessor)| Some((semantic, accessor?.value())))
    });
    own.chain(targets)
}

/// Reports sets of influences that are incomplete or follow a gap, and sets that aren't shown.
fn sets(asset: &Asset<'_>, primitive: &Primitive, place: Place, name: impl Fn() -> String) {
    // By set number: whether it has joints, and weights.
    let mut influences: BTreeMap<u32, (bool, bool)> = BTreeMap::new();
    let (mut num_uvs, mut num_colors) = (0u64, 0u64);
    for semantic in primitive.attributes.keys() {
        match semantic {
            Checked::Valid(Semantic::Joints(set)) => influences.entry(*set).or_default().0 = true,
            Checked::Valid(Semantic::Weights(set)) => influences.entry(*set).or_default().1 = true,
            Checked::Valid(Semantic::TexCoords(set)) => num_uvs += u64::from(*set >= MAX_UV_SETS),
            Checked::Valid(Semantic::Colors(_)) => num_colors += 1,
            _ => {}
        }
    }
    let report = asset.report;
    let halves = influences.iter().filter(|(_, (joints, weights))| joints != weights);
    report.add_many(
        FindingKind::JointsWithoutWeights,
        place,
        halves.clone().count() as u64,
        || {
            let half = halves.clone().next();
            let (set, has_joints) = half.map_or((0, true), |(set, (joints, _))| (*set, *joints));
            let (there, missing) =
                if has_joints { ("JOINTS", "WEIGHTS") } else { ("WEIGHTS", "JOINTS") };
            format!("{} has {there}_{set}, but no {missing}_{set}", name())
        },
    );
    if let Some((missing, set)) = (0..).zip(influences.keys()).find(|(at, set)| at != *set) {
        report.add_many(FindingKind::FirstInfluencesMissing, place, 1, || {
            format!("{} has JOINTS_{set}, but no JOINTS_{missing}", name())
        });
    }
    report.add_many(FindingKind::UvSetLeftOut, place, num_uvs, || {
        format!("{} has UV sets beyond TEXCOORD_{}", name(), MAX_UV_SETS - 1)
    });
    report.add_many(FindingKind::ColorSetLeftOut, place, num_colors.saturating_sub(1), || {
        format!("{} has {num_colors} sets of vertex colours", name())
    });
}

/// Reports an attribute whose component type other readers don't expect.
fn stored_type(
    asset: &Asset<'_>,
    semantic: &Semantic,
    accessor: usize,
    is_quantized: bool,
    place: Place,
    name: impl Fn() -> String,
) {
    let Some(stored) = asset.root.accessors.get(accessor) else { return };
    let Checked::Valid(GenericComponentType(component)) = stored.component_type else { return };
    let is_small_unsigned = matches!(component, ComponentType::U8 | ComponentType::U16);
    let described = || {
        let bits = component.size() * 8;
        let signed = match component {
            ComponentType::I8 | ComponentType::I16 => "signed",
            _ => "unsigned",
        };
        format!("{bits}-bit {signed} integers")
    };
    match semantic {
        Semantic::Positions | Semantic::Normals | Semantic::Tangents | Semantic::TexCoords(_) => {
            let is_uv = matches!(semantic, Semantic::TexCoords(_));
            let is_plain =
                component == ComponentType::F32 || is_uv && is_small_unsigned && stored.normalized;
            let is_wrong = u64::from(!is_plain && !is_quantized);
            asset.report.add_many(FindingKind::QuantizedWithoutExtension, place, is_wrong, || {
                format!("{}: {} is stored as {}", name(), semantic_name(semantic), described())
            });
        }
        Semantic::Weights(set) => {
            let is_wrong = u64::from(component != ComponentType::F32 && !stored.normalized);
            asset.report.add_many(FindingKind::WeightsNotFractions, place, is_wrong, || {
                let described = described();
                format!(
                    "{}: WEIGHTS_{set} is stored as {described} that aren't marked as normalized",
                    name()
                )
            });
        }
        _ => {}
    }
}

fn semantic_name(semantic: &Semantic) -> String {
    match semantic {
        Semantic::Positions => "POSITION".to_owned(),
        Semantic::Normals => "NORMAL".to_owned(),
        Semantic::Tangents => "TANGENT".to_owned(),
        Semantic::TexCoords(set) => format!("TEXCOORD_{set}"),
        other => format!("{other:?}"),
    }
}
