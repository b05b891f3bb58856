//! A minute of the fuzz target `every`: files of every format, made by the writers, changed at
//! random and taken through all that is done with a model.
//!
//! A test binary of its own: it runs beside nothing else, so that its minute is a minute. What it
//! does is the same on every machine but for how far it comes: `RIGSCOPE_EVERY_SECONDS` lets it go
//! on for longer, `RIGSCOPE_EVERY_SEED` begins elsewhere.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::panic,
    reason = "a test may fail and speak"
)]

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rigscope::formats::{FORMATS, WriteOptions, write};
use rigscope::model::Report;
use support::rich::rich;

#[path = "../fuzz/src/lib.rs"]
#[allow(dead_code, unreachable_pub, reason = "public in the package it is made for")]
mod body;

/// How long it goes on where nothing else is said.
const USUAL: Duration = Duration::from_secs(60);
/// No changed file may take longer, where nothing is optimised.
const MAX_STEP: Duration = Duration::from_secs(20);
/// So many are tried however slow the machine is.
const MIN_FILES: usize = 200;

/// Numbers without pattern: Marsaglia, "Xorshift RNGs", 2003.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).unwrap()
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[2]
    }
}

/// A file of each format that is written, and its format.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds = Vec::new();
    for format in FORMATS.iter().filter(|format| format.info().can_write) {
        let info = format.info();
        for part in std::iter::once(None).chain(info.parts.iter().map(Some)) {
            let options = WriteOptions {
                stem: "every".into(),
                part: part.map(|part| part.id.to_owned()),
                ..WriteOptions::default()
            };
            let Ok(files) = write(&rich(), *format, &options, &Report::new()) else { continue };
            let alone = files.into_iter().filter(|file| !file.is_companion);
            seeds.extend(alone.map(|file| (info.id, file.bytes)));
        }
    }
    // There is no writer for these, but readers that take them.
    seeds.push(("fbx", body_of_fbx().into_bytes()));
    seeds.push(("effect", EFFECT.into()));
    seeds
}

/// An effect of the meshes that are lent to it.
const EFFECT: &str = r#"{
    "assets": {
        "images": { "a.png": { "type": "texture", "file_name": "a.png" } },
        "materials": {
            "shaders/body": {
                "samplers": [ { "name": "tex_diffuse", "image": "a.png" }, { "name": "bnb_BONES" } ],
                "state": { "backfaces": true, "blend": "alpha", "colorwrite": true }
            }
        },
        "meshes": {
            "!glfx_FACE": "$builtin$meshes/face.stream:0",
            "a.bsm2": "meshes/a.bsm2",
            "b.bsm2": "meshes/b.bsm2"
        }
    }
}"#;

/// A triangle on a node that moves.
fn body_of_fbx() -> String {
    "; FBX 7.4.0 project file
FBXHeaderExtension: { FBXVersion: 7400 }
Objects: {
    Geometry: 1, \"Geometry::a\", \"Mesh\" {
        Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }
        PolygonVertexIndex: *3 { a: 0,1,-3 }
        GeometryVersion: 124
    }
    Model: 2, \"Model::a\", \"Mesh\" { Version: 232 }
    AnimationStack: 3, \"AnimStack::a\", \"\" { }
    AnimationLayer: 4, \"AnimLayer::a\", \"\" { }
    AnimationCurveNode: 5, \"AnimCurveNode::T\", \"\" {
        Properties70: { P: \"d|X\", \"Number\", \"\", \"A\",0 }
    }
    AnimationCurve: 6, \"AnimCurve::\", \"\" {
        KeyVer: 4009
        KeyTime: *2 { a: 0,46186158000 }
        KeyValueFloat: *2 { a: 0,2 }
        KeyAttrFlags: *1 { a: 24836 }
        KeyAttrDataFloat: *4 { a: 0,0,0,0 }
        KeyAttrRefCount: *1 { a: 2 }
    }
}
Connections: {
    C: \"OO\",1,2
    C: \"OO\",2,0
    C: \"OO\",4,3
    C: \"OO\",5,4
    C: \"OP\",5,2, \"Lcl Translation\"
    C: \"OP\",6,5, \"d|X\"
}
"
    .to_owned()
}

