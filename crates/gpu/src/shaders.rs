//! Shader modules.

pub(crate) use rigscope_shaders::*;

pub(crate) fn module(shader: &ShaderSource, device: &wgpu::Device) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(shader.name),
        source: wgpu::ShaderSource::Wgsl(shader.text.into()),
    })
}

/// Lists the entry points of a new pipeline, for the tests that translate them to the languages of other systems.
pub(crate) fn list_pipeline(shader: &ShaderSource, entries: &[&str], constants: &[(&str, f64)]) {
    #[cfg(test)]
    crate::tests::translation::list_pipeline(shader, entries, constants);
    #[cfg(not(test))]
    let _ = (shader, entries, constants);
}
