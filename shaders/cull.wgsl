// After frame.wgsl: removes triangles that cover no sample of the image, which are most of them if a model
// has more triangles than pixels. The others keep their order, so that the image stays identical.

struct CullInput {
    num_vertices: u32,
    num_triangles: u32,
    num_words: u32,    // of 32 triangles
    num_ranges: u32,
    first_vertex: u32, // in the buffer of skinned vertices
    first_index: u32,  // in the index buffer
    row_length: u32,   // invocations in one row of workgroups
    margin_px: f32,    // more than rasterizers snap corners
}

// Pipeline constants, since software adapters run both sides of every branch.
override HAS_SHORT_INDICES: bool; // two bytes instead of four
override HAS_FOUR_SAMPLES: bool;  // per pixel, instead of one

// Visibility of 32 triangles.
struct Word {
    visible: u32, // one bit per triangle
    first: u32,   // number of visible triangles before these
}

// The triangles of a draw.
struct TriangleRange {
    first_triangle: u32,
    num_triangles: u32,
    draw: u32,
}

// The layout of an indirect draw.
struct DrawIndexed {
    num_indices: u32,
    num_instances: u32,
    first_index: u32,
    base_vertex: i32,
    first_instance: u32,
}

@group(1) @binding(0) var<uniform> cull: CullInput;
@group(1) @binding(1) var<storage, read> skinned: array<vec4f>;
// Read four words at a time, since software adapters execute one lookup per read.
@group(1) @binding(2) var<storage, read> indices: array<vec4u>;
@group(1) @binding(3) var<storage, read> ranges: array<TriangleRange>;
@group(1) @binding(4) var<storage, read_write> on_screen: array<vec2f>;
// One more than the mesh has; its `first` is the total number of visible triangles.
@group(1) @binding(5) var<storage, read_write> words: array<Word>;
@group(1) @binding(6) var<storage, read_write> visible_indices: array<u32>;
@group(1) @binding(7) var<storage, read_write> draws: array<DrawIndexed>;

const RUN: u32 = 32u;
const QUAD: u32 = 4u;
const SCAN_SIZE: u32 = 64u;
// Marks a vertex behind the eye. Triangles with such a corner have no bounds on the screen.
const BEHIND: f32 = 3e38;

fn index_at(of_mesh: u32) -> u32 {
    let place = cull.first_index + of_mesh;
    if HAS_SHORT_INDICES {
        return extractBits(indices[place >> 3u][(place >> 1u) & 3u], (place & 1u) * 16u, 16u);
    }
    return indices[place >> 2u][place & 3u];
}

// The four 16-bit indices in two words.
fn halves(words: vec2u) -> vec4u {
    return vec4u(words.x & 0xffffu, words.x >> 16u, words.y & 0xffffu, words.y >> 16u);
}

// The indices of QUAD triangles from `first` on, a multiple of QUAD. The indices of a mesh are aligned to
// four words.
fn indices_of_quad(first: u32) -> array<vec4u, 3> {
    let place = cull.first_index + first * 3u;
    if HAS_SHORT_INDICES {
        let at = place >> 3u;
        let a = indices[at];
        let b = indices[at + 1u];
        let is_behind = (place & 4u) != 0u;
        return array<vec4u, 3>(
            halves(select(a.xy, a.zw, is_behind)),
            halves(select(a.zw, b.xy, is_behind)),
            halves(select(b.xy, b.zw, is_behind)),
        );
    }
    let at = place >> 2u;
    return array<vec4u, 3>(indices[at], indices[at + 1u], indices[at + 2u]);
}

// Projects vertices to the screen, in pixels from the top left.
@compute @workgroup_size(64)
fn project_main(@builtin(global_invocation_id) id: vec3u) {
    let vertex = id.y * cull.row_length + id.x;
    if vertex >= cull.num_vertices {
        return;
    }
    let position = skinned[cull.first_vertex + vertex].xyz;
    let clip = frame.clip_from_world * (frame.world_from_file * vec4f(position, 1.0));
    var at = vec2f(BEHIND);
    if clip.w > NEAREST_W {
        let half_size = frame.viewport_px * 0.5;
        at = half_size + clip.xy / clip.w * vec2f(half_size.x, -half_size.y);
        at.x += frame.view_left_px;
    }
    on_screen[vertex] = at;
}

// A triangle on the screen, and its bounding box enlarged by the snapping distance.
struct Triangle {
    corners: array<vec2f, 3>,
    low: vec2f,
    high: vec2f,
}

// Whether `point` is to the left of the edge, or to its right within the snapping distance.
fn is_left(start: vec2f, end: vec2f, point: vec2f) -> bool {
    let along = end - start;
    let to = point - start;
    return along.x * to.y - along.y * to.x >= -cull.margin_px * (abs(along.x) + abs(along.y));
}

