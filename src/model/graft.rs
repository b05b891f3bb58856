//! Clips of one model put on another.
//!
//! For: animation files beside mesh files, in any two formats. Bones are matched by name, then by
//! order where counts agree; values are turned from the one file's axes and unit into the other's.
//! Not for: skeletons of other proportions; a local transform is taken as it is.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use super::{
    BoneId, BoneTrack, Clip, Curves, KeySpace, LiveCurves, MeshId, Model, MorphTrack, Motion,
    NoteKind, PackedKeys, Place, Report, SampledMotion, Skeleton, Track, VertexCache,
};

/// Adds all clips of `animation`, which was read from the file `from`, to `model`.
///
/// Both have passed the check. What finds no counterpart is noted.
pub fn add_clips(model: &mut Model, animation: &Model, from: &str, report: &Report) {
    let graft = Graft {
        bones: match_bones(&animation.skeleton, &model.skeleton),
        change: Change::between(animation, model),
        model,
        animation,
    };
    graft.note_unmatched(from, report);
    let clips: Vec<Clip> = animation
        .clips
        .iter()
        .filter_map(|clip| {
            let motion = graft.motion(clip)?;
            Some(Clip {
                name: match clip.name.is_empty() {
                    true => from.to_owned(),
                    false => clip.name.clone(),
                },
                motion,
                morph_tracks: graft.morph_tracks(clip),
                events: graft.events(clip),
                ..*clip
            })
        })
        .collect();
    let (num, all) = (clips.len(), animation.clips.len());
    report.note_many(NoteKind::AddedClips, Place::File, num as u64, || {
        format!("{num} of {from}")
    });
    report.note_many(NoteKind::Dropped, Place::File, (all - num) as u64, || {
        format!("{} clips of {from} fit nothing in this model", all - num)
    });
    model.clips.extend(clips);
}

/// The bone of `model` that each bone of `animation` stands for.
///
/// By name; then by name without case and name space (what is before the last `:` or `|`); then,
/// where no name fits at all and both have as many bones, by order.
#[must_use]
pub fn match_bones(animation: &Skeleton, model: &Skeleton) -> Vec<Option<BoneId>> {
    let exact = |name: &str| name.to_owned();
    let plain = |name: &str| {
        let own = name.rsplit([':', '|']).next().unwrap_or(name);
        own.to_lowercase()
    };
    let by = |key: &dyn Fn(&str) -> String| -> Vec<Option<BoneId>> {
        let mut known = HashMap::new();
        for (at, bone) in model.bones().iter().enumerate() {
            if !bone.name.is_empty() {
                known
                    .entry(key(&bone.name))
                    .or_insert(BoneId::from_index(at));
            }
        }
        let bones = animation.bones().iter();
        bones
            .map(|bone| known.get(&key(&bone.name)).copied())
            .collect()
    };
    let mut matched: Vec<_> = by(&exact)
        .into_iter()
        .zip(by(&plain))
        .map(|(exact, plain)| exact.or(plain))
        .collect();
    if matched.iter().all(Option::is_none) && animation.len() == model.len() {
        matched = (0..model.len())
            .map(|at| Some(BoneId::from_index(at)))
            .collect();
    }
    matched
}

/// The change of axes and unit from one file's space to another's.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Change {
    /// A rotation, maybe with a mirror.
    turn: Mat3A,
    /// Lengths are multiplied by this.
    scale: f32,
}

impl Change {
    const NONE: Self = Self {
        turn: Mat3A::IDENTITY,
        scale: 1.0,
    };

    fn between(from: &Model, to: &Model) -> Self {
        // Without a stated unit lengths mean the other file's.
        let mut axes = from.axes;
        if from.axes.unit_meters.is_none() || to.axes.unit_meters.is_none() {
            axes.unit_meters = to.axes.unit_meters;
        }
        let change = to.axes.display_from_file().inverse() * axes.display_from_file();
        let scale = change.matrix3.x_axis.length();
        let turn = change.matrix3 * scale.recip();
        match (scale - 1.0).abs() < 1e-6 && turn.abs_diff_eq(Mat3A::IDENTITY, 1e-6) {
            true => Self::NONE,
            false => Self { turn, scale },
        }
    }

    fn point(&self, point: Vec3) -> Vec3 {
        (self.turn * Vec3A::from(point) * self.scale).into()
    }

