//! Infers texture roles from the suffixes of image names, and which material an image is named after.
//!
//! For: formats that store only the names of materials, and images supplied by the user.
//! Not for: finding files (`textures`).

use std::collections::BTreeSet;

use super::{last_part, stem};
use rigscope_core::images::ImageKind;
use rigscope_core::model::{Material, TextureRole};

/// Name suffixes with the same meaning.
pub(super) struct Suffixes {
    /// The roles of such an image.
    pub(super) roles: &'static [TextureRole],
    /// In lower case, the most specific first.
    list: &'static [&'static str],
}

/// Parts of a path that indicate a normal map.
const NORMAL_NAMES: [&str; 4] = ["normal", "_nrm", "_norm", "_n."];

/// Whether a bump map, which is a height map by definition, is named like a normal map.
pub(super) fn is_normal_map(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    NORMAL_NAMES.iter().any(|part| path.contains(part))
}

/// Texture suffixes of common exporters (Substance, Unreal, Blender, Maya, Poly Haven, the Banuba SDK).
/// Packed images come before images of the single channels that they replace.
pub(super) const SUFFIXES: [Suffixes; 9] = [
    Suffixes {
        roles: &[TextureRole::BaseColor],
        list: &["_base_color", "_basecolor", "_albedo", "_diffuse", "_color", "_diff", "_d", ""],
    },
    Suffixes { roles: &[TextureRole::Normal], list: &["_normal", "_normals", "_nrm", "_n"] },
    Suffixes {
        roles: &[TextureRole::MetallicRoughness, TextureRole::Occlusion],
        list: &["_occlusionroughnessmetallic", "_occlusion_roughness_metallic", "_orm", "_arm"],
    },
    Suffixes {
        roles: &[TextureRole::MetallicRoughness],
        list: &["_metallic_roughness", "_metallicroughness", "_metalroughness", "_metalrough"],
    },
    Suffixes { roles: &[TextureRole::MetallicRoughnessOcclusion], list: &["_mrao"] },
    Suffixes { roles: &[TextureRole::Metallic], list: &["_metallic", "_metalness", "_metal"] },
    Suffixes { roles: &[TextureRole::Roughness], list: &["_roughness", "_rough"] },
    Suffixes {
        roles: &[TextureRole::Occlusion],
        list: &["_ambient_occlusion", "_ambientocclusion", "_occlusion", "_mixed_ao", "_ao"],
    },
    Suffixes {
        roles: &[TextureRole::Emissive],
        list: &["_emissive_color", "_emissive", "_emission", "_emit"],
    },
];

/// An image file that a material without textures may refer to.
pub(super) struct ImageFile {
    pub(super) path: String,
    /// In lower case, without folder and extension.
    stem: String,
    /// Preference for the image format of its extension, lowest first.
    rank: usize,
}

impl ImageFile {
    pub(super) fn of(path: String) -> Option<Self> {
        let rank = ImageKind::rank_of_name(&path)?;
        Some(Self { rank, stem: stem(last_part(&path)).to_lowercase(), path })
    }
}

/// Lower-case names of all materials: an image named exactly like one of them belongs only to it.
pub(super) struct MaterialNames(BTreeSet<String>);

impl MaterialNames {
    pub(super) fn of(materials: &[Material]) -> Self {
        Self(materials.iter().map(|material| material.name.to_lowercase()).collect())
    }
}

impl Suffixes {
    /// The suffixes that match an image name, regardless of materials.
    pub(super) fn of(name: &str) -> &'static Self {
        let stem = stem(last_part(name)).to_lowercase();
        let longest = |suffixes: &Self| {
            let fits = suffixes.list.iter().filter(|suffix| stem.ends_with(*suffix));
            fits.map(|suffix| suffix.len()).max()
        };
        let [base_color, ..] = &SUFFIXES;
        SUFFIXES.iter().max_by_key(|suffixes| longest(suffixes)).unwrap_or(base_color)
    }

    /// The best image named after `material` with one of these suffixes. Names that only end with the
    /// material's name, after a separator, are accepted too.
    pub(super) fn best_match<'a>(
        &self,
        files: &'a [ImageFile],
        material: &str,
        others: &MaterialNames,
    ) -> Option<&'a str> {
        let material = material.to_lowercase();
        let own: Vec<(usize, &str)> = (self.list.iter().copied().enumerate())
            .filter(|(_, suffix)| {
                suffix.is_empty() || !others.0.contains(&format!("{material}{suffix}"))
            })
            .collect();
        let rank = |file: &ImageFile| {
            own.iter().find_map(|(at, suffix)| {
                let before = file.stem.strip_suffix(suffix)?.strip_suffix(&*material)?;
                let is_whole = before.is_empty();
                (is_whole || before.ends_with('_')).then_some((!is_whole, *at, file.rank))
            })
        };
        let ranked = files.iter().filter_map(|file| Some((rank(file)?, file)));
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, file)| &*file.path)
    }
}

