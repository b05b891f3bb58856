//! Splits the names of bones into words.

use super::body::Side;

/// The parts of a name that have a meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// In lower case, without prefixes, sides and numbers.
    pub(super) words: Vec<String>,
    pub(super) side: Option<Side>,
    /// As in the name, with leading zeros.
    pub(super) numbers: Vec<String>,
    /// Whether it is a control, a target or another helper rather than a bone of the body.
    pub(super) is_helper: bool,
}

/// Prefixes of rigs and exporters, in lower case. Numbers may follow the first ones.
const PREFIXES: &[&str] = &[
    "mixamorig",
    "valvebiped.",
    "bip001",
    "bip01",
    "bip_",
    "j_bip_",
    "j_sec_",
    "j_adj_",
    "def-",
    "def_",
    "org-",
    "cc_base_",
    "character1_",
    "jnt_",
    "bind_",
    "skel_",
    "m_avg_",
    "f_avg_",
    "b_",
    "rig_",
];
/// Words without a meaning for a bone.
const FILLERS: &[&str] =
    &["jnt", "joint", "bone", "bind", "skin", "c", "f", "m", "avg", "base", "def"];
/// Words of helpers.
const HELPERS: &[&str] = &[
    "ik", "fk", "mch", "ctrl", "control", "pole", "target", "twist", "roll", "helper", "end",
    "nub", "tip", "effector", "hipjoint", "weapon", "attach", "socket", "master", "tweak", "vis",
];

impl Words {
    pub(super) fn of(name: &str) -> Self {
        let name = name.rsplit([':', '|']).next().unwrap_or(name);
        let name = without_prefix(name.trim());
        let mut own = Self::default();
        for word in split(name) {
            if word.bytes().all(|byte| byte.is_ascii_digit()) {
                own.numbers.push(word);
                continue;
            }
            match side(&word) {
                Some(side) => own.side = Some(side),
                None => own.add(word),
            }
        }
        own
    }

    /// Adds a word that may begin with its side, as in `leftarm`.
    fn add(&mut self, word: String) {
        let sides = [("left", Side::Left), ("right", Side::Right)].into_iter();
        let mut found = sides.filter_map(|(text, side)| {
            Some((word.strip_prefix(text).filter(|rest| !rest.is_empty())?, side))
        });
        let found = found.next();
        let word = match found {
            Some((rest, side)) => {
                self.side = Some(side);
                rest.to_owned()
            }
            None => word,
        };
        self.is_helper |= HELPERS.contains(&word.as_str());
        if !FILLERS.contains(&word.as_str()) {
            self.words.push(word);
        }
    }

    /// The words without a separator.
    pub(super) fn joined(&self) -> String {
        self.words.concat()
    }
}

/// The side that a word means: in English, Japanese, French, Spanish, Italian and German.
fn side(word: &str) -> Option<Side> {
    match word {
        "l" | "left" | "lft" | "lf" | "左" | "gauche" | "izq" | "izquierda" | "izquierdo"
        | "sx" | "sinistra" | "sinistro" | "links" => Some(Side::Left),
        "r" | "right" | "rgt" | "rt" | "右" | "droit" | "droite" | "der" | "derecha"
        | "derecho" | "dx" | "destra" | "destro" | "rechts" => Some(Side::Right),
        _ => None,
    }
}

fn without_prefix(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    let Some(prefix) = PREFIXES.iter().find(|prefix| lower.starts_with(**prefix)) else {
        return name;
    };
    let rest = name.get(prefix.len()..).unwrap_or_default();
    let rest = if *prefix == "mixamorig" {
        rest.trim_start_matches(|c: char| c.is_ascii_digit())
    } else {
        rest
    };
    // `Bip01` itself is the root, and `jnt_` isn't a name.
    let rest = rest.trim_start_matches(['_', '-', '.', ' ']);
    if rest.is_empty() { name } else { rest }
}

/// Splits at separators, before capitals and between letters and digits.
fn split(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before: Option<char> = None;
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_alphanumeric() {
            before = None;
            continue;
        }
        let is_acronym_end = c.is_uppercase()
            && before.is_some_and(char::is_uppercase)
            && chars.peek().is_some_and(|next| next.is_lowercase());
        let begins = match before {
            None => true,
            Some(before) => {
                (before.is_lowercase() && c.is_uppercase())
                    || before.is_ascii_digit() != c.is_ascii_digit()
                    || is_acronym_end
                    || matches!(before, '左' | '右')
            }
        };
        match words.last_mut().filter(|_| !begins) {
            Some(word) => word.extend(c.to_lowercase()),
            None => words.push(c.to_lowercase().collect()),
        }
        before = Some(c);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name, its words, its side and its numbers.
    type Case<'a> = (&'a str, &'a [&'a str], Option<Side>, &'a [&'a str]);

    #[test]
    fn names_are_split_into_words_sides_and_numbers() {
        let cases: [Case<'_>; 16] = [
            ("mixamorig:LeftUpLeg", &["up", "leg"], Some(Side::Left), &[]),
            ("mixamorig1:Hips", &["hips"], None, &[]),
            ("mixamorighips", &["hips"], None, &[]),
            ("Armature|Hips", &["hips"], None, &[]),
            ("upperarm.L", &["upperarm"], Some(Side::Left), &[]),
            ("spine_03", &["spine"], None, &["03"]),
            ("Bip01 L Finger11", &["finger"], Some(Side::Left), &["11"]),
            ("J_Bip_R_UpperArm", &["upper", "arm"], Some(Side::Right), &[]),
            ("DEF-f_index.02.L", &["index"], Some(Side::Left), &["02"]),
            ("LThumb", &["thumb"], Some(Side::Left), &[]),
            ("lShldr", &["shldr"], Some(Side::Left), &[]),
            ("左腕", &["腕"], Some(Side::Left), &[]),
            ("Jambe droite.001", &["jambe"], Some(Side::Right), &["001"]),
            ("brazo_izq", &["brazo"], Some(Side::Left), &[]),
            ("leftarm", &["arm"], Some(Side::Left), &[]),
            ("CC_Base_NeckTwist01", &["neck", "twist"], None, &["01"]),
        ];
        for (name, words, side, numbers) in cases {
            let own = Words::of(name);
            assert_eq!(
                (own.side, own.words, own.numbers),
                (side, list(words), list(numbers)),
                "{name}"
            );
        }
    }

    fn list(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }
}
