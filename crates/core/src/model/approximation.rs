//! Differences between how a material is drawn and how its file defines it.

/// One difference between how a material is drawn and how its file defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approximation {
    /// A Phong exponent was converted to a roughness.
    Shininess,
    /// Specular colour and glossiness were converted to reflection and roughness.
    SpecularGlossiness,
    /// A specular or glossiness texture has no role, so it isn't drawn.
    SpecularGlossinessTexture,
    /// The factors of layers are read; their textures have no role.
    LayerTextures,
    /// Transmission is drawn as alpha blending.
    Transmission,
    /// Subsurface, thin film, anisotropy, volume and similar layers are ignored.
    FinerLayers,
    /// Bump and displacement textures have no role.
    Heights,
    /// A separate opacity texture has no role.
    OpacityTexture,
    /// Only the first of several layered textures is drawn, or the one under a procedural texture.
    LayeredTextures,
    /// The file doesn't state the factors of textures that were found by name; they are 1.
    FoundFactors,
    /// Depth is always tested, and written by every surface that isn't blended.
    DepthState,
    /// A mesh is drawn with only one of its UV sets.
    UvSets,
    /// The material is drawn without the steps, rims and outlines of toon shading (MToon).
    ToonShading,
}

/// All approximations in the order of the enum, each with its text for users.
const TEXTS: [(Approximation, &str); 13] = [
    (Approximation::Shininess, "roughness is estimated from a shininess"),
    (
        Approximation::SpecularGlossiness,
        "specular and glossiness are converted to dielectric reflection and roughness",
    ),
    (Approximation::SpecularGlossinessTexture, "the specular or glossiness texture is not shown"),
    (
        Approximation::LayerTextures,
        "specular, clear coat, sheen and transmission textures are not shown",
    ),
    (Approximation::Transmission, "light passes straight through, as with alpha blending"),
    (
        Approximation::FinerLayers,
        "subsurface, volume, thin film, anisotropy and coat colour are not shown",
    ),
    (Approximation::Heights, "bump and displacement are not shown"),
    (Approximation::OpacityTexture, "a separate opacity texture is not shown"),
    (Approximation::LayeredTextures, "only the first of several layered textures is shown"),
    (
        Approximation::FoundFactors,
        "metallic, roughness or emission comes from textures found by name, with a factor of 1",
    ),
    (
        Approximation::DepthState,
        "blended surfaces are sorted by depth per pixel; depth is always tested, and written by all other surfaces",
    ),
    (
        Approximation::UvSets,
        "textures on several UV sets all use the UV set that the mesh is drawn with",
    ),
    (Approximation::ToonShading, "toon shading (MToon) and its outlines are not shown"),
];

/// A set of [`Approximation`]s.
// Bits rather than a list, since a file can contain a million materials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Approximations(u16);

impl Approximations {
    /// Inserts `one` if `holds`.
    pub fn insert_if(&mut self, holds: bool, one: Approximation) {
        self.0 |= u16::from(holds) << (one as u16);
    }

    /// Whether the set contains `one`.
    #[must_use]
    pub fn contains(self, one: Approximation) -> bool {
        self.0 & (1 << (one as u16)) != 0
    }

    /// The texts for users of all members.
    pub fn texts(self) -> impl Iterator<Item = &'static str> {
        let known = TEXTS.into_iter().filter(move |(one, _)| self.contains(*one));
        known.map(|(_, text)| text)
    }
}

#[cfg(test)]
#[test]
fn each_approximation_has_its_own_text() {
    let mut all = Approximations::default();
    assert_eq!(all.texts().count(), 0);
    for (at, (one, text)) in TEXTS.into_iter().enumerate() {
        assert_eq!(one as usize, at);
        let mut alone = Approximations::default();
        alone.insert_if(false, one);
        assert!(!alone.contains(one));
        alone.insert_if(true, one);
        assert_eq!(alone.texts().collect::<Vec<_>>(), [text]);
        all.insert_if(true, one);
    }
    assert_eq!(all.texts().count(), TEXTS.len());
}
