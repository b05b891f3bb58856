//! Images without a window.

use super::Error;
use rigscope_core::compare::Comparison;
use rigscope_core::model::{Model, Report};
use rigscope_core::pose::PoseSpec;
use rigscope_gpu::headless::{Image, write_png};
use rigscope_gpu::{Background, ImageRequest, ImageSequence, Light, Shot, Show, Studio};

/// Contents and size of an image.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RenderOptions {
    /// The pose of the model.
    pub pose: PoseSpec,
    /// Width and height in pixels.
    pub size_px: [u32; 2],
    /// Orbit of the camera, horizontal and vertical, in degrees; `None` for the initial view of the window.
    pub angles_deg: Option<[f32; 2]>,
    /// Overlays and colourings, in the syntax of `rigscope render --show`; `None` for those of a new window.
    pub show: Option<String>,
    /// Transparent background.
    pub is_transparent: bool,
}

impl Default for RenderOptions {
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

/// An image in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedImage(Image);

impl RenderedImage {
    /// Width and height in pixels.
    pub fn size_px(&self) -> [u32; 2] {
        [self.0.width, self.0.height]
    }

    /// sRGB with straight alpha, 4 bytes per pixel, rows from the top.
    pub fn rgba8(&self) -> &[u8] {
        &self.0.rgba8
    }

    /// The pixels of [`rgba8`](Self::rgba8), without a copy.
    pub fn into_rgba8(self) -> Vec<u8> {
        self.0.rgba8
    }

    /// The bytes of a PNG file.
    ///
    /// # Errors
    /// If encoding fails.
    pub fn png(&self) -> Result<Vec<u8>, Error> {
        write_png(&self.0).map_err(|error| Error::Internal { reason: error.to_string() })
    }
}

/// Draws a framed model on any GPU, or in software without a GPU. Requires the feature `gpu`.
///
/// # Errors
/// If there is no adapter, the model doesn't fit into its memory, or `show` has unknown words.
///
/// # Examples
/// ```no_run
/// use rigscope::RenderOptions;
///
/// let model = rigscope::open("assets/sample.bsm2")?.model;
/// let mut options = RenderOptions::default();
/// options.pose.clip = model.find_clip("wave");
/// options.show = Some("surface,bones,grid".into());
/// std::fs::write("sample.png", rigscope::render(&model, &options)?.png()?).unwrap();
/// # Ok::<(), rigscope::Error>(())
/// ```
pub fn render(model: &Model, options: &RenderOptions) -> Result<RenderedImage, Error> {
    let show = match &options.show {
        Some(list) => Show::parse(list).map_err(|reason| Error::BadOption { reason })?,
        None => Show { light: Light::PLAIN, ..Show::default() },
    };
    let request = ImageRequest {
        size_px: options.size_px,
        shots: vec![Shot { pose: options.pose, ..Shot::default() }],
        angles_rad: options.angles_deg.map(|angles| angles.map(f32::to_radians)),
        show,
        background: if options.is_transparent {
            Background::Transparent
        } else {
            Background::Gradient
        },
        ..ImageRequest::default()
    };
    request.check().map_err(|reason| Error::BadOption { reason: reason.to_owned() })?;
    draw(model, request)
}

/// Draws the second model of a comparison, coloured by the deviation of its vertices from those of the first: blue for
/// none, red for the largest, grey without a match. Requires the feature `gpu`.
///
/// # Errors
/// If there is no adapter, or the model doesn't fit into its memory.
pub fn render_heat_map(
    model: &Model,
    comparison: &Comparison,
    size_px: [u32; 2],
) -> Result<RenderedImage, Error> {
    let (request, _) = ImageRequest::heat_map(comparison);
    draw(model, ImageRequest { size_px, background: Background::Transparent, ..request })
}

fn draw(model: &Model, request: ImageRequest) -> Result<RenderedImage, Error> {
    let failed =
        |error: rigscope_gpu::StudioError| Error::CannotRender { reason: error.to_string() };
    let mut studio = Studio::new(model, &Report::new()).map_err(failed)?;
    let image = ImageSequence::new(request, model).image(&mut studio, model).map_err(failed)?;
    Ok(RenderedImage(image))
}
