//! Writes posed meshes as text.
//!
//! Indices count from 1 over the whole file; v of UVs points up. Numbers read back to the same
//! single-precision value.

use std::fmt::Write;
use std::io;
use std::ops::Range;

use glam::Vec3;
use rayon::prelude::*;

use super::names::{Names, word};
use crate::formats::text::TextWriter;
use rigscope_core::model::{
    LooseGeometry, LooseKind, Mesh, MeshId, Model, as_u32, linear_from_srgb, srgb_from_linear,
};
use rigscope_core::pose::{PoseSpec, SkinnedMesh, sample};

/// Receives the text in chunks.
type Sink<'a> = dyn FnMut(&str) -> io::Result<()> + Send + 'a;

/// Writes `meshes`, which are those of `model` in the pose `spec`, in display space, to `sink`, as a file
/// without material library. The next chunks are generated while `sink` processes one.
///
/// Vertices keep the file's order, meshes one after another. A subset is a group with its material. Triangles
/// of a mesh attached to a mirrored bone are reversed, so that fronts stay fronts.
///
/// # Errors
/// The error of `sink`, after which no more text is generated.
pub fn write_posed(
    model: &Model,
    spec: &PoseSpec,
    meshes: &[SkinnedMesh],
    mut sink: impl FnMut(&str) -> io::Result<()> + Send,
) -> io::Result<()> {
    let pose = sample(model, spec);
    let reversed = model.meshes.iter().enumerate().map(|(number, mesh)| {
        let is_mirrored = pose.is_mirrored(MeshId::from_index(number), mesh);
        is_mirrored != model.axes.reverses_winding()
    });
    let reversed: Vec<bool> = reversed.collect();
    Text::to(&mut sink).all(model, meshes, &reversed, None)
}

/// The text for `meshes`, which are those of `model`, with colours and with the names used in the material
/// library.
pub(super) fn text_with(model: &Model, meshes: &[SkinnedMesh], names: &Names) -> String {
    let mut text = String::new();
    let mut sink = |chunk: &str| {
        text.push_str(chunk);
        Ok(())
    };
    // Appending to a string can't fail.
    let _ = Text::to(&mut sink).all(model, meshes, &[], Some(names));
    text
}

/// Number of lines that a thread generates at a time.
const LINES_PER_CHUNK: usize = 16384;

/// A text under construction, with its counts of positions, UVs and normals.
struct Text<'a> {
    sink: &'a mut Sink<'a>,
    /// Text that hasn't been passed to the sink.
    out: String,
    num_v: usize,
    num_vt: usize,
    num_vn: usize,
    material: Option<String>,
}

#[derive(Clone, Copy)]
struct Has {
    uvs: bool,
    normals: bool,
}

impl<'a> Text<'a> {
    fn to(sink: &'a mut Sink<'a>) -> Self {
        Self { sink, out: String::new(), num_v: 0, num_vt: 0, num_vn: 0, material: None }
    }

    /// Writes everything; reverses the triangles of meshes whose flag in `reversed` is set.
    fn all(
        mut self,
        model: &Model,
        meshes: &[SkinnedMesh],
        reversed: &[bool],
        names: Option<&Names>,
    ) -> io::Result<()> {
        self.out.push_str("# rigscope\n");
        if let Some(library) = names.and_then(|names| names.library.as_ref()) {
            self.line(format_args!("mtllib {library}"));
        }
        for (index, (mesh, skinned)) in model.meshes.iter().zip(meshes).enumerate() {
            let is_reversed = reversed.get(index).copied().unwrap_or(false);
            match names {
                Some(names) => self.named_mesh(index, mesh, skinned, names)?,
                None => self.plain_mesh(model, index, mesh, skinned, is_reversed)?,
            }
        }
        (self.sink)(&self.out)
    }

    /// A mesh whose subsets are groups, each with its material.
    fn plain_mesh(
        &mut self,
        model: &Model,
        index: usize,
        mesh: &Mesh,
        skinned: &SkinnedMesh,
        is_reversed: bool,
    ) -> io::Result<()> {
        self.line(format_args!("o {}", word(&mesh.name, "mesh", index)));
        let has = self.vertices(mesh, skinned, false)?;
        for (number, subset) in mesh.subsets.iter().enumerate() {
            self.line(format_args!("g mesh_{index}_subset_{number}"));
            if let Some(id) = subset.material {
                let name = word(&model.material(id).name, "material", id.index());
                self.line(format_args!("usemtl {name}"));
            }
            self.faces(mesh, subset.range(), has, is_reversed)?;
        }
        for (number, loose) in mesh.loose.iter().enumerate() {
            self.line(format_args!("g mesh_{index}_{}_{number}", loose.kind.name()));
            if let Some(id) = loose.material {
                let name = word(&model.material(id).name, "material", id.index());
                self.line(format_args!("usemtl {name}"));
            }
            self.loose(loose, has);
        }
        self.count(mesh, has);
        Ok(())
    }

