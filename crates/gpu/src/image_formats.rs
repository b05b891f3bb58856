//! Formats of the images that are drawn into.

/// What egui and PNG files see: bytes that are already sRGB.
pub(super) const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// What passes draw into: the GPU encodes and blends in linear light.
pub(super) const COLOR_VIEW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Reverse z wants floats: 1 is near, 0 is far.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// How near to the ground the model is: what touches it, and what is over it.
pub(super) const SHADOW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg8Unorm;
/// How much of the light around arrives, and how far away that is.
pub(super) const OCCLUSION_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Float;
/// Of the geometry buffer: directions and draw, and texture coordinates.
pub(super) const GEOMETRY_FORMATS: [wgpu::TextureFormat; 2] = [wgpu::TextureFormat::Rgba32Uint; 2];
/// Of each tile of it: which draws are there, as bits.
pub(super) const GEOMETRY_TILES_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;
/// Coverage by what is outlined.
pub(super) const MASK_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// What is under a pixel: its kind and draw, and its number.
pub(super) const ID_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg32Uint;
