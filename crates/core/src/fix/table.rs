//! The table of fixes.

use super::{
    Part, binds, directions, hulls, key_times, keys, loops, names, seams, triangles, vertices,
    weights,
};
use crate::model::Model;

/// A change that removes findings of some kinds.
#[derive(Debug)]
pub struct Fix {
    /// Codes of the findings that it removes.
    pub codes: &'static [&'static str],
    /// The change, as an imperative without a full stop.
    pub action: &'static str,
    /// Whether it is applied only if its finding is named, because it removes, renames or reorders parts of the model,
    /// or is a guess.
    pub on_request: bool,
    /// Whether the finding only means that models usually look otherwise, so that nothing may need a fix.
    pub is_guess: bool,
    /// Parts that the reader may already have fixed in the model, so that the stored values differ from it.
    pub stored: &'static [Part],
    /// Whether only a file made by the format's writer lacks the finding.
    pub needs_new_file: bool,
    change: fn(&mut Model),
}

impl Fix {
    /// Applies the fix to a model in plain form.
    pub fn apply(&self, model: &mut Model) {
        (self.change)(model);
    }
}

const fn fix(
    codes: &'static [&'static str],
    action: &'static str,
    stored: &'static [Part],
    change: fn(&mut Model),
) -> Fix {
    Fix { codes, action, on_request: false, is_guess: false, stored, needs_new_file: false, change }
}

const fn guess(
    codes: &'static [&'static str],
    action: &'static str,
    stored: &'static [Part],
    change: fn(&mut Model),
) -> Fix {
    Fix { on_request: true, is_guess: true, ..fix(codes, action, stored, change) }
}

/// A fix by the format's writer, which orders parts of the model differently.
const fn rewrite(codes: &'static [&'static str], action: &'static str) -> Fix {
    Fix { on_request: true, needs_new_file: true, ..fix(codes, action, &[], |_| {}) }
}

