//! Materials as passes bind them.

use std::collections::{BTreeMap, HashMap};

use bytemuck::bytes_of;
use glam::{Affine2, Mat2, Vec3, Vec4};
use rayon::prelude::*;

use super::checker;
use super::decode::{self, MAX_TOTAL_BYTES, Pixels, Refusal};
use super::mips::{Space, chain};
use super::upload::{Samplers, picture, texture};
use super::uv_set::note_uv_sets;
use super::wants::{BaseColor, Textured, Want, images, wants};
use crate::gpu::buffers::filled;
use crate::gpu::gpu_data::MaterialInput;
use crate::gpu::{Gpu, Renderer, SceneError, Show};
use crate::model::{
    AlphaMode, BoneId, ImageId, MaterialId, MaterialLook, Mesh, Model, Place, Report, Skin,
    TextureRef, Wrap,
};

/// How a subset is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu) enum Paint {
    /// With its one colour.
    Plain,
    /// With a material that hides what is behind it.
    Opaque(usize),
    /// With a material that lets through what is behind it.
    Blended(usize),
    /// With the checker.
    Checker,
}

/// The materials of one model.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Materials {
    shown: HashMap<MaterialId, Shown>,
    binds: Vec<wgpu::BindGroup>,
    checker: Option<wgpu::BindGroup>,
    centers: HashMap<usize, Center>,
    num_textures: usize,
}

/// How one material is shown.
#[derive(Clone, Copy, Debug)]
struct Shown {
    paint: Paint,
    /// Linear RGB in place of the subset's colour.
    color: Option<[f32; 3]>,
}

/// The middle of a subset, mesh space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gpu) struct Center {
    pub(in crate::gpu) position: Vec3,
    /// What a mesh without skin hangs on.
    pub(in crate::gpu) bone: Option<BoneId>,
}

impl Materials {
    /// Decodes and uploads what the subsets of `model` need. Images that cannot be shown are noted.
    pub(in crate::gpu) fn upload(
        gpu: &Gpu,
        renderer: &Renderer,
        model: &Model,
        report: &Report,
    ) -> Result<Self, SceneError> {
        let wants = wants(model);
        let is_textured = |want: &Want<'_>| matches!(want, Want::Textured(_));
        let mut made = Self::default();
        if wants.values().any(is_textured) {
            note_uv_sets(model, report);
            let textures = upload_images(gpu, model, &images(&wants), report)?;
            made.num_textures = textures.values().flatten().count();
            let mut binder = Binder::new(gpu, renderer, textures);
            for (&id, want) in &wants {
                if let Want::Textured(textured) = want {
                    let shown = binder.shown(textured)?;
                    made.shown.insert(id, shown);
                }
            }
            made.binds = binder.binds;
        }
        for (id, want) in wants {
            if let Want::Color(color) = want {
                let paint = Paint::Plain;
                let color = Some(color);
                made.shown.insert(id, Shown { paint, color });
            }
        }
        made.find_centers(model);
        Ok(made)
    }

    /// How a subset with `material` is painted, and its colour where that is not its own.
    pub(in crate::gpu) fn of(
        &self,
        material: Option<MaterialId>,
        show: &Show,
    ) -> (Paint, Option<[f32; 3]>) {
        if show.checker {
            return (Paint::Checker, Some([1.0; 3]));
        }
        let shown = material.filter(|_| show.textures);
        let shown = shown.and_then(|id| self.shown.get(&id));
        shown.map_or((Paint::Plain, None), |shown| (shown.paint, shown.color))
    }

    /// What `paint` binds.
    pub(in crate::gpu) fn bind(&self, paint: Paint) -> Option<&wgpu::BindGroup> {
        match paint {
            Paint::Plain => None,
            Paint::Opaque(at) | Paint::Blended(at) => self.binds.get(at),
            Paint::Checker => self.checker.as_ref(),
        }
    }

