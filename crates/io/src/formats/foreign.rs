//! Advice about files of formats that Rigscope doesn't read.

/// Extensions of other model formats, and how to get their contents into a readable one.
const FOREIGN: &[(&[&str], &str)] = &[
    (&["blend"], "Blender files can't be read; export glTF or FBX from Blender"),
    (
        &["dae"],
        "COLLADA files need the reader of the Python package (docs/readers.md); or export glTF or FBX instead",
    ),
    (&["max"], "3ds Max scenes can't be read; export FBX from 3ds Max"),
    (&["3ds"], "3DS files can't be read; they have no skin, so export FBX from the original scene"),
    (&["ma", "mb"], "Maya scenes can't be read; export FBX from Maya"),
    (&["c4d"], "Cinema 4D scenes can't be read; export FBX or glTF from Cinema 4D"),
    (&["lwo", "lws"], "LightWave files can't be read; export FBX from LightWave"),
    (
        &["smd", "dmx", "vta"],
        "Source engine models can't be read; import them into Blender and export glTF",
    ),
    (
        &["mdl", "md2", "md3", "md5mesh", "md5anim"],
        "Quake and Source models can't be read; import them into Blender and export glTF or IQM",
    ),
    (
        &["psk", "pskx", "psa", "uasset"],
        "Unreal assets can't be read; export FBX or glTF from Unreal Editor",
    ),
    (&["bvh"], "BVH motion can't be read; import it into Blender and export glTF or FBX"),
    (&["abc"], "Alembic caches can't be read; import them into Blender and export glTF"),
    (
        &["pmx", "pmd", "vmd"],
        "MikuMikuDance models can't be read; import them into Blender and export glTF",
    ),
    (&["x"], "DirectX .x files can't be read; import them into Blender and export glTF"),
    (
        &["stl", "ply", "3mf", "step", "stp"],
        "this format has no skeleton and can't be read; convert it to OBJ or glTF",
    ),
    (&["unitypackage", "prefab"], "Unity packages can't be read; export FBX from Unity"),
    (&["zip", "7z", "rar", "gz", "tar"], "archives can't be read; extract the files first"),
    (
        &["png", "jpg", "jpeg", "tga", "dds", "ktx", "ktx2", "hdr", "exr", "webp", "bmp"],
        "this is an image and not a model; add it to a model with --with",
    ),
    (&["mtl"], "this is a material library; open the OBJ file that uses it"),
];

/// Advice for the extension of a file that no format recognizes.
pub(super) fn advice(extension: &str) -> Option<&'static str> {
    let row = FOREIGN.iter().find(|(extensions, _)| extensions.contains(&extension));
    row.map(|(_, advice)| *advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::FORMATS;

    #[test]
    fn no_readable_extension_is_foreign_and_none_is_listed_twice() {
        let all: Vec<_> = FOREIGN.iter().flat_map(|(extensions, _)| *extensions).collect();
        for extension in &all {
            let mut readable = FORMATS.iter().filter(|format| format.info.can_read);
            assert!(!readable.any(|f| f.info.extensions.contains(extension)), "{extension}");
            assert_eq!(all.iter().filter(|other| *other == extension).count(), 1, "{extension}");
        }
        assert!(advice("blend").unwrap().contains("export glTF"));
        assert_eq!(advice("bsm2"), None);
    }
}
