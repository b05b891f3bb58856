//! Joins the clips of several meshes by name, with the keys of all bones one after another.
//!
//! A mesh without a clip of that name shows the first key of its first clip, which is its initial pose. A
//! static clip, if it is the only clip of its meshes, adds nothing to that: it's left out if there are other
//! clips.

use glam::Affine3A;

use super::effect_mesh::EffectMesh;
use crate::formats::{Budget, Limits};
use rigscope_core::model::{
    ByteView, Clip, FindingKind, KEY_STRIDE_BYTES, KeySpace, PackedKeys, Place, Report,
    SampledMotion, as_u32, counted,
};

/// The joined clips of all parts; keys are local if `is_local`.
pub(super) fn join(
    parts: &[EffectMesh],
    is_local: bool,
    limits: &Limits,
    report: &Report,
) -> Vec<Clip> {
    let mut names: Vec<&str> = Vec::new();
    for clip in parts.iter().flat_map(|part| &part.model.clips) {
        // Real files have at most a dozen clips.
        if !names.contains(&clip.name.as_str()) && names.len() < MAX_CLIPS {
            names.push(&clip.name);
        }
    }
    let says_more = |name: &&str| parts.iter().any(|part| is_more_than_a_pose(part, name));
    let telling: Vec<&str> = names.iter().copied().filter(|name| says_more(name)).collect();
    if telling.is_empty() {
        names.truncate(1);
    } else {
        names = telling;
    }
    let views = || parts.iter().flat_map(|part| &part.model.clips).filter_map(Clip::as_sampled);
    let num_bytes = views().map(|motion| motion.keys.bytes().len()).sum();
    let mut budget = Budget::of_file(limits, num_bytes);
    let space = if is_local { KeySpace::Local } else { KeySpace::Skin };
    let clips: Vec<Clip> = (names.iter())
        .filter_map(|name| {
            Some(Clip::sampled((*name).to_owned(), joined(parts, name, space, &mut budget)?))
        })
        .collect();
    let num_lost = names.len() - clips.len();
    report.add_many(FindingKind::Dropped, Place::File, num_lost as u64, || {
        let clips = counted(num_lost as u64, "clip");
        format!("{clips} would take too much memory for all meshes together")
    });
    clips
}

/// Limit on the number of distinct names.
const MAX_CLIPS: usize = 1 << 12;

/// Whether a part has a moving clip of that name, or has other clips too.
fn is_more_than_a_pose(part: &EffectMesh, name: &str) -> bool {
    let clips = &part.model.clips;
    let mut named = clips.iter().filter(|clip| clip.name == name).filter_map(Clip::as_sampled);
    named.any(|motion| clips.len() > 1 || num_keys(motion) > 1)
}

/// Number of keys; a bind pair is a single pose.
fn num_keys(motion: &SampledMotion) -> usize {
    if motion.is_bind_pair { 1 } else { motion.keys.num_keys() }
}

/// The clip `name` of all parts; `None` if it doesn't fit into memory.
fn joined(
    parts: &[EffectMesh],
    name: &str,
    space: KeySpace,
    budget: &mut Budget,
) -> Option<SampledMotion> {
    let of = |part: &'_ EffectMesh, is_wanted: &dyn Fn(&Clip) -> bool| -> Option<SampledMotion> {
        part.model.clips.iter().find(|clip| is_wanted(clip)).and_then(Clip::as_sampled).cloned()
    };
    let named: Vec<Option<SampledMotion>> =
        parts.iter().map(|part| of(part, &|clip| clip.name == name)).collect();
    let longest = |motion: &&SampledMotion| {
        (motion.interval_ns as u128).saturating_mul(num_keys(motion) as u128)
    };
    let lead = named.iter().flatten().max_by_key(longest)?;
    let (interval_ns, num_lead) = (lead.interval_ns, num_keys(lead).max(1));
    let num_bones: usize = parts.iter().map(|part| part.model.skeleton.len()).sum();
    let total = num_bones.checked_mul(KEY_STRIDE_BYTES)?.checked_mul(num_lead)?;
    budget.take::<u8>(total).ok()?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(total).ok()?;
    let sources: Vec<Keys> = (parts.iter().zip(&named))
        .map(|(part, named)| Keys {
            motion: named.clone().or_else(|| of(part, &|_| true)),
            is_held: named.is_none(),
            num_bones: part.model.skeleton.len(),
        })
        .collect();
    for key in 0..num_lead {
        let at_ns = u128::from(interval_ns) * key as u128;
        for source in &sources {
            source.put(at_ns, &mut bytes);
        }
    }
    let num_bones = u32::try_from(num_bones).ok()?;
    Some(SampledMotion {
        duration_ns: named.iter().flatten().map(|motion| motion.duration_ns).max()?,
        interval_ns,
        space,
        is_bind_pair: false,
        keys: PackedKeys::new(ByteView::whole(bytes), num_bones)?,
    })
}

/// The keys of one part.
struct Keys {
    motion: Option<SampledMotion>,
    /// Whether only the first key is used.
    is_held: bool,
    num_bones: usize,
}

impl Keys {
    /// Appends the matrices of the nearest key, or of the last key after the end.
    fn put(&self, at_ns: u128, out: &mut Vec<u8>) {
        let motion = self.motion.as_ref().filter(|motion| motion.keys.num_keys() > 0);
        let Some(motion) = motion else {
            let still = vec![Affine3A::IDENTITY; self.num_bones];
            put_matrices(&still, out);
            return;
        };
        if motion.is_bind_pair {
            let product = |bone| Some(motion.keys.matrix(0, bone)? * motion.keys.matrix(1, bone)?);
            let product = |bone| product(bone).unwrap_or(Affine3A::IDENTITY);
            let posed: Vec<Affine3A> = (0..self.num_bones).map(product).collect();
            put_matrices(&posed, out);
            return;
        }
        let interval = u128::from(motion.interval_ns.max(1));
        let nearest = if self.is_held || motion.interval_ns == 0 {
            0
        } else {
            usize::try_from((at_ns + interval / 2) / interval).unwrap_or(usize::MAX)
        };
        let key = nearest.min(motion.keys.num_keys() - 1);
        let key_bytes = self.num_bones * KEY_STRIDE_BYTES;
        let start = key * key_bytes;
        out.extend_from_slice(
            motion.keys.bytes().get(start..start + key_bytes).unwrap_or_default(),
        );
    }
}

fn put_matrices(matrices: &[Affine3A], out: &mut Vec<u8>) {
    let num = as_u32(matrices.len());
    if let Some(keys) = PackedKeys::from_matrices(num, matrices) {
        out.extend_from_slice(keys.bytes());
    }
}
