//! Draws egui's triangles into the window or into an image.
//!
//! Not for: egui's textures, which `egui_wgpu` manages, and which parts are painted again (`app`).
//!
//! The pipeline of `egui_wgpu` can also filter textures in the shader, depending on a uniform. Software
//! adapters run both sides of every branch, which made painting the window several times slower.

use std::num::NonZeroU64;
use std::ops::Range;

use bytemuck::{bytes_of, cast_slice};

use crate::bind::bind_group;
use crate::buffers::{empty, filled};
use crate::pipelines::ui_pipeline;
use crate::{Gpu, Renderer, SceneError};

/// Enough for a small window.
const MIN_BYTES: usize = 1 << 16;

/// Triangles with the same texture.
#[derive(Clone, Copy, Debug, Default)]
pub struct UiMesh<'a> {
    /// 20 bytes each: position in points from the upper left corner and UV in 0..=1, two floats each, then
    /// four bytes of premultiplied sRGB colour.
    pub vertices: &'a [u8],
    /// Three per triangle.
    pub indices: &'a [u32],
}

/// Draws egui's triangles into targets of one format.
#[derive(Debug)]
pub struct UiPainter {
    pipeline: wgpu::RenderPipeline,
    /// Size of the target, in points.
    size: wgpu::Buffer,
    bind: wgpu::BindGroup,
    /// Vertices and indices of all meshes.
    buffers: Option<[wgpu::Buffer; 2]>,
    /// The contents of `buffers`.
    bytes: [Vec<u8>; 2],
    /// Byte ranges of the vertices and the indices of each mesh.
    meshes: Vec<[Range<u64>; 2]>,
}

impl UiPainter {
    /// For targets of `format`.
    ///
    /// # Errors
    /// If the device has too little memory.
    pub fn new(
        gpu: &Gpu,
        renderer: &Renderer,
        format: wgpu::TextureFormat,
    ) -> Result<Self, SceneError> {
        let layout = &renderer.kernels.layouts.ui;
        let size = filled(gpu, "ui", bytes_of(&[1f32; 2]), wgpu::BufferUsages::UNIFORM)?;
        Ok(Self {
            pipeline: ui_pipeline(gpu, [layout, &texture_layout(&gpu.device)], format),
            bind: bind_group(&gpu.device, "ui", layout, &[&size]),
            size,
            buffers: None,
            bytes: [Vec::new(), Vec::new()],
            meshes: Vec::new(),
        })
    }

    /// Uploads the meshes for [`Self::draw`], on a target of this size.
    ///
    /// # Errors
    /// If they don't fit on the device; then nothing is drawn.
    pub fn write<'a>(
        &mut self,
        gpu: &Gpu,
        size_points: [f32; 2],
        meshes: impl IntoIterator<Item = UiMesh<'a>>,
    ) -> Result<(), SceneError> {
        self.meshes.clear();
        self.bytes.iter_mut().for_each(Vec::clear);
        let [vertices, indices] = &mut self.bytes;
        for mesh in meshes {
            let [first_vertex, first_index] = [vertices.len() as u64, indices.len() as u64];
            vertices.extend_from_slice(mesh.vertices);
            indices.extend_from_slice(cast_slice(mesh.indices));
            let own = [first_vertex..vertices.len() as u64, first_index..indices.len() as u64];
            self.meshes.push(own);
        }
        let fits = |buffers: &[wgpu::Buffer; 2]| {
            buffers.iter().zip(&self.bytes).all(|(buffer, all)| buffer.size() >= all.len() as u64)
        };
        if !self.buffers.as_ref().is_some_and(fits) {
            self.buffers = None;
            // Twice the current size, so that few frames reallocate.
            let [vertices, indices] =
                self.bytes.each_ref().map(|all| all.len().max(MIN_BYTES) as u64 * 2);
            self.buffers = Some([
                empty(gpu, "ui vertices", vertices, wgpu::BufferUsages::VERTEX)?,
                empty(gpu, "ui indices", indices, wgpu::BufferUsages::INDEX)?,
            ]);
        }
        gpu.queue.write_buffer(&self.size, 0, bytes_of(&size_points));
        for (buffer, all) in self.buffers.iter().flatten().zip(&self.bytes) {
            gpu.queue.write_buffer(buffer, 0, all);
        }
        Ok(())
    }

    /// Prepares the pass for a target of this size.
    pub fn begin(&self, pass: &mut wgpu::RenderPass<'_>, size_px: [u32; 2]) {
        let [width, height] = size_px.map(|side| side as f32);
        pass.set_viewport(0.0, 0.0, width, height, 0.0, 1.0);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind, &[]);
    }

    /// Draws the uploaded mesh `number` within the current scissor rectangle. `texture` is the bind group
    /// from `egui_wgpu`.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, number: usize, texture: &wgpu::BindGroup) {
        let Some(([vertices, indices], [of_vertices, of_indices])) =
            self.buffers.as_ref().zip(self.meshes.get(number))
        else {
            return;
        };
        if of_vertices.is_empty() || of_indices.is_empty() {
            return;
        }
        let num_indices = (of_indices.end - of_indices.start) / size_of::<u32>() as u64;
        pass.set_bind_group(1, texture, &[]);
        pass.set_vertex_buffer(0, vertices.slice(of_vertices.clone()));
        pass.set_index_buffer(indices.slice(of_indices.clone()), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..u32::try_from(num_indices).unwrap_or(u32::MAX), 0, 0..1);
    }
}

/// A texture to draw the UI into, and to copy or read afterwards.
#[must_use]
pub fn ui_image(
    gpu: &Gpu,
    label: &str,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// Equal to the layout in `egui_wgpu`, so its bind groups are compatible.
fn texture_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let types = [
        wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
        wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: NonZeroU64::new(16),
        },
    ];
    let entries: Vec<_> = (0..)
        .zip(types)
        .map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("ui texture"),
        entries: &entries,
    })
}
