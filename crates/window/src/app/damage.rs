//! Finds the parts of the window that have changed since the last frame, by comparing egui's output.
//!
//! Not for: painting them (`paint`).

use egui::epaint::{Primitive, Vertex};
use egui::{ClippedPrimitive, Mesh, Rect, TextureId};

/// More rectangles than this are merged.
const MOST_RECTS: usize = 6;
/// Covers anti-aliased edges and rounding to pixels.
const MARGIN_POINTS: f32 = 2.0;

/// The areas that differ between two frames of equal size, in points. `is_new` returns whether a texture
/// has changed. Everything outside is painted by the same triangles in the same order.
pub(super) fn damage(
    last: &[ClippedPrimitive],
    now: &[ClippedPrimitive],
    is_new: impl Fn(TextureId) -> bool,
) -> Vec<Rect> {
    let mut rects = Rects::default();
    let is_pair = |(a, b): &(&ClippedPrimitive, &ClippedPrimitive)| is_pair(a, b);
    let num_first = last.iter().zip(now).take_while(is_pair).count();
    let (last_rest, now_rest) = (&last[num_first..], &now[num_first..]);
    let from_end = last_rest.iter().rev().zip(now_rest.iter().rev());
    let num_end = from_end.take_while(is_pair).count();
    let pairs_first = last.iter().zip(now).take(num_first);
    let pairs_end = last_rest.iter().rev().zip(now_rest.iter().rev()).take(num_end);
    for (a, b) in pairs_first.chain(pairs_end) {
        if let (Primitive::Mesh(a), Primitive::Mesh(mesh)) = (&a.primitive, &b.primitive) {
            add_changes(&mut rects, b.clip_rect, a, mesh, is_new(mesh.texture_id));
        }
    }
    let alone = last_rest[..last_rest.len() - num_end].iter();
    for job in alone.chain(&now_rest[..now_rest.len() - num_end]) {
        rects.add(match &job.primitive {
            Primitive::Mesh(mesh) => mesh.calc_bounds().intersect(job.clip_rect),
            Primitive::Callback(_) => job.clip_rect,
        });
    }
    rects.0
}

/// Whether the two primitives can be compared triangle by triangle.
fn is_pair(a: &ClippedPrimitive, b: &ClippedPrimitive) -> bool {
    let textures = (&a.primitive, &b.primitive);
    let (Primitive::Mesh(of_a), Primitive::Mesh(of_b)) = textures else { return false };
    a.clip_rect == b.clip_rect && of_a.texture_id == of_b.texture_id
}

/// Adds the areas of triangles that differ between `last` and `now`.
fn add_changes(rects: &mut Rects, clip: Rect, last: &Mesh, now: &Mesh, is_new: bool) {
    if is_new {
        rects.add(last.calc_bounds().union(now.calc_bounds()).intersect(clip));
        return;
    }
    let equal = |(a, b): &(&Vertex, &Vertex)| a == b;
    let num_first = last.vertices.iter().zip(&now.vertices).take_while(equal).count();
    if num_first == last.vertices.len() && last == now {
        return;
    }
    let has_same_topology = last.indices == now.indices;
    let num_end = if has_same_topology {
        0
    } else {
        let most = last.vertices.len().min(now.vertices.len()) - num_first;
        let from_end = last.vertices.iter().rev().zip(now.vertices.iter().rev());
        from_end.take(most).take_while(equal).count()
    };
    let middle_of = |mesh: &Mesh| num_first..mesh.vertices.len() - num_end;
    if !has_same_topology && !agree_outside(last, now, num_first, num_end) {
        rects.add(last.calc_bounds().union(now.calc_bounds()).intersect(clip));
        return;
    }
    for (mesh, other) in [(last, now), (now, last)] {
        let middle = middle_of(mesh);
        for triangle in mesh.indices.chunks_exact(3) {
            let is_changed = |at: usize| {
                middle.contains(&at)
                    && (!has_same_topology || mesh.vertices.get(at) != other.vertices.get(at))
            };
            if triangle.iter().any(|&at| is_changed(at as usize)) {
                let mut around = Rect::NOTHING;
                let corners = triangle.iter().filter_map(|&at| mesh.vertices.get(at as usize));
                corners.for_each(|vertex| around.extend_with(vertex.pos));
                rects.add(around.intersect(clip));
            }
        }
    }
}

