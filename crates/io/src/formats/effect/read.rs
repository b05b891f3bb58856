//! Reads an effect: its meshes, each a separate file, then the materials.

use super::config::{Config, parse};
use super::effect_mesh::EffectMesh;
use super::fault::{malformed, over_limit, unsupported};
use super::join::join;
use super::materials::apply_materials;
use crate::formats::bsm2::BSM2;
use crate::formats::file_names::safe_name;
use crate::formats::{Absence, ReadError, ReadOptions, Source, last_part, leads_outside};
use rigscope_core::model::{
    CompanionFile, CompanionRole, Detail, Element, FindingKind, Model, Place, Report, Span,
};

/// Reads an effect and all files that it refers to.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    report.progress("reading", 0.1)?;
    let bytes = source.whole()?;
    report.span(Span::new(Element::Json, 0, bytes.len(), 1));
    let config = parse(&bytes, report)?;
    report.close_spans();
    let provenance = report.take_provenance();
    let num_built_in = config.num_built_in;
    report.note_many(FindingKind::BuiltInMesh, Place::File, num_built_in as u64, || {
        format!("{num_built_in} of the effect's meshes are made by the SDK")
    });
    let parts = meshes(&config, source, options, report)?;
    let num_meshes = parts.len();
    if parts.is_empty() {
        return Err(match config.meshes.len() {
            0 => unsupported("meshes", "the effect refers to no mesh file"),
            num => malformed(
                "meshes",
                Place::File,
                format!("none of the {num} meshes that the effect names can be opened"),
            ),
        });
    }
    let mut model = join(parts, &options.limits, report);
    report.progress("looking for materials", 0.5)?;
    apply_materials(&mut model, &config, source, options, report)?;
    let facts = super::images::facts(&model, &config, source, options, report)?;
    let num = i64::try_from(num_meshes).unwrap_or(i64::MAX);
    let name = config.scene.as_deref().filter(|scene| !scene.trim().is_empty());
    // Output files are named after it.
    let name = name.map_or_else(String::new, safe_name);
    let scene = config.scene.map(|scene| ("effect", Detail::Text(scene)));
    model.details.extend(scene.into_iter().chain([("meshes", Detail::Int(num))]));
    Ok(Model { name, provenance, effect: Some(Box::new(facts)), ..model })
}

/// All readable meshes, each once.
fn meshes(
    config: &Config,
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Vec<EffectMesh>, ReadError> {
    let mut parts: Vec<EffectMesh> = Vec::new();
    let (mut num_bytes, mut num_bones) = (0u64, 0usize);
    for (at, (name, path)) in config.meshes.iter().enumerate() {
        report.progress("reading meshes", 0.1 + 0.4 * at as f32 / config.meshes.len() as f32)?;
        if leads_outside(path) {
            report.note(
                FindingKind::OutsidePath,
                Place::File,
                format!(
                    "{path:?} is outside the folder; searching for {:?} instead",
                    last_part(path)
                ),
            );
        }
        // Names that refer to the same file show it only once.
        if source.name_of(path).is_some_and(|file| parts.iter().any(|part| part.file == file)) {
            continue;
        }
        let role = CompanionRole::Mesh;
        let file = match source.look_up(path) {
            Ok(file) => file,
            Err(Absence::NotFound) => {
                report.companion(CompanionFile::missing(path, role, "referenced by the effect"));
                let what = format!("mesh {name} was not found: {path}");
                report.note(FindingKind::MissingCompanion, Place::File, what);
                continue;
            }
            Err(absence) => {
                report.companion(CompanionFile::unused(path, role, absence.to_string()));
                let what = format!("mesh {name} {absence}");
                report.note(FindingKind::CompanionUnreadable, Place::File, what);
                continue;
            }
        };
        num_bytes = num_bytes.saturating_add(file.bytes.len() as u64);
        if num_bytes > options.limits.max_alloc_bytes {
            return Err(over_limit("meshes", format!("{num_bytes} bytes of meshes are too many")));
        }
        let quiet = report.quiet();
        let inner = source.of_file(&file.name, file.bytes);
        let model = match (BSM2.reader.read)(&inner, options, &quiet) {
            Ok(model) => model,
            Err(ReadError::Cancelled) => return Err(ReadError::Cancelled),
            Err(error) => {
                report.companion(CompanionFile::unused(&file.name, role, error.to_string()));
                let what = format!("mesh {name} cannot be read: {error}");
                report.note(FindingKind::CompanionUnreadable, Place::File, what);
                continue;
            }
        };
        num_bones += model.skeleton.len();
        if num_bones > options.limits.max_bones as usize {
            return Err(over_limit("meshes", format!("{num_bones} bones of meshes are too many")));
        }
        report.companion(CompanionFile::used(&file.name, role, "referenced by the effect"));
        let place = Place::Mesh(u32::try_from(parts.len()).unwrap_or(u32::MAX));
        for note in quiet.notes() {
            let message = || format!("{name}: {}", note.message);
            report.note_many(note.kind, place, note.count, message);
        }
        parts.push(EffectMesh { name: name.clone(), file: file.name, model });
    }
    Ok(parts)
}
