//! Networks of shaders: which value or texture an input has.

use openusd::sdf::{Path, Value};

use super::attributes::Attributes;
use super::values::token;

/// The most connections that are followed from an input.
const MAX_STEPS: usize = 32;
const OUTPUTS: &str = "outputs:";

/// Reads shaders.
#[derive(Clone, Copy)]
pub(super) struct Shaders<'a> {
    pub(super) attributes: &'a Attributes<'a>,
}

/// The source of an input.
#[derive(Clone, Debug)]
pub(super) enum Input {
    /// A value, or nothing.
    Value(Option<Value>),
    /// An output of a `UsdUVTexture`, such as `rgb` or `a`.
    Texture {
        /// The shader.
        shader: Path,
        /// Its output.
        output: String,
    },
}

impl Input {
    /// Whether it is the alpha channel of the texture that `other` shows.
    pub(super) fn is_alpha_of(&self, other: &Self) -> bool {
        let (Self::Texture { shader, output }, Self::Texture { shader: of_other, .. }) =
            (self, other)
        else {
            return false;
        };
        output == "a" && shader == of_other
    }
}

impl Shaders<'_> {
    /// The shader of a material's surface.
    pub(super) fn surface(&self, material: &Path) -> Option<Path> {
        let names = ["outputs:surface", "outputs:mdl:surface", "outputs:glslfx:surface"];
        let mut sources = names.iter().flat_map(|name| self.attributes.connections(material, name));
        sources.next().map(|source| source.prim_path())
    }

    /// The kind of a shader.
    pub(super) fn id(&self, shader: &Path) -> String {
        self.attributes.value(shader, "info:id").and_then(token).unwrap_or_default()
    }

    /// The value or texture of an input; connections to inputs of materials and node graphs are followed.
    pub(super) fn input(&self, shader: &Path, name: &str) -> Input {
        let (mut prim, mut attribute) = (shader.clone(), format!("inputs:{name}"));
        for _ in 0..MAX_STEPS {
            let Some(source) = self.attributes.connections(&prim, &attribute).into_iter().next()
            else {
                break;
            };
            let Some((owner, property)) = source.split_property() else { break };
            let property = property.trim_start_matches('.').to_owned();
            if let Some(output) = property.strip_prefix(OUTPUTS)
                && self.id(&owner) == "UsdUVTexture"
            {
                return Input::Texture { shader: owner, output: output.to_owned() };
            }
            (prim, attribute) = (owner, property);
        }
        Input::Value(self.attributes.value(&prim, &attribute))
    }

    /// The shader that an input is connected to.
    pub(super) fn source(&self, shader: &Path, name: &str) -> Option<Path> {
        let sources = self.attributes.connections(shader, &format!("inputs:{name}"));
        sources.first().map(Path::prim_path)
    }
}
