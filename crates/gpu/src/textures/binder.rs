//! Bind groups of materials.

use bytemuck::bytes_of;
use glam::{Vec3, Vec4};

use super::checker;
use super::images::{Texture, Textures};
use super::input::{Maps, MaterialInput, Transforms};
use super::paint::Paint;
use super::pixels::ColorSpace;
use super::pixels::MipLevel;
use super::requirements::{BaseColor, MapImage, TexturedMaterial, space_of};
use super::upload::{Samplers, srgb_texture};
use crate::bind::{Layouts, bind_resources};
use crate::buffers::filled;
use crate::{Gpu, SceneError};
use glam::Affine2;
use rigscope_core::model::{AlphaMode, MaterialLook, RoleInfo, TextureRef, TextureRole, Wrap};

/// The look of a material.
#[derive(Clone, Copy, Debug)]
pub(super) struct MaterialDraw {
    /// Under plain light.
    pub(super) paint: Paint,
    /// Replaces the subset's colour (linear RGB) under plain light.
    pub(super) color: Option<[f32; 3]>,
    /// When lit by an environment. For materials without textures, created on first use.
    pub(super) lit: Option<Paint>,
    pub(super) look: MaterialLook,
    /// Clips move its textures.
    pub(super) moves_textures: bool,
    /// The look outside clips, if clips animate it.
    pub(super) at_rest: Option<MaterialLook>,
}

/// The properties that determine the shaders of a material that clips animate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peak {
    /// The most visible value of each parameter.
    pub(super) look: MaterialLook,
    /// Clips move its textures.
    pub(super) moves_textures: bool,
}

/// Creates the bind groups of materials.
pub(super) struct Binder<'a> {
    gpu: &'a Gpu,
    layouts: &'a Layouts,
    textures: Textures,
    samplers: Samplers,
    white: wgpu::TextureView,
    missing: Option<wgpu::TextureView>,
    pub(super) binds: Vec<BoundMaterial>,
}

impl<'a> Binder<'a> {
    pub(super) fn new(gpu: &'a Gpu, layouts: &'a Layouts, textures: Textures) -> Self {
        let white = MipLevel { width: 1, height: 1, rgba8: vec![u8::MAX; 4] };
        Self {
            gpu,
            layouts,
            textures,
            samplers: Samplers::default(),
            white: srgb_texture(gpu, "white", white),
            missing: None,
            binds: Vec::new(),
        }
    }

    /// Binds a material and returns its look.
    pub(super) fn shown(
        &mut self,
        textured: &TexturedMaterial<'_>,
        peak: Option<&Peak>,
    ) -> Result<MaterialDraw, SceneError> {
        let found = |textures: &Textures, image, space| textures.get(&(image, space)).cloned()?;
        let (base, base_ref) = match textured.base_color {
            BaseColor::Plain => (Some(Texture { view: self.white.clone(), is_solid: true }), None),
            BaseColor::Image(image, texture) => {
                (found(&self.textures, image, ColorSpace::Srgb), Some(texture))
            }
            BaseColor::Missing(texture) => (None, Some(texture)),
        };
        let is_missing = base.is_none();
        let is_base_solid = base.as_ref().is_none_or(|base| base.is_solid);
        let base = base.map_or_else(|| self.missing(), |base| base.view);
        let mut views = MaterialViews {
            base: Some((base, base_ref)),
            has_thin_base: !is_base_solid,
            is_base_encoded_twice: textured.is_encoded_twice && !is_missing,
            normal: map(&self.textures, textured.normal),
            metallic: map(&self.textures, textured.metallic),
            roughness: map(&self.textures, textured.roughness),
            occlusion: map(&self.textures, textured.occlusion),
            emissive: map(&self.textures, textured.emissive),
        };
        let mut look = textured.look.unwrap_or_default();
        if is_missing {
            // The checker is opaque and replaces everything else about the material.
            look.alpha = AlphaMode::Opaque;
            look.base_color = Vec4::ONE;
            look.emissive = Vec3::ZERO;
            views.emissive = None;
        }
        let peak = peak.filter(|_| !is_missing);
        let at = self.bind(&look, peak, &views)?;
        let paint = match look.alpha {
            _ if look.is_depth_only => Paint::DepthOnly,
            AlphaMode::Blend => Paint::Blended(at),
            AlphaMode::Opaque | AlphaMode::Mask(_) => Paint::Opaque(at),
        };
        Ok(MaterialDraw {
            paint,
            lit: Some(lit(paint, at, peak.map_or(&look, |peak| &peak.look))),
            // The colour is in the material's uniform.
            color: textured.look.map(|_| [1.0; 3]),
            look,
            moves_textures: peak.is_some_and(|peak| peak.moves_textures),
            at_rest: peak.map(|_| look),
        })
    }

    fn missing(&mut self) -> wgpu::TextureView {
        let gpu = self.gpu;
        let make = || srgb_texture(gpu, "missing texture", checker::missing());
        self.missing.get_or_insert_with(make).clone()
    }

    /// Binds a material without textures for lighting by an environment.
    pub(super) fn lit(
        &mut self,
        look: &MaterialLook,
        peak: Option<&Peak>,
    ) -> Result<Paint, SceneError> {
        let at = self.bind(look, peak, &MaterialViews::default())?;
        Ok(lit(Paint::Opaque(at), at, peak.map_or(look, |peak| &peak.look)))
    }

