//! Texels of one level of one face.

/// Unassociated RGBA, row by row from the top, four numbers per texel.
#[derive(Clone, Debug, PartialEq)]
pub enum Texels {
    /// Bytes in the file's colour space.
    Rgba8(Vec<u8>),
    /// Linear floats.
    Rgba32F(Vec<f32>),
}

/// One level of one face.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// `width * height` texels.
    pub texels: Texels,
}

impl Surface {
    /// Sets green and blue to 0.
    pub(super) fn keep_red(&mut self) {
        match &mut self.texels {
            Texels::Rgba8(bytes) => {
                bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|texel| texel[1..3].fill(0));
            }
            Texels::Rgba32F(floats) => {
                floats.as_chunks_mut::<4>().0.iter_mut().for_each(|texel| texel[1..3].fill(0.0));
            }
        }
    }

    /// Sets alpha to 1.
    pub(super) fn drop_alpha(&mut self) {
        match &mut self.texels {
            Texels::Rgba8(bytes) => bytes.iter_mut().skip(3).step_by(4).for_each(|a| *a = u8::MAX),
            Texels::Rgba32F(floats) => floats.iter_mut().skip(3).step_by(4).for_each(|a| *a = 1.0),
        }
    }
}
