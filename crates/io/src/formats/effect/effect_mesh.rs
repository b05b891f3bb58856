//! One mesh file of an effect.

use rigscope_core::model::Model;

pub(super) struct EffectMesh {
    /// Its name in the effect.
    pub(super) name: String,
    /// Its path below the folder.
    pub(super) file: String,
    /// Its content: one mesh.
    pub(super) model: Model,
}
