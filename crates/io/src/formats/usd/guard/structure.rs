//! The sections of a binary layer: tokens, strings, fields, paths and specs.

use super::Fault;
use super::bytes::Bytes;
use super::names::is_name;
use super::values::PAYLOAD;

/// The oldest version whose sections the library reads, and the newest.
const VERSIONS: std::ops::RangeInclusive<u8> = 4..=12;
/// The most sections.
const MAX_SECTIONS: u64 = 63;
/// The deepest path.
const MAX_DEPTH: u32 = 512;
/// Memory of a path or a spec, with its entry in a table.
const PATH_BYTES: u64 = 128;

/// Checks all sections; returns the stored values of fields.
pub(super) fn check(reader: &mut Bytes<'_>) -> Result<Vec<u64>, Fault> {
    let sections = sections(reader)?;
    let enter = |reader: &mut Bytes<'_>, name: &'static str| {
        reader.field = name;
        let own = sections.iter().find(|(own, _)| own == name.as_bytes());
        own.map(|(_, start)| reader.seek(*start)).transpose().map(|found| found.is_some())
    };
    let mut tokens: Vec<Token> = Vec::new();
    if enter(reader, "TOKENS")? {
        let num = reader.u64()?;
        let size = reader.u64()?;
        let text = reader.decompressed(size)?;
        tokens = text.split(|byte| *byte == 0).map(Token::of).collect();
        reader.charge(num.min(size), 32)?;
    }
    if enter(reader, "STRINGS")? {
        let num = reader.count(4)?;
        reader.charge(num, 8)?;
    }
    let mut reps = Vec::new();
    if enter(reader, "FIELDS")? {
        let num = reader.u64()?;
        let names = reader.ints(num)?;
        let stored = reader.decompressed(num.saturating_mul(8))?;
        let (chunks, _) = stored.as_chunks::<8>();
        reps = chunks.iter().map(|rep| u64::from_le_bytes(*rep)).collect();
        reader.charge(num, 24)?;
        for (name, rep) in names.iter().zip(&reps) {
            let is_default_prim = token(&tokens, u64::from(name.unsigned_abs()))
                .is_some_and(|token| token.is_default_prim);
            // A token's index is in its reference.
            let is_wrong = || token(&tokens, rep & PAYLOAD).is_some_and(|token| !token.is_name);
            if is_default_prim && is_wrong() {
                return Err(reader.fault("the name of the default prim contains a brace"));
            }
        }
    }
    if enter(reader, "FIELDSETS")? {
        let num = reader.u64()?;
        reader.skip_ints(num)?;
        reader.charge(num, 16)?;
    }
    if enter(reader, "PATHS")? {
        paths(reader, &tokens)?;
    }
    if enter(reader, "SPECS")? {
        let num = reader.u64()?;
        for _ in 0..3 {
            reader.skip_ints(num)?;
        }
        reader.charge(num, PATH_BYTES)?;
    }
    Ok(reps)
}

/// A token of the file.
#[derive(Clone, Copy)]
struct Token {
    num_bytes: u64,
    is_default_prim: bool,
    /// Whether it can be part of a path.
    is_name: bool,
}

impl Token {
    fn of(text: &[u8]) -> Self {
        let is_default_prim = text == b"defaultPrim";
        Self { num_bytes: text.len() as u64, is_default_prim, is_name: is_name(text) }
    }
}

fn token(tokens: &[Token], index: u64) -> Option<&Token> {
    tokens.get(usize::try_from(index).ok()?)
}

/// The name and start of each section.
fn sections(reader: &mut Bytes<'_>) -> Result<Vec<(Vec<u8>, u64)>, Fault> {
    reader.seek(8)?;
    let [major, minor, ..] = reader.array::<8>()?;
    if major != 0 || !VERSIONS.contains(&minor) {
        return Err(reader.fault(format!("version {major}.{minor} of the format isn't supported")));
    }
    reader.version = minor;
    let start = reader.u64()?;
    reader.field = "sections";
    reader.seek(start)?;
    let num = reader.count(32)?;
    if num > MAX_SECTIONS {
        return Err(reader.fault(format!("there are {num} sections")));
    }
    let mut out = Vec::new();
    for _ in 0..num {
        let name = reader.array::<16>()?;
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
        out.push((name, reader.u64()?));
        reader.u64()?;
    }
    Ok(out)
}

/// Checks the tree of paths: a node has a child, a sibling, both or neither, and each is reached once. Lengths of paths
/// add up to the memory that they need.
fn paths(reader: &mut Bytes<'_>, tokens: &[Token]) -> Result<(), Fault> {
    let num_paths = reader.u64()?;
    let num = reader.u64()?;
    let (indices, names, jumps) = (reader.ints(num)?, reader.ints(num)?, reader.ints(num)?);
    if num_paths > num.saturating_add(1) {
        return Err(reader.fault(format!("{num_paths} paths are stated for {num} nodes")));
    }
    reader.charge(num_paths, PATH_BYTES)?;
    let is_path = |index: &i32| u64::try_from(*index).is_ok_and(|index| index < num_paths);
    if !indices.iter().all(is_path) {
        return Err(reader.fault("a node refers to a path that doesn't exist"));
    }
    let mut is_seen = vec![false; indices.len()];
    // Nodes to visit, with the depth and length of their parents.
    let mut open = vec![(0usize, 0u32, 0u64)];
    while let Some((mut at, mut depth, mut parent)) = open.pop() {
        while at < is_seen.len() {
            let seen = is_seen.get_mut(at).is_some_and(|seen| std::mem::replace(seen, true));
            let (Some(name), Some(&jump)) = (names.get(at), jumps.get(at)) else { break };
            if seen || depth > MAX_DEPTH {
                return Err(reader.fault("paths are nested too deeply, or in a loop"));
            }
            let token = token(tokens, u64::from(name.unsigned_abs())).copied();
            let token =
                token.ok_or_else(|| reader.fault("a path has a name that doesn't exist"))?;
            if !token.is_name {
                return Err(reader.fault("the name of a prim contains a brace"));
            }
            let length = parent.saturating_add(token.num_bytes).saturating_add(1);
            reader.charge(1, length)?;
            let has_child = jump > 0 || jump == -1;
            let has_sibling = jump >= 0;
            if has_child {
                if has_sibling {
                    let sibling = usize::try_from(jump).ok().and_then(|jump| at.checked_add(jump));
                    open.push((sibling.unwrap_or(usize::MAX), depth, parent));
                }
                (depth, parent) = (depth + 1, length);
            } else if !has_sibling {
                break;
            }
            at += 1;
        }
        if at >= is_seen.len() && !is_seen.is_empty() {
            return Err(reader.fault("a path refers to a node that doesn't exist"));
        }
    }
    Ok(())
}
