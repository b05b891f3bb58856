//! `convert --textures`: images are copied, referenced or left out.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageFormat, RgbImage};
use rigscope_io::formats::last_part;
use serde_json::Value;

use super::runner::{Folder, Ran};

/// An image of one colour.
fn image(shade: u8, format: ImageFormat) -> Vec<u8> {
    let image = RgbImage::from_pixel(4, 4, image::Rgb([shade, 0, 255 - shade]));
    let mut out = Cursor::new(Vec::new());
    DynamicImage::from(image).write_to(&mut out, format).unwrap();
    out.into_inner()
}

/// One triangle per texture, with the textures in a material library next to the file.
fn put_obj(folder: &Folder, name: &str, textures: &[&str]) {
    let stem = name.strip_suffix(".obj").unwrap();
    let library = last_part(stem);
    let mut obj = format!("mtllib {library}.mtl\n");
    let mut mtl = String::new();
    for (at, texture) in textures.iter().enumerate() {
        let first = at * 3 + 1;
        obj.push_str(&format!(
            "o part{at}\nv {at} 0 0\nv {at} 1 0\nv {at} 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nvn 1 0 0\nusemtl paint{at}\n"
        ));
        let corner = |at: usize| format!("{0}/{0}/{1}", first + at, (first - 1) / 3 + 1);
        obj.push_str(&format!("f {} {} {}\n", corner(0), corner(1), corner(2)));
        mtl.push_str(&format!("newmtl paint{at}\nKd 1 1 1\nmap_Kd {texture}\n"));
    }
    folder.put_bytes(name, obj.as_bytes());
    folder.put_bytes(&format!("{stem}.mtl"), mtl.as_bytes());
}

/// Spellings of paths to images next to or below the model.
const SPELLINGS: [&str; 5] = [
    "textures\\skin a.png",
    ".\\flat.tga",
    "C:\\artist\\tex\\bumpy.bmp",
    "-s 1 1 1 path with spaces.png",
    "textures/.\\more//deep.png",
];

fn put_spellings(folder: &Folder) {
    put_obj(folder, "in/a.obj", &SPELLINGS);
    folder.put_bytes("in/textures/skin a.png", &image(1, ImageFormat::Png));
    folder.put_bytes("in/flat.tga", &image(2, ImageFormat::Tga));
    folder.put_bytes("in/bumpy.bmp", &image(3, ImageFormat::Bmp));
    folder.put_bytes("in/path with spaces.png", &image(4, ImageFormat::Png));
    folder.put_bytes("in/textures/more/deep.png", &image(5, ImageFormat::Png));
    std::fs::create_dir(folder.path("out")).unwrap();
}

/// The red value of the first pixel of the texture of each material, found through the written file.
fn shades(folder: &Folder, file: &str) -> Vec<u8> {
    use rigscope_core::model::Report;
    use rigscope_io::files::RelatedFiles;
    use rigscope_io::formats::{ReadOptions, open};
    let along = RelatedFiles::default();
    let path = folder.path(file);
    let source = along.source(&path, std::fs::read(&path).unwrap(), 1 << 30);
    let options = ReadOptions { images: true, ..ReadOptions::default() };
    let model = open(&source.source, &options, &Report::new()).unwrap().model;
    let mut shades = Vec::new();
    for texture in model.materials.iter().flat_map(|m| &m.textures) {
        let Some(id) = texture.image else { continue };
        let image = &model.images[id];
        let format = image::guess_format(&image.bytes).unwrap_or(ImageFormat::Tga);
        let decoded = image::load_from_memory_with_format(&image.bytes, format).unwrap();
        shades.push(decoded.into_rgb8().get_pixel(0, 0).0[0]);
    }
    shades.sort_unstable();
    shades.dedup();
    shades
}

fn aspects(ran: &Ran, which: &str) -> Vec<String> {
    let losses = ran.json()["files"][0][which].as_array().unwrap().clone();
    let code = |loss: &Value| loss["code"].as_str().unwrap().to_owned();
    losses.iter().map(code).collect()
}