    fn rotation(&self, rotation: Quat) -> Quat {
        // The axis of a rotation is no vector: a mirror turns it round once more.
        let axis = self.turn * Vec3A::from(rotation.xyz()) * self.turn.determinant().signum();
        Quat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }

    fn factors(&self, scale: Vec3) -> Vec3 {
        (self.turn.abs() * Vec3A::from(scale)).into()
    }

    fn matrix(&self, matrix: Affine3A) -> Affine3A {
        Affine3A {
            matrix3: self.turn * matrix.matrix3 * self.turn.transpose(),
            translation: self.turn * matrix.translation * self.scale,
        }
    }
}

struct Graft<'a> {
    bones: Vec<Option<BoneId>>,
    change: Change,
    model: &'a Model,
    animation: &'a Model,
}

impl Graft<'_> {
    fn bone(&self, bone: BoneId) -> Option<BoneId> {
        self.bones.get(bone.index()).copied().flatten()
    }

    fn note_unmatched(&self, from: &str, report: &Report) {
        let all = self.animation.skeleton.bones().iter().zip(&self.bones);
        let unmatched: Vec<_> = all
            .filter(|(bone, own)| own.is_none() && !bone.is_helper)
            .map(|(bone, _)| bone.name.as_str())
            .collect();
        let num = unmatched.len();
        report.note_many(NoteKind::UnmatchedBones, Place::File, num as u64, || {
            let total = self.bones.len();
            format!("{num} of {total} bones of {from}: {}", unmatched.join(", "))
        });
    }

    fn motion(&self, clip: &Clip) -> Option<Motion> {
        let has_bones = self.bones.iter().any(Option::is_some);
        match &clip.motion {
            Motion::Tracks(tracks) => {
                let tracks: Vec<_> = tracks.iter().filter_map(|t| self.track(t)).collect();
                (!tracks.is_empty()).then_some(Motion::Tracks(tracks))
            }
            Motion::Sampled(motion) if has_bones => self.sampled(motion).map(Motion::Sampled),
            Motion::Curves(curves) if has_bones => {
                let bones = self.animation.skeleton.bones().iter();
                Some(Motion::Curves(LiveCurves(Arc::new(OtherCurves {
                    curves: curves.clone(),
                    rest: bones.map(|bone| bone.rest_local.to_affine()).collect(),
                    bones: self.bones.clone(),
                    change: self.change,
                }))))
            }
            Motion::VertexCache(cache) => self.cache(cache).map(Motion::VertexCache),
            Motion::Sampled(_) | Motion::Curves(_) => None,
        }
    }

    fn track(&self, track: &BoneTrack) -> Option<BoneTrack> {
        let change = &self.change;
        Some(BoneTrack {
            bone: self.bone(track.bone)?,
            translation: mapped(&track.translation, |v| change.point(v)),
            rotation: mapped(&track.rotation, |q| change.rotation(q)),
            scale: mapped(&track.scale, |v| change.factors(v)),
        })
    }

    /// Keys for the bones of the model; those that do not move keep their rest.
    fn sampled(&self, motion: &SampledMotion) -> Option<SampledMotion> {
        let num_bones = self.model.skeleton.len();
        let in_order =
            (0..num_bones).all(|at| self.bones.get(at) == Some(&Some(BoneId::from_index(at))));
        if in_order && self.bones.len() == num_bones && self.change == Change::NONE {
            return Some(motion.clone());
        }
        let rest: Vec<Affine3A> = match motion.space {
            KeySpace::Local => {
                let bones = self.model.skeleton.bones().iter();
                bones.map(|bone| bone.rest_local.to_affine()).collect()
            }
            KeySpace::Skin => vec![Affine3A::IDENTITY; num_bones],
        };
        let mut matrices = Vec::with_capacity(rest.len() * motion.keys.num_keys());
        for key in 0..motion.keys.num_keys() {
            let first = matrices.len();
            matrices.extend_from_slice(&rest);
            for (from, to) in self.bones.iter().enumerate() {
                if let (Some(to), Some(matrix)) = (to, motion.keys.matrix(key, from)) {
                    matrices[first + to.index()] = self.change.matrix(matrix);
                }
            }
        }
        Some(SampledMotion {
            keys: PackedKeys::from_matrices(u32::try_from(num_bones).ok()?, &matrices)?,
            ..motion.clone()
        })
    }

    /// The cache for the first mesh of as many vertices.
    fn cache(&self, cache: &VertexCache) -> Option<VertexCache> {
        let num_vertices = self
            .animation
            .meshes
            .get(cache.mesh.index())?
            .num_vertices();
        let mut meshes = self.model.meshes.iter();
        let mesh = meshes.position(|mesh| mesh.num_vertices() == num_vertices)?;
        Some(VertexCache {
            mesh: MeshId::from_index(mesh),
            times_secs: cache.times_secs.clone(),
            positions: cache
                .positions
                .iter()
                .map(|&p| self.change.point(p))
                .collect(),
        })
    }

    /// Weights of targets that have a namesake in a mesh of the same name, or in the only mesh.
    fn morph_tracks(&self, clip: &Clip) -> Vec<MorphTrack> {
        let tracks = clip.morph_tracks.iter().filter_map(|track| {
            let from = self.animation.meshes.get(track.mesh.index())?;
            let name = &from.morph_targets.get(track.target)?.name;
            let meshes = &self.model.meshes;
            let mesh = match meshes.len() {
                1 => 0,
                _ => meshes.iter().position(|mesh| mesh.name == from.name)?,
            };
            let mut targets = meshes.get(mesh)?.morph_targets.iter();
            Some(MorphTrack {
                mesh: MeshId::from_index(mesh),
                target: targets.position(|target| target.name == *name)?,
                weights: track.weights.clone(),
            })
        });
        tracks.collect()
    }

    fn events(&self, clip: &Clip) -> Vec<super::Event> {
        let events = clip.events.iter().map(|event| super::Event {
            bone: event.bone.and_then(|bone| self.bone(bone)),
            ..event.clone()
        });
        events.collect()
    }
}

