//! Finds meshes with more bones than a byte can address.

use crate::model::{Cancelled, FindingKind, IdVec, Model, Place, Report, findings};

findings! {
    pub(super) FINDINGS:
    BonesBeyondBytes, "bones-beyond-bytes", Info, Skin,
        "a mesh follows more than 256 bones, which one-byte indices can't address",
        "shown correctly here; runtimes and formats with one-byte indices can't draw the mesh in one piece",
        "split the mesh or remove bones that move no vertices; `rigscope convert IN -o OUT.bsm2` splits it into several files",
        "300 bones move the mesh, but one-byte indices can address only 256 at meshes[0]";
}

/// The number of bones that a one-byte index can address.
const MAX_U8_BONES: usize = 1 << 8;

/// Reports meshes with more bones than a byte can address. A larger skeleton is fine as long as
/// each mesh has its own list of bones.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    if model.skeleton.len() <= MAX_U8_BONES {
        return Ok(());
    }
    for (number, mesh) in (0u32..).zip(&model.meshes) {
        report.progress("checking skins", 0.2)?;
        let mut used = IdVec::filled(false, model.skeleton.bones());
        for vertex in 0..mesh.num_vertices() {
            mesh.for_each_influence(vertex, |bone, weight| used[bone] |= weight > 0.0);
        }
        let num_bones = used.iter().filter(|used| **used).count();
        let is_beyond = u64::from(num_bones > MAX_U8_BONES);
        report.add_many(FindingKind::BonesBeyondBytes, Place::Mesh(number), is_beyond, || {
            format!(
                "{num_bones} bones move the mesh, but one-byte indices can address only {MAX_U8_BONES}"
            )
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::clean::{find, findings_of_rules, many_bones};

    #[test]
    fn more_than_256_bones_are_reported() {
        let kind = FindingKind::BonesBeyondBytes;
        assert_eq!(find(&findings_of_rules(&many_bones(256), check), kind), None);
        let findings = findings_of_rules(&many_bones(257), check);
        assert_eq!(
            find(&findings, kind).unwrap().message,
            "257 bones move the mesh, but one-byte indices can address only 256"
        );
    }
}
