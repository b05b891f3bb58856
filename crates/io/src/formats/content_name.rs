//! Names of files derived from their contents: `hero.1f2e3d4c.bin`.
//!
//! For: sets of files that must stay consistent. Different contents have different names, so that writing a
//! new set keeps the old one intact until the main file, which is written last, names the new files.
//! Not for: testing files for equality. Two contents may share a name, so writers compare the bytes.

/// Number of hash digits in a name.
const NUM_DIGITS: usize = 8;
/// Maximum length of a name in bytes.
///
/// Source: `NAME_MAX` of Linux, and the components of NTFS and APFS, are 255 units.
const MAX_NAME_BYTES: usize = 255;
/// Lower-case extensions of files that refer to others by such names.
pub const NAMING_EXTENSIONS: [&str; 2] = ["gltf", "obj"];

/// The name of a file with the contents `bytes` that belongs to a main file `stem`.
#[must_use]
pub(crate) fn content_name(stem: &str, extension: &str, bytes: &[u8]) -> String {
    let end = format!(".{}.{extension}", digits(bytes));
    let room = MAX_NAME_BYTES.saturating_sub(end.len());
    let stem = stem.get(..stem.floor_char_boundary(room)).unwrap_or_default();
    format!("{stem}{end}")
}

/// The hash digits in the name of a file that belongs to a main file `stem`; `None` if the name has another
/// form.
#[must_use]
pub fn digits_of<'a>(name: &'a str, stem: &str) -> Option<&'a str> {
    let (own, extension) = name.rsplit_once('.')?;
    let (own, digits) = own.rsplit_once('.')?;
    let room = MAX_NAME_BYTES.saturating_sub(digits.len() + extension.len() + 2);
    let is_hash = digits.len() == NUM_DIGITS
        && (digits.bytes()).all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    let stem = stem.get(..stem.floor_char_boundary(room))?;
    (is_hash && own == stem).then_some(digits)
}

/// Whether `wanted` is the hash of `bytes`.
pub fn has_digits(bytes: &[u8], wanted: &str) -> bool {
    digits(bytes) == wanted
}

/// FNV-1a of 64 bits, folded to 32: independent of machine and version.
///
/// Source: Fowler, Noll, Vo, draft-eastlake-fnv, section 6 (values) and 3 (folding).
fn digits(bytes: &[u8]) -> String {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let hash =
        bytes.iter().fold(OFFSET_BASIS, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("{:08x}", (hash >> 32) ^ (hash & 0xffff_ffff))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_stable_and_depend_on_the_content() {
        // Source: the draft's test vectors: FNV-1a of 64 bits of "" and "foobar".
        assert_eq!(content_name("a b", "bin", b""), "a b.4fd0bfc1.bin");
        assert_eq!(digits(b"foobar"), format!("{:08x}", 0x8594_4171_u32 ^ 0xf739_67e8));
        assert_ne!(digits(b"foobar"), digits(b"foobas"));
    }

    #[test]
    fn content_digits_are_recognized_only_after_the_same_stem() {
        let name = content_name("hero.v2", "mtl", b"x");
        let digits = digits_of(&name, "hero.v2").unwrap();
        assert!(has_digits(b"x", digits) && !has_digits(b"y", digits));
        for other in ["hero", "hero.v", "v2", ""] {
            assert_eq!(digits_of(&name, other), None, "{other}");
        }
        for name in ["hero.v2.bin", "hero.v2.1F2E3D4C.bin", "hero.v2.123.bin", "hero.v2"] {
            assert_eq!(digits_of(name, "hero.v2"), None, "{name}");
        }
    }

    #[test]
    fn long_stems_are_truncated_to_the_file_name_limit() {
        let stem = "\u{4e00}".repeat(100);
        let name = content_name(&stem, "bin", b"x");
        assert!(name.len() <= MAX_NAME_BYTES);
        assert!(digits_of(&name, &stem).is_some());
    }
}
