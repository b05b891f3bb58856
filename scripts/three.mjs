// Renders frames of the first clip of a file with three.js in Chromium, in software: node scripts/three.mjs FILE.glb NUMBER
// Run by peers.sh, which fetches three.js and the Chromium driver; they aren't part of this project.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { createRequire } from "node:module";

const [file, number] = [process.argv[2], Number(process.argv[3])];
const modules = path.resolve("target/three/node_modules");
const puppeteer = createRequire(`${modules}/`)("puppeteer-core");
const CHROMIUM = process.env.CHROMIUM || ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) => fs.existsSync(file));

const PAGE = `<!doctype html><script type="importmap">{"imports": {"three": "/three/build/three.module.js"}}</script><script type="module">
import * as THREE from "three";
import { GLTFLoader } from "/three/examples/jsm/loaders/GLTFLoader.js";
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(1000, 600);
const { scene: model, animations } = await new GLTFLoader().loadAsync("/model.glb");
const scene = new THREE.Scene();
scene.add(model, new THREE.HemisphereLight(0xffffff, 0x444444, 3));
const sphere = new THREE.Box3().setFromObject(model).getBoundingSphere(new THREE.Sphere());
const camera = new THREE.PerspectiveCamera(30, 1000 / 600, sphere.radius / 100, sphere.radius * 100);
camera.position.copy(sphere.center).add(new THREE.Vector3(1, 0.6, 1).setLength(sphere.radius * 4));
camera.lookAt(sphere.center);
const mixer = new THREE.AnimationMixer(model);
const [clip] = animations;
if (clip) mixer.clipAction(clip).play();
const gl = renderer.getContext();
for (let frame = 0; frame < ${number}; frame++) {
    if (clip) mixer.setTime(clip.duration * frame / ${number});
    renderer.render(scene, camera);
    // Reading the pixels forces the image to be completed.
    gl.readPixels(0, 0, 1000, 600, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(1000 * 600 * 4));
}
window.drawn = renderer.info.render.triangles;
</script>`;

const server = http.createServer((request, response) => {
    if (request.url === "/") return response.setHeader("Content-Type", "text/html").end(PAGE);
    const from = request.url === "/model.glb" ? file : path.join(modules, path.normalize(request.url));
    fs.readFile(from, (error, bytes) => {
        if (error) return response.writeHead(404).end();
        response.setHeader("Content-Type", from.endsWith(".js") ? "text/javascript" : "application/octet-stream").end(bytes);
    });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await puppeteer.launch({
    executablePath: CHROMIUM, headless: true, protocolTimeout: 600_000,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-gpu-watchdog"],
});
const page = await browser.newPage();
page.on("console", (message) => console.error(message.text()));
page.on("pageerror", (error) => console.error(String(error)));
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.waitForFunction("window.drawn", { timeout: 300_000 });
console.log(`${await page.evaluate("window.drawn")} triangles a frame`);
await browser.close();
server.close();
