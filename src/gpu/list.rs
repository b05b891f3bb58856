//! Records that a pass draws one instance of each: bones, lines, faces. Made when first needed,
//! uploaded only when they have changed.

use bytemuck::{NoUninit, cast_slice};

use super::bind::bind_group;
use super::buffers::{count, filled};
use super::{Gpu, Renderer};

/// A list on the GPU.
#[derive(Debug)]
pub(super) struct List<T> {
    buffers: Option<(wgpu::Buffer, wgpu::BindGroup)>,
    /// What the buffer holds.
    records: Vec<T>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            buffers: None,
            records: Vec::new(),
        }
    }
}

impl<T> List<T> {
    /// What to bind and how many records there are; nothing where there are none.
    pub(super) fn bound(&self) -> Option<(&wgpu::BindGroup, u32)> {
        let (_, bind) = self.buffers.as_ref()?;
        let num = count(self.records.len());
        (num > 0).then_some((bind, num))
    }
}

impl<T: NoUninit + PartialEq> List<T> {
    /// Makes the list hold `records`; none where they are too many for the device.
    pub(super) fn write(&mut self, gpu: &Gpu, renderer: &Renderer, label: &str, records: Vec<T>) {
        if records == self.records {
            return;
        }
        let bytes: &[u8] = cast_slice(&records);
        match &self.buffers {
            Some((buffer, _)) if buffer.size() >= bytes.len() as u64 => {
                gpu.queue.write_buffer(buffer, 0, bytes);
            }
            _ => {
                let made = filled(gpu, label, bytes, wgpu::BufferUsages::STORAGE);
                self.buffers = made.ok().map(|buffer| {
                    let bind = bind_group(&gpu.device, label, &renderer.layouts.list, &[&buffer]);
                    (buffer, bind)
                });
            }
        }
        self.records = records;
    }
}
