//! The runtimes.

use super::{Rules, Runtime, Verified};
use crate::model::NormalMatrix;

const GLTF_FORMAT: &[&str] = &["gltf"];

/// The Khronos specification, which this table's other glTF runtimes are compared with.
pub const GLTF: Runtime = Runtime {
    id: "gltf",
    name: "glTF specification",
    version: "2.0.1",
    formats: GLTF_FORMAT,
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
    source: "BonesPro documentation, \"BonesPro Export File Format\"",
    verified: Verified::Reference,
    rules: Rules::EXACT,
};

/// All runtimes: references first, then engines.
pub const RUNTIMES: &[Runtime] = &[GLTF, UFBX, BANUBA, OZZ, IQM, THE_SIMS, THREE_DS_MAX];
