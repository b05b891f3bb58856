//! `info`: what is in a file.

use std::path::{Path, PathBuf};

use super::exit::{Exit, at_path};
use super::input::{Document, Input};
use super::kept::Kept;
use super::output::Output;
use super::{InfoArgs, info_text, json, listed, many, timings};
use crate::files::{FileSource, guarded};
use crate::model::{AlphaMode, Handedness, LooseKind, MaterialLook, Mesh, Model, UpAxis, stats};
use crate::pose::{PoseSpec, posed_bounds};

/// Reads all files and reports each; one that cannot be read keeps no other back.
pub(super) fn run(args: &InfoArgs, output: &Output) -> anyhow::Result<Exit> {
    let mut input = Input::new(&args.input)?;
    if !args.json && !args.many.jsonl {
        // The text has the sizes of images.
        input = input.with_images();
    }
    let listed = args.many.files_from.as_deref().map(listed::open).transpose()?;
    let num_files = listed.is_none().then_some(args.files.len());
    let paths = args.files.iter().cloned().map(Ok).chain(listed.into_iter().flatten());
    match args.many.jsonl {
        true => lines(args, input, paths, num_files, output),
        false if args.many.cache.is_some() => anyhow::bail!("--cache of info needs --jsonl"),
        false => whole(args, &input, paths, num_files, output),
    }
}

fn whole(
    args: &InfoArgs,
    input: &Input,
    paths: impl Iterator<Item = anyhow::Result<PathBuf>>,
    num_files: Option<usize>,
    output: &Output,
) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut infos = Vec::new();
    let mut between = "";
    for path in paths {
        let path = &path?;
        let document = match input.open(path, &timings::report()) {
            Ok(document) => document,
            Err(error) => {
                output.error(&at_path(error, path).to_string());
                exit = Exit::BadInput;
                continue;
            }
        };
        timings::at("counting");
        let info = of_document(&path.to_string_lossy(), &document);
        if args.json {
            infos.push(info);
            continue;
        }
        let text = info_text::of(&info, &document.model, output.paint());
        output.print_text(format!("{between}{text}"))?;
        between = "\n";
    }
    timings::at("printing");
    if args.json {
        match (infos.as_slice(), num_files) {
            ([info], Some(1)) => output.print_json(info)?,
            ([], Some(1)) => {}
            (infos, _) => output.print_json(&infos)?,
        }
    }
    Ok(exit)
}

/// A line a file, on all cores.
fn lines(
    args: &InfoArgs,
    input: Input,
    paths: impl Iterator<Item = anyhow::Result<PathBuf>>,
    num_files: Option<usize>,
    output: &Output,
) -> anyhow::Result<Exit> {
    let kept = Kept::new(input, args.many.cache.as_deref(), output)?;
    let work = |path: &Path| {
        let report = timings::report();
        let make = |input: &Input, file: &FileSource| {
            let document = guarded("reading", || input.read(file, &report));
            let document = document.map_err(|fault| fault.to_string())?;
            let document = document.map_err(|error| error.to_string())?;
            serde_json::to_string(&of_document("", &document)).map_err(|error| error.to_string())
        };
        let read = |text: &str| Some(Ok(text.to_owned()));
        let write = |line: &Result<String, String>| line.as_ref().ok().cloned();
        let line = kept.of(path, "info", &report, make, read, write);
        line.unwrap_or_else(|error| Err(error.to_string()))
    };
    let mut exit = Exit::Done;
    let done = |path: PathBuf, line: Result<String, String>| {
        let file = path.to_string_lossy().into_owned();
        match line {
            // What is kept is about bytes, wherever they lie: the name is the first that is empty.
            Ok(line) => {
                let named = format!("\"file\":{}", serde_json::to_string(&file)?);
                output.print_line_of_json(line.replacen("\"file\":\"\"", &named, 1))
            }
            Err(error) => {
                exit = Exit::BadInput;
                output.error(&at_path(&error, &path).to_string());
                output.print_json_line(&json::Unread { schema: "rigscope.unread/1", file, error })
            }
        }
    };
    many::each(paths, num_files, output, work, done)?;
    Ok(exit)
}

