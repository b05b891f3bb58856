//! The runtimes.

use super::{
    Binding, Center, Culling, Extensions, Faults, Influencing, Jointless, MatrixNodes, Measured,
    MorphOffsets, MorphWeights, NodeRotations, NormalNode, Normalizes, OutsideJoints, RawRotations,
    RepeatedKeys, Rotations, Rules, Runtime, SparseTargets, Splines, Steps, Unpredicted, Verified,
    Weights,
};
use crate::model::{AdditiveRotation, ClipBlending, NormalMatrix, RotationBlending};

const GLTF_FORMAT: &[&str] = &["gltf"];
/// All engines place the vertices of OBJ files alike.
const GLTF_AND_OBJ: &[&str] = &["gltf", "obj"];

/// The Khronos specification, which this table's other glTF runtimes are compared with.
pub const GLTF: Runtime = Runtime {
    id: "gltf",
    name: "glTF specification",
    version: "2.0.1",
    formats: GLTF_FORMAT,
    unpredicted: &[],
    source: "Khronos, \"glTF 2.0 Specification\", sections 3.7.3 and 3.11, appendix C",
    verified: Verified::Reference,
    rules: Rules::EXACT,
};

/// The library that reads FBX files and evaluates their curves.
pub const UFBX: Runtime = Runtime {
    id: "ufbx",
    name: "ufbx",
    version: "0.23",
    formats: &["fbx"],
    unpredicted: &[],
    source: "ufbx.h: ufbx_evaluate_scene, ufbx_get_skin_vertex_matrix",
    verified: Verified::Reference,
    rules: Rules::EXACT,
};

/// The runtime of BSM2 files and effects.
pub const BANUBA: Runtime = Runtime {
    id: "banuba",
    name: "Banuba SDK",
    version: "bsm2 format",
    formats: &["bsm2", "effect"],
    unpredicted: &[],
    source: "Banuba SDK documentation, \"Skinned mesh file format (.bsm2)\"",
    verified: Verified::Reference,
    rules: Rules { normals: NormalMatrix::Same, ..Rules::EXACT },
};

/// The library of .ozz archives; its sample framework defines their meshes.
pub const OZZ: Runtime = Runtime {
    id: "ozz",
    name: "ozz-animation SkinningJob",
    version: "0.16",
    formats: &["ozz"],
    unpredicted: &[],
    source: "ozz-animation, geometry/runtime/skinning_job.cc",
    verified: Verified::Reference,
    rules: Rules { normals: NormalMatrix::Same, ..Rules::EXACT },
};

/// The demo of the format's development kit.
pub const IQM: Runtime = Runtime {
    id: "iqm",
    name: "IQM demo player",
    version: "2",
    formats: &["iqm"],
    unpredicted: &[],
    source: "Inter-Quake Model Development Kit, demo.cpp: animateiqm",
    verified: Verified::Reference,
    rules: Rules { normals: NormalMatrix::Cofactor, ..Rules::EXACT },
};

/// The game, as its files' documentation describes it.
pub const THE_SIMS: Runtime = Runtime {
    id: "the-sims",
    name: "The Sims",
    version: "1",
    formats: &["skn", "bmf", "cmx", "bcf", "far"],
    unpredicted: &[],
    source: "Greg Noel, \"SKN/BMF File Format\"",
    verified: Verified::Reference,
    rules: Rules { normals: NormalMatrix::Same, ..Rules::EXACT },
};

/// The program whose plug-in exports BonesPro text.
pub const THREE_DS_MAX: Runtime = Runtime {
    id: "3ds-max",
    name: "3ds Max with BonesPro",
    version: "4",
    formats: &["bonespro"],
    unpredicted: &[],
    source: "BonesPro documentation, \"BonesPro Export File Format\"",
    verified: Verified::Reference,
    rules: Rules::EXACT,
};