/// Numbers at which counts, offsets and coordinates go wrong.
const WORDS: [u32; 12] = [
    0,
    1,
    2,
    0x7f,
    0xff,
    0xffff,
    0x0001_0000,
    0x7fff_ffff,
    u32::MAX,
    0x7f80_0000, // infinite
    0x7fc0_0000, // not a number
    0x7149_f2ca, // 1e30
];
/// The same in text.
const TOKENS: [&str; 9] = ["0", "-1", "1e30", "1e-40", "nan", "4294967295", "99999", "\"\"", " "];

/// Changes `bytes` somewhere.
fn change(random: &mut Random, bytes: &mut Vec<u8>, others: &[(&str, Vec<u8>)]) {
    let at = random.below(bytes.len());
    match random.below(9) {
        0 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << (at % 8)),
        1 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = random.byte()),
        2 | 3 => {
            let word = WORDS[random.below(WORDS.len())].to_le_bytes();
            // Numbers lie at multiples of four, mostly.
            let at = if random.below(4) == 0 { at } else { at / 4 * 4 };
            for (byte, new) in bytes.iter_mut().skip(at).zip(word) {
                *byte = new;
            }
        }
        4 | 5 => {
            let is_part = |byte: &&u8| byte.is_ascii_digit() || b"+-.e".contains(byte);
            let Some(start) = bytes.iter().skip(at).position(|byte| byte.is_ascii_digit()) else {
                return;
            };
            let start = at + start;
            let len = bytes.iter().skip(start).take_while(is_part).count();
            let token = TOKENS[random.below(TOKENS.len())].bytes();
            bytes.splice(start..start + len, token);
        }
        6 => bytes.truncate(at),
        7 => {
            let len = random.below(64).min(bytes.len() - at);
            let copied = bytes[at..at + len].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copied);
        }
        _ => {
            let other = &others[random.below(others.len())].1;
            let from = random.below(other.len());
            let part = other[from..].iter().take(random.below(256));
            for (byte, new) in bytes.iter_mut().skip(at).zip(part) {
                *byte = *new;
            }
        }
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn whatever_becomes_of_a_file_nothing_panics_or_hangs() {
    let seeds = seeds();
    let formats: std::collections::BTreeSet<_> = seeds.iter().map(|(id, _)| *id).collect();
    assert!(formats.len() >= FORMATS.len() - 1, "all but archives: {formats:?}");
    let writers: Vec<&str> = (FORMATS.iter().map(|format| format.info()))
        .filter(|info| info.can_write)
        .map(|info| info.id)
        .collect();
    let lasts = number("RIGSCOPE_EVERY_SECONDS").map_or(USUAL, Duration::from_secs);
    let first_seed = number("RIGSCOPE_EVERY_SEED").unwrap_or(0);
    let began = Instant::now();
    let mut faults = Vec::new();
    let mut num_files = 0;
    // What is not changed must do, in every direction.
    for (number, (from, file)) in seeds.iter().enumerate() {
        let to = writers[number % writers.len()];
        run(from, to, 0, file, &format!("{from} to {to} unchanged"), &mut faults);
    }
    for seed in first_seed.. {
        if num_files >= MIN_FILES && began.elapsed() >= lasts {
            break;
        }
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            random.next();
        }
        let (from, file) = &seeds[random.below(seeds.len())];
        let to = writers[random.below(writers.len())];
        let ways = random.byte();
        let mut file = file.clone();
        for _ in 0..=random.below(4) {
            if !file.is_empty() {
                change(&mut random, &mut file, &seeds);
            }
        }
        run(from, to, ways, &file, &format!("{from} to {to}, seed {seed}"), &mut faults);
        num_files += 1;
    }
    eprintln!("{num_files} changed files");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn run(from: &str, to: &str, ways: u8, file: &[u8], what: &str, faults: &mut Vec<String>) {
    let mut bytes = body::every_head(from, to, ways).to_vec();
    bytes.extend(file);
    let began = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| body::every(&bytes)));
    let took = began.elapsed();
    if outcome.is_err() {
        faults.push(format!("{what}: panicked"));
    } else if took > MAX_STEP {
        faults.push(format!("{what}: took {took:?}"));
    }
}
