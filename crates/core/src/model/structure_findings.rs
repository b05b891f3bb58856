//! Findings about a file's structure: contradictions that a reader tolerates and other programs may not.
//!
//! Most are about glTF, whose specification forbids them; runtimes handle such files differently.

use super::finding::findings;

findings! {
    /// Findings of readers about the structure of a file.
    pub STRUCTURE:
    SkinnedNodeTransform, "skinned-node-transform", Warning, Skin,
        "the node of a skinned mesh is moved, rotated or scaled relative to its joints",
        "glTF ignores the transform, and so does Rigscope; runtimes that apply it, such as Godot or raylib, show the mesh away from its skeleton",
        "apply the transform of the mesh object (Blender: Object > Apply > All Transforms), or parent it to the armature without an offset",
        "node 12 \"hero\" has a translation of 3.74 m relative to its joints; runtimes that apply it move the mesh by up to 190 % of its size at meshes[0]";
    SkinnedNodeAnimated, "skinned-node-animated", Warning, Animation,
        "a clip moves the node of a skinned mesh",
        "the mesh doesn't follow that motion here, as glTF specifies; some runtimes apply it and move the mesh away from its skeleton",
        "animate a joint of the skin, or a node above all joints",
        "clip 0 \"walk\" moves the skinned node 12 \"hero\" at clips[0]";
    JointsWithoutSkin, "joints-without-skin", Warning, Skin + DropsData,
        "a mesh has joints and weights, but its node has no skin",
        "the mesh stays still while the skeleton moves",
        "assign the skin to the node, or export the mesh without joints and weights",
        "mesh 0 \"hero\" has joints and weights, but node 12 \"hero\" has no skin at meshes[0]";
    SkinWithoutJoints, "skin-without-joints", Warning, Skin + DropsData,
        "a node has a skin, but its mesh has no joints and weights",
        "the mesh follows only its node and isn't deformed; strict importers refuse the file",
        "export joints and weights with all primitives of the mesh, or remove the skin",
        "node 12 \"hero\" has a skin, but a primitive of mesh 0 \"hero\" has no joints or no weights at meshes[0]";
    JointsOutsideScene, "joints-outside-scene", Warning, Skin,
        "joints of a skin aren't part of the scene that is shown",
        "shown correctly here; runtimes that create only the nodes of the scene can't pose the mesh",
        "add the root of the joints to the scene's nodes; `rigscope convert IN -o OUT.glb` does so",
        "12 of 12 joints of skin 0 aren't part of the scene; the first is node 0 \"root\" at meshes[0]";
    JointListedTwice, "joint-listed-twice", Warning, Skin,
        "a skin lists a joint more than once, which glTF forbids",
        "shown correctly here; other importers may refuse the skin or move vertices with a wrong joint",
        "list each joint once per skin; `rigscope convert IN -o OUT.glb` does so",
        "skin 0 \"hero\" lists node 7 \"hand_l\" more than once at meshes[0]";
    JointRepeatedInVertex, "joint-repeated-in-vertex", Warning, Skin,
        "a vertex lists the same joint more than once",
        "shown correctly here; importers that sort or drop influences lose part of its weight, so the vertex moves differently",
        "merge the weights of equal joints per vertex; `rigscope convert IN -o OUT.glb` does so",
        "mesh 0 \"hero\": vertex 415 lists joint 6 of its skin more than once at meshes[0].vertices[415]";
    HeaviestInfluenceDropped, "heaviest-influence-dropped", Info, Skin,
        "the heaviest influence of a vertex isn't in the first set (JOINTS_0)",
        "shown correctly here; runtimes that read four influences drop it, and the vertex follows the wrong bones",
        "sort influences by weight (Blender glTF: clear Include All Bone Influences), or run `rigscope convert IN -o OUT.glb --limit-influences 4`",
        "mesh 0 \"hero\": the heaviest weight of vertex 415, 0.42, is in a later set; those in the first set are at most 0.2 at meshes[0].vertices[415]";
    FirstInfluencesMissing, "first-influences-missing", Warning, Skin,
        "a set of influences is missing before a later one",
        "all sets are used here; runtimes stop at the first missing set, so the vertices lose influences or don't move",
        "number the sets of joints and weights from 0 without gaps; `rigscope convert IN -o OUT.glb` does so",
        "mesh 0 \"hero\", primitive 0 has JOINTS_1, but no JOINTS_0 at meshes[0]";
    JointsWithoutWeights, "joints-without-weights", Warning, Skin + DropsData,
        "joints come without weights, or weights without joints",
        "the set is left out; if it is the only one, the mesh doesn't follow the skeleton",
        "export JOINTS_n and WEIGHTS_n together",
        "mesh 0 \"hero\", primitive 0 has JOINTS_0, but no WEIGHTS_0 at meshes[0]";
    SkeletonNotAncestor, "skeleton-not-ancestor", Warning, Skin,
        "a skin's skeleton node isn't above all of its joints",
        "none here, the node is ignored; runtimes that position the mesh by it show it elsewhere",
        "name a common ancestor of all joints as the skeleton, or remove the property; `rigscope convert IN -o OUT.glb` removes it",
        "skin 0 \"hero\": its skeleton, node 12 \"hero\", isn't above node 3 \"hips\" at meshes[0]";
    WeightsNotFractions, "weights-not-fractions", Warning, Skin,
        "weights are stored as whole numbers that aren't marked as normalized",
        "they are read as fractions here; other readers see weights of up to 255 or 65,535, and the mesh explodes",
        "set normalized to true on the accessor of the weights, or run `rigscope convert IN -o OUT.glb`",
        "mesh 0 \"hero\", primitive 0: WEIGHTS_0 is stored as 8-bit unsigned integers that aren't marked as normalized at meshes[0]";
    NegativeWeight, "negative-weight", Error, Skin,
        "a weight is negative",
        "it is read as 0 here; in a runtime, the vertex moves against its bone and dents the surface",
        "remove negative weights, then normalize the others (Blender: Weights > Normalize All); `rigscope convert IN -o OUT.glb` does so",
        "vertex 50 has a negative weight, -0.5 at meshes[0].vertices[50]";

    PositionBoundsWrong, "position-bounds-wrong", Warning, Mesh,
        "the stored bounds of the positions (min and max) differ from the positions",
        "shown correctly here; runtimes that cull by them hide the mesh while it is in view, or draw it while it isn't",
        "compute min and max from the positions that are written; `rigscope convert IN -o OUT.glb` does so",
        "mesh 0 \"hero\": vertices are up to 94 % of the mesh's size outside the stored bounds (accessor 0) at meshes[0]";
    PositionBoundsMissing, "position-bounds-missing", Info, Mesh,
        "positions have no stored bounds (min and max), which glTF requires",
        "shown correctly here; runtimes that cull by them may hide the mesh, and strict importers refuse the file",
        "write min and max of every POSITION accessor; `rigscope convert IN -o OUT.glb` does so",
        "mesh 0 \"hero\": its positions (accessor 0) have no min and max at meshes[0]";
    KeyTimeBoundsWrong, "key-time-bounds-wrong", Warning, Animation,
        "the stored first and last time of a channel's keys (min and max) differ from the times",
        "played correctly here; runtimes that use them as the clip's length cut the clip short or wait at its end",
        "compute min and max from the times that are written; `rigscope convert IN -o OUT.glb` does so",
        "clip 0 \"walk\", translation of node 3 \"hips\": min and max of accessor 4 are 0 s and 1 s, but the keys range from 0 s to 1.25 s at clips[0]";
    QuantizedWithoutExtension, "quantized-without-extension", Warning, Mesh,
        "an attribute is stored as integers, which glTF permits only with KHR_mesh_quantization",
        "shown correctly here; other readers refuse the file or show the mesh at a wrong size",
        "add KHR_mesh_quantization to extensionsUsed and extensionsRequired, or store floats: `rigscope convert IN -o OUT.glb`",
        "mesh 0 \"hero\", primitive 0: POSITION is stored as 16-bit unsigned integers at meshes[0]";
    SparseIndicesUnsorted, "sparse-indices-unsorted", Warning, File,
        "the indices of a sparse accessor don't ascend",
        "the last value of an index is used here; other readers may use another one, so single vertices or keys jump",
        "sort the sparse indices and write each one once; `rigscope convert IN -o OUT.glb` writes plain arrays",
        "the sparse indices of accessor 7 don't ascend: 12 follows 36";
    DracoCountDiffers, "draco-count-differs", Warning, File,
        "compressed data (KHR_draco_mesh_compression) has other numbers of vertices or indices than its accessors state",
        "shown correctly here, with the compressed numbers; readers that reserve memory by the accessors refuse the file or show a broken mesh",
        "set the counts of the accessors to those after compression (compressing splits vertices at seams), or run `rigscope convert IN -o OUT.glb`",
        "mesh 0 \"hero\", primitive 0: the Draco data has 24 vertices, but accessor 1 states 8";
    InstancesLeftOut, "instances-left-out", Warning, Mesh + DropsData,
        "some instances of a mesh (EXT_mesh_gpu_instancing) aren't shown",
        "copies of the mesh are missing here and in conversions",
        "export fewer instances or a simpler mesh; make real copies of skinned meshes (Blender: Object > Apply > Make Instances Real)",
        "node 4 \"grass\": 900,000 of 1,000,000 instances of mesh 2 \"blade\" aren't shown, because they have too many vertices at meshes[0]";
    UvSetLeftOut, "uv-set-left-out", Warning, Mesh + DropsData,
        "a mesh has more than eight UV sets",
        "the sets after TEXCOORD_7 are missing here and in conversions; most runtimes read fewer than eight",
        "export only the UV sets that are used",
        "mesh 0 \"hero\", primitive 0 has UV sets beyond TEXCOORD_7 at meshes[0]";
    ColorSetLeftOut, "color-set-left-out", Info, Mesh + DropsData,
        "a mesh has more than one set of vertex colours",
        "only the first set is shown; most runtimes also use only that one",
        "put the colours that are meant to be seen into COLOR_0 (Blender glTF: Use Vertex Color)",
        "mesh 0 \"hero\", primitive 0 has 2 sets of vertex colours at meshes[0]";
    LoneLineEnd, "lone-line-end", Warning, Mesh + DropsData,
        "a list of lines has an odd number of indices",
        "the last index is ignored, so one line is missing",
        "write two indices per line",
        "a line list has an odd number of indices (7) at meshes[0]";
    MorphTangentsLeftOut, "morph-tangents-left-out", Info, Mesh + DropsData,
        "a morph target moves tangents",
        "none without a normal map; with one, the shading may differ slightly while the target is active, because tangents follow the normals here",
        "no action needed",
        "a morph target of mesh 0 \"hero\" moves tangents at meshes[0]";
    MorphTargetCounts, "morph-target-counts", Warning, Mesh,
        "the primitives of a mesh have different numbers of morph targets, which glTF forbids",
        "each primitive uses the targets that it has; other importers may refuse the mesh or move only a part of it",
        "write the same number of targets for every primitive, with offsets of 0 for parts that don't move",
        "the primitives of mesh 0 \"hero\" have different numbers of morph targets: 4, 0 at meshes[0]";
    MorphWeightCount, "morph-weight-count", Warning, Mesh + DropsData,
        "the number of morph weights differs from the number of morph targets",
        "missing weights are 0 and surplus ones are ignored, so some targets may have no effect",
        "write one weight per morph target",
        "mesh 0 \"hero\" has 3 weights for 4 morph targets at meshes[0]";
    MeshesOutsideScene, "meshes-outside-scene", Warning, File + DropsData,
        "meshes aren't part of the scene that is shown",
        "they aren't shown here and not written by conversions; runtimes that load the default scene don't show them either",
        "add their nodes to the scene, or export each scene to a separate file",
        "2 meshes are not part of the file's scene; the first is at node 14 \"sword\"";

    RestRotationNotUnit, "rest-rotation-not-unit", Warning, Skin,
        "a node's rotation isn't a quaternion of length 1",
        "it is normalized here, or ignored if its length is 0; other runtimes scale or shear the node by it",
        "normalize rotations before they are written; `rigscope convert IN -o OUT.glb` does so",
        "the rotation of node 6 \"hand_l\" has a length of 1.2 and is normalized at bones[6]";
    AnimatedMatrixNode, "animated-matrix-node", Warning, Animation,
        "a clip moves a node whose rest transform is stored as a matrix, which glTF forbids",
        "played here with the other parts of the matrix; some runtimes ignore the channel, so the node doesn't move",
        "store translation, rotation and scale of animated nodes; `rigscope convert IN -o OUT.glb` does so",
        "clip 0 \"walk\" moves node 6 \"hand_l\", whose rest transform is a matrix; the parts that the clip doesn't move are those of the matrix at clips[0]";
    KeysNotAscending, "keys-not-ascending", Error, Animation,
        "the times of a track's keys don't ascend",
        "the keys are sorted by time here, except in FBX files; a runtime may jump back and forth, or skip keys",
        "write the keys of each curve in the order of their times",
        "clip 0 \"walk\", translation of bone 6 \"hand_l\": key 13 is earlier than key 12, so the keys are sorted by time at clips[0].micros[400000].bones[6]";
    EqualKeyTimes, "equal-key-times", Warning, Animation,
        "two keys of a track have the same time",
        "the later key counts here; runtimes that divide by the interval may flicker or lose the part for a frame",
        "write times that ascend; `rigscope convert IN -o OUT.glb` moves the earlier key back slightly",
        "clip 0 \"walk\", rotation of bone 6 \"hand_l\": keys 12 and 13 are both at 0.4 s at clips[0].micros[400000].bones[6]";
    ChannelLeftOut, "channel-left-out", Warning, Animation + DropsData,
        "an animation channel can't be read",
        "the channel is left out, so its target stays at rest while the clip plays",
        "export the clip again, and bake curves to keys (Blender glTF: Sampling Animations)",
        "clip 0 \"walk\", channel 3 (rotation of node 6 \"hand_l\"): another channel animates the same property; the channel is left out at clips[0]";
    ChannelWithoutTarget, "channel-without-target", Info, Animation,
        "an animation channel has no target node",
        "none; the channel moves nothing",
        "export only channels of nodes that are in the file",
        "2 channels have no target node; the first is channel 3 of clip 0 with the path \"rotation\" at clips[0]";
    PropertyAnimation, "property-animation", Warning, Animation + DropsData,
        "a clip animates a property that isn't animated here, by KHR_animation_pointer",
        "the property keeps its value while the clip plays, for example a texture transform, a light or a camera",
        "check the clip in the engine that it is made for; only translations, rotations, scales, morph weights and material factors move here",
        "1 channel animates properties that aren't animated here (KHR_animation_pointer): /cameras/0/perspective/yfov (channel 4 of clip 0) at clips[0]";
    ExtensionNotSupported, "extension-not-supported", Warning, File + DropsData,
        "the file uses an unsupported extension that changes geometry, position, visibility or motion",
        "the model is shown without it, for example constraints don't act",
        "apply the effect before export, for example bake constraints",
        "VRMC_node_constraint is not supported: node constraints aren't applied";
    ImageLeftOut, "image-left-out", Warning, File + DropsData,
        "an image can't be read",
        "textures made of it are left out, and the surface has a plain colour",
        "export the image again, embedded or as a file next to the model",
        "image 0 \"skin\": it has neither uri nor buffer view";
    TextureLeftOut, "texture-left-out", Warning, Mesh + DropsData,
        "a material refers to a texture, image or UV set that doesn't exist",
        "the material is shown without this texture, often in a plain colour; strict importers refuse the file",
        "assign the texture again and export",
        "a texture of material \"skin\": image 3 exceeds 2";

    MissingGeometryData, "missing-geometry-data", Warning, Mesh + DropsData,
        "a layer of a mesh, such as its materials or smoothing, has no values",
        "the layer is left out, so faces may have the wrong material or look faceted",
        "export the mesh again with a current FBX exporter",
        "\"hero\": the array Smoothing is missing";
    TruncatedArray, "truncated-array", Warning, Mesh + DropsData,
        "an array of a mesh, such as its materials or smoothing, is shorter than its mapping requires",
        "the last value is repeated, so faces may have the wrong material or smoothing",
        "export the file again with a current FBX exporter",
        "\"hero\": the array Materials is shorter than the polygons require";
    UnknownLayerMapping, "unknown-layer-mapping", Warning, Mesh + DropsData,
        "a layer of a mesh is mapped to its polygons in an unknown way",
        "the layer is left out, so normals, UVs, colours or materials are missing",
        "export normals, UVs, materials and smoothing by polygon vertex or by vertex",
        "\"hero\": the layer Smoothing has the unknown mapping \"ByFace\"";
    UnusableVertexW, "unusable-vertex-w", Warning, Mesh + DropsData,
        "the fourth components of a layer differ in number from its values",
        "none in most files; the fourth components, such as bitangent signs, are left out",
        "no action needed if the model looks right; if not, export the file again",
        "\"hero\": the fourth components of a layer differ in number from its values";
    IndexClamped, "index-clamped", Warning, Mesh + DropsData,
        "an index points past the end of its array",
        "the last element is used, so a corner has a wrong normal, UV or position",
        "remove unused elements, or rebuild the mesh (Blender: Mesh > Clean Up), then export again",
        "\"hero\": an index is past the end of its array";
    EmptyFace, "empty-face", Info, Mesh,
        "a mesh has faces without corners",
        "none; they aren't drawn",
        "delete faces without area or corners before export",
        "\"hero\": a face has no corners";
    DuplicateConnection, "duplicate-connection", Warning, File,
        "an object is connected to two others, although only one connection is possible",
        "one connection is used, so a material, texture or parent may be the wrong one",
        "in the program that wrote the file, disconnect one of the two, or export again",
        "\"hero\": the object is connected to more than one parent";
    DuplicateObjectId, "duplicate-object-id", Warning, File,
        "two objects of the file have the same number",
        "connections may reach the wrong object, so parts have wrong parents, materials or curves",
        "export again with another version of the exporter, and don't merge FBX files as text",
        "\"hero\": two objects have the same number";
    StrayConnection, "stray-connection", Info, File,
        "an object that isn't a node is connected to the root of the scene",
        "none; the connection is ignored",
        "no action needed",
        "\"skin\": the object isn't a node but is connected to the root";
    BadEmbeddedContent, "bad-embedded-content", Warning, File + DropsData,
        "an embedded file isn't valid base64",
        "it is left out, so its texture is missing unless the file is also in the model's folder",
        "export again, embedding media in a binary file or not at all",
        "\"skin.png\": an embedded file isn't valid base64";
    MissingReference, "missing-reference", Warning, File + DropsData,
        "a file that this one refers to, such as a geometry cache, can't be opened",
        "its content is left out, so its vertex animation doesn't play",
        "put the file next to the model, and export with relative paths",
        "the file \"hero_cache.xml\" can't be opened";
    OldFbxVersion, "unsupported-fbx-version", Warning, File,
        "the FBX version isn't fully supported",
        "parts of the file may be missing or wrong",
        "convert the file with Autodesk's FBX Converter, or export as FBX 7.4 or 7.5 (Maya and 3ds Max: FBX 2014 to 2018)",
        "FBX version 2000 isn't fully supported";
    UnknownStatement, "unknown-statement", Info, File,
        "the text has statements that no reader defines",
        "none in most files; the statements are ignored",
        "no action needed if the model looks right",
        "the file has a statement that no reader defines";
    EmptyStatement, "empty-statement", Warning, File + DropsData,
        "a statement of the text has no values",
        "it is left out, so a vertex, face or material property is missing",
        "export the file again",
        "the statement usemtl has no values at line 12, column 1";
    UnnamedMaterial, "unnamed-material", Warning, File + DropsData,
        "statements of a material library belong to no material with a name",
        "they are left out, so the colours or textures that they set are missing",
        "write a name after each newmtl",
        "hero.mtl, line 2, column 1: the statement belongs to no material with a name";
}
