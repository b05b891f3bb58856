//! Writes a model as a layer of text or binary form, or as a package with its images.
//!
//! One root, a `SkelRoot` if anything follows joints; nodes as prims, bones as joints of one skeleton (`layout`); a
//! material scope. Prims that the model has no bone for are marked, so that reading adds none.
//! Source: OpenUSD 26, UsdGeom, UsdSkel, UsdShade, "USDZ File Format Specification".

mod animation;
mod binary_values;
mod blend_shapes;
mod layer;
mod layout;
mod material;
mod mesh;
mod names;
mod skeleton;
mod skin;
mod stage;
mod stored;
mod texture;
mod transform;
mod values;

use std::io::Cursor;

use openusd::sdf::Data;
use openusd::usda::TextWriter;
use openusd::usdc::CrateWriter;
use openusd::usdz::ArchiveWriter;

use super::ID;
use crate::formats::related_images::{Naming, RelatedImages};
use crate::formats::{OutputFile, OutputPlace, WriteError, WriteOptions};
pub(super) use layer::ADDED;
use rigscope_core::model::{Axes, Handedness, Model, Report, Winding, check};
use rigscope_core::reshape;
pub(super) use stage::CLIP_NAME;
pub(super) use stored::{num_images, num_shears, num_textures, num_vertex_animations};
use texture::{ImageNames, TAKES};

/// The part that is text.
pub(super) const TEXT_PART: &str = "usda";
/// The part that is a package.
pub(super) const PACKAGE_PART: &str = "usdz";

/// The axes of a stage for a model: its own, if USD has them.
fn axes(model: &Model) -> Axes {
    Axes {
        up: model.axes.up,
        handedness: Handedness::Right,
        winding: Winding::CounterClockwise,
        unit_meters: Some(model.axes.unit_meters.unwrap_or(1.0)),
        faces_backward: false,
    }
}

pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    report.progress("writing", 0.0)?;
    let mut plain = reshape::in_axes(&reshape::plain(model, options.rate), &axes(model));
    // Huge numbers may have overflowed during baking.
    check::check(&mut plain, &report.quiet());
    let is_package = options.part.as_deref() == Some(PACKAGE_PART);
    let materials = plain.materials.iter();
    let textures = materials.flat_map(material::stored_textures);
    let naming = Naming { takes: TAKES, ..Naming::of(&options.stem) };
    let quiet = report.quiet();
    let of_files = if is_package { &quiet } else { report };
    let files = RelatedImages::of(&plain, textures, &naming, &options.images, of_files);
    let images = ImageNames { files: &files };
    let is_text = options.part.as_deref() == Some(TEXT_PART);
    let (data, origins) = stage::write(&plain, options, &images, is_text, report)?;
    report.progress("writing", 0.9)?;
    let layer = bytes(&data, is_text)?;
    drop(data);
    let mut out = Vec::new();
    if is_package {
        let main = package(&options.stem, &layer, files)?;
        out.push(OutputFile::main(main).of(origins));
    } else {
        out.push(OutputFile::main(layer).of(origins));
        out.extend(files.files());
    }
    report.progress("writing", 1.0)?;
    Ok(out)
}

fn failed(error: &anyhow::Error) -> WriteError {
    WriteError::Library { format: ID, why: format!("{error:#}") }
}

fn bytes(data: &Data, is_text: bool) -> Result<Vec<u8>, WriteError> {
    if is_text {
        let mut out = Vec::new();
        TextWriter::write(data, &mut out).map_err(|error| failed(&error))?;
        return Ok(out);
    }
    let mut out = Cursor::new(Vec::new());
    CrateWriter::write(data, &mut out).map_err(|error| failed(&error))?;
    binary_values::corrected(&out.into_inner())
        .map_err(|fault| failed(&anyhow::anyhow!(fault.what)))
}

/// A package with the layer first, as the specification requires, and the images.
fn package(stem: &str, layer: &[u8], files: RelatedImages) -> Result<Vec<u8>, WriteError> {
    let mut archive = ArchiveWriter::new(Cursor::new(Vec::new()));
    let name = names::Names::default().identifier(stem, "stage");
    archive.add_layer(&format!("{name}.usdc"), layer).map_err(|error| failed(&error))?;
    for file in files.files() {
        if let OutputPlace::Named(path) | OutputPlace::There(path) = &file.place {
            archive.add_layer(path, &file.bytes).map_err(|error| failed(&error))?;
        }
    }
    Ok(archive.finish().map_err(|error| failed(&error))?.into_inner())
}

#[cfg(test)]
mod tests;
