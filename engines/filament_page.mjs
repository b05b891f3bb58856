// The part of filament.mjs that runs in the browser.
//
// `vertex_worldPosition` is the position after morph targets, skinning and the transform of the node, relative to the
// camera, which stays at the origin. gltfio keeps the axes of glTF. See `skinPosition` and `morphPosition` in getters.vs
// of the material generator.
//
// A vertex without weights makes the shader loop billions of times if its fourth joint is less than 3. Then browser.mjs
// reports that the browser did not answer.

import { answerTasks, capture, record, script } from "./page.mjs";

record("vertex_worldPosition");
await script("/node_modules/filament/filament.js");
await new Promise((done) => window.Filament.init([], done));
const { Filament } = window;

const canvas = document.createElement("canvas");
canvas.width = canvas.height = 16;
document.body.append(canvas);
const engine = Filament.Engine.create(canvas);
const gl = canvas.getContext("webgl2");
const loader = engine.createAssetLoader();
const renderer = engine.createRenderer();
const swapChain = engine.createSwapChain();
const scene = engine.createScene();
const view = engine.createView();
const camera = engine.createCamera(Filament.EntityManager.get().create());
camera.setProjection(Filament.Camera$Projection.ORTHO, -1, 1, -1, 1, -1, 1);
view.setCamera(camera);
view.setScene(scene);
view.setViewport([0, 0, 16, 16]);
// Without post-processing, the only draw calls are those of the scene.
view.setPostProcessingEnabled(false);

/** The recorded vertices of all primitives of an entity, in order. */
async function draw(entity, counts) {
  const renderables = engine.getRenderableManager();
  const instance = renderables.getInstance(entity);
  // Culling would hide entities outside the view.
  renderables.setAxisAlignedBoundingBox(instance, { center: [0, 0, 0], halfExtent: [1e9, 1e9, 1e9] });
  instance.delete();
  scene.addEntity(entity);
  try {
    return await capture(gl, counts, 4, () => renderer.render(swapChain, view));
  } finally {
    scene.remove(entity);
  }
}

await answerTasks(async (bytes, { request, primitives }) => {
  const asset = loader.createAsset(bytes);
  if (!asset) throw new Error("the loader returned no asset");
  await new Promise((done) => asset.loadResources(done));
  const animator = asset.getInstance().getAnimator();
  if (request.clip !== null) {
    // Clips wrap around, even at their exact end. To stop there means to stay just below.
    const end = Math.fround(animator.getAnimationDuration(request.clip)) * (1 - 2 ** -23);
    animator.applyAnimation(request.clip, Math.min(request.time, end));
  }
  animator.updateBoneMatrices();

  const nodeOf = (entity) => JSON.parse(asset.getExtras(entity) || "{}").index;
  const entities = new Map(asset.getEntities().map((entity) => [nodeOf(entity), entity]));
  const vertices = [];
  for (const node of new Set(primitives.map(({ node }) => node))) {
    const counts = primitives.filter((primitive) => primitive.node === node).map(({ count }) => count);
    for (const data of await draw(entities.get(node), counts)) {
      for (let at = 0; at < data.length; at += 4) vertices.push([...data.subarray(at, at + 3)]);
    }
  }
  loader.destroyAsset(asset);
  return vertices;
});
