//! Makes a BSM2 file of any number of keys, for `make scale`: a tube of 4,096 vertices on 256 bones with one clip. Each
//! key has 12 KiB.
//! `cargo run --release --no-default-features --example make_keys -- 10000 target/keys.bsm2`

use std::f32::consts::TAU;
use std::io::{self, BufWriter, Write};

const USAGE: &str = "usage: make_keys NUMBER_OF_KEYS FILE.bsm2";
const SIDE: u16 = 64;
const NUM_BONES: u16 = 256;
const INTERVAL_NS: u64 = 33_333_333;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let num_keys: u32 = args.next().ok_or(USAGE)?.parse()?;
    let path = args.next().ok_or(USAGE)?;
    let mut out = BufWriter::new(std::fs::File::create(path)?);
    write(&mut out, num_keys.max(1))?;
    out.flush()?;
    Ok(())
}

fn write(out: &mut impl Write, num_keys: u32) -> io::Result<()> {
    let (num_vertices, num_indices) = (SIDE * SIDE, u32::from(SIDE - 1) * u32::from(SIDE - 1) * 6);
    for count in [num_vertices.into(), num_indices, 1, NUM_BONES.into(), 1, 1] {
        out.write_all(&u32::to_le_bytes(count))?;
    }
    (0..num_vertices).try_for_each(|at| vertex(out, at % SIDE, at / SIDE))?;
    for at in (0..SIDE * (SIDE - 1)).filter(|at| at % SIDE != SIDE - 1) {
        for corner in [at, at + SIDE, at + 1, at + 1, at + SIDE, at + SIDE + 1] {
            out.write_all(&corner.to_le_bytes())?;
        }
    }
    for word in [0, num_indices, 0] {
        out.write_all(&u32::to_le_bytes(word))?;
    }
    text(out, "tube")?;
    text(out, "sway")?;
    out.write_all(&(INTERVAL_NS * u64::from(num_keys - 1)).to_le_bytes())?;
    out.write_all(&INTERVAL_NS.to_le_bytes())?;
    out.write_all(&num_keys.to_le_bytes())?;
    (0..num_keys).try_for_each(|key| {
        let (sin, cos) = (0.2 * (key as f32 * 0.05).sin()).sin_cos();
        (0..NUM_BONES).try_for_each(|bone| {
            let away = f32::from(bone) * sin / f32::from(NUM_BONES);
            let rows = [cos, -sin, 0.0, away, sin, cos, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
            out.write_all(&rows.map(f32::to_le_bytes).concat())
        })
    })
}

/// A vertex of a tube.
fn vertex(out: &mut impl Write, around: u16, along: u16) -> io::Result<()> {
    let [u, v] = [around, along].map(|at| f32::from(at) / f32::from(SIDE - 1));
    let (sin, cos) = (u * TAU).sin_cos();
    for value in [cos, v * 4.0, sin] {
        out.write_all(&value.to_le_bytes())?;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "ten bits")]
    let packed = |value: f32| (value * 511.0).round() as i32 as u32 & 0x3ff;
    out.write_all(&(packed(cos) | packed(sin) << 20).to_le_bytes())?;
    // The sign of the bitangent is 1.
    out.write_all(&(packed(-sin) | packed(cos) << 20 | 1 << 30).to_le_bytes())?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
    [u, v].iter().try_for_each(|value| out.write_all(&((value * 65535.0) as u16).to_le_bytes()))?;
    let [bone, ..] = (along * (NUM_BONES / SIDE)).to_le_bytes();
    out.write_all(&[bone, 0, 0, 0, 255, 0, 0, 0])
}

fn text(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(&u32::try_from(text.len()).unwrap_or_default().to_le_bytes())?;
    out.write_all(text.as_bytes())
}
