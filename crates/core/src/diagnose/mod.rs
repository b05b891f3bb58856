//! Finds the causes of export faults by experiment.
//!
//! A *hypothesis* is one mistake that exporters make. *Evidence* is a measurement whose distribution over sound models is
//! known. To test a hypothesis, its fault is undone in a copy of the model. The hypothesis is named as the cause if
//! this improves its evidence decisively and makes no other evidence suspicious.
//!
//! | file | contents |
//! |---|---|
//! | `cause` | the texts of a cause |
//! | `specimen` | the examined model, with the vertices, edges and poses to measure |
//! | `users` | meshes that share data, which are changed together |
//! | `parts` | access to the parts of a model in plain form |
//! | `pace` | the interval of a clip's keys, and its start |
//! | `posed` | a model in the measured poses |
//! | `bend` | a test pose for files without clips |
//! | `gaps` | neighbouring parts of the surface |
//! | `ordinary` | how unusual a measurement is among sound models |
//! | `pictures` | decoded images |
//! | `seams` | seams of the UVs |
//! | `evidence` | the measurements |
//! | `hypotheses` | the causes, and how to undo their faults |
//! | `trial` | the types of hypotheses and of the changes that test them |
//! | `values` | the values of all evidence, and which of them are unusual |
//! | `hypothesis_test` | whether a change of a hypothesis explains unusual evidence |
//! | `candidate` | the choice among such changes |
//! | `search` | the rounds of the search, and the causes to name |
//! | `result` | causes and tried hypotheses |
//! | `pieces` | parts that can be taken over from the reference |
//! | `reference` | matching with the source or an older version |
//! | `landmarks` | body parts, identified by bone names |
//! | `edit` | changes to models |
//! | `flat` | joins tables |
//!
//! To add a cause, add its text and its row to a file of `hypotheses`, and a new kind of evidence to a file of
//! `evidence` unless an existing one improves when the fault is undone.
//!
//! Invariant: no cause is named for a well-made model; `crates/io/tests/injected` measures this.
//! Invariant: results don't depend on the number of threads.

mod bend;
mod candidate;
mod cause;
mod edit;
mod evidence;
mod flat;
mod gaps;
mod hypotheses;
mod hypothesis_test;
mod landmarks;
mod ordinary;
mod pace;
mod parts;
mod pictures;
mod pieces;
mod posed;
mod reference;
mod result;
mod seams;
mod search;
mod specimen;
#[cfg(test)]
mod tests;
mod trial;
mod users;
mod values;

pub use cause::CauseInfo;
pub(crate) use edit::{align_signs, reverse_triangles};
pub use evidence::Evidence;
pub use hypotheses::{CAUSES, may_have_cause};
pub use pieces::{PIECES, Piece, PieceDifference, ReferenceDifference};
pub use result::{Cause, Tried};
pub use values::Measured;

use crate::measure::{FarthestVertex, MeasureOptions, PerPair, measure_same};
use crate::model::{Cancelled, Model, Report};
use crate::pose::PoseSpec;
use posed::Posed;
use specimen::Specimen;

/// A cause of a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CauseId {
    /// Its index in [`Diagnosis::causes`].
    pub cause: usize,
    /// The index of one of its [`Cause::rivals`] that is meant instead.
    pub rival: Option<usize>,
}

/// The result of a diagnosis.
pub struct Diagnosis {
    /// The causes, most convincing first; empty if none explains the evidence.
    pub causes: Vec<Cause>,
    /// The other hypotheses that were tried.
    pub tried: Vec<Tried>,
    /// All evidence that could be measured.
    pub measured: Vec<Measured>,
    case: Specimen,
}

impl Diagnosis {
    /// The examined model, in plain form.
    pub fn model(&self) -> &Model {
        &self.case.model
    }

    /// The cause with this number, or one of its rivals.
    pub fn cause(&self, id: CauseId) -> Option<&Cause> {
        let cause = self.causes.get(id.cause)?;
        match id.rival {
            None => Some(cause),
            Some(rival) => cause.rivals.get(rival),
        }
    }

    /// Whether a cause rests on plausibility only ([`CauseInfo::is_guess`]): nothing was compared with a reference.
    pub fn is_guess(&self, id: CauseId) -> bool {
        self.case.reference.is_none() && self.cause(id).is_some_and(|cause| cause.info.is_guess())
    }

