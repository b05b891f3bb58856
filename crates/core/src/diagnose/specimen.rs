//! The examined model in plain form, with the vertices, edges and poses at which evidence is measured.
//!
//! Samples are chosen once, by index, so that the values before and after a change are measured at the same
//! vertices and moments.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::gaps::{Gap, gaps};
use super::pace::Pace;
pub(super) use super::parts::*;
use super::pictures::Pictures;
use super::reference::Reference;
use super::seams::Seams;
pub(super) use super::users::Shared;
use super::users::Users;
use crate::model::{Clip, ClipId, KeyAt, Mesh, MeshId, Model, Motion, spread};
use crate::pose::PoseSpec;
use crate::reshape::{mirrored_meshes, plain};
use crate::validate::spiked_keys;

/// The most meshes to examine. The largest ones are preferred, because they are characters rather than props.
const MAX_MESHES: usize = 240;
/// The most clips to examine.
const MAX_CLIPS: usize = 240;
/// The most vertices and edges to sample, per mesh and in total, and the fewest per mesh.
const MAX_PER_MESH: usize = 600;
const MAX_IN_ALL: usize = 2400;
const MIN_PER_MESH: usize = 16;
/// The most clips to sample poses from, and the poses per clip.
const MAX_POSED_CLIPS: usize = 10;
const POSES_PER_CLIP: usize = 3;

/// The model under examination.
pub(super) struct Specimen {
    /// In the form that [`plain`] returns.
    pub(super) model: Model,
    pub(super) samples: Vec<MeshSample>,
    /// Indices of the examined clips.
    pub(super) clips: Vec<usize>,
    /// The rest pose, and moments of some clips.
    pub(super) poses: Vec<PoseSpec>,
    /// False if the bones only store baked skinning matrices, which can't be compared with a rest pose.
    pub(super) has_bones: bool,
    /// Whether the clips of the file are animation curves, as in FBX.
    pub(super) has_live_curves: bool,
    /// One entry per clip.
    pub(super) paces: Vec<Pace>,
    /// The clips of similar files.
    pub(super) neighbours: Vec<Pace>,
    /// One entry per mesh: whether the node of a mesh without bones mirrors it.
    pub(super) mirrored: Vec<bool>,
    /// One entry per sample.
    pub(super) seams: Vec<Option<Seams>>,
    /// The gaps between neighbouring pieces of the surface.
    pub(super) gaps: Vec<Gap>,
    pub(super) pictures: Pictures,
    /// A correct version of the model, in plain form and in the same axes.
    pub(super) reference: Option<Reference>,
    users: Users,
    spikes: OnceLock<Vec<KeyAt>>,
    /// The reference as an examined model, when that is first needed.
    of_reference: OnceLock<Option<Box<Specimen>>>,
}

impl Specimen {
    pub(super) fn new(source: &Model) -> Self {
        let is_live = |clip: &Clip| matches!(clip.motion, Motion::Curves(_));
        let has_live_curves = source.clips.iter().any(is_live);
        Self { has_live_curves, ..Self::of_plain(plain(source, None)) }
    }

    /// The reference as an examined model, if both have as many meshes, bones and clips.
    pub(super) fn of_reference(&self) -> Option<&Specimen> {
        let counts = |model: &Model| (model.clips.len(), model.meshes.len(), model.skeleton.len());
        let new = || {
            let reference = &self.reference.as_ref()?.model;
            let has_same_items = counts(reference) == counts(&self.model);
            has_same_items.then(|| Box::new(Self::of_plain(reference.clone())))
        };
        self.of_reference.get_or_init(new).as_deref()
    }

    /// The keys that are far from both of their neighbours.
    pub(super) fn spikes(&self) -> &[KeyAt] {
        self.spikes.get_or_init(|| spiked_keys(&self.model))
    }

    pub(super) fn add_neighbours(&mut self, models: &[Model]) {
        self.neighbours.extend(models.iter().flat_map(|model| &model.clips).map(Pace::of));
    }

    pub(super) fn of_plain(model: Model) -> Self {
        let mut samples = samples(&model);
        let users = Users::default();
        let gaps = gaps(&model, &mut samples, &users);
        let clips: Vec<usize> = spread(model.clips.len(), MAX_CLIPS).collect();
        let poses = poses(&model);
        let has_bones = !is_baked(&model);
        let seams = samples.iter().map(|part| Seams::of(&model, &model.meshes[part.mesh]));
        Specimen {
            clips,
            poses,
            has_bones,
            has_live_curves: false,
            paces: model.clips.iter().map(Pace::of).collect(),
            neighbours: Vec::new(),
            mirrored: mirrored_meshes(&model),
            seams: seams.collect(),
            pictures: Pictures::default(),
            reference: None,
            spikes: OnceLock::new(),
            of_reference: OnceLock::new(),
            users,
            gaps,
            samples,
            model,
        }
    }