const THREE_JS: Runtime = Runtime {
    id: "three.js",
    name: "three.js",
    version: "0.187.0",
    formats: GLTF_AND_OBJ,
    unpredicted: &["fbx"],
    source: "GLTFLoader.js: ATTRIBUTES, loadSkin; SkinnedMesh.js: normalizeSkinWeights; Quaternion.js: slerpFlat",
    verified: Verified::Measured(Measured {
        num_exact: 150,
        num_files: 152,
        exceptions: &[
            "key values between other data (byteStride) are misread, or keep it from ending",
            "two channels for one property are blended",
        ],
    }),
    rules: Rules {
        // PropertyMixer.js: _slerp, _slerpAdditive; AnimationUtils.js: makeClipAdditive.
        clip_blending: ClipBlending {
            rotations: RotationBlending::Spherical,
            additive: AdditiveRotation::InBone,
        },
        influences: Influencing::FirstSet,
        weights: Weights::RoundedToJoint(Center::World),
        rotations: Rotations::Raw(RawRotations {
            lerp_above: 0.9995,
            normalizes: Normalizes::LerpsOfOtherKeys,
            ..RawRotations::PLAIN
        }),
        // GLTFLoader.js: loadAnimation, which skips channels without a node.
        reads_pointers: false,
        // GLTFLoader.js: loadMesh creates a SkinnedMesh only for triangles.
        skins_loose: false,
        // GLTFLoader.js: _createAnimationTracks, collectMorphTargets.
        shares_weights_with_children: true,
        // GLTFLoader.js: addMorphTargets.
        adds_missing_offsets: true,
        // math/Matrix4.js: compose.
        node_rotations: NodeRotations::Raw,
        // core/Object3D.js: applyMatrix4.
        matrix_nodes: MatrixNodes::Decomposed,
        uses_negative_weights: true,
        // The matrices of objects outside the scene are never updated (core/Object3D.js: updateMatrixWorld).
        outside_joints: OutsideJoints::AtRest,
        last_channel_applies: true,
        searches_unsorted_keys: true,
        // SkinnedMesh.js: computeBoundingSphere fails without a skeleton.
        fails_on: Faults { mixed_meshes: true, ..Faults::NONE },
        // ShaderChunk/skinnormal_vertex.glsl.js, then defaultnormal_vertex.glsl.js.
        normals: NormalMatrix::SameIfSkinned,
        normal_node: NormalNode::OfMesh,
        max_uv_sets: Some(4),
        // SkinnedMesh.js: computeBoundingSphere; Frustum.js: intersectsObject.
        culling: Culling::SphereAsLoaded,
        unpredicted: &[Unpredicted::InterleavedKeys],
        ..Rules::EXACT
    },
};

