//! Plays a glTF file in Bevy: bevy_engine FILE REQUEST.json
//!
//! Bevy loads, spawns and animates the file; only the arithmetic of its vertex shader is repeated here. Prints one JSON
//! object with the vertices of each requested pose, like the other programs in this folder.

mod origin;
mod shader;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bevy::animation::AnimationPlugin;
use bevy::asset::{AssetLoadError, AssetPath, LoadState};
use bevy::gltf::extensions::GltfExtensionHandlers;
use bevy::gltf::{Gltf, GltfPlugin};
use bevy::image::ImagePlugin;
use bevy::log::LogPlugin;
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::world_serialization::{WorldInstance, WorldInstanceSpawner, WorldSerializationPlugin};
use serde_json::{Value, json};

use origin::{FileNode, FilePrimitive, Origins};

/// The version in Cargo.toml; Bevy has no constant for it.
const VERSION: &str = "0.19.1";
const PATIENCE: Duration = Duration::from_secs(20);

/// The message of the last panic. Bevy catches panics of its loader and reports them without their message.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [file, request] = arguments.as_slice() else {
        eprintln!("usage: bevy_engine FILE REQUEST.json");
        return ExitCode::from(2);
    };
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        if let Ok(mut message) = PANIC.lock() {
            *message = format!("panic: {}", panic.payload_as_str().unwrap_or("without a message"));
        }
    }));
    // Some files make Bevy panic, which is a result, too.
    let result = catch_unwind(AssertUnwindSafe(|| poses(file, request)))
        .unwrap_or_else(|_| Err(last_panic()));
    let (poses, error) = match result {
        Ok(poses) => (poses, None),
        // Some messages are followed by a backtrace.
        Err(error) => (Vec::new(), Some(error.lines().next().unwrap_or_default().to_string())),
    };
    println!("{}", json!({"engine": "bevy", "version": VERSION, "error": error, "poses": poses}));
    ExitCode::SUCCESS
}

fn last_panic() -> String {
    PANIC.lock().map(|message| message.clone()).unwrap_or_default()
}

fn poses(file: &Path, request: &Path) -> Result<Vec<Value>, String> {
    let text = std::fs::read_to_string(request)
        .map_err(|error| format!("{}: {error}", request.display()))?;
    let request: Value =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", request.display()))?;
    let requests = request["poses"].as_array().ok_or("the request has no poses")?;

    let file = std::path::absolute(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Err(format!("{} is not a file", file.display()));
    };
    let mut app = app(folder);
    let gltf = load(&mut app, Path::new(name))?;

    let mut poses = Vec::new();
    for request in requests {
        let clip = request["clip"].as_u64().map(|clip| clip as usize);
        let time = request["time"].as_f64().unwrap_or(0.0) as f32;
        let scene = spawn(&mut app, &gltf)?;
        if let Some(clip) = clip {
            play(&mut app, &gltf, scene, clip, time)?;
        }
        // The first update notices the new graph and may be too early to apply it.
        app.update();
        app.update();
        let vertices: Vec<[f32; 3]> =
            scene_vertices(app.world(), scene)?.iter().map(Vec3::to_array).collect();
        poses.push(json!({"clip": clip, "time": request["time"], "vertices": vertices}));
        // The next pose gets a new copy.
        app.world_mut().despawn(scene);
    }
    Ok(poses)
}

/// Bevy without a window and a renderer, with files from a folder.
fn app(folder: &Path) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        LogPlugin::default(),
        TransformPlugin,
        AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..default() },
        WorldSerializationPlugin,
        ImagePlugin::default(),
        MeshPlugin,
        AnimationPlugin,
        GltfPlugin::default(),
    ));
    app.world()
        .resource::<GltfExtensionHandlers>()
        .0
        .write_blocking()
        .push(Box::new(Origins::default()));
    app.finish();
    app.cleanup();
    app
}

