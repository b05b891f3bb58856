//! Triangles, subsets, materials, morph targets, hulls, and the table of kinds.

use std::collections::HashSet;

use glam::Vec3;

use super::fixtures::{changed, compared, find, kinds, sheet};
use crate::compare::DifferenceKind as Kind;
use crate::compare::{DIFFERENCES, DiffOptions, DifferenceKind, compare};
use crate::model::{
    Aabb, Indices, MaterialId, MaterialLook, MeshId, Model, OcclusionMesh, Report, StoredBounds,
};

/// Applies `change` to the corners of the first triangle.
fn with_first_triangle(b: &mut Model, change: fn([u32; 3]) -> Vec<u32>) {
    let mut list: Vec<u32> = b.meshes[MeshId(0)].indices.iter().collect();
    let corners = [list[0], list[1], list[2]];
    list.splice(0..3, change(corners));
    b.meshes[MeshId(0)].indices = Indices::U32(list);
}

#[test]
fn triangles_with_rotated_corners_are_equal() {
    let comparison = changed(|b| with_first_triangle(b, |[x, y, z]| vec![y, z, x]));
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
    let comparison = changed(|b| with_first_triangle(b, |[x, y, z]| vec![x, z, y]));
    assert_eq!(kinds(&comparison), [Kind::TrianglesFlipped]);
    let comparison = changed(|b| with_first_triangle(b, |[x, y, _]| vec![x, y, 30]));
    assert_eq!(kinds(&comparison), [Kind::TrianglesAdded, Kind::TrianglesRemoved]);
    assert_eq!(find(&comparison, Kind::TrianglesAdded).count, 1);
}

#[test]
fn subsets_are_compared_by_range_and_material() {
    let comparison = changed(|b| b.meshes[MeshId(0)].subsets[1].index_count = 60);
    assert_eq!(
        find(&comparison, Kind::SubsetRanges).what,
        "subset 1 covers indices 60..150 in A, 60..120 in B"
    );
    let comparison = changed(|b| b.meshes[MeshId(0)].subsets[1].material = Some(MaterialId(0)));
    let what = &find(&comparison, Kind::SubsetMaterials).what;
    assert_eq!(what, "subset 1 has material \"hem\" in A, \"cloth\" in B");
    let comparison = changed(|b| b.meshes[MeshId(0)].subsets.truncate(1));
    assert_eq!(kinds(&comparison), [Kind::SubsetCount]);
}

#[test]
fn materials_are_matched_by_name_in_any_order() {
    let comparison = changed(|b| {
        b.materials.swap(0, 1);
        b.meshes[MeshId(0)].subsets[0].material = Some(MaterialId(1));
        b.meshes[MeshId(0)].subsets[1].material = Some(MaterialId(0));
    });
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
    let comparison = changed(|b| b.materials[MaterialId(1)].name = "edge".to_owned());
    assert_eq!(kinds(&comparison), [Kind::MaterialsRenamed]);
    let comparison = changed(|b| {
        b.materials.push(b.materials[MaterialId(0)].clone());
    });
    assert_eq!(kinds(&comparison), [Kind::MaterialsAdded]);
    let mut more = sheet();
    more.materials.push(more.materials[MaterialId(0)].clone());
    assert_eq!(kinds(&compared(&more, &sheet(), 0.0)), [Kind::MaterialsRemoved]);
    let comparison =
        changed(|b| b.materials[MaterialId(0)].look = Some(Box::new(MaterialLook::default())));
    assert_eq!(kinds(&comparison), [Kind::MaterialLooks]);
}

#[test]
fn textures_are_compared_by_file_name() {
    let comparison =
        changed(|b| b.materials[MaterialId(0)].textures[0].path = "C:\\b\\Cloth.PNG".to_owned());
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
    let comparison =
        changed(|b| b.materials[MaterialId(0)].textures[0].path = "silk.png".to_owned());
    let what = &find(&comparison, Kind::Textures).what;
    assert_eq!(what, "textures of material \"cloth\": cloth.png in A, silk.png in B");
}

#[test]
fn morph_targets_are_compared_by_name_and_offset() {
    let comparison = changed(|b| {
        b.meshes[MeshId(0)].morph_targets[0].shapes[0].position_offsets[0] = Vec3::Z * 1.5;
    });
    assert_eq!(find(&comparison, Kind::MorphOffsets).amount, Some(0.5));
    let comparison = changed(|b| b.meshes[MeshId(0)].morph_targets[0].name = "frown".to_owned());
    assert_eq!(kinds(&comparison), [Kind::MorphsAdded, Kind::MorphsRemoved]);
}

#[test]
fn hulls_occlusion_mesh_and_bounds_are_compared() {
    let comparison = changed(|b| b.hulls[0].points[1] = Vec3::X * 2.0);
    assert_eq!(find(&comparison, Kind::Hulls).amount, Some(1.0));
    let comparison = changed(|b| b.hulls[0].points.truncate(1));
    assert_eq!(find(&comparison, Kind::Hulls).what, "hull 0 has 2 points in A, 1 in B");
    let comparison = changed(|b| b.occluder = Some(OcclusionMesh::default()));
    assert_eq!(kinds(&comparison), [Kind::Occluder]);
    let comparison = changed(|b| {
        b.stored_bounds =
            Some(StoredBounds { aabb: Aabb::EMPTY, sphere_center: Vec3::ZERO, sphere_radius: 1.0 });
    });
    assert_eq!(find(&comparison, Kind::StoredBounds).what, "stored bounds only in B");
}

#[test]
fn names_and_counts_of_meshes_are_compared() {
    let comparison = changed(|b| b.meshes[MeshId(0)].name = "cape".to_owned());
    assert_eq!(kinds(&comparison), [Kind::MeshNames]);
    let comparison = changed(|b| {
        b.meshes.push(crate::model::Mesh::default());
    });
    assert_eq!(kinds(&comparison), [Kind::MeshCount]);
}

#[test]
fn excluded_difference_kinds_are_not_reported() {
    let mut b = sheet();
    b.meshes[MeshId(0)].name = "cape".to_owned();
    let vertices = || DifferenceKind::named("vertices").collect();
    let only = DiffOptions { only: vertices(), ..DiffOptions::default() };
    let comparison = compare(&sheet(), &b, &only, &Report::new()).unwrap();
    assert!(comparison.is_equal());
    assert!(comparison.in_clips.is_none() && comparison.max.key.is_none());
    let ignore = DiffOptions { ignore: vertices(), ..DiffOptions::default() };
    assert!(!compare(&sheet(), &b, &ignore, &Report::new()).unwrap().is_equal());
    let neither = DiffOptions { only: vertices(), ..ignore };
    assert!(compare(&sheet(), &b, &neither, &Report::new()).unwrap().is_equal());
}

#[test]
fn codes_are_unique_and_no_group_hides_another_kind() {
    let codes: HashSet<_> = DIFFERENCES.iter().map(|info| info.code).collect();
    assert_eq!(codes.len(), DIFFERENCES.len());
    for info in DIFFERENCES {
        assert_eq!(info.kind.code(), info.code);
        let same = DIFFERENCES.iter().find(|other| other.code == info.group);
        assert!(same.is_none_or(|same| same.group == info.group), "{}", info.code);
    }
    assert_eq!(DifferenceKind::named("hulls").count(), 1);
    assert_eq!(DifferenceKind::named("nothing").count(), 0);
}