    /// Undoes one cause in a model in plain form that has the same parts as the examined one.
    pub fn undo(&self, id: CauseId, model: &mut Model) {
        if let Some(cause) = self.cause(id) {
            (cause.undo)(model);
        }
    }

    /// Visible differences from the reference that the causes don't explain; `None` without a reference or such
    /// differences. Compares all vertices, as `diff` does.
    ///
    /// # Errors
    /// [`Cancelled`] if `report` asks to stop.
    pub fn unexplained(&self, report: &Report) -> Result<Option<ReferenceDifference>, Cancelled> {
        pieces::differences(&self.case, &self.causes, report)
    }

    /// Takes a piece over from the reference into a model in plain form that has the same parts as the examined one.
    pub fn take(&self, piece: &Piece, model: &mut Model) {
        pieces::take(&self.case, piece, model);
    }

    /// Whether a piece of such a model differs from the reference.
    pub fn differs(&self, piece: &Piece, model: &Model) -> bool {
        pieces::differs(&self.case, piece, model)
    }

    /// The value of a cause's evidence in a model in plain form with the same parts as the examined one, at the items
    /// that made it suspicious.
    pub fn evidence_in(&self, id: CauseId, model: &Model) -> Option<f64> {
        let cause = self.cause(id)?;
        values::mean_at(&(cause.evidence.measure)(&self.case, &Posed::new(model)), &cause.items)
    }

    /// The examined model after undoing the first `num` causes.
    pub fn undone(&self, num: usize) -> Model {
        let mut model = self.case.model.clone();
        for cause in self.causes.iter().take(num) {
            (cause.undo)(&mut model);
        }
        model
    }

    /// The vertex in which the model without a cause and the model without one of its rivals differ most; `None` if no
    /// vertex does.
    pub fn rival_difference(&self, rival: CauseId) -> Option<FarthestVertex> {
        let undone = |id: CauseId| {
            let mut model = self.case.model.clone();
            self.undo(id, &mut model);
            model
        };
        let own = CauseId { rival: None, ..rival };
        let apart = measure_same(&undone(own), &undone(rival), COARSE, &Report::new());
        apart.ok().flatten().and_then(|own| own.total.worst).filter(|own| own.distance > 0.0)
    }

    /// The pose in which a vertex of `undone` is farthest from the same vertex of the examined model.
    pub fn most_different_pose(&self, undone: &Model) -> PoseSpec {
        let measured = measure_same(&self.case.model, undone, COARSE, &Report::new());
        let worst = measured.ok().flatten().and_then(|measured| measured.total.worst);
        let clip = worst.and_then(|worst| Some((worst.clip?, worst.time_secs)));
        clip.map_or_else(PoseSpec::default, |(clip, secs)| PoseSpec::linear(clip, secs))
    }
}

/// A measurement that is enough to choose a picture or a place.
const COARSE: MeasureOptions = MeasureOptions {
    interval_parts: &[],
    max_keys: Some(4),
    max_vertices: Some(1 << 20),
    per_pair: PerPair::No,
    done_before: 0.0,
};

/// Models to compare the examined one with.
#[derive(Clone, Copy, Default)]
pub struct Context<'a> {
    /// A correct version of the model: its source, or an older export.
    pub reference: Option<&'a Model>,
    /// Models with clips for the same skeleton, such as the other files of the folder.
    pub neighbours: &'a [Model],
}

/// Measures all evidence that needs no reference: the data that [`Measured::is_suspicious`] is decided by.
pub fn measure(model: &Model) -> Vec<Measured> {
    values::measure(&Specimen::new(model))
}

/// Finds the causes of a model's faults.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop.
pub fn diagnose(
    model: &Model,
    context: Context<'_>,
    report: &Report,
) -> Result<Diagnosis, Cancelled> {
    report.progress("preparing", 0.0)?;
    let mut case = Specimen::new(model);
    case.add_neighbours(context.neighbours);
    case.reference = context
        .reference
        .map(|source| reference::Reference::new(&case.model, &case.samples, source));
    let search::Findings { causes, tried, measured } = search::search(&case, report)?;
    Ok(Diagnosis { causes, tried, measured, case })
}
