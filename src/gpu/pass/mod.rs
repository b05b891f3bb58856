//! The passes of an image, one file each, beside the shader of the same name.

mod axes;
mod background;
mod bones;
mod ghost;
mod glyphs;
mod grid;
mod ids;
mod lines;
mod marks;
mod points;
mod surface;
mod textured;
mod wireframe;

use super::frame::FrameInput;
use super::list::List;
use super::scene::Scene;
use super::shaders::ShaderSource;

pub(super) use bones::gpu_bones;
pub(super) use ids::{IdKind, IdPass};
pub(super) use marks::{gpu_faces, gpu_lines};

/// A pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PassKind {
    Background,
    Surface,
    Textured,
    Lines,
    Bones,
    Grid,
    Blended,
    Ghost,
    MarkFaces,
    Wireframe,
    Points,
    Glyphs,
    MarkLines,
    MarkLinesOnTop,
    Axes,
}

/// What is particular to a pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassInfo {
    pub(super) shader: ShaderSource,
    pub(super) group1: Group1,
    /// Group 2 is a material.
    pub(super) has_material: bool,
    pub(super) depth: Depth,
    /// Colours are premultiplied and laid over what is there.
    pub(super) is_blended: bool,
}

/// What a pass binds beside the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group1 {
    Nothing,
    Mesh,
    /// One list of records, an instance each.
    List,
}

/// What a pass does with depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    Ignored,
    Tested,
    Written,
}

/// What a pass drew.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Drawn {
    pub(super) draws: u32,
    pub(super) triangles: u64,
}

/// Depth that the scene takes; the rest is for what lies over it, which so needs no pass of its
/// own. Floats keep their precision near 0, where far things are.
const SCENE_DEPTH: (f32, f32) = (0.0, 0.5);
const OVERLAY_DEPTH: (f32, f32) = (0.5, 1.0);

impl PassKind {
    /// In the order of drawing: what is blended comes after what is not.
    pub(super) const ALL: [Self; 15] = [
        Self::Background,
        Self::Surface,
        Self::Textured,
        Self::Lines,
        Self::Bones,
        Self::Grid,
        Self::Blended,
        Self::Ghost,
        Self::MarkFaces,
        Self::Wireframe,
        Self::Points,
        Self::Glyphs,
        Self::MarkLines,
        Self::MarkLinesOnTop,
        Self::Axes,
    ];

    pub(super) fn info(self) -> PassInfo {
        match self {
            Self::Background => background::PASS,
            Self::Surface => surface::PASS,
            Self::Textured => textured::OPAQUE,
            Self::Blended => textured::BLENDED,
            Self::Lines => lines::PASS,
            Self::Bones => bones::PASS,
            Self::Grid => grid::PASS,
            Self::Ghost => ghost::PASS,
            Self::MarkFaces => marks::FACES,
            Self::MarkLines | Self::MarkLinesOnTop => marks::LINES,
            Self::Wireframe => wireframe::PASS,
            Self::Points => points::PASS,
            Self::Glyphs => glyphs::PASS,
            Self::Axes => axes::PASS,
        }
    }

    /// Whether `input` asks for the pass.
    pub(super) fn is_wanted(self, scene: &Scene, input: &FrameInput<'_>) -> bool {
        // Of a ghost nothing but its shape is shown.
        if input.layer.ghost.is_some() {
            return matches!(self, Self::Ghost);
        }
        match self {
            Self::Ghost => false,
            Self::MarkFaces => !input.marks.faces.is_empty(),
            Self::MarkLines => !input.marks.lines.is_empty(),
            Self::MarkLinesOnTop => !input.marks.lines_on_top.is_empty(),
            Self::Background => background::is_wanted(input),
            Self::Surface => input.show.surface,
            Self::Textured => textured::is_opaque_wanted(scene, input),
            Self::Blended => textured::is_blended_wanted(scene, input),
            Self::Lines => lines::is_wanted(scene, input),
            Self::Bones => scene.shows_bones(&input.show),
            Self::Grid => input.show.grid,
            Self::Wireframe => input.show.wireframe,
            Self::Points => points::is_wanted(scene, input),
            Self::Glyphs => glyphs::is_wanted(input),
            Self::Axes => input.show.axes,
        }
    }

    /// The part of the depth range that the pass draws into.
    pub(super) fn depth_range(self, input: &FrameInput<'_>) -> (f32, f32) {
        match self {
            Self::Axes | Self::MarkLinesOnTop => OVERLAY_DEPTH,
            Self::Bones if input.show.bones_on_top => OVERLAY_DEPTH,
            _ => SCENE_DEPTH,
        }
    }

    /// Draws with the pass's pipeline and the frame already bound.
    pub(super) fn draw(
        self,
        pass: &mut wgpu::RenderPass<'_>,
        scene: &Scene,
        input: &FrameInput<'_>,
    ) -> Drawn {
        match self {
            Self::Background => background::draw(pass),
            Self::Surface => surface::draw(pass, scene, input),
            Self::Textured => textured::draw_opaque(pass, scene, input),
            Self::Blended => textured::draw_blended(pass, scene, input),
            Self::Lines => lines::draw(pass, scene, input),
            Self::Bones => bones::draw(pass, scene),
            Self::Grid => grid::draw(pass),
            Self::Ghost => ghost::draw(pass, scene, input),
            Self::MarkFaces => marks::draw_faces(pass, scene),
            Self::MarkLines => marks::draw_lines(pass, &scene.mark_lines),
            Self::MarkLinesOnTop => marks::draw_lines(pass, &scene.mark_lines_on_top),
            Self::Wireframe => wireframe::draw(pass, scene, input),
            Self::Points => points::draw(pass, scene, input),
            Self::Glyphs => glyphs::draw(pass, scene, input),
            Self::Axes => axes::draw(pass),
        }
    }
}

/// Draws every record of a list as an instance of `num_vertices`.
fn draw_list<T>(pass: &mut wgpu::RenderPass<'_>, list: &List<T>, num_vertices: u32) -> Drawn {
    let Some((bind, num)) = list.bound() else {
        return Drawn::default();
    };
    pass.set_bind_group(1, bind, &[]);
    pass.draw(0..num_vertices, 0..num);
    Drawn {
        draws: 1,
        triangles: 0,
    }
}