    /// A mesh as a named object, without groups, which readers would treat as objects, and without materials
    /// if there is no library.
    fn named_mesh(
        &mut self,
        index: usize,
        mesh: &Mesh,
        skinned: &SkinnedMesh,
        names: &Names,
    ) -> io::Result<()> {
        if let Some(name) = names.meshes.get(index) {
            self.line(format_args!("o {name}"));
        }
        if names.is_cloud {
            return self.positions(mesh, skinned, true);
        }
        let has = self.vertices(mesh, skinned, true)?;
        for subset in mesh.subsets.iter().filter(|subset| subset.index_count > 0) {
            if names.library.is_some() {
                self.material(names.material(subset.material));
            }
            self.faces(mesh, subset.range(), has, false)?;
        }
        for loose in &mesh.loose {
            if names.library.is_some() {
                self.material(names.material(loose.material));
            }
            self.loose(loose, has);
        }
        // A mesh that no line refers to would be lost if there are others.
        let has_triangles = mesh.subsets.iter().any(|subset| subset.index_count > 0);
        if !has_triangles && mesh.loose.is_empty() {
            for at in 1..=mesh.num_vertices() {
                self.element("p", &[as_u32(at - 1)], has);
            }
        }
        self.count(mesh, has);
        Ok(())
    }

    fn vertices(&mut self, mesh: &Mesh, skinned: &SkinnedMesh, is_exact: bool) -> io::Result<Has> {
        let has = Has { uvs: mesh.uv(0).is_some(), normals: mesh.normal(0).is_some() };
        self.positions(mesh, skinned, is_exact)?;
        if has.uvs {
            self.lines(mesh.num_vertices(), |out, vertex| {
                let uv = mesh.uv(vertex).unwrap_or_default();
                let up = 1.0 - uv.y;
                let reads_back = v_down(f64::from(up)) == uv.y;
                out.word("vt ");
                out.f32(uv.x);
                out.ascii(b' ');
                if is_exact && !reads_back {
                    // Double precision preserves a value near 1 that single precision would round.
                    write!(out, "{}", 1.0 - f64::from(uv.y)).unwrap_or_default()
                } else {
                    out.f32(up)
                }
            })?;
        }
        if has.normals {
            let normals = &skinned.normals;
            self.lines(normals.len(), |out, vertex| {
                out.word("vn");
                push_vector(out, normals.get(vertex).copied().unwrap_or_default());
            })?;
        }
        Ok(has)
    }

    fn positions(
        &mut self,
        mesh: &Mesh,
        skinned: &SkinnedMesh,
        has_colors: bool,
    ) -> io::Result<()> {
        let positions = &skinned.positions;
        self.lines(positions.len(), |out, vertex| {
            out.ascii(b'v');
            push_vector(out, positions.get(vertex).copied().unwrap_or_default());
            if let Some(color) = mesh.color(vertex).filter(|_| has_colors) {
                for channel in [color.x, color.y, color.z] {
                    write!(out, " {}", shortest_srgb(channel)).unwrap_or_default();
                }
            }
        })
    }

    fn faces(
        &mut self,
        mesh: &Mesh,
        range: Range<usize>,
        has: Has,
        is_reversed: bool,
    ) -> io::Result<()> {
        let first = range.start;
        let bases = self.bases();
        self.lines(range.len().div_ceil(3), |out, number| {
            let start = first + number * 3;
            for mut corners in mesh.triangles(start..start + 3) {
                if is_reversed {
                    corners.swap(1, 2);
                }
                push_element(out, "f", &corners, has, bases);
            }
        })
    }

    /// Points are written individually, and lines as long as each begins where the last ended. Corners are
    /// complete, like those of triangles, so that they are read back as the same vertices.
    fn loose(&mut self, loose: &LooseGeometry, has: Has) {
        match loose.kind {
            LooseKind::Points => {
                for &point in &loose.indices {
                    self.element("p", &[point], has);
                }
            }
            LooseKind::Lines => {
                let (lines, _) = loose.indices.as_chunks::<2>();
                for chain in lines.chunk_by(|[_, end], [start, _]| end == start) {
                    let ends = chain.iter().map(|[_, end]| *end);
                    let first = chain.iter().map(|[start, _]| *start).take(1);
                    let corners: Vec<u32> = first.chain(ends).collect();
                    self.element("l", &corners, has);
                }
            }
        }
    }

