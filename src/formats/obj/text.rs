//! Posed meshes as lines of text.
//!
//! Numbers are counted from 1 over the whole file; v of a texture coordinate points up. Numbers
//! read back to the same single-precision value.

use std::fmt::Write;

use glam::Vec3;

use super::names::{Names, word};
use crate::model::{Loose, LooseKind, Mesh, MeshId, Model, linear_from_srgb, srgb_from_linear};
use crate::pose::{PoseSpec, SkinnedMesh, sample};

/// The text for `meshes`, which are those of `model` in the pose `spec`, in display space, for a
/// file that stands alone.
///
/// Vertices keep the file's order, meshes one after another. A subset is a group with its
/// material. Triangles of a mesh attached to a mirrored bone are turned, so that fronts stay
/// fronts.
#[must_use]
pub fn posed_text(model: &Model, spec: &PoseSpec, meshes: &[SkinnedMesh]) -> String {
    let pose = sample(model, spec);
    let turned = model.meshes.iter().enumerate().map(|(number, mesh)| {
        let is_mirrored = pose.is_mirrored(MeshId::from_index(number), mesh);
        is_mirrored != model.axes.reverses_winding()
    });
    let turned: Vec<bool> = turned.collect();
    Text::default().of(model, meshes, &turned, None)
}

/// The text for `meshes`, which are those of `model`, with the names that its material library
/// knows, and colours.
pub(super) fn text_with(model: &Model, meshes: &[SkinnedMesh], names: &Names) -> String {
    Text::default().of(model, meshes, &[], Some(names))
}

/// Text being made, and how many positions, coordinates and normals it has.
#[derive(Default)]
struct Text {
    out: String,
    num_v: usize,
    num_vt: usize,
    num_vn: usize,
    material: Option<String>,
}

/// Which attributes a mesh has.
#[derive(Clone, Copy)]
struct Has {
    uvs: bool,
    normals: bool,
}

impl Text {
    /// All lines; triangles of meshes that are `turned` go the other way round.
    fn of(
        mut self,
        model: &Model,
        meshes: &[SkinnedMesh],
        turned: &[bool],
        names: Option<&Names>,
    ) -> String {
        self.out.push_str("# rigscope\n");
        if let Some(library) = names.and_then(|names| names.library.as_ref()) {
            self.line(format_args!("mtllib {library}"));
        }
        for (index, (mesh, skinned)) in model.meshes.iter().zip(meshes).enumerate() {
            let is_turned = turned.get(index).copied().unwrap_or(false);
            match names {
                Some(names) => self.named_mesh(index, mesh, skinned, names),
                None => self.plain_mesh(model, index, mesh, skinned, is_turned),
            }
        }
        self.out
    }

    /// A mesh whose subsets are groups, each with its material.
    fn plain_mesh(
        &mut self,
        model: &Model,
        index: usize,
        mesh: &Mesh,
        skinned: &SkinnedMesh,
        is_turned: bool,
    ) {
        self.line(format_args!("o {}", word(&mesh.name, "mesh", index)));
        let has = self.vertices(mesh, skinned, false);
        for (number, subset) in mesh.subsets.iter().enumerate() {
            self.line(format_args!("g mesh_{index}_subset_{number}"));
            if let Some(id) = subset.material
                && let Some(material) = model.materials.get(id.index())
            {
                let name = word(&material.name, "material", id.index());
                self.line(format_args!("usemtl {name}"));
            }
            self.faces(mesh, subset.range(), has, is_turned);
        }
        for (number, loose) in mesh.loose.iter().enumerate() {
            self.line(format_args!("g mesh_{index}_{}_{number}", loose.kind.name()));
            if let Some(id) = loose.material
                && let Some(material) = model.materials.get(id.index())
            {
                let name = word(&material.name, "material", id.index());
                self.line(format_args!("usemtl {name}"));
            }
            self.loose(loose, has);
        }
        self.count(mesh, has);
    }

