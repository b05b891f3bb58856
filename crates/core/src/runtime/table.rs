//! The runtimes.

use super::{
    Binding, Center, Culling, Extensions, Faults, FbxCurves, Influencing, Jointless, MatrixNodes,
    Measured, MorphOffsets, MorphWeights, NodeRotations, NormalNode, Normalizes, OutsideJoints,
    RawRotations, RepeatedKeys, Rotations, Rules, Runtime, SparseTargets, Splines, Steps,
    Unpredicted, Verified, Weights,
};
use crate::model::{AdditiveRotation, ClipBlending, NormalMatrix, RotationBlending};

const GLTF_FORMAT: &[&str] = &["gltf"];
/// All engines place the vertices of OBJ files alike.
const GLTF_AND_OBJ: &[&str] = &["gltf", "obj"];
const GLTF_FBX_AND_OBJ: &[&str] = &["gltf", "fbx", "obj"];

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

/// Pixar's library, whose poses usdview shows.
pub const OPENUSD: Runtime = Runtime {
    id: "openusd",
    name: "OpenUSD",
    version: "26.11",
    formats: &["usd"],
    unpredicted: &[],
    source: "UsdSkel: UsdSkelSkinPointsLBS, UsdSkelSkeletonQuery; compared by engines/usd",
    verified: Verified::Measured(Measured {
        num_exact: 173,
        num_files: 179,
        exceptions: &[
            "scales between keys are rounded to half floats",
            "blocked samples and splines are played differently",
            "uneven scale of dual quaternions is blended differently",
            "animated points of skinned meshes, and next to animated transforms, move",
            "normals of point caches aren't calculated from their faces",
        ],
    }),
    rules: Rules {
        // Sums of weights aren't divided by their total.
        weights: Weights::Raw(Center::World),
        // UsdSkelSkinNormals.
        normals: NormalMatrix::InverseTransposePerBone,
        ..Rules::EXACT
    },
};

