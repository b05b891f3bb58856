//! Additional lines that are drawn over everything.

use super::mark_lines::{self, records};
use super::{Geometry, Pass};

pub(super) const PASS: Pass = Pass {
    name: "mark lines on top",
    geometry: Geometry::Records {
        vertices: 6,
        make: |input, _| records(&input.marks.lines_on_top),
        which: None,
    },
    condition: |_, input| !input.marks.lines_on_top.is_empty(),
    is_on_top: |_| true,
    ..mark_lines::PASS
};
