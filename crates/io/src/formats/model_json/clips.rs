//! Clips: keys of all bones at the same times, or tracks of single bones.

use glam::{Affine3A, Quat, Vec3};

use super::parse::malformed;
use super::rows::Rows;
use super::schema::{ClipText, MorphTrackText, TrackText, matrix};
use crate::formats::ReadError;
use rigscope_core::model::{
    BoneId, BoneTrack, Clip, Interpolation, MeshId, MorphTrack, Motion, Track, Trs,
};

/// The clip with that number; `num_targets` are the numbers of morph targets of the meshes.
pub(super) fn clip(
    number: usize,
    text: ClipText,
    num_bones: usize,
    num_targets: &[usize],
) -> Result<Clip, ReadError> {
    let at = Keys {
        clip: number,
        num_bones,
        times: &text.times,
        interpolation: if text.step { Interpolation::Step } else { Interpolation::Linear },
    };
    check_times(&text.times).map_err(|why| at.fault(&format!("times {why}")))?;
    let mut tracks = at.dense(text.matrices, text.translations, text.rotations, text.scales)?;
    let sparse = text.tracks.into_iter().enumerate();
    tracks.extend(
        sparse.map(|(number, track)| at.track(number, track)).collect::<Result<Vec<_>, _>>()?,
    );
    tracks.sort_by_key(|track| track.bone);
    if let Some(bone) = tracks.windows(2).find_map(|pair| match pair {
        [a, b] if a.bone == b.bone => Some(a.bone.0),
        _ => None,
    }) {
        return Err(at.fault(&format!("tracks moves bone {bone} twice")));
    }
    let morphs = text.morph_tracks.into_iter().enumerate();
    let morph_tracks: Vec<_> = morphs
        .map(|(number, track)| at.morph_track(number, track, num_targets))
        .collect::<Result<_, _>>()?;
    let all = tracks.iter().flat_map(BoneTrack::times);
    let all = all.chain(morph_tracks.iter().map(|track| &track.weights.times_secs[..]));
    let all = all.chain([&text.times[..]]);
    let ends = all.filter_map(|times| Some((*times.first()?, *times.last()?)));
    let ends = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let (start_secs, end_secs) = ends.unwrap_or_default();
    Ok(Clip {
        name: text.name,
        start_secs,
        duration_secs: end_secs - start_secs,
        is_looping: text.loops,
        motion: Motion::Tracks(tracks),
        morph_tracks,
        ..Clip::default()
    })
}

/// Why key times can't be used.
fn check_times(times: &[f64]) -> Result<(), &'static str> {
    match times {
        _ if !times.iter().all(|time| time.is_finite()) => Err("has a value that isn't finite"),
        _ if !times.is_sorted() => Err("doesn't rise"),
        _ => Ok(()),
    }
}

/// The keys of one clip.
struct Keys<'a> {
    clip: usize,
    num_bones: usize,
    times: &'a [f64],
    interpolation: Interpolation,
}

