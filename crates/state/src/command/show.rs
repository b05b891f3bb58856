//! The Show menu: the display options and commands related to them.

use super::conditions::{has_bones, needs};
use super::menu::commands;
use crate::AppState;
use rigscope_core::pose::Normals;

commands! { Show:
    { ..Surface; }
    {
        ..Bones;
        LargerBones "Larger bones" ["Alt+CloseBracket"]
            "Draws bones thicker and end bones longer.",
            when has_bones, run |s| s.scale_bones(true);
        SmallerBones "Smaller bones" ["Alt+OpenBracket"]
            "Draws bones thinner and end bones shorter.",
            when has_bones, run |s| s.scale_bones(false);
    }
    {
        ..Directions;
        ToggleExactNormals "Exact normals" ["Alt+Shift+N"]
            "Transforms normals and tangents exactly with the surface. If this is off, they are transformed \
            as the runtime of the file's format does.",
            when |s| needs(s.has_runtime_normals(), "the runtime of the format has exact normals"),
            on |s| s.tab.playback.normals == Normals::Exact,
            run AppState::toggle_exact_normals;
        LongerGlyphs "Longer direction lines" ["Alt+Period"]
            "Makes the lines of normals, tangents and bitangents longer by half.",
            when shows_glyphs, run |s| s.scale_glyphs(true);
        ShorterGlyphs "Shorter direction lines" ["Alt+Comma"]
            "Makes the lines of normals, tangents and bitangents shorter by a third.",
            when shows_glyphs, run |s| s.scale_glyphs(false);
        ..Faults;
    }
    { ..Collision; }
    { ..Light; }
    { ..Scene; }
}

fn shows_glyphs(state: &AppState) -> Result<(), &'static str> {
    let show = &state.tab.view.overlays;
    let shows_some = show.normals || show.tangents || show.bitangents;
    needs(shows_some, "needs normals, tangents or bitangents to be shown")
}