const BABYLON_JS: Runtime = Runtime {
    id: "babylon.js",
    name: "Babylon.js",
    version: "9.28.0",
    formats: GLTF_AND_OBJ,
    unpredicted: &[],
    source: "glTFLoader: _loadVertexDataAsync, _loadBone, loadAnimationAsync; abstractMesh: ApplySkeleton",
    verified: Verified::Measured(Measured {
        num_exact: 150,
        num_files: 152,
        exceptions: &[
            "normals of unskinned meshes are tilted by rotations that aren't normalized",
            "normals of vertices with negative weights differ",
        ],
    }),
    rules: Rules {
        // animatable.core.js: ProcessLateAnimationBindingsForQuaternions; animation.js: MakeAnimationAdditive.
        clip_blending: ClipBlending {
            rotations: RotationBlending::Spherical,
            additive: AdditiveRotation::InBone,
        },
        influences: Influencing::First(8),
        weights: Weights::Normalized,
        rotations: Rotations::Raw(RawRotations {
            lerp_above: 0.999_999,
            normalizes: Normalizes::Nothing,
            ..RawRotations::PLAIN
        }),
        splines: Splines::Padded,
        splits_skinned_nodes: true,
        // Maths/math.vector.js: Matrix.ComposeToRef.
        node_rotations: NodeRotations::Raw,
        // glTFLoader.pure.js: _LoadTransform.
        matrix_nodes: MatrixNodes::Decomposed,
        last_channel_applies: true,
        searches_unsorted_keys: true,
        // Morph/morphTargetManager.js: _syncActiveTargets, supportsNormals.
        morphs_all_normals_or_none: true,
        // glTFLoader.pure.js: _createMorphTargets.
        fails_on: Faults { different_targets: true, ..Faults::NONE },
        // Shaders/pbr.vertex.js: NONUNIFORMSCALING, which depends only on nodes.
        normals: NormalMatrix::SameIfSkinned,
        normal_node: NormalNode::AboveSkeleton,
        max_uv_sets: Some(6),
        culling: Culling::AsLoaded,
        extensions: Extensions::Only(&[
            "EXT_lights_area",
            "EXT_lights_ies",
            "EXT_lights_image_based",
            "EXT_mesh_gpu_instancing",
            "EXT_meshopt_compression",
            "EXT_texture_avif",
            "EXT_texture_webp",
            "KHR_animation_pointer",
            "KHR_draco_mesh_compression",
            "KHR_gaussian_splatting",
            "KHR_interactivity",
            "KHR_lights_punctual",
            "KHR_materials_anisotropy",
            "KHR_materials_clearcoat",
            "KHR_materials_coat",
            "KHR_materials_diffuse_roughness",
            "KHR_materials_diffuse_transmission",
            "KHR_materials_dispersion",
            "KHR_materials_emissive_strength",
            "KHR_materials_fuzz",
            "KHR_materials_ior",
            "KHR_materials_iridescence",
            "KHR_materials_pbrSpecularGlossiness",
            "KHR_materials_sheen",
            "KHR_materials_specular",
            "KHR_materials_transmission",
            "KHR_materials_unlit",
            "KHR_materials_variants",
            "KHR_materials_volume",
            "KHR_materials_volume_scatter",
            "KHR_mesh_quantization",
            "KHR_node_hoverability",
            "KHR_node_selectability",
            "KHR_node_visibility",
            "KHR_texture_basisu",
            "KHR_texture_transform",
            "KHR_xmp_json_ld",
            "MSFT_audio_emitter",
            "MSFT_lod",
            "MSFT_minecraftMesh",
            "MSFT_sRGBFactors",
        ]),
        // loaders/glTF/2.0/glTFLoader.pure.js: _loadBone links no node, so that the bone keeps its own matrix.
        outside_joints: OutsideJoints::AtRestInSkeleton,
        ..Rules::EXACT
    },
};

const PLAYCANVAS: Runtime = Runtime {
    id: "playcanvas",
    name: "PlayCanvas",
    version: "2.23.3",
    formats: GLTF_FORMAT,
    unpredicted: &[],
    source: "glb-parser.js: createSkin, createAnimation; skin-instance.js: resolve; anim-cache.js: eval",
    verified: Verified::Measured(Measured {
        num_exact: 145,
        num_files: 152,
        exceptions: &[
            "primitives of a mesh with different numbers of morph targets are morphed differently",
            "skinned nodes without any joints collapse",
            "channels without a node move the whole scene",
            "morph weights up to 1e-5 count as 0",
            "keys whose times aren't in order are blended component by component across others",
        ],
    }),
    rules: Rules {
        // anim-blend.js: blendQuat; anim-target-value.js: updateValue.
        clip_blending: ClipBlending {
            rotations: RotationBlending::Componentwise,
            additive: AdditiveRotation::InBone,
        },
        influences: Influencing::FirstSet,
        binding: Binding::ByName,
        weights: Weights::Normalized,
        rotations: Rotations::Nlerp,
        morph_offsets: MorphOffsets::HalfFloats,
        reads_node_weights: false,
        // glb-parser.js: createMorphTargetCurves.
        misreads_spline_weights: true,
        // core/math/mat4.js: setTRS.
        node_rotations: NodeRotations::Raw,
        // glb-parser.js: createNode.
        matrix_nodes: MatrixNodes::DecomposedToUnit,
        // Attributes that a mesh lacks are 0, 0, 0, 1 in WebGL: the weight of the second joint is 1.
        jointless: Jointless::ToSecondJoint,
        uses_negative_weights: true,
        // scene/skin-instance.js: resolve.
        outside_joints: OutsideJoints::NodeOfMesh,
        last_channel_applies: true,
        searches_unsorted_keys: true,
        // framework/anim/binder/anim-binder.js fails on a path that is undefined.
        fails_on: Faults { pointer_channels: true, ..Faults::NONE },
        // shader-lib/glsl/chunks/common/vert/normalCore.js: getNormalMatrix.
        normals: NormalMatrix::SameIfSkinned,
        extensions: Extensions::AllBut(&["EXT_meshopt_compression", "KHR_meshopt_compression"]),
        unpredicted: &[Unpredicted::DifferentTargets, Unpredicted::Jointless],
        ..Rules::EXACT
    },
};