const THREE_JS: Runtime = Runtime {
    id: "three.js",
    name: "three.js",
    version: "0.187.0",
    formats: GLTF_FBX_AND_OBJ,
    unpredicted: &["usd"],
    source: "GLTFLoader.js: ATTRIBUTES, loadSkin; SkinnedMesh.js: normalizeSkinWeights; Quaternion.js: slerpFlat",
    verified: Verified::Measured(Measured {
        num_exact: 182,
        num_files: 188,
        exceptions: &[
            "key values between other data (byteStride) are misread, or keep it from ending",
            "two channels for one property are blended",
            "FBX: only the first layer of a clip is played, axes with keys at different times and rotation keys half a turn apart are played differently, and weights of vertices in shapes are ignored",
        ],
    }),
    rules: Rules {
        // PropertyMixer.js: _slerp, _slerpAdditive; AnimationUtils.js: makeClipAdditive.
        clip_blending: ClipBlending {
            rotations: RotationBlending::Spherical,
            additive: AdditiveRotation::InBone,
        },
        // FBXLoader.js: genBuffers.
        influences: Influencing::FirstSetOrHeaviest,
        weights: Weights::RoundedToJoint(Center::World),
        rotations: Rotations::Raw(RawRotations {
            lerp_above: 0.9995,
            normalizes: Normalizes::LerpsOfOtherKeys,
            ..RawRotations::PLAIN
        }),
        fbx_curves: FbxCurves::LinesByProperty,
        // FBXLoader.js: parseDeformers, which reads no skinning type.
        blends_dual_quaternions: false,
        // FBXLoader.js: parseMorphTargets reads initialWeight, which nothing uses.
        reads_fbx_weights: false,
        // FBXLoader.js: parse, BinaryParser.
        oldest_fbx: [7000, 6400],
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
        unpredicted: &[
            Unpredicted::InterleavedKeys,
            Unpredicted::FbxLayers,
            Unpredicted::FbxAxes,
            Unpredicted::FbxWideTurns,
            Unpredicted::FbxWeightedShapes,
        ],
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
        num_exact: 159,
        num_files: 160,
        exceptions: &["normals of unskinned meshes are tilted by rotations that aren't normalized"],
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
        // Shaders/ShadersInclude/bonesVertex.js sums all weights.
        uses_negative_weights: true,
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
        num_exact: 146,
        num_files: 152,
        exceptions: &[
            "primitives of a mesh with different numbers of morph targets are morphed differently",
            "skinned nodes without any joints collapse",
            "channels without a node move the whole scene",
            "keys whose times aren't in order are blended component by component across others",
            "targets with normals are rounded differently, by 1.5e-5 of the size",
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
        // scene/morph-instance.js: update.
        least_morph_weight: 1e-5,
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
    formats: GLTF_FBX_AND_OBJ,
    unpredicted: &["usd"],
    source: "io_scene_gltf2 5.0.21, blender/imp: vnode.py, mesh.py, animation_node.py, animation_utils.py, animation_weight.py",
    verified: Verified::Measured(Measured {
        num_exact: 180,
        num_files: 186,
        exceptions: &[
            "stepped keys count as reached 4 microseconds early",
            "skins of quantized meshes lose precision, up to the size of the model if skin.skeleton names a joint",
            "armatures with negative scale reverse their bones",
            "primitives of a mesh with different numbers of morph targets are morphed differently",
            "FBX: one layer of a clip is played, and pivots and axes with keys at different times are played differently",
            "OBJ: vertices far from the origin lose precision",
        ],
    }),
    rules: Rules {
        // Strips of the nonlinear animation editor, Replace and Combine, measured with bpy 5.0.1. Replace doesn't reverse
        // the sign of a quaternion to take the shorter arc; which signs imported keys have isn't modelled.
        clip_blending: ClipBlending {
            rotations: RotationBlending::Componentwise,
            additive: AdditiveRotation::InBone,
        },
        // mesh.py: skin_into_bind_pose, for vertices without weights. Vertex groups have weights from 0 to 1, and the Armature
        // modifier divides by their sum (blenkernel/intern/armature_deform.cc: armature_vert_task_with_dvert).
        weights: Weights::ClampedToJoint,
        // vnode.py: pick_bind_pose, calc_bone_matrices; mesh.py: skin_into_bind_pose.
        skins_to_bind_pose: true,
        // animation_node.py: do_channel makes a curve per component of rotation_quaternion.
        rotations: Rotations::Nlerp,
        // Measured with bpy 5.0.1.
        repeated_keys: RepeatedKeys::Last,
        // Measured with bpy 5.0.1: keys and the time of a scene are frames of single precision, 24 per second.
        frames_of_single_precision: Some(24.0),
        fbx_curves: FbxCurves::LinesByNode,
        // Measured with bpy 5.0.1.
        blends_dual_quaternions: false,
        // animation_utils.py: make_fcurve, handles of type AUTO.
        splines: Splines::Smooth,
        // mesh.py: do_primitives assigns vertex groups joint by joint, each with REPLACE.
        replaces_repeated_joints: true,
        // vnode.py: get_node_trs, which decomposes matrices by mathutils.
        matrix_nodes: MatrixNodes::DecomposedToUnit,
        // vnode.py: move_skinned_meshes; such vertices are in no vertex group.
        jointless: Jointless::InScene,
        // animation_pointer.py and mesh.py: do_primitives (shape keys, joint_mats) raise exceptions.
        fails_on: Faults {
            material_channels: true,
            targets_without_positions: true,
            unknown_joints: true,
            ..Faults::NONE
        },
        // animation_weight.py: anim; node.py: set_morph_weights (slider_min, slider_max).
        morph_weights: MorphWeights::Clamped,
        // io/imp/gltf2_io_gltf.py: extensions_managed.
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
        unpredicted: &[
            Unpredicted::DifferentTargets,
            Unpredicted::FbxLayers,
            Unpredicted::FbxPivots,
            Unpredicted::FbxProperties,
        ],
        ..Rules::EXACT
    },
};

const BEVY: Runtime = Runtime {
    id: "bevy",
    name: "Bevy",
    version: "0.19.1",
    formats: GLTF_FORMAT,
    unpredicted: &[],
    source: "bevy_gltf/src/loader/mod.rs, vertex_attributes.rs; bevy_animation/src/gltf_curves.rs; bevy_pbr/src/render/skinning.wgsl",
    verified: Verified::Measured(Measured {
        num_exact: 151,
        num_files: 152,
        exceptions: &[
            "morph targets of meshes without normals move other vertices",
            "sparse accessors of vertices and key times are left out",
        ],
    }),
    rules: Rules {
        // bevy_gltf/src/vertex_attributes.rs: convert_attribute.
        influences: Influencing::FirstSet,
        // bevy_pbr/src/render/skinning.wgsl: skin_model.
        weights: Weights::Raw(Center::World),
        // bevy_gltf/src/loader/mod.rs: load_node reads only the weights of the mesh.
        reads_node_weights: false,
        // bevy_math: Affine3A::from_scale_rotation_translation, which doesn't normalize.
        node_rotations: NodeRotations::Raw,
        // bevy_transform: Transform::from_matrix.
        matrix_nodes: MatrixNodes::Decomposed,
        // skinning.wgsl: skin_model.
        uses_negative_weights: true,
        // bevy_animation/src/lib.rs: curves of a target apply in the order of the file.
        last_channel_applies: true,
        // bevy_math/src/curve/cores.rs: UnevenCore::new.
        repeated_keys: RepeatedKeys::First,
        // bevy_gltf/src/loader/mod.rs: load_gltf makes a ConstantCurve of the first value.
        single_spline_keys_are_tangents: true,
        // bevy_gltf/src/loader/mod.rs: load_node makes an AnimationTargetId from names.
        binding: Binding::ByPath,
        // bevy_gltf doesn't know EXT_mesh_gpu_instancing.
        draws_instances: false,
        // bevy_mesh/src/morph.rs: MAX_MORPH_WEIGHTS.
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
        // bevy_math/src/common_traits.rs: StableInterpolate for Quat; bevy_animation/src/gltf_curves.rs.
        rotations: Rotations::Raw(RawRotations {
            normalizes_spline_ends: true,
            ..RawRotations::PLAIN
        }),
        // vertex_attributes.rs: convert_attribute.
        max_uv_sets: Some(2),
        // gltf-json/src/extensions/mod.rs: ENABLED_EXTENSIONS.
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
    source: "libs/gltfio/src/Animator.cpp; measured with filament 1.53.4 (npm), whose vertex shader is read back",
    verified: Verified::Measured(Measured {
        num_exact: 149,
        num_files: 152,
        exceptions: &[
            "clips start over at their end",
            "animated nodes with a matrix are placed differently",
            "if nodes share a mesh with morph targets, only one of them is morphed",
        ],
    }),
    // Without a source, measured with filament 1.53.4.
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
        // libs/gltfio/src/Animator.cpp: AnimatorImpl::applyAnimation.
        splines: Splines::TangentsByShare,
        // Animator.cpp: applyAnimation searches by lower_bound, and skips samplers of fewer than two times.
        steps: Steps::AfterKey,
        reads_single_keys: false,
        sparse_targets: SparseTargets::Ignored,
        // Animator.cpp: setTransformType has no such channels.
        reads_pointers: false,
        // libs/gltfio/include/gltfio/math.h: composeMatrix.
        node_rotations: NodeRotations::Raw,
        jointless: Jointless::AtOrigin,
        uses_negative_weights: true,
        last_channel_applies: true,
        // Animator.cpp: createSampler makes a map by time; applyAnimation takes 0 and its size for indices.
        repeated_keys: RepeatedKeys::LastByTime,
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
        unpredicted: &[Unpredicted::AnimatedMatrices, Unpredicted::SharedMorphs],
        ..Rules::EXACT
    },
};

const RAYLIB: Runtime = Runtime {
    id: "raylib",
    name: "raylib",
    version: "6.2.0.0 (Python package)",
    formats: &["iqm", "obj"],
    unpredicted: GLTF_FORMAT,
    source: "rmodels.c: BuildPoseFromParentJoints, UpdateModelAnimation, LoadGLTF; measured with the Python package",
    verified: Verified::Measured(Measured {
        num_exact: 20,
        num_files: 20,
        exceptions: &[
            "glTF: clips are sampled at 60 frames per second, and morph targets are ignored",
            "glTF: only the last set of influences counts, and weights aren't normalized",
            "glTF: clips start over after their end, and stepped tracks end with the key before the last one",
            "glTF: the transform of a skinned mesh's node is applied in addition to its bones",
            "glTF: joints are numbered modulo 256",
            "glTF: only the first skin is used, also by meshes without one",
            "glTF: shear is dropped, and scales are multiplied per axis",
            "glTF: missing inverse bind matrices are replaced by those of the rest pose",
            "glTF: meshes without a skin aren't animated",
            "glTF: spline tangents are read differently",
        ],
    }),
    rules: Rules { weights: Weights::Raw(Center::World), blends_in_model: true, ..Rules::EXACT },
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
    OPENUSD,
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
