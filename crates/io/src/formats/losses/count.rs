//! Counts the aspects of a model.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use glam::{Affine3A, Vec3};

use super::{ASPECTS, Aspect, Measure};
use rigscope_core::model::{
    Blending, BoneTrack, Clip, ClipId, Interpolation, LocalTransform, LooseKind, Mesh, Model,
    Motion, Skin, TextureRole, Trs, VertexData, stats,
};
use rigscope_core::pose::{Moment, PoseSpec, Sampling, sample};

/// Scales this close to 1 and angles this close to 90 degrees are rounding errors.
const SHAPE_TOLERANCE: f32 = 2e-3;
/// A rest transform that differs this little from the identity, in file units, counts as none.
const REST_TOLERANCE: f32 = 1e-6;
/// Number of times in a clip at which bones are checked for scale and shear.
const NUM_MOMENTS: u32 = 9;

/// The count of each aspect of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    num: [u64; ASPECTS.len()],
    /// Number of images by hash of their bytes, because several output files may contain the same image.
    images: BTreeMap<u64, u64>,
}

impl Counts {
    /// Counts the aspects of `model`, which has passed the check. Samples its clips at a few times.
    pub fn of_model(model: &Model) -> Self {
        let mut counts = Self { num: [0; ASPECTS.len()], images: BTreeMap::new() };
        meshes(model, &mut counts);
        materials(model, &mut counts);
        bones(model, &mut counts);
        clips(model, &mut counts);
        counts.add(Aspect::Hulls, model.hulls.len());
        counts.add(Aspect::ValueTracks, model.value_tracks.len());
        counts.add(Aspect::Occluders, usize::from(model.occluder.is_some()));
        if let Some(avatar) = &model.avatar {
            counts.add(Aspect::HumanBones, avatar.humanoid.len());
            counts.add(Aspect::Expressions, avatar.expressions.len());
            counts.add(Aspect::Springs, avatar.springs.len());
        }
        counts
    }

    /// The count of `aspect`; 1 or 0 if only its presence matters.
    pub fn of(&self, aspect: Aspect) -> u64 {
        let count = self.num.get(aspect as usize).copied().unwrap_or_default();
        match aspect.info().measure {
            Measure::Counted => count,
            Measure::Present => count.min(1),
        }
    }

    /// Combined counts of two files that one model was split into: the sum for vertices and triangles, or for clips,
    /// which are in one of the files, the union for images, and the maximum for everything else.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let mut all = self.clone();
        for (own, others) in all.num.iter_mut().zip(other.num) {
            *own = (*own).max(others);
        }
        // Files without vertices are clips, one per file.
        let has_vertices = |own: &Self| own.of(Aspect::Vertices) > 0;
        let are_clips = !has_vertices(self) && !has_vertices(other);
        let summed: &[Aspect] = if are_clips {
            &[Aspect::Clips, Aspect::UnevenKeys, Aspect::Interpolations, Aspect::StartTimes]
        } else {
            &[Aspect::Vertices, Aspect::Triangles]
        };
        for &summed in summed {
            let (own, others) = (self.num.get(summed as usize), other.num.get(summed as usize));
            if let (Some(sum), Some(own), Some(others)) =
                (all.num.get_mut(summed as usize), own, others)
            {
                *sum = own.saturating_add(*others);
            }
        }
        for (hash, num) in &other.images {
            let known = all.images.entry(*hash).or_default();
            *known = (*known).max(*num);
        }
        if let Some(images) = all.num.get_mut(Aspect::Images as usize) {
            *images = all.images.values().sum();
        }
        all
    }

    fn add(&mut self, aspect: Aspect, num: usize) {
        if let Some(count) = self.num.get_mut(aspect as usize) {
            *count += num as u64;
        }
    }

    fn largest(&mut self, aspect: Aspect, num: usize) {
        if let Some(count) = self.num.get_mut(aspect as usize) {
            *count = (*count).max(num as u64);
        }
    }
}