    /// The meshes of some items, for evidence with one item per sampled mesh, and all meshes that share this data with
    /// them. If all sampled meshes are among them, meshes that weren't sampled are affected too.
    pub(super) fn affected(&self, items: &[usize], shared: Shared) -> Vec<MeshId> {
        let of_item = |item: &usize| self.samples.get(*item).map(|part| part.mesh);
        let some: BTreeSet<MeshId> = items.iter().filter_map(of_item).collect();
        let is_whole = self.samples.iter().all(|part| some.contains(&part.mesh));
        let all = if is_whole { self.all_meshes() } else { some.into_iter().collect() };
        self.users.with_users(&self.model, all, shared)
    }

    /// Whether one of some items is about a mesh.
    pub(super) fn is_of(&self, items: &[usize], mesh: MeshId) -> bool {
        items.iter().any(|item| self.samples.get(*item).is_some_and(|part| part.mesh == mesh))
    }

    /// Some meshes, and the meshes that share this data with them.
    pub(super) fn with_users(&self, meshes: &[MeshId], shared: Shared) -> Vec<MeshId> {
        self.users.with_users(&self.model, meshes.iter().copied(), shared)
    }

    /// Whether two meshes share this data.
    pub(super) fn share(&self, a: MeshId, b: MeshId, shared: Shared) -> bool {
        let hashes = self.users.hashes(&self.model, shared);
        a == b || hashes[a].is_some_and(|hash| hashes[b] == Some(hash))
    }

    /// The indices of all meshes, sampled or not.
    pub(super) fn all_meshes(&self) -> Vec<MeshId> {
        self.model.meshes.ids().collect()
    }
}

/// Whether the plain form was made from baked skinning matrices: no bone has a parent, and all inverse bind
/// matrices are identities.
fn is_baked(model: &Model) -> bool {
    let is_flat = model.skeleton.bones().iter().all(|bone| bone.parent.is_none());
    let is_identity = |matrix: &glam::Mat4| *matrix == glam::Mat4::IDENTITY;
    let mut skins = model.meshes.iter().filter_map(skin_of).peekable();
    is_flat
        && skins.peek().is_some()
        && skins.all(|skin| skin.bone_from_mesh.iter().all(is_identity))
}

/// Poses in which skinned vertices are measured: the rest pose, and moments spread over some clips.
fn poses(model: &Model) -> Vec<PoseSpec> {
    let rest = PoseSpec { moment: crate::pose::Moment::Rest, ..PoseSpec::default() };
    let mut poses = vec![rest];
    for at in spread(model.clips.len(), MAX_POSED_CLIPS) {
        let clip = &model.clips[ClipId::from_index(at)];
        for part in 1..=POSES_PER_CLIP {
            let share = part as f64 / (POSES_PER_CLIP + 1) as f64;
            let time_secs = clip.start_secs + clip.duration_secs.max(0.0) * share;
            poses.push(PoseSpec::linear(ClipId::from_index(at), time_secs));
        }
    }
    poses
}

fn samples(model: &Model) -> Vec<MeshSample> {
    let mut largest: Vec<usize> = (0..model.meshes.len()).collect();
    let num = |at: &usize| model.meshes[MeshId::from_index(*at)].num_vertices();
    largest.sort_by_key(|at| std::cmp::Reverse(num(at)));
    largest.retain(|at| num(at) > 0);
    largest.truncate(MAX_MESHES);
    largest.sort_unstable();
    let most = (MAX_IN_ALL / largest.len().max(1)).clamp(MIN_PER_MESH, MAX_PER_MESH);
    largest
        .into_iter()
        .filter_map(|at| sample(at, &model.meshes[MeshId::from_index(at)], most))
        .collect()
}

fn sample(number: usize, mesh: &Mesh, most: usize) -> Option<MeshSample> {
    let positions = &mesh.streams()?.positions;
    let vertices = spread(positions.len(), most).map(index).collect();
    let mut edges = Vec::with_capacity(most);
    for triangle in spread(mesh.num_triangles(), most) {
        let corner = triangle % 3;
        let at = |corner: usize| mesh.indices.get(triangle * 3 + corner % 3);
        let (Some(a), Some(b)) = (at(corner), at(corner + 1)) else { continue };
        let ends = [a, b].map(|at| positions.get(at as usize).copied());
        if let [Some(from), Some(to)] = ends
            && from.distance_squared(to) > 0.0
        {
            edges.push([a, b]);
        }
    }
    let num_edges = edges.len();
    let points = edges.as_flattened().to_vec();
    Some(MeshSample { mesh: MeshId::from_index(number), vertices, points, num_edges })
}
