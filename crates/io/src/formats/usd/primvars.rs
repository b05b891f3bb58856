//! Primvars of a mesh: normals, colours and UVs.

use glam::Vec2;
use openusd::sdf::Path;

use super::attributes::Attributes;
use super::corners::{Interpolation, Primvar};
use super::values::{floats, ints, token, vec2s, vec3s};

const PREFIX: &str = "primvars:";

/// Numbers of faces, points and corners of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) faces: usize,
    pub(super) points: usize,
    pub(super) corners: usize,
}

/// The primvars that a vertex has.
#[derive(Debug, Default)]
pub(super) struct MeshPrimvars {
    pub(super) normals: Option<Primvar>,
    pub(super) colors: Option<Primvar>,
    pub(super) opacities: Option<Primvar>,
    pub(super) uvs: Vec<UvPrimvar>,
    /// Names of primvars whose number of values doesn't fit the mesh.
    pub(super) unfit: Vec<String>,
}

/// A primvar with UVs.
#[derive(Debug)]
pub(super) struct UvPrimvar {
    /// The name by which materials refer to it.
    pub(super) primvar: String,
    /// The name for users.
    pub(super) name: String,
    pub(super) values: Primvar,
}

impl MeshPrimvars {
    pub(super) fn read(attributes: &Attributes<'_>, prim: &Path, counts: Counts) -> Self {
        let mut out = Self::default();
        let reader = PrimvarReader { attributes, prim };
        // `primvars:normals` takes precedence (`UsdGeomPointBased::GetNormalsAttr`).
        let normals = ["primvars:normals", "normals"].into_iter();
        let normals = normals.filter_map(|name| Some((name, reader.vec3s(name)?))).next();
        out.normals = normals.and_then(|(name, own)| out.fitting(name, own, counts));
        let colors = reader.vec3s("primvars:displayColor");
        out.colors = colors.and_then(|own| out.fitting("primvars:displayColor", own, counts));
        let opacities = reader.floats("primvars:displayOpacity");
        out.opacities =
            opacities.and_then(|own| out.fitting("primvars:displayOpacity", own, counts));
        let mut names: Vec<String> =
            attributes.property_names(prim).into_iter().filter(|name| reader.is_uv(name)).collect();
        // The usual name first.
        names.sort_by_cached_key(|name| (name != "primvars:st", order_of(name)));
        for name in names {
            let Some(own) = reader.vec2s(&name) else { continue };
            if let Some(own) = out.fitting(&name, own, counts) {
                let primvar = name.strip_prefix(PREFIX).unwrap_or(&name).to_owned();
                let stated = attributes.metadata(prim, &name, "displayName").and_then(token);
                let name = stated.unwrap_or_else(|| primvar.clone());
                out.uvs.push(UvPrimvar { primvar, name, values: own });
            }
        }
        out
    }

    /// The primvar, if it has as many values as elements.
    fn fitting(&mut self, name: &str, own: Primvar, counts: Counts) -> Option<Primvar> {
        let wanted = match own.interpolation {
            Interpolation::Constant => 1,
            Interpolation::Uniform => counts.faces,
            Interpolation::Vertex => counts.points,
            Interpolation::FaceVarying => counts.corners,
        };
        if own.len() == wanted {
            return Some(own);
        }
        self.unfit.push(name.to_owned());
        None
    }
}

/// Names in the order of the numbers at their end.
fn order_of(name: &str) -> (String, u64) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name.strip_prefix(stem).and_then(|digits| digits.parse().ok());
    (stem.to_owned(), number.unwrap_or_default())
}

struct PrimvarReader<'a> {
    attributes: &'a Attributes<'a>,
    prim: &'a Path,
}

impl PrimvarReader<'_> {
    /// Whether a property is a primvar with UVs.
    fn is_uv(&self, name: &str) -> bool {
        let is_value = |name: &str| !name.ends_with(":indices") && !name.contains(":skel:");
        let is_primvar = name.strip_prefix(PREFIX).is_some_and(is_value);
        is_primvar
            && self.attributes.value_type(self.prim, name).is_some_and(|kind| {
                kind.starts_with("texCoord2") || kind == "float2[]" || kind == "half2[]"
            })
    }

    fn vec3s(&self, name: &str) -> Option<Primvar> {
        let values = self.attributes.value(self.prim, name).and_then(vec3s)?;
        let values = values.iter().flat_map(|value| value.to_array()).collect();
        Some(self.primvar(name, values, 3))
    }

    fn floats(&self, name: &str) -> Option<Primvar> {
        let values = self.attributes.value(self.prim, name).and_then(floats)?;
        Some(self.primvar(name, values, 1))
    }

    /// UVs with v down.
    fn vec2s(&self, name: &str) -> Option<Primvar> {
        let values = self.attributes.value(self.prim, name).and_then(vec2s)?;
        let values = values.iter().map(|uv| Vec2::new(uv.x, 1.0 - uv.y));
        Some(self.primvar(name, values.flat_map(|uv| uv.to_array()).collect(), 2))
    }

    fn primvar(&self, name: &str, values: Vec<f32>, width: usize) -> Primvar {
        let stated = self.attributes.metadata(self.prim, name, "interpolation").and_then(token);
        let interpolation = match stated.as_deref() {
            Some("uniform") => Interpolation::Uniform,
            Some("faceVarying") => Interpolation::FaceVarying,
            Some("vertex" | "varying") => Interpolation::Vertex,
            Some(_) => Interpolation::Constant,
            // `UsdGeomPointBased::GetNormalsInterpolation`; primvars are constant.
            None if name == "normals" => Interpolation::Vertex,
            None => Interpolation::Constant,
        };
        // Only primvars have indices.
        let indices = name.starts_with(PREFIX).then(|| format!("{name}:indices"));
        let indices = indices.and_then(|name| self.attributes.value(self.prim, &name));
        let indices = indices.and_then(ints).map(|indices| {
            indices.into_iter().map(|index| u32::try_from(index).unwrap_or(u32::MAX)).collect()
        });
        Primvar { interpolation, values, width, indices }
    }
}