impl Keys<'_> {
    fn fault(&self, what: &str) -> ReadError {
        malformed("clips", format!("clips[{}].{what}", self.clip))
    }

    /// The values of all bones at each key.
    fn of_all_bones<T>(
        &self,
        name: &str,
        rows: Option<Rows<T>>,
    ) -> Result<Option<Vec<T>>, ReadError> {
        let Some(rows) = rows else { return Ok(None) };
        let (num, expected) = (rows.len(), self.times.len());
        if num != expected {
            return Err(self.fault(&format!("{name} has {num} keys, but times has {expected}")));
        }
        if let Some(key) = rows.lengths().position(|len| len != self.num_bones) {
            let num = self.num_bones;
            return Err(self.fault(&format!("{name}[{key}] must have one entry per bone ({num})")));
        }
        Ok(Some(rows.values))
    }

    /// Tracks from values of all bones.
    fn dense(
        &self,
        matrices: Option<Rows<super::schema::Matrix>>,
        translations: Option<Rows<[f32; 3]>>,
        rotations: Option<Rows<[f32; 4]>>,
        scales: Option<Rows<[f32; 3]>>,
    ) -> Result<Vec<BoneTrack>, ReadError> {
        let vectors = |values: Vec<[f32; 3]>| -> Vec<Vec3> {
            values.into_iter().map(Vec3::from_array).collect()
        };
        let translations = self.of_all_bones("translations", translations)?.map(vectors);
        let rotations = self.of_all_bones("rotations", rotations)?;
        let rotations: Option<Vec<Quat>> =
            rotations.map(|values| values.into_iter().map(Quat::from_array).collect());
        let scales = self.of_all_bones("scales", scales)?.map(vectors);
        let has_parts = translations.is_some() || rotations.is_some() || scales.is_some();
        let (translations, rotations, scales) = match self.of_all_bones("matrices", matrices)? {
            Some(_) if has_parts => {
                let what = "matrices can't be combined with translations, rotations or scales";
                return Err(self.fault(what));
            }
            None if !has_parts => return Ok(Vec::new()),
            None => (translations, rotations, scales),
            Some(matrices) => {
                let parts = matrices.iter().map(|rows| Affine3A::from_mat4(matrix(rows)));
                let parts: Vec<Trs> = parts.map(Trs::from_affine).collect();
                (
                    Some(parts.iter().map(|part| part.translation).collect()),
                    Some(parts.iter().map(|part| part.rotation).collect()),
                    Some(parts.iter().map(|part| part.scale).collect()),
                )
            }
        };
        let tracks = (0..self.num_bones).map(|bone| BoneTrack {
            bone: BoneId::from_index(bone),
            translation: self.column(bone, translations.as_deref()),
            rotation: self.column(bone, rotations.as_deref()),
            scale: self.column(bone, scales.as_deref()),
        });
        Ok(tracks.collect())
    }

    /// The values of one bone.
    fn column<T: Copy>(&self, bone: usize, values: Option<&[T]>) -> Option<Track<T>> {
        let values = values?.iter().skip(bone).step_by(self.num_bones.max(1));
        Some(Track {
            times_secs: self.times.to_vec(),
            values: values.copied().collect(),
            interpolation: self.interpolation,
        })
    }

    fn track(&self, number: usize, text: TrackText) -> Result<BoneTrack, ReadError> {
        let path = format!("tracks[{number}]");
        if text.bone as usize >= self.num_bones {
            return Err(self.fault(&format!("{path}.bone: there is no bone {}", text.bone)));
        }
        let times = text.times.as_deref().unwrap_or(self.times);
        check_times(times).map_err(|why| self.fault(&format!("{path}.times {why}")))?;
        let vectors = |values: Vec<[f32; 3]>| values.into_iter().map(Vec3::from_array).collect();
        let turns = |values: Vec<[f32; 4]>| values.into_iter().map(Quat::from_array).collect();
        Ok(BoneTrack {
            bone: BoneId(text.bone),
            translation: self.keys(&path, "translations", times, text.translations.map(vectors))?,
            rotation: self.keys(&path, "rotations", times, text.rotations.map(turns))?,
            scale: self.keys(&path, "scales", times, text.scales.map(vectors))?,
        })
    }

    fn keys<T>(
        &self,
        path: &str,
        name: &str,
        times: &[f64],
        values: Option<Vec<T>>,
    ) -> Result<Option<Track<T>>, ReadError> {
        let Some(values) = values else { return Ok(None) };
        if values.len() != times.len() {
            let (num, num_times) = (values.len(), times.len());
            let what = format!("{path}.{name} has {num} entries for {num_times} times");
            return Err(self.fault(&what));
        }
        let interpolation = self.interpolation;
        Ok(Some(Track { times_secs: times.to_vec(), values, interpolation }))
    }

    fn morph_track(
        &self,
        number: usize,
        text: MorphTrackText,
        num_targets: &[usize],
    ) -> Result<MorphTrack, ReadError> {
        let path = format!("morph_tracks[{number}]");
        let MorphTrackText { mesh, target, times, weights } = text;
        if num_targets.get(mesh as usize).is_none_or(|num| target as usize >= *num) {
            let what = format!("{path}: mesh {mesh} has no morph target {target}");
            return Err(self.fault(&what));
        }
        let times = times.as_deref().unwrap_or(self.times);
        check_times(times).map_err(|why| self.fault(&format!("{path}.times {why}")))?;
        let weights = self.keys(&path, "weights", times, Some(weights))?;
        Ok(MorphTrack {
            mesh: MeshId(mesh),
            target: target as usize,
            weights: weights.ok_or_else(|| self.fault(&format!("{path} has no weights")))?,
        })
    }
}
