// Plays a glTF, FBX or OBJ file in three.js: node three.mjs FILE REQUEST.json
//
// Morphs and skinning are those of `getVertexPosition`, which three.js uses for picking and bounds.

import { main, meshNodes } from "./gltf.mjs";
import { mainOfFormat } from "./formats.mjs";
import { extname } from "node:path";
import { AnimationMixer, LoopOnce, Matrix3, Matrix4, Mesh, REVISION, Texture, TextureLoader, Vector3, Vector4 } from "three";
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

  // The loader keeps the objects of nodes, also of those in other scenes.
  const objects = new Map();
  for (const node of meshNodes(json)) objects.set(node, await gltf.parser.getDependency("node", node));

  return ({ clip, time }) => {
    if (clip !== null) play(gltf.scene, gltf.animations[clip], time);
    gltf.scene.updateMatrixWorld(true);
    return meshNodes(json).flatMap((node) => {
      const object = objects.get(node);
      // A mesh of several primitives is a group, among whose children are those of the node.
      const parts = object.children.filter((child) => child.geometry && ![...objects.values()].includes(child));
      return (object.geometry ? [object] : parts).flatMap(vertices);
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
  if (mesh.isInstancedMesh) {
    const own = new Matrix4();
    return Array.from({ length: mesh.count }, (_, at) => {
      mesh.getMatrixAt(at, own);
      return verticesAt(mesh, own.premultiply(mesh.matrixWorld));
    }).flat();
  }
  return verticesAt(mesh, mesh.matrixWorld);
}

function verticesAt(mesh, matrix) {
  const point = new Vector3();
  const normalOf = normals(mesh, matrix);
  return Array.from({ length: mesh.geometry.attributes.position.count }, (_, index) => {
    // Points and lines have no such function. Their shaders morph, but don't skin.
    const get = mesh.isMesh ? mesh.getVertexPosition : Mesh.prototype.getVertexPosition;
    get.call(mesh, index, point).applyMatrix4(matrix);
    return [...point.toArray(), ...normalOf(index)];
  });
}

/** The arithmetic of the shader chunks morphnormal_vertex, skinnormal_vertex and defaultnormal_vertex. */
function normals(mesh, matrix) {
  const { attributes, morphAttributes } = mesh.geometry;
  if (!attributes.normal) return () => [];
  const normalMatrix = new Matrix3().getNormalMatrix(matrix);
  const targets = morphAttributes.normal ?? [];
  const [normal, offset, skinned, bone] = [new Vector3(), new Vector3(), new Matrix4(), new Matrix4()];
  const [joints, weights] = [new Vector4(), new Vector4()];
  return (index) => {
    normal.fromBufferAttribute(attributes.normal, index);
    targets.forEach((target, at) => {
      normal.addScaledVector(offset.fromBufferAttribute(target, index), mesh.morphTargetInfluences[at]);
    });
    if (mesh.isSkinnedMesh) {
      joints.fromBufferAttribute(attributes.skinIndex, index);
      weights.fromBufferAttribute(attributes.skinWeight, index);
      skinned.elements.fill(0);
      for (let slot = 0; slot < 4; slot++) {
        const joint = joints.getComponent(slot);
        if (!mesh.skeleton.bones[joint]) continue;
        bone.multiplyMatrices(mesh.skeleton.bones[joint].matrixWorld, mesh.skeleton.boneInverses[joint]);
        bone.elements.forEach((value, at) => (skinned.elements[at] += value * weights.getComponent(slot)));
      }
      skinned.multiply(mesh.bindMatrix).premultiply(mesh.bindMatrixInverse);
      const [a, b, c, , d, e, f, , g, h, i] = skinned.elements;
      normal.applyMatrix3(new Matrix3(a, d, g, b, e, h, c, f, i));
    }
    return normal.applyMatrix3(normalMatrix).normalize().toArray();
  };
}

const version = `0.${REVISION}.0`;
const loaders = { ".fbx": loadFbx, ".obj": loadObj };
const load = loaders[extname(process.argv[2]).toLowerCase()];
await (load ? mainOfFormat("three.js", version, load) : main("three.js", version, loadGltf));
