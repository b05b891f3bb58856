//! The WGSL sources, and the files of each shader.

/// A complete shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShaderSource {
    /// The name of its last file without `.wgsl`; also its label on the GPU.
    pub name: &'static str,
    /// `common.wgsl` followed by the shader's files.
    pub text: &'static str,
}

macro_rules! shaders {
    ($($id:ident: $($file:literal)+;)+) => {
        $(
            pub const $id: ShaderSource = ShaderSource {
                name: last(&[$($file),+]),
                text: concat!(include_str!("common.wgsl"), $("\n", include_str!(concat!($file, ".wgsl"))),+),
            };
        )+

        pub const SHADERS: &[ShaderSource] = &[$($id),+];
    };
}

const fn last(files: &[&'static str]) -> &'static str {
    match files.last() {
        Some(file) => file,
        None => "",
    }
}

// One row per shader, with its files after `common.wgsl`.
shaders! {
    AMBIENT_OCCLUSION: "frame" "ambient_occlusion";
    AXES: "frame" "axes";
    BACKDROP: "frame" "light" "backdrop";
    BACKGROUND: "frame" "background";
    BLIT: "blit";
    BONES: "frame" "bones";
    COPY: "copy";
    CULL: "frame" "cull";
    DEFERRED: "frame" "material" "geometry_buffer" "light" "shading" "deferred";
    DEPTH_ONLY: "frame" "mesh" "depth_only";
    ENVIRONMENT: "environment";
    GEOMETRY: "frame" "mesh" "material" "fragment" "geometry_buffer" "geometry";
    GEOMETRY_TILES: "frame" "geometry_buffer" "geometry_tiles";
    GHOST: "frame" "mesh" "ghost";
    GLYPHS: "frame" "mesh" "glyphs";
    GRID: "frame" "grid";
    GROUND_SHADOW: "frame" "ground_shadow";
    IDS: "frame" "mesh" "ids";
    INFLUENCE_COUNTS: "influence_counts";
    LAYERS: "frame" "layers";
    LINES: "frame" "mesh" "lines";
    MARK_FACES: "frame" "mark_faces";
    MARK_LINES: "frame" "mark_lines";
    MASK: "frame" "mesh" "mask";
    OCCLUSION_SAMPLES: "frame" "occlusion" "occlusion_samples";
    OCCLUSION_SINGLE: "frame" "occlusion" "occlusion_single";
    OUTLINE: "frame" "outline";
    PALETTE: "palette";
    UI: "ui";
    PEEL_SAMPLES: "frame" "mesh" "material" "fragment" "peel" "peel_samples";
    PEEL_SINGLE: "frame" "mesh" "material" "fragment" "peel" "peel_single";
    PHYSICAL: "frame" "mesh" "material" "fragment" "light" "shading" "physical";
    POINTS: "frame" "mesh" "points";
    SHADOW_MAP: "frame" "mesh" "shadow_map";
    SKIN_PACKED: "skin" "skin_packed";
    SKIN_STREAMS: "skin" "skin_streams";
    SMOOTH: "frame" "mesh" "smooth";
    SPLIT_SUM: "split_sum";
    SURFACE: "frame" "mesh" "surface";
    TEXTURED: "frame" "mesh" "material" "fragment" "textured";
    WIREFRAME: "frame" "mesh" "wireframe";
}