fn of_document(file: &str, document: &Document) -> json::Info {
    let model = &document.model;
    json::Info {
        schema: "rigscope.info/1",
        file: file.to_owned(),
        format: document.format.info().id,
        bytes: document.num_bytes,
        totals: totals(model),
        meshes: model.meshes.iter().map(mesh).collect(),
        noun: model.bone_noun(),
        materials: materials(model),
        bones: bones(model),
        clips: model.clips.iter().map(clip).collect(),
        value_tracks: (model.value_tracks.iter())
            .map(|track| json::ValueTrack {
                name: track.name.clone(),
                kind: track.kind.as_str(),
                keys: track.ratios.len(),
            })
            .collect(),
        hulls: hulls(model),
        occluder: model.occluder.as_ref().map(|occluder| json::Occluder {
            vertices: occluder.positions.len(),
            triangles: occluder.indices.len() / 3,
        }),
        bounds: json::Bounds::of(&posed_bounds(model, &PoseSpec::default())),
        axes: json::Axes {
            up: match model.axes.up {
                UpAxis::Y => "y",
                UpAxis::Z => "z",
            },
            handedness: match model.axes.handedness {
                Handedness::Right => "right",
                Handedness::Left => "left",
            },
        },
        unit_meters: model.axes.unit_meters,
        details: json::Details(model.details.clone()),
        companions: (document.companions.iter()).map(json::Companion::from).collect(),
        notes: document.notes.iter().map(json::NoteEntry::from).collect(),
    }
}

fn totals(model: &Model) -> json::Totals {
    json::Totals {
        vertices: model.num_vertices(),
        triangles: model.num_triangles(),
        lines: model.num_loose(LooseKind::Lines),
        points: model.num_loose(LooseKind::Points),
        subsets: model.num_subsets(),
        bones: model.skeleton.len(),
        clips: model.clips.len(),
        hulls: model.hulls.len(),
        morph_targets: model.meshes.iter().map(|m| m.morph_targets.len()).sum(),
    }
}

fn mesh(mesh: &Mesh) -> json::Mesh {
    let histogram = stats::influence_histogram(mesh);
    json::Mesh {
        name: mesh.name.clone(),
        vertices: mesh.num_vertices(),
        triangles: mesh.num_triangles(),
        max_influences: histogram.len().saturating_sub(1),
        influences: histogram
            .into_iter()
            .enumerate()
            .filter(|&(_, num_vertices)| num_vertices > 0)
            .collect(),
        subsets: mesh
            .subsets
            .iter()
            .map(|subset| json::Subset {
                material: subset.material.map(|material| material.index()),
                first_index: subset.first_index,
                index_count: subset.index_count,
            })
            .collect(),
        loose: mesh
            .loose
            .iter()
            .map(|loose| json::Loose {
                kind: loose.kind.name(),
                count: loose.len(),
                material: loose.material.map(|material| material.index()),
            })
            .collect(),
    }
}

fn materials(model: &Model) -> Vec<json::Material> {
    let materials = model.materials.iter().map(|material| json::Material {
        name: material.name.clone(),
        textures: material
            .textures
            .iter()
            .map(|texture| model.texture_name(texture).to_owned())
            .collect(),
        roles: material.textures.iter().map(|texture| texture.role.info().name).collect(),
        look: material.look.as_deref().map(look),
        approximated: material.approximated.texts().collect(),
    });
    materials.collect()
}

fn look(look: &MaterialLook) -> json::Look {
    let (alpha, alpha_cutoff) = match look.alpha {
        AlphaMode::Opaque => ("opaque", None),
        AlphaMode::Mask(cutoff) => ("mask", Some(cutoff)),
        AlphaMode::Blend => ("blend", None),
    };
    json::Look {
        base_color: look.base_color.to_array(),
        alpha,
        alpha_cutoff,
        two_sided: look.is_two_sided,
        unlit: look.is_unlit,
        depth_only: look.is_depth_only,
        metallic: look.metallic,
        roughness: look.roughness,
        emissive: look.emissive.to_array(),
        normal_scale: look.normal_scale,
        occlusion_strength: look.occlusion_strength,
        ior: look.ior,
        specular: look.specular,
        specular_color: look.specular_color.to_array(),
        clearcoat: look.clearcoat,
        clearcoat_roughness: look.clearcoat_roughness,
        sheen_color: look.sheen_color.to_array(),
        sheen_roughness: look.sheen_roughness,
        transmission: look.transmission,
        draw_order: look.draw.and_then(|draw| draw.order),
        depth_test: look.draw.map(|draw| draw.tests_depth),
        depth_write: look.draw.map(|draw| draw.writes_depth),
    }
}

fn bones(model: &Model) -> Vec<json::Bone> {
    let bones = model.skeleton.bones().iter().map(|bone| json::Bone {
        name: bone.name.clone(),
        parent: bone.parent.map(|parent| parent.index()),
    });
    bones.collect()
}

fn clip(clip: &crate::model::Clip) -> json::Clip {
    let (keys, interval_secs) = clip.uniform_keys().unzip();
    json::Clip {
        name: clip.name.clone(),
        start_secs: clip.start_secs,
        duration_secs: clip.duration_secs,
        keys,
        interval_secs,
    }
}

fn hulls(model: &Model) -> Vec<json::Hull> {
    let hulls = model.hulls.iter().map(|hull| json::Hull { vertices: hull.points.len() });
    hulls.collect()
}
