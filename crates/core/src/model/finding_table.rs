//! The findings of readers, of `model::check` and of writers. Those of rules are declared with their rules.

use super::findings;

findings! {
    /// Findings of readers and of `model::check`.
    pub READING:
    Unreadable, "unreadable", Error, File,
        "the file can't be read completely",
        "the file can't be opened here; engines will most likely refuse it too",
        "export the file again, and check that it was copied completely",
        "truncated FBX file: a node ends at 0x1b290, past the file's end at 0xf278 (node at offset 0x4030). Export it again";
    ReaderWarning, "reader-warning", Warning, File,
        "the reader of the format reports a problem in the file",
        "it depends on the problem; the reader is a program of your own, or an example of the Python package",
        "follow the message, or change the reader",
        "the file has 2 sequences; only the first is read";
    IndexOutOfRange, "index-out-of-range", Error, Mesh + DropsData,
        "a triangle, line or point refers to a vertex that doesn't exist",
        "the whole subset of the triangle (or the single line or point) isn't drawn here; a runtime may draw spikes across the screen or crash",
        "write indices after vertices are merged or split, so that both use the same numbers",
        "triangle 12 refers to vertex 420, but the mesh has 415 vertices at meshes[0].triangles[12]";
    FaceLeftOut, "face-left-out", Error, Mesh + DropsData,
        "a face, line or point has a corner that doesn't exist or can't be read",
        "it isn't drawn, which leaves a hole in the surface; other importers may refuse the file",
        "number vertices from 1 over the whole OBJ file, and write faces after the v, vt and vn lines that they refer to; export FBX files again",
        "\"9/9/9\" refers to v 9, but the file has 8 at line 12, column 3";
    SubsetOutOfRange, "subset-out-of-range", Error, Mesh + DropsData,
        "a subset extends past the end of the index list",
        "the subset isn't drawn here; a runtime may draw random triangles or crash",
        "store the first index and the count of each subset in indices, not in triangles or vertices",
        "subset 2 has 1,248 indices from index 3600 on, but the mesh has only 4,320 at meshes[0].subsets[2]";
    SubsetNotTriangles, "subset-not-triangles", Error, Mesh + DropsData,
        "the index count of a subset isn't a multiple of 3",
        "the last one or two indices are ignored; if the indices form quads or strips, the surface is shredded",
        "triangulate before export (FBX export of Blender: Triangulate Faces; of Maya and 3ds Max: Triangulate)",
        "subset 0 has 1,249 indices, which isn't a multiple of 3 at meshes[0].subsets[0]";
    MaterialOutOfRange, "material-out-of-range", Error, Mesh + DropsData,
        "a subset refers to a material that doesn't exist",
        "the subset is drawn here without a material, in a plain colour; a runtime may use a wrong material or crash",
        "export all materials that subsets refer to, numbered from 0",
        "subset 2 refers to material 3, but the model has 2 materials at meshes[0].subsets[2]";
    BoneOutOfRange, "bone-out-of-range", Error, Skin + DropsData,
        "an influence refers to a bone that doesn't exist",
        "the influence is ignored here and the others count more; a runtime may use a random matrix, so that the vertex flickers or shoots away",
        "export all bones that influences refer to, in the order of the bone table; `rigscope convert IN -o OUT.glb` removes the influences",
        "vertex 415 refers to bone 24, but its skin has 22 bones at meshes[0].vertices[415]";
    MorphOutOfRange, "morph-out-of-range", Error, Mesh + DropsData,
        "a morph target moves a vertex that doesn't exist",
        "the offset is ignored here; other importers may refuse the mesh or move a wrong vertex",
        "export morph targets and mesh together, after all modifiers that change the number of vertices",
        "morph target 3 moves vertices that don't exist; the mesh has 415 vertices at meshes[0]";
    NotFinite, "not-finite", Error, File + DropsData,
        "a number is infinite or not a number (NaN)",
        "it is read as 0 here, and curves with such key times are left out; in a runtime, vertices vanish or the whole mesh flickers",
        "look in the exporter for a division by a scale, length or weight of 0; restore scales of 0 and delete faces without area",
        "the normal of vertex 415 isn't finite at meshes[0].vertices[415]";
    HugeCoordinate, "huge-coordinate", Warning, Mesh,
        "a vertex is more than 1e18 units from the origin, too far to be posed in single precision",
        "squared distances overflow, so bounds, lighting and framing fail and the model can't be seen",
        "delete stray vertices, move the model to the origin, and check its unit",
        "vertex 415 is more than 1e18 units from the origin at meshes[0].vertices[415]";
    WeightsNotNormalized, "weights-not-normalized", Warning, Skin,
        "the weights of a vertex don't sum to 1",
        "the weights are scaled to a sum of 1 here; a runtime that doesn't do so pulls the vertex towards the origin or pushes it away",
        "limit influences first, then normalize (Blender: Weights > Normalize All; bytes sum to 255), or run `rigscope convert IN -o OUT.glb`",
        "the weights of vertex 50 sum to 1.5 instead of 1 at meshes[0].vertices[50]";
    VertexWithoutWeights, "vertex-without-weights", Warning, Skin,
        "a vertex has no weights",
        "it stays in place while the character moves and stretches the surface; in BSM2 and IQM it follows the first bone in its list, in skins of The Sims it collapses to the origin",
        "bind every vertex to a bone (Blender: Select > Select All by Trait > Ungrouped Vertices finds them)",
        "vertex 415 has no weights, so no bone moves it at meshes[0].vertices[415]";
    WeightAfterZero, "weight-after-zero", Warning, Skin,
        "a weight follows an empty influence slot",
        "the weight is used here; runtimes that stop at the first empty slot ignore it, so the vertex moves differently",
        "sort influences by weight, largest first; `rigscope convert IN -o OUT.bsm2 --weld --hierarchy` does so",
        "vertex 415 has a weight after an empty influence slot at meshes[0].vertices[415]";
    UnusedSlotOutOfRange, "unused-slot-out-of-range", Info, Skin,
        "an influence with a weight of 0 refers to a bone that doesn't exist",
        "none here, the slot is ignored; a runtime that reads the matrix anyway may multiply 0 by garbage and lose the vertex",
        "write bone 0 into slots with a weight of 0; `rigscope convert IN -o OUT.bsm2 --weld --hierarchy` does so",
        "vertex 415 refers to bone 255 with a weight of 0, but its skin has 22 bones at meshes[0].vertices[415]";
    ZeroNormal, "zero-normal", Warning, Mesh,
        "a normal has a length of 0",
        "the surface around the vertex is shaded flat here; in most runtimes it is black",
        "delete faces without area and recalculate the normals; `rigscope convert IN -o OUT.glb` uses the normals of the adjacent triangles",
        "vertex 8 has a normal of length 0 at meshes[0].vertices[8]";
    NonUnitNormal, "non-unit-normal", Info, Mesh,
        "the length of a normal isn't 1",
        "it is normalized for drawing here; a runtime that doesn't do so shades the surface too bright or too dark",
        "normalize the normals in the exporter, or run `rigscope convert IN -o OUT.glb`",
        "vertex 8 has a normal whose length isn't 1 at meshes[0].vertices[8]";
    ZeroTangent, "zero-tangent", Info, Mesh,
        "a tangent has a length of 0",
        "the direction for normal maps is derived from the UVs here; in a runtime the normal map may be black, noisy or invisible around the vertex",
        "give every face an area in its UVs, and export the tangents again (Blender glTF: Tangents; Maya and 3ds Max FBX: Tangents and Binormals)",
        "vertex 1026 has a tangent of length 0 at meshes[0].vertices[1026]";
    TangentSign, "tangent-sign", Warning, Mesh,
        "the bitangent sign of a tangent is neither +1 nor -1",
        "a runtime that multiplies by it shows normal maps too weak, too strong or flat in one direction",
        "write +1 or -1 into the w component of each tangent, or run `rigscope convert IN -o OUT.glb`",
        "vertex 415 has a bitangent sign other than +1 and -1 at meshes[0].vertices[415]";
    DegenerateTriangle, "degenerate-triangle", Info, Mesh,
        "a triangle has the same vertex at two corners",
        "none visible; the triangle has no area and only costs memory",
        "remove triangles that lost a corner when vertices were merged (Blender: Mesh > Clean Up > Degenerate Dissolve)",
        "triangle 50 has the same vertex at two corners: 36, 41, 41 at meshes[0].triangles[50]";
    PolygonNotSimple, "polygon-not-simple", Warning, Mesh,
        "a polygon with many corners intersects itself, or is too convoluted to be triangulated exactly",
        "some of its triangles may overlap, flicker or cover a gap that should be open",
        "triangulate before export and check the result, and split or delete faces that intersect themselves",
        "3 triangles of a polygon with 42 corners may overlap others";
    OverlappingSubsets, "overlapping-subsets", Info, Mesh,
        "several subsets cover the same triangles",
        "the triangles are drawn once per subset, as intended for several passes; if it isn't intended, they may flicker or look too opaque",
        "no action needed for several passes; to avoid it, assign each triangle to one subset",
        "subset 1 covers triangles of an earlier subset at meshes[0].subsets[1]";
    UncoveredIndices, "uncovered-indices", Warning, Mesh,
        "some triangles belong to no subset",
        "they aren't drawn, which leaves holes; runtimes that draw by subset don't show them either",
        "assign a material to every face, or delete the faces",
        "66 of 216 indices belong to no subset at meshes[0]";
    UnreferencedBone, "unreferenced-bone", Info, Skin,
        "neither the bone nor any bone below it moves a vertex",
        "none visible; the bone costs memory and animation time",
        "leave it out unless something is attached to it (Blender FBX: clear Add Leaf Bones, set Only Deform Bones; glTF: Export Deformation Bones Only)",
        "bone 16 \"hand_l_end\" moves no vertex, nor does any bone below it at bones[16]";
    SeveralRoots, "several-roots", Info, Skin,
        "the bones of a mesh have no common root",
        "shown correctly here; some runtimes load only the first root and the bones below it, so that parts of the mesh don't move",
        "put all bones of the mesh under one root bone; `rigscope convert IN -o OUT.glb` adds one",
        "the bones of mesh 0 have 2 roots: root_l, root_r at meshes[0]";
    RootStoredAs255, "root-stored-as-255", Info, Skin,
        "the parent of a root bone is stored as 255 instead of the bone's own number",
        "none here, the bone is read as a root; a runtime that follows the documentation may read past its list of bones",
        "write a root's own number as its parent, as the exporter's documentation specifies",
        "the parent of root bone 0 is stored as 255 at offset 0x1f40";
    ParentAfterChild, "parent-after-child", Warning, Skin,
        "a parent follows its child in the list of bones",
        "shown correctly here, because the bones are sorted; a runtime that poses bones in file order uses outdated parents, so that limbs lag behind or fall apart",
        "write parents before their children",
        "the parent of bone 6 is bone 9, which follows it at offset 0x1f46";
    ParentOutOfRange, "parent-out-of-range", Warning, Skin + DropsData,
        "the parent of a bone doesn't exist",
        "the bone is read as a root and doesn't follow the rest of the skeleton; a runtime may crash",
        "export all ancestors of the bone, or mark it as a root",
        "the parent of bone 6 is bone 24, but the file has 22 bones at offset 0x1f46";
    InverseBindNotAffine, "inverse-bind-not-affine", Warning, Skin,
        "the last row of an inverse bind matrix isn't 0 0 0 1",
        "the row is ignored here; if the matrix is transposed, its translation is lost and the vertices of the bone are shifted away from it",
        "check whether the exporter writes its matrices transposed",
        "the last row of inverse bind matrix 6 is 0 1.2 0 1 instead of 0 0 0 1 at bones[6]";
    BonesBeyondU8, "bones-beyond-u8", Warning, Skin,
        "the file has more than 256 bones",
        "vertices can only refer to the first 256, so parts bound to later bones don't move or follow a wrong bone",
        "remove bones that move no vertices, or split the mesh; `rigscope convert SOURCE -o OUT.bsm2` does both",
        "the file has 300 bones, but vertices can only refer to the first 256 at offset 0xc";
    ZeroScaleBone, "zero-scale-bone", Info, Animation,
        "a bone is scaled to 0 at rest or in a key",
        "its vertices, and those of all bones below it, collapse to a point, line or plane and usually disappear",
        "no action needed if the part should be hidden; if not, restore the scale before export",
        "in key 0 of clip 0, bone 38 is scaled to 0 at clips[0].keys[0].bones[38]";
    BindPair, "bind-pair", Info, Skin,
        "the two keys of a clip are bone matrices and their inverse bind matrices instead of a motion",
        "none; their product is shown as a single pose, as in the Banuba SDK",
        "no action needed; such files store a single pose",
        "for 100 % of the bones, the two keys of clip \"Take 001\" are inverse to each other at clips[0]";
    PossibleBindPair, "possible-bind-pair", Info, Skin,
        "for many bones, the two keys of a clip are a bone matrix and its inverse bind matrix",
        "the clip is shown as stored; if the keys aren't a motion, the mesh jumps or falls apart while it plays",
        "export either a motion without its bind pose, or only the bind pose",
        "for 48 % of the bones, the two keys of clip \"Take 001\" are inverse to each other at clips[0]";
    NoClips, "no-clips", Info, Animation,
        "the file has no clips",
        "nothing moves; the model is shown in its default pose",
        "no action needed for static models; to animate, export an action or frame range (Blender FBX: Bake Animation; glTF: Animation)",
        "the model has no clips";
    ClipWithoutKeys, "clip-without-keys", Warning, Animation,
        "a clip has no keys, or its keys don't match the skeleton or mesh",
        "nothing moves while the clip plays; a runtime may refuse the clip",
        "export at least one frame of the clip with the mesh and skeleton of this file, or leave the clip out",
        "the clip has no keys at clips[1]";
    ZeroInterval, "zero-interval", Warning, Animation,
        "the keys of a clip all have the same time",
        "the clip is shown as a single pose here; a runtime may divide by 0, so that the mesh vanishes",
        "write the time between keys: 1 s divided by the frame rate",
        "the clip's 31 keys all have the same time at clips[1]";
    DurationMismatch, "duration-mismatch", Warning, Animation,
        "the duration of a clip differs from the time of its last key by more than one interval",
        "the clip is cut short or freezes in its last pose, and stutters when it loops",
        "write (keys - 1) x interval as the duration, or keys x interval if the last key leads back to the first",
        "the duration is 2 s, but the last key is at 1.5 s at clips[0]";
    DuplicateName, "duplicate-name", Info, File,
        "two clips or two bones have the same name",
        "none here; programs that search by name find only one of them, so a wrong clip may play or a wrong bone may move",
        "give every clip and every bone a unique name",
        "bone 45 and bone 12 are both named \"hand_l\" at bones[45]";
    NameNotUtf8, "name-not-utf8", Warning, File,
        "a name isn't valid UTF-8",
        "replacement characters are shown for the invalid bytes; searches by name fail, and strict importers refuse the file",
        "write names as UTF-8, or use only ASCII characters in them",
        "\"hero\": a name or text isn't valid UTF-8";
    TrailingBytes, "trailing-bytes", Warning, File,
        "the file continues after the end of its format's data",
        "none here, the extra bytes are preserved when the format is written again; a strict reader may refuse the file",
        "write to a new file, or truncate the old one before overwriting it",
        "16 bytes follow the last clip at offset 0x5e70";
    EmptyMesh, "empty-mesh", Warning, Mesh,
        "a mesh has no vertices",
        "nothing is drawn for it; some importers refuse such a file",
        "leave meshes without vertices out of the export; `rigscope convert IN -o OUT.glb` drops them",
        "the mesh has no vertices at meshes[1]";
    NoTriangles, "no-triangles", Info, Mesh,
        "a mesh has no triangles",
        "its vertices are shown as points; runtimes that draw only triangles show nothing",
        "no action needed for point clouds; for other meshes, export the faces too",
        "the mesh has no triangles at meshes[0]";
    NoMesh, "no-mesh", Info, Mesh,
        "the file has no mesh",
        "none; the skeleton is shown instead",
        "no action needed for skeletons and animations; to include the mesh, select it before export",
        "the model has no mesh";
    BoundsMismatch, "bounds-mismatch", Warning, Collision,
        "stored bounds don't contain the vertices",
        "shown correctly here; runtimes that cull by these bounds hide parts that are still on the screen",
        "compute the bounds from the exported vertices, in the same space and unit",
        "vertex 415 is outside the stored bounds at meshes[0].vertices[415]";
    MissingSkeleton, "missing-skeleton", Warning, Skin + DropsData,
        "the file needs a skeleton that wasn't found",
        "bones have no names or stay at the origin, so the mesh may be collapsed or torn and clips may not fit",
        "put the skeleton file into the same folder, or name it with --with",
        "no matching skeleton with 67 joints was found, so the bones have no names";
    MissingTexture, "missing-texture", Warning, Mesh + DropsData,
        "the file of a texture wasn't found",
        "a pink checker pattern is shown instead, and a conversion doesn't write the image; a runtime shows white, black or a placeholder",
        "put the image next to the model with a relative path, or embed it (Blender FBX: Path Mode Copy, Embed Textures; Maya: Embed Media)",
        "skin.png was not found";
    UnreadableTexture, "unreadable-texture", Warning, Mesh,
        "the image of a texture can't be read",
        "a pink checker pattern is shown instead; a runtime may show the surface white or black",
        "save the image as PNG, JPEG, WebP, TGA, BMP, DDS, KTX, KTX2, HDR or EXR, without Basis Universal",
        "a texture of material \"skin\": skin.ktx2 is Basis Universal, which isn't supported: save it as PNG, JPEG or WebP, or as KTX2 with plain, BC, ETC2 or ASTC texels";
    ReducedTexture, "reduced-texture", Info, Mesh,
        "all textures together exceed the memory for textures",
        "some textures look blurred, because they are shown at a reduced size; the file isn't changed",
        "no action needed to view the model; for a runtime, scale the images down",
        "\"skin.png\" is shown at 1/2 of its size; all textures together are limited to 640 MiB at materials[0]";
    TextureTooLarge, "texture-too-large", Warning, Mesh,
        "the image of a texture is too large to be shown",
        "a pink checker pattern is shown instead; many GPUs can't load the image either",
        "scale the image down to at most 16,384 pixels per side and 256 MiB when decoded",
        "\"skin.png\" has 32768x32768 pixels; at most 16384 per side can be shown at materials[0]";
    SeveralUvSets, "several-uv-sets", Info, Mesh,
        "the textures of a mesh use different UV sets",
        "all textures are shown with the first set, so some of them are misaligned here",
        "no action needed if the runtime supports several UV sets; to see the textures here, use the same set for all of them",
        "all textures of \"hero\" use the first UV set at meshes[0]";
    OutsidePath, "outside-path", Info, File,
        "a path leads outside the model's folder",
        "a file with the same name in the model's folder is used, if there is one; on another machine the path may not exist",
        "use paths relative to the model's folder (Blender FBX: Path Mode Copy)",
        "\"../textures/skin.png\" is outside the folder; searching for \"skin.png\" instead at materials[0]";
    MissingRelatedFile, "missing-companion", Warning, File + DropsData,
        "a file that this one refers to wasn't found",
        "its content is missing here, such as materials, vertices, skins or keys",
        "put the file into the same folder, or name it with --with",
        "hero.mtl was not found";
    RelatedFileUnreadable, "companion-unreadable", Warning, File + DropsData,
        "a file that this one refers to can't be read",
        "its content is left out, so a mesh of the effect is missing",
        "export that file again, or remove the reference to it",
        "mesh hero can't be read: truncated BSM2 file: vertex count 4294967295 exceeds 131072 left (header at offset 0x0). Export it again";
    BuiltInMesh, "built-in-mesh", Info, File,
        "the effect refers to meshes that the SDK generates, such as the tracked face",
        "none in the SDK; the meshes aren't shown here, because no file stores them",
        "no action needed",
        "2 of the effect's meshes are generated by the SDK";
    MaterialNotInEffect, "material-not-in-effect", Info, Mesh,
        "the effect has no material with the same name as the mesh's material",
        "the triangles with this material are shown without textures",
        "in the config, name the material like the mesh's material, after the prefix shaders/",
        "the effect has no material named Head";
    DressedByEffect, "dressed-by-effect", Info, File,
        "the file belongs to an effect",
        "none; the file is shown with the materials and light of that effect",
        "no action needed; --no-effect shows only the mesh",
        "4 materials were taken from hero";
    PoorFit, "poor-fit", Warning, File,
        "the bones of a related file differ from those of the model in length or position",
        "limbs are stretched, twisted or shifted, because the files probably don't belong together",
        "name the matching file with --with, or choose it in the list of related files",
        "walk.fbx fits only 62 % of the model's bones";
    UnmatchedBones, "unmatched-bones", Warning, Animation + DropsData,
        "some bones of an added animation have no counterpart in the model",
        "their keys are left out, so the parts that they should move stay at rest",
        "use the same bone names in both files",
        "2 of 24 bones of walk have no counterpart in the model: finger_l, finger_r";
    BoneMapEntryUnused, "bone-map-entry", Warning, File,
        "an entry of a bone map can't be used",
        "its bones are paired as without the entry, or not at all",
        "correct the name in the map, or remove the entry",
        "hero.bones.toml: there is no bone \"pelvs\" in hero.glb; did you mean \"pelvis\"?";
    UnmatchedChannels, "unmatched-channels", Warning, Animation + DropsData,
        "some animated morph targets or materials of an added animation have no counterpart in the model",
        "their keys are left out, so a face or a colour that they should change stays as it is",
        "use the same names of meshes, morph targets and materials in both files",
        "3 animated morph targets of walk have no counterpart in the model: smile, blink_l, blink_r";
    UnmatchedMeshes, "unmatched-meshes", Warning, Mesh + DropsData,
        "some meshes of an added file can't be bound to the bones of the model",
        "the meshes are missing here and in conversions",
        "use the same bone names in both files",
        "1 mesh of hair can't be added, because its bones have no counterpart in the model: ribbon";
    AddedMeshes, "added-meshes", Info, File,
        "meshes of another file were added to the skeleton",
        "none; they are shown on the skeleton of this file",
        "no action needed; --without excludes the other file",
        "2 meshes of hair were added";
    AddedClips, "added-clips", Info, Animation,
        "clips of another file were added",
        "none; they can be played like the clips of this file",
        "no action needed; --without excludes the other file",
        "the clips of 3 related files were added: idle, run, walk";
    Dropped, "dropped", Warning, File + DropsData,
        "the file contains data of a kind that isn't shown",
        "the data is missing here and in conversions; a runtime may use it",
        "export the data in a form that the documentation of the format lists as shown",
        "1 clip of walk can't be applied to this model";
    ClipBeyondGpu, "clip-beyond-gpu", Info, Animation,
        "the keys of a clip don't fit into GPU memory",
        "none visible; the keys are uploaded during playback, which makes each frame slightly slower",
        "no action needed; the clip plays as usual",
        "the keys of clip \"walk\" take 805,306,368 bytes; the limit is 536,870,912 at clips[0]";
    TimeIgnored, "time-ignored", Info, Animation,
        "a time was requested, but the file has no clips",
        "the time is ignored, and the model is shown in its default pose",
        "leave the time out, or export a clip",
        "a time was requested, but the file has no clips; the time is ignored, and the model is shown in its default pose";
    RelatedFileLeftOut, "companion-left-out", Warning, File + DropsData,
        "an animation or mesh that was given along with the model isn't used",
        "its clips or meshes are missing here and in conversions; the message gives the reason",
        "check that it is the intended file and has the bones of the model, or leave it out",
        "walk.fbx is not used: its bones have no names, and matched by their order only 12 % of their lengths agree";
    UnusedRelatedFile, "unused-companion", Info, File,
        "a file that was given along with the model isn't used",
        "none; the model is shown without it, and the message gives the reason",
        "leave the file out, or check that it is the intended one",
        "skin_old.png is not used: no material refers to it";
    ExtensionIgnored, "extension-ignored", Info, File + DropsData,
        "the file uses an unsupported extension that affects only its look or adds data that isn't drawn",
        "colours, lights, effects or behaviour of the extension are missing here; vertices are where they should be, as far as it is known",
        "no action needed if the model looks right; colours can be baked into standard materials",
        "KHR_lights_punctual is ignored: the file's lights aren't used";
    UnknownVersion, "unknown-version", Warning, File,
        "the version of the format is unknown",
        "the file is read like the usual version; values may be wrong or missing",
        "export with a known version of the format",
        "the version is \"200\" instead of 300 at line 2";
    BrokenRecord, "broken-record", Error, File + DropsData,
        "a record contradicts the rest of the file",
        "the record is left out or read as far as possible, so a mesh, clip or value may be missing or wrong",
        "export the file again, so that its counts match its data",
        "hero: 2 faces refer to a vertex that doesn't exist; the skin has 415 vertices at meshes[0]";
    BoneNotInSkeleton, "bone-not-in-skeleton", Warning, Skin + DropsData,
        "a mesh refers to a bone that isn't in the skeleton",
        "its vertices follow the root bone, so that part of the body stays rigid while the limb moves",
        "export mesh and skeleton from the same rig",
        "hero follows bones that aren't in the skeleton: hand_l, hand_r at meshes[0]";
    PartShown, "part-shown", Info, File + DropsData,
        "the file has more parts than are shown, such as archive entries, several skeletons or levels of detail",
        "one part is shown, the others are missing here; the message names it",
        "no action needed; to see everything, save each part as a separate file",
        "hero-HEAD.bmf is shown, one of 4 entries";
    AssumedFps, "assumed-fps", Info, Animation,
        "the file counts frames without stating a frame rate",
        "clips are played at 30 frames per second, which may be too fast or too slow",
        "set the frame rate with --fps",
        "the file states no frame rate; 30 frames per second are assumed";
    OtherConvention, "other-convention", Info, File,
        "another file shows that the transforms don't follow the documented convention",
        "none here, the transforms are read accordingly; a reader that follows the documentation shows twisted limbs",
        "no action needed; select the documented convention in the next export",
        "mesh.txt shows that the transforms follow another convention (row vectors, …): vertices deviate by at most 1e-5 units, instead of 3 units in the documented one";
    BoxSizeVaries, "box-size-varies", Info, Animation,
        "the size of a bone's box changes over time",
        "none; it moves no vertices here",
        "no action needed; apply the scale of the bones to avoid it",
        "the size of a bone's box in an animation differs from that in the structure";
    UnmatchedVertices, "unmatched-vertices", Warning, Mesh + DropsData,
        "some vertices have no counterpart in the file that provides the faces",
        "triangles with such vertices are left out, which leaves holes in the surface",
        "use the faces of the exported mesh itself, before it is edited or merged",
        "3 of the vertices of hero.obj and 12 of this file's have no counterpart";
    OverlappingArrays, "overlapping-arrays", Warning, File,
        "arrays of the file share bytes",
        "each array is read as stored; if the overlap isn't intended, vertices or triangles are scrambled",
        "write each array to a separate range of bytes",
        "the triangle array begins before the end of the normal vector array at offset 0x1b00";
    PosesMismatch, "poses-mismatch", Warning, Skin + DropsData,
        "the poses and joints of the file differ in number or parents",
        "joints without a pose stay at rest, and poses without a joint are ignored; a runtime may refuse the animation",
        "export mesh and animation from the same skeleton",
        "the file has 24 poses, but 22 joints";
}

