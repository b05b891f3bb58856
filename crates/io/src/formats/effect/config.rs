//! The JSON of an effect. What is of a wrong type is left out by itself and counted.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::fault::{malformed, over_limit};
use crate::formats::{ReadError, text};
use rigscope_core::model::{NoteKind, Place, Report};

/// Configs of real effects have up to a hundred kilobytes.
const MAX_BYTES: usize = 8 << 20;
/// A value takes this much memory at most, with its share of the map or list it is in.
const VALUE_BYTES: usize = 160;
/// All values together may take this much.
const MAX_VALUE_BYTES: usize = 128 << 20;
/// What the names of materials begin with that belong to meshes.
const SHADERS: &str = "shaders/";
/// What the SDK's own things begin with.
const BUILT_IN: &str = "$builtin$";
/// Names of the SDK's own meshes begin with one of these.
const BUILT_IN_MESHES: [&str; 2] = ["!glfx_FACE", "camera_surface"];

/// What an effect says.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// The effect's name.
    pub(super) scene: Option<String>,
    /// Names and paths of its own meshes, by name.
    pub(super) meshes: Vec<(String, String)>,
    /// Meshes that the SDK makes.
    pub(super) num_built_in: usize,
    /// Materials of meshes by the name that meshes know them by.
    pub(super) materials: BTreeMap<String, Shader>,
    /// Places of those in the list of what is drawn, by the same name.
    pub(super) order: BTreeMap<String, u32>,
    /// Images by name.
    pub(super) images: BTreeMap<String, ImageEntry>,
    /// Materials of the SDK's own meshes.
    pub(super) built_in_materials: BTreeSet<String>,
}

/// A material.
#[derive(Debug, Default)]
pub(super) struct Shader {
    /// Names of samplers, and of the image each reads.
    pub(super) samplers: Vec<(String, String)>,
    /// What is behind it is seen through it.
    pub(super) blends: bool,
    /// Back faces are seen.
    pub(super) has_back_faces: bool,
    /// It hides what is behind it, and is not seen itself.
    pub(super) is_depth_only: bool,
    /// What lies before it does not hide it.
    pub(super) is_depth_untested: bool,
    /// It does not hide what is drawn after it.
    pub(super) is_depth_unwritten: bool,
}

/// An image, an attachment or a piece of media.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ImageEntry {
    /// A file of this path.
    File(String),
    /// Made while the effect runs: the camera, a mask, a target of drawing, a video.
    Made,
}

/// Reads the text.
///
/// # Errors
/// When it is no JSON object, or too large.
pub(super) fn parse(bytes: &[u8], report: &Report) -> Result<Config, ReadError> {
    if bytes.len() > MAX_BYTES {
        let what = format!("{} bytes exceed the {MAX_BYTES} that a config may have", bytes.len());
        return Err(over_limit("json", what));
    }
    let plain = text::plain(bytes);
    let num_values = plain.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if num_values.saturating_mul(VALUE_BYTES) > MAX_VALUE_BYTES {
        return Err(over_limit("json", format!("{num_values} values are too many for a config")));
    }
    let text = String::from_utf8_lossy(&plain);
    let tree: Value = serde_json::from_str(&text).map_err(|error| {
        let number = |num: usize| u32::try_from(num).unwrap_or(u32::MAX);
        let column = (error.column() > 0).then_some(number(error.column()));
        let place = Place::Line { line: number(error.line().max(1)), column };
        let message = error.to_string();
        // The place says the line already.
        let what = message.rsplit_once(" at line ").map_or(&*message, |parts| parts.0);
        malformed("json", place, what.to_lowercase())
    })?;
    let Value::Object(root) = tree else {
        return Err(malformed("json", Place::line(1), "the config is no object"));
    };
    let mut reading = Reading::default();
    let config = reading.config(&root);
    let num_odd = reading.num_odd;
    report.note_many(NoteKind::BrokenRecord, Place::File, num_odd, || {
        format!("{} is not of the type that it should be", reading.first_odd)
    });
    Ok(config)
}

/// What was odd on the way.
#[derive(Default)]
struct Reading {
    num_odd: u64,
    first_odd: String,
}

impl Reading {
    fn odd(&mut self, what: impl FnOnce() -> String) {
        if self.num_odd == 0 {
            self.first_odd = what();
        }
        self.num_odd += 1;
    }

