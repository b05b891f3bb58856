//! Names that USD accepts for prims, joints and primvars: letters, digits and underscores.
//!
//! Source: AOUSD Core Specification 1.0, section 7.3 (identifiers). OpenUSD before 24.03 only reads ASCII.

use std::collections::HashMap;

/// Names in use, each with the number that makes the next one like it unique.
#[derive(Default)]
pub(super) struct Names(HashMap<String, usize>);

impl Names {
    /// A unique identifier like `name`, or like `usual` if nothing of `name` can be kept.
    pub(super) fn identifier(&mut self, name: &str, usual: &str) -> String {
        let mut own: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if own.chars().all(|c| c == '_') {
            usual.clone_into(&mut own);
        }
        if own.starts_with(|c: char| c.is_ascii_digit()) {
            own.insert(0, '_');
        }
        self.unique(own)
    }

    /// `name`, followed by a number if it is in use.
    pub(super) fn unique(&mut self, name: String) -> String {
        let mut own = name.clone();
        while self.0.contains_key(&own) {
            let number = self.0.entry(name.clone()).or_default();
            *number += 1;
            own = format!("{name}_{number}");
        }
        self.0.insert(own.clone(), 0);
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_unique_identifiers() {
        let mut names = Names::default();
        let mut of = |name: &str| names.identifier(name, "Mesh");
        assert_eq!(of("Body"), "Body");
        assert_eq!(of("mixamorig:Hips"), "mixamorig_Hips");
        assert_eq!(of("mixamorig.Hips"), "mixamorig_Hips_1");
        assert_eq!(of("2nd arm"), "_2nd_arm");
        assert_eq!([of(""), of("日本"), of("Mesh")], ["Mesh", "Mesh_1", "Mesh_2"]);
    }
}
