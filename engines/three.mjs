// Plays a glTF file in three.js: node three.mjs FILE REQUEST.json
//
// Morphs and skinning are those of `getVertexPosition`, which three.js uses for picking and bounds.

import { main, meshNodes } from "./gltf.mjs";
import { AnimationMixer, LoopOnce, REVISION, Texture, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/examples/jsm/libs/meshopt_decoder.module.js";

// The loader expects these of a browser.
globalThis.self = globalThis;
globalThis.ProgressEvent ??= class extends Event {};

async function load({ json, bytes }) {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  // Node has no decoder for images, and poses don't depend on them.
  loader.register(() => ({ name: "NoTextures", loadTexture: async () => new Texture() }));
  const gltf = await loader.parseAsync(bytes.buffer, "");

  const objects = new Map();
  gltf.scene.traverse((object) => {
    const node = gltf.parser.associations.get(object)?.nodes;
    if (node !== undefined) objects.set(node, object);
  });

  return ({ clip, time }) => {
    if (clip !== null) {
      const mixer = new AnimationMixer(gltf.scene);
      const action = mixer.clipAction(gltf.animations[clip]);
      action.setLoop(LoopOnce).clampWhenFinished = true;
      action.play();
      mixer.setTime(time);
    }
    gltf.scene.updateMatrixWorld(true);
    return meshNodes(json).flatMap((node) => {
      const object = objects.get(node);
      // A mesh of several primitives is a group, among whose children are those of the node.
      const parts = object.children.filter((child) => child.isMesh && ![...objects.values()].includes(child));
      return (object.isMesh ? [object] : parts).flatMap(vertices);
    });
  };
}

function vertices(mesh) {
  const point = new Vector3();
  return Array.from({ length: mesh.geometry.attributes.position.count }, (_, index) => {
    mesh.getVertexPosition(index, point).applyMatrix4(mesh.matrixWorld);
    return point.toArray();
  });
}

await main("three.js", `0.${REVISION}.0`, load);
