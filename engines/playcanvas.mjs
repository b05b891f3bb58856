// Plays a glTF file in PlayCanvas: node playcanvas.mjs FILE REQUEST.json
//
// PlayCanvas skins and morphs only in shaders. This program repeats their arithmetic with the data that the engine
// uploads: the matrix palette of the skin instance, the weights of the morph instance and the
// vertex buffer. See `skinVS`, `transformCoreVS` and `morphPS` in its shader chunks.

import { main, meshNodes } from "./gltf.mjs";
import * as pc from "playcanvas";

function createApp() {
  const options = new pc.AppOptions();
  options.graphicsDevice = new pc.NullGraphicsDevice({ width: 1, height: 1, addEventListener() {} });
  options.componentSystems = [pc.RenderComponentSystem, pc.AnimComponentSystem];
  options.resourceHandlers = [pc.ContainerHandler];
  const app = new pc.AppBase({});
  app.init(options);
  return app;
}

const app = createApp();

// Targets keep their positions, but drop their normals after uploading them.
const stored = new WeakMap();
const postInit = pc.MorphTarget.prototype._postInit;
pc.MorphTarget.prototype._postInit = function () {
  stored.set(this, this.options);
  postInit.call(this);
};

function loadContainer({ name, bytes }) {
  const file = { url: name, filename: name, contents: bytes.buffer };
  // Node has no decoder for images, and poses don't depend on them.
  // Materials refer to textures through the registry.
  const noImage = (_, done) => {
    const asset = new pc.Asset("image", "texture", { url: "" });
    asset.resource = new pc.Texture(app.graphicsDevice, { width: 1, height: 1 });
    asset.loaded = true;
    app.assets.add(asset);
    done(null, asset);
  };
  const asset = new pc.Asset(name, "container", file, null, { image: { processAsync: noImage } });
  app.assets.add(asset);
  return new Promise((resolve, reject) => {
    asset.once("load", () => resolve(asset.resource));
    asset.once("error", (error) => reject(new Error(error)));
    app.assets.load(asset);
  });
}

async function load(file) {
  const container = await loadContainer(file);
  const root = container.instantiateRenderEntity();
  app.root.addChild(root);

  // The hierarchy is a copy of the loaded nodes, in the same order.
  const entities = new Map();
  const pair = (node, entity) => {
    entities.set(container.data.nodes.indexOf(node), entity);
    node.children.forEach((child, index) => pair(child, entity.children[index]));
  };
  // Several scenes become children of one entity.
  const { scenes } = container.data;
  if (scenes.length === 1) pair(scenes[0], root);
  else scenes.forEach((scene, index) => pair(scene, root.children[index]));

  return ({ clip, time }) => {
    if (clip !== null) {
      root.addComponent("anim", { activate: true });
      root.anim.assignAnimation("clip", container.animations[clip].resource, undefined, 1, false);
      // The first update enters the state of the clip.
      root.anim.update(0);
      root.anim.baseLayer.activeStateCurrentTime = time;
      root.anim.update(0);
    }
    // Before drawing a frame, the engine does this for all mesh instances of a layer, in order.
    const { meshInstances } = app.scene.layers.getLayerById(pc.LAYERID_WORLD);
    app.renderer.updateCpuSkinMatrices(meshInstances);
    app.renderer.updateGpuSkinMatrices(meshInstances);
    const answer = meshNodes(file.json).flatMap((node) => entities.get(node).render.meshInstances.flatMap(vertices));
    root.destroy();
    return answer;
  };
}

const LARGEST = { [pc.TYPE_INT8]: 127, [pc.TYPE_UINT8]: 255, [pc.TYPE_INT16]: 32767, [pc.TYPE_UINT16]: 65535 };

/** An attribute as the shader sees it: integers converted to floats, normalized ones divided. */
function attribute(buffer, semantic) {
  const element = buffer.format.elements.find((element) => element.name === semantic);
  // Attributes that a mesh lacks have this value in WebGL.
  if (!element) return Array.from({ length: buffer.numVertices }, () => [0, 0, 0, 1]);
  const scale = element.normalize ? LARGEST[element.dataType] ?? 1 : 1;
  const Type = pc.typedArrayTypes[element.dataType];
  return Array.from({ length: buffer.numVertices }, (_, vertex) =>
    Array.from(new Type(buffer.lock(), element.offset + vertex * element.stride, element.numComponents),
      (value) => Math.max(value / scale, element.normalize ? -1 : -Infinity)));
}

