//! Measures how far the normals of the format's own runtime deviate from exact ones.
//!
//! A runtime that transforms normals by the matrix of positions is right for rotations and uniform scale.
//! With uneven scale and shear, and between bones that are rotated against each other, its normals tilt and
//! the lighting is wrong; a runtime that uses cofactors flips them in a mirror.
//!
//! If a single bone is the cause, the exporter can fix it: [`FindingKind::RuntimeNormals`]. If only the sum of
//! rotated bones is, it is inherent in the way of skinning: [`FindingKind::BlendedNormals`].
//!
//! All vertices are measured in all keys up to a total of [`MAX_LOOKED_AT`]. Beyond that, half of it is used
//! for evenly spread vertices in all keys, and the other half for all vertices in the worst of these keys;
//! the message states this.

use crate::model::{
    Cancelled, Clip, ClipId, FindingKind, Mesh, MeshId, Model, Motion, Place, Report, as_u32,
    findings, numbers,
};
use crate::pose::{MeshPose, Moment, NormalDeviation, PoseSpec, Sampling, normal_errors, sample};
use crate::validate::moments::{Moments, Posed};
use crate::validate::worst::spread;

findings! {
    pub(super) FINDINGS:
    RuntimeNormals, "runtime-normals", Warning, Skin,
        "because of a bone's scale, shear or mirroring, the runtime of the format tilts a normal by more than 5° from the surface",
        "the lighting is wrong there, in the runtime and here: highlights and shadows are shifted or inverted",
        "keep the scales of bones uniform, or transform normals by the inverse transpose in the runtime",
        "the normal of vertex 184 is 10.8° off in the default pose at meshes[0].vertices[184]";
    BlendedNormals, "blended-normals", Info, Skin,
        "between bones that are rotated strongly against each other, the runtime of the format tilts a normal by more than 5° compared to the inverse transpose",
        "slightly wrong lighting in bent joints, in the runtime and here; linear skinning causes it in good files too",
        "no action needed; more bones in a joint that bends strongly reduce the difference",
        "the normal of vertex 415 is 17.6° off at key 12 (0.4 s) of clip \"walk\" at meshes[0].vertices[415]";
}

/// The progress text of this rule.
const WHAT: &str = "measuring normals";
/// Smaller angles aren't visible in soft light.
const LIMIT_DEG: f32 = 5.0;
/// The most normals to measure over all moments: half a second on one core.
const MAX_LOOKED_AT: usize = 1 << 23;
/// Moments per second of clips without stored keys.
const MOMENTS_A_SECOND: f64 = 30.0;
/// The most moments per clip, evenly spread: each requires posing the skeleton.
const MAX_MOMENTS: usize = 4096;
/// The most moments of all clips, which are listed before they are examined.
const MAX_ALL_MOMENTS: usize = 1 << 16;

/// The worst vertex.
#[derive(Clone, Copy, Debug)]
struct WorstNormal {
    angle_deg: f32,
    mesh: MeshId,
    vertex: usize,
    moment: PoseSpec,
}

/// Reports [`FindingKind::RuntimeNormals`] and [`FindingKind::BlendedNormals`].
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    look_at(model, MAX_LOOKED_AT, report)
}

/// The same, measuring at most `most` vertices over all moments.
fn look_at(model: &Model, most: usize, report: &Report) -> Result<(), Cancelled> {
    let num_vertices: usize = meshes(model).map(|(_, mesh)| mesh.num_vertices()).sum();
    if model.normal_matrix.is_perpendicular() || num_vertices == 0 {
        return Ok(());
    }
    let moments = all_moments(model);
    let deviations = |mesh: &Mesh| vec![NormalDeviation::WithinLimit; mesh.num_vertices()];
    let mut search = Search {
        model,
        deviations: model.meshes.iter().map(deviations).collect(),
        by_blending: None,
        by_bone: None,
    };
    let num_full = most / num_vertices;
    if moments.len() <= num_full {
        for (at, moment) in moments.iter().enumerate() {
            report.progress(WHAT, at as f32 / moments.len() as f32)?;
            search.look(moment, 1);
        }
    } else {
        let step = (num_vertices * moments.len()).div_ceil(most / 2);
        let mut by_worst: Vec<(f32, PoseSpec)> = Vec::with_capacity(moments.len());
        for (at, moment) in moments.iter().enumerate() {
            report.progress(WHAT, at as f32 / moments.len() as f32)?;
            by_worst.push((search.look(moment, step), *moment));
        }
        by_worst.sort_by(|a, b| b.0.total_cmp(&a.0));
        by_worst.truncate((num_full / 2).max(1));
        for (_, moment) in &by_worst {
            report.progress(WHAT, 1.0)?;
            search.look(moment, 1);
        }
        search.add_findings(report, Some((step, by_worst.len(), moments.len())));
        return Ok(());
    }
    search.add_findings(report, None);
    Ok(())
}