    /// Makes the checker when it is first shown.
    pub(in crate::gpu) fn make_checker(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
    ) -> Result<(), SceneError> {
        if self.checker.is_none() {
            let mut binder = Binder::new(gpu, renderer, BTreeMap::new());
            let view = picture(gpu, "checker", checker::uv());
            let input = MaterialInput::new(&MaterialLook::default(), None, None);
            binder.bind(&input, &view, [Wrap::Repeat; 2], None)?;
            self.checker = binder.binds.pop();
        }
        Ok(())
    }

    /// The middle of subset `number`, counted over all meshes, where it is blended.
    pub(in crate::gpu) fn center(&self, number: usize) -> Option<Center> {
        self.centers.get(&number).copied()
    }

    /// Number of textures that were made from images.
    pub(in crate::gpu) fn num_textures(&self) -> usize {
        self.num_textures
    }

    fn find_centers(&mut self, model: &Model) {
        let is_blended = |shown: &Shown| matches!(shown.paint, Paint::Blended(_));
        if !self.shown.values().any(is_blended) {
            return;
        }
        let subsets = model.meshes.iter();
        let subsets = subsets.flat_map(|mesh| mesh.subsets.iter().map(move |s| (mesh, s)));
        for (number, (mesh, subset)) in subsets.enumerate() {
            let shown = subset.material.and_then(|id| self.shown.get(&id));
            if shown.is_some_and(is_blended) {
                self.centers.insert(number, center_of(mesh, subset.range()));
            }
        }
    }
}

fn center_of(mesh: &Mesh, range: std::ops::Range<usize>) -> Center {
    // A model made in code may not have been checked.
    let range = range.start..range.end.min(mesh.indices.len());
    let corners = range.filter_map(|at| mesh.position(mesh.indices.get(at)? as usize));
    let bounds = crate::model::Aabb::from_points(corners);
    Center {
        position: match bounds.is_empty() {
            true => Vec3::ZERO,
            false => bounds.center(),
        },
        bone: mesh.attached_to.filter(|_| matches!(mesh.skin, Skin::None)),
    }
}

/// What can be had of each image; `None` where it was refused.
type Textures = BTreeMap<(ImageId, Space), Option<wgpu::TextureView>>;

/// Decodes and uploads images, a few at a time, so that not all lie decoded in memory at once.
fn upload_images(
    gpu: &Gpu,
    model: &Model,
    wanted: &BTreeMap<(ImageId, Space), MaterialId>,
    report: &Report,
) -> Result<Textures, SceneError> {
    let mut textures = Textures::new();
    let mut accepted = Vec::new();
    let mut bytes_left = MAX_TOTAL_BYTES;
    let refuse = |material: MaterialId, refusal: Refusal| {
        let (kind, message) = refusal.note();
        report.note(kind, Place::Material(material.0), message);
    };
    for (&key, &material) in wanted {
        textures.insert(key, None);
        let Some(image) = model.images.get(key.0.index()) else {
            continue;
        };
        let header = decode::header(image, gpu.caps.max_texture);
        let header = header.and_then(|header| match header.num_bytes <= bytes_left {
            true => Ok(header),
            false => Err(Refusal::TooLarge(format!(
                "{:?} does not fit into the {MAX_TOTAL_BYTES} bytes that all images may take",
                image.name
            ))),
        });
        match header {
            Ok(header) => {
                bytes_left -= header.num_bytes;
                accepted.push((key, material, image, header));
            }
            Err(refusal) => refuse(material, refusal),
        }
    }
    let at_once = rayon::current_num_threads().max(1);
    for (number, some) in accepted.chunks(at_once).enumerate() {
        let fraction = (number * at_once) as f32 / accepted.len() as f32;
        report
            .progress("reading textures", fraction)
            .map_err(|_| SceneError::Cancelled)?;
        let decoded: Vec<Result<Vec<Pixels>, Refusal>> = some
            .par_iter()
            .map(|&((_, space), _, image, header)| {
                decode::pixels(image, header).map(|pixels| chain(pixels, space))
            })
            .collect();
        for (&(key, material, image, _), levels) in some.iter().zip(decoded) {
            match levels {
                Ok(levels) => {
                    let view = texture(gpu, &image.name, &levels, key.1);
                    textures.insert(key, Some(view));
                }
                Err(refusal) => refuse(material, refusal),
            }
        }
    }
    Ok(textures)
}

