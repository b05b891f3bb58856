//! The checked, plain-data description of a skinned mesh that every format is read into.
//!
//! For: readers to fill, writers to store, `pose` to animate, `gpu` to upload and `ui` to show.
//! Not for: the bytes of a particular format, posing, or anything on the GPU.
//!
//! Invariant: a model that left [`check::check`] holds only finite numbers, indices in range and an
//! acyclic skeleton; nothing downstream checks it again.
//! Invariant: values stay in the file's own axes and unit; [`Axes`] maps them to display space.
//!
//! A node of the skeleton is called a *bone* throughout.

mod added_bone;
mod approximation;
mod avatar;
mod axes;
mod bounds;
mod bytes;
pub mod check;
mod clip;
mod clip_blending;
mod collision;
mod color;
mod cubic;
mod curves;
pub mod display_text;
mod effect;
mod essential_keys;
mod finding;
mod finding_table;
mod grid;
mod id_vec;
mod ids;
pub mod influence_row;
mod key_at;
mod key_times;
mod loose_geometry;
mod matching;
mod material;
mod material_override;
mod material_track;
mod mesh;
mod morph;
mod motion_only;
mod normal_matrix;
mod noun;
pub mod numbers;
mod origin;
pub mod output_text;
mod packed;
mod parts;
mod place;
mod plural;
mod provenance;
mod related_file;
mod report;
mod scene;
mod scene_paths;
mod skeleton;
mod skin;
mod space_change;
mod spread;
pub mod stats;
mod stored;
mod structure_findings;
#[cfg(test)]
pub(crate) mod testing;
mod texture_role;
mod texture_transform;
mod track;
mod trs;
pub mod value_names;
mod value_track;
mod vertex_numbers;

pub use added_bone::{
    AddedBone, COPY_SUFFIX, ROOT_NAME, STILL_NAME, added_bones, constant_local, copy_name,
    mark_added_bones,
};
pub use approximation::{Approximation, Approximations};
pub use avatar::{
    Avatar, Collider, ColliderShape, Expression, ExpressionColor, ExpressionGroup,
    ExpressionOverride, ExpressionTextures, ExpressionWeight, LookAt, LookAtRange, Spring,
    SpringSegment,
};
pub use axes::{Axes, Handedness, UpAxis, Winding};
pub use bounds::Aabb;
pub use bytes::ByteView;
pub use clip::{
    Clip, Event, KeySpace, Motion, SampledMotion, USUAL_FRAMES_PER_SEC, VertexAnimation,
};
pub use clip_blending::{AdditiveRotation, ClipBlending, RotationBlending};
pub use collision::{Hull, OcclusionMesh, StoredBounds};
pub use color::{
    INFLUENCE_COLORS, color_from_srgb, color_from_srgb8, linear_from_srgb, srgb_from_color,
    srgb_from_linear, srgb8_from_color, subset_color,
};
pub use cubic::{CubicSpan, TrackValue};
pub use curves::{Curves, LiveCurves};
pub use effect::{EffectFacts, EffectImage, ImageLayout, ImageUse, UnlistedImage};
pub(crate) use finding::findings;
pub use finding::{
    Finding, FindingFlag, FindingGroup, FindingInfo, FindingKind, MAX_PLACES, Severity,
};
pub use finding_table::{FRAME_RATE, READING, RUNTIME, WRITING};
pub use grid::{grid, in_full_precision};
pub use id_vec::{Id, IdVec};
pub use ids::{BoneId, ClipId, ImageId, MaterialId, MeshId, PartId, VertexId, as_u32};
pub use key_at::{AnimatedProperty, CurveAt, KeyAt};
pub use key_times::nanos;
pub use loose_geometry::{LooseGeometry, LooseKind};
pub use matching::{
    MorphTargetAt, match_bones, match_clips, match_materials, match_meshes, match_morph_targets,
    plain_name,
};
pub use material::{
    AlphaMode, DrawState, Environment, Image, Material, MaterialLook, TextureRef, Wrap,
};
pub use material_override::{MaterialOverride, SurfaceMaterials};
pub use material_track::{MaterialProperty, MaterialTrack};
pub use mesh::{Indices, Mesh, Streams, Subset, UvSet, VertexData};
pub use morph::{MorphShape, MorphTarget, MorphTrack};
pub use normal_matrix::NormalMatrix;
pub use noun::BoneNoun;
pub use origin::{MeshOrigins, Origin, Origins, VertexAt};
pub use packed::{
    KEY_STRIDE_BYTES, PackedKeys, PackedVertex, PackedVertices, SNORM10_MAX, VERTEX_STRIDE_BYTES,
    pack_snorm1010102, unpack_snorm1010102,
};
pub use place::{MICROS_PER_SEC, ParsePlaceError, Place};
pub use plural::{counted, numbered, plural, singular_or_plural};
pub use provenance::{
    Element, Field, Hit, Layout, NO_SPANS, Number, Provenance, RelatedBytes, Scalar, Span, decode,
};
pub use related_file::{ClipSource, PairedBone, PairedBones, RelatedFileRole, RelatedFileUse};
pub use report::{CancelToken, Cancelled, Progress, Report};
pub use scene::{DefaultPose, Detail, Model, Preserved};
pub use scene_paths::{MeshPath, ScenePaths};
pub use skeleton::{Bone, BoneKind, Skeleton, SkeletonError};
pub use skin::{
    Blending, BoneLocalInfluence, BoneLocalSkin, Influences, InverseBindSkin, NegativeInfluences,
    NodeTransform, OutsideInfluence, Skin, SkinNormals,
};
pub use space_change::SpaceChange;
pub use spread::spread;
pub use stored::{
    FbxClip, FbxKeys, FbxNode, FbxWeight, NodeProperty, StoredFbx, StoredMesh, StoredScene,
    StoredTarget, StoredTrack,
};
pub use structure_findings::STRUCTURE;
pub use texture_role::{Channel, RoleInfo, TEXTURE_ROLES, TextureRole};
pub use texture_transform::{TextureProperty, TextureTransform};
pub use track::{BoneTrack, Interpolation, Track};
pub use trs::{LocalTransform, Trs, unit};
pub use value_track::{ValueKind, ValueTrack};
pub use vertex_numbers::VertexNumbers;
