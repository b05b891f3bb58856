//! Skins as text and binary, made by hand.

use super::super::skin_file::Skin;

/// A skin as a SKN with `end` at the end of each line.
pub(super) fn skn(skin: &Skin, end: &str) -> String {
    let mut lines = vec![skin.name.clone(), skin.texture.clone()];
    lines.push(skin.bones.len().to_string());
    lines.extend(skin.bones.iter().cloned());
    lines.push(skin.faces.len().to_string());
    lines.extend(skin.faces.iter().map(|[a, b, c]| format!("{a} {b} {c}")));
    lines.push(skin.bindings.len().to_string());
    lines.extend(skin.bindings.iter().map(|b| {
        let (raw, blend) = (b.first_raw, b.first_blend);
        format!("{} {raw} {} {blend} {}", b.bone, b.num_raw, b.num_blends)
    }));
    lines.push(skin.uvs.len().to_string());
    lines.extend(skin.uvs.iter().map(|[u, v]| format!("{u} {v}")));
    lines.push(skin.blends.len().to_string());
    let blends = skin.blends.iter();
    lines.extend(blends.map(|b| format!("{} {}", b.vertex, b.weight)));
    lines.push(skin.vertices.len().to_string());
    lines.extend(skin.vertices.iter().map(|vertex| {
        let [x, y, z] = vertex.position;
        let [nx, ny, nz] = vertex.normal;
        format!("{x} {y} {z} {nx} {ny} {nz}")
    }));
    lines.push(String::new());
    lines.join(end)
}

pub(super) fn bmf(skin: &Skin) -> Vec<u8> {
    let mut out = Vec::new();
    let string = |out: &mut Vec<u8>, text: &str| {
        out.push(u8::try_from(text.len()).unwrap());
        out.extend(text.as_bytes());
    };
    let int = |out: &mut Vec<u8>, value: i32| out.extend(value.to_le_bytes());
    let len = |out: &mut Vec<u8>, len: usize| int(out, i32::try_from(len).unwrap());
    string(&mut out, &skin.name);
    string(&mut out, &skin.texture);
    len(&mut out, skin.bones.len());
    for bone in &skin.bones {
        string(&mut out, bone);
    }
    len(&mut out, skin.faces.len());
    for &index in skin.faces.iter().flatten() {
        int(&mut out, index);
    }
    len(&mut out, skin.bindings.len());
    for b in &skin.bindings {
        for value in [b.bone, b.first_raw, b.num_raw, b.first_blend, b.num_blends] {
            int(&mut out, value);
        }
    }
    len(&mut out, skin.uvs.len());
    for value in skin.uvs.iter().flatten() {
        out.extend(value.to_le_bytes());
    }
    len(&mut out, skin.blends.len());
    for blend in &skin.blends {
        int(&mut out, blend.weight);
        int(&mut out, blend.vertex);
    }
    len(&mut out, skin.vertices.len());
    for vertex in &skin.vertices {
        for value in vertex.position.iter().chain(&vertex.normal) {
            out.extend(value.to_le_bytes());
        }
    }
    out
}
