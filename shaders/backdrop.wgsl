// The environment behind everything: one triangle over the whole image.

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) place: vec2f, // -1..1 over the image
}

@vertex
fn vertex_main(@builtin(vertex_index) index: u32) -> Varying {
    let corner = covering(index);
    return Varying(vec4f(corner, 0.0, 1.0), corner);
}

// Half the height of the environment in an orthographic view, at distance 1.
const PARALLEL_TANGENT: f32 = 0.4;

// The direction from the eye through a position in the image, in world space.
fn direction_at(place: vec2f) -> vec3f {
    let m = frame.clip_from_world;
    let x = vec3f(m[0].x, m[1].x, m[2].x);
    let y = vec3f(m[0].y, m[1].y, m[2].y);
    let w = vec3f(m[0].w, m[1].w, m[2].w);
    if frame.eye.w == 0.0 {
        // All rays are parallel, so the directions of a typical lens are used instead.
        let aspect = frame.viewport_px.x / frame.viewport_px.y;
        return -frame.eye.xyz + PARALLEL_TANGENT * (normalize(x) * place.x * aspect + normalize(y) * place.y);
    }
    // Solves clip.x = place.x, clip.y = place.y and clip.w = 1.
    let d = place.x * cross(y, w) + place.y * cross(w, x) + cross(x, y);
    return d * sign(dot(x, cross(y, w)));
}

@fragment
fn fragment_main(in: Varying) -> @location(0) vec4f {
    let seen = radiance(normalize(direction_at(in.place)), frame.backdrop_level);
    return vec4f(screen_from_light(seen, in.clip.xy), 1.0);
}
