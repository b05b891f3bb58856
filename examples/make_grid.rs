//! Makes a GLB of any size, for `make scale` and `scripts/peers.sh`: a bent tube with about this many vertices,
//! skinned to four bones, with a clip of one second.
//! `cargo run --release --no-default-features --example make_grid -- 1000000 target/grid.glb`

use std::f32::consts::TAU;
use std::io::{self, BufWriter, Write};

const USAGE: &str = "usage: make_grid NUMBER_OF_VERTICES FILE.glb";
const NUM_BONES: usize = LAST_BONE as usize + 1;
const LAST_BONE: u8 = 3;
const NUM_KEYS: usize = 11;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let num: f64 = args.next().ok_or(USAGE)?.parse()?;
    let path = args.next().ok_or(USAGE)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a range"
    )]
    let side = num.clamp(4.0, 1e9).sqrt() as usize;
    write(&mut BufWriter::new(std::fs::File::create(path)?), side)?;
    Ok(())
}

/// Bytes of each array: indices, positions, normals, texture coordinates, joints, weights, times,
/// rotations, inverse bind matrices.
fn lengths(side: usize) -> [usize; 9] {
    let (num, quads) = (side * side, (side - 1) * (side - 1));
    let of_vertices = [12, 12, 8, 4, 16].map(|size| size * num);
    let [positions, normals, uvs, joints, weights] = of_vertices;
    let keys = [NUM_KEYS * 4, NUM_KEYS * 16, NUM_BONES * 64];
    [quads * 24, positions, normals, uvs, joints, weights, keys[0], keys[1], keys[2]]
}

fn write(out: &mut impl Write, side: usize) -> io::Result<()> {
    let lengths = lengths(side);
    let mut json = json(side, &lengths);
    json.push_str(&" ".repeat(json.len().wrapping_neg() % 4));
    let num_bytes: usize = lengths.iter().sum();
    let word = |value: usize| u32::try_from(value).map(u32::to_le_bytes).map_err(io::Error::other);
    for bytes in
        [*b"glTF", word(2)?, word(28 + json.len() + num_bytes)?, word(json.len())?, *b"JSON"]
    {
        out.write_all(&bytes)?;
    }
    out.write_all(json.as_bytes())?;
    out.write_all(&[word(num_bytes)?, *b"BIN\0"].concat())?;
    let each = |at: usize| {
        ((at % side) as f32 / (side - 1) as f32, (at / side) as f32 / (side - 1) as f32)
    };
    for at in (0..side * (side - 1)).filter(|at| at % side != side - 1) {
        for corner in [at, at + side, at + 1, at + 1, at + side, at + side + 1] {
            out.write_all(&word(corner)?)?;
        }
    }
    let mut floats = |values: &dyn Fn(f32, f32) -> Vec<f32>| -> io::Result<()> {
        (0..side * side).try_for_each(|at| {
            let (u, v) = each(at);
            values(u, v).iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
        })
    };
    let around = |u: f32| (u * TAU).sin_cos();
    floats(&|u, v| {
        let radius = 1.0 + 0.3 * (v * 9.0).sin();
        vec![radius * around(u).1, v * 4.0, radius * around(u).0]
    })?;
    floats(&|u, _| vec![around(u).1, 0.0, around(u).0])?;
    floats(&|u, v| vec![u, v])?;
    // Each vertex is weighted to the bones below and above it.
    let below = |v: f32| (v * NUM_BONES as f32).floor().min(NUM_BONES as f32 - 1.0);
    for at in 0..side * side {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "of four")]
        let bone = below(each(at).1) as u8;
        out.write_all(&[bone, (bone + 1).min(LAST_BONE), 0, 0])?;
    }
    for at in 0..side * side {
        let v = each(at).1;
        let share = v * NUM_BONES as f32 - below(v);
        for weight in [1.0 - share, share, 0.0, 0.0] {
            out.write_all(&weight.to_le_bytes())?;
        }
    }
    let times = (0..NUM_KEYS).map(|key| key as f32 / (NUM_KEYS - 1) as f32);
    let rotations = times.clone().flat_map(|time| {
        let half = 0.25 * (time * TAU).sin();
        [0.0, 0.0, half.sin(), half.cos()]
    });
    let binds = (0..NUM_BONES).flat_map(|bone| {
        let mut matrix = [0.0; 16];
        (0..4).for_each(|at| matrix[at * 5] = 1.0);
        matrix[13] = -(bone as f32);
        matrix
    });
    times.chain(rotations).chain(binds).try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

fn json(side: usize, lengths: &[usize; 9]) -> String {
    let num = side * side;
    let (mut offset, mut views) = (0, Vec::new());
    for length in lengths {
        views.push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}}}"#));
        offset += length;
    }
    let accessor = |view: usize, kind: u32, shape: &str, count: usize, more: &str| {
        format!(
            r#"{{"bufferView":{view},"componentType":{kind},"type":"{shape}","count":{count}{more}}}"#
        )
    };
    let accessors = [
        accessor(0, 5125, "SCALAR", (side - 1) * (side - 1) * 6, ""),
        accessor(1, 5126, "VEC3", num, r#","min":[-1.3,0,-1.3],"max":[1.3,4,1.3]"#),
        accessor(2, 5126, "VEC3", num, ""),
        accessor(3, 5126, "VEC2", num, ""),
        accessor(4, 5121, "VEC4", num, ""),
        accessor(5, 5126, "VEC4", num, ""),
        accessor(6, 5126, "SCALAR", NUM_KEYS, r#","min":[0],"max":[1]"#),
        accessor(7, 5126, "VEC4", NUM_KEYS, ""),
        accessor(8, 5126, "MAT4", NUM_BONES, ""),
    ];
    let bone = |at: usize| match at {
        // Names must be unique for some programs.
        NUM_BONES => format!(r#"{{"name":"bone {at}","translation":[0,1,0]}}"#),
        _ => format!(
            r#"{{"name":"bone {at}","translation":[0,{},0],"children":[{}]}}"#,
            usize::from(at > 1),
            at + 1
        ),
    };
    let bones: Vec<_> = (1..=NUM_BONES).map(bone).collect();
    let channel =
        |at: usize| format!(r#"{{"sampler":0,"target":{{"node":{at},"path":"rotation"}}}}"#);
    let channels: Vec<_> = (1..=NUM_BONES).map(channel).collect();
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],"nodes":[{{"name":"tube","mesh":0,"skin":0}},{}],"meshes":[{{"primitives":[{{"indices":0,"attributes":{{"POSITION":1,"NORMAL":2,"TEXCOORD_0":3,"JOINTS_0":4,"WEIGHTS_0":5}}}}]}}],"skins":[{{"joints":[1,2,3,4],"inverseBindMatrices":8}}],"animations":[{{"name":"bend","samplers":[{{"input":6,"output":7}}],"channels":[{}]}}],"accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{offset}}}]}}"#,
        bones.join(","),
        channels.join(","),
        accessors.join(","),
        views.join(","),
    )
}
