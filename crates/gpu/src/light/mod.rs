//! Image-based lighting: irradiance and prefiltered cubes of environments, and the split-sum table.
//!
//! For: passes over materials, and the backdrop.
//! Not for: choosing the environment (`visual::Light`), materials (`gpu/textures`).
//!
//! `cubes` creates the cubes of built-in environments and of images by compute shaders; `file_environment`
//! uploads cubes that are in the model's file; `Lights` creates each on first use.

mod cubes;
mod file_environment;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use super::Gpu;
use super::bind::{Layouts, bind_resources};
use cubes::CubeMaker;
use file_environment::FileEnvironment;
use rigscope_core::images::Refusal;
use rigscope_core::model::{Image, Model, Report};
use rigscope_core::visual::EnvironmentKind;

/// The bind group of an environment.
#[derive(Clone, Debug)]
pub(super) struct BoundLight {
    pub(super) bind: wgpu::BindGroup,
    /// Level of the prefiltered cube at roughness 1.
    pub(super) levels: f32,
}

/// The cubes of an environment.
#[derive(Clone, Debug)]
pub(super) struct Cubes {
    pub(super) irradiance: wgpu::TextureView,
    pub(super) prefiltered: wgpu::TextureView,
    pub(super) levels: f32,
}

/// The environment in a file.
#[derive(Debug)]
pub(super) struct FileLight {
    environment: FileEnvironment,
    /// Created on first use.
    bound: OnceLock<BoundLight>,
}

impl FileLight {
    /// Uploads the environment of `model`. Returns `None` without an environment, or if it can't be read, which is
    /// reported as a finding.
    pub(super) fn upload(gpu: &Gpu, model: &Model, report: &Report) -> Option<Self> {
        let environment = file_environment::upload(gpu, model, report)?;
        Some(Self { environment, bound: OnceLock::new() })
    }
}

/// The environments that have been used so far, and the table that they share.
#[derive(Debug, Default)]
pub(super) struct Lights {
    maker: OnceLock<CubeMaker>,
    split_sum: OnceLock<wgpu::TextureView>,
    made: [OnceLock<BoundLight>; 3],
}

impl Lights {
    /// Creates the pipelines and the table that all environments need.
    pub(super) fn make_shared(&self, gpu: &Gpu) {
        self.split_sum(gpu);
    }

    /// A built-in environment.
    pub(super) fn of(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        environment: EnvironmentKind,
    ) -> &BoundLight {
        let (at, kind) = match environment {
            EnvironmentKind::File | EnvironmentKind::Studio => (0, cubes::BuiltIn::Studio),
            EnvironmentKind::Sunset => (1, cubes::BuiltIn::Sunset),
            EnvironmentKind::Neutral => (2, cubes::BuiltIn::Neutral),
        };
        self.made[at].get_or_init(|| {
            let cubes = self.maker(gpu).make(gpu, kind);
            self.bind(gpu, layouts, &cubes, None)
        })
    }

    /// The environment in an image file.
    pub(super) fn of_image(&self, gpu: &Gpu, image: &Image) -> Result<FileLight, Refusal> {
        let environment = file_environment::of_image(gpu, self.maker(gpu), image)?;
        Ok(FileLight { environment, bound: OnceLock::new() })
    }

    /// The bind group of a file's environment.
    pub(super) fn own<'a>(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        own: &'a FileLight,
    ) -> &'a BoundLight {
        let FileEnvironment { cubes, split_sum } = &own.environment;
        own.bound.get_or_init(|| self.bind(gpu, layouts, cubes, split_sum.as_ref()))
    }

    /// Binds `cubes`, with the file's own table if it has one.
    fn bind(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        cubes: &Cubes,
        split_sum: Option<&wgpu::TextureView>,
    ) -> BoundLight {
        let own = || self.split_sum(gpu);
        let resources = [
            wgpu::BindingResource::TextureView(&cubes.irradiance),
            wgpu::BindingResource::TextureView(&cubes.prefiltered),
            wgpu::BindingResource::TextureView(split_sum.unwrap_or_else(own)),
            wgpu::BindingResource::Sampler(&self.maker(gpu).sampler),
        ];
        let bind = bind_resources(&gpu.device, "light", &layouts.light, resources);
        BoundLight { bind, levels: cubes.levels }
    }

    fn split_sum(&self, gpu: &Gpu) -> &wgpu::TextureView {
        self.split_sum.get_or_init(|| self.maker(gpu).split_sum(gpu))
    }

    fn maker(&self, gpu: &Gpu) -> &CubeMaker {
        self.maker.get_or_init(|| CubeMaker::new(gpu))
    }
}