fn meshes(model: &Model, counts: &mut Counts) {
    for mesh in &model.meshes {
        let num_vertices = mesh.num_vertices();
        counts.add(Aspect::Vertices, num_vertices);
        counts.add(Aspect::Triangles, mesh.num_triangles());
        counts.add(Aspect::Lines, mesh.num_loose(LooseKind::Lines));
        counts.add(Aspect::Points, mesh.num_loose(LooseKind::Points));
        // A mesh without vertices can't be stored separately by any format.
        counts.add(Aspect::Meshes, usize::from(num_vertices > 0));
        counts.add(Aspect::MeshNames, usize::from(!mesh.name.is_empty()));
        counts.add(Aspect::MorphTargets, mesh.morph_targets.len());
        attributes(mesh, counts);
        let influences = stats::influence_histogram(mesh);
        match &mesh.skin {
            Skin::None => {}
            Skin::InverseBind(skin) => {
                counts.add(Aspect::Skins, 1);
                counts.largest(Aspect::Influences, influences.len().saturating_sub(1));
                let blends = skin.blending != Blending::Linear;
                counts.add(Aspect::DualQuaternions, usize::from(blends));
            }
            Skin::BoneLocal(_) => {
                counts.add(Aspect::Skins, 1);
                counts.largest(Aspect::Influences, influences.len().saturating_sub(1));
                counts.add(Aspect::BoneLocal, 1);
            }
        }
    }
}

fn attributes(mesh: &Mesh, counts: &mut Counts) {
    let mut has = |aspect, is_there| counts.add(aspect, usize::from(is_there));
    match &mesh.vertices {
        VertexData::Streams(streams) => {
            has(Aspect::Normals, streams.normals.iter().any(|n| *n != Vec3::ZERO));
            let is_tangent = |t: &glam::Vec4| t.truncate() != Vec3::ZERO;
            has(Aspect::Tangents, streams.tangents.iter().any(is_tangent));
            has(Aspect::Colors, mesh.is_tinted());
            counts.largest(Aspect::UvSets, streams.uv_sets.len());
        }
        VertexData::Packed(packed) => {
            has(Aspect::Normals, packed.iter().any(|v| v.normal_decoded() != Vec3::ZERO));
            let is_tangent = |t: glam::Vec4| t.truncate() != Vec3::ZERO;
            let mut tangents = packed.iter().map(|v| v.tangent_decoded());
            has(Aspect::Tangents, tangents.any(is_tangent));
            counts.largest(Aspect::UvSets, usize::from(!packed.is_empty()));
        }
    }
}

/// Counts only materials that are assigned to triangles. Those of lines and points are lost together with
/// them; others have no effect.
fn materials(model: &Model, counts: &mut Counts) {
    let mut is_used = vec![false; model.materials.len()];
    for subset in model.meshes.iter().flat_map(|mesh| &mesh.subsets) {
        if let Some(id) = subset.material
            && let Some(used) = is_used.get_mut(id.index())
        {
            *used = true;
        }
    }
    let mut images = std::collections::BTreeSet::new();
    for (material, _) in model.materials.iter().zip(is_used).filter(|(_, used)| *used) {
        counts.add(Aspect::MaterialNames, usize::from(!material.name.is_empty()));
        // Metallic and roughness count as one texture: some formats store them in one image, others in two.
        let is_pair = material.textures.iter().any(|t| t.role == TextureRole::Metallic);
        let counted = || {
            let own = material.textures.iter();
            own.filter(|t| !(is_pair && t.role == TextureRole::Roughness))
        };
        let named = counted().filter(|t| !t.is_found_by_name);
        // The maximum over materials, because formats limit the number per material.
        counts.largest(Aspect::Textures, named.count());
        let placed = counted().filter(|texture| texture.texture_from_uv.is_some());
        counts.add(Aspect::TextureTransforms, placed.count());
        counts.add(Aspect::Looks, usize::from(material.states_look()));
        images.extend(counted().filter_map(|texture| texture.image));
    }
    counts.add(Aspect::Images, images.len());
    for id in images {
        let mut hasher = DefaultHasher::new();
        let image = model.images.get(id);
        image.map(|image| &image.bytes[..]).hash(&mut hasher);
        *counts.images.entry(hasher.finish()).or_default() += 1;
    }
}