#[test]
fn textures_work_in_another_folder_for_every_format_that_supports_them() {
    let folder = Folder::new();
    put_spellings(&folder);
    for name in ["b.obj", "b.glb", "b.gltf", "b.bsm", "b.bsm2", "b.iqm", "b.cmx", "b.bcf"] {
        let stem = name.replace('.', "_");
        let (_, end) = name.split_once('.').unwrap();
        std::fs::create_dir(folder.path(&format!("out/{stem}"))).unwrap();
        let out = format!("out/{stem}/b.{end}");
        let ran = folder.run_to(0, &["convert", "in/a.obj", "-o", &out, "--json"]);
        assert_eq!(aspects(&ran, "predicted"), aspects(&ran, "observed"), "{name}");
        assert!(!aspects(&ran, "predicted").contains(&"images".to_owned()), "{name}");
        assert_eq!(shades(&folder, &out), [1, 2, 3, 4, 5], "{name}");
    }
    // References in the text formats point to existing files inside the folder.
    let json: Value = serde_json::from_slice(&folder.bytes("out/b_gltf/b.gltf")).unwrap();
    for image in json["images"].as_array().unwrap() {
        let uri = image["uri"].as_str().unwrap();
        assert!(!uri.contains("%5C") && !uri.contains("..") && !uri.contains('/'), "{uri}");
        let name = uri.replace("%20", " ");
        let bytes = folder.bytes(&format!("out/b_gltf/{name}"));
        let is_fit = bytes.starts_with(b"\x89PNG") || bytes.starts_with(b"\xff\xd8");
        assert!(is_fit, "{uri}");
    }
    let library = library_text(&folder, "out/b_obj", "b");
    let named = library.lines().filter_map(|line| line.strip_prefix("map_Kd "));
    for name in named {
        assert!(!name.contains(['\\', ':', '/']), "{name}");
        assert!(folder.path(&format!("out/b_obj/{name}")).is_file(), "{name}");
    }
}

#[test]
fn images_in_the_output_folder_are_referenced() {
    let folder = Folder::new();
    put_spellings(&folder);
    let before = folder_names(&folder, "in");
    folder.run_to(0, &["convert", "in/a.obj", "-o", "in/b.obj"]);
    let mut expected = before;
    expected.extend(["b.mtl".to_owned(), "b.obj".to_owned()]);
    expected.sort();
    assert_eq!(folder_names(&folder, "in"), expected, "no image is written");
    assert_eq!(shades(&folder, "in/b.obj"), [1, 2, 3, 4, 5]);
    let library = library_text(&folder, "in", "b");
    assert!(library.contains("map_Kd textures/skin a.png"), "{library}");
    assert!(library.contains("map_Kd textures/more/deep.png"), "{library}");
}

/// The text of the library next to an OBJ, whose name contains a hash.
fn library_text(folder: &Folder, below: &str, stem: &str) -> String {
    let entries = std::fs::read_dir(folder.path(below)).unwrap();
    let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let is_it = |name: &String| {
        let rest = name.strip_prefix(stem);
        rest.is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".mtl"))
    };
    folder.read(&format!("{below}/{}", names.find(is_it).unwrap()))
}

/// Entries of a folder, without the hashes in names.
fn folder_names(folder: &Folder, below: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path(below)).unwrap();
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
    let plain = |name: String| {
        if name.ends_with(".mtl") {
            format!("{}.mtl", name.split('.').next().unwrap())
        } else {
            name
        }
    };
    let names = entries.map(|e| name(e).into_string().unwrap());
    let mut names: Vec<String> = names.map(plain).collect();
    names.sort();
    names
}

