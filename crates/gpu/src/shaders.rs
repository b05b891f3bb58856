//! Shader modules.

pub(crate) use rigscope_shaders::*;

pub(crate) fn module(shader: &ShaderSource, device: &wgpu::Device) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(shader.name),
        source: wgpu::ShaderSource::Wgsl(shader.text.into()),
    })
}
