//! How accessors are stored, which makes a difference for some runtimes.

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::validation::Checked;
use gltf_json::{Accessor, Root};

/// Whether values of keys are between other data.
pub(super) fn has_interleaved_keys(root: &Root) -> bool {
    let samplers = root.animations.iter().flat_map(|animation| &animation.samplers);
    let mut values = samplers.filter_map(|sampler| root.accessors.get(sampler.output.value()));
    values.any(|accessor| {
        let view = accessor.buffer_view.and_then(|view| root.buffer_views.get(view.value()));
        let stride = view.and_then(|view| view.byte_stride);
        stride.is_some_and(|stride| Some(stride.0) != element_bytes(accessor))
    })
}

/// Whether an accessor replaces some of the values of its buffer view.
pub(super) fn has_sparse(root: &Root) -> bool {
    root.accessors.iter().any(|own| own.sparse.is_some() && own.buffer_view.is_some())
}

/// Bytes of an element without padding.
fn element_bytes(accessor: &Accessor) -> Option<usize> {
    let (Checked::Valid(GenericComponentType(component)), Checked::Valid(dimensions)) =
        (accessor.component_type, accessor.type_)
    else {
        return None;
    };
    let bytes = match component {
        ComponentType::I8 | ComponentType::U8 => 1,
        ComponentType::I16 | ComponentType::U16 => 2,
        ComponentType::U32 | ComponentType::F32 => 4,
    };
    let num = match dimensions {
        Type::Scalar => 1,
        Type::Vec2 => 2,
        Type::Vec3 => 3,
        Type::Vec4 | Type::Mat2 => 4,
        Type::Mat3 => 9,
        Type::Mat4 => 16,
    };
    Some(bytes * num)
}