#[test]
fn textures_are_referenced_or_left_out_on_request() {
    let folder = Folder::new();
    put_spellings(&folder);
    let args = ["convert", "in/a.obj", "-o", "out/b.obj", "--json", "--textures", "reference"];
    let ran = folder.run_to(0, &args);
    assert_eq!(folder_names(&folder, "out"), ["b.mtl", "b.obj"]);
    assert!(!aspects(&ran, "observed").contains(&"images".to_owned()));
    let library = library_text(&folder, "out", "b");
    for name in library.lines().filter_map(|line| line.strip_prefix("map_Kd ")) {
        assert!(name.starts_with("../in/"), "{name}");
        assert!(folder.path("out").join(Path::new(name)).is_file(), "{name}");
    }
    for (name, lost) in [("c.obj", true), ("c.glb", true), ("c.bsm2", true)] {
        let out = format!("out/{name}");
        let args = ["convert", "in/a.obj", "-o", &out, "--json", "--textures", "none"];
        let ran = folder.run_to(0, &args);
        for which in ["predicted", "observed"] {
            let codes = aspects(&ran, which);
            assert_eq!(codes.contains(&"images".to_owned()), lost, "{name} {which} {codes:?}");
        }
        assert_eq!(shades(&folder, &out), [0u8; 0]);
    }
    assert!(!library_text(&folder, "out", "c").contains("map_Kd"));
    assert_eq!(
        folder_names(&folder, "out"),
        ["b.mtl", "b.obj", "c.bsm2", "c.glb", "c.mtl", "c.obj"]
    );
    let strict = ["convert", "in/a.obj", "-o", "out/d.obj", "--textures", "none", "--strict"];
    folder.run_to(1, &strict);
}

#[test]
#[cfg_attr(windows, ignore = "Windows can't store files with these names")]
fn image_files_are_not_overwritten_and_their_names_are_safe() {
    let folder = Folder::new();
    let textures = ["../up.png", "CON.png", "nul.txt.png", "x/skin.png", "y/SKIN.png"];
    put_obj(&folder, "in/a.obj", &textures);
    for (at, name) in
        ["up.png", "CON.png", "nul.txt.png", "x/skin.png", "y/SKIN.png"].iter().enumerate()
    {
        let shade = u8::try_from(at).unwrap();
        folder.put_bytes(&format!("in/{name}"), &image(shade, ImageFormat::Png));
    }
    folder.put_bytes("out/up.png", b"somebody's own");
    let args = ["convert", "in/a.obj", "-o", "out/b.obj", "--dry-run"];
    folder.run_to(0, &args);
    assert_eq!(folder_names(&folder, "out"), ["up.png"]);
    folder.run_to(0, &args[..4]);
    assert_eq!(folder.bytes("out/up.png"), b"somebody's own");
    assert_eq!(
        folder_names(&folder, "out"),
        [
            "SKIN_2.png",
            "_CON.png",
            "_nul.txt.png",
            "b.mtl",
            "b.obj",
            "skin.png",
            "up.png",
            "up_2.png"
        ]
    );
    assert_eq!(shades(&folder, "out/b.obj"), [0, 1, 2, 3, 4]);
    // Once more: the same names, and nothing new.
    folder.run_to(0, &["convert", "in/a.obj", "-o", "out/b.obj", "--force"]);
    assert_eq!(shades(&folder, "out/b.obj"), [0, 1, 2, 3, 4]);
    assert!(folder.path("in/up.png").is_file());
}

#[test]
fn several_models_in_one_folder_have_separate_images() {
    let folder = Folder::new();
    for (at, name) in ["a", "b", "c"].iter().enumerate() {
        put_obj(&folder, &format!("in/{name}.obj"), &[&format!("{name}/skin.png")]);
        let shade = u8::try_from(at).unwrap();
        folder.put_bytes(&format!("in/{name}/skin.png"), &image(shade, ImageFormat::Png));
    }
    let args = ["convert", "in", "--out-dir", "out", "--to", "gltf", "--part", "gltf"];
    folder.run_to(0, &args);
    for (at, name) in ["a", "b", "c"].iter().enumerate() {
        let shade = u8::try_from(at).unwrap();
        assert_eq!(shades(&folder, &format!("out/{name}.gltf")), [shade], "{name}");
    }
}

