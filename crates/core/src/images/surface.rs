//! Texels of one level of one face.

/// Straight RGBA, row after row from the top, four numbers a texel.
#[derive(Clone, Debug, PartialEq)]
pub enum Texels {
    /// Bytes, in the file's colour space.
    Rgba8(Vec<u8>),
    /// Floats; linear light.
    Rgba32F(Vec<f32>),
}

/// One level of one face.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// In texels.
    pub width: u32,
    /// In texels.
    pub height: u32,
    /// `width * height` of them.
    pub texels: Texels,
}

impl Surface {
    /// Takes green and blue away.
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

    /// Makes all of it opaque.
    pub(super) fn drop_alpha(&mut self) {
        match &mut self.texels {
            Texels::Rgba8(bytes) => bytes.iter_mut().skip(3).step_by(4).for_each(|a| *a = u8::MAX),
            Texels::Rgba32F(floats) => floats.iter_mut().skip(3).step_by(4).for_each(|a| *a = 1.0),
        }
    }
}