    /// The object under `key`, where there is one.
    fn object<'a>(
        &mut self,
        of: &'a Map<String, Value>,
        key: &str,
    ) -> Option<&'a Map<String, Value>> {
        match of.get(key)? {
            Value::Object(object) => Some(object),
            Value::Null => None,
            _ => {
                self.odd(|| format!("{key:?}"));
                None
            }
        }
    }

    fn text<'a>(&mut self, of: &'a Map<String, Value>, key: &str, owner: &str) -> Option<&'a str> {
        match of.get(key)? {
            Value::String(text) => Some(text),
            Value::Null => None,
            _ => {
                self.odd(|| format!("{key:?} of {owner:?}"));
                None
            }
        }
    }

    fn flag(&mut self, of: &Map<String, Value>, key: &str, owner: &str, otherwise: bool) -> bool {
        match of.get(key) {
            None | Some(Value::Null) => otherwise,
            Some(Value::Bool(flag)) => *flag,
            Some(_) => {
                self.odd(|| format!("{key:?} of {owner:?}"));
                otherwise
            }
        }
    }

    fn config(&mut self, root: &Map<String, Value>) -> Config {
        let mut config = Config {
            scene: self.text(root, "scene", "the effect").map(str::to_owned),
            ..Config::default()
        };
        if let Some(components) = self.object(root, "components") {
            config.built_in_materials = self.built_in_materials(components);
        }
        config.order = self.draw_order(root);
        let Some(assets) = self.object(root, "assets") else { return config };
        if let Some(meshes) = self.object(assets, "meshes") {
            self.meshes(meshes, &mut config);
        }
        for key in ["attachments", "media"] {
            let names = self.object(assets, key).into_iter().flat_map(Map::keys);
            config.images.extend(names.map(|name| (name.clone(), ImageEntry::Made)));
        }
        for (name, entry) in self.object(assets, "images").into_iter().flatten() {
            if let Some(entry) = self.image(name, entry) {
                config.images.insert(name.clone(), entry);
            }
        }
        for (name, entry) in self.object(assets, "materials").into_iter().flatten() {
            // Others belong to the SDK's own meshes.
            if let Some(own) = name.strip_prefix(SHADERS)
                && let Some(shader) = self.shader(name, entry)
            {
                config.materials.insert(own.to_owned(), shader);
            }
        }
        config
    }

    fn meshes(&mut self, meshes: &Map<String, Value>, config: &mut Config) {
        for (name, path) in meshes {
            let is_built_in = BUILT_IN_MESHES.iter().any(|own| name.starts_with(own));
            match path {
                _ if is_built_in => config.num_built_in += 1,
                Value::String(path) if path.starts_with(BUILT_IN) => config.num_built_in += 1,
                Value::String(path) => config.meshes.push((name.clone(), path.clone())),
                _ => self.odd(|| format!("mesh {name:?}")),
            }
        }
    }

    fn image(&mut self, name: &str, entry: &Value) -> Option<ImageEntry> {
        let Value::Object(entry) = entry else {
            self.odd(|| format!("image {name:?}"));
            return None;
        };
        let kind = self.text(entry, "type", name).unwrap_or("texture");
        if !matches!(kind, "texture" | "cubemap" | "lut") {
            return Some(ImageEntry::Made);
        }
        let path = self.text(entry, "file_name", name)?;
        Some(ImageEntry::File(path.to_owned()))
    }

    fn shader(&mut self, name: &str, entry: &Value) -> Option<Shader> {
        let Value::Object(entry) = entry else {
            self.odd(|| format!("material {name:?}"));
            return None;
        };
        let mut shader = Shader::default();
        match entry.get("samplers") {
            Some(Value::Array(samplers)) => {
                for sampler in samplers {
                    shader.samplers.extend(self.sampler(name, sampler));
                }
            }
            None | Some(Value::Null) => {}
            Some(_) => self.odd(|| format!("\"samplers\" of {name:?}")),
        }
        if let Some(state) = self.object(entry, "state") {
            shader.blends = !matches!(self.text(state, "blend", name), None | Some("off"));
            shader.has_back_faces = self.flag(state, "backfaces", name, false);
            shader.is_depth_only = !self.flag(state, "colorwrite", name, true);
            shader.is_depth_untested = !self.flag(state, "ztest", name, true);
            shader.is_depth_unwritten = !self.flag(state, "zwrite", name, true);
        }
        Some(shader)
    }

    /// Name and image of a sampler that reads one.
    fn sampler(&mut self, material: &str, sampler: &Value) -> Option<(String, String)> {
        let Value::Object(sampler) = sampler else {
            self.odd(|| format!("a sampler of {material:?}"));
            return None;
        };
        let name = self.text(sampler, "name", material)?;
        let image = self.text(sampler, "image", material)?;
        Some((name.to_owned(), image.to_owned()))
    }

    /// The places in the first list of draws where a material of meshes is drawn.
    fn draw_order(&mut self, root: &Map<String, Value>) -> BTreeMap<String, u32> {
        let mut order = BTreeMap::new();
        let Some(lists) = self.object(root, "render_list") else { return order };
        let Some(list) = lists.get("default").or_else(|| lists.values().next()) else {
            return order;
        };
        let Value::Array(draws) = list else {
            self.odd(|| "\"render_list\"".to_owned());
            return order;
        };
        for (at, draw) in (0..).zip(draws) {
            // Of all others the layer is the SDK's own.
            let Some(Value::Array(names)) = draw.get("sub_geometries") else { continue };
            for name in names.iter().filter_map(Value::as_str) {
                order.entry(name.to_owned()).or_insert(at);
            }
        }
        order
    }

    fn built_in_materials(&mut self, components: &Map<String, Value>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for component in components.values() {
            let Some(Value::Array(materials)) = component.get("materials") else { continue };
            let names = materials.iter().filter_map(Value::as_str);
            found.extend(names.filter_map(|name| name.strip_prefix(SHADERS)).map(str::to_owned));
        }
        found
    }
}
