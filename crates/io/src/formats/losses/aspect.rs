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
    /// The effect of a partial loss.
    pub lost: &'static str,
    /// The effect if nothing of it is stored.
    pub lost_all: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The number is compared.
    Counted,
    /// 1 if there is any, else 0: the number changes when meshes are joined or welded.
    Present,
}

macro_rules! aspects {
    ($($aspect:ident, $code:literal, $measure:ident, $what:literal, $lost:literal $(, $all:literal)?;)+) => {
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
                lost: $lost,
                lost_all: [$($all,)? $lost][0],
            },)+
        ];
    };
}

aspects! {
    Vertices, "vertices", Present, "vertices", "there are none";
    Triangles, "triangles", Present, "triangles", "only points are kept";
    Lines, "lines", Present, "lines", "they are left out";
    Points, "points", Present, "points in addition to triangles or lines", "they are left out";
    Normals, "normals", Present, "normals", "they are left out";
    Tangents, "tangents", Present, "tangents", "they are left out";
    Colors, "colors", Present, "vertex colours", "they are left out";
    UvSets, "uv-sets", Counted, "UV sets", "those beyond the limit are left out", "they are left out";
    Meshes, "meshes", Counted, "separate meshes", "they become one";
    MeshNames, "mesh-names", Present, "mesh names", "they are left out";
    MaterialNames, "material-names", Present, "material names", "they are left out";
    Textures, "textures", Counted, "textures per material", "those beyond the limit are left out", "they are left out";
    TextureTransforms, "texture-transforms", Counted, "texture transforms", "they are applied to the UVs";
    Looks, "looks", Present, "material colours and alpha", "they are left out";
    Images, "images", Counted, "texture images", "those that cannot be named or stored are left out", "they are left out";
    Skins, "skins", Present, "skins", "vertices stay where the default pose has them";
    Influences, "influences", Counted, "influences per vertex", "the largest are kept and scaled", "they are left out";
    BoneLocal, "bone-local", Present, "separate positions per influence", "they are merged into one position";
    DualQuaternions, "dual-quaternions", Present, "dual quaternion blending", "matrices are blended";
    UsedBones, "used-bones", Present, "bones that move vertices", "they are left out";
    UnusedBones, "unused-bones", Counted, "bones that move nothing", "they are left out";
    BoneNames, "bone-names", Present, "bone names", "they are left out";
    Parents, "parents", Present, "bone parents", "each bone gets baked matrices";
    Rest, "rest", Present, "rest transforms", "the first key replaces them";
    Clips, "clips", Counted, "clips", "those beyond the limit are left out", "they are left out";
    ClipNames, "clip-names", Present, "clip names", "they are left out";
    Curves, "curves", Counted, "clips with curves of the authoring tool", "they are sampled at equal intervals";
    UnevenKeys, "uneven-keys", Counted, "clips with keys at uneven times", "they are sampled at equal intervals";
    Interpolations, "interpolations", Counted, "clips with step or cubic keys", "keys are linear";
    StartTimes, "start-times", Counted, "clips that don't begin at 0", "they begin at 0";
    Events, "events", Counted, "events in clips", "they are left out";
    Scales, "scales", Present, "scaled bones", "they keep rotation and translation only";
    Shears, "shears", Present, "sheared bones", "they keep translation, rotation and scale only";
    MorphTargets, "morph-targets", Counted, "morph targets", "they stay where their default weights have them";
    VertexCaches, "vertex-caches", Counted, "vertex animations", "they are left out";
    Hulls, "hulls", Counted, "convex hulls", "they are left out";
    Occluders, "occluders", Present, "an occlusion mesh", "it is left out";
    ValueTracks, "value-tracks", Counted, "curves that move no bone", "they are left out";
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
        }
    }
}