fn mapped<T: Copy>(track: &Option<Track<T>>, map: impl Fn(T) -> T) -> Option<Track<T>> {
    track.as_ref().map(|track| Track {
        times_secs: track.times_secs.clone(),
        values: track.values.iter().map(|&value| map(value)).collect(),
        interpolation: track.interpolation,
    })
}

/// Live curves of another model's bones.
#[derive(Debug)]
struct OtherCurves {
    curves: LiveCurves,
    /// `parent_from_bone` of the other model's bones at rest.
    rest: Vec<Affine3A>,
    bones: Vec<Option<BoneId>>,
    change: Change,
}

impl Curves for OtherCurves {
    fn sample(&self, time_secs: f64, parent_from_bone: &mut [Affine3A]) {
        let mut own = self.rest.clone();
        self.curves.0.sample(time_secs, &mut own);
        for (matrix, bone) in own.into_iter().zip(&self.bones) {
            if let Some(slot) = bone.and_then(|bone| parent_from_bone.get_mut(bone.index())) {
                *slot = self.change.matrix(matrix);
            }
        }
    }

    fn key_times_secs(&self) -> Vec<f64> {
        self.curves.0.key_times_secs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Axes, Bone, Handedness, Interpolation, LocalTransform, Trs, UpAxis};

    fn skeleton(names: &[&str]) -> Skeleton {
        let bone = |(at, name): (usize, &&str)| Bone {
            name: (*name).to_owned(),
            parent: at.checked_sub(1).map(BoneId::from_index),
            ..Bone::default()
        };
        Skeleton::new(names.iter().enumerate().map(bone).collect(), true).unwrap()
    }

    fn walking(names: &[&str]) -> Model {
        let track = |at| BoneTrack {
            bone: BoneId(at),
            translation: Some(Track {
                times_secs: vec![0.0],
                values: vec![Vec3::new(at as f32, 2.0, 3.0)],
                interpolation: Interpolation::Linear,
            }),
            rotation: Some(Track {
                times_secs: vec![0.0],
                values: vec![Quat::from_rotation_x(0.5)],
                interpolation: Interpolation::Linear,
            }),
            scale: None,
        };
        let tracks = (0..u32::try_from(names.len()).unwrap())
            .map(track)
            .collect();
        Model {
            skeleton: skeleton(names),
            clips: vec![Clip {
                name: String::new(),
                start_secs: 0.0,
                duration_secs: 1.0,
                motion: Motion::Tracks(tracks),
                morph_tracks: Vec::new(),
                events: Vec::new(),
            }],
            ..Model::default()
        }
    }