findings! {
    /// Findings about frame rates, listed after those about normals.
    pub FRAME_RATE:
    UnusableFrameRate, "unusable-frame-rate", Warning, Animation,
        "the frame rate of a clip is unusable",
        "the rate from --fps is used, or 30 frames per second, so the clip may be too fast or too slow; a runtime may divide by 0",
        "write a frame rate above 0, or set one with --fps",
        "the stored frame rate is 0; 30 frames per second are used instead at clips[0]";
}

findings! {
    /// Findings about runtimes that `validate --for` names.
    pub RUNTIME:
    RuntimeCannotOpen, "runtime-cannot-open", Warning, File + SeparateMessages,
        "a runtime for which the file is validated can't open its format",
        "the runtime shows an error or nothing",
        "convert the file to a format that the runtime opens, which `rigscope runtimes` lists",
        "Bevy 0.17 can't open iqm files";
    RuntimeDiffers, "runtime-differs", Warning, File + SeparateMessages,
        "a runtime for which the file is validated ignores a part of it, or plays it differently",
        "the model looks or moves differently in the runtime; `rigscope render FILE -o OUT.png --as RUNTIME` shows how",
        "avoid the feature, such as more than four influences per vertex or splines, by the export settings",
        "Bevy 0.17: influences outside JOINTS_0 of 12 vertices are ignored, up to 60 % of the weight; vertices deviate by up to 8 % of the size at meshes[0].vertices[3]";
}