const BLENDER: Runtime = Runtime {
    id: "blender",
    name: "Blender",
    version: "5.0.1",
    formats: GLTF_AND_OBJ,
    unpredicted: &["fbx"],
    source: "io_scene_gltf2/blender/imp: pick_bind_pose, skin_into_bind_pose, animation_weight.py",
    verified: Verified::Measured(Measured {
        num_exact: 143,
        num_files: 150,
        exceptions: &[
            "stepped keys count as reached 4 microseconds early",
            "key times are rounded to fractions of frames, which shows after an hour",
            "several keys at the same time become one",
            "vertices between bones that are bound in different poses are skinned twice",
            "skins of quantized meshes lose precision, up to the size of the model if skin.skeleton names a joint",
            "armatures with negative scale reverse their bones",
            "primitives of a mesh with different numbers of morph targets are morphed differently",
            "files whose vertices list joints beyond their skin are refused",
        ],
    }),
    rules: Rules {
        weights: Weights::ClampedToJoint,
        rotations: Rotations::Nlerp,
        splines: Splines::Smooth,
        // io_scene_gltf2/blender/imp/mesh.py: vertex groups are assigned joint by joint, each replacing.
        replaces_repeated_joints: true,
        // io_scene_gltf2/io/imp/gltf2_io_gltf.py and blender/imp/vnode.py: matrix decomposition by mathutils.
        matrix_nodes: MatrixNodes::DecomposedToUnit,
        jointless: Jointless::InScene,
        fails_on: Faults {
            material_channels: true,
            targets_without_positions: true,
            ..Faults::NONE
        },
        morph_weights: MorphWeights::Clamped,
        extensions: Extensions::Only(&[
            "EXT_mesh_gpu_instancing",
            "EXT_texture_webp",
            "KHR_animation_pointer",
            "KHR_draco_mesh_compression",
            "KHR_lights_punctual",
            "KHR_materials_anisotropy",
            "KHR_materials_clearcoat",
            "KHR_materials_emissive_strength",
            "KHR_materials_ior",
            "KHR_materials_pbrSpecularGlossiness",
            "KHR_materials_sheen",
            "KHR_materials_specular",
            "KHR_materials_transmission",
            "KHR_materials_unlit",
            "KHR_materials_variants",
            "KHR_materials_volume",
            "KHR_mesh_quantization",
            "KHR_texture_transform",
        ]),
        unpredicted: &[Unpredicted::DifferentTargets],
        ..Rules::EXACT
    },
};

const BEVY: Runtime = Runtime {
    id: "bevy",
    name: "Bevy",
    version: "0.19.1",
    formats: GLTF_FORMAT,
    unpredicted: &[],
    source: "bevy_gltf: convert_attribute, load_node; skinning.wgsl: skin_model; bevy_math: StableInterpolate",
    verified: Verified::Measured(Measured {
        num_exact: 151,
        num_files: 152,
        exceptions: &[
            "morph targets of meshes without normals move other vertices",
            "sparse accessors of vertices and key times are left out",
        ],
    }),
    rules: Rules {
        influences: Influencing::FirstSet,
        weights: Weights::Raw(Center::World),
        reads_node_weights: false,
        // bevy_math: Affine3A::from_scale_rotation_translation, which doesn't normalize.
        node_rotations: NodeRotations::Raw,
        // bevy_transform: Transform::from_matrix.
        matrix_nodes: MatrixNodes::Decomposed,
        uses_negative_weights: true,
        last_channel_applies: true,
        // bevy_math/src/curve/cores.rs: UnevenCore::new.
        repeated_keys: RepeatedKeys::First,
        single_spline_keys_are_tangents: true,
        binding: Binding::ByPath,
        draws_instances: false,
        refused_morph_targets: Some(256),
        // The crate `gltf` requires a node; bevy_gltf's loader indexes its map of nodes by joint.
        fails_on: Faults {
            pointer_channels: true,
            channels_without_node: true,
            mixed_meshes: true,
            outside_joints: true,
            spline_weights: true,
            ..Faults::NONE
        },
        rotations: Rotations::Raw(RawRotations {
            normalizes_spline_ends: true,
            ..RawRotations::PLAIN
        }),
        max_uv_sets: Some(2),
        extensions: Extensions::Only(&[
            "KHR_lights_punctual",
            "KHR_materials_emissive_strength",
            "KHR_materials_ior",
            "KHR_materials_transmission",
            "KHR_materials_unlit",
            "KHR_texture_transform",
        ]),
        unpredicted: &[Unpredicted::MorphsWithoutNormals],
        ..Rules::EXACT
    },
};