    /// A line with the corners of a line or point.
    fn element(&mut self, keyword: &str, corners: &[u32], has: Has) {
        let bases = self.bases();
        let mut out = TextWriter::appending_to(&mut self.out);
        push_element(&mut out, keyword, corners, has, bases);
        out.ascii(b'\n');
    }

    /// Counts of positions, UVs and normals before those of the mesh.
    fn bases(&self) -> [usize; 3] {
        [self.num_v, self.num_vt, self.num_vn]
    }

    /// Writes `num` independent lines. Large numbers are generated on all cores, a few thousand at a time,
    /// while the sink processes the previous ones.
    fn lines(
        &mut self,
        num: usize,
        line: impl Fn(&mut TextWriter<'_>, usize) + Sync,
    ) -> io::Result<()> {
        let chunk = |range: Range<usize>, out: &mut String| {
            let mut out = TextWriter::appending_to(out);
            for number in range {
                line(&mut out, number);
                out.ascii(b'\n');
            }
        };
        if num <= LINES_PER_CHUNK {
            chunk(0..num, &mut self.out);
            return Ok(());
        }
        let mut ready = vec![std::mem::take(&mut self.out)];
        let mut next: Vec<String> = Vec::new();
        let batch = LINES_PER_CHUNK * rayon::current_num_threads();
        for start in (0..num).step_by(batch) {
            let starts: Vec<_> = (start..num.min(start + batch)).step_by(LINES_PER_CHUNK).collect();
            next.resize_with(starts.len(), String::new);
            let make = || {
                next.par_iter_mut().zip(starts).for_each(|(out, start)| {
                    out.clear();
                    chunk(start..num.min(start + LINES_PER_CHUNK), out);
                });
            };
            let sink = &mut self.sink;
            let take = || ready.iter().try_for_each(|text| sink(text));
            rayon::join(take, make).0?;
            std::mem::swap(&mut ready, &mut next);
        }
        ready.iter().try_for_each(|text| (self.sink)(text))
    }

    fn count(&mut self, mesh: &Mesh, has: Has) {
        let num = mesh.num_vertices();
        self.num_v += num;
        self.num_vt += if has.uvs { num } else { 0 };
        self.num_vn += if has.normals { num } else { 0 };
    }

    /// Writes `usemtl` if the material changes, because it stays active across objects.
    fn material(&mut self, name: &str) {
        if self.material.as_deref() != Some(name) {
            self.line(format_args!("usemtl {name}"));
            self.material = Some(name.to_owned());
        }
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string can't fail.
        let _ = writeln!(self.out, "{text}");
    }
}

/// Each component, preceded by a space.
#[inline]
fn push_vector(out: &mut TextWriter<'_>, v: Vec3) {
    for component in v.to_array() {
        out.ascii(b' ');
        out.f32(component);
    }
}

/// The corners of a face, line or point. `bases` are the counts of positions, UVs and normals before those of
/// the mesh.
#[inline]
fn push_element(
    out: &mut TextWriter<'_>,
    keyword: &str,
    corners: &[u32],
    has: Has,
    bases: [usize; 3],
) {
    let [base_v, base_vt, base_vn] = bases;
    out.word(keyword);
    for &corner in corners {
        let number = corner as usize + 1;
        let mut digits = itoa::Buffer::new();
        let v = digits.format(base_v + number);
        out.ascii(b' ');
        out.word(v);
        if has.uvs || has.normals {
            out.ascii(b'/');
        }
        // Usually all three are the same.
        let other = |out: &mut TextWriter<'_>, base| {
            if base == base_v { out.word(v) } else { out.usize(base + number) }
        };
        if has.uvs {
            other(out, base_vt);
        }
        if has.normals {
            out.ascii(b'/');
            other(out, base_vn);
        }
    }
}

/// A linear value encoded as sRGB, with the fewest digits that read back to the same value.
fn shortest_srgb(linear: f32) -> f64 {
    let encoded = srgb_from_linear(f64::from(linear));
    #[expect(clippy::cast_possible_truncation, reason = "tried, and held against the value")]
    let (short, read) = (encoded as f32, |encoded: f64| linear_from_srgb(encoded) as f32);
    // A direct conversion to double would add digits beyond single precision.
    let short: f64 = short.to_string().parse().unwrap_or(encoded);
    if read(short) == linear { short } else { encoded }
}

