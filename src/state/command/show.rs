//! The menu Show: what is drawn.

use super::row::commands;
use super::when::{
    has_bones, has_document, has_hulls, has_occluder, has_stored_bounds, selects_bone,
};
use crate::pose::Normals;
use crate::state::{AppState, CollisionPart, Overlays};

commands! { Show:
    {
        ToggleSurface "Surface" ["S"]
            "Lit triangles.",
            on |s| s.view.overlays.surface, run |s| s.change_overlays(|o| o.surface ^= true);
        ToggleTextures "Textures" ["M"]
            "Materials with their textures, and colours of vertices.",
            on |s| s.view.overlays.textures, run |s| s.change_overlays(|o| o.textures ^= true);
        ToggleChecker "Checker" ["U"]
            "A checker on texture coordinates, to see stretch.",
            on |s| s.view.overlays.checker, run |s| s.change_overlays(|o| o.checker ^= true);
        ToggleSubsetColors "Subset colours" ["C"]
            "A colour for each subset.",
            on |s| s.view.overlays.subset_colors,
            run |s| s.change_overlays(|o| o.subset_colors ^= true);
        ToggleWireframe "Wireframe" ["W"]
            "Edges of all triangles.",
            on |s| s.view.overlays.wireframe, run |s| s.change_overlays(|o| o.wireframe ^= true);
        TogglePoints "Points" ["P"]
            "Vertices.",
            on |s| s.view.overlays.points, run |s| s.change_overlays(|o| o.points ^= true);
    }
    {
        ToggleBones "Bones" ["B"]
            "The skeleton.",
            on |s| s.view.overlays.bones, run |s| s.change_overlays(|o| o.bones ^= true);
        ToggleBonesOnTop "Bones on top" ["Shift+B"]
            "The skeleton also where the surface hides it.",
            on |s| s.view.overlays.bones_on_top,
            run |s| s.change_overlays(|o| o.bones_on_top ^= true);
        ToggleBoneNames "Bone names" ["N"]
            "Names beside the bones.",
            on |s| s.view.overlays.bone_names,
            run |s| s.change_overlays(Overlays::toggle_bone_names);
        ToggleBoneAxes "Axes of bones" ["Shift+A"]
            "The axes of every bone: red is x, green y, blue z.",
            when has_bones, on |s| s.settings.bones.axes, setting |s| s.bones.axes ^= true;
        ToggleBoneBoxes "Boxes of bones"
            "The boxes that a BonesPro file has for its bones, as they were attached.",
            when AppState::has_bone_boxes, on |s| s.settings.bones.boxes,
            setting |s| s.bones.boxes ^= true;
        ToggleRestBones "Bones at rest" ["Shift+R"]
            "The skeleton outside any clip, as green lines beside the pose.",
            when |s| s.view.bones.has_rest(), on |s| s.settings.bones.rest,
            setting |s| s.bones.rest ^= true;
        ToggleBindBones "Bones as bound"
            "The skeleton of the inverse bind matrices, as magenta lines beside the pose.",
            when |s| s.view.bones.has_bind(), on |s| s.settings.bones.bind,
            setting |s| s.bones.bind ^= true;
        ToggleTrail "Trail of the bone" ["Shift+T"]
            "The way of the selected bone through the clip, with its keys.",
            when |s| selects_bone(s) || s.settings.bones.trail, on |s| s.settings.bones.trail,
            setting |s| s.bones.trail ^= true;
        LargerBones "Larger bones" ["Alt+CloseBracket"]
            "Draws bones thicker and their ends longer.",
            when has_bones, run |s| s.scale_bones(true);
        SmallerBones "Smaller bones" ["Alt+OpenBracket"]
            "Draws bones thinner and their ends shorter.",
            when has_bones, run |s| s.scale_bones(false);
    }
    {
        ToggleNormals "Normals" ["Alt+N"]
            "A blue line for each vertex's normal after skinning.",
            on |s| s.view.overlays.normals, run |s| s.change_overlays(|o| o.normals ^= true);
        ToggleTangents "Tangents" ["Alt+T"]
            "A red line for each vertex's tangent after skinning.",
            on |s| s.view.overlays.tangents, run |s| s.change_overlays(|o| o.tangents ^= true);
        ToggleBitangents "Bitangents" ["Alt+Shift+T"]
            "A green line for each vertex's bitangent after skinning.",
            on |s| s.view.overlays.bitangents, run |s| s.change_overlays(|o| o.bitangents ^= true);
        ToggleExactNormals "Exact normals" ["Alt+Shift+N"]
            "Turns normals and tangents with the surface, and not as the runtime of the file's \
            format does: the engine will show the latter.",
            when AppState::has_runtime_normals, on |s| s.playback.normals == Normals::Exact,
            run AppState::toggle_exact_normals;
        LongerGlyphs "Longer lines of directions" ["Alt+Period"]
            "Makes lines of normals, tangents and bitangents longer by a half.",
            run |s| s.scale_glyphs(true);
        ShorterGlyphs "Shorter lines of directions" ["Alt+Comma"]
            "Makes lines of normals, tangents and bitangents shorter by a third.",
            run |s| s.scale_glyphs(false);
        ToggleBadTriangles "Mark bad triangles" ["Alt+X"]
            "Magenta where a triangle faces against its normals, red where it has no area.",
            when has_document, on |s| s.view.surface.marks_bad, run AppState::toggle_bad_triangles;
    }
    {
        ToggleHulls "Collision hulls" ["Alt+Shift+H"]
            "The convex hull of each set of points stored for collision.",
            when has_hulls, on |s| s.view.collision.hulls,
            run |s| s.toggle_collision(CollisionPart::Hulls);
        ToggleOccluder "Occluder" ["Alt+Shift+O"]
            "Faces and edges of the mesh that engines draw into the depth buffer.",
            when has_occluder, on |s| s.view.collision.occluder,
            run |s| s.toggle_collision(CollisionPart::Occluder);
        ToggleSilhouette "Occluder silhouette" ["Alt+D"]
            "The flat shape that the depth buffer would hold, and the model as a ghost around it.",
            when has_occluder, on |s| s.view.collision.silhouette,
            run |s| s.toggle_collision(CollisionPart::Silhouette);
        ToggleStoredBounds "Stored bounds" ["Alt+S"]
            "The box and the sphere in the file, orange.",
            when has_stored_bounds, on |s| s.view.collision.stored_bounds,
            run |s| s.toggle_collision(CollisionPart::StoredBounds);
        ToggleTrueBounds "True bounds" ["Alt+Shift+S"]
            "The box and the sphere around all vertices over all clips, green.",
            when has_document, on |s| s.view.collision.true_bounds,
            run |s| s.toggle_collision(CollisionPart::TrueBounds);
    }
    {
        ToggleTwoSided "Two-sided light" ["D"]
            "Back faces lit like front ones and not darkened.",
            on |s| s.view.overlays.two_sided, run |s| s.change_overlays(|o| o.two_sided ^= true);
        ToggleFlat "Flat shading" ["Shift+F"]
            "Every triangle flat, whatever its normals say.",
            on |s| s.view.overlays.flat, run |s| s.change_overlays(|o| o.flat ^= true);
    }
    {
        ToggleGrid "Ground" ["G"]
            "A grid on the ground.",
            on |s| s.view.overlays.grid, run |s| s.change_overlays(|o| o.grid ^= true);
        ToggleAxes "Compass" ["X"]
            "The axes in the corner of the view.",
            on |s| s.view.overlays.axes, run |s| s.change_overlays(|o| o.axes ^= true);
        ToggleStatistics "Statistics" ["F3"]
            "Figures about the model and frame times in the corner of the view.",
            on |s| s.view.overlays.statistics, run |s| s.change_overlays(|o| o.statistics ^= true);
    }
}