/// Whether triangles that use only the first or last vertices are the same.
fn agree_outside(last: &Mesh, now: &Mesh, num_first: usize, num_end: usize) -> bool {
    // A vertex's position relative to the shared prefix or suffix.
    let place = |mesh: &Mesh, at: u32| {
        let at = at as usize;
        let from_end = mesh.vertices.len().saturating_sub(at);
        match (at < num_first, from_end <= num_end) {
            (true, _) => Some((false, at)),
            (_, true) => Some((true, from_end)),
            (false, false) => None,
        }
    };
    let outside = |mesh: &Mesh| -> Vec<[(bool, usize); 3]> {
        let triangles = mesh.indices.as_chunks::<3>().0.iter();
        triangles
            .filter_map(|&[a, b, c]| Some([place(mesh, a)?, place(mesh, b)?, place(mesh, c)?]))
            .collect()
    };
    outside(last) == outside(now)
}

/// Disjoint rectangles.
#[derive(Default)]
struct Rects(Vec<Rect>);

impl Rects {
    fn add(&mut self, rect: Rect) {
        // Empty after clipping, or invalid.
        let is_rect = rect.width() >= 0.0 && rect.height() >= 0.0;
        if !is_rect {
            return;
        }
        let mut rect = rect.expand(MARGIN_POINTS);
        if self.0.iter().any(|known| known.contains_rect(rect)) {
            return;
        }
        // The merged rectangle may touch others.
        while let Some(at) = self.0.iter().position(|known| known.intersects(rect)) {
            rect = rect.union(self.0.swap_remove(at));
        }
        self.0.push(rect);
        if self.0.len() > MOST_RECTS {
            self.join_two();
        }
    }

    /// Merges the pair whose area grows least.
    fn join_two(&mut self) {
        let area = |rect: Rect| rect.width() * rect.height();
        let growth = |a: Rect, b: Rect| area(a.union(b)) - area(a) - area(b);
        let pairs = (0..self.0.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let least = pairs.min_by(|&(a, b), &(c, d)| {
            let [x, y] = [(a, b), (c, d)].map(|(a, b)| growth(self.0[a], self.0[b]));
            x.total_cmp(&y)
        });
        let Some((a, b)) = least else { return };
        let joined = self.0.swap_remove(a).union(self.0.swap_remove(b));
        self.add(joined.shrink(MARGIN_POINTS));
    }
}

#[cfg(test)]
mod tests {
    use egui::{Color32, pos2, vec2};

    use super::*;
    use rigscope_testing::Random;

    const CLIP: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(1000.0, 1000.0) };

    fn boxes(rects: &[(f32, f32, Color32)]) -> Mesh {
        let mut mesh = Mesh::default();
        for &(x, y, color) in rects {
            mesh.add_colored_rect(Rect::from_min_size(pos2(x, y), vec2(10.0, 10.0)), color);
        }
        mesh
    }

    fn job(mesh: Mesh) -> ClippedPrimitive {
        ClippedPrimitive { clip_rect: CLIP, primitive: Primitive::Mesh(mesh) }
    }

    fn at(x: f32, y: f32) -> Rect {
        Rect::from_min_size(pos2(x, y), vec2(10.0, 10.0)).expand(MARGIN_POINTS)
    }

    fn between(last: &[ClippedPrimitive], now: &[ClippedPrimitive]) -> Vec<Rect> {
        damage(last, now, |_| false)
    }

    const RED: Color32 = Color32::RED;
    const BLUE: Color32 = Color32::BLUE;

    #[test]
    fn unchanged_areas_are_not_repainted() {
        let jobs = [job(boxes(&[(0.0, 0.0, RED), (50.0, 0.0, BLUE)]))];
        assert!(between(&jobs, &jobs).is_empty());
        assert!(between(&[], &[]).is_empty());
    }

    #[test]
    fn changed_triangles_are_repainted_at_the_old_and_new_position() {
        let last = [job(boxes(&[(0.0, 0.0, RED), (50.0, 0.0, BLUE), (90.0, 0.0, RED)]))];
        let other = [job(boxes(&[(0.0, 0.0, RED), (50.0, 0.0, RED), (90.0, 0.0, RED)]))];
        assert_eq!(between(&last, &other), [at(50.0, 0.0)]);
        let moved = [job(boxes(&[(0.0, 0.0, RED), (50.0, 200.0, BLUE), (90.0, 0.0, RED)]))];
        let mut rects = between(&last, &moved);
        rects.sort_by(|a, b| a.min.y.total_cmp(&b.min.y));
        assert_eq!(rects, [at(50.0, 0.0), at(50.0, 200.0)]);
    }

