//! `render`, and `pose --skin gpu`.

use super::runner::Folder;
use crate::support::fixtures;

#[cfg(not(feature = "gpu"))]
#[test]
fn a_build_without_gpu_reports_it_and_exits_3() {
    let folder = Folder::with(&fixtures::two_triangles());
    let ran = folder.run_to(3, &["render", "a.bsm2", "-o", "out.png"]);
    assert!(ran.stderr.contains("without the feature `gpu`"), "{}", ran.stderr);
    let gpu = ["pose", "a.bsm2", "-o", "out.json", "--skin", "gpu"];
    folder.run_to(3, &gpu);
    folder.run_to(3, &["view", "a.bsm2"]);
    assert_eq!(folder.names(), ["a.bsm2"]);
}

#[cfg(feature = "gpu")]
mod with_gpu {
    use std::collections::HashSet;

    use image::RgbaImage;

    use super::*;
    use crate::support::rich::rich;
    use crate::support::written::converted;

    fn picture(folder: &Folder, name: &str) -> RgbaImage {
        image::open(folder.path(name)).unwrap().to_rgba8()
    }

    fn render(folder: &Folder, args: &[&str]) -> RgbaImage {
        let all = [&["render", "a.bsm2", "-o", "out.png", "--force"], args].concat();
        let ran = folder.run_to(0, &all);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
        picture(folder, "out.png")
    }

    /// The share of the picture that shows something.
    fn drawn_share(image: &RgbaImage) -> f32 {
        let drawn = image.pixels().filter(|pixel| pixel[3] > 0).count();
        drawn as f32 / image.pixels().len() as f32
    }

