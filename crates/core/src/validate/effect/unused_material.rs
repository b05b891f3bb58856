//! Finds materials that no mesh uses: left over when meshes were renamed, or intended for the SDK's own
//! meshes.

use crate::model::{EffectFacts, FindingKind, Model, Place, Report, findings, singular_or_plural};

findings! {
    pub(super) FINDINGS:
    // The SDK's own face mesh may use it, which isn't visible in any file.
    MaterialWithoutMesh, "material-without-mesh", Info, Mesh,
        "no mesh of an effect uses one of its materials",
        "none visible; the material isn't drawn, unless the SDK's own face uses it",
        "remove the material, or give it the name of the mesh's material, unless the SDK's own face uses it",
        "no mesh uses material retouch";
}

/// Reports [`FindingKind::MaterialWithoutMesh`].
pub(super) fn check(effect: &EffectFacts, _: &Model, report: &Report) {
    let unused = &effect.unused_materials;
    report.add_many(FindingKind::MaterialWithoutMesh, Place::File, unused.len() as u64, || {
        let materials = singular_or_plural(unused.len() as u64, "material", "any of the materials");
        format!("no mesh uses {materials} {}", unused.join(", "))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::bar::{is_silent, the};
    use crate::validate::fixtures::effect::{effect, with};

    #[test]
    fn unused_materials_are_reported() {
        assert!(is_silent(&effect(), FindingKind::MaterialWithoutMesh));
        let broken = with(|facts| facts.unused_materials = vec!["hat".into(), "coat".into()]);
        let finding = the(&broken, FindingKind::MaterialWithoutMesh);
        assert_eq!(
            (finding.count, finding.message.as_str()),
            (2, "no mesh uses any of the materials hat, coat")
        );
    }
}
