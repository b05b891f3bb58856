//! Finds edges that clips stretch far beyond their length in the bind pose.
//!
//! Skin stretches at every joint. An edge that is several times as long, by a considerable fraction of the
//! mesh, indicates a wrong or missing weight, or a bone that leaves its body.

use super::WHAT;
use crate::model::{Cancelled, FindingKind, Model, Place, Report, findings, numbers};
use crate::pose::{StretchedEdge, stretch};
use crate::validate::worst::{bone_text, length_text, three_digits};

findings! {
    pub(super) FINDINGS:
    StretchedEdge, "stretched-edge", Info, Animation,
        "a clip stretches an edge to at least 4 times its length in the bind pose",
        "the surface looks torn or has spikes there while the clip plays",
        "no action needed if the bones should separate; if not, paint the weights around both ends of the edge again",
        "at 1.117 s of clip \"run\", the edge between vertices 298 and 299, moved by bone 6 and bone 12, is 75.9 cm long, 9.73 times as long as in the bind pose";
}

/// The skin at joints stretches by less than this factor in good files.
const MIN_RATIO: f32 = 4.0;
/// Smaller growth, as a fraction of the mesh's size, isn't visible.
const MIN_GROWTH: f32 = 0.05;
/// Edges times moments: a fifth of a second on one core.
const MAX_WORK: usize = 1 << 26;

/// Reports [`FindingKind::StretchedEdge`], once per pair of bones.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    report.progress(WHAT, 0.8)?;
    let stretch = stretch(model, MAX_WORK, report)?;
    let is_far = |edge: &&StretchedEdge| edge.ratio >= MIN_RATIO && edge.growth >= MIN_GROWTH;
    let edges: Vec<_> = stretch.edges.iter().filter(is_far).collect();
    let Some(worst) = edges.first() else { return Ok(()) };
    let place =
        |edge: &StretchedEdge| Place::Vertex { mesh: edge.mesh.0, vertex: edge.vertices[0].0 };
    let places = edges.iter().map(|edge| place(edge));
    report
        .add_places(FindingKind::StretchedEdge, edges.len() as u64, places, || text(model, worst));
    Ok(())
}

fn text(model: &Model, edge: &StretchedEdge) -> String {
    let [first, second] = edge.vertices.map(|vertex| vertex.0);
    let bones = match edge.bones {
        [Some(a), Some(b)] if a != b => {
            format!(", moved by {} and {},", bone_text(model, a), bone_text(model, b))
        }
        [Some(bone), _] | [None, Some(bone)] => format!(", moved by {},", bone_text(model, bone)),
        [None, None] => String::new(),
    };
    let clip = &model.clip(edge.clip).name;
    format!(
        "at {} of clip {clip:?}, the edge between vertices {first} and {second}{bones} is {} long, {} times as \
         long as in the bind pose",
        numbers::seconds(edge.time_secs),
        length_text(model, edge.length),
        three_digits(edge.ratio),
    )
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Vec3};

    use super::*;
    use crate::model::{Indices, MeshId};
    use crate::validate::fixtures::bar::{bent, is_silent, the, with_keys};

    /// The bar with two triangles across its joint, whose upper bone moves up by `far` in the second key.
    fn pulled(far: f32) -> Model {
        let [lower, upper] = bent(0.0, 0.0);
        let away = Affine3A::from_translation(Vec3::Y * far) * upper;
        let mut model = with_keys(&[bent(0.0, 0.0), [lower, away], bent(0.0, 0.0)]);
        model.meshes[MeshId(0)].indices = Indices::U32(vec![8, 12, 9, 9, 12, 13]);
        model
    }

    #[test]
    fn stretched_edge_is_reported_with_bones_clip_and_time() {
        let finding = the(&pulled(4.0), FindingKind::StretchedEdge);
        let expected = "at 0.1 s of clip \"bend\", the edge between vertices 8 and 12, moved by bone 0 \"lower\" and bone 1 \"upper\", is \
            4.5 units long, 9 times as long as in the bind pose";
        assert_eq!(finding.message, expected);
        assert_eq!(finding.places.len(), 1, "one for each two bones");
    }

    #[test]
    fn normal_stretching_at_a_joint_is_not_reported() {
        assert!(is_silent(&pulled(1.0), FindingKind::StretchedEdge));
    }
}
