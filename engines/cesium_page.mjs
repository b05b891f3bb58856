// The part of cesium.mjs that runs in the browser.
//
// `v_positionMC` is the position after morph targets and skinning, relative to the node of the mesh; see
// ModelVS.glsl, MorphTargetsStageVS.glsl, SkinningStageVS.glsl and GeometryStageVS.glsl. The matrix of the
// draw command is the model matrix, the correction of the axes from glTF's to Cesium's, and the transform of the
// node. Multiplied by the inverse of the first two, it leads to the coordinates of the file.

import { answerTasks, capture, record, script } from "./page.mjs";

const BUILD = "/node_modules/cesium/Build/Cesium/";
window.CESIUM_BASE_URL = BUILD;
record("v_positionMC");
await script(BUILD + "Cesium.js");
const { Cartesian3, JulianDate, Matrix4, Model, Scene } = window.Cesium;

const canvas = document.createElement("canvas");
canvas.width = canvas.height = 16;
document.body.append(canvas);
const scene = new Scene({ canvas, scene3DOnly: true });
scene.rethrowRenderErrors = true;
const start = JulianDate.fromIso8601("2020-01-01T00:00:00Z");

function render(seconds) {
  scene.initializeFrame();
  scene.render(JulianDate.addSeconds(start, seconds, new JulianDate()));
}

async function load(bytes, glb) {
  const url = URL.createObjectURL(new Blob([bytes], { type: glb ? "model/gltf-binary" : "model/gltf+json" }));
  // The culling of the engine would hide models that move out of their bounds.
  const model = await Model.fromGltfAsync({ url, cull: false, incrementallyLoadTextures: false }).catch((error) => {
    // The lines before the last name the temporary address of the file.
    throw new Error(error.message.trim().split("\n").at(-1));
  });
  scene.primitives.add(model);
  while (!model.ready) {
    render(0);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return model;
}

await answerTasks(async (bytes, { request, glb, primitives }) => {
  scene.primitives.removeAll();
  const model = await load(bytes, glb);
  if (request.clip !== null) {
    // The clock starts where the clip does, so the end shows at all later times.
    model.activeAnimations.add({ index: request.clip, startTime: start });
    render(0);
    render(request.time);
  }
  render(request.time);

  // The public interface finds nodes only by name.
  const graph = model.sceneGraph;
  const toFile = Matrix4.inverse(graph.computedModelMatrix, new Matrix4());
  const vertices = [];
  for (const { node, index, count } of primitives) {
    const { command } = graph._runtimeNodes[node].runtimePrimitives[index].drawCommand;
    const [data] = await capture(scene.context._gl, [count], 3, () => scene.context.draw(command));
    const matrix = Matrix4.multiply(toFile, command.modelMatrix, new Matrix4());
    for (let vertex = 0; vertex < count; vertex++) {
      const { x, y, z } = Matrix4.multiplyByPoint(matrix, Cartesian3.unpack(data, vertex * 3), new Cartesian3());
      vertices.push([x, y, z]);
    }
  }
  return vertices;
});
