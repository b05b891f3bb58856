//! Second models for comparison with the document: its BSM2 conversion, another file, the CPU, the document without
//! its faults.
//!
//! Not for: the comparison algorithms, which are in `compare` and `measure`.

mod arrangement;
mod as_bsm2;
mod compare;
mod compared_weights;
mod deviation;
mod diagnosis;
mod gpu_check;
mod layers;
mod linked_pose;
mod played;
mod sources;

pub use arrangement::{Arrangement, SecondAction, SecondView};
pub use as_bsm2::{AS_BSM2_TASK, AsBsm2, AsBsm2Action, Bsm2Conversion, Deviation, DeviationKind};
pub use compare::{
    COMPARE_TASK, CompareAction, CompareState, ComparedModel, ComparisonResult, unit_of_difference,
};
pub use compared_weights::ComparedWeights;
pub use deviation::WorstVertex;
pub(crate) use diagnosis::CausesOf;
pub use diagnosis::{Causes, DIAGNOSIS_TASK, DiagnosisAction, NamedCause};
pub use gpu_check::{GPU_CHECK_TASK, GpuCheck, GpuCheckAction, GpuDeviation};
pub use layers::Layer;
pub use played::{PlayedAs, PlayedModel, RUNTIME_TASK, RuntimeAction};

#[cfg(test)]
mod tests;