    /// Binds a look with the available textures. Returns its index in `binds`.
    pub(super) fn bind(
        &mut self,
        look: &MaterialLook,
        peak: Option<&Peak>,
        views: &MaterialViews<'_>,
    ) -> Result<usize, SceneError> {
        let maps = Maps {
            base: views.base.as_ref().and_then(|(_, texture)| *texture),
            is_base_encoded_twice: views.is_base_encoded_twice,
            normal: of(&views.normal),
            metallic: of(&views.metallic),
            roughness: of(&views.roughness),
            occlusion: of(&views.occlusion),
            emissive: of(&views.emissive),
        };
        let input = MaterialInput::new(look, &maps);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = filled(self.gpu, "material", bytes_of(&input), usage)?;
        let base = views.base.as_ref().map(|(view, _)| view);
        let view = |map: &Option<(wgpu::TextureView, &TextureRef)>| {
            map.as_ref().map_or_else(|| self.white.clone(), |(view, _)| view.clone())
        };
        let bound = [
            (base.unwrap_or(&self.white).clone(), maps.base),
            (view(&views.normal), maps.normal),
            (view(&views.metallic), maps.metallic),
            (view(&views.roughness), maps.roughness),
            (view(&views.occlusion), maps.occlusion),
            (view(&views.emissive), maps.emissive),
        ];
        let bound = bound.map(|(view, texture)| {
            let wrap = texture.map_or([Wrap::Repeat; 2], |texture| texture.wrap);
            let role = texture.map(|texture| texture.role.info());
            let is_number =
                |role: &RoleInfo| role.metallic.or(role.roughness).or(role.occlusion).is_some();
            // Emissive textures are mostly black.
            let is_cheap =
                |role: &RoleInfo| self.gpu.caps.is_software && role.role == TextureRole::Emissive;
            let is_seen = !role.is_some_and(|role| is_number(role) || is_cheap(role));
            (view, self.samplers.get(self.gpu, wrap, is_seen).clone())
        });
        let textures = bound.iter().flat_map(|(view, sampler)| {
            [wgpu::BindingResource::TextureView(view), wgpu::BindingResource::Sampler(sampler)]
        });
        let resources = std::iter::once(buffer.as_entire_binding()).chain(textures);
        let layout = &self.layouts.material;
        let group = bind_resources(&self.gpu.device, "material", layout, resources);
        let moves_textures = peak.is_some_and(|peak| peak.moves_textures);
        let peak = peak.map_or(look, |peak| &peak.look);
        let is_thin = views.has_thin_base || peak.base_color.w < 1.0 || peak.transmission > 0.0;
        let flags = MaterialInput::flags(peak, &maps, moves_textures);
        let roles = maps.all().map(|texture| texture.map(|texture| texture.role));
        let at_rest = maps.transforms();
        let bound = BoundMaterial { group, flags, is_thin, buffer, input, roles, at_rest };
        self.binds.push(bound);
        Ok(self.binds.len() - 1)
    }
}

/// The bind group of a material.
#[derive(Clone, Debug)]
pub(crate) struct BoundMaterial {
    pub(crate) group: wgpu::BindGroup,
    /// Flags of [`MaterialInput`] that its pipelines are specialized for.
    pub(crate) flags: u32,
    /// It may be translucent.
    pub(crate) is_thin: bool,
    buffer: wgpu::Buffer,
    /// The contents of `buffer`.
    input: MaterialInput,
    /// The roles of its textures.
    roles: [Option<TextureRole>; 6],
    /// Their transforms outside clips.
    at_rest: Transforms,
}

impl BoundMaterial {
    /// Shows `look` with the same textures, with the transforms that `posed` returns for them.
    pub(super) fn pose(
        &mut self,
        gpu: &Gpu,
        look: &MaterialLook,
        posed: impl Fn(TextureRole, &Affine2) -> Option<Affine2>,
    ) {
        let mut transforms = self.at_rest;
        for (transform, role) in transforms.iter_mut().zip(self.roles) {
            if let Some(moved) = role.and_then(|role| posed(role, transform)) {
                *transform = moved;
            }
        }
        let input = self.input.with_look(look).with_transforms(&transforms);
        if input != self.input {
            gpu.queue.write_buffer(&self.buffer, 0, bytes_of(&input));
            self.input = input;
        }
    }
}

/// The textures of a material. White textures are bound for missing ones.
#[derive(Default)]
pub(super) struct MaterialViews<'a> {
    pub(super) base: Option<(wgpu::TextureView, Option<&'a TextureRef>)>,
    pub(super) is_base_encoded_twice: bool,
    /// The base colour may be translucent.
    pub(super) has_thin_base: bool,
    pub(super) normal: Map<'a>,
    pub(super) metallic: Map<'a>,
    pub(super) roughness: Map<'a>,
    pub(super) occlusion: Map<'a>,
    pub(super) emissive: Map<'a>,
}

type Map<'a> = Option<(wgpu::TextureView, &'a TextureRef)>;

fn map<'a>(textures: &Textures, found: MapImage<'a>) -> Map<'a> {
    let (image, texture) = found?;
    Some((textures.get(&(image, space_of(texture))).cloned()??.view, texture))
}

fn of<'a>(map: &Map<'a>) -> Option<&'a TextureRef> {
    map.as_ref().map(|(_, texture)| *texture)
}

/// The paint of the material bound at `at` when lit by an environment. Transmissive materials are blended.
fn lit(paint: Paint, at: usize, look: &MaterialLook) -> Paint {
    match paint {
        Paint::Opaque(_) if look.transmission > 0.0 => Paint::Blended(at),
        paint => paint,
    }
}
