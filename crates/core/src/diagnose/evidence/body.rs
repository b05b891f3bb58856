//! Bodies that aren't upright or have an implausible height.

use super::{Evidence, Items, Kind, mean};
use crate::diagnose::landmarks::{Body, Landmarks};
use crate::diagnose::specimen::Specimen;
use crate::model::{Model, numbers};
use crate::pose::sample;
use glam::Vec3;

pub(super) const ALL: &[&Evidence] = &[&UPRIGHT, &HEIGHT];

/// Tilt of the body from upright, in degrees; one item for the rest pose, and one for the mean over the clips.
pub(crate) const UPRIGHT: Evidence = Evidence {
    name: "upright",
    meaning: "the tilt of the body from upright",
    unit: "degrees",
    kind: Kind::Drawn,
    items: Items::Own,
    noise: 25.0,
    weight: 0.6,
    measure: |case, model| {
        let angle = |body: &Body| f64::from(body.up.angle_between(Vec3::Y)).to_degrees();
        let of_poses = bodies(case, model);
        let in_clips = || of_poses.iter().skip(1).flatten().map(angle);
        let rest = of_poses.first().and_then(|rest| rest.as_ref().map(angle));
        vec![rest.unwrap_or(f64::NAN), mean(in_clips()).unwrap_or(f64::NAN)]
    },
    text: |value| numbers::degrees(value),
};

/// Orders of magnitude between the height of the body and the usual height.
pub(crate) const HEIGHT: Evidence = Evidence {
    name: "height",
    meaning: "the difference between the height of the body and the height of a human",
    unit: "log10 of a factor",
    kind: Kind::Stored,
    items: Items::Own,
    noise: 0.3,
    weight: 0.45,
    measure: |case, model| {
        let rest = bodies(case, model).into_iter().next().flatten();
        let height = rest.and_then(|body| body.height).filter(|_| model.axes.unit_meters.is_some());
        vec![height.map_or(f64::NAN, |height| orders(f64::from(height)))]
    },
    text: |value| format!("a factor of {}", numbers::significant(10f64.powf(value), 2)),
};

/// Height of a human from feet to head, in metres.
const USUAL_HEIGHT: f64 = 1.6;

fn orders(height: f64) -> f64 {
    (height.max(1e-9) / USUAL_HEIGHT).log10().abs()
}

fn bodies(case: &Specimen, model: &Model) -> Vec<Option<Body>> {
    let landmarks = Landmarks::of(model);
    if !landmarks.is_body() {
        return Vec::new();
    }
    case.poses.iter().map(|spec| landmarks.body(model, &sample(model, spec))).collect()
}
