//! The Show menu: the display options and commands related to them.

use super::conditions::has_bones;
use super::menu::commands;
use crate::AppState;
use rigscope_core::pose::Normals;

commands! { Show:
    { ..Surface; }
    {
        ..Bones;
        LargerBones "Larger bones" ["Alt+CloseBracket"]
            "Draws bones thicker and their ends longer.",
            when has_bones, run |s| s.scale_bones(true);
        SmallerBones "Smaller bones" ["Alt+OpenBracket"]
            "Draws bones thinner and their ends shorter.",
            when has_bones, run |s| s.scale_bones(false);
    }
    {
        ..Directions;
        ToggleExactNormals "Exact normals" ["Alt+Shift+N"]
            "Transforms normals and tangents exactly with the surface. Turned off, they match the \
            runtime of the file's format, as in the engine.",
            when AppState::has_runtime_normals, on |s| s.tab.playback.normals == Normals::Exact,
            run AppState::toggle_exact_normals;
        LongerGlyphs "Longer lines of directions" ["Alt+Period"]
            "Makes lines of normals, tangents and bitangents longer by a half.",
            run |s| s.scale_glyphs(true);
        ShorterGlyphs "Shorter lines of directions" ["Alt+Comma"]
            "Makes lines of normals, tangents and bitangents shorter by a third.",
            run |s| s.scale_glyphs(false);
        ..Faults;
    }
    { ..Collision; }
    { ..Light; }
    { ..Scene; }
}
