//! The shaders, embedded, each with what it shares with the others in front.

/// One shader file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShaderSource {
    /// File name without `.wgsl`, which is also the label on the GPU.
    pub name: &'static str,
    /// The text: what it shares with others, then the file.
    pub text: &'static str,
}

/// `shader!("grid")` is shaders/grid.wgsl; files named before it come in front.
macro_rules! shader {
    ($($file:literal),+) => {
        $crate::gpu::shaders::ShaderSource {
            name: $crate::gpu::shaders::last_of(&[$($file),+]),
            text: concat!(
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/common.wgsl")),
                $("\n", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $file, ".wgsl")),)+
            ),
        }
    };
}
pub(super) use shader;

/// The name that the list ends with.
pub(super) const fn last_of(names: &[&'static str]) -> &'static str {
    match names.last() {
        Some(name) => name,
        None => "",
    }
}

pub(super) const PALETTE: ShaderSource = shader!("palette");
pub(super) const SKIN_PACKED: ShaderSource = shader!("skin", "skin_packed");
pub(super) const SKIN_STREAMS: ShaderSource = shader!("skin", "skin_streams");
pub(super) const INFLUENCE_COUNTS: ShaderSource = shader!("influence_counts");
pub(super) const CULL: ShaderSource = shader!("frame", "cull");
pub(super) const COPY: ShaderSource = shader!("copy");
pub(super) const BLIT: ShaderSource = shader!("blit");
pub(super) const PANELS: ShaderSource = shader!("panels");
pub(super) const OUTLINE: ShaderSource = shader!("frame", "outline");

pub(super) const GEOMETRY_TILES: ShaderSource =
    shader!("frame", "geometry_buffer", "geometry_tiles");
pub(super) const SHADOW_CAST: ShaderSource = shader!("frame", "mesh", "shadow_cast");
/// For one sample a pixel, and for several.
pub(super) const OCCLUSION: [ShaderSource; 2] = [
    shader!("frame", "occlusion", "occlusion_single"),
    shader!("frame", "occlusion", "occlusion_samples"),
];

impl ShaderSource {
    /// The shader on a device.
    pub(super) fn module(&self, device: &wgpu::Device) -> wgpu::ShaderModule {
        device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(self.text.into()),
        })
    }
}
