//! Reading back what was written, and measuring how far numbers moved.

use std::sync::Arc;

use super::run::{ConvertError, Prepared};
use super::{Check, ConvertOptions};
use crate::compare::{CompareOptions, compare};
use crate::formats::bonespro;
use crate::formats::losses::Counts;
use crate::formats::{Companion, Format, OutputFile, ReadError, ReadOptions, Source, open};
use crate::model::{Clip, Model, Report, USUAL_FRAMES_PER_SEC};

/// How far numbers moved between a model and what was read back. `None` where there was nothing to
/// compare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// The largest distance of a vertex in the default pose, display units.
    pub position: Option<f64>,
    /// The same over all clips, at all keys.
    pub skinned: Option<f64>,
    /// Length of the box's diagonal in the default pose, display units.
    pub extent: f64,
    /// The largest angle between normals, degrees.
    pub normal_deg: Option<f64>,
    /// The largest difference of u or v.
    pub uv: Option<f64>,
    /// The largest difference of a weight.
    pub weight: Option<f64>,
    /// Vertices of the source that nothing written is near.
    pub num_unmatched: usize,
    /// Where `skinned` is.
    pub worst: Option<WorstPlace>,
}

/// Where and when a vertex is farthest off.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstPlace {
    /// Position in the source's meshes.
    pub mesh: u32,
    /// The vertex of that mesh.
    pub vertex: u32,
    /// Name of the clip.
    pub clip: String,
    /// Since the clip's beginning.
    pub time_secs: f64,
}

impl Errors {
    /// The largest distance as a part of the extent.
    #[must_use]
    pub fn of_extent(&self) -> Option<f64> {
        let largest = self.skinned.into_iter().chain(self.position);
        let largest = largest.fold(None, |max: Option<f64>, d| {
            Some(max.map_or(d, |m| m.max(d)))
        });
        largest
            .filter(|_| self.extent > 0.0)
            .map(|d| d / self.extent)
    }

    /// The worse of both; unmatched vertices are counted elsewhere.
    fn worse(self, other: Self) -> Self {
        fn max(a: Option<f64>, b: Option<f64>) -> Option<f64> {
            match (a, b) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (a, b) => a.or(b),
            }
        }
        Self {
            position: max(self.position, other.position),
            worst: match self.skinned >= other.skinned {
                true => self.worst,
                false => other.worst,
            },
            skinned: max(self.skinned, other.skinned),
            extent: self.extent.max(other.extent),
            normal_deg: max(self.normal_deg, other.normal_deg),
            uv: max(self.uv, other.uv),
            weight: max(self.weight, other.weight),
            num_unmatched: self.num_unmatched,
        }
    }
}

impl std::fmt::Display for Errors {
    /// One line for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        let largest = self.skinned.or(self.position);
        if let (Some(largest), Some(share)) = (largest, self.of_extent()) {
            let mut part = match share == 0.0 {
                true => "positions exact".to_owned(),
                false => format!("positions {largest:.3e} ({share:.2e} of the extent)"),
            };
            if let Some(worst) = self.worst.as_ref().filter(|_| largest > 0.0) {
                part.push_str(&format!(
                    " at meshes[{}].vertices[{}] in clip {:?} at {:.3} s",
                    worst.mesh, worst.vertex, worst.clip, worst.time_secs
                ));
            }
            parts.push(part);
        }
        let mut push = |what: &str, value: Option<f64>, unit: &str| {
            parts.extend(value.map(|value| match value == 0.0 {
                true => format!("{what} exact"),
                false => format!("{what} {value:.2e}{unit}"),
            }));
        };
        push("normals", self.normal_deg, " degrees");
        push("UVs", self.uv, "");
        push("weights", self.weight, "");
        if self.num_unmatched > 0 {
            parts.push(format!(
                "{} vertices without counterpart",
                self.num_unmatched
            ));
        }
        match parts.is_empty() {
            true => f.write_str("nothing to compare"),
            false => f.write_str(&parts.join(", ")),
        }
    }
}