#[test]
fn an_unreadable_image_is_reported_and_fails_strict() {
    let folder = Folder::new();
    put_obj(&folder, "a.obj", &["none.png"]);
    std::fs::create_dir(folder.path("out")).unwrap();
    let ran = folder.run_to(0, &["convert", "a.obj", "-o", "out/a.glb"]);
    assert!(ran.stdout.contains("images that can't be read: none.png"), "{}", ran.stdout);
    assert!(ran.stdout.contains("none.png"), "{}", ran.stdout);
    folder.run_to(1, &["convert", "a.obj", "-o", "out/b.glb", "--strict"]);
    // Bytes that aren't an image, which the format can't store.
    put_obj(&folder, "c.obj", &["broken.tga"]);
    folder.put_bytes("broken.tga", b"no image");
    let ran = folder.run_to(0, &["convert", "c.obj", "-o", "out/c.glb", "--json"]);
    assert!(aspects(&ran, "predicted").contains(&"images".to_owned()));
    assert_eq!(aspects(&ran, "predicted"), aspects(&ran, "observed"));
}

#[test]
fn metallic_and_roughness_images_of_an_mtl_are_packed_in_a_glb() {
    let folder = Folder::new();
    put_obj(&folder, "in/a.obj", &["base.png"]);
    let mut library = folder.read("in/a.mtl");
    library.push_str("Pm 1\nPr 1\nmap_Pm metal.png\nmap_Pr rough.png\n");
    folder.put_bytes("in/a.mtl", library.as_bytes());
    for (name, shade) in [("base", 10), ("metal", 20), ("rough", 30)] {
        folder.put_bytes(&format!("in/{name}.png"), &image(shade, ImageFormat::Png));
    }
    let ran = folder.run_to(0, &["convert", "in/a.obj", "-o", "b.glb", "--json"]);
    let json = ran.json();
    for which in ["predicted", "observed"] {
        for code in aspects(&ran, which) {
            assert!(code != "textures" && code != "images", "{which}: {code}");
        }
    }
    let findings = json["files"][0]["notes"].as_array().unwrap();
    let joined = findings.iter().find(|finding| finding["code"] == "joined-images").unwrap();
    let message = joined["message"].as_str().unwrap();
    assert_eq!(
        message,
        "the images of material paint0 are joined into one: roughness of rough.png, metallic of metal.png"
    );
    let info = folder.run_to(0, &["info", "--json", "b.glb"]).json();
    let roles: Vec<&str> = (info["materials"][0]["roles"].as_array().unwrap().iter())
        .map(|role| role.as_str().unwrap())
        .collect();
    assert_eq!(roles, ["base-color", "metallic-roughness"]);
}

#[test]
fn info_text_has_a_line_per_material() {
    let folder = Folder::new();
    put_obj(&folder, "in/a.obj", &["base.png", "gone.png", "bad.png"]);
    let library = folder.read("in/a.mtl").replacen("map_Kd", "d 0.5\nmap_Pr rough.png\nmap_Kd", 1);
    folder.put_bytes("in/a.mtl", library.as_bytes());
    for name in ["base", "rough"] {
        folder.put_bytes(&format!("in/{name}.png"), &image(1, ImageFormat::Png));
    }
    folder.put_bytes("in/bad.png", b"no picture");
    let text = folder.run_to(0, &["info", "in/a.obj"]).stdout;
    let (_, rest) = text.split_once("  materials\n").unwrap();
    let lines: Vec<Vec<&str>> =
        rest.lines().take(4).map(|line| line.split_whitespace().collect()).collect();
    let found = |at: usize| lines[at].join(" ");
    assert_eq!(found(0), "name alpha sides textures");
    assert_eq!(found(1), "0 paint0 blend front base colour 4x4; roughness 4x4");
    assert_eq!(found(2), "1 paint1 opaque front base colour (missing)");
    assert_eq!(found(3), "2 paint2 opaque front base colour (can't be read)");
    // Materials that have only names are listed with the subsets.
    folder.put_bytes(
        "b.bsm2",
        &super::support::fixtures::bsm2(&super::support::fixtures::two_triangles()),
    );
    let text = folder.run_to(0, &["info", "b.bsm2"]).stdout;
    assert!(!text.contains("materials"), "{text}");
}