/// Whether an image of that name, if it were the only one, would be chosen for a material name and role.
pub(super) fn matches_material(name: &str, material: &str, role: TextureRole) -> bool {
    let Some(file) = ImageFile::of(name.to_owned()) else { return false };
    let files = [file];
    let mut fitting = SUFFIXES.iter().filter(|suffixes| suffixes.roles.contains(&role));
    fitting.any(|e| e.best_match(&files, material, &MaterialNames::of(&[])).is_some())
}

/// The number of the material that an image is named after, and the matching suffixes.
pub(super) fn matching_material(
    materials: &[Material],
    name: &str,
) -> Option<(usize, &'static Suffixes)> {
    let file = [ImageFile::of(name.to_owned())?];
    let names = MaterialNames::of(materials);
    let named = materials.iter().enumerate().filter(|(_, material)| !material.name.is_empty());
    let mut found = named.filter_map(|(at, material)| {
        let fits = |e: &&Suffixes| e.best_match(&file, &material.name, &names).is_some();
        Some((at, SUFFIXES.iter().find(fits)?))
    });
    found.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suffix_of_a_name_determines_the_role() {
        use TextureRole::*;
        let cases: [(&str, &[TextureRole]); 12] = [
            ("hat.png", &[BaseColor]),
            ("hat_D.tga", &[BaseColor]),
            ("coat_N.png", &[Normal]),
            ("hat_Metallic.png", &[Metallic]),
            ("hat_metallic_roughness.png", &[MetallicRoughness]),
            ("hat_occlusionRoughnessMetallic.png", &[MetallicRoughness, Occlusion]),
            ("hat_ORM.png", &[MetallicRoughness, Occlusion]),
            ("octopus_MRAO.ktx", &[MetallicRoughnessOcclusion]),
            ("hat_rough.jpg", &[Roughness]),
            ("hat_Mixed_AO.png", &[Occlusion]),
            ("a/hat_Emissive.png", &[Emissive]),
            ("hat_emissive_color.png", &[Emissive]),
        ];
        for (name, roles) in cases {
            assert_eq!(Suffixes::of(name).roles, roles, "{name}");
        }
    }

    #[test]
    fn suffixes_are_lower_case_and_unique() {
        let all: Vec<&str> = SUFFIXES.iter().flat_map(|suffixes| suffixes.list).copied().collect();
        for (at, suffix) in all.iter().enumerate() {
            assert_eq!(suffix.to_lowercase(), **suffix);
            assert!(!all[..at].contains(suffix), "{suffix}");
        }
    }

    #[test]
    fn an_exact_material_name_takes_precedence_over_a_suffix() {
        let named = |name: &str| Material { name: name.to_owned(), ..Material::default() };
        let materials = [named("gun"), named("gun_metal")];
        let found = |name: &str| {
            let (at, suffixes) = matching_material(&materials, name)?;
            Some((at, suffixes.roles[0]))
        };
        assert_eq!(found("gun_metal.png"), Some((1, TextureRole::BaseColor)));
        assert_eq!(found("gun_metallic.png"), Some((0, TextureRole::Metallic)));
        assert_eq!(found("gun_metal_ao.png"), Some((1, TextureRole::Occlusion)));
        assert_eq!(found("sword.png"), None);
        let files = [ImageFile::of("gun_metal.png".to_owned()).unwrap()];
        let names = MaterialNames::of(&materials);
        assert!(SUFFIXES.iter().all(|e| e.best_match(&files, "gun", &names).is_none()));
    }
}