/// Makes the bind groups of materials.
struct Binder<'a> {
    gpu: &'a Gpu,
    renderer: &'a Renderer,
    textures: Textures,
    samplers: Samplers,
    white: wgpu::TextureView,
    missing: Option<wgpu::TextureView>,
    binds: Vec<wgpu::BindGroup>,
}

impl<'a> Binder<'a> {
    fn new(gpu: &'a Gpu, renderer: &'a Renderer, textures: Textures) -> Self {
        let white = Pixels {
            width: 1,
            height: 1,
            rgba8: vec![u8::MAX; 4],
        };
        Self {
            gpu,
            renderer,
            textures,
            samplers: Samplers::default(),
            white: picture(gpu, "white", white),
            missing: None,
            binds: Vec::new(),
        }
    }

    /// Binds a material and says how it is shown.
    fn shown(&mut self, textured: &Textured<'_>) -> Result<Shown, SceneError> {
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
        Ok(Shown {
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

    fn bind(
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
        self.binds
            .push(device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("material"),
                layout: &self.renderer.layouts.material,
                entries: &entries,
            }));
        Ok(())
    }
}

impl MaterialInput {
    fn new(look: &MaterialLook, base: Option<&TextureRef>, normal: Option<&TextureRef>) -> Self {
        let from_uv = |texture: Option<&TextureRef>| {
            let texture = texture.and_then(|texture| texture.texture_from_uv.as_deref());
            texture.copied().unwrap_or(Affine2::IDENTITY)
        };
        let rows = |m: Affine2| {
            let (x, y, t) = (m.matrix2.x_axis, m.matrix2.y_axis, m.translation);
            [Vec4::new(x.x, y.x, t.x, 0.0), Vec4::new(x.y, y.y, t.y, 0.0)]
        };
        let (cutoff, is_blended) = match look.alpha {
            AlphaMode::Opaque => (f32::MIN, false),
            AlphaMode::Mask(cutoff) => (cutoff, false),
            AlphaMode::Blend => (f32::MIN, true),
        };
        let flags = [
            (normal.is_some(), Self::NORMAL_MAP),
            (look.is_two_sided, Self::TWO_SIDED),
            (look.is_unlit, Self::UNLIT),
            (is_blended, Self::BLENDED),
        ];
        let [base_from_uv_x, base_from_uv_y] = rows(from_uv(base));
        let [normal_from_uv_x, normal_from_uv_y] = rows(from_uv(normal));
        Self {
            base_color: look.base_color,
            base_from_uv_x,
            base_from_uv_y,
            normal_from_uv_x,
            normal_from_uv_y,
            tangents_from_normal_map: turn(from_uv(normal).matrix2),
            alpha_cutoff: cutoff,
            flags: flags
                .into_iter()
                .filter_map(|(is_set, flag)| is_set.then_some(flag))
                .sum(),
            padding: [0; 2],
        }
    }
}

/// Right and up of a turned normal map, each as shares of tangent and bitangent, which lie along
/// the vertices' own coordinates.
fn turn(texture_from_uv: Mat2) -> Vec4 {
    let uv_from_texture = texture_from_uv.inverse();
    if texture_from_uv.determinant() == 0.0 || !uv_from_texture.is_finite() {
        return Vec4::new(1.0, 0.0, 0.0, 1.0);
    }
    let right = uv_from_texture.x_axis.normalize_or(glam::Vec2::X);
    let down = uv_from_texture.y_axis.normalize_or(glam::Vec2::Y);
    // v points down, the bitangent up.
    Vec4::new(right.x, -right.y, -down.x, down.y)
}
