//! What of a material is shown otherwise than its file means it.

/// One way in which a material is shown otherwise than its file means it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approximation {
    /// Phong's exponent became a roughness.
    Shininess,
    /// Specular colour and glossiness became reflection and roughness.
    SpecularGlossiness,
    /// Their texture has no role.
    SpecularGlossinessTexture,
    /// Factors of layers are known, their textures have no role.
    LayerTextures,
    /// Drawn as blended.
    Transmission,
    /// Subsurface, thin film, anisotropy, volume …
    FinerLayers,
    /// Bump and displacement have no role.
    Heights,
    /// A texture for alpha alone has no role.
    OpacityTexture,
    /// One of several, or what is below a procedural one.
    LayeredTextures,
    /// Those of textures that the file does not name are 1.
    FoundFactors,
    /// Depth is tested always, and written by what hides alone.
    DepthState,
    /// A mesh is drawn with one of its UV sets.
    UvSets,
}

/// All of them, in their own order, with what is said of them.
const TEXTS: [(Approximation, &str); 12] = [
    (Approximation::Shininess, "roughness is estimated from a shininess"),
    (
        Approximation::SpecularGlossiness,
        "specular and glossiness are shown as reflection of a dielectric and roughness",
    ),
    (
        Approximation::SpecularGlossinessTexture,
        "the texture of specular or glossiness is not shown",
    ),
    (
        Approximation::LayerTextures,
        "textures of specular, clear coat, sheen or transmission are not shown",
    ),
    (Approximation::Transmission, "light goes straight through, as through what is blended"),
    (
        Approximation::FinerLayers,
        "subsurface, volume, thin film, anisotropy or colour of the coat is not shown",
    ),
    (Approximation::Heights, "heights (bump, displacement) are not shown"),
    (Approximation::OpacityTexture, "a texture of opacity alone is not shown"),
    (Approximation::LayeredTextures, "of layered textures the first is shown"),
    (
        Approximation::FoundFactors,
        "metallic, roughness or emission is what textures found by name say, with a factor of 1",
    ),
    (
        Approximation::DepthState,
        "what is blended is ordered by its depth in each pixel; depth is always tested, and written by what hides what is behind it and by nothing else",
    ),
    (
        Approximation::UvSets,
        "textures on several UV sets are all placed by the one that the mesh is drawn with",
    ),
];

/// A set of [`Approximation`]s.
// A set of bits, since a file can hold a million materials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Approximations(u16);

impl Approximations {
    /// Puts one in where it holds.
    pub fn insert_if(&mut self, holds: bool, one: Approximation) {
        self.0 |= u16::from(holds) << (one as u16);
    }

    /// Whether it is in.
    #[must_use]
    pub fn contains(self, one: Approximation) -> bool {
        self.0 & (1 << (one as u16)) != 0
    }

    /// What is said of those that are in.
    pub fn texts(self) -> impl Iterator<Item = &'static str> {
        let known = TEXTS.into_iter().filter(move |(one, _)| self.contains(*one));
        known.map(|(_, text)| text)
    }
}

#[cfg(test)]
#[test]
fn each_is_told_by_a_text_of_its_own() {
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
