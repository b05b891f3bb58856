//! What the surface is coloured by: one word a vertex, made when it is first shown, but for what the file gives.
//!
//! Not for: when they are made (`bring`), and colours of subsets and materials (`draws`, `textures`).

use bytemuck::cast_slice;

use super::buffers::filled;
use super::piece::Piece;
use super::{Gpu, SceneError};
use rigscope_core::model::srgb8_from_color;
use rigscope_core::visual::VertexPaint;

/// Buffers of one word a vertex, one for each group.
pub(super) type Groups = Vec<wgpu::Buffer>;

pub(super) const STORAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE;

/// Those of a scene.
#[derive(Debug, Default)]
pub(super) struct VertexValues {
    /// Colours of vertices, sRGB and alpha; none where no mesh is tinted.
    pub(super) colors: Option<Groups>,
    /// How many bones move each vertex.
    pub(super) counts: Option<Groups>,
    /// Where each vertex lies in the model: 0 is the first, 1 the last.
    pub(super) order: Option<Groups>,
    /// Colours or values given along, and what they were made of.
    pub(super) paint: Option<(Groups, VertexPaint)>,
    /// Which of them the meshes bind.
    pub(super) bound: Option<Values>,
}

/// One of the kinds of [`VertexValues`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    Colors,
    Counts,
    Order,
    Paint,
}

/// The colours of the vertices of some pieces, group by group.
pub(super) struct PieceColors(Vec<Vec<[u8; 4]>>);

impl PieceColors {
    pub(super) fn new(num_groups: usize) -> Self {
        Self(vec![Vec::new(); num_groups])
    }

    /// Adds those of `piece`, which follows the one before; what has no colour is white.
    pub(super) fn add(&mut self, piece: &Piece<'_>) {
        let Some(group) = self.0.get_mut(piece.place.group) else { return };
        let of_vertex = |vertex| piece.mesh.color(vertex).map_or([u8::MAX; 4], srgb8_from_color);
        group.extend((0..piece.mesh.num_vertices()).map(of_vertex));
    }
}

impl VertexValues {
    /// What the file gives.
    pub(super) fn of_colors(gpu: &Gpu, colors: Option<PieceColors>) -> Result<Self, SceneError> {
        let upload = |groups: PieceColors| {
            let upload = |group: &Vec<_>| filled(gpu, "vertex colors", cast_slice(group), STORAGE);
            groups.0.iter().map(upload).collect()
        };
        Ok(Self { colors: colors.map(upload).transpose()?, ..Self::default() })
    }

    pub(super) fn groups(&self, values: Values) -> Option<&Groups> {
        match values {
            Values::Colors => self.colors.as_ref(),
            Values::Counts => self.counts.as_ref(),
            Values::Order => self.order.as_ref(),
            Values::Paint => self.paint.as_ref().map(|(groups, _)| groups),
        }
    }
}
