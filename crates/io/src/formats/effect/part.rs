//! One mesh of an effect, as its file has it.

use rigscope_core::model::Model;

/// One file of an effect.
pub(super) struct Part {
    /// What the effect calls it.
    pub(super) name: String,
    /// Its path below the folder.
    pub(super) file: String,
    /// What it holds: one mesh.
    pub(super) model: Model,
}