    #[test]
    fn insertions_in_a_mesh_repaint_only_the_new_triangles() {
        let few = [job(boxes(&[(0.0, 0.0, RED), (90.0, 0.0, RED)]))];
        let many = [job(boxes(&[(0.0, 0.0, RED), (50.0, 0.0, BLUE), (90.0, 0.0, RED)]))];
        assert_eq!(between(&few, &many), [at(50.0, 0.0)]);
        assert_eq!(between(&many, &few), [at(50.0, 0.0)]);
        let Primitive::Mesh(mut reordered) = few[0].primitive.clone() else { unreachable!() };
        reordered.indices.rotate_left(3);
        let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 10.0)).expand(MARGIN_POINTS);
        assert_eq!(between(&few, &[job(reordered)]), [all], "another order of triangles");
    }

    #[test]
    fn added_and_removed_jobs_and_changed_textures_are_repainted() {
        let [a, b, c] = [0.0, 50.0, 90.0].map(|x| job(boxes(&[(x, 20.0, RED)])));
        let other_clip = ClippedPrimitive { clip_rect: CLIP.shrink(1.0), ..b.clone() };
        let last = [a.clone(), c.clone()];
        let now = [a, other_clip, c];
        assert_eq!(between(&last, &now), [at(50.0, 20.0)]);
        assert_eq!(between(&now, &last), [at(50.0, 20.0)]);
        let every = damage(&last, &last, |_| true);
        assert_eq!(every, [at(0.0, 20.0), at(90.0, 20.0)]);
    }

    /// Colours over a point, in painting order.
    fn painted_at(jobs: &[ClippedPrimitive], point: egui::Pos2) -> Vec<Color32> {
        let meshes = jobs.iter().filter(|job| job.clip_rect.contains(point));
        let meshes = meshes.filter_map(|job| match &job.primitive {
            Primitive::Mesh(mesh) => Some(mesh),
            Primitive::Callback(_) => None,
        });
        let boxes = meshes.flat_map(|mesh| mesh.vertices.as_chunks::<4>().0);
        let there = boxes
            .filter(|corners| Rect::from_points(&corners.map(|corner| corner.pos)).contains(point));
        there.map(|corners| corners[0].color).collect()
    }

    #[test]
    fn points_outside_the_damage_are_unchanged() {
        let mut random = Random(1);
        let mut num_spared = 0;
        for _ in 0..400 {
            let mut list = |num: usize| -> Vec<Vec<(f32, f32, Color32)>> {
                let mut mesh = |_| {
                    let mut one = |_| {
                        let [x, y] = [random.below(20), random.below(20)].map(|n| n as f32 * 10.0);
                        (x, y, [RED, BLUE][random.below(2)])
                    };
                    (0..4).map(&mut one).collect()
                };
                (0..num).map(&mut mesh).collect()
            };
            let (last, fresh) = (list(4), list(1));
            let mut now = last.clone();
            let (at, within) = (random.below(4), random.below(4));
            match random.below(6) {
                0 => now[at][within] = fresh[0][0],
                1 => now[at].insert(within, fresh[0][0]),
                2 => drop(now[at].remove(within)),
                3 => now.insert(at, fresh[0].clone()),
                4 => drop(now.remove(at)),
                _ => now.swap(at, within),
            }
            let [last, now] = [last, now]
                .map(|list| -> Vec<_> { list.iter().map(|mesh| job(boxes(mesh))).collect() });
            let rects = between(&last, &now);
            for point in (0..400).map(|n| pos2((n % 20) as f32, (n / 20) as f32) * 10.0) {
                let point = point + vec2(5.0, 5.0);
                let is_same = painted_at(&last, point) == painted_at(&now, point);
                let is_spared = !rects.iter().any(|rect| rect.contains(point));
                assert!(is_same || !is_spared, "{point} {last:?} {now:?}");
                num_spared += usize::from(is_spared);
            }
        }
        assert!(num_spared > 80_000, "most of the picture is spared: {num_spared}");
    }

    #[test]
    fn rectangles_are_few_and_cover_every_change() {
        let mut rects = Rects::default();
        let added: Vec<_> =
            (0..40u8).map(|n| at(f32::from(n) * 25.0, f32::from(n % 7) * 90.0)).collect();
        added.iter().for_each(|rect| rects.add(*rect));
        assert!(rects.0.len() <= MOST_RECTS);
        let covered = |rect: &Rect| rects.0.iter().any(|known| known.contains_rect(*rect));
        assert!(added.iter().all(covered));
    }
}
