//! Nodes of skinned meshes that become two in Babylon.js.
//!
//! Its loader creates a node for the children, whose transform it ignores, and another for the mesh, which becomes a
//! sibling of the skeleton's root and is the target of the animations. The bones form a separate hierarchy that ends at
//! that root, and copy the local transforms of their nodes (9.28.0, loaders/glTF/2.0/glTFLoader.pure.js: loadNodeAsync,
//! _LoadTransform, _loadBones, _loadBone, _findSkeletonRootNode).

use std::collections::{BTreeMap, BTreeSet};

use super::Rules;
use super::playback_difference::PlaybackDifference;
use crate::model::{
    Bone, BoneId, BoneKind, IdVec, LocalTransform, Mesh, Model, Motion, Place, Skin, StoredMesh,
};

/// Splits the nodes of skinned meshes.
pub(super) fn split(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if !rules.splits_skinned_nodes {
        return;
    }
    let of_meshes = model.meshes.iter().filter_map(|mesh| node_of(model, mesh));
    let nodes: BTreeSet<BoneId> = of_meshes.collect();
    let roots: BTreeMap<BoneId, Option<BoneId>> = {
        let all = model.meshes.iter().filter_map(|mesh| Some((node_of(model, mesh)?, mesh)));
        all.map(|(node, mesh)| (node, root_of(model, mesh))).collect()
    };
    let moved = moved_nodes(model);
    let is_plain = |node: &BoneId| {
        let rest = model.skeleton.rest_locals().get(*node);
        rest.is_some_and(|rest| *rest == glam::Affine3A::IDENTITY) && !moved.contains(node)
    };
    let is_in_chains = model.meshes.iter().any(|mesh| {
        let Some(node) = node_of(model, mesh) else { return false };
        let root = roots.get(&node).copied().flatten();
        let Skin::InverseBind(skin) = &mesh.skin else { return false };
        skin.bones.iter().any(|joint| !chain(model.skeleton.bones(), *joint, root).is_whole)
    });
    if nodes.iter().all(is_plain) && !is_in_chains {
        return;
    }
    let mut scene = SplitScene { model, nodes: &nodes, of_mesh: BTreeMap::new() };
    scene.add_mesh_nodes(&roots);
    let copies = scene.bone_copies(&roots, &moved);
    let of_mesh = scene.of_mesh;
    let mut first = None;
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        let node = mesh.stored.as_ref().and_then(|stored| stored.node);
        let Some(own) = node.and_then(|node| of_mesh.get(&node)) else { continue };
        match &mut mesh.skin {
            Skin::InverseBind(skin) => {
                for bone in &mut skin.bones {
                    *bone = copies.get(&(*own, *bone)).copied().unwrap_or(*bone);
                }
            }
            _ => mesh.attached_to = Some(*own),
        }
        first.get_or_insert(number);
    }
    if let Some(first) = first {
        differences.push(PlaybackDifference {
            kind: "skinned-nodes-split",
            text:
                "nodes of skinned meshes lose their transform for their children, and are animated \
                   next to the root of the skeleton"
                    .to_owned(),
            place: Place::Mesh(first),
            count: nodes.len() as u64,
        });
    }
}

/// The node of a mesh with a skin, whether or not the primitive has joints.
fn node_of(model: &Model, mesh: &Mesh) -> Option<BoneId> {
    let stored = mesh.stored.as_ref()?;
    stored.skin?;
    stored.node.filter(|node| model.skeleton.bones().contains_id(*node))
}

fn root_of(model: &Model, mesh: &Mesh) -> Option<BoneId> {
    let joints = match &mesh.skin {
        Skin::InverseBind(skin) => &skin.bones[..],
        _ => &[],
    };
    skeleton_root(model.skeleton.bones(), mesh.stored.as_deref(), joints)
}

/// The root of a skeleton: the one that the file names, or else the lowest common ancestor of the joints.
pub(super) fn skeleton_root(
    bones: &IdVec<BoneId, Bone>,
    stored: Option<&StoredMesh>,
    joints: &[BoneId],
) -> Option<BoneId> {
    stored.and_then(|stored| stored.skeleton_root).or_else(|| {
        let mut common: Option<Vec<BoneId>> = None;
        for joint in joints {
            let mut path = chain(bones, *joint, None).bones;
            path.reverse();
            common = Some(match common {
                None => path,
                Some(known) => {
                    let same = known.iter().zip(&path).take_while(|(a, b)| a == b).count();
                    known.into_iter().take(same).collect()
                }
            });
        }
        common?.last().copied()
    })
}

/// A bone and its ancestors.
struct BoneChain {
    /// From the bone up to the root of the skeleton, or to the top of the scene.
    bones: Vec<BoneId>,
    /// Whether the chain reaches the root.
    is_whole: bool,
}

fn chain(all: &IdVec<BoneId, Bone>, bone: BoneId, root: Option<BoneId>) -> BoneChain {
    let mut bones = Vec::new();
    let mut at = Some(bone);
    while let Some((bone, stored)) = at.and_then(|bone| Some((bone, all.get(bone)?))) {
        bones.push(bone);
        if Some(bone) == root {
            return BoneChain { bones, is_whole: true };
        }
        at = stored.parent;
    }
    BoneChain { bones, is_whole: false }
}

