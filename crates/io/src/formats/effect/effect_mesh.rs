//! One mesh file of an effect.

use std::sync::Arc;

use rigscope_core::model::Model;

pub(super) struct EffectMesh {
    /// Its name in the effect.
    pub(super) name: String,
    /// Its path below the folder.
    pub(super) file: String,
    /// Its bytes, if they are kept.
    pub(super) bytes: Option<Arc<Vec<u8>>>,
    /// Its content: one mesh.
    pub(super) model: Model,
}