/** Rounds to half floats, the format of the textures of morph targets and of their sum. */
function half(value) {
  if (Math.abs(value) < 2 ** -25) return 0;
  const step = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(value))), -14) - 10);
  const parts = value / step;
  const whole = Math.floor(parts);
  // Ties go to the even one, as in most hardware.
  if (parts - whole === 0.5) return (whole + (whole & 1)) * step;
  return Math.round(parts) * step;
}

function morphed(instance, name, values) {
  const targets = instance.morph.targets
    .map((target, index) => ({ deltas: (target[name] ?? stored.get(target)?.[name]), weight: instance.getWeight(index) }))
    .filter(({ deltas, weight }) => deltas && Math.abs(weight) > 1e-5);
  return values.map((vector, vertex) => vector.map((value, axis) =>
    value + half(targets.reduce((sum, { deltas, weight }) =>
      // Shaders compute in single precision.
      Math.fround(sum + Math.fround(Math.fround(weight) * half(deltas[vertex * 3 + axis]))), 0))));
}

/** Vectors with `last` as their fourth component, moved by the palette. */
function skinned(palette, buffer, vectors, last) {
  const joints = attribute(buffer, pc.SEMANTIC_BLENDINDICES);
  const weights = attribute(buffer, pc.SEMANTIC_BLENDWEIGHT);
  return vectors.map(([x, y, z], vertex) => {
    const row = (axis) => joints[vertex].reduce((sum, joint, slot) => {
      // Texels outside a texture are zero.
      const [a = 0, b = 0, c = 0, d = 0] = palette.subarray(joint * 12 + axis * 4);
      return sum + weights[vertex][slot] * (a * x + b * y + c * z + d * last);
    }, 0);
    // The fourth component is the sum of the weights; the hardware divides by it.
    return [row(0), row(1), row(2), weights[vertex].reduce((sum, weight) => sum + weight, 0)];
  });
}

function vertices(instance) {
  const buffer = instance.instancingData?.vertexBuffer;
  if (!buffer) return verticesAt(instance, instance.node.getWorldTransform());
  const matrices = new Float32Array(buffer.lock());
  return Array.from({ length: buffer.numVertices }, (_, at) => {
    const own = new pc.Mat4().set([...matrices.subarray(at * 16, at * 16 + 16)]);
    return verticesAt(instance, new pc.Mat4().mul2(instance.node.getWorldTransform(), own));
  }).flat();
}

function verticesAt({ mesh, skinInstance, morphInstance }, world) {
  const { vertexBuffer } = mesh;
  let positions = attribute(vertexBuffer, pc.SEMANTIC_POSITION);
  let normals = attribute(vertexBuffer, pc.SEMANTIC_NORMAL);
  if (morphInstance) {
    positions = morphed(morphInstance, "deltaPositions", positions);
    normals = morphed(morphInstance, "deltaNormals", normals);
  }
  if (skinInstance) {
    positions = skinned(skinInstance.matrixPalette, vertexBuffer, positions, 1);
    normals = skinned(skinInstance.matrixPalette, vertexBuffer, normals, 0);
  }
  // `getNormalMatrix` in normalCore.js.
  const turn = skinInstance ? null : new pc.Mat3().invertMat4(world).transpose();
  return positions.map(([x, y, z, w = 1], vertex) => {
    const point = world.transformVec4(new pc.Vec4(x, y, z, w));
    const normal = new pc.Vec3(...normals[vertex].slice(0, 3));
    const turned = (turn ? turn.transformVector(normal) : world.transformVector(normal)).normalize();
    return [point.x / point.w, point.y / point.w, point.z / point.w, turned.x, turned.y, turned.z];
  });
}

await main("PlayCanvas", pc.version, load);