/// Updates until `ready` has a result.
fn wait<T>(
    app: &mut App,
    what: &str,
    ready: impl Fn(&World) -> Result<Option<T>, String>,
) -> Result<T, String> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        app.update();
        if let Some(result) = ready(app.world())? {
            return Ok(result);
        }
        // Files are read by other threads.
        std::thread::sleep(Duration::from_millis(1));
    }
    Err(format!("{what} took longer than {} s", PATIENCE.as_secs()))
}

fn load(app: &mut App, name: &Path) -> Result<Handle<Gltf>, String> {
    let gltf: Handle<Gltf> =
        app.world().resource::<AssetServer>().load(AssetPath::from(name.to_path_buf()));
    wait(app, "loading", |world| match world.resource::<AssetServer>().load_state(&gltf) {
        LoadState::Loaded => Ok(Some(())),
        LoadState::Failed(error) => Err(match &*error {
            AssetLoadError::AssetLoaderError(error) => error.error().to_string(),
            AssetLoadError::AssetLoaderPanic { .. } => last_panic(),
            error => error.to_string(),
        }),
        _ => Ok(None),
    })?;
    Ok(gltf)
}

fn asset<'a>(world: &'a World, gltf: &Handle<Gltf>) -> Result<&'a Gltf, String> {
    world.resource::<Assets<Gltf>>().get(gltf).ok_or_else(|| "the file was unloaded".into())
}

/// Spawns the default scene, or else the first one.
fn spawn(app: &mut App, gltf: &Handle<Gltf>) -> Result<Entity, String> {
    let file = asset(app.world(), gltf)?;
    let scene =
        file.default_scene.as_ref().or(file.scenes.first()).ok_or("the file has no scene")?.clone();
    let root = app.world_mut().spawn(WorldAssetRoot(scene)).id();
    wait(app, "spawning", |world| {
        let instance = world.get::<WorldInstance>(root);
        let spawner = world.resource::<WorldInstanceSpawner>();
        Ok(instance.filter(|instance| spawner.instance_is_ready(***instance)).map(|_| root))
    })
}

/// Holds a clip at a time.
fn play(
    app: &mut App,
    gltf: &Handle<Gltf>,
    scene: Entity,
    clip: usize,
    time: f32,
) -> Result<(), String> {
    let clips = &asset(app.world(), gltf)?.animations;
    let count = clips.len();
    let handle = clips.get(clip).ok_or_else(|| format!("no clip {clip}, only {count}"))?.clone();
    let (graph, node) = AnimationGraph::from_clip(handle);
    let graph = app.world_mut().resource_mut::<Assets<AnimationGraph>>().add(graph);
    // Each node at the top of the scene that any clip moves has a player.
    for entity in descendants(app.world(), scene) {
        let mut entity = app.world_mut().entity_mut(entity);
        if let Some(mut player) = entity.get_mut::<AnimationPlayer>() {
            player.play(node).seek_to(time).pause();
            entity.insert(AnimationGraphHandle(graph.clone()));
        }
    }
    Ok(())
}

fn descendants(world: &World, root: Entity) -> Vec<Entity> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&entity) = found.get(next) {
        found.extend(world.get::<Children>(entity).into_iter().flatten());
        next += 1;
    }
    found
}

/// The vertices of all meshes, by node and then by primitive.
fn scene_vertices(world: &World, scene: Entity) -> Result<Vec<Vec3>, String> {
    let mut primitives = Vec::new();
    for entity in descendants(world, scene) {
        if let Some(primitive) = world.get::<FilePrimitive>(entity) {
            let parent = world.get::<ChildOf>(entity).ok_or("a mesh has no parent")?.parent();
            let node = world.get::<FileNode>(parent).ok_or("a mesh has no node")?;
            primitives.push((node.0, primitive.index, entity));
        }
    }
    primitives.sort();
    let mut vertices = Vec::new();
    for (_, _, entity) in primitives {
        vertices.extend(shader::vertices(world, entity)?);
    }
    Ok(vertices)
}