findings! {
    /// Findings reported when a model is changed or written.
    pub WRITING:
    RestNotStored, "rest-not-stored", Info, Skin + DropsData,
        "the bones' rest pose differs from their bind pose, and the format stores only one of them",
        "outside clips, the written file shows the bind pose; clips are unchanged",
        "use the bind pose as the rest pose (Maya: Go to Bind Pose)",
        "the rest pose of the bones differs from their bind pose";
    ShearedBind, "sheared-bind", Warning, Skin + DropsData,
        "the bind transform of a bone has shear, which the format can't store",
        "in the written file, the vertices of the bone deviate from the source",
        "bind bones without non-uniform scales above them",
        "the bind transform of bone \"hand_l\" has shear at bones[6]";
    ChangedName, "changed-name", Info, File,
        "the format can't store a name as it is",
        "the name is changed in the written file, so programs that search for the old name don't find it",
        "use unique names without special characters",
        "bone \"<hand_l>\" is written as \"(hand_l)\" at bones[6]";
    NotWritten, "not-written", Warning, File + DropsData,
        "the source has data that is specific to its format",
        "the data is missing in the written file; vertices and clips aren't affected",
        "keep the original file, or write a format that can store the data",
        "the custom vertex arrays of the original file aren't written";
    FrameRateNotWritten, "frame-rate-not-written", Info, Animation + DropsData,
        "the format doesn't store the frame rate of the clips",
        "read without this rate, the written file plays too fast or too slowly",
        "read the file with --fps and the frame rate in the message",
        "the frame rate isn't stored; read the file with --fps 24";
    NoBones, "no-bones", Info, Skin,
        "the model has no bones, and the format requires one",
        "none; everything is attached to a new bone that doesn't move",
        "no action needed; bind the mesh to a bone if it should move",
        "the model has no bones; one was added for all vertices";
    TextureUnfit, "texture-unfit", Info, Mesh + DropsData,
        "the format stores one colour texture, a BMP file named without folder and extension, and the model has others",
        "other textures are renamed or left out, so the written mesh may appear without them",
        "put a .bmp file with that name next to the written file",
        "texture \"skin.png\" is written as \"skin\" at materials[0]";
    LongerClip, "longer-clip", Info, Animation,
        "a clip doesn't end with its first pose, and its last pose needs an additional frame in the format",
        "the written clip lasts one frame longer",
        "end the clip with its first pose, or accept the additional frame",
        "clip \"walk\" becomes 0.032 s longer, so that its last pose is shown at clips[0]";
    UvTilesMoved, "uv-tiles-moved", Info, Mesh,
        "UVs outside 0 to 1 were moved by whole tiles",
        "none if the texture repeats; if it is clamped, it appears in other places",
        "move UVs into 0 to 1 if the texture needn't repeat",
        "UVs were moved by whole tiles";
    UvTilesCut, "uv-tiles-cut", Info, Mesh,
        "a triangle that spans several tiles of its texture was split at the tile borders",
        "looks the same with a repeating texture; the mesh has more vertices and triangles",
        "split faces at the borders of the texture, or scale the texture instead",
        "triangles were cut at the borders of texture tiles";
    UvsClamped, "uvs-clamped", Warning, Mesh + DropsData,
        "a UV outside 0 to 1 was clamped",
        "the texture is smeared there in the written file",
        "move UVs into 0 to 1",
        "UVs outside 0 to 1 were clamped";
    UnweightedOnStillBone, "unweighted-on-still-bone", Info, Skin,
        "a vertex has no weights and was bound to a bone that doesn't move",
        "the vertex stays in place while the character moves, and stretches the surface",
        "bind every vertex to a bone (Blender: Select > Select All by Trait > Ungrouped Vertices finds them)",
        "vertices without weights were bound to a bone that doesn't move";
    MirroredMesh, "mirrored-mesh", Info, Mesh,
        "a mesh is attached to a mirrored node, which the format can't store",
        "none; its triangles and bitangents are flipped to keep its appearance",
        "no action needed; to store the mesh as it is shown, apply the negative scale before export (Blender: Object > Apply > Scale)",
        "the triangles of meshes on mirrored nodes were flipped";
    MirroredSkin, "mirrored-skin", Info, Skin,
        "a skin mirrors its mesh",
        "none; the mirrored triangles and bitangents are flipped, so that front faces match the normals",
        "no action needed; to avoid it, apply the negative scale before binding (Blender: Object > Apply > Scale)",
        "the skin of mesh 0 \"hero\" mirrors 104 triangles at meshes[0]";
    BoneAdded, "bone-added", Info, Skin + AddsData + SeparateMessages,
        "the format needs a bone or node that the model doesn't have",
        "none; no vertex moves, and Rigscope leaves it out when it converts the written file",
        "no action needed",
        "bone \"_rigscope_root\" was added as the common parent of 3 roots";
    ClipAdded, "clip-added", Info, Animation + AddsData,
        "the format needs a clip, but the model doesn't have one",
        "none; the clip is the default pose, and Rigscope leaves it out when it converts the written file",
        "no action needed",
        "clip \"static\" was added, because the format has no rest pose";
    MeshSplit, "mesh-split", Info, Mesh + AddsData + SeparateMessages,
        "the format stores one material per mesh",
        "none; the mesh is written as several meshes",
        "no action needed",
        "mesh \"hero\" is written as 2 meshes, one per material";
    InfluencesCut, "influences-cut", Warning, Skin + DropsData,
        "a vertex has more influences than the format can store",
        "the largest ones are kept and rescaled, so that the vertex moves slightly differently",
        "limit the influences per vertex before export (Blender: Weights > Limit Total; Maya and 3ds Max: Max Influences)",
        "influences beyond four of 76 vertices: up to 7.1 % of the weight, which moves a vertex by up to 0.0182 units";
    BoneDoubled, "bone-doubled", Info, Skin,
        "meshes bind the same bone in different poses",
        "costs a bone per additional pose, looks the same",
        "bind all meshes in the same pose",
        "bones are stored once per bind pose";
    SplitIntoFiles, "split-into-files", Warning, File + DropsData,
        "the model is too large for one file",
        "it was split into several; a runtime shows the whole model only if it loads all of them",
        "reduce the number of vertices or bones, or load all files together",
        "the model was split into 2 files";
    LeftOut, "left-out", Warning, File + DropsData,
        "the format can't store a part of the model",
        "the part is missing in the written file",
        "write another format, or remove the part from the model",
        "1 texture of the material is left out, because glTF has no slot for them at materials[0]";
    Altered, "altered", Info, File,
        "the format can't store something as it is, such as a value, a name or a clip",
        "it is changed in the written file; the message describes the change",
        "write another format if it must stay unchanged",
        "vertices without influences are bound to a joint that never moves";
    MadeDirection, "made-direction", Info, Mesh,
        "a normal or tangent has a length of 0, but the format requires a direction",
        "it is replaced by that of the adjacent triangles or by any perpendicular, so shading or normal maps may look slightly wrong there",
        "give every vertex a normal, and either all vertices or no vertex a tangent",
        "3 normals of length 0 are replaced by those of adjacent triangles at meshes[0]";
    NormalsMade, "normals-made", Info, Mesh,
        "a mesh has no normals",
        "they are computed, smooth across edges of less than 60°, so edges may be softer or harder than intended",
        "export the normals (Blender glTF and OBJ: Normals; FBX: Smoothing)",
        "normals were computed for meshes without normals";
    HullWithoutVolume, "hull-without-volume", Info, Collision,
        "the points of a convex hull span no volume",
        "all distinct points are stored, but collision detection ignores the hull",
        "give the collision mesh some thickness",
        "the convex hull of mesh \"hero\" has no volume; it has 4 different points";
    OccluderMade, "occluder-made", Info, Collision,
        "an occlusion mesh was made by reducing the triangles of the mesh",
        "none visible; a runtime hides objects behind it, and it may deviate slightly from the mesh, although its vertices are vertices of the mesh",
        "no action needed; to use another one, add a mesh whose name begins with 'occlusion'",
        "the occlusion mesh has 256 of the 2,811 triangles and deviates by at most 0.0182 units";
    UncoveredNotWritten, "uncovered-not-written", Warning, Mesh + DropsData,
        "some triangles belong to no subset",
        "they aren't drawn here, and they are missing in the written file",
        "assign a material to the triangles",
        "22 triangles of mesh 0 belong to no subset and aren't written at meshes[0]";
    AlphaNotWritten, "alpha-not-written", Warning, Mesh + DropsData,
        "the format can't store the alpha of vertex colours",
        "transparent vertices are opaque in the written file",
        "convert to a format that stores colours with alpha, such as glTF: `rigscope convert IN -o OUT.glb`",
        "the vertex colours of mesh 0 have alpha, which isn't written at meshes[0]";
    LookNotWritten, "look-not-written", Info, Mesh + DropsData,
        "the format can't store some properties of a material, such as alpha, double sides, shininess, emission or texture transforms",
        "they are left out, so the surface may look duller, opaque or one-sided in other programs",
        "convert to a format that stores complete materials, such as glTF: `rigscope convert IN -o OUT.glb`",
        "glTF can't store some properties of material \"skin\" at materials[0]";
    JoinedImages, "joined-images", Info, Mesh,
        "the images of metallic, roughness and occlusion are separate, but the format requires one image",
        "they are combined into a new image, and smaller ones are scaled to the largest; looks the same",
        "no action needed; to avoid scaling, use images of the same size",
        "the images of material skin are joined into one: roughness of skin_rough.png, metallic of skin_metal.png at materials[0]";
    ImageBeside, "image-beside", Info, Mesh,
        "images are written as separate files next to the model",
        "none, as long as the files stay together; without them the model has no textures",
        "no action needed; keep the files together",
        "images are written next to the file: skin.png, skin_normal.png";
    ImageNotWritten, "image-not-written", Info, Mesh + DropsData,
        "the format stores only the names of materials, and no name leads to the image",
        "the image isn't written, so the model appears without it",
        "give the material a name that is valid as a file name, or convert to a format that refers to images",
        "the material names in this format don't lead to these images: skin.png";
    NameCut, "name-cut", Warning, File + DropsData,
        "a name is longer than the format permits",
        "its end is left out in the written file, so a search for the full name fails",
        "shorten the name",
        "\"textures/…/skin.png\" is stored as \"textures/…/sk\" at materials[0]";
    NameRespelled, "name-respelled", Info, File,
        "a name doesn't follow the rules of the format",
        "it is changed in the written file, so a search for the old name fails",
        "use a unique name of one word",
        "material \"hero skin\" is written as hero_skin";
    OtherExtension, "other-extension", Info, File,
        "the file has the extension of another format",
        "none here, the format is determined by the content; programs that rely on the extension can't open it",
        "rename the file to the extension of its format",
        "the extension .fbx belongs to Autodesk FBX, but the content is glTF 2.0";
    OtherFormats, "other-formats", Info, File,
        "the file could also be in another format",
        "none if the model looks right; if it doesn't, the wrong format may have been chosen",
        "no action needed; --format selects one of them",
        "the file could also be bsm";
}