    const ONLY_SURFACE: [&str; 4] = ["--show", "surface", "--background", "transparent"];

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn a_contact_sheet_has_a_row_per_clip() {
        let folder = Folder::new();
        folder.put_bytes("hero.bsm2", rigscope_assets::SAMPLE);
        let size = |name: &str| {
            let image = image::load_from_memory(&folder.bytes(name)).unwrap();
            (image.width(), image.height())
        };
        let ran = folder.run_to(0, &["render", "hero.bsm2", "-o", "all.png", "--sheet"]);
        assert_eq!(size("all.png"), (6 * 240, 2 * 180));
        assert!(
            ran.stderr.contains("note: row 2: clip 1 \"wave\" from 0 s to 2 s"),
            "{}",
            ran.stderr
        );
        let one = ["render", "hero.bsm2", "-o", "one.png", "--sheet", "3", "--clip", "walk"];
        folder.run_to(0, &[&one[..], &["--size", "80x60"]].concat());
        assert_eq!(size("one.png"), (240, 60));
        let sheet = image::load_from_memory(&folder.bytes("one.png")).unwrap().into_rgba8();
        let cells: Vec<_> = (0..3)
            .map(|at| image::imageops::crop_imm(&sheet, at * 80, 0, 80, 60).to_image())
            .collect();
        assert_ne!(cells[0], cells[1]);
        folder.run_to(2, &["render", "hero.bsm2", "-o", "x.gif", "--sheet"]);
        folder.put_bytes("still.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        let error = folder.run_to(2, &["render", "still.obj", "-o", "x.png", "--sheet"]).stderr;
        assert!(error.contains("the model has no clips"), "{error}");
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn animations_without_loss_have_the_pixels_of_the_images() {
        use image::AnimationDecoder as _;
        let folder = Folder::new();
        folder.put_bytes("hero.bsm2", rigscope_assets::SAMPLE);
        let common = ["--clip", "walk", "--size", "80x60", "--background", "transparent"];
        let run = |output: &str, more: &[&str]| {
            folder.run_to(0, &[&["render", "hero.bsm2", "-o", output][..], &common, more].concat());
        };
        run("still.png", &["--frames", "3"]);
        let pngs: Vec<_> = (0..3)
            .map(|at| {
                image::load_from_memory(&folder.bytes(&format!("still_000{at}.png"))).unwrap()
            })
            .map(|image| image.into_rgba8())
            .collect();
        for name in ["walk.apng", "walk.webp"] {
            run(name, &["--frames", "3"]);
            let bytes = std::io::Cursor::new(folder.bytes(name));
            let frames = if name.ends_with("webp") {
                image::codecs::webp::WebPDecoder::new(bytes).unwrap().into_frames().collect_frames()
            } else {
                let decoder = image::codecs::png::PngDecoder::new(bytes).unwrap();
                decoder.apng().unwrap().into_frames().collect_frames()
            };
            let frames = frames.unwrap();
            assert_eq!(frames.len(), 3, "{name}");
            for (frame, png) in frames.iter().zip(&pngs) {
                let differs =
                    |(a, b): (&image::Rgba<u8>, &image::Rgba<u8>)| a != b && (a.0[3] | b.0[3]) > 0;
                let num =
                    frame.buffer().pixels().zip(png.pixels()).filter(|pair| differs(*pair)).count();
                assert_eq!(num, 0, "{name}");
            }
            // Without a number of images, one loop of the clip.
            run(name, &["--force", "--rate", "8"]);
            folder.run_to(2, &["render", "hero.bsm2", "-o", name]);
        }
        let error = folder.run_to(2, &["render", "hero.bsm2", "-o", "walk.avi"]).stderr;
        assert!(error.contains("must end in .png, .gif, .apng or .webp"), "{error}");
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn an_image_has_the_requested_size_and_is_not_blank() {
        let folder = Folder::with(&fixtures::two_triangles());
        let image = render(&folder, &[]);
        assert_eq!(image.dimensions(), (1000, 600));
        let colors: HashSet<_> = image.pixels().map(|pixel| pixel.0).collect();
        assert!(colors.len() > 50, "{} colours", colors.len());
        let image = render(&folder, &["--size", "64x48"]);
        assert_eq!(image.dimensions(), (64, 48));
        assert_eq!(folder.names(), ["a.bsm2", "out.png"]);
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn the_camera_frames_visible_geometry_and_the_background_is_optional() {
        let folder = Folder::with(&fixtures::two_triangles());
        let from = |camera: &str, more: &[&str]| {
            let args = ["--size", "80x80", "--camera", camera];
            let all = [&args[..], &ONLY_SURFACE, more].concat();
            drawn_share(&render(&folder, &all))
        };
        // Two triangles form a square, which fills the frame except for its margin.
        let front = from("front", &[]);
        assert!((0.6..1.0).contains(&front), "{front}");
        assert!((from("0,0", &[]) - front).abs() < 0.01);
        // As wide as it is deep: an edge seen from above.
        assert!(from("top", &[]) < 0.2);
        assert!(from("-90,0", &[]) < 0.2);
        // Bone 1 has left along x and turned: the square is torn and still in the frame.
        let walked = from("front", &["--clip", "walk", "--key", "3"]);
        assert!(walked > 0.1 && walked != front, "{walked}");
        let plain = ["--size", "8x8", "--show", "", "--background", "plain"];
        let image = render(&folder, &plain);
        assert!(image.pixels().all(|p| p == image.get_pixel(0, 0) && p[3] == 255));
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn heat_maps_show_the_named_bone_and_bone_colors_show_all_bones() {
        let folder = Folder::with(&fixtures::two_triangles());
        let size = ["--size", "60x60", "--camera", "front"];
        let shown = |args: &[&str]| render(&folder, &[&size[..], args].concat());
        let of = |bone: &str| shown(&["--show", "surface,bone-weights", "--bone", bone]);
        let (first, second) = (of("0"), of("1"));
        assert!(first != second);
        let colors = shown(&["--show", "surface,bone-colors"]);
        assert!(colors != first && colors != second);
        let plain = shown(&["--show", "surface"]);
        assert!(shown(&["--show", "surface,bone-axes"]) != plain);
        let refused = ["render", "a.bsm2", "-o", "x.png", "--show", "bone-weights"];
        let ran = folder.run_to(2, &refused);
        assert!(ran.stderr.contains("--bone"), "{}", ran.stderr);
        let ran = folder.run_to(2, &[&refused[..], &["--bone", "tail"]].concat());
        assert!(ran.stderr.contains("no bone `tail`"), "{}", ran.stderr);
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn collision_data_and_bad_triangles_are_drawn_on_request() {
        let folder = Folder::with(&fixtures::two_triangles());
        let written = converted(&rich(), "bsm", None);
        std::fs::write(folder.path("rich.bsm"), &written.files[0].1.bytes).unwrap();
        // The second faces against its normals.
        let bad =
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 2 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\nf 2//1 3//1 4//1\n";
        std::fs::write(folder.path("bad.obj"), bad).unwrap();
        let shown = |file: &str, show: &str| {
            let args = ["render", file, "-o", "out.png", "--force", "--size", "60x60"];
            folder.run_to(0, &[&args[..], &["--camera", "front", "--show", show]].concat());
            picture(&folder, "out.png")
        };
        // The occlusion mesh is inside the surface.
        let mut pictures = vec![shown("rich.bsm", "axes")];
        for word in ["hulls", "occluder", "stored-bounds", "true-bounds"] {
            let picture = shown("rich.bsm", &format!("axes,{word}"));
            assert!(!pictures.contains(&picture), "{word}");
            pictures.push(picture);
        }
        assert!(shown("bad.obj", "surface,bad-triangles") != shown("bad.obj", "surface"));
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn frames_are_numbered_and_spread_over_the_clip() {
        let folder = Folder::with(&fixtures::two_triangles());
        let size = ["--size", "60x60", "--camera", "front", "--force"];
        let args = ["render", "a.bsm2", "-o", "w.png", "--clip", "walk", "--frames", "3"];
        folder.run_to(0, &[&args[..], &size, &ONLY_SURFACE].concat());
        let names = ["w_0000.png", "w_0001.png", "w_0002.png"];
        assert_eq!(folder.names()[1..], names);
        let pictures = names.map(|name| picture(&folder, name).into_raw());
        let distinct: HashSet<_> = pictures.iter().collect();
        assert_eq!(distinct.len(), 3, "three of four keys, none twice");

        let again = folder.run_to(2, &args);
        assert!(again.stderr.contains("w_0000.png"), "{}", again.stderr);
    }

    fn gif(folder: &Folder, name: &str) -> Vec<(RgbaImage, u32)> {
        use image::AnimationDecoder;
        let bytes = std::fs::read(folder.path(name)).unwrap();
        let decoder = image::codecs::gif::GifDecoder::new(std::io::Cursor::new(bytes)).unwrap();
        let frames = decoder.into_frames().collect_frames().unwrap();
        let times = frames.iter().map(|f| f.delay().numer_denom_ms().0);
        let images = frames.iter().map(|f| f.buffer().clone());
        images.zip(times.collect::<Vec<_>>()).collect()
    }

    /// The mean difference of a channel.
    fn difference(a: &RgbaImage, b: &RgbaImage) -> f64 {
        let pairs = a.as_raw().iter().zip(b.as_raw());
        let sum: f64 = pairs.map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
        sum / a.as_raw().len() as f64
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn a_gif_loops_the_clip_from_its_start() {
        let folder = Folder::with(&fixtures::two_triangles());
        let at = ["--size", "60x40", "--camera", "front", "--target", "1,0.5,0"];
        let at = [&at[..], &["--distance", "4", "--clip", "walk"]].concat();
        let args = ["render", "a.bsm2", "-o", "w.gif", "--frames", "4"];
        folder.run_to(0, &[&args[..], &at].concat());
        let frames = gif(&folder, "w.gif");
        assert_eq!(frames.len(), 4);
        let distinct: HashSet<_> = frames.iter().map(|(image, _)| image.as_raw()).collect();
        assert!(distinct.len() >= 3, "{} of 4", distinct.len());
        let still = render(&folder, &[&at[..], &["--time", "0"]].concat());
        let off = difference(&still, &frames[0].0);
        assert!(off < 4.0, "{off}: 256 colours come near");

        // Without a number of images there are as many as the clip has hundredths for.
        folder.run_to(0, &[&args[..4], &at, &["--force", "--rate", "20"]].concat());
        let frames = gif(&folder, "w.gif");
        assert!(frames.iter().all(|(_, time_ms)| *time_ms == 50));
        assert_eq!(folder.names(), ["a.bsm2", "out.png", "w.gif"]);
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn a_turntable_makes_one_full_turn_starting_at_the_still_image() {
        let folder = Folder::with(&fixtures::two_triangles());
        let at = ["--size", "60x40", "--camera", "30,20", "--distance", "4"];
        let args = ["render", "a.bsm2", "-o", "t.png", "--turntable", "4"];
        folder.run_to(0, &[&args[..], &at].concat());
        let names = ["t_0000.png", "t_0001.png", "t_0002.png", "t_0003.png"];
        assert_eq!(folder.names()[1..], names);
        let pictures = names.map(|name| picture(&folder, name));
        assert_eq!(pictures[0], render(&folder, &at));
        let rotated = ["--size", "60x40", "--camera", "120,20", "--distance", "4"];
        assert!(difference(&pictures[1], &render(&folder, &rotated)) < 0.1);
        assert_ne!(pictures[2], pictures[0]);

        let args = ["render", "a.bsm2", "-o", "t.gif", "--turntable", "8"];
        folder.run_to(0, &[&args[..], &["--size", "40x40"]].concat());
        let frames = gif(&folder, "t.gif");
        let time_ms: u32 = frames.iter().map(|(_, time_ms)| time_ms).sum();
        assert_eq!((frames.len(), time_ms), (8, 4000));
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn subsets_are_hidden_coloured_and_selected_by_number() {
        let folder = Folder::with(&fixtures::two_triangles());
        let base = [&["--size", "60x60", "--camera", "front"][..], &ONLY_SURFACE].concat();
        let with = |more: &[&str]| render(&folder, &[&base[..], more].concat());
        let all = with(&[]);
        let half = with(&["--hide", "0"]);
        assert!(drawn_share(&half) < drawn_share(&all) * 0.75);
        assert_ne!(with(&["--select", "subset:0"]), all);
        assert_ne!(with(&["--orthographic", "--distance", "9"]), all);
        let args = ["render", "a.bsm2", "-o", "x.png", "--hide", "99"];
        let ran = folder.run_to(2, &args);
        assert!(ran.stderr.contains("there is no subset 99"), "{}", ran.stderr);
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn frames_of_a_file_without_motion_are_equal_and_reported() {
        let folder = Folder::with(&fixtures::without_clips());
        let args = ["render", "a.bsm2", "-o", "s.png", "--size", "16x16", "--frames", "2"];
        let ran = folder.run_to(0, &args);
        assert!(ran.stderr.contains("a.bsm2: note: a time"), "{}", ran.stderr);
        let pictures = ["s_0000.png", "s_0001.png"].map(|name| picture(&folder, name));
        assert_eq!(pictures[0], pictures[1]);
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn a_selected_bone_or_subset_that_does_not_exist_is_an_error() {
        let folder = Folder::with(&fixtures::two_triangles());
        for (select, expected) in [
            ("bone:99", "there is no bone 99; the model has "),
            ("subset:9", "there is no subset 9; the model has "),
        ] {
            let ran = folder.run_to(2, &["render", "a.bsm2", "-o", "o.png", "--select", select]);
            assert!(
                ran.stderr.starts_with(&format!("a.bsm2: error: {expected}")),
                "{}",
                ran.stderr
            );
        }
    }

    #[test]
    fn unknown_show_values_are_refused_before_reading() {
        let folder = Folder::new();
        let args = ["render", "none.bsm2", "-o", "o.png", "--show", "surface,hair"];
        let ran = folder.run_to(2, &args);
        assert!(ran.stderr.contains("`hair`") && ran.stderr.contains("wireframe"));
        let ran = folder.run_to(2, &["render", "none.bsm2", "-o", "o.jpg"]);
        let expected =
            "the name of the output must end in .png, .gif, .apng or .webp, unless --to is given";
        assert_eq!(ran.stderr, format!("o.jpg: error: {expected}\n"));
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn gpu_skinning_matches_the_cpu_reference() {
        for model in [fixtures::two_triangles(), fixtures::with_hierarchy()] {
            let folder = Folder::with(&model);
            let read = |skin: &str| -> Vec<f32> {
                let args = ["pose", "a.bsm2", "-o", "o.json", "--force", "--time", "0.05"];
                let clip = (model.clips.len() - 1).to_string();
                let more = ["--sampling", "linear", "--clip", &clip, "--skin", skin];
                folder.run_to(0, &[&args[..], &more].concat());
                let found = folder.read_json("o.json");
                let rows = [&found["vertices"], &found["normals"]].map(|rows| rows.clone());
                let rows: [Vec<[f32; 3]>; 2] = rows.map(|r| serde_json::from_value(r).unwrap());
                rows.concat().concat()
            };
            let (cpu, gpu) = (read("cpu"), read("gpu"));
            assert_eq!(cpu.len(), 24);
            for (a, b) in cpu.iter().zip(&gpu) {
                assert!((a - b).abs() < 1e-5, "{cpu:?} {gpu:?}");
            }
        }
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn timings_list_steps_and_passes_on_stderr_and_the_image_is_unchanged() {
        let folder = Folder::with(&fixtures::two_triangles());
        let quiet = render(&folder, &["--size", "64x48"]);
        let args = ["--timings", "render", "a.bsm2", "--size", "64x48", "-o", "timed.png"];
        let ran = folder.run_to(0, &args);
        assert_eq!(ran.stdout, "");
        assert!(picture(&folder, "timed.png") == quiet);
        let (steps, passes) = match ran.stderr.split_once("\nGPU time: ") {
            Some(parts) => parts,
            // A device that measures nothing.
            None => return assert!(ran.stderr.contains("drawing"), "{}", ran.stderr),
        };
        assert!(steps.starts_with("timings: "), "{steps}");
        for step in ["uploading the model", "drawing", "reading back the image"] {
            assert!(steps.contains(step), "{step}: {steps}");
        }
        assert!(passes.lines().next().unwrap().ends_with(" ms for one image"), "{passes}");
        let names: Vec<_> =
            passes.lines().skip(1).filter_map(|l| l.split_whitespace().next()).collect();
        assert!(names.contains(&"skinning") && names.contains(&"image"), "{names:?}");

        let film = ["render", "--timings", "a.bsm2", "--size", "32x32", "--turntable", "3"];
        let ran = folder.run_to(0, &[&film[..], &["-o", "turn.png"]].concat());
        assert!(ran.stderr.contains(" ms for 3 images"), "{}", ran.stderr);
    }

    #[test]
    fn without_an_adapter_rendering_exits_3_and_everything_else_works() {
        let folder = Folder::with(&fixtures::two_triangles());
        for args in [
            &["render", "a.bsm2", "-o", "o.png"][..],
            &["pose", "a.bsm2", "-o", "o.json", "--skin", "gpu"],
        ] {
            // Names no interface that this program can use.
            let output = folder.command(args).env("WGPU_BACKEND", "gl").output().unwrap();
            assert_eq!(output.status.code(), Some(3), "{args:?}");
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(stderr.starts_with("error: WGPU_BACKEND excludes"), "{stderr}");
            assert_eq!(stderr.lines().count(), 1);
        }
        assert_eq!(folder.names(), ["a.bsm2"]);
        let mut info = folder.command(&["info", "a.bsm2"]);
        let output = info.env("WGPU_BACKEND", "gl").output().unwrap();
        assert!(output.status.success());
    }
}
