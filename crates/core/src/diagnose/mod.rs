//! Finds the cause of what is wrong with a model, by experiment.
//!
//! A *hypothesis* is one thing that exporters get wrong. *Evidence* is a number that is near zero for a well-made
//! model. A hypothesis is tried by reverting its fault in memory; it is the cause if that improves its evidence
//! decisively and nothing else gets worse.
//!
//! | file | is for |
//! |---|---|
//! | `cause` | the causes and their words |
//! | `case` | the examined model, and where it is measured |
//! | `evidence` | the measures |
//! | `hypotheses` | the faults and how to revert them |
//! | `trial` | the types of both tables |
//! | `search` | which hypotheses are tried, and which of them is named |
//! | `reference` | correspondence to the source or an older version |
//! | `landmarks` | parts of a body, by the names of bones |
//! | `edit` | changes to models |
//!
//! To add a cause: a row in `cause`, a row in the table of a file of `hypotheses`, and an evidence, unless an
//! existing one improves when the fault is reverted.
//!
//! Invariant: no cause is named for evidence that well-made models have; `tests/injected` measures that.
//! Invariant: results don't depend on the number of threads.

mod case;
mod cause;
mod edit;
mod evidence;
mod hypotheses;
mod landmarks;
mod reference;
mod search;
mod trial;

pub use cause::{CAUSES, CauseInfo};
pub use evidence::Evidence;
pub use search::{Cause, Measured, Tried};

use crate::model::{Cancelled, MeshId, Model, Report, spread};
use crate::pose::{PoseSpec, sample, skin_some_positions};
use case::Case;

/// The result of a diagnosis.
pub struct Diagnosis {
    /// The causes, most convincing first; empty if none explains the evidence.
    pub causes: Vec<Cause>,
    /// Other hypotheses for which there was a reason.
    pub tried: Vec<Tried>,
    /// All evidence that could be measured.
    pub measured: Vec<Measured>,
    model: Model,
    poses: Vec<PoseSpec>,
}

impl Diagnosis {
    /// The model in plain form, as it was examined.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The examined model after undoing the first `num` causes.
    pub fn undone(&self, num: usize) -> Model {
        let mut model = self.model.clone();
        for cause in self.causes.iter().take(num) {
            (cause.undo)(&mut model);
        }
        model
    }

    /// The pose in which the vertices of `undone` are farthest from those of the examined model.
    pub fn most_different_pose(&self, undone: &Model) -> PoseSpec {
        let mut most = (0.0, PoseSpec::default());
        for spec in &self.poses {
            let distance = distance_in(&self.model, undone, spec);
            if distance > most.0 {
                most = (distance, *spec);
            }
        }
        most.1
    }
}

/// The mean distance of some vertices between two models with the same vertices, relative to their size.
fn distance_in(a: &Model, b: &Model, spec: &PoseSpec) -> f64 {
    const MAX_VERTICES: usize = 500;
    let poses = [sample(a, spec), sample(b, spec)];
    let (mut sum, mut size) = (0.0, 0.0);
    for (at, (a, b)) in a.meshes.iter().zip(&b.meshes).enumerate() {
        let vertices: Vec<u32> = spread(a.num_vertices(), MAX_VERTICES).map(case::index).collect();
        let [a, b] = [(a, &poses[0]), (b, &poses[1])].map(|(mesh, pose)| {
            let pose = pose.of_mesh(MeshId::from_index(at), mesh);
            skin_some_positions(mesh, &pose, &vertices)
        });
        let mean = evidence::mean(a.iter().zip(&b).map(|(a, b)| f64::from(a.distance(*b))));
        sum += mean.unwrap_or(0.0);
        size += f64::from(case::size_of(&b));
    }
    if size > 0.0 { sum / size } else { 0.0 }
}

/// Finds what is wrong with a model. `reference` shows how it should be: its source, or an older version that was
/// good.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn diagnose(
    model: &Model,
    reference: Option<&Model>,
    report: &Report,
) -> Result<Diagnosis, Cancelled> {
    report.progress("preparing", 0.0)?;
    let mut case = Case::new(model);
    case.reference = reference.map(|source| reference::Reference::new(&case, source));
    let search::Findings { causes, tried, measured } = search::search(&case, report)?;
    Ok(Diagnosis { causes, tried, measured, model: case.model, poses: case.poses })
}
