// After common.wgsl in every pass: the frame uniform, its colouring, and lines of constant width on the
// screen.

@group(0) @binding(0) var<uniform> frame: Frame;

// Whether there may be a colouring. Otherwise the pipeline contains no code for them.
override IS_COLORED: bool = true;

fn coloring() -> u32 {
    return select(COLORING_NONE, frame.coloring, IS_COLORED);
}

// Lines are clipped at this w, just in front of the eye.
const NEAREST_W: f32 = 1e-6;

// Outside the clip volume.
const OUTSIDE: vec4f = vec4f(0.0, 0.0, -1.0, 1.0);

// A line in clip space after clipping, and the remaining part of the line, 0..1. Not visible if all of it
// is behind the eye.
struct ClippedLine {
    start: vec4f,
    end: vec4f,
    part: vec2f,
    is_visible: bool,
}

fn clipped_line(start: vec4f, end: vec4f) -> ClippedLine {
    var line = ClippedLine(start, end, vec2f(0.0, 1.0), start.w >= NEAREST_W || end.w >= NEAREST_W);
    if start.w < NEAREST_W {
        line.part.x = (NEAREST_W - start.w) / (end.w - start.w);
        line.start = mix(start, end, line.part.x);
    } else if end.w < NEAREST_W {
        let cut = (NEAREST_W - end.w) / (start.w - end.w);
        line.part.y = 1.0 - cut;
        line.end = mix(end, start, cut);
    }
    return line;
}

// The start or end of a line, offset sideways on the screen.
fn beside_line(line: ClippedLine, is_end: bool, across_px: f32) -> vec4f {
    let half_size = frame.viewport_px * 0.5;
    let along_px = (line.end.xy / line.end.w - line.start.xy / line.start.w) * half_size;
    let direction = along_px / max(length(along_px), 1e-6);
    let offset_px = vec2f(-direction.y, direction.x) * across_px;
    let at = select(line.start, line.end, is_end);
    return vec4f(at.xy + offset_px / half_size * at.w, at.zw);
}

// Moved just in front of the surface it is on.
fn pulled(clip: vec4f) -> vec4f {
    let depth = clip.z * frame.depth_pull_factor + clip.w * frame.depth_pull_offset;
    return vec4f(clip.xy, depth, clip.w);
}
