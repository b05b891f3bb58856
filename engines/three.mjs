// Plays a glTF, FBX or OBJ file in three.js: node three.mjs FILE REQUEST.json
//
// Morphs and skinning are those of `getVertexPosition`, which three.js uses for picking and bounds.

import { main, meshNodes } from "./gltf.mjs";
import { mainOfFormat } from "./formats.mjs";
import { extname } from "node:path";
import { AnimationMixer, LoopOnce, REVISION, Texture, TextureLoader, Vector3 } from "three";
import { FBXLoader } from "three/examples/jsm/loaders/FBXLoader.js";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import { MeshoptDecoder } from "three/examples/jsm/libs/meshopt_decoder.module.js";

// The loaders expect these of a browser. FBXLoader reads the aspect ratio of cameras from the window.
globalThis.self = globalThis;
globalThis.window = { innerWidth: 1, innerHeight: 1, URL };
globalThis.ProgressEvent ??= class extends Event {};
// Node has no decoder for images, and poses don't depend on them.
TextureLoader.prototype.load = () => new Texture();

async function loadGltf({ json, bytes }) {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  loader.register(() => ({ name: "NoTextures", loadTexture: async () => new Texture() }));
  const gltf = await loader.parseAsync(bytes.buffer, "");

  const objects = new Map();
  gltf.scene.traverse((object) => {
    const node = gltf.parser.associations.get(object)?.nodes;
    if (node !== undefined) objects.set(node, object);
  });

  return ({ clip, time }) => {
    if (clip !== null) play(gltf.scene, gltf.animations[clip], time);
    gltf.scene.updateMatrixWorld(true);
    return meshNodes(json).flatMap((node) => {
      const object = objects.get(node);
      // A mesh of several primitives is a group, among whose children are those of the node.
      const parts = object.children.filter((child) => child.isMesh && ![...objects.values()].includes(child));
      return (object.isMesh ? [object] : parts).flatMap(vertices);
    });
  };
}

/**
 * FBXLoader keeps the unit of the file, and rotates files whose Z axis points up. Rigscope converts both, so the result
 * is scaled to metres here.
 */
function loadFbx(bytes) {
  const group = new FBXLoader().parse(bytes.buffer, "");
  const centimetres = group.userData.unitScaleFactor ?? 1;
  return loaded(group, group.animations, centimetres / 100);
}

/** OBJ has neither a unit nor animations. */
function loadObj(bytes) {
  return loaded(new OBJLoader().parse(new TextDecoder().decode(bytes)), [], 1);
}

function loaded(scene, animations, metres) {
  const meshes = [];
  scene.traverse((object) => object.isMesh && meshes.push(object));
  return ({ clip, name, time }) => {
    if (clip !== null) {
      // FBXLoader orders clips by their ids in the file, and drops clips without curves.
      const animation = animations.find((animation) => animation.name === name);
      if (animation) play(scene, animation, time);
    }
    scene.updateMatrixWorld(true);
    return meshes.flatMap(vertices).map((point) => point.map((value) => value * metres));
  };
}

function play(scene, animation, time) {
  const mixer = new AnimationMixer(scene);
  const action = mixer.clipAction(animation);
  action.setLoop(LoopOnce).clampWhenFinished = true;
  action.play();
  mixer.setTime(time);
}

function vertices(mesh) {
  const point = new Vector3();
  return Array.from({ length: mesh.geometry.attributes.position.count }, (_, index) => {
    mesh.getVertexPosition(index, point).applyMatrix4(mesh.matrixWorld);
    return point.toArray();
  });
}

const version = `0.${REVISION}.0`;
const loaders = { ".fbx": loadFbx, ".obj": loadObj };
const load = loaders[extname(process.argv[2]).toLowerCase()];
await (load ? mainOfFormat("three.js", version, load) : main("three.js", version, loadGltf));
