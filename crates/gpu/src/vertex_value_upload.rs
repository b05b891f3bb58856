//! Uploads the vertex values of a colouring when it is first shown.

use std::borrow::Cow;

use bytemuck::{NoUninit, cast_slice};

use super::bind::mesh_bind;
use super::buffers::{empty, filled};
use super::group::Group;
use super::kernels::Kernels;
use super::vertex_values::{GroupBuffers, STORAGE, ValueKind};
use super::{Gpu, Scene, SceneError};
use rigscope_core::visual::{Coloring, VertexPaint};

impl Scene {
    /// Uploads the vertex values that `coloring`, or the model's own look, needs. Returns `false` if the
    /// device has no room or if the paint belongs to another model.
    pub(super) fn prepare_values(
        &mut self,
        gpu: &Gpu,
        kernels: &Kernels,
        coloring: Option<Coloring>,
        paint: Option<&VertexPaint>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> bool {
        let (wanted, is_there) = match (coloring, paint) {
            (Some(Coloring::InfluenceCounts), _) => {
                let is_there = self.count_influences(gpu, kernels, encoder);
                (ValueKind::Counts, is_there)
            }
            (Some(Coloring::VertexOrder), _) => (ValueKind::Order, self.number_vertices(gpu)),
            (Some(coloring), paint) if coloring.is_painted() => match paint {
                Some(paint) => (ValueKind::Paint, self.upload_paint(gpu, paint)),
                None => return false,
            },
            (None | Some(Coloring::VertexColors), _) if self.values.colors.is_some() => {
                (ValueKind::Colors, true)
            }
            _ => return true,
        };
        if !is_there {
            return false;
        }
        if self.values.bound != Some(wanted) {
            let Some(groups) = self.values.groups(wanted) else { return false };
            for (group, values) in self.groups.iter_mut().zip(groups) {
                let buffers = [&group.skinned, &group.indices, &self.draws, values];
                group.bind = mesh_bind(&gpu.device, &kernels.layouts, buffers);
            }
            self.values.bound = Some(wanted);
        }
        true
    }

    fn count_influences(
        &mut self,
        gpu: &Gpu,
        kernels: &Kernels,
        encoder: &mut wgpu::CommandEncoder,
    ) -> bool {
        if self.values.counts.is_none() {
            let mut made = || {
                let words = |group: &Group| u64::from(group.num_vertices) * size_of::<u32>() as u64;
                let room = |group| empty(gpu, "influence counts", words(group), STORAGE);
                let counts = self.groups.iter().map(room).collect::<Result<GroupBuffers, _>>()?;
                self.deformer.record_counts(gpu, kernels, &counts, encoder)?;
                Ok::<_, SceneError>(counts)
            };
            self.values.counts = made().ok();
        }
        self.values.counts.is_some()
    }

    fn number_vertices(&mut self, gpu: &Gpu) -> bool {
        if self.values.order.is_none() {
            let num_vertices = self.num_vertices();
            let last = (num_vertices.max(2) - 1) as f32;
            let shares: Vec<f32> = (0..num_vertices).map(|at| at as f32 / last).collect();
            self.values.order = self.value_buffers(gpu, "vertex order", &shares).ok();
        }
        self.values.order.is_some()
    }

    fn upload_paint(&mut self, gpu: &Gpu, paint: &VertexPaint) -> bool {
        let words: &[[u8; 4]] = match paint {
            VertexPaint::Heat { values, .. } => cast_slice(values),
            VertexPaint::Colors(colors) => colors,
        };
        if words.len() as u64 != self.num_vertices() {
            return false;
        }
        match &self.values.paint {
            Some((_, known)) if known == paint => return true,
            Some((groups, _)) => {
                for (buffer, group) in groups.iter().zip(self.grouped(words)) {
                    gpu.queue.write_buffer(buffer, 0, cast_slice(&group));
                }
            }
            None => match self.value_buffers(gpu, "paint", words) {
                Ok(groups) => {
                    self.values.paint = Some((groups, paint.clone()));
                    return true;
                }
                Err(_) => return false,
            },
        }
        if let Some((_, known)) = &mut self.values.paint {
            *known = paint.clone();
        }
        true
    }

    /// Buffers with one of `values` per vertex of the model.
    fn value_buffers<T: NoUninit>(
        &self,
        gpu: &Gpu,
        label: &str,
        values: &[T],
    ) -> Result<GroupBuffers, SceneError> {
        let upload = |group: &Cow<'_, [T]>| filled(gpu, label, cast_slice(group), STORAGE);
        self.grouped(values).iter().map(upload).collect()
    }

    /// Splits one value per vertex of the model by group.
    fn grouped<'a, T: Copy>(&self, values: &'a [T]) -> Vec<Cow<'a, [T]>> {
        if self.meshes.iter().all(|chunk| chunk.source.is_none()) {
            let lens = self.groups.iter().map(|group| group.num_vertices);
            return split(values, lens).into_iter().map(Cow::Borrowed).collect();
        }
        let of_meshes = split(values, self.mesh_lens.iter().copied());
        let mut groups = vec![Vec::new(); self.groups.len()];
        for chunk in &self.meshes {
            let whole = of_meshes.get(chunk.id.index()).copied().unwrap_or_default();
            let own =
                chunk.source.as_ref().map_or(Cow::Borrowed(whole), |source| source.gathered(whole));
            if let Some(group) = groups.get_mut(chunk.group) {
                group.extend_from_slice(&own);
            }
        }
        groups.into_iter().map(Cow::Owned).collect()
    }
}

/// Splits `values` into slices of these lengths.
fn split<T>(mut values: &[T], lens: impl Iterator<Item = u32>) -> Vec<&[T]> {
    let next = |len: u32| {
        let (part, after) = values.split_at((len as usize).min(values.len()));
        values = after;
        part
    };
    lens.map(next).collect()
}
