//! The menu Show: what is drawn.

use super::row::commands;
use super::when::{has_bones, has_document, has_hulls, has_occluder, has_stored_bounds};
use crate::pose::Normals;
use crate::state::{AppState, CollisionPart};

commands! { Show:
    {
        ToggleSurface = Switch Surface ["S"];
        ToggleTextures = Switch Textures ["M"];
        ToggleChecker = Switch Checker ["U"];
        ToggleSubsetColors = Switch SubsetColors ["C"];
        ToggleWireframe = Switch Wireframe ["W"];
        TogglePoints = Switch Points ["P"];
    }
    {
        ToggleBones = Switch Bones ["B"];
        ToggleBonesOnTop = Switch BonesOnTop ["Shift+B"];
        ToggleBoneNames = Switch BoneNames ["N"];
        ToggleBoneAxes = Switch BoneAxes ["Shift+A"];
        ToggleBoneBoxes = Switch BoneBoxes;
        ToggleRestBones = Switch RestBones ["Shift+R"];
        ToggleBindBones = Switch BindBones;
        ToggleTrail = Switch Trail ["Shift+T"];
        LargerBones "Larger bones" ["Alt+CloseBracket"]
            "Draws bones thicker and their ends longer.",
            when has_bones, run |s| s.scale_bones(true);
        SmallerBones "Smaller bones" ["Alt+OpenBracket"]
            "Draws bones thinner and their ends shorter.",
            when has_bones, run |s| s.scale_bones(false);
    }
    {
        ToggleNormals = Switch Normals ["Alt+N"];
        ToggleTangents = Switch Tangents ["Alt+T"];
        ToggleBitangents = Switch Bitangents ["Alt+Shift+T"];
        ToggleExactNormals "Exact normals" ["Alt+Shift+N"]
            "Turns normals and tangents with the surface, and not as the runtime of the file's \
            format does: the engine will show the latter.",
            when AppState::has_runtime_normals, on |s| s.tab.playback.normals == Normals::Exact,
            run AppState::toggle_exact_normals;
        LongerGlyphs "Longer lines of directions" ["Alt+Period"]
            "Makes lines of normals, tangents and bitangents longer by a half.",
            run |s| s.scale_glyphs(true);
        ShorterGlyphs "Shorter lines of directions" ["Alt+Comma"]
            "Makes lines of normals, tangents and bitangents shorter by a third.",
            run |s| s.scale_glyphs(false);
        ToggleBadTriangles "Mark bad triangles" ["Alt+X"]
            "Magenta where a triangle faces against its normals, red where it has no area.",
            when has_document, on |s| s.tab.view.surface.marks_bad, run AppState::toggle_bad_triangles;
    }
    {
        ToggleHulls "Collision hulls" ["Alt+Shift+H"]
            "The convex hull of each set of points stored for collision.",
            when has_hulls, on |s| s.tab.view.collision.hulls,
            run |s| s.toggle_collision(CollisionPart::Hulls);
        ToggleOccluder "Occluder" ["Alt+Shift+O"]
            "Faces and edges of the mesh that engines draw into the depth buffer.",
            when has_occluder, on |s| s.tab.view.collision.occluder,
            run |s| s.toggle_collision(CollisionPart::Occluder);
        ToggleSilhouette "Occluder silhouette" ["Alt+D"]
            "The flat shape that the depth buffer would hold, and the model as a ghost around it.",
            when has_occluder, on |s| s.tab.view.collision.silhouette,
            run |s| s.toggle_collision(CollisionPart::Silhouette);
        ToggleStoredBounds "Stored bounds" ["Alt+S"]
            "The box and the sphere in the file, orange.",
            when has_stored_bounds, on |s| s.tab.view.collision.stored_bounds,
            run |s| s.toggle_collision(CollisionPart::StoredBounds);
        ToggleTrueBounds "True bounds" ["Alt+Shift+S"]
            "The box and the sphere around all vertices over all clips, green.",
            when has_document, on |s| s.tab.view.collision.true_bounds,
            run |s| s.toggle_collision(CollisionPart::TrueBounds);
    }
    {
        ToggleTwoSided = Switch TwoSided ["D"];
        ToggleFlat = Switch Flat ["Shift+F"];
    }
    {
        ToggleGrid = Switch Grid ["G"];
        ToggleAxes = Switch Axes ["X"];
        ToggleStatistics = Switch Statistics ["F3"];
    }
}