const CESIUM: Runtime = Runtime {
    id: "cesium",
    name: "CesiumJS",
    version: "1.145.0",
    formats: GLTF_FORMAT,
    unpredicted: &[],
    source: "SkinningStageVS.glsl; ModelRuntimeNode.js: updateJointMatrices; Spline.js, QuaternionSpline.js, GltfLoader.js",
    verified: Verified::Measured(Measured {
        num_exact: 146,
        num_files: 150,
        exceptions: &[
            "sparse accessors show only their base values",
            "keys whose times aren't in order are searched by bisection",
        ],
    }),
    rules: Rules {
        // ModelAnimationCollection.js: update animates one clip after another.
        clip_blending: ClipBlending {
            rotations: RotationBlending::Replaced,
            additive: AdditiveRotation::InParent,
        },
        max_attributes: Some(16),
        weights: Weights::Raw(Center::Node),
        rotations: Rotations::Raw(RawRotations {
            normalizes: Normalizes::Nothing,
            normalizes_splines: false,
            is_series: true,
            is_homogeneous: true,
            ..RawRotations::PLAIN
        }),
        steps: Steps::NeverLast,
        sparse_targets: SparseTargets::Refused,
        applies_node_scale: true,
        // Core/Matrix3.js: fromQuaternion.
        node_rotations: NodeRotations::Homogeneous,
        reads_pointers: false,
        // SkinningStageVS.glsl: weights that a mesh lacks are 0.
        jointless: Jointless::AtOrigin,
        uses_negative_weights: true,
        last_channel_applies: true,
        divides_integer_keys: false,
        fails_on: Faults {
            different_targets: true,
            outside_joints: true,
            animated_matrices: true,
            single_spline_keys: true,
            ..Faults::NONE
        },
        // SkinningStageVS.glsl, then GeometryStageVS.glsl with the matrix of the node.
        normals: NormalMatrix::SameIfSkinned,
        normal_node: NormalNode::OfMesh,
        culling: Culling::Stored,
        extensions: Extensions::Only(&[
            "AGI_articulations",
            "CESIUM_mesh_vector",
            "CESIUM_primitive_outline",
            "CESIUM_RTC",
            "EXT_feature_metadata",
            "EXT_implicit_cylinder_region",
            "EXT_implicit_ellipsoid_region",
            "EXT_instance_features",
            "EXT_mesh_features",
            "EXT_mesh_gpu_instancing",
            "EXT_mesh_polygon",
            "EXT_mesh_primitive_edge_visibility",
            "EXT_meshopt_compression",
            "EXT_primitive_voxels",
            "EXT_structural_metadata",
            "EXT_texture_webp",
            "KHR_blend",
            "KHR_draco_mesh_compression",
            "KHR_gaussian_splatting",
            "KHR_gaussian_splatting_compression_spz_2",
            "KHR_implicit_shapes",
            "KHR_materials_anisotropy",
            "KHR_materials_clearcoat",
            "KHR_materials_common",
            "KHR_materials_pbrSpecularGlossiness",
            "KHR_materials_specular",
            "KHR_materials_unlit",
            "KHR_mesh_primitive_restart",
            "KHR_mesh_quantization",
            "KHR_meshopt_compression",
            "KHR_techniques_webgl",
            "KHR_texture_basisu",
            "KHR_texture_transform",
            "WEB3D_quantized_attributes",
        ]),
        unpredicted: &[Unpredicted::SparseAccessors, Unpredicted::UnsortedKeys],
        ..Rules::EXACT
    },
};