/// Opens each of `files` that stands alone, with those that go along.
///
/// `fps` is for formats that do not say how fast their frames go.
///
/// # Errors
/// When one cannot be read.
pub fn read_back(
    files: &[(String, OutputFile)],
    format: &dyn Format,
    fps: f64,
    report: &Report,
) -> Result<Vec<Model>, ConvertError> {
    let shared: Vec<(Companion, bool)> = (files.iter())
        .map(|(name, file)| {
            let companion = Companion {
                name: name.clone(),
                bytes: Arc::new(file.bytes.clone()),
            };
            (companion, file.is_companion)
        })
        .collect();
    let along = shared.iter().filter(|(_, is_companion)| *is_companion);
    let along: Vec<Companion> = along.map(|(companion, _)| companion.clone()).collect();
    let options = ReadOptions {
        format: Some(format.info().id.to_owned()),
        fps: Some(fps),
        images: true,
        ..ReadOptions::default()
    };
    let alone = shared.iter().filter(|(_, is_companion)| !is_companion);
    let read = |(main, _): &(Companion, bool)| {
        let source = Source::shared(main.name.clone(), Arc::clone(&main.bytes))
            .with_companions(along.clone());
        let opened = open(&source, &options, &report.quiet());
        opened
            .map(|opened| opened.model)
            .map_err(|error| match error {
                ReadError::Cancelled => ConvertError::Cancelled,
                source => ConvertError::ReadBack {
                    file: main.name.clone(),
                    source,
                },
            })
    };
    alone.map(read).collect()
}

/// What was read back of a prepared model, counted and compared with its source.
pub(super) fn check(
    prepared: &Prepared,
    files: &[(String, OutputFile)],
    format: &dyn Format,
    options: &ConvertOptions,
    report: &Report,
) -> Result<(Counts, Option<Errors>), ConvertError> {
    let fps = fps_of(&prepared.model, format, options.rate);
    let models = read_back(files, format, fps, report)?;
    let mut counts: Option<Counts> = None;
    let mut errors: Option<Errors> = None;
    // Each vertex is in one of several files.
    let num_vertices = prepared.basis.num_vertices();
    let mut num_matched = 0;
    for model in &models {
        let own = Counts::of_written(model);
        counts = Some(counts.map_or_else(|| own.clone(), |known| known.joined(&own)));
        if options.check == Check::Full {
            let own = measure(&prepared.basis, model, report)?;
            num_matched += num_vertices.saturating_sub(own.num_unmatched);
            errors = Some(match errors {
                None => own,
                Some(worst) => worst.worse(own),
            });
        }
    }
    if let Some(errors) = &mut errors {
        errors.num_unmatched = num_vertices.saturating_sub(num_matched);
    }
    let counts = counts.unwrap_or_else(|| Counts::of_model(&Model::default()));
    Ok((counts, errors))
}

/// The frames a second with which a file of `format` must be read back that was written from
/// `model` at the rate `asked` for: for formats that do not say how fast their frames go.
#[must_use]
pub fn fps_of(model: &Model, format: &dyn Format, asked: Option<f64>) -> f64 {
    if format.info().id == bonespro::ID {
        return bonespro::written_fps(model, asked);
    }
    let of_clip = || model.clips.first().and_then(Clip::frames_per_sec);
    asked.or_else(of_clip).unwrap_or(USUAL_FRAMES_PER_SEC)
}

fn measure(basis: &Model, written: &Model, report: &Report) -> Result<Errors, ConvertError> {
    let comparison = compare(basis, written, &CompareOptions::default(), report)?;
    let worst = comparison.pose_error.as_ref().and_then(|error| error.worst);
    let name = |worst: &crate::compare::WorstMoment| {
        let clip = worst.clips.0.and_then(|id| basis.clips.get(id.index()));
        clip.map(|clip| clip.name.clone()).unwrap_or_default()
    };
    Ok(Errors {
        position: comparison.max.position,
        skinned: comparison.max.skinned,
        extent: comparison.extent,
        normal_deg: comparison.max.normal_deg,
        uv: comparison.max.uv,
        weight: comparison.max.weight,
        num_unmatched: comparison.matching.num_unmatched_a,
        worst: worst.map(|worst| WorstPlace {
            mesh: worst.a.mesh.0,
            vertex: worst.a.vertex.0,
            clip: name(&worst),
            time_secs: worst.time_secs,
        }),
    })
}
