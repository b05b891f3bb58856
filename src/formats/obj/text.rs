//! Posed meshes as Wavefront OBJ text.
//!
//! Source: Wavefront, "Object Files (.obj)", appendix B1. Numbers are counted from 1 over the
//! whole file; v of a texture coordinate points up.

use std::fmt::Write;

use glam::Vec3;

use crate::model::{Mesh, Model};
use crate::pose::SkinnedMesh;

/// The text for `meshes`, which are those of `model`, posed, in display space.
///
/// Vertices keep the file's order, meshes one after another. A subset is a group with its
/// material. Numbers read back to the same single-precision value.
pub(super) fn encode(model: &Model, meshes: &[SkinnedMesh]) -> String {
    let mut out = String::from("# rigscope\n");
    let mut first = First { v: 1, vt: 1, vn: 1 };
    for (index, (mesh, skinned)) in model.meshes.iter().zip(meshes).enumerate() {
        push_mesh(&mut out, &mut first, model, index, mesh, skinned);
    }
    out
}

/// Numbers that the next mesh's first vertex, coordinate and normal have.
struct First {
    v: usize,
    vt: usize,
    vn: usize,
}

fn push_mesh(
    out: &mut String,
    first: &mut First,
    model: &Model,
    index: usize,
    mesh: &Mesh,
    skinned: &SkinnedMesh,
) {
    let num = mesh.num_vertices();
    let has_uvs = mesh.uv(0).is_some();
    let has_normals = mesh.normal(0).is_some();
    line(out, format_args!("o {}", word(&mesh.name, "mesh", index)));
    for position in &skinned.positions {
        vector(out, "v", *position);
    }
    if has_uvs {
        for vertex in 0..num {
            let uv = mesh.uv(vertex).unwrap_or_default();
            line(out, format_args!("vt {} {}", uv.x, 1.0 - uv.y));
        }
    }
    if has_normals {
        for normal in &skinned.normals {
            vector(out, "vn", *normal);
        }
    }
    for (number, subset) in mesh.subsets.iter().enumerate() {
        line(out, format_args!("g mesh_{index}_subset_{number}"));
        if let Some(id) = subset.material
            && let Some(material) = model.materials.get(id.index())
        {
            let name = word(&material.name, "material", id.index());
            line(out, format_args!("usemtl {name}"));
        }
        for mut corners in mesh.triangles(subset.range()) {
            if model.axes.reverses_winding() {
                corners.swap(1, 2);
            }
            out.push('f');
            for corner in corners {
                push_corner(out, first, corner as usize, has_uvs, has_normals);
            }
            out.push('\n');
        }
    }
    first.v += num;
    first.vt += if has_uvs { num } else { 0 };
    first.vn += if has_normals { num } else { 0 };
}

fn push_corner(out: &mut String, first: &First, corner: usize, has_uvs: bool, has_normals: bool) {
    let (v, vt, vn) = (first.v + corner, first.vt + corner, first.vn + corner);
    // Writing to a string cannot fail.
    let _ = match (has_uvs, has_normals) {
        (true, true) => write!(out, " {v}/{vt}/{vn}"),
        (true, false) => write!(out, " {v}/{vt}"),
        (false, true) => write!(out, " {v}//{vn}"),
        (false, false) => write!(out, " {v}"),
    };
}

fn vector(out: &mut String, keyword: &str, v: Vec3) {
    line(out, format_args!("{keyword} {} {} {}", v.x, v.y, v.z));
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

/// A name as OBJ can hold it: one word.
fn word(name: &str, what: &str, number: usize) -> String {
    if name.trim().is_empty() {
        return format!("{what}_{number}");
    }
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    name.chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::model::{
        Axes, Handedness, Indices, Material, MaterialId, Streams, Subset, UvSet, VertexData,
    };

    fn mesh(has_uvs: bool) -> Mesh {
        let uvs = UvSet {
            name: String::new(),
            coords: vec![Vec2::new(0.25, 0.75); 3],
        };
        Mesh {
            vertices: VertexData::Streams(Streams {
                positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
                normals: if has_uvs {
                    Vec::new()
                } else {
                    vec![Vec3::Z; 3]
                },
                uv_sets: if has_uvs { vec![uvs] } else { Vec::new() },
                ..Streams::default()
            }),
            indices: Indices::U32(vec![0, 1, 2]),
            subsets: vec![Subset {
                first_index: 0,
                index_count: 3,
                material: Some(MaterialId(0)),
            }],
            ..Mesh::default()
        }
    }

    #[test]
    fn meshes_with_different_attributes_count_each_on_its_own() {
        let mut model = Model {
            meshes: vec![mesh(true), mesh(false)],
            materials: vec![Material {
                name: "left arm\n".into(),
                textures: Vec::new(),
                ..Material::default()
            }],
            ..Model::default()
        };
        let posed = crate::pose::skin_model(&model, &crate::pose::PoseSpec::default());
        let text = encode(&model, &posed);
        assert!(text.contains("\nf 1/1 2/2 3/3\n"), "{text}");
        assert!(text.contains("\nf 4//1 5//2 6//3\n"), "{text}");
        assert!(text.contains("\nvt 0.25 0.25\n"), "v points up: {text}");
        assert!(text.contains("\nusemtl left_arm_\n"), "{text}");
        model.axes = Axes {
            handedness: Handedness::Left,
            ..Axes::default()
        };
        assert!(encode(&model, &posed).contains("\nf 1/1 3/3 2/2\n"));
    }
}
