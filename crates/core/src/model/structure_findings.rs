//! Findings about a file's structure: contradictions that a reader tolerates and other programs may not.
//!
//! Most are about glTF, whose specification forbids them; runtimes handle such files differently.

use super::finding::findings;

findings! {
    /// Findings of readers about the structure of a file.
    pub STRUCTURE:
    SkinnedNodeTransform, "skinned-node-transform", Warning, Skin, "the node of a skinned mesh is moved, rotated or scaled relative to its joints; glTF ignores the transform of a skinned node, but some runtimes apply it",
        "apply the transform of the mesh object before export, or parent the mesh to the armature without an offset";
    SkinnedNodeAnimated, "skinned-node-animated", Warning, Animation, "a clip moves the node of a skinned mesh; glTF ignores that node's transform, so the mesh doesn't follow",
        "animate a joint of the skin, or a node above all joints";
    JointsWithoutSkin, "joints-without-skin", Warning, Skin, "a mesh has joints and weights, but its node has no skin; the mesh doesn't follow the joints",
        "assign the skin to the node, or export the mesh without joints and weights";
    SkinWithoutJoints, "skin-without-joints", Warning, Skin, "a node has a skin, but its mesh has no joints and weights; the mesh follows only its node",
        "export joints and weights with all primitives of the mesh, or remove the skin";
    JointsOutsideScene, "joints-outside-scene", Warning, Skin, "joints of a skin aren't part of the scene that is shown; runtimes that create only the nodes of the scene can't pose the mesh",
        "add the root of the joints to the scene's nodes";
    JointListedTwice, "joint-listed-twice", Warning, Skin, "a skin lists a joint more than once, which glTF forbids",
        "list each joint once per skin";
    JointRepeatedInVertex, "joint-repeated-in-vertex", Warning, Skin, "a vertex lists the same joint more than once; importers that sort or drop influences lose part of its weight",
        "merge the weights of equal joints per vertex before export";
    HeaviestInfluenceDropped, "heaviest-influence-dropped", Info, Skin, "the heaviest influence of a vertex isn't in the first set (JOINTS_0); runtimes that read four influences drop it",
        "sort the influences of each vertex by weight, largest first";
    FirstInfluencesMissing, "first-influences-missing", Warning, Skin, "a set of influences is missing before a later one; runtimes stop at the first missing set",
        "number the sets of joints and weights from 0 without gaps";
    JointsWithoutWeights, "joints-without-weights", Warning, Skin, "joints come without weights, or weights without joints; the set is left out",
        "export JOINTS_n and WEIGHTS_n together";
    SkeletonNotAncestor, "skeleton-not-ancestor", Warning, Skin, "a skin's skeleton node isn't above all of its joints; runtimes that place the mesh by it show it elsewhere",
        "name a common ancestor of all joints as the skeleton, or leave the property out";
    WeightsNotFractions, "weights-not-fractions", Warning, Skin, "weights are stored as whole numbers that aren't marked as normalized; they are read as fractions, and other readers see weights of up to 255 or 65,535",
        "set normalized to true on the accessor of the weights";
    NegativeWeight, "negative-weight", Error, Skin, "a weight is negative; it is read as 0",
        "remove negative weights and normalize the others before export";

    PositionBoundsWrong, "position-bounds-wrong", Warning, Mesh, "the stored bounds of the positions (min and max) differ from the positions; runtimes that cull by them hide the mesh while it is in view, or draw it while it isn't",
        "compute min and max from the positions that are written";
    PositionBoundsMissing, "position-bounds-missing", Info, Mesh, "positions have no stored bounds (min and max), which glTF requires; runtimes that cull by them may hide the mesh",
        "write min and max of every POSITION accessor";
    KeyTimeBoundsWrong, "key-time-bounds-wrong", Warning, Animation, "the stored first and last time of a channel's keys (min and max) differ from the times; runtimes that take a clip's length from them cut it or wait",
        "compute min and max from the times that are written";
    QuantizedWithoutExtension, "quantized-without-extension", Warning, Mesh, "an attribute is stored as integers where glTF allows only floats without KHR_mesh_quantization; other readers refuse the file or show the mesh at a wrong size",
        "add KHR_mesh_quantization to extensionsUsed and extensionsRequired, or store floats";
    SparseIndicesUnsorted, "sparse-indices-unsorted", Warning, File, "the indices of a sparse accessor don't ascend; the last value of an index counts here, and other readers may take another",
        "sort the sparse indices, and write each index once";
    UvSetLeftOut, "uv-set-left-out", Warning, Mesh, "a mesh has more UV sets than are shown; the others are left out",
        "export only the UV sets that are used";
    ColorSetLeftOut, "color-set-left-out", Info, Mesh, "a mesh has more than one set of vertex colours; the first one is shown",
        "put the colours that are meant to be seen into COLOR_0";
    LoneLineEnd, "lone-line-end", Warning, Mesh, "a list of lines has an odd number of indices; the last index is left out",
        "write two indices per line";
    MorphTangentsLeftOut, "morph-tangents-left-out", Info, Mesh, "a morph target moves tangents; they follow the normals instead",
        "no action needed; normal maps may be shaded slightly differently while the target is active";
    MorphTargetCounts, "morph-target-counts", Warning, Mesh, "the primitives of a mesh have different numbers of morph targets, which glTF forbids; each one uses the targets that it has",
        "write the same number of targets for every primitive, with offsets of 0 for parts that don't move";
    MorphWeightCount, "morph-weight-count", Warning, Mesh, "the number of morph weights differs from the number of morph targets; missing weights are 0, and others are left out",
        "write one weight per morph target";
    MeshesOutsideScene, "meshes-outside-scene", Warning, File, "meshes aren't part of the scene that is shown; they are left out",
        "add their nodes to the scene, or export each scene to a separate file";

    RestRotationNotUnit, "rest-rotation-not-unit", Warning, Skin, "a node's rotation isn't a quaternion of length 1; it is normalized, or left out if its length is 0, and other runtimes scale the node by it",
        "normalize rotations before they are written";
    AnimatedMatrixNode, "animated-matrix-node", Warning, Animation, "a clip moves a node whose rest transform is stored as a matrix, which glTF forbids; some runtimes ignore the channel",
        "store translation, rotation and scale of animated nodes";
    KeysNotAscending, "keys-not-ascending", Error, Animation, "the times of a track's keys don't ascend; the track is left out",
        "write the keys of each curve in the order of their times";
    EqualKeyTimes, "equal-key-times", Warning, Animation, "two keys of a channel have the same time; the later one counts",
        "write times that ascend";
    ChannelLeftOut, "channel-left-out", Warning, Animation, "an animation channel can't be read; its target stays at rest",
        "export the clip again, and bake curves to keys";
    ChannelWithoutTarget, "channel-without-target", Info, Animation, "an animation channel has no target node; it has no effect",
        "export only channels of nodes that are in the file";
    PropertyAnimation, "property-animation", Warning, Animation, "a clip animates properties by KHR_animation_pointer, which isn't supported; they keep their values",
        "bake the motion to translations, rotations, scales and morph weights";
    ExtensionNotSupported, "extension-not-supported", Warning, File, "the file uses an extension that changes shape, placement, visibility or motion and isn't supported; the model is shown without it",
        "apply the extension's effect before export (real copies for instances, real nodes for levels of detail)";
    ImageLeftOut, "image-left-out", Warning, File, "an image can't be read; textures made of it are left out",
        "export the image again, embedded or as a file next to the model";
    TextureLeftOut, "texture-left-out", Warning, Mesh, "a material names a texture, image or UV set that doesn't exist; the material is shown without it",
        "assign the texture again and export";

    MissingGeometryData, "missing-geometry-data", Warning, Mesh, "a mesh lacks an array that others refer to; it is left out",
        "export the mesh again, including its normals, UVs and colours";
    TruncatedArray, "truncated-array", Warning, Mesh, "an array of a mesh is shorter than its mapping requires; the rest is read as zeros",
        "export the file again";
    UnknownLayerMapping, "unknown-layer-mapping", Warning, Mesh, "a layer of a mesh is mapped to its polygons in an unknown way; the layer is left out",
        "export normals, UVs, materials and smoothing by polygon vertex or by vertex";
    UnusableVertexW, "unusable-vertex-w", Warning, Mesh, "the fourth components of a layer differ in number from its values; they are left out",
        "no action needed if the model looks right; otherwise, export the file again";
    IndexClamped, "index-clamped", Warning, Mesh, "an index points past the end of its array; the last element is used",
        "remove unused elements, or rebuild the mesh (in Blender: Mesh > Clean Up), then export again";
    EmptyFace, "empty-face", Info, Mesh, "a mesh has faces without corners; they are left out",
        "delete faces without area or corners before export";
    DuplicateConnection, "duplicate-connection", Warning, File, "an object is connected to two others, although only one connection is possible; one of them is used",
        "in the program that wrote the file, disconnect one of the two, or export again";
    DuplicateObjectId, "duplicate-object-id", Warning, File, "two objects of the file have the same number; connections may reach the wrong one",
        "export the file again with another version of the exporter, and don't merge FBX files as text";
    StrayConnection, "stray-connection", Info, File, "an object that isn't a node is connected to the root of the scene; the connection is ignored",
        "no action needed";
    BadEmbeddedContent, "bad-embedded-content", Warning, File, "an embedded file isn't valid base64; it is left out",
        "export again, embedding media in a binary file or not at all";
    MissingReference, "missing-reference", Warning, File, "a file that this one refers to can't be read; its content is left out",
        "put the file next to the model, and export with relative paths";
    OldFbxVersion, "unsupported-fbx-version", Warning, File, "the FBX version isn't fully supported; parts of the file may be missing or read wrongly",
        "convert the file with Autodesk's FBX Converter, or export as FBX 7.4 or 7.5";
    UnknownStatement, "unknown-statement", Info, File, "the text has statements that no reader defines; they are ignored",
        "no action needed if the model looks right";
    EmptyStatement, "empty-statement", Warning, File, "a statement of the text has no values; it is left out",
        "export the file again";
    UnnamedMaterial, "unnamed-material", Warning, File, "statements of a material library belong to no material with a name; they are left out",
        "write a name after each newmtl";
}