fn bones(model: &Model, counts: &mut Counts) {
    let used = stats::used_bones(model);
    for (bone, is_used) in model.skeleton.bones().iter().zip(used) {
        if bone.is_helper() {
            continue;
        }
        let aspect = if is_used { Aspect::UsedBones } else { Aspect::UnusedBones };
        counts.add(aspect, 1);
        counts.add(Aspect::BoneNames, usize::from(!bone.name.is_empty()));
        let has_parent = model.skeleton.has_hierarchy() && bone.parent.is_some();
        counts.add(Aspect::Parents, usize::from(has_parent));
        // Scales are a separate aspect, which formats may leave out without the rest of it.
        let rest = Trs { scale: Vec3::ONE, ..bone.rest_local.to_trs() }.to_affine();
        let is_rest = !rest.abs_diff_eq(Affine3A::IDENTITY, REST_TOLERANCE);
        counts.add(Aspect::Rest, usize::from(is_rest));
        shape(bone.rest_local, counts);
    }
}

fn clips(model: &Model, counts: &mut Counts) {
    for (number, clip) in model.clips.iter().enumerate() {
        if let Motion::VertexAnimation(_) = clip.motion {
            // Counted separately: many formats store other clips but not these.
            counts.add(Aspect::VertexAnimations, 1);
            continue;
        }
        counts.add(Aspect::Clips, 1);
        counts.add(Aspect::ClipNames, usize::from(!clip.name.is_empty()));
        counts.add(Aspect::StartTimes, usize::from(clip.start_secs != 0.0));
        counts.add(Aspect::Events, clip.events.len());
        counts.add(Aspect::MaterialTracks, clip.material_tracks.len());
        match &clip.motion {
            Motion::Sampled(_) | Motion::VertexAnimation(_) => {}
            Motion::Curves(_) => counts.add(Aspect::Curves, 1),
            Motion::Tracks(tracks) => {
                counts.add(Aspect::UnevenKeys, usize::from(is_uneven(clip)));
                let is_other = tracks.iter().any(has_other_interpolation);
                counts.add(Aspect::Interpolations, usize::from(is_other));
            }
        }
        let clip_id = ClipId::from_index(number);
        for moment in 0..NUM_MOMENTS {
            let share = f64::from(moment) / f64::from(NUM_MOMENTS - 1);
            let spec = PoseSpec {
                clip: Some(clip_id),
                moment: Moment::TimeSecs(clip.start_secs + share * clip.duration_secs),
                // Matrices blended between frames have shear even if no frame has.
                sampling: Sampling::Step,
                ..PoseSpec::default()
            };
            let pose = sample(model, &spec);
            let finished = pose.model_from_mesh.unwrap_or(pose.parent_from_bone);
            for matrix in finished {
                shape(LocalTransform::Matrix(matrix), counts);
            }
        }
    }
}

fn is_uneven(clip: &Clip) -> bool {
    let Motion::Tracks(tracks) = &clip.motion else { return false };
    tracks.iter().flat_map(BoneTrack::times).any(|t| t.len() > 1) && clip.uniform_keys().is_none()
}

fn has_other_interpolation(track: &BoneTrack) -> bool {
    let kinds = [
        track.translation.as_ref().map(|t| t.interpolation),
        track.rotation.as_ref().map(|t| t.interpolation),
        track.scale.as_ref().map(|t| t.interpolation),
    ];
    let mut kinds = kinds.into_iter().flatten();
    kinds.any(|kind| matches!(kind, Interpolation::Step | Interpolation::Cubic))
}

/// Checks one transform for scale and shear. A hidden bone (without volume) counts as scaled.
fn shape(transform: LocalTransform, counts: &mut Counts) {
    let matrix = match transform {
        LocalTransform::Trs(trs) => {
            let is_scaled = (trs.scale - Vec3::ONE).abs().max_element() > SHAPE_TOLERANCE;
            counts.add(Aspect::Scales, usize::from(is_scaled));
            return;
        }
        LocalTransform::Matrix(matrix) => matrix.matrix3,
    };
    let lengths = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.length());
    let is_scaled = lengths.iter().any(|l| (l - 1.0).abs() > SHAPE_TOLERANCE);
    let is_mirrored = matrix.determinant() < 0.0;
    counts.add(Aspect::Scales, usize::from(is_scaled || is_mirrored));
    let [x, y, z] =
        [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(rigscope_core::pose::unit_or_zero);
    let cosine = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    counts.add(Aspect::Shears, usize::from(cosine > SHAPE_TOLERANCE));
}
