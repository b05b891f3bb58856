// Plays a glTF file in Babylon.js: node babylon.mjs FILE REQUEST.json
//
// Morphs are those of `getPositionData`, which Babylon.js uses for picking and bounds. Skinning repeats the arithmetic of the
// shader.
// The loader puts everything below `__root__`, which mirrors it into a left-handed scene; the
// inverse of that node's matrix brings the vertices back to the axes of glTF.

import { main, meshNodes } from "./gltf.mjs";
import "@babylonjs/loaders/glTF/2.0/index.js";
import { registerGLTFExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer.js";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Scene } from "@babylonjs/core/scene.js";
import { Tools } from "@babylonjs/core/Misc/tools.js";
import "@babylonjs/core/Animations/animatable.js";
import { MeshoptDecoder } from "three/examples/jsm/libs/meshopt_decoder.module.js";

// The engine would fetch this decoder from its own server, and run it in a worker.
globalThis.MeshoptDecoder = { ...MeshoptDecoder, useWorkers() {} };
Tools.LoadBabylonScriptAsync = async () => {};

// An extension is the only public way to the objects that belong to a node of the file.
let nodes;
registerGLTFExtension("RIGSCOPE_nodes", false, (loader) => ({
  name: "RIGSCOPE_nodes",
  enabled: true,
  onReady: () => (nodes = loader.gltf.nodes),
  dispose: () => {},
}));

async function load({ extension, json, bytes }) {
  const scene = new Scene(new NullEngine());
  const source = extension === ".glb" ? bytes : "data:" + new TextDecoder().decode(bytes);
  const { animationGroups, meshes } = await ImportMeshAsync(source, scene, {
    pluginExtension: extension,
    pluginOptions: { gltf: { skipMaterials: true, animationStartMode: 0, targetFps: 60 } },
  });
  const primitives = meshNodes(json).flatMap((node) => nodes[node]._primitiveBabylonMeshes);
  const toGltf = meshes[0].computeWorldMatrix(true).clone().invert();

  return ({ clip, time }) => {
    if (clip !== null) {
      const group = animationGroups[clip];
      group.start(false);
      group.pause();
      group.goToFrame(time * 60);
    }
    for (const node of scene.getNodes()) node.computeWorldMatrix(true);
    // Before bones are drawn, the engine copies the matrices of their nodes like this.
    for (const skeleton of scene.skeletons) skeleton.prepare(true);
    return primitives.flatMap((mesh) => vertices(mesh, toGltf));
  };
}

function vertices(mesh, toGltf) {
  const world = mesh.computeWorldMatrix(true);
  if (!mesh.hasThinInstances) return verticesAt(mesh, world, toGltf);
  return mesh.thinInstanceGetWorldMatrices().flatMap((own) => verticesAt(mesh, own.multiply(world), toGltf));
}

function verticesAt(mesh, world, toGltf) {
  const morphed = mesh.getPositionData(false, true);
  const matrixOf = matrices(mesh, world);
  const normalOf = normals(mesh, matrixOf, toGltf);
  return Array.from({ length: morphed.length / 3 }, (_, index) => {
    const point = Vector3.TransformCoordinates(Vector3.FromArray(morphed, index * 3), matrixOf(index));
    return [...Vector3.TransformCoordinates(point, toGltf).asArray(), ...normalOf(index)];
  });
}

/** The matrix of each vertex in pbr.vertex.fx, with the influences and matrices that the engine uploads. */
function matrices(mesh, world) {
  const skeleton = mesh.useBones && mesh.computeBonesUsingShaders ? mesh.skeleton : null;
  if (!skeleton) return () => world;
  const bones = skeleton.getTransformMatrices(mesh);
  const sets = [[VertexBuffer.MatricesIndicesKind, VertexBuffer.MatricesWeightsKind],
    [VertexBuffer.MatricesIndicesExtraKind, VertexBuffer.MatricesWeightsExtraKind]]
    .map((kinds) => kinds.map((kind) => mesh.getVerticesData(kind))).filter(([joints]) => joints);
  return (index) => {
    const sum = new Float32Array(16);
    for (const [joints, weights] of sets) {
      for (let slot = index * 4; slot < index * 4 + 4; slot++) {
        // A joint that the skeleton doesn't have isn't a number here.
        if (weights[slot] === 0) continue;
        for (let at = 0; at < 16; at++) sum[at] += weights[slot] * bones[joints[slot] * 16 + at];
      }
    }
    return Matrix.FromArray(sum).multiply(world);
  };
}

/** The arithmetic of pbr.vertex.fx for normals. */
function normals(mesh, matrixOf, toGltf) {
  const stored = mesh.getVerticesData(VertexBuffer.NormalKind);
  if (!stored) return () => [];
  const manager = mesh.morphTargetManager;
  return (index) => {
    const normal = Vector3.FromArray(stored, index * 3);
    for (let at = 0; at < (manager?.numTargets ?? 0); at++) {
      const target = manager.getTarget(at);
      const offsets = target.getNormals();
      if (offsets && manager.supportsNormals) {
        normal.addInPlace(Vector3.FromArray(offsets, index * 3).subtract(Vector3.FromArray(stored, index * 3))
          .scale(target.influence));
      }
    }
    let matrix = matrixOf(index);
    // NONUNIFORMSCALING
    if (mesh.nonUniformScaling) matrix = Matrix.Transpose(inverseOf3x3(matrix));
    return Vector3.TransformNormal(Vector3.TransformNormal(normal, matrix), toGltf).normalize().asArray();
  };
}

function inverseOf3x3(matrix) {
  const part = matrix.clone();
  part.setTranslation(Vector3.Zero());
  return part.invert();
}

await main("Babylon.js", NullEngine.Version, load);