    #[test]
    fn bones_are_matched_by_name_then_without_name_space_then_by_order() {
        let model = skeleton(&["Hips", "Spine", "Head"]);
        let matched = |names: &[&str]| match_bones(&skeleton(names), &model);
        assert_eq!(
            matched(&["Head", "Hips"]),
            [Some(BoneId(2)), Some(BoneId(0))]
        );
        assert_eq!(matched(&["mixamorig:spine", "x"]), [Some(BoneId(1)), None]);
        assert_eq!(
            matched(&["a", "b", "c"]),
            [0, 1, 2].map(|at| Some(BoneId(at)))
        );
        assert_eq!(matched(&["a", "b"]), [None, None]);
    }

    #[test]
    fn unmatched_bones_are_listed_and_the_rest_is_added() {
        let mut model = Model {
            skeleton: skeleton(&["Hips", "Head"]),
            ..Model::default()
        };
        let report = Report::new();
        add_clips(&mut model, &walking(&["Tail", "Head"]), "walk", &report);
        assert_eq!(model.clips[0].name, "walk");
        let Motion::Tracks(tracks) = &model.clips[0].motion else {
            panic!("tracks stay tracks");
        };
        assert_eq!(tracks.len(), 1);
        assert_eq!(tracks[0].bone, BoneId(1));
        let notes = report.notes();
        let unmatched = notes.iter().find(|n| n.kind == NoteKind::UnmatchedBones);
        assert_eq!(unmatched.unwrap().message, "1 of 2 bones of walk: Tail");
    }

    #[test]
    fn posing_and_changing_axes_may_be_done_in_either_order() {
        let mut animation = walking(&["Hips", "Head"]);
        animation.axes = Axes {
            up: UpAxis::Z,
            handedness: Handedness::Left,
            unit_meters: Some(0.3048),
            ..Axes::default()
        };
        let mut model = Model {
            skeleton: skeleton(&["Hips", "Head"]),
            axes: Axes {
                unit_meters: Some(0.01),
                ..Axes::default()
            },
            ..Model::default()
        };
        let change = Change::between(&animation, &model);
        let trs = Trs {
            translation: Vec3::new(1.0, -2.0, 0.5),
            rotation: Quat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7),
            scale: Vec3::new(1.0, 2.0, 0.5),
        };
        let changed = Trs {
            translation: change.point(trs.translation),
            rotation: change.rotation(trs.rotation),
            scale: change.factors(trs.scale),
        };
        assert!(
            changed
                .to_affine()
                .abs_diff_eq(change.matrix(trs.to_affine()), 1e-4)
        );
        let in_display =
            |model: &Model, p: Vec3| model.axes.display_from_file().transform_point3(p);
        let point = Vec3::new(0.1, 0.2, 0.3);
        let there = in_display(&animation, trs.to_affine().transform_point3(point));
        let here = in_display(
            &model,
            changed.to_affine().transform_point3(change.point(point)),
        );
        assert!(there.distance(here) < 1e-5);
        add_clips(&mut model, &animation, "walk", &Report::new());
        assert_eq!(model.clips.len(), 1);
    }

    #[test]
    fn sampled_keys_are_dealt_out_to_the_bones_they_name() {
        let keys = [
            Affine3A::from_translation(Vec3::X),
            Affine3A::from_translation(Vec3::Y),
        ];
        let mut animation = walking(&["Head", "Tail"]);
        animation.clips[0] = Clip::sampled(
            "keys".into(),
            SampledMotion {
                duration_ns: 0,
                interval_ns: 0,
                space: KeySpace::Local,
                is_bind_pair: false,
                keys: PackedKeys::from_matrices(2, &keys).unwrap(),
            },
        );
        let mut model = Model {
            skeleton: skeleton(&["Hips", "Neck", "Head"]),
            ..Model::default()
        };
        add_clips(&mut model, &animation, "x", &Report::new());
        let keys = &model.clips[0].as_sampled().unwrap().keys;
        assert_eq!(keys.matrix(0, 2), Some(Affine3A::from_translation(Vec3::X)));
        assert_eq!(
            keys.matrix(0, 0),
            Some(LocalTransform::default().to_affine())
        );
    }
}
