//! Formats of render targets.

/// Bytes that are already sRGB, as egui and PNG files expect.
pub(super) const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Render passes write through this view, so that the GPU encodes sRGB and blends in linear light.
pub(super) const COLOR_VIEW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Floats for reversed depth: 1 is near, 0 is far.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Height of the model above the ground: contact in red, overhang in green.
pub(super) const SHADOW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg8Unorm;
/// Share of the ambient light that arrives, and the distance from the viewer.
pub(super) const OCCLUSION_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Float;
/// The geometry buffer: directions and draw; texture coordinates.
pub(super) const GEOMETRY_FORMATS: [wgpu::TextureFormat; 2] = [wgpu::TextureFormat::Rgba32Uint; 2];
/// The draws in each tile of the geometry buffer, as bits.
pub(super) const GEOMETRY_TILES_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
/// Coverage by outlined parts.
pub(super) const MASK_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// The pick image: kind and draw; index of the triangle, bone or vertex.
pub(super) const ID_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg32Uint;