    /// A mesh as an object with a name of its own. There are no groups, which readers would take
    /// for objects; without a library there are no materials.
    fn named_mesh(&mut self, index: usize, mesh: &Mesh, skinned: &SkinnedMesh, names: &Names) {
        if let Some(name) = names.meshes.get(index) {
            self.line(format_args!("o {name}"));
        }
        if names.is_cloud {
            self.positions(mesh, skinned, true);
            return;
        }
        let has = self.vertices(mesh, skinned, true);
        for subset in mesh.subsets.iter().filter(|subset| subset.index_count > 0) {
            if names.library.is_some() {
                self.material(names.material(subset.material));
            }
            self.faces(mesh, subset.range(), has, false);
        }
        for loose in &mesh.loose {
            if names.library.is_some() {
                self.material(names.material(loose.material));
            }
            self.loose(loose, has);
        }
        // A mesh that no line names would be lost beside others.
        let has_triangles = mesh.subsets.iter().any(|subset| subset.index_count > 0);
        if !has_triangles && mesh.loose.is_empty() {
            for at in 1..=mesh.num_vertices() {
                self.element('p', &[u32::try_from(at - 1).unwrap_or(u32::MAX)], has);
            }
        }
        self.count(mesh, has);
    }

    fn vertices(&mut self, mesh: &Mesh, skinned: &SkinnedMesh, is_exact: bool) -> Has {
        let has = Has { uvs: mesh.uv(0).is_some(), normals: mesh.normal(0).is_some() };
        self.positions(mesh, skinned, is_exact);
        for vertex in 0..if has.uvs { mesh.num_vertices() } else { 0 } {
            let uv = mesh.uv(vertex).unwrap_or_default();
            let up = 1.0 - uv.y;
            let reads_back = v_down(f64::from(up)) == uv.y;
            match is_exact && !reads_back {
                // What single precision rounds away near 1 is there in double.
                true => self.line(format_args!("vt {} {}", uv.x, 1.0 - f64::from(uv.y))),
                false => self.line(format_args!("vt {} {up}", uv.x)),
            }
        }
        if has.normals {
            skinned.normals.iter().for_each(|n| self.vector("vn", *n));
        }
        has
    }

    fn positions(&mut self, mesh: &Mesh, skinned: &SkinnedMesh, has_colors: bool) {
        for (vertex, p) in skinned.positions.iter().enumerate() {
            match mesh.color(vertex).filter(|_| has_colors) {
                Some(color) => {
                    let [r, g, b] = [color.x, color.y, color.z].map(shortest_srgb);
                    self.line(format_args!("v {} {} {} {r} {g} {b}", p.x, p.y, p.z));
                }
                None => self.vector("v", *p),
            }
        }
    }

    fn faces(&mut self, mesh: &Mesh, range: std::ops::Range<usize>, has: Has, is_turned: bool) {
        for mut corners in mesh.triangles(range) {
            if is_turned {
                corners.swap(1, 2);
            }
            self.element('f', &corners, has);
        }
    }

    /// Points one by one, and lines as long as one begins where the last has ended. Corners are
    /// whole, as of triangles, so that they are read as the same vertices.
    fn loose(&mut self, loose: &Loose, has: Has) {
        match loose.kind {
            LooseKind::Points => {
                for &point in &loose.indices {
                    self.element('p', &[point], has);
                }
            }
            LooseKind::Lines => {
                let (lines, _) = loose.indices.as_chunks::<2>();
                for chain in lines.chunk_by(|[_, end], [start, _]| end == start) {
                    let ends = chain.iter().map(|[_, end]| *end);
                    let first = chain.iter().map(|[start, _]| *start).take(1);
                    let corners: Vec<u32> = first.chain(ends).collect();
                    self.element('l', &corners, has);
                }
            }
        }
    }

    /// One line with the corners of a face, line or point.
    fn element(&mut self, keyword: char, corners: &[u32], has: Has) {
        self.out.push(keyword);
        for &corner in corners {
            self.corner(corner as usize + 1, has);
        }
        self.out.push('\n');
    }

