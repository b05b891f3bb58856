// For engines that need a browser: opens a page of this folder in headless Chromium, and passes it one pose at a time.
//
// The page fetches /task (the request and the primitives of the file) and /model (the bytes of the file), and posts
// its vertices to /answer; see page.mjs. A small server is all this needs, so there is no driver for the browser.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { meshNodes } from "./gltf.mjs";

const HERE = import.meta.dirname;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json",
  ".wasm": "application/wasm" };
const TIMEOUT = 30_000;

/** The version of an installed package. */
export function installed(name) {
  return JSON.parse(readFileSync(join(HERE, "node_modules", name, "package.json"))).version;
}

/** The primitives of the file in the order of the answer: node, index among the primitives of the node, vertices. */
function primitives(json) {
  return meshNodes(json).flatMap((node) => json.meshes[json.nodes[node].mesh].primitives.map((primitive, index) =>
    ({ node, index, count: json.accessors[primitive.attributes.POSITION].count })));
}

/** A `load` for `main` that lets a page compute the poses. */
export function inBrowser(page) {
  let post;
  return async (file) => {
    post ??= await open(page);
    return async (request) => {
      try {
        return await post(file, { request, glb: file.extension === ".glb", primitives: primitives(file.json) });
      } catch (error) {
        // The browser may hang, or have ended.
        post.close();
        post = null;
        throw error;
      }
    };
  };
}

async function open(page) {
  let task, waiting, settle, failure;
  // The page may ask for a task before there is one.
  const sendTask = () => {
    if (!task || !waiting) return;
    waiting.end(JSON.stringify(task.message));
    waiting = null;
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (path === "/") {
      response.setHeader("Content-Type", "text/html");
      response.end(`<!doctype html><meta charset="utf-8"><script type="module" src="/${page}"></script>`);
    } else if (path === "/task") {
      waiting = response;
      sendTask();
    } else if (path === "/model") {
      response.end(task.bytes);
    } else if (path === "/answer") {
      const parts = [];
      for await (const part of request) parts.push(part);
      response.end();
      task = null;
      settle(JSON.parse(Buffer.concat(parts)));
    } else {
      try {
        const data = readFileSync(join(HERE, normalize(path)));
        response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
        response.end(data);
      } catch {
        response.writeHead(404).end();
      }
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));

  const profile = mkdtempSync(join(tmpdir(), "rigscope-engine-"));
  const browser = spawn(process.env.CHROMIUM ?? "chromium", [
    "--headless=new", "--no-sandbox", "--no-first-run", "--disable-dev-shm-usage", "--disable-extensions",
    // Shaders in software give the same result on every machine.
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--enable-logging=stderr", `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`,
  ], { stdio: ["ignore", "ignore", process.env.DEBUG ? "inherit" : "ignore"], detached: true });
  const fail = (text) => {
    failure = { error: text };
    settle?.(failure);
  };
  browser.on("error", ({ message }) => fail(`${message} (CHROMIUM names the browser)`));
  browser.on("exit", () => fail("the browser ended"));
  const close = () => {
    server.close();
    // The browser runs several processes, which are one group.
    try {
      if (browser.pid) process.kill(-browser.pid, "SIGKILL");
    } catch {} // It has ended.
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  process.on("exit", close);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

  const send = async ({ bytes }, message) => {
    const answer = failure ?? await new Promise((resolve) => {
      settle = resolve;
      setTimeout(resolve, TIMEOUT, { error: "the browser did not answer" }).unref();
      task = { message, bytes };
      sendTask();
    });
    if (answer.error) throw new Error(answer.error);
    return answer.vertices;
  };
  return Object.assign(send, { close });
}
