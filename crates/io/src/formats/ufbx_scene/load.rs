//! Calls the library: options, memory limits, cancellation, and conversion of errors.

use ufbx::{
    AllocatorOpts, CoordinateAxes, Error, ErrorType, FileFormat, GeometryTransformHandling,
    InheritModeHandling, LoadOpts, Progress, ProgressCb, ProgressResult, SceneRoot,
    SpaceConversion,
};

use crate::formats::{Failure, FailureCause, ReadError, ReadOptions};
use rigscope_core::model::{Place, Report};

/// Upper bound on each of the library's two memory limits.
const MAX_BYTES: usize = 1 << 30;
/// Memory for the scene, in bytes per byte of the file: compressed arrays of equal values expand a
/// lot; samples need 2 to 6.
const SCENE_BYTES_PER_FILE_BYTE: usize = 24;
/// Temporary memory of the library, in bytes per byte of the file; samples need at most 7.
const WORK_BYTES_PER_FILE_BYTE: usize = 12;
/// Constant part of each of the two limits; samples need 0.2 MiB.
const ROOM_BYTES: usize = 24 << 20;
/// Deeper nesting is rejected, to bound recursion.
pub(in crate::formats) const MAX_NODE_DEPTH: u32 = 1024;
/// Loading's share of the progress of reading; the rest is the conversion to a model.
const LOAD_SHARE: f64 = 0.4;

/// Reads a scene.
///
/// # Errors
/// The library's error; see [`read_error`].
pub(in crate::formats) fn load(
    format: &'static str,
    bytes: &[u8],
    options: &ReadOptions,
    report: &Report,
) -> Result<SceneRoot, ReadError> {
    report.progress("reading", 0.0)?;
    let on_progress = |progress: &Progress| {
        let share = progress.bytes_read as f64 / progress.bytes_total.max(1) as f64;
        #[expect(clippy::cast_possible_truncation, reason = "a share of 1")]
        match report.progress("reading", (share.min(1.0) * LOAD_SHARE) as f32) {
            Ok(()) => ProgressResult::Continue,
            Err(_) => ProgressResult::Cancel,
        }
    };
    let allowed = usize::try_from(options.limits.max_alloc_bytes).unwrap_or(usize::MAX);
    let allocator = |bytes_per_file_byte: usize| AllocatorOpts {
        memory_limit: bytes
            .len()
            .saturating_mul(bytes_per_file_byte)
            .saturating_add(ROOM_BYTES)
            .min(MAX_BYTES)
            .min(allowed),
        ..AllocatorOpts::default()
    };
    // Transforms that can't be expressed as a plain product of matrices (scales that children don't
    // inherit, geometry with its own transform) become helper nodes or are applied to the geometry.
    let opts = LoadOpts {
        file_format: FileFormat::Fbx,
        temp_allocator: allocator(WORK_BYTES_PER_FILE_BYTE),
        result_allocator: allocator(SCENE_BYTES_PER_FILE_BYTE),
        generate_missing_normals: true,
        clean_skin_weights: true,
        node_depth_limit: MAX_NODE_DEPTH,
        load_external_files: false,
        progress_cb: ProgressCb::Ref(&on_progress),
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: SpaceConversion::ModifyGeometry,
        geometry_transform_handling: GeometryTransformHandling::ModifyGeometry,
        inherit_mode_handling: InheritModeHandling::HelperNodes,
        // Blender writes its own material model in Phong properties.
        use_blender_pbr_material: true,
        ..LoadOpts::default()
    };
    // The C code checks counts and offsets in the file against its length, and indices against the
    // arrays that they refer to: invalid ones are clamped.
    // Depth and memory are limited above.
    ufbx::load_memory(bytes, opts).map_err(|error| read_error(format, &error))
}

/// Converts an error of the library.
pub(super) fn read_error(format: &'static str, error: &Error) -> ReadError {
    let failure = |what: String| Box::new(Failure::new(format, "scene", Place::File, what));
    let description = lower_first(&error.description);
    match error.type_ {
        ErrorType::Cancelled => ReadError::Cancelled,
        ErrorType::UnsupportedVersion | ErrorType::FeatureDisabled => {
            ReadError::Unsupported(failure(description))
        }
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
            ReadError::Limit(failure(format!("{description} for a file of its size")))
        }
        ErrorType::NodeDepthLimit => {
            ReadError::Limit(failure(format!("{description} of {MAX_NODE_DEPTH}")))
        }
        // The library describes only some errors; the others have a generic text.
        ErrorType::Unknown => ReadError::Malformed(Box::new(Failure {
            cause: FailureCause::Damaged,
            ..*failure(description)
        })),
        ErrorType::TruncatedFile | ErrorType::EmptyFile => {
            ReadError::Malformed(failure(description)).truncated()
        }
        _ => ReadError::Malformed(failure(description)),
    }
}

/// `text` with a lower-case first letter.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => "not readable".to_owned(),
    }
}