    /// A vertex of the mesh, counted from 1.
    fn corner(&mut self, at: usize, has: Has) {
        let (v, vt, vn) = (self.num_v + at, self.num_vt + at, self.num_vn + at);
        // Writing to a string cannot fail.
        let _ = match (has.uvs, has.normals) {
            (true, true) => write!(self.out, " {v}/{vt}/{vn}"),
            (true, false) => write!(self.out, " {v}/{vt}"),
            (false, true) => write!(self.out, " {v}//{vn}"),
            (false, false) => write!(self.out, " {v}"),
        };
    }

    fn count(&mut self, mesh: &Mesh, has: Has) {
        let num = mesh.num_vertices();
        self.num_v += num;
        self.num_vt += if has.uvs { num } else { 0 };
        self.num_vn += if has.normals { num } else { 0 };
    }

    /// Says which material comes, where it is another one: it holds over objects.
    fn material(&mut self, name: &str) {
        if self.material.as_deref() != Some(name) {
            self.line(format_args!("usemtl {name}"));
            self.material = Some(name.to_owned());
        }
    }

    fn vector(&mut self, keyword: &str, v: Vec3) {
        self.line(format_args!("{keyword} {} {} {}", v.x, v.y, v.z));
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{text}");
    }
}

/// A linear value encoded as sRGB, in as few digits as read back to the same value.
fn shortest_srgb(linear: f32) -> f64 {
    let encoded = srgb_from_linear(f64::from(linear));
    #[expect(clippy::cast_possible_truncation, reason = "tried, and held against the value")]
    let (short, read) = (encoded as f32, |encoded: f64| linear_from_srgb(encoded) as f32);
    // As a double it would show the digits that single precision has not.
    let short: f64 = short.to_string().parse().unwrap_or(encoded);
    match read(short) == linear {
        true => short,
        false => encoded,
    }
}

/// What this format's reader makes of a stored v.
#[expect(clippy::cast_possible_truncation, reason = "as the reader does")]
fn v_down(up: f64) -> f32 {
    (1.0 - up) as f32
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::model::testing::*;

    fn mesh(has_uvs: bool) -> Mesh {
        let mesh = ModelBuilder::new().triangle().of_material(0);
        match has_uvs {
            true => mesh.uvs([Vec2::new(0.25, 0.75); 3]).into_mesh(),
            false => mesh.normal(Vec3::Z).into_mesh(),
        }
    }

    #[test]
    fn meshes_with_different_attributes_count_each_on_its_own() {
        let mut model = ModelBuilder::new().materials(&["left arm\n"]).build();
        model.meshes = vec![mesh(true), mesh(false)];
        let spec = PoseSpec::default();
        let posed = crate::pose::skin_model(&model, &spec);
        let text = posed_text(&model, &spec, &posed);
        assert!(text.contains("\nf 1/1 2/2 3/3\n"), "{text}");
        assert!(text.contains("\nf 4//1 5//2 6//3\n"), "{text}");
        assert!(text.contains("\nvt 0.25 0.25\n"), "v points up: {text}");
        assert!(text.contains("\nusemtl left_arm_\n"), "{text}");
        model.axes = Axes { handedness: Handedness::Left, ..Axes::default() };
        assert!(posed_text(&model, &spec, &posed).contains("\nf 1/1 3/3 2/2\n"));
    }

    #[test]
    fn a_mesh_on_a_mirrored_bone_has_its_triangles_turned() {
        let mirror = glam::Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let model = ModelBuilder::new()
            .chain(&[""])
            .rest(LocalTransform::Matrix(mirror))
            .add_mesh(mesh(true))
            .add_mesh(mesh(true))
            .attached_to(0)
            .build();
        let spec = PoseSpec::default();
        let posed = crate::pose::skin_model(&model, &spec);
        let text = posed_text(&model, &spec, &posed);
        assert!(text.contains("\nf 1/1 2/2 3/3\n"), "{text}");
        assert!(text.contains("\nv -1 0 0\n"), "{text}");
        assert!(text.contains("\nf 4/4 6/6 5/5\n"), "{text}");
    }
}
