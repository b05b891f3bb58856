//! Pictures without a window.

use super::Error;
use rigscope_core::camera::Camera;
use rigscope_core::model::{Model, Report};
use rigscope_core::pose::{BoneAnchors, PoseSpec, bone_shapes, posed_bounds, sample};
use rigscope_gpu::headless::{Image, write_png};
use rigscope_gpu::{Background, FrameInput, Light, Show, Studio};

/// What a picture shows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PictureOptions {
    /// Which pose.
    pub pose: PoseSpec,
    /// Width and height in pixels.
    pub size_px: [u32; 2],
    /// How far the camera goes round the model and up, degrees; none: as the window opens.
    pub angles_deg: Option<[f32; 2]>,
    /// What is drawn, as `rigscope render --show` takes it; none: as the window opens.
    pub show: Option<String>,
    /// Nothing behind the model.
    pub is_transparent: bool,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            pose: PoseSpec::default(),
            size_px: [1280, 800],
            angles_deg: None,
            show: None,
            is_transparent: false,
        }
    }
}

/// A picture in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture(Image);

impl Picture {
    /// Width and height in pixels.
    pub fn size_px(&self) -> [u32; 2] {
        [self.0.width, self.0.height]
    }

    /// sRGB and straight alpha, 4 bytes a pixel, row after row from the top.
    pub fn rgba8(&self) -> &[u8] {
        &self.0.rgba8
    }

    /// The same, taken out.
    pub fn into_rgba8(self) -> Vec<u8> {
        self.0.rgba8
    }

    /// The bytes of a PNG file.
    ///
    /// # Errors
    /// When it cannot be encoded.
    pub fn png(&self) -> Result<Vec<u8>, Error> {
        write_png(&self.0).map_err(|error| Error::Internal { reason: error.to_string() })
    }
}

/// Draws a model, framed, on whatever GPU there is, drawn in software if need be; with the feature
/// `gpu` alone.
///
/// # Errors
/// When there is no GPU, it cannot hold the model, or `show` has unknown words.
///
/// # Examples
/// ```no_run
/// use rigscope::PictureOptions;
///
/// let model = rigscope::open("assets/sample.bsm2")?.model;
/// let mut options = PictureOptions::default();
/// options.pose.clip = model.find_clip("wave");
/// options.show = Some("surface,bones,grid".into());
/// std::fs::write("sample.png", rigscope::picture(&model, &options)?.png()?).unwrap();
/// # Ok::<(), rigscope::Error>(())
/// ```
pub fn picture(model: &Model, options: &PictureOptions) -> Result<Picture, Error> {
    let show = match &options.show {
        Some(list) => Show::parse(list).map_err(|reason| Error::BadOption { reason })?,
        None => Show { light: Light::PLAIN, ..Show::default() },
    };
    let failed = |error: rigscope_gpu::StudioError| Error::NoPicture { reason: error.to_string() };
    let mut studio = Studio::new(model, &Report::new()).map_err(failed)?;
    let bounds = posed_bounds(model, &options.pose);
    let mut camera = Camera::default();
    if let Some([around, up]) = options.angles_deg {
        (camera.yaw_rad, camera.pitch_rad) = (0.0, 0.0);
        camera.orbit(around.to_radians(), up.to_radians());
    }
    let [width, height] = options.size_px;
    camera.frame(&bounds, width as f32 / height as f32);
    let bones = match studio.shows_bones(&show) {
        true => bone_shapes(model, &sample(model, &options.pose), &BoneAnchors::of(model)),
        false => Vec::new(),
    };
    let input = FrameInput {
        camera,
        bounds,
        pose: options.pose,
        show,
        bones: &bones,
        background: match options.is_transparent {
            true => Background::Transparent,
            false => Background::Gradient,
        },
        ..FrameInput::default()
    };
    let image = studio.image(options.size_px, &input).map_err(failed)?;
    Ok(Picture(image))
}
