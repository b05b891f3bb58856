//! Distances and angle over the clip, also as a table.

use std::fmt::Write;

use glam::Vec3;

use super::ModelPoint;
use super::points::{angle, distances};
use crate::animation::sample_times;
use crate::{Channel, ModelKey, Playback};
use rigscope_core::model::{Cancelled, Report};
use rigscope_core::pose::{BoneAnchors, sample};

/// Measurements over the clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasureCurves {
    /// The distance of each point from the previous one, in the file's unit.
    pub distances: Vec<Channel>,
    /// The angle at the second of three points, in degrees; without values while two points
    /// coincide.
    pub angle: Channel,
}

/// The inputs of the curves.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureKey {
    pub(super) model: ModelKey,
    pub(super) points: Vec<ModelPoint>,
    pub(super) posing: Playback,
}

impl MeasureKey {
    pub(super) fn read(
        &self,
        anchors: &BoneAnchors,
        report: &Report,
    ) -> Result<MeasureCurves, Cancelled> {
        let model = &*self.model.0;
        let clip = self.posing.clip.and_then(|clip| model.clips.get(clip));
        let moments = clip.map_or_else(Vec::new, sample_times);
        let num = moments.len().max(1) as f32;
        let num_distances = self.points.len().saturating_sub(1);
        let mut curves = MeasureCurves {
            distances: vec![Channel::default(); num_distances],
            ..MeasureCurves::default()
        };
        for (number, (time_secs, is_key)) in moments.into_iter().enumerate() {
            if number % 16 == 0 {
                report.progress("measuring points", number as f32 / num)?;
            }
            let pose = sample(model, &self.posing.spec_at(time_secs));
            let places = self.points.iter().map(|point| point.place(model, &pose, anchors));
            let Some(places) = places.collect::<Option<Vec<Vec3>>>() else { continue };
            let values = curves.distances.iter_mut().zip(distances(&places));
            for (channel, value) in values.chain(angle(&places).map(|a| (&mut curves.angle, a))) {
                channel.points.push([time_secs, value]);
                if is_key {
                    channel.keys.push([time_secs, value]);
                }
            }
        }
        Ok(curves)
    }
}

impl MeasureCurves {
    /// One row per sampled time: time, whether it is a key, each distance, and the angle.
    pub(super) fn to_csv(&self, unit: &str) -> String {
        let mut text = "time (s),key".to_owned();
        for name in ["P1-P2", "P2-P3"].iter().take(self.distances.len()) {
            let _ = write!(text, ",{name} ({unit})");
        }
        let has_angle = self.distances.len() > 1;
        text.push_str(if has_angle { ",angle (degrees)\n" } else { "\n" });
        let value_at = |of: &[[f64; 2]], time: f64| {
            let at = of.binary_search_by(|[other, _]| other.total_cmp(&time)).ok()?;
            of.get(at).map(|[_, value]| *value)
        };
        let times = self.distances.first().map_or(&[][..], |channel| &channel.points);
        for &[time, _] in times {
            let of_keys = |channel: &Channel| value_at(&channel.keys, time).is_some();
            let is_key = self.distances.first().is_some_and(of_keys);
            let _ = write!(text, "{time:.6},{}", u8::from(is_key));
            let channels = self.distances.iter().chain(has_angle.then_some(&self.angle));
            for channel in channels {
                // An undefined angle is an empty cell.
                let value = value_at(&channel.points, time).map(|value| value.to_string());
                let _ = write!(text, ",{}", value.unwrap_or_default());
            }
            text.push('\n');
        }
        text
    }
}
