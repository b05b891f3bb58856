//! The table of model aspects that formats may not store.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AspectInfo {
    pub aspect: Aspect,
    /// Stable identifier in kebab-case.
    pub code: &'static str,
    /// Whether the number matters, or only the presence.
    pub measure: Measure,
    /// Its name in lower case, plural.
    pub what: &'static str,
    /// The same in the singular; empty if the number doesn't matter.
    pub one: &'static str,
    /// The effect if nothing of it is stored; empty if it is just left out.
    pub lost_all: &'static str,
    /// The effect of a partial loss; may be empty.
    pub lost_some: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The number is compared.
    Counted,
    /// 1 if there is any, else 0: the number changes when meshes are joined or welded.
    Present,
}

macro_rules! aspects {
    ($($aspect:ident, $code:literal, $measure:ident, $what:literal, $one:literal, $all:literal, $some:literal;)+) => {
        /// An aspect of a model.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Aspect {
            $(#[doc = $what] $aspect,)+
        }

        /// The table, in the order of [`Aspect`].
        pub const ASPECTS: &[AspectInfo] = &[
            $(AspectInfo {
                aspect: Aspect::$aspect,
                code: $code,
                measure: Measure::$measure,
                what: $what,
                one: $one,
                lost_all: $all,
                lost_some: $some,
            },)+
        ];
    };
}

aspects! {
    Vertices, "vertices", Present, "vertices", "", "the model is empty", "";
    Triangles, "triangles", Present, "triangles", "", "only points are written", "";
    Lines, "lines", Present, "lines", "", "", "";
    Points, "points", Present, "points in addition to triangles or lines", "", "", "";
    Normals, "normals", Present, "normals", "", "", "";
    Tangents, "tangents", Present, "tangents", "", "", "";
    Colors, "colors", Present, "vertex colours", "", "", "";
    UvSets, "uv-sets", Counted, "UV sets", "UV set", "", "";
    Meshes, "meshes", Counted, "meshes", "mesh", "", "they are joined";
    MeshNames, "mesh-names", Present, "mesh names", "", "", "";
    MaterialNames, "material-names", Present, "material names", "", "", "";
    Textures, "textures", Counted, "textures per material", "texture per material", "", "";
    TextureTransforms, "texture-transforms", Counted, "texture transforms", "texture transform", "applied to the UVs", "applied to the UVs";
    Looks, "looks", Present, "material parameters", "", "", "";
    Images, "images", Counted, "texture images", "texture image", "", "the others can't be named or stored";
    Skins, "skins", Present, "skins", "", "the meshes keep their default pose", "";
    Influences, "influences", Counted, "influences per vertex", "influence per vertex", "", "the largest are kept and rescaled";
    BoneLocal, "bone-local", Present, "separate positions per influence", "", "merged into one position", "";
    DualQuaternions, "dual-quaternions", Present, "dual quaternion blending", "", "matrices are blended instead", "";
    UsedBones, "used-bones", Present, "bones that move vertices", "", "", "";
    UnusedBones, "unused-bones", Counted, "bones that move nothing", "bone that moves nothing", "", "";
    BoneNames, "bone-names", Present, "bone names", "", "", "";
    Parents, "parents", Present, "bone parents", "", "bones get baked skinning matrices", "";
    Rest, "rest", Present, "rest transforms", "", "replaced by the first key", "";
    Clips, "clips", Counted, "clips", "clip", "", "";
    ClipNames, "clip-names", Present, "clip names", "", "", "";
    Curves, "curves", Counted, "clips with curves", "clip with curves", "sampled at equal intervals", "sampled at equal intervals";
    UnevenKeys, "uneven-keys", Counted, "clips with uneven keys", "clip with uneven keys", "sampled at equal intervals", "sampled at equal intervals";
    Interpolations, "interpolations", Counted, "clips with step or cubic keys", "clip with step or cubic keys", "keys become linear", "keys become linear";
    StartTimes, "start-times", Counted, "clips that don't begin at 0", "clip that doesn't begin at 0", "moved to 0", "moved to 0";
    Events, "events", Counted, "events", "event", "", "";
    Scales, "scales", Present, "scaled bones", "", "only rotation and translation are kept", "";
    Shears, "shears", Present, "sheared bones", "", "only translation, rotation and scale are kept", "";
    MorphTargets, "morph-targets", Counted, "morph targets", "morph target", "fixed at their default weights", "the others are fixed at their default weights";
    MaterialTracks, "material-tracks", Counted, "animated material parameters", "animated material parameter", "", "";
    VertexAnimations, "vertex-caches", Counted, "vertex animations", "vertex animation", "", "";
    Hulls, "hulls", Counted, "convex hulls", "convex hull", "", "";
    Occluders, "occluders", Present, "occlusion mesh", "", "", "";
    HumanBones, "human-bones", Present, "names of human bones", "", "", "";
    Expressions, "expressions", Counted, "expressions", "expression", "", "";
    Springs, "springs", Counted, "springs", "spring", "", "";
    ValueTracks, "value-tracks", Counted, "curves that move no bone", "curve that moves no bone", "", "";
}

impl Aspect {
    /// The row of this aspect in the table.
    #[expect(clippy::indexing_slicing, reason = "a test holds rows to the order of the enum")]
    pub fn info(self) -> &'static AspectInfo {
        &ASPECTS[self as usize]
    }

    /// All aspects, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        ASPECTS.iter().map(|row| row.aspect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_and_codes_are_unique() {
        for (index, row) in ASPECTS.iter().enumerate() {
            assert_eq!(row.aspect as usize, index);
            assert_eq!(ASPECTS.iter().filter(|r| r.code == row.code).count(), 1);
            assert_eq!(row.one.is_empty(), row.measure == Measure::Present, "{}", row.code);
        }
    }
}
