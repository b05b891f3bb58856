// Lights the contents of the geometry buffer: per draw, a square over each tile that contains some of it.

@group(1) @binding(0) var<storage, read> draws: array<Draw>;
@group(1) @binding(1) var directions: texture_2d<u32>;
@group(1) @binding(2) var uvs: texture_2d<u32>;
@group(1) @binding(3) var tiles: texture_2d<u32>;

struct Tile {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) draw: u32,
}

@vertex
fn vertex_main(
    // Six per draw.
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) number: u32,
) -> Tile {
    let draw = index / 6u;
    let across = textureDimensions(tiles).x;
    let tile = vec2u(number % across, number / across);
    if (textureLoad(tiles, tile, 0).x & draw_bit(draw + 1u)) == 0u {
        return Tile(OUTSIDE, draw);
    }
    let at = index % 6u;
    let corner = vec2u(u32(at == 1u || at == 4u || at == 5u), u32(at == 2u || at == 3u || at == 5u));
    let px = vec2f((tile + corner) * TILE_PX) - vec2f(frame.view_left_px, 0.0);
    let share = px / frame.viewport_px;
    return Tile(vec4f(share.x * 2.0 - 1.0, 1.0 - share.y * 2.0, 0.0, 1.0), draw);
}

// Like the struct in fragment.wgsl, but read from the buffer.
struct Varying {
    clip: vec4f,
    world: vec3f, // a position on the line of sight
    uv: vec2f,
    uv_dx: vec2f,
    uv_dy: vec2f,
    draw: u32,
    tint: vec4f,
}

fn texel(image: texture_2d<f32>, filter_by: sampler, from_uv: FromUv, in: Varying) -> vec4f {
    let dx = vec2f(dot(from_uv.x.xy, in.uv_dx), dot(from_uv.y.xy, in.uv_dx));
    let dy = vec2f(dot(from_uv.x.xy, in.uv_dy), dot(from_uv.y.xy, in.uv_dy));
    return textureSampleGrad(image, filter_by, placed_uv(from_uv, in.uv), dx, dy);
}

// A position on the line of sight through a pixel. In an orthographic view any position will do.
fn place(px: vec2f) -> vec3f {
    if frame.eye.w == 0.0 {
        return vec3f(0.0);
    }
    let share = (px - vec2f(frame.view_left_px, 0.0)) / frame.viewport_px;
    let at = frame.view_from_clip * vec4f(share.x * 2.0 - 1.0, 1.0 - share.y * 2.0, 1.0, 1.0);
    // The view matrix is a rotation, so its inverse is its transpose.
    return frame.eye.xyz + (vec4f(normalize(at.xyz / at.w), 0.0) * frame.view_from_world).xyz;
}

@fragment
fn fragment_main(tile: Tile) -> @location(0) vec4f {
    let px = vec2i(tile.clip.xy);
    let stored = textureLoad(directions, px, 0);
    if stored.w != tile.draw + 1u {
        discard;
    }
    let uv = textureLoad(uvs, px, 0);
    var in: Varying;
    in.clip = tile.clip;
    in.world = place(tile.clip.xy);
    in.uv = bitcast<vec2f>(uv.xy);
    in.uv_dx = unpack2x16float(uv.z);
    in.uv_dy = unpack2x16float(uv.w);
    in.draw = tile.draw;
    in.tint = vec4f(1.0);
    var face = Facing(unpacked_direction(stored.x), true);
    if has_relief() {
        let basis = Basis(unpacked_direction(stored.y), unpacked_direction(stored.z));
        face.normal = relief(in, face.normal, basis);
    }
    return solid(in, face, surface_of(in));
}