const FILAMENT: Runtime = Runtime {
    id: "filament",
    name: "Filament",
    version: "1.53.4",
    formats: GLTF_FORMAT,
    unpredicted: &[],
    source: "gltfio: AssetLoader.cpp, ResourceLoader.cpp, Animator.cpp, math.h; measured with the npm package",
    verified: Verified::Measured(Measured {
        num_exact: 148,
        num_files: 152,
        exceptions: &[
            "clips start over at their end",
            "key times lose precision after an hour",
            "animated nodes with a matrix are placed differently",
            "several keys at the first time are played differently",
            "if nodes share a mesh with morph targets, only one of them is morphed",
        ],
    }),
    rules: Rules {
        influences: Influencing::FirstSet,
        max_joints: Some(256),
        weights: Weights::NormalizedFloats(Center::Node),
        rotations: Rotations::Raw(RawRotations {
            lerp_above: 1.0 - 10.0 * f32::EPSILON,
            is_angle_of_directions: true,
            normalizes: Normalizes::Everything,
            ..RawRotations::PLAIN
        }),
        splines: Splines::TangentsByShare,
        steps: Steps::AfterKey,
        reads_single_keys: false,
        sparse_targets: SparseTargets::Ignored,
        // gltfio/src/Animator.cpp has no such channels.
        reads_pointers: false,
        // gltfio/src/math.h: composeMatrix.
        node_rotations: NodeRotations::Raw,
        jointless: Jointless::AtOrigin,
        uses_negative_weights: true,
        last_channel_applies: true,
        // gltfio/src/Animator.cpp: the times are the keys of a map.
        repeated_keys: RepeatedKeys::Last,
        draws_instances: false,
        refused_morph_targets: Some(256),
        fails_on: Faults {
            different_targets: true,
            partial_targets: true,
            other_modes: true,
            second_colors: true,
            unweighted: true,
            ..Faults::NONE
        },
        normals: NormalMatrix::Cofactor,
        max_uv_sets: Some(2),
        culling: Culling::Stored,
        unpredicted: &[
            Unpredicted::AnimatedMatrices,
            Unpredicted::RepeatedFirstKeys,
            Unpredicted::SharedMorphs,
        ],
        ..Rules::EXACT
    },
};

const RAYLIB: Runtime = Runtime {
    id: "raylib",
    name: "raylib",
    version: "6.2.0.0 (Python package)",
    formats: &["obj"],
    unpredicted: &["gltf", "iqm"],
    source: "measured with the Python package; rmodels.c: LoadGLTF, LoadModelAnimationsGLTF",
    verified: Verified::No(Measured {
        num_exact: 0,
        num_files: 0,
        exceptions: &[
            "clips are sampled at 60 frames per second, and morph targets are ignored",
            "only the last set of influences counts, and weights aren't normalized",
            "clips start over after their end, and stepped tracks end with the key before the last one",
            "the transform of a skinned mesh's node is applied in addition to its bones",
            "joints are numbered modulo 256",
            "only the first skin is used, also by meshes without one",
            "shear is dropped, and scales are multiplied per axis",
            "missing inverse bind matrices are replaced by those of the rest pose",
            "meshes without a skin aren't animated",
            "spline tangents are read differently",
        ],
    }),
    rules: Rules::EXACT,
};

const PANDA3D: Runtime = Runtime {
    id: "panda3d",
    name: "Panda3D with panda3d-gltf",
    version: "1.10.16 with 1.3.0",
    formats: &[],
    unpredicted: GLTF_FORMAT,
    source: "gltf/_converter.py: get_lerp_factor, load_primitive",
    verified: Verified::No(Measured {
        num_exact: 0,
        num_files: 0,
        exceptions: &[
            "clips are sampled at 30 frames per second",
            "between linear keys, the later one is shown",
            "weights in bytes or shorts aren't divided by their maximum",
            "joints without keys stay in the bind pose",
            "meshes without a skin aren't animated",
            "shear is dropped",
        ],
    }),
    rules: Rules::EXACT,
};

/// All runtimes: references first, then engines.
pub const RUNTIMES: &[Runtime] = &[
    GLTF,
    UFBX,
    BANUBA,
    OZZ,
    IQM,
    THE_SIMS,
    THREE_DS_MAX,
    THREE_JS,
    BABYLON_JS,
    PLAYCANVAS,
    BLENDER,
    BEVY,
    CESIUM,
    FILAMENT,
    RAYLIB,
    PANDA3D,
];
