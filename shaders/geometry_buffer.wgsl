// Before geometry.wgsl, geometry_tiles.wgsl and deferred.wgsl: the contents of the geometry buffer.

// The zero vector; no packed direction has these bits.
const NO_DIRECTION: u32 = 0x80008000u;

// A unit vector in octahedral encoding.
// Source: Zina Cigolle et al., A Survey of Efficient Representations for Independent Unit Vectors (2014).
fn packed_direction(v: vec3f) -> u32 {
    let size = abs(v.x) + abs(v.y) + abs(v.z);
    if size < 1e-6 {
        return NO_DIRECTION;
    }
    let flat = v.xy / size;
    let folded = (1.0 - abs(flat.yx)) * select(vec2f(-1.0), vec2f(1.0), flat >= vec2f(0.0));
    return pack2x16snorm(select(flat, folded, v.z < 0.0));
}

fn unpacked_direction(bits: u32) -> vec3f {
    if bits == NO_DIRECTION {
        return vec3f(0.0);
    }
    let flat = unpack2x16snorm(bits);
    let z = 1.0 - abs(flat.x) - abs(flat.y);
    let folded = (1.0 - abs(flat.yx)) * select(vec2f(-1.0), vec2f(1.0), flat >= vec2f(0.0));
    return normalize(vec3f(select(flat, folded, z < 0.0), z));
}

// Side of a tile. Keep in sync with crates/gpu/src/software/geometry_buffer.rs.
const TILE_PX: u32 = 16u;

// The tile bit of a pixel's draw.
fn draw_bit(draw_and_one: u32) -> u32 {
    return select(1u << ((draw_and_one - 1u) & 31u), 0u, draw_and_one == 0u);
}

struct Stored {
    // Normal, right and up of the normal map, and the draw's index plus one; 0 for the background.
    @location(0) directions: vec4u,
    // UV, and its derivatives to the next pixel across and down.
    @location(1) uv: vec4u,
}