/// The v that this format's reader derives from a stored v.
#[expect(clippy::cast_possible_truncation, reason = "as the reader does")]
fn v_down(up: f64) -> f32 {
    (1.0 - up) as f32
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use rigscope_testing::*;

    fn text_of(model: &Model, spec: &PoseSpec, meshes: &[SkinnedMesh]) -> String {
        let mut text = String::new();
        let sink = |chunk: &str| {
            text.push_str(chunk);
            Ok(())
        };
        write_posed(model, spec, meshes, sink).unwrap();
        text
    }

    fn mesh(has_uvs: bool) -> Mesh {
        let mesh = ModelBuilder::new().triangle().of_material(0);
        if has_uvs {
            mesh.uvs([Vec2::new(0.25, 0.75); 3]).into_mesh()
        } else {
            mesh.normal(Vec3::Z).into_mesh()
        }
    }

    #[test]
    fn each_attribute_is_numbered_separately_across_meshes() {
        let mut model = ModelBuilder::new().materials(&["left arm\n"]).build();
        model.meshes = vec![mesh(true), mesh(false)].into();
        let spec = PoseSpec::default();
        let posed = rigscope_core::pose::skin_model(&model, &spec);
        let text = text_of(&model, &spec, &posed);
        assert!(text.contains("\nf 1/1 2/2 3/3\n"), "{text}");
        assert!(text.contains("\nf 4//1 5//2 6//3\n"), "{text}");
        assert!(text.contains("\nvt 0.25 0.25\n"), "v points up: {text}");
        assert!(text.contains("\nusemtl left_arm_\n"), "{text}");
        model.axes = Axes { handedness: Handedness::Left, ..Axes::default() };
        assert!(text_of(&model, &spec, &posed).contains("\nf 1/1 3/3 2/2\n"));
    }

    #[test]
    fn lines_written_in_parallel_are_in_order() {
        let num = LINES_PER_CHUNK * 5 / 2;
        let positions: Vec<_> = (0..num).map(|at| Vec3::new(at as f32, 0.5, -1.0)).collect();
        let last = u32::try_from(num).unwrap() - 2;
        let indices: Vec<_> = (0..last).flat_map(|at| [at, at + 1, at + 2]).collect();
        let model = ModelBuilder::new().mesh(positions).indices(indices).build();
        let spec = PoseSpec::default();
        let text = text_of(&model, &spec, &rigscope_core::pose::skin_model(&model, &spec));
        let of = |keyword: &str| -> Vec<String> {
            text.lines().filter(|line| line.starts_with(keyword)).map(str::to_owned).collect()
        };
        let expected: Vec<_> = (0..num).map(|at| format!("v {at} 0.5 -1")).collect();
        assert!(of("v ") == expected);
        let expected: Vec<_> =
            (1..=last).map(|at| format!("f {at} {} {}", at + 1, at + 2)).collect();
        assert!(of("f ") == expected);

        // A full disk is reported and ends the output.
        let posed = rigscope_core::pose::skin_model(&model, &spec);
        let mut num_taken = 0;
        let full = |_: &str| {
            num_taken += 1;
            if num_taken < 3 { Ok(()) } else { Err(io::ErrorKind::StorageFull.into()) }
        };
        let error = write_posed(&model, &spec, &posed, full).unwrap_err();
        assert_eq!((error.kind(), num_taken), (io::ErrorKind::StorageFull, 3));
    }

    #[test]
    fn triangles_of_a_mesh_on_a_mirrored_bone_are_flipped() {
        let mirror = glam::Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let model = ModelBuilder::new()
            .chain(&[""])
            .materials(&["skin"])
            .rest(LocalTransform::Matrix(mirror))
            .add_mesh(mesh(true))
            .add_mesh(mesh(true))
            .attached_to(0)
            .build();
        let spec = PoseSpec::default();
        let posed = rigscope_core::pose::skin_model(&model, &spec);
        let text = text_of(&model, &spec, &posed);
        assert!(text.contains("\nf 1/1 2/2 3/3\n"), "{text}");
        assert!(text.contains("\nv -1 0 0\n"), "{text}");
        assert!(text.contains("\nf 4/4 6/6 5/5\n"), "{text}");
    }
}
