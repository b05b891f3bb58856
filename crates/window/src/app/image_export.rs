//! Renders the view into image files, in the background with a separate device.

use std::path::PathBuf;

use super::view_key::page_background;
use super::view3d::{ImageOptions, View3d};
use rigscope_core::model::Report;
use rigscope_gpu::film::{Film, FilmFormat};
use rigscope_gpu::headless::{Image, write_png};
use rigscope_gpu::{Background, Gpu, Renderer};
use rigscope_io::files::{
    Inputs, Output, Refusal, SaveError, check_target, numbered_path, save, save_set,
};
use rigscope_state::{
    AppState, ImageExportChoice, ImageExportFormat, ImageExportKind, ImageExportOutcome,
    ImageExportRequest,
};

/// Renders the view of `state` and writes it; an error is a sentence. Either all files are written or none.
///
/// The user has agreed to overwrite a single file, but not numbered ones.
pub(super) async fn write(
    request: &ImageExportRequest,
    state: &AppState,
    inputs: &Inputs,
    report: &Report,
) -> Result<ImageExportOutcome, String> {
    let (choice, path) = (&request.choice, &request.path);
    let num_images = match choice.kind {
        ImageExportKind::Still => 1,
        ImageExportKind::Turntable | ImageExportKind::Clip => choice.num_images.max(1),
    };
    let is_sequence =
        choice.kind != ImageExportKind::Still && choice.format == ImageExportFormat::Png;
    let paths: Vec<PathBuf> = if is_sequence {
        (0..num_images).map(|n| numbered_path(path, n)).collect()
    } else {
        vec![path.clone()]
    };
    refuse(&paths, inputs, is_sequence)?;
    let mut renderer = ViewRenderer::new().await?;
    let mut draw = async |number: u32| -> Result<Image, String> {
        let fraction = number as f32 / num_images as f32;
        let is_wanted = report.progress("drawing", fraction).is_ok();
        if is_wanted {
            renderer.image(state, choice, number).await
        } else {
            Err("cancelled".to_owned())
        }
    };
    let failed = |error: rigscope_gpu::headless::ImageError| error.to_string();
    let refused = |error: SaveError| error.in_window();
    let mut num_bytes = 0;
    let film = match choice.format {
        ImageExportFormat::Png => None,
        ImageExportFormat::Gif => Some(FilmFormat::Gif),
        ImageExportFormat::WebP => Some(FilmFormat::WebP),
    };
    if let Some(format) = film {
        let mut bytes = Vec::new();
        let film = Film::new(format, &mut bytes, num_images, choice.images_per_sec);
        let mut film = film.map_err(failed)?;
        for number in 0..num_images {
            film.add(draw(number).await?).map_err(failed)?;
        }
        film.finish().map_err(failed)?;
        num_bytes += bytes.len() as u64;
        save(path, &bytes, true, inputs).map_err(refused)?;
    } else {
        let mut files = Vec::new();
        for number in 0..num_images {
            let png = write_png(&draw(number).await?).map_err(failed)?;
            num_bytes += png.len() as u64;
            files.push(png);
        }
        let outputs: Vec<Output<'_>> = (paths.iter().zip(&files))
            .map(|(path, png)| Output { path: path.clone(), bytes: png, may_replace: !is_sequence })
            .collect();
        save_set(&outputs, inputs).map_err(refused)?;
    }
    Ok(ImageExportOutcome {
        path: paths.first().unwrap_or(path).clone(),
        num_files: paths.len(),
        num_bytes,
    })
}

/// Renders the view of `state` as a still image; an error is a sentence.
pub(super) async fn still(choice: &ImageExportChoice, state: &AppState) -> Result<Image, String> {
    ViewRenderer::new().await?.image(state, choice, 0).await
}

/// Rejects targets that must not be overwritten before any work is done.
fn refuse(paths: &[PathBuf], inputs: &Inputs, is_sequence: bool) -> Result<(), String> {
    for path in paths {
        check_target(path, !is_sequence, inputs).map_err(|error| match error.refusal {
            // The window has no `--force` option to suggest.
            Refusal::Exists => format!("{} already exists", path.display()),
            _ => error.to_string(),
        })?;
    }
    Ok(())
}

