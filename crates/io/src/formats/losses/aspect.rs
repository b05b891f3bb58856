//! The table of aspects of a model that a format may not store.

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
    Points, "points", Present, "points that are drawn beside triangles or lines", "they are left out";
    Normals, "normals", Present, "normals", "they are left out";
    Tangents, "tangents", Present, "tangents", "they are left out";
    Colors, "colors", Present, "vertex colours", "they are left out";
    UvSets, "uv-sets", Counted, "UV sets", "those beyond what fits are left out", "they are left out";
    Meshes, "meshes", Counted, "separate meshes", "they become one";
    MeshNames, "mesh-names", Present, "names of meshes", "they are left out";
    MaterialNames, "material-names", Present, "names of materials", "they are left out";
    Textures, "textures", Counted, "textures of one material", "those beyond what fits are left out", "they are left out";
    TextureTransforms, "texture-transforms", Counted, "textures with a placement of their own", "it is applied to the coordinates";
    Looks, "looks", Present, "colours and alpha of materials", "they are left out";
    Images, "images", Counted, "images of textures", "those that cannot be named or stored are left out", "they are left out";
    Skins, "skins", Present, "skins", "vertices stay where the default pose has them";
    Influences, "influences", Counted, "influences on one vertex", "the largest are kept and scaled", "they are left out";
    BoneLocal, "bone-local", Present, "positions of their own for each influence", "one position is made of them";
    DualQuaternions, "dual-quaternions", Present, "dual quaternion blending", "matrices are blended";
    UsedBones, "used-bones", Present, "bones that move vertices", "they are left out";
    UnusedBones, "unused-bones", Counted, "bones that move nothing", "they are left out";
    BoneNames, "bone-names", Present, "names of bones", "they are left out";
    Parents, "parents", Present, "parents of bones", "each bone has finished matrices";
    Rest, "rest", Present, "rest transforms", "the first key stands for them";
    Clips, "clips", Counted, "clips", "those beyond what fits are left out", "they are left out";
    ClipNames, "clip-names", Present, "names of clips", "they are left out";
    Curves, "curves", Counted, "clips of the authoring tool's own curves", "they are sampled at equal intervals";
    UnevenKeys, "uneven-keys", Counted, "clips with keys at uneven times", "they are sampled at equal intervals";
    Interpolations, "interpolations", Counted, "clips with step or cubic keys", "keys are linear";
    StartTimes, "start-times", Counted, "clips that begin at a time of their own", "they begin at 0";
    Events, "events", Counted, "events in clips", "they are left out";
    Scales, "scales", Present, "scaled bones", "they keep rotation and translation only";
    Shears, "shears", Present, "sheared bones", "they keep translation, rotation and scale only";
    MorphTargets, "morph-targets", Counted, "morph targets", "they stay where their default weights have them";
    VertexCaches, "vertex-caches", Counted, "clips of whole vertex positions", "they are left out";
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