/// Meshes that can have normals.
fn meshes(model: &Model) -> impl Iterator<Item = (usize, &Mesh)> {
    model.meshes.iter().enumerate()
}

/// The default pose, and the keys of all clips.
fn all_moments(model: &Model) -> Vec<PoseSpec> {
    let mut all = vec![PoseSpec::default()];
    let chooser = Moments::of(model, Posed::Vertices);
    let most = MAX_MOMENTS.min(MAX_ALL_MOMENTS / model.clips.len().max(1)).max(1);
    for (index, clip) in model.clips.iter().enumerate() {
        // The two keys of a bind pair aren't shown separately, and vertex animations have no normals.
        let is_shown = match &clip.motion {
            Motion::Sampled(motion) => !motion.is_bind_pair,
            Motion::VertexAnimation(_) => false,
            Motion::Tracks(_) | Motion::Curves(_) => true,
        };
        if is_shown {
            all.extend(moments(index, clip, chooser.num(index, most)));
        }
    }
    all
}

fn moments(index: usize, clip: &Clip, most: usize) -> impl Iterator<Item = PoseSpec> {
    let num_keys = clip.as_sampled().map(|motion| motion.keys.num_keys());
    let duration_secs = clip.duration_secs.max(0.0);
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let steps = (duration_secs * MOMENTS_A_SECOND).ceil() as usize;
    let num = num_keys.unwrap_or(steps.saturating_add(1));
    let start_secs = clip.start_secs;
    spread(num, most).map(move |at| PoseSpec {
        clip: Some(ClipId::from_index(index)),
        moment: match num_keys {
            Some(_) => Moment::Key(as_u32(at)),
            None => {
                let share = at as f64 / steps.max(1) as f64;
                Moment::TimeSecs(start_secs + share * duration_secs)
            }
        },
        sampling: Sampling::Linear,
        ..PoseSpec::default()
    })
}

struct Search<'a> {
    model: &'a Model,
    /// For each vertex of each mesh, the cause of a deviation beyond the limit at any moment.
    deviations: Vec<Vec<NormalDeviation>>,
    by_blending: Option<WorstNormal>,
    by_bone: Option<WorstNormal>,
}

