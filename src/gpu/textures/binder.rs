//! Bind groups of materials.

use bytemuck::bytes_of;
use glam::Vec4;

use super::checker;
use super::images::Textures;
use super::input::MaterialInput;
use super::paint::Paint;
use super::pixels::Pixels;
use super::pixels::Space;
use super::upload::{Samplers, picture};
use super::wants::{BaseColor, Textured};
use crate::gpu::bind::Layouts;
use crate::gpu::buffers::filled;
use crate::gpu::{Gpu, SceneError};
use crate::model::{AlphaMode, TextureRef, Wrap};

/// How one material is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct MaterialDraw {
    pub(super) paint: Paint,
    /// Linear RGB in place of the subset's colour.
    pub(super) color: Option<[f32; 3]>,
}

/// Makes the bind groups of materials.
pub(super) struct Binder<'a> {
    gpu: &'a Gpu,
    layouts: &'a Layouts,
    textures: Textures,
    samplers: Samplers,
    white: wgpu::TextureView,
    missing: Option<wgpu::TextureView>,
    pub(super) binds: Vec<wgpu::BindGroup>,
}

impl<'a> Binder<'a> {
    pub(super) fn new(gpu: &'a Gpu, layouts: &'a Layouts, textures: Textures) -> Self {
        let white = Pixels { width: 1, height: 1, rgba8: vec![u8::MAX; 4] };
        Self {
            gpu,
            layouts,
            textures,
            samplers: Samplers::default(),
            white: picture(gpu, "white", white),
            missing: None,
            binds: Vec::new(),
        }
    }

    /// Binds a material and says how it is shown.
    pub(super) fn shown(&mut self, textured: &Textured<'_>) -> Result<MaterialDraw, SceneError> {
        let found = |textures: &Textures, image, space| textures.get(&(image, space)).cloned()?;
        let (base, base_ref) = match textured.base_color {
            BaseColor::Plain => (Some(self.white.clone()), None),
            BaseColor::Image(image, texture) => {
                (found(&self.textures, image, Space::Srgb), Some(texture))
            }
            BaseColor::Missing(texture) => (None, Some(texture)),
        };
        let is_missing = base.is_none();
        let base = base.unwrap_or_else(|| self.missing());
        let normal = textured.normal.and_then(|(image, texture)| {
            let view = found(&self.textures, image, Space::Linear)?;
            Some((view, texture))
        });
        let mut look = textured.look.unwrap_or_default();
        if is_missing {
            // The checker has no alpha, and nobody should look for what is not shown.
            look.alpha = AlphaMode::Opaque;
            look.base_color = Vec4::ONE;
        }
        let normal_ref = normal.as_ref().map(|(_, texture)| *texture);
        let input = MaterialInput::new(&look, base_ref, normal_ref);
        let wrap = base_ref.map_or([Wrap::Repeat; 2], |texture| texture.wrap);
        self.bind(&input, &base, wrap, normal)?;
        let at = self.binds.len() - 1;
        Ok(MaterialDraw {
            paint: match look.alpha {
                AlphaMode::Blend => Paint::Blended(at),
                AlphaMode::Opaque | AlphaMode::Mask(_) => Paint::Opaque(at),
            },
            // The material's colour is in its input.
            color: textured.look.map(|_| [1.0; 3]),
        })
    }

    fn missing(&mut self) -> wgpu::TextureView {
        let gpu = self.gpu;
        let make = || picture(gpu, "missing texture", checker::missing());
        self.missing.get_or_insert_with(make).clone()
    }

    pub(super) fn bind(
        &mut self,
        input: &MaterialInput,
        base: &wgpu::TextureView,
        base_wrap: [Wrap; 2],
        normal: Option<(wgpu::TextureView, &TextureRef)>,
    ) -> Result<(), SceneError> {
        let usage = wgpu::BufferUsages::UNIFORM;
        let buffer = filled(self.gpu, "material", bytes_of(input), usage)?;
        let base_sampler = self.samplers.get(self.gpu, base_wrap).clone();
        let (normal, normal_wrap) = match normal {
            Some((view, texture)) => (view, texture.wrap),
            None => (self.white.clone(), base_wrap),
        };
        let normal_sampler = self.samplers.get(self.gpu, normal_wrap);
        let resources = [
            buffer.as_entire_binding(),
            wgpu::BindingResource::TextureView(base),
            wgpu::BindingResource::Sampler(&base_sampler),
            wgpu::BindingResource::TextureView(&normal),
            wgpu::BindingResource::Sampler(normal_sampler),
        ];
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let device = &self.gpu.device;
        self.binds.push(device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("material"),
            layout: &self.layouts.material,
            entries: &entries,
        }));
        Ok(())
    }
}
