//! Shader modules on a device.

pub(crate) use rigscope_shaders::*;

/// The module of `shader` on `device`.
pub(crate) fn module(shader: &ShaderSource, device: &wgpu::Device) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(shader.name),
        source: wgpu::ShaderSource::Wgsl(shader.text.into()),
    })
}