impl Search<'_> {
    /// Measures every `step`th vertex; returns the largest angle of the moment in degrees.
    fn look(&mut self, moment: &PoseSpec, step: usize) -> f32 {
        let pose = sample(self.model, moment);
        let mut largest = 0.0f32;
        for (index, mesh) in meshes(self.model) {
            let of_mesh: MeshPose = pose.of_mesh(MeshId::from_index(index), mesh);
            let Some(deviations) = self.deviations.get_mut(index) else { continue };
            for error in normal_errors(mesh, &of_mesh, step, LIMIT_DEG, deviations) {
                largest = largest.max(error.angle_deg);
                let worst = match error.deviation {
                    NormalDeviation::WithinLimit => continue,
                    NormalDeviation::FromBlending => &mut self.by_blending,
                    NormalDeviation::FromBone => &mut self.by_bone,
                };
                if worst.is_none_or(|known| error.angle_deg > known.angle_deg) {
                    *worst = Some(WorstNormal {
                        angle_deg: error.angle_deg,
                        mesh: MeshId::from_index(index),
                        vertex: error.vertex,
                        moment: *moment,
                    });
                }
            }
        }
        largest
    }

    fn add_findings(&self, report: &Report, part: Option<(usize, usize, usize)>) {
        for (kind, deviation, found) in [
            (FindingKind::RuntimeNormals, NormalDeviation::FromBone, self.by_bone),
            (FindingKind::BlendedNormals, NormalDeviation::FromBlending, self.by_blending),
        ] {
            let Some(found) = found else { continue };
            let all = self.deviations.iter().flatten();
            let num = all.filter(|of| **of == deviation).count();
            let place =
                Place::Vertex { mesh: as_u32(found.mesh.index()), vertex: as_u32(found.vertex) };
            // If a bone was the cause at another time, blending has no separate vertex.
            report.add_many(kind, place, num.max(1) as u64, || self.text(&found, part));
        }
    }

    fn text(&self, found: &WorstNormal, part: Option<(usize, usize, usize)>) -> String {
        let looked = match part {
            None => String::new(),
            Some((step, full, all)) => format!(
                "; {full} of {all} moments were measured completely, the others at one in {step} \
                 vertices"
            ),
        };
        let (vertex, angle_deg) = (found.vertex, found.angle_deg);
        let when = self.when(&found.moment);
        format!("the normal of vertex {vertex} is {angle_deg:.1}° off {when}{looked}")
    }

    fn when(&self, moment: &PoseSpec) -> String {
        let clip = moment.clip.map(|id| self.model.clip(id));
        let Some(clip) = clip else { return "in the default pose".to_owned() };
        match (moment.moment, clip.as_sampled()) {
            (Moment::Key(key), Some(motion)) => {
                let time = numbers::seconds(motion.key_secs(key as usize));
                format!("at key {key} ({time}) of clip {:?}", clip.name)
            }
            (Moment::TimeSecs(secs), _) => {
                format!("at {} of clip {:?}", numbers::seconds(secs), clip.name)
            }
            _ => format!("in clip {:?}", clip.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Vec3};

    use super::*;
    use crate::model::NormalMatrix;
    use crate::model::testing::*;
    use crate::validate::fixtures::bar::{bar, bent, is_silent, the, with_keys};

    /// The bar with normals, which a runtime transforms by the matrix of positions.
    fn shown(mut model: Model) -> Model {
        model.normal_matrix = NormalMatrix::Same;
        let streams = streams_mut(&mut model.meshes[MeshId(0)]);
        let normals = streams.positions.iter();
        streams.normals = normals.map(|p| (*p - Vec3::Y).normalize_or(Vec3::X)).collect();
        model
    }

    fn stretched(factor: f32) -> Model {
        let [lower, upper] = bent(0.1, 0.2);
        let stretch = Affine3A::from_scale(Vec3::new(1.0, factor, 1.0));
        shown(with_keys(&[bent(0.0, 0.0), [lower, upper * stretch]]))
    }

    #[test]
    fn nonuniform_scale_is_reported_with_vertex_clip_and_time() {
        let model = stretched(2.0);
        let finding = the(&model, FindingKind::RuntimeNormals);
        let text = format!("{} {}", finding.place, finding.message);
        assert!(text.starts_with("meshes[0].vertices["), "{text}");
        assert!(text.contains("at key 1 (0.1 s) of clip \"bend\""), "{text}");
        // With a stretch of 2, no normal can deviate by more than 36.9 degrees.
        let angle = finding.message.split(' ').nth(6).unwrap();
        let angle: f32 = angle.trim_end_matches('°').parse().unwrap();
        assert!(angle > 30.0 && angle < 36.9, "{text}");
        // The eight corners that the upper bone moves, and no others.
        assert_eq!(finding.count, 8);
    }

    #[test]
    fn exact_runtimes_uniform_scale_and_small_angles_are_not_reported() {
        let mut exact = stretched(2.0);
        exact.normal_matrix = NormalMatrix::InverseTranspose;
        assert!(is_silent(&exact, FindingKind::RuntimeNormals));
        assert!(is_silent(&stretched(1.05), FindingKind::RuntimeNormals));
        let [lower, upper] = bent(0.4, 1.9);
        let even = Affine3A::from_scale(Vec3::splat(3.0));
        let keys = [bent(0.0, 0.0), [lower, upper * even]];
        assert!(is_silent(&shown(with_keys(&keys)), FindingKind::RuntimeNormals));
    }

    #[test]
    fn bending_is_reported_as_blended_normals() {
        let keys = [bent(0.0, 0.0), bent(0.0, 1.9)];
        let mut model = shown(with_keys(&keys));
        assert!(is_silent(&model, FindingKind::BlendedNormals));
        let half: &[(u32, f32)] = &[(0, 0.5), (1, 0.5)];
        inverse_bind_mut(&mut model.meshes[MeshId(0)]).influences =
            Influences::from_lists([half; 20]);
        let finding = the(&model, FindingKind::BlendedNormals);
        assert!(finding.message.contains("at key 1 "), "{}", finding.message);
        assert!(is_silent(&model, FindingKind::RuntimeNormals));
    }

    #[test]
    fn default_pose_is_checked_without_clips() {
        let mut model = shown(bar());
        model.meshes[MeshId(0)].skin = Skin::None;
        model.meshes[MeshId(0)].attached_to = Some(BoneId(0));
        let mut bones = model.skeleton.bones().to_vec();
        let slanted = Affine3A::from_scale(Vec3::new(0.4, 1.0, 1.0));
        bones[0].rest_local = LocalTransform::Matrix(slanted);
        model.skeleton = Skeleton::new(bones, true).unwrap();
        let finding = the(&model, FindingKind::RuntimeNormals);
        assert!(finding.message.ends_with("in the default pose"), "{}", finding.message);
    }

    #[test]
    fn worst_moment_is_found_even_if_the_work_is_limited() {
        // 300 keys, one of which stretches.
        let mut keys = vec![bent(0.0, 0.0); 300];
        let [lower, upper] = bent(0.0, 0.3);
        keys[217] = [lower, upper * Affine3A::from_scale(Vec3::new(1.0, 1.8, 1.0))];
        let model = shown(with_keys(&keys));
        let report = Report::new();
        look_at(&model, 2000, &report).unwrap();
        let findings = report.findings();
        let finding = &findings[0];
        assert!(finding.message.contains("at key 217 "), "{}", finding.message);
        let part = "50 of 301 moments were measured completely, the others at one in 7 vertices";
        assert!(finding.message.contains(part), "{}", finding.message);
        assert_eq!(finding.count, 8, "all vertices of the bone");
    }
}