// Whether the triangle may cover a sample at `offset` in its pixel.
fn has_sample(triangle: Triangle, offset: vec2f) -> bool {
    let first = ceil(triangle.low - offset) + offset;
    if any(first > triangle.high) {
        return false;
    }
    if any(first + 1.0 <= triangle.high) {
        return true;
    }
    // There is only one candidate sample.
    let a = triangle.corners[0];
    let b = triangle.corners[1];
    let c = triangle.corners[2];
    return (is_left(a, b, first) && is_left(b, c, first) && is_left(c, a, first))
        || (is_left(b, a, first) && is_left(c, b, first) && is_left(a, c, first));
}

fn is_visible(corners: vec3u) -> bool {
    let a = on_screen[corners.x];
    let b = on_screen[corners.y];
    let c = on_screen[corners.z];
    if max(max(a.x, b.x), c.x) >= BEHIND {
        return true;
    }
    let low = min(min(a, b), c) - cull.margin_px;
    let high = max(max(a, b), c) + cull.margin_px;
    let left = vec2f(frame.view_left_px, 0.0);
    if any(high < left) || any(low > left + frame.viewport_px) {
        return false;
    }
    let found = Triangle(array<vec2f, 3>(a, b, c), low, high);
    if !HAS_FOUR_SAMPLES {
        return has_sample(found, vec2f(0.5));
    }
    return has_sample(found, vec2f(0.375, 0.125))
        || has_sample(found, vec2f(0.875, 0.375))
        || has_sample(found, vec2f(0.125, 0.625))
        || has_sample(found, vec2f(0.625, 0.875));
}

@compute @workgroup_size(64)
fn test_main(@builtin(global_invocation_id) id: vec3u) {
    let word = id.y * cull.row_length + id.x;
    if word >= cull.num_words {
        return;
    }
    let first = word * RUN;
    let num = min(RUN, cull.num_triangles - first);
    var visible = 0u;
    for (var at = 0u; at < num; at += QUAD) {
        let found = indices_of_quad(first + at);
        let are_visible = vec4<bool>(
            is_visible(found[0].xyz),
            is_visible(vec3u(found[0].w, found[1].xy)),
            is_visible(vec3u(found[1].zw, found[2].x)),
            is_visible(found[2].yzw),
        );
        let bits = select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), are_visible);
        visible |= (bits.x | bits.y | bits.z | bits.w) << at;
    }
    // Clears the bits after the last triangle.
    words[word].visible = visible & (0xffffffffu >> (RUN - num));
}

var<workgroup> sums: array<u32, SCAN_SIZE>;

// Number of visible triangles before `triangle`.
fn rank(triangle: u32) -> u32 {
    let word = words[triangle / RUN];
    return word.first + countOneBits(word.visible & ((1u << (triangle % RUN)) - 1u));
}

// Counts the visible triangles in one workgroup, and writes the draws.
@compute @workgroup_size(SCAN_SIZE)
fn count_main(@builtin(local_invocation_index) lane: u32) {
    let share = (cull.num_words + SCAN_SIZE - 1u) / SCAN_SIZE;
    let begin = min(lane * share, cull.num_words);
    let end = min(begin + share, cull.num_words);
    var sum = 0u;
    for (var word = begin; word < end; word++) {
        sum += countOneBits(words[word].visible);
    }
    sums[lane] = sum;
    workgroupBarrier();
    var first = 0u;
    for (var before = 0u; before < lane; before++) {
        first += sums[before];
    }
    for (var word = begin; word < end; word++) {
        words[word].first = first;
        first += countOneBits(words[word].visible);
    }
    if lane == SCAN_SIZE - 1u {
        words[cull.num_words] = Word(0u, first);
    }
    storageBarrier();
    for (var at = lane; at < cull.num_ranges; at += SCAN_SIZE) {
        let range = ranges[at];
        let first = rank(range.first_triangle);
        let num = rank(range.first_triangle + range.num_triangles) - first;
        draws[at] = DrawIndexed(num * 3u, 1u, first * 3u, i32(cull.first_vertex), range.draw);
    }
}

// Writes the indices of the visible triangles.
@compute @workgroup_size(64)
fn gather_main(@builtin(global_invocation_id) id: vec3u) {
    let word = id.y * cull.row_length + id.x;
    if word >= cull.num_words {
        return;
    }
    var left = words[word].visible;
    var to = words[word].first * 3u;
    while left != 0u {
        let source = (word * RUN + firstTrailingBit(left)) * 3u;
        visible_indices[to] = index_at(source);
        visible_indices[to + 1u] = index_at(source + 1u);
        visible_indices[to + 2u] = index_at(source + 2u);
        left &= left - 1u;
        to += 3u;
    }
}
