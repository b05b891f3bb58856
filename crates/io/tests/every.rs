//! Runs the fuzz target `every` for a minute: changes files of every format at random and passes
//! them through all operations on a model.
//!
//! The initial inputs are the output of all writers and `fuzz/seeds/every`: inputs that libFuzzer
//! has found from the former and that reach additional code (`make fuzz-seeds`).
//!
//! This is a separate test binary, so that other tests don't run during its minute. The sequence of
//! inputs is the same on every machine; a faster machine gets further. `RIGSCOPE_EVERY_SECONDS`
//! sets the time and `RIGSCOPE_EVERY_SEED` selects another sequence. With
//! `RIGSCOPE_WRITE_SEEDS=FOLDER`, the test only writes the output of all writers to that folder, as
//! inputs for libFuzzer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::panic,
    reason = "a test may fail and speak"
)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rigscope_io::formats::FORMATS;
use support::seeds::seeds;

#[path = "../../../fuzz/src/lib.rs"]
#[allow(dead_code, unreachable_pub, reason = "public in the package it is made for")]
mod body;

/// Duration if `RIGSCOPE_EVERY_SECONDS` isn't set.
const USUAL: Duration = Duration::from_secs(60);
/// Time limit for one input in a build that isn't optimised.
const MAX_STEP: Duration = Duration::from_secs(20);
/// Minimum number of changed inputs, even on a slow machine.
const MIN_INPUTS: usize = 200;

/// An input of [`body::every`].
struct Input {
    name: String,
    bytes: Vec<u8>,
}

/// The output of all writers, each paired with another format to convert it to.
fn written() -> Vec<Input> {
    let infos = FORMATS.iter().map(|format| &format.info);
    let writers: Vec<_> = infos.filter(|info| info.can_write).map(|info| info.id).collect();
    let mut inputs = Vec::new();
    for (number, (from, file)) in seeds().into_iter().enumerate() {
        let to = writers[number % writers.len()];
        let bytes = [&body::every_head(from, to, 0)[..], &file].concat();
        inputs.push(Input { name: format!("{number:02}-{from}-to-{to}"), bytes });
    }
    inputs
}

/// The inputs found by libFuzzer.
fn found() -> Vec<Input> {
    let folder = support::root().join("fuzz/seeds/every");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let input = |path: &PathBuf| Input { name: name(path), bytes: std::fs::read(path).unwrap() };
    paths.iter().map(input).collect()
}

/// Pseudorandom numbers: Marsaglia, "Xorshift RNGs", 2003.
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

    fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Words that are likely to break counts, offsets and coordinates.
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
/// The same for numbers in text.
const TOKENS: [&str; 9] = ["0", "-1", "1e30", "1e-40", "nan", "4294967295", "99999", "\"\"", " "];

/// Changes `bytes` in one place.
fn change(random: &mut Random, bytes: &mut Vec<u8>, others: &[Input]) {
    let at = random.below(bytes.len());
    match random.below(9) {
        0 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << (at % 8)),
        1 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = random.byte()),
        2 | 3 => {
            let word = random.one(&WORDS).to_le_bytes();
            // Most numbers are aligned to four bytes.
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
            let token = random.one(&TOKENS).bytes();
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
            let other = &random.one(others).bytes;
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
fn no_input_causes_a_panic_or_a_hang() {
    let written = written();
    if let Some(folder) = std::env::var_os("RIGSCOPE_WRITE_SEEDS") {
        for input in written {
            std::fs::write(Path::new(&folder).join(input.name), input.bytes).unwrap();
        }
        return;
    }
    let formats: BTreeSet<_> = written.iter().map(|input| input.bytes[0]).collect();
    assert_eq!(formats.len(), FORMATS.len(), "a file of each format");
    let found = found();
    assert!(!found.is_empty());

    let time = number("RIGSCOPE_EVERY_SECONDS").map_or(USUAL, Duration::from_secs);
    let first_seed = number("RIGSCOPE_EVERY_SEED").unwrap_or(0);
    let began = Instant::now();
    let mut faults = Vec::new();
    let inputs: Vec<_> = written.into_iter().chain(found).collect();
    faults.extend(inputs.iter().filter_map(|input| fault(&input.bytes, &input.name)));
    let mut num_changed = 0;
    for seed in first_seed.. {
        if num_changed >= MIN_INPUTS && began.elapsed() >= time {
            break;
        }
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            random.next();
        }
        let input = random.one(&inputs);
        let (head, file) = input.bytes.split_at(body::EVERY_HEAD_BYTES.min(input.bytes.len()));
        let mut file = file.to_vec();
        for _ in 0..=random.below(4) {
            if !file.is_empty() {
                change(&mut random, &mut file, &inputs);
            }
        }
        // Keeps the format that the input is read as.
        let head = [head.first().copied().unwrap_or(0), random.byte(), random.byte()];
        let what = format!("{}, RIGSCOPE_EVERY_SEED={seed}", input.name);
        faults.extend(fault(&[&head[..], &file].concat(), &what));
        num_changed += 1;
    }
    eprintln!("{} inputs, {num_changed} changed ones", inputs.len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Runs one input and returns its fault, if any.
fn fault(bytes: &[u8], name: &str) -> Option<String> {
    let began = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| body::every(bytes)));
    let took = began.elapsed();
    match outcome {
        Err(_) => Some(format!("{name}: panicked")),
        Ok(()) if took > MAX_STEP => Some(format!("{name}: took {took:?}")),
        Ok(()) => None,
    }
}