/// The nodes with tracks in any clip.
fn moved_nodes(model: &Model) -> BTreeSet<BoneId> {
    let tracks = model.clips.iter().flat_map(|clip| match &clip.motion {
        Motion::Tracks(tracks) => &tracks[..],
        _ => &[],
    });
    tracks.map(|track| track.bone).collect()
}

struct SplitScene<'a> {
    model: &'a mut Model,
    /// Nodes of skinned meshes.
    nodes: &'a BTreeSet<BoneId>,
    /// The added node of the mesh for each of them.
    of_mesh: BTreeMap<BoneId, BoneId>,
}

impl SplitScene<'_> {
    /// Adds a node for the mesh of each skinned node, and moves the tracks of the node there.
    fn add_mesh_nodes(&mut self, roots: &BTreeMap<BoneId, Option<BoneId>>) {
        let mut pending: Vec<BoneId> = self.nodes.iter().copied().collect();
        while !pending.is_empty() {
            let num = pending.len();
            pending.retain(|&node| {
                let bones = self.model.skeleton.bones();
                let root = roots.get(&node).copied().flatten();
                let above = root.and_then(|root| bones.get(root)?.parent);
                let parent = match above {
                    Some(above) if above == node => bones[node].parent,
                    Some(above) if self.nodes.contains(&above) => match self.of_mesh.get(&above) {
                        Some(other) => Some(*other),
                        None => return true,
                    },
                    other => other,
                };
                let name = format!("{} (mesh)", self.model.skeleton.display_name(node));
                let own = self.push(name, parent);
                self.of_mesh.insert(node, own);
                false
            });
            if pending.len() == num {
                // Meshes that are placed next to each other's skeletons in a circle.
                break;
            }
        }
        for &node in self.nodes {
            self.model.skeleton.set_rest(node, LocalTransform::default());
        }
        for clip in &mut self.model.clips {
            if let Motion::Tracks(tracks) = &mut clip.motion {
                for track in tracks {
                    track.bone = self.of_mesh.get(&track.bone).copied().unwrap_or(track.bone);
                }
            }
        }
    }

    /// Copies the joints of skins whose hierarchy contains a node of a skinned mesh, doesn't reach its root, or is moved
    /// as a whole by the node of the mesh. The keys are that node and the joint.
    fn bone_copies(
        &mut self,
        roots: &BTreeMap<BoneId, Option<BoneId>>,
        moved: &BTreeSet<BoneId>,
    ) -> BTreeMap<(BoneId, BoneId), BoneId> {
        let mut copies = BTreeMap::new();
        let joints: Vec<(BoneId, Vec<BoneId>)> = self
            .model
            .meshes
            .iter()
            .filter_map(|mesh| match &mesh.skin {
                Skin::InverseBind(skin) => Some((node_of(self.model, mesh)?, skin.bones.clone())),
                _ => None,
            })
            .collect();
        for (node, joints) in joints {
            let Some(&own) = self.of_mesh.get(&node) else { continue };
            let root = roots.get(&node).copied().flatten();
            let chains: Vec<BoneChain> = joints
                .iter()
                .map(|joint| chain(self.model.skeleton.bones(), *joint, root))
                .collect();
            let above = root.and_then(|root| self.model.skeleton.bones()[root].parent);
            let is_apart = above.is_some_and(|above| above != node && self.nodes.contains(&above));
            let is_copied = is_apart
                || moved.contains(&node)
                || chains.iter().any(|chain| {
                    !chain.is_whole || chain.bones.iter().any(|bone| self.nodes.contains(bone))
                });
            if !is_copied {
                continue;
            }
            for chain in chains {
                let mut parent = own;
                for &bone in chain.bones.iter().rev() {
                    parent = match copies.get(&(own, bone)) {
                        Some(known) => *known,
                        None => {
                            let copy = self.copy(bone, parent);
                            copies.insert((own, bone), copy);
                            copy
                        }
                    };
                }
            }
        }
        copies
    }

    /// Adds a copy of a bone, with its tracks, below another.
    fn copy(&mut self, bone: BoneId, parent: BoneId) -> BoneId {
        let name = format!("{} (copy)", self.model.skeleton.display_name(bone));
        let copy = self.push(name, Some(parent));
        let rest = self.model.skeleton.bones()[bone].rest_local;
        self.model.skeleton.set_rest(copy, rest);
        // The tracks of a skinned node are those of its mesh now.
        let source = self.of_mesh.get(&bone).copied().unwrap_or(bone);
        for clip in &mut self.model.clips {
            if let Motion::Tracks(tracks) = &mut clip.motion {
                let own: Vec<_> = tracks.iter().filter(|own| own.bone == source).cloned().collect();
                tracks.extend(own.into_iter().map(|mut track| {
                    track.bone = copy;
                    track
                }));
            }
        }
        copy
    }

    fn push(&mut self, name: String, parent: Option<BoneId>) -> BoneId {
        self.model.skeleton.push(Bone { name, parent, kind: BoneKind::Helper, ..Bone::default() })
    }
}
