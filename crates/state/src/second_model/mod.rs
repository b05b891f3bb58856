//! Second models for comparison with the document: its BSM2 conversion, another file, the CPU.
//!
//! Not for: the comparison algorithms, which are in `compare` and `measure`.

mod as_bsm2;
mod compare;
mod compared_weights;
mod layers;
mod second;
mod truth;

pub use as_bsm2::{AS_BSM2_TASK, AsBsm2, AsBsm2Action, Baked, Deviation, DeviationKind};
pub use compare::{
    COMPARE_TASK, CompareAction, CompareState, Compared, DiffMatch, Other, unit_of_difference,
};
pub use compared_weights::ComparedWeights;
pub use layers::Layer;
pub use second::{Arrangement, SecondAction, SecondModel, SecondView};
pub use truth::{TRUTH_TASK, Truth, TruthAction, TruthState};

#[cfg(test)]
mod tests;
