// The half of browser.mjs that runs in the page: takes tasks, and reads vertices back from the shaders of an engine.
//
// Transform feedback records an output of the vertex shader while the engine draws. So the vertices are those
// of the engine's own shader, with the buffers and the uniforms that the engine bound for it.

const prototype = WebGL2RenderingContext.prototype;
const recording = new WeakSet();
const ages = new WeakMap();
let age = 0;

/** Makes all vertex shaders with this output record it. To be called before the engine links programs. */
export function record(output) {
  const link = prototype.linkProgram;
  prototype.linkProgram = function (program) {
    const vertexShader = this.getAttachedShaders(program)
      .find((shader) => this.getShaderParameter(shader, this.SHADER_TYPE) === this.VERTEX_SHADER);
    if (new RegExp(`\\bout\\b[^;]*\\b${output}\\s*;`).test(this.getShaderSource(vertexShader))) {
      this.transformFeedbackVaryings(program, [output], this.INTERLEAVED_ATTRIBS);
      recording.add(program);
    }
    link.call(this, program);
  };
  const create = prototype.createVertexArray;
  prototype.createVertexArray = function () {
    const vertexArray = create.call(this);
    ages.set(vertexArray, age++);
    return vertexArray;
  };
}

/**
 * Calls `draw` and returns the recorded numbers of each primitive of a mesh, `width` per vertex. `counts` are the numbers
 * of vertices.
 */
export async function capture(gl, counts, width, draw) {
  // By the age of the vertex array. Engines sort draw calls, but create the vertex arrays of a mesh in the order of
  // its primitives.
  const found = new Map();
  await replaceDrawing(gl, draw, counts.length, found, () => true);
  const order = [...found.keys()].sort((a, b) => a - b);
  const recorded = new Map();
  await replaceDrawing(gl, draw, counts.length, recorded, (age) => points(gl, counts[order.indexOf(age)], width));
  return order.map((age) => recorded.get(age));
}

const METHODS = ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"];

/** Calls `draw` until `results` has what `replacement` returned for each of `count` vertex arrays. */
async function replaceDrawing(gl, draw, count, results, replacement) {
  const call = () => {
    // Passes that draw only depth may do without the output.
    if (!recording.has(gl.getParameter(gl.CURRENT_PROGRAM))) return;
    const age = ages.get(gl.getParameter(gl.VERTEX_ARRAY_BINDING));
    results.set(age, replacement(age));
  };
  for (const method of METHODS) gl[method] = call;
  try {
    // An engine may skip a frame while the GPU is busy, or a primitive while its shader is being compiled.
    for (let attempt = 0; results.size < count && attempt < 200; attempt++) {
      if (attempt) await new Promise((resolve) => setTimeout(resolve, 10));
      draw();
    }
  } finally {
    for (const method of METHODS) delete gl[method];
  }
  if (results.size !== count) throw new Error(`the engine drew ${results.size} of ${count} primitives`);
}

/** Draws the bound vertices as points, once each, and returns what they recorded. */
function points(gl, count, width) {
  const buffer = gl.createBuffer();
  const feedback = gl.createTransformFeedback();
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, count * width * 4, gl.STREAM_READ);
  while (gl.getError() !== gl.NO_ERROR);
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  prototype.drawArrays.call(gl, gl.POINTS, 0, count);
  gl.endTransformFeedback();
  gl.disable(gl.RASTERIZER_DISCARD);
  const error = gl.getError();
  const data = new Float32Array(count * width);
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, data);
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
  gl.deleteTransformFeedback(feedback);
  gl.deleteBuffer(buffer);
  if (error !== gl.NO_ERROR) throw new Error(`WebGL error ${error} while recording vertices`);
  return data;
}

/** Adds a classic script, for engines that aren't modules. */
export function script(url) {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    Object.assign(element, { src: url, onload: resolve, onerror: () => reject(new Error(`can't load ${url}`)) });
    document.head.append(element);
  });
}

/** Answers tasks with `pose(bytes, task)` until the browser is closed. */
export async function answerTasks(pose) {
  for (;;) {
    const task = await (await fetch("/task")).json();
    const bytes = new Uint8Array(await (await fetch("/model")).arrayBuffer());
    let answer;
    try {
      answer = { vertices: await pose(bytes, task) };
    } catch (error) {
      answer = { error: String(error?.message ?? error) };
    }
    await fetch("/answer", { method: "POST", body: JSON.stringify(answer) });
  }
}
