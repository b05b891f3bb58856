//! The shaders, embedded, each with what it shares with the others in front.

/// One shader file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShaderSource {
    /// File name without `.wgsl`, which is also the label on the GPU.
    pub name: &'static str,
    /// The text: `common.wgsl`, then the file.
    pub text: &'static str,
}

macro_rules! shaders {
    ($($name:ident => $file:literal),+ $(,)?) => {
        $(pub(super) const $name: ShaderSource = ShaderSource {
            name: $file,
            text: concat!(
                include_str!("../../shaders/common.wgsl"),
                "\n",
                include_str!(concat!("../../shaders/", $file, ".wgsl")),
            ),
        };)+

        /// All shaders.
        pub const SHADERS: &[ShaderSource] = &[$($name),+];
    };
}

shaders! {
    PALETTE => "palette",
    SKIN_PACKED => "skin_packed",
    SKIN_STREAMS => "skin_streams",
    INFLUENCE_COUNTS => "influence_counts",
    BACKGROUND => "background",
    SURFACE => "surface",
    TEXTURED => "textured",
    LINES => "lines",
    WIREFRAME => "wireframe",
    POINTS => "points",
    GLYPHS => "glyphs",
    GHOST => "ghost",
    MARK_FACES => "mark_faces",
    MARK_LINES => "mark_lines",
    BONES => "bones",
    IDS => "ids",
    GRID => "grid",
    AXES => "axes",
}

impl ShaderSource {
    /// The shader on a device.
    pub(super) fn module(&self, device: &wgpu::Device) -> wgpu::ShaderModule {
        device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(self.text.into()),
        })
    }
}
