//! Calling the library: options, memory limits, cancelling, and what its errors mean.

use ufbx::{
    AllocatorOpts, CoordinateAxes, Error, ErrorType, FileFormat, GeometryTransformHandling,
    IndexErrorHandling, InheritModeHandling, LoadOpts, Progress, ProgressCb, ProgressResult,
    SceneRoot, SpaceConversion,
};

use crate::formats::{Failure, ReadError, ReadOptions};
use rigscope_core::model::{Place, Report};

/// No file may make the library allocate more than this at once.
const MAX_BYTES: usize = 1 << 30;
/// Bytes that the scene may take for each byte of the file: packed arrays of equal values grow much;
/// samples need 2 to 6.
const SCENE_BYTES_PER_FILE_BYTE: usize = 24;
/// Bytes that the library may use besides while it works; samples need 7 at most.
const WORK_BYTES_PER_FILE_BYTE: usize = 12;
/// Bytes that each of the two may take besides for each corner of an OBJ, which takes two bytes of
/// its file at least: indices, an edge and a normal.
const BYTES_PER_CORNER: usize = 160;
/// Bytes that each of the two may take whatever the file's size; samples need 0.2 MiB.
const ROOM_BYTES: usize = 24 << 20;
/// Nodes nested deeper than this are refused; deep recursion is nobody's wish.
pub(in crate::formats) const MAX_NODE_DEPTH: u32 = 1024;
/// Loading is this part of reading; the rest is turning the scene into a model.
const LOAD_SHARE: f64 = 0.4;

/// Which of the library's formats.
#[derive(Clone, Copy)]
pub(in crate::formats) enum Kind<'a> {
    /// Brought to metres, right-handed, Y up.
    Fbx,
    /// In the file's own axes and unit.
    Obj {
        /// Text of the material library; empty where there is none.
        materials: &'a [u8],
        /// Corners of all faces: short numbers make large scenes of small files.
        num_corners: usize,
        /// All objects and groups as one mesh.
        is_merged: bool,
    },
}

/// Reads a scene.
///
/// # Errors
/// As the library's own; see [`read_error`].
pub(in crate::formats) fn load(
    format: &'static str,
    bytes: &[u8],
    kind: Kind<'_>,
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
    let num_corners = match kind {
        Kind::Fbx => 0,
        Kind::Obj { num_corners, .. } => num_corners,
    };
    let allocator = |bytes_per_file_byte: usize| AllocatorOpts {
        memory_limit: bytes
            .len()
            .saturating_mul(bytes_per_file_byte)
            .saturating_add(num_corners.saturating_mul(BYTES_PER_CORNER))
            .saturating_add(ROOM_BYTES)
            .min(MAX_BYTES)
            .min(allowed),
        ..AllocatorOpts::default()
    };
    let common = LoadOpts {
        temp_allocator: allocator(WORK_BYTES_PER_FILE_BYTE),
        result_allocator: allocator(SCENE_BYTES_PER_FILE_BYTE),
        generate_missing_normals: true,
        clean_skin_weights: true,
        node_depth_limit: MAX_NODE_DEPTH,
        load_external_files: false,
        progress_cb: ProgressCb::Ref(&on_progress),
        ..LoadOpts::default()
    };
    let opts = match kind {
        // Parts that no plain product of matrices can give (scales that children do not inherit,
        // geometry with a transform of its own) become helper nodes or go into the geometry.
        Kind::Fbx => LoadOpts {
            file_format: FileFormat::Fbx,
            target_axes: CoordinateAxes::right_handed_y_up(),
            target_unit_meters: 1.0,
            space_conversion: SpaceConversion::ModifyGeometry,
            geometry_transform_handling: GeometryTransformHandling::ModifyGeometry,
            inherit_mode_handling: InheritModeHandling::HelperNodes,
            // What Blender writes in the words of Phong is its own model.
            use_blender_pbr_material: true,
            ..common
        },
        Kind::Obj { materials, is_merged, .. } => LoadOpts {
            file_format: FileFormat::Obj,
            obj_mtl_data: materials.into(),
            // A UV or normal that a corner lacks must not become another corner's. Positions are
            // checked again afterwards (`Split::vertices_of`): the library may see faces in a
            // damaged line in which `obj::prepare` sees none.
            index_error_handling: IndexErrorHandling::NoIndex,
            obj_merge_objects: is_merged,
            obj_merge_groups: is_merged,
            ..common
        },
    };
    // The C code checks counts and offsets in the file against its length, and indices against the
    // arrays that they refer to: bad ones of FBX are clamped, those of OBJ become "no index". Depth and
    // memory have the limits above.
    ufbx::load_memory(bytes, opts).map_err(|error| read_error(format, &error))
}

/// An error of the library in this program's words.
pub(super) fn read_error(format: &'static str, error: &Error) -> ReadError {
    let failure = |what: String| {
        Box::new(Failure { format, field: "scene", place: Place::File, bytes: None, what })
    };
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
        // The library names only some faults; the others end in one phrase.
        ErrorType::Unknown => {
            ReadError::Malformed(failure(format!("the file is damaged ({description})")))
        }
        _ => ReadError::Malformed(failure(description)),
    }
}

/// `text` as the middle of a phrase.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => "not readable".to_owned(),
    }
}