/// A device with the uploaded models.
pub(super) struct ViewRenderer {
    gpu: Gpu,
    renderer: Renderer,
    view: View3d,
}

impl ViewRenderer {
    pub(super) async fn new() -> Result<Self, String> {
        let gpu = Gpu::open().await.map_err(|error| error.to_string())?;
        Ok(Self { renderer: Renderer::new(&gpu), view: View3d::default(), gpu })
    }

    /// Image `number` of a sequence.
    pub(super) async fn image(
        &mut self,
        state: &AppState,
        choice: &ImageExportChoice,
        number: u32,
    ) -> Result<Image, String> {
        let wanted = ImageOptions {
            background: if choice.is_transparent {
                Background::Transparent
            } else {
                page_background(state).unwrap_or_default()
            },
            halvings: choice.supersampling.max(1).ilog2(),
            has_marks: choice.has_overlays,
        };
        let state = state.of_image(choice, number);
        self.view.image(&self.gpu, &self.renderer, &state, &wanted).await
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;

    use super::*;
    use rigscope_cli::{Cli, Output};
    use rigscope_core::model::{ClipId, TextureRole};
    use rigscope_core::visual::{Backdrop, Coloring, DrawnWith, Light, Show, Switch};
    use rigscope_io::formats::{ReadOptions, Source, open};
    use rigscope_state::{
        Action, Command, Document, ImageSlot, JobId, LoadReason, Origin, Settings, UserImage,
        UserImageAction,
    };

    /// A window with the sample opened from a file in `folder`.
    fn opened(folder: &Path) -> AppState {
        let bytes = rigscope_assets::SAMPLE.to_vec();
        let path = folder.join("it's a sample.bsm2");
        std::fs::write(&path, &bytes).unwrap();
        let source = Source::new("it's a sample.bsm2", bytes);
        let report = Report::new();
        let found = open(&source, &ReadOptions::default(), &report).unwrap();
        let request = AppState::request(Origin::File(path), LoadReason::Open);
        let document = Document::new(&request, source.content.clone(), found, &report).unwrap();
        let mut state = AppState::new(Settings::default());
        state.apply(Action::ViewSized(glam::Vec2::new(200.0, 120.0)));
        state.apply(Action::Start(request));
        let id = state.job.as_ref().unwrap().id;
        state.apply(Action::Loaded { id, document: Box::new(document), clock: String::new() });
        state
    }

    fn request(path: PathBuf, choice: ImageExportChoice) -> ImageExportRequest {
        ImageExportRequest {
            id: JobId::default(),
            path,
            choice: ImageExportChoice { size_px: [200, 120], ..choice },
        }
    }

    fn pixels(path: &Path) -> Vec<u8> {
        image::open(path).unwrap().to_rgba8().into_raw()
    }

    fn write_now(
        request: &ImageExportRequest,
        state: &AppState,
    ) -> Result<ImageExportOutcome, String> {
        pollster::block_on(write(request, state, &Inputs::none(), &Report::new()))
    }

    /// Splits a shell command line into words.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match c {
                '\'' => is_quoted ^= true,
                '\\' if !is_quoted => word.extend(chars.next()),
                ' ' if !is_quoted => words.push(std::mem::take(&mut word)),
                c => word.push(c),
            }
        }
        words.push(word);
        words
    }

    /// The image drawn by the command line of `state`.
    fn by_command_line(state: &AppState, folder: &Path) -> Vec<u8> {
        let path = folder.join("by command.png");
        let mut words = words(&state.command_line().unwrap());
        let at = words.iter().position(|word| word == "image.png").unwrap();
        words[at] = path.display().to_string();
        words.push("--force".into());
        let cli = Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{error}"));
        let exit = rigscope_cli::run(&cli.command.unwrap(), &Output::of_process());
        assert_eq!(format!("{exit:?}"), "Done");
        pixels(&path)
    }

    #[test]
    #[cfg_attr(windows, ignore = "this test splits commands as other shells do")]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn the_command_line_renders_the_image_of_the_view() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = opened(folder.path());
        let path = folder.path().join("view.png");
        let mut last = Vec::new();
        for change in 0..8 {
            match change {
                0 => {}
                1 => {
                    state.apply(Action::SetClip(ClipId(1)));
                    state.apply(Action::Seek(state.clip_range().end_secs * 0.37));
                    state.apply(Action::Orbit { yaw_rad: 2.2, pitch_rad: 0.31 });
                    state.apply(Action::Pan(glam::Vec2::new(31.0, -7.0)));
                }
                2 => {
                    state.apply(Action::Run(Command::ToggleProjection));
                    state.apply(Action::Run(Command::switch(Switch::Bones)));
                    state.apply(Action::SetVisible(0, false));
                    state.apply(Action::SetColor(1, [0.9, 0.1, 0.05]));
                }
                4 => {
                    state.apply(Action::Run(Command::ToggleDecomposed));
                }
                6 => {
                    // Linear blending collapses joints, where the two kinds of normals differ.
                    state.apply(Action::Run(Command::ToggleLinear));
                }
                7 => {
                    state.apply(Action::Run(Command::ToggleExactNormals));
                }
                5 => {
                    state.apply(Action::Run(Command::switch(Switch::Normals)));
                    state.apply(Action::Run(Command::switch(Switch::Tangents)));
                }
                _ => {
                    state.apply(Action::Run(Command::ToggleLinear));
                    state.apply(Action::Run(Command::switch(Switch::Wireframe)));
                    state.apply(Action::Run(Command::coloring(Coloring::Normals)));
                    let bone = rigscope_core::model::BoneId(2);
                    state.apply(Action::Select(rigscope_state::Selection::Bone(bone)));
                }
            }
            let wanted = request(path.clone(), ImageExportChoice::default());
            write_now(&wanted, &state).unwrap();
            let seen = pixels(&path);
            assert_ne!(seen, last, "change {change} changes nothing");
            let drawn = by_command_line(&state, folder.path());
            let off = seen.iter().zip(&drawn).filter(|(a, b)| a != b).count();
            assert_eq!(off, 0, "change {change}: {}", state.command_line().unwrap());
            last = seen;
        }
    }

    #[test]
    #[cfg_attr(windows, ignore = "this test splits commands as other shells do")]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn replaced_images_are_rendered_and_a_light_is_in_the_command_line() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = opened(folder.path());
        // The sample has no materials, so the light shows in the background.
        let light = Light { backdrop: Backdrop::Sharp, ..Light::USUAL };
        state.apply(Action::SetLight(light));
        let path = folder.path().join("view.png");
        let wanted = request(path.clone(), ImageExportChoice::default());
        let seen = |state: &AppState| {
            write_now(&wanted, state).unwrap();
            pixels(&path)
        };
        let studio = seen(&state);
        let sky = folder.path().join("red sky.hdr");
        let red = |_, y| image::Rgb([4.0, 0.1 * y as f32, 0.0]);
        image::Rgb32FImage::from_fn(16, 8, red).save(&sky).unwrap();
        let slot = ImageSlot::Environment;
        let image = UserImage::new(slot, sky.clone(), std::fs::read(&sky).unwrap());
        let took = UserImageAction::Loaded(slot, sky, image.map(std::sync::Arc::new));
        state.apply(Action::UserImage(took));
        let red = seen(&state);
        assert_ne!(red, studio);
        assert_eq!(red, by_command_line(&state, folder.path()));
        state.apply(Action::UserImage(UserImageAction::Reset(slot)));
        assert_eq!(seen(&state), studio);

        let slot = ImageSlot::Texture(rigscope_core::model::MaterialId(0), TextureRole::BaseColor);
        let green = folder.path().join("green.png");
        image::RgbaImage::from_pixel(4, 4, image::Rgba([0, 255, 0, 255])).save(&green).unwrap();
        let image = UserImage::new(slot, green.clone(), std::fs::read(&green).unwrap());
        let took = UserImageAction::Loaded(slot, green, image.map(std::sync::Arc::new));
        state.apply(Action::UserImage(took));
        assert_ne!(seen(&state), studio);
        state.apply(Action::Run(Command::Undo));
        assert_eq!(seen(&state), studio);
    }

    #[test]
    fn every_image_option_is_in_the_command_line() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = opened(folder.path());
        assert_eq!(state.beyond_command_line(), [""; 0]);
        state.tab.view.overlays = Show {
            surface: true,
            textures: true,
            checker: true,
            subset_colors: true,
            wireframe: true,
            normals: true,
            tangents: true,
            bitangents: true,
            points: true,
            bones: true,
            bones_on_top: true,
            grid: true,
            axes: true,
            two_sided: true,
            flat: true,
            ground_shadow: true,
            ambient_occlusion: true,
            ..Default::default()
        };
        let words = words(&state.command_line().unwrap());
        let list = words.iter().find_map(|word| word.strip_prefix("--show="));
        let shown: Vec<&str> = list.unwrap().split(',').collect();
        let drawn = Switch::all().map(Switch::info);
        let drawn = drawn.filter(|info| info.drawn_with != DrawnWith::Marks);
        assert_eq!(shown, drawn.filter_map(|info| info.word).collect::<Vec<_>>());
        state.apply(Action::Run(Command::LargerBones));
        state.tab.view.overlays.glyph_permille *= 2;
        assert_eq!(state.beyond_command_line(), ["the length of direction lines", "the bone size"]);
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn frames_are_numbered_start_with_the_still_and_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let state = opened(folder.path());
        let at = |name: &str| folder.path().join(name);
        let still = request(at("still.png"), ImageExportChoice::default());
        write_now(&still, &state).unwrap();
        let turn = ImageExportChoice {
            kind: ImageExportKind::Turntable,
            num_images: 3,
            ..ImageExportChoice::default()
        };
        let turn = request(at("turn.png"), turn);
        let outcome = write_now(&turn, &state).unwrap();
        assert_eq!(outcome.num_files, 3);
        assert_eq!(outcome.path, at("turn_0000.png"));
        assert_eq!(pixels(&at("turn_0000.png")), pixels(&at("still.png")));
        assert_ne!(pixels(&at("turn_0001.png")), pixels(&at("still.png")));
        let error = write_now(&turn, &state).unwrap_err();
        assert!(error.contains("already exists"), "{error}");
        let inputs = Inputs::of([at("still.png")]);
        let error = pollster::block_on(write(&still, &state, &inputs, &Report::new())).unwrap_err();
        assert!(error.contains("never overwritten"), "{error}");
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn a_transparent_image_without_overlays_shows_only_the_model() {
        let folder = tempfile::tempdir().unwrap();
        let state = opened(folder.path());
        let path = folder.path().join("alone.png");
        let choice = ImageExportChoice {
            is_transparent: true,
            has_overlays: false,
            supersampling: 4,
            ..ImageExportChoice::default()
        };
        write_now(&request(path.clone(), choice), &state).unwrap();
        let pixels = pixels(&path);
        let (pixels, _) = pixels.as_chunks::<4>();
        let empty = pixels.iter().filter(|pixel| pixel[3] == 0).count();
        let solid = pixels.iter().filter(|pixel| pixel[3] == 255).count();
        assert!(empty > pixels.len() / 3 && solid > pixels.len() / 20);
        assert_eq!(pixels[0][3], 0);
    }

    #[test]
    #[cfg_attr(no_gpu, ignore = "no GPU")]
    fn a_cancelled_job_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let state = opened(folder.path());
        let cancel = rigscope_core::model::CancelToken::default();
        cancel.cancel();
        let report = Report::with_progress(|_| {}, cancel);
        let gif = ImageExportChoice {
            kind: ImageExportKind::Clip,
            format: ImageExportFormat::Gif,
            ..ImageExportChoice::default()
        };
        let path = folder.path().join("walk.gif");
        let error = pollster::block_on(write(
            &request(path.clone(), gif),
            &state,
            &Inputs::none(),
            &report,
        ))
        .unwrap_err();
        assert_eq!(error, "cancelled");
        assert!(!path.exists());
    }
}