/// All fixes, in the order in which they are applied.
pub const FIXES: &[Fix] = &[
    fix(
        &["not-finite"],
        "replace numbers that aren't finite by 0",
        &[Part::Positions, Part::Normals, Part::Tangents, Part::Uvs, Part::Influences],
        weights::normalize,
    ),
    fix(
        &["negative-weight"],
        "set negative weights to 0 and normalize the others",
        &[Part::Influences],
        weights::normalize,
    ),
    fix(
        &["bone-out-of-range"],
        "remove influences of bones that don't exist and normalize the others",
        &[Part::Influences],
        weights::normalize,
    ),
    fix(
        &["unused-slot-out-of-range"],
        "set the bones of unused influence slots to 0",
        &[Part::Influences],
        |_| {},
    ),
    fix(
        &["joint-repeated-in-vertex"],
        "add up the weights of a joint that a vertex lists more than once",
        &[Part::Influences],
        weights::merge_repeated,
    ),
    fix(
        &["tiny-weight"],
        "remove weights below 1/255 and normalize the others",
        &[],
        weights::remove_tiny,
    ),
    fix(
        &["torn-seam", "uneven-seam"],
        "give both sides of a seam their mean weights",
        &[],
        seams::average,
    ),
    fix(
        &["weights-not-normalized"],
        "divide the weights of each vertex by their sum",
        &[Part::Influences],
        weights::normalize,
    ),
    fix(
        &["heaviest-influence-dropped"],
        "sort the influences of each vertex by weight",
        &[],
        weights::sort,
    ),
    fix(
        &["weight-after-zero"],
        "move empty influence slots to the end",
        &[Part::Influences],
        |_| {},
    ),
    fix(
        &["reversed-winding"],
        "reverse the winding of meshes whose triangles face away from their normals",
        &[],
        triangles::reverse_meshes,
    ),
    fix(
        &["flipped-triangle"],
        "reverse the winding of triangles that face away from their normals",
        &[],
        triangles::reverse_flipped,
    ),
    fix(
        &["zero-normal"],
        "compute missing normals from the triangles",
        &[],
        directions::fill_normals,
    ),
    fix(&["non-unit-normal"], "normalize normals", &[], directions::normalize_normals),
    fix(&["zero-tangent"], "compute missing tangents from the UVs", &[], directions::fill_tangents),
    fix(
        &["skewed-tangent"],
        "make tangents perpendicular to their normals",
        &[],
        directions::straighten_tangents,
    ),
    fix(&["tangent-sign"], "set bitangent signs to +1 or -1", &[], directions::round_signs),
    fix(
        &["tangent-handedness"],
        "set bitangent signs to those of the UVs",
        &[],
        directions::match_signs,
    ),
    Fix {
        on_request: true,
        ..fix(
            &["degenerate-triangle", "zero-area-triangle"],
            "remove triangles without area",
            &[],
            triangles::remove_degenerate,
        )
    },
    Fix {
        on_request: true,
        ..fix(
            &["duplicate-triangle"],
            "remove repeated triangles",
            &[],
            triangles::remove_duplicates,
        )
    },
    Fix {
        on_request: true,
        ..fix(
            &["duplicate-vertex"],
            "merge vertices that are equal in all attributes",
            &[],
            vertices::merge_duplicates,
        )
    },
    Fix {
        on_request: true,
        ..fix(&["unused-vertex"], "remove vertices without triangles", &[], vertices::remove_unused)
    },
    Fix {
        on_request: true,
        ..fix(
            &["vertex-cache-order", "overdraw-order"],
            "sort the triangles of each subset for the vertex cache",
            &[],
            triangles::sort_for_cache,
        )
    },
    Fix {
        on_request: true,
        ..fix(
            &["vertex-fetch-order"],
            "sort the triangles for the vertex cache, and the vertices in the order of their first use",
            &[],
            triangles::sort_for_fetch,
        )
    },
    Fix {
        on_request: true,
        needs_new_file: true,
        ..fix(
            &["point-inside-hull"],
            "remove points inside their convex hull",
            &[],
            hulls::remove_interior,
        )
    },
    rewrite(&["parent-after-child"], "write parents before their children"),
    rewrite(&["joint-listed-twice"], "list each joint of a skin once"),
    fix(&["keys-not-ascending"], "sort keys by time", &[Part::KeyTimes, Part::KeyValues], |_| {}),
    fix(
        &["equal-key-times"],
        "move the first of several keys with the same time back slightly",
        &[],
        key_times::separate,
    ),
    Fix {
        on_request: true,
        ..fix(
            &["partial-track", "partial-track-jumps"],
            "add keys at both ends of the clip",
            &[],
            key_times::span_clips,
        )
    },
    fix(
        &["rotation-key-zero"],
        "replace rotation keys of length 0 by their predecessors",
        &[],
        keys::replace_zero_rotations,
    ),
    fix(&["rotation-key-not-unit"], "normalize rotation keys", &[], keys::normalize_rotations),
    fix(
        &["quaternion-flip"],
        "negate rotation keys whose sign differs from their predecessor's",
        &[],
        keys::align_rotations,
    ),
    guess(
        &["key-spike"],
        "replace keys that jump away by the middle of their neighbours",
        &[],
        keys::smooth_spikes,
    ),
    guess(
        &["tangent-overshoot"],
        "flatten the tangents between equal keys of cubic curves",
        &[],
        keys::flatten_tangents,
    ),
    Fix {
        on_request: true,
        ..fix(
            &["constant-bone", "constant-clip"],
            "reduce tracks of equal keys to one key, and remove those that equal the rest pose",
            &[],
            keys::reduce_constant,
        )
    },
    guess(
        &["open-loop"],
        "copy the first key to the end of clips that return nearly to it",
        &[],
        loops::close,
    ),
    fix(
        &["inverse-bind-not-affine"],
        "set the last row of inverse bind matrices to 0 0 0 1",
        &[],
        binds::make_affine,
    ),
    Fix {
        on_request: true,
        ..fix(
            &["duplicate-name"],
            "number bones and clips that have the same name",
            &[],
            names::number_duplicates,
        )
    },
];

/// The fixes of findings with this code, in order.
pub fn fixes_of(code: &str) -> impl Iterator<Item = &'static Fix> {
    FIXES.iter().filter(move |fix| fix.codes.contains(&code))
}
