//! Bind group layouts.

/// All layouts, shared by pipelines and the bind groups of scenes.
#[derive(Debug)]
pub(super) struct Layouts {
    /// Group 0 of all passes: the frame uniform.
    pub(super) frame: wgpu::BindGroupLayout,
    /// Group 1 of passes over triangles and vertices.
    pub(super) mesh: wgpu::BindGroupLayout,
    /// Group 1 of passes over records: bones, lines, faces.
    pub(super) records: wgpu::BindGroupLayout,
    /// Group 2 of passes over triangles with textures.
    pub(super) material: wgpu::BindGroupLayout,
    /// Group 3 of passes that are lit by an environment.
    pub(super) light: wgpu::BindGroupLayout,
    /// Group 1 of `outline.wgsl`.
    pub(super) masks: wgpu::BindGroupLayout,
    /// Group 1 of `ground_shadow.wgsl`.
    pub(super) shadow: wgpu::BindGroupLayout,
    /// Group 1 of `occlusion.wgsl`: single-sampled, multisampled.
    pub(super) depth: [wgpu::BindGroupLayout; 2],
    /// Group 3 of `peel.wgsl`: single-sampled, multisampled.
    pub(super) peel: [wgpu::BindGroupLayout; 2],
    /// Group 1 of `geometry_tiles.wgsl`.
    pub(super) geometry: wgpu::BindGroupLayout,
    /// Group 1 of `deferred.wgsl`.
    pub(super) deferred: wgpu::BindGroupLayout,
    /// Group 1 of `ambient_occlusion.wgsl` and `layers.wgsl`.
    pub(super) image: wgpu::BindGroupLayout,
    /// Group 0 of `ui.wgsl`.
    pub(super) ui: wgpu::BindGroupLayout,
    /// Group 0 of `palette.wgsl`.
    pub(super) palette: wgpu::BindGroupLayout,
    /// Group 0 of `skin_packed.wgsl`.
    pub(super) skin: wgpu::BindGroupLayout,
    /// Group 0 of `skin_streams.wgsl`.
    pub(super) skin_streams: wgpu::BindGroupLayout,
    /// Group 0 of `influence_counts.wgsl`.
    pub(super) influence_counts: wgpu::BindGroupLayout,
    /// Group 1 of `cull.wgsl`.
    pub(super) cull: wgpu::BindGroupLayout,
    /// Group 0 of `copy.wgsl`.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) copy: wgpu::BindGroupLayout,
}

/// The kind of resource in a binding.
#[derive(Clone, Copy)]
enum BindingKind {
    Uniform,
    Read,
    Write,
    Texture,
    Integers,
    Cube,
    Depth { is_multisampled: bool },
    Sampler,
}

impl Layouts {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        use BindingKind::{Cube, Depth, Integers, Read, Sampler, Texture, Uniform, Write};
        let render = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let compute = wgpu::ShaderStages::COMPUTE;
        Self {
            frame: layout(device, "frame", render | compute, &[Uniform]),
            mesh: layout(device, "mesh", render, &[Read, Read, Read, Read]),
            records: layout(device, "records", render, &[Read]),
            material: layout(
                device,
                "material",
                wgpu::ShaderStages::FRAGMENT,
                &[
                    Uniform, Texture, Sampler, Texture, Sampler, Texture, Sampler, Texture,
                    Sampler, Texture, Sampler, Texture, Sampler,
                ],
            ),
            light: layout(
                device,
                "light",
                wgpu::ShaderStages::FRAGMENT,
                &[Cube, Cube, Texture, Sampler],
            ),
            masks: layout(device, "masks", render, &[Texture, Texture, Sampler]),
            shadow: layout(device, "shadow", render, &[Texture, Sampler]),
            depth: [false, true].map(|is_multisampled| {
                layout(device, "depth", render, &[Depth { is_multisampled }])
            }),
            peel: [false, true].map(|is_multisampled| {
                layout(device, "peel", render, &[Depth { is_multisampled }; 2])
            }),
            deferred: layout(device, "deferred", render, &[Read, Integers, Integers, Integers]),
            geometry: layout(device, "geometry", render, &[Integers]),
            image: layout(device, "image", render, &[Texture]),
            ui: layout(device, "ui", render, &[Uniform]),
            palette: layout(device, "palette", compute, &[Uniform, Read, Read, Read, Write]),
            skin: layout(device, "skin packed", compute, &[Uniform, Read, Read, Write]),
            skin_streams: layout(
                device,
                "skin streams",
                compute,
                &[Uniform, Read, Read, Read, Read, Read, Read, Write],
            ),
            influence_counts: layout(device, "influence counts", compute, &[Uniform, Read, Write]),
            cull: layout(
                device,
                "cull",
                compute,
                &[Uniform, Read, Read, Read, Write, Write, Write, Write],
            ),
            #[cfg(not(target_arch = "wasm32"))]
            copy: layout(device, "copy", compute, &[Read, Write]),
        }
    }
}

impl BindingKind {
    fn binding(self) -> wgpu::BindingType {
        let buffer = |ty| wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        };
        match self {
            Self::Uniform => buffer(wgpu::BufferBindingType::Uniform),
            Self::Read => buffer(wgpu::BufferBindingType::Storage { read_only: true }),
            Self::Write => buffer(wgpu::BufferBindingType::Storage { read_only: false }),
            Self::Texture | Self::Cube => wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: true },
                view_dimension: match self {
                    Self::Cube => wgpu::TextureViewDimension::Cube,
                    _ => wgpu::TextureViewDimension::D2,
                },
                multisampled: false,
            },
            Self::Integers => wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Uint,
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            Self::Depth { is_multisampled } => wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Depth,
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: is_multisampled,
            },
            Self::Sampler => wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        }
    }
}

fn layout(
    device: &wgpu::Device,
    label: &str,
    visibility: wgpu::ShaderStages,
    bindings: &[BindingKind],
) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = (0..)
        .zip(bindings)
        .map(|(binding, holds)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty: holds.binding(),
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &entries,
    })
}

/// A bind group of whole buffers, numbered in order.
pub(super) fn bind_group(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    buffers: &[&wgpu::Buffer],
) -> wgpu::BindGroup {
    let resources: Vec<_> = buffers.iter().map(|buffer| buffer.as_entire_binding()).collect();
    bind_resources(device, label, layout, resources)
}

/// A bind group of any resources, numbered in order.
pub(super) fn bind_resources<'a>(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: impl IntoIterator<Item = wgpu::BindingResource<'a>>,
) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &entries,
    })
}

/// The bind group of meshes: skinned vertices, indices, draws, vertex values.
pub(super) fn mesh_bind(
    device: &wgpu::Device,
    layouts: &Layouts,
    buffers: [&wgpu::Buffer; 4],
) -> wgpu::BindGroup {
    bind_group(device, "mesh", &layouts.mesh, &buffers)
}
