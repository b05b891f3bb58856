//! Records of which a pass draws one instance each: bones, lines, faces. Created on first use, uploaded
//! only after changes.

use bytemuck::{NoUninit, cast_slice};

use super::Gpu;
use super::bind::{Layouts, bind_group};
use super::buffers::{count, filled};

/// Records in the layout of the shader.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Records {
    bytes: Vec<u8>,
    num: u32,
}

impl<T: NoUninit> FromIterator<T> for Records {
    fn from_iter<I: IntoIterator<Item = T>>(records: I) -> Self {
        let records: Vec<T> = records.into_iter().collect();
        Self { bytes: cast_slice(&records).to_vec(), num: count(records.len()) }
    }
}

/// A list of records on the GPU.
#[derive(Debug, Default)]
pub(super) struct RecordBuffer {
    buffers: Option<(wgpu::Buffer, wgpu::BindGroup)>,
    /// The contents of the buffer.
    records: Records,
}

impl RecordBuffer {
    /// The bind group and the number of records; `None` if there are no records.
    pub(super) fn bound(&self) -> Option<(&wgpu::BindGroup, u32)> {
        let (_, bind) = self.buffers.as_ref()?;
        (self.records.num > 0).then_some((bind, self.records.num))
    }

    /// Uploads `records` unless they are unchanged. If they don't fit on the device, nothing is bound.
    pub(super) fn write(&mut self, gpu: &Gpu, layouts: &Layouts, label: &str, records: Records) {
        if records == self.records {
            return;
        }
        let bytes = &records.bytes;
        match &self.buffers {
            Some((buffer, _)) if buffer.size() >= bytes.len() as u64 => {
                gpu.queue.write_buffer(buffer, 0, bytes);
            }
            _ => {
                let made = filled(gpu, label, bytes, wgpu::BufferUsages::STORAGE);
                self.buffers = made.ok().map(|buffer| {
                    let bind = bind_group(&gpu.device, label, &layouts.records, &[&buffer]);
                    (buffer, bind)
                });
            }
        }
        self.records = records;
    }
}
