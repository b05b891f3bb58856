// Opens an OBJ file in Babylon.js: node babylon_obj.mjs FILE REQUEST.json
//
// The loader mirrors X into a left-handed scene; mirroring it again brings the vertices back.

import "./gltf.mjs";
import { mainOfFormat } from "./formats.mjs";
import "@babylonjs/loaders/OBJ/objFileLoader.js";
import { Engine } from "@babylonjs/core/Engines/engine.js";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { Scene } from "@babylonjs/core/scene.js";

async function load(bytes) {
  const scene = new Scene(new NullEngine());
  const source = "data:" + new TextDecoder().decode(bytes);
  const { meshes } = await ImportMeshAsync(source, scene, {
    pluginExtension: ".obj",
    pluginOptions: { obj: { skipMaterials: true } },
  });
  return () => meshes.flatMap(vertices);
}

function vertices(mesh) {
  // In single precision, as the engine uploads them.
  const data = new Float32Array(mesh.getPositionData() ?? []);
  const world = mesh.computeWorldMatrix(true);
  return Array.from({ length: data.length / 3 }, (_, index) => {
    const { x, y, z } = Vector3.TransformCoordinates(Vector3.FromArray(data, index * 3), world);
    return [-x, y, z];
  });
}

await mainOfFormat("Babylon.js", Engine.Version, load);
