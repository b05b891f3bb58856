//! Reads all objects of an archive.

use super::animation::{self, Animation};
use super::archive::{Archive, first_tag};
use super::mesh::{self, MeshObject};
use super::{raw, raw_skeleton, skeleton, track};
use crate::formats::{Limits, ReadError};
use rigscope_core::model::{
    Element, RelatedFileRole, Report, Scalar, Skeleton, ValueTrack, as_u32,
};

pub(super) const SKELETON: &str = "ozz-skeleton";
pub(super) const ANIMATION: &str = "ozz-animation";
pub(super) const RAW_ANIMATION: &str = "ozz-raw_animation";
pub(super) const MESH: &str = "ozz-sample-Mesh";
pub(super) const RAW_SKELETON: &str = "ozz-raw_skeleton";

/// The role of an archive, from its beginning.
pub(super) fn role(front: &[u8]) -> Option<RelatedFileRole> {
    match first_tag(front)? {
        SKELETON => Some(RelatedFileRole::Skeleton),
        MESH => Some(RelatedFileRole::Mesh),
        _ => Some(RelatedFileRole::Animation),
    }
}

/// The objects of a file, by kind and in file order.
#[derive(Default)]
pub(super) struct Objects {
    pub(super) skeletons: Vec<Skeleton>,
    pub(super) animations: Vec<Animation>,
    pub(super) meshes: Vec<MeshObject>,
    pub(super) tracks: Vec<ValueTrack>,
    pub(super) is_big_endian: bool,
    /// Tag and version of every object.
    pub(super) tags: Vec<String>,
    /// Offset of the bytes after the last object.
    pub(super) end: usize,
}

pub(super) fn read(bytes: &[u8], limits: &Limits, report: &Report) -> Result<Objects, ReadError> {
    let mut archive = Archive::new(bytes, limits, report)?;
    let mut objects = Objects { is_big_endian: archive.is_big_endian(), ..Objects::default() };
    loop {
        objects.end = archive.cursor.offset();
        let is_first = objects.tags.is_empty();
        if archive.cursor.remaining() == 0 && !is_first {
            return Ok(objects);
        }
        report.progress("reading", objects.end as f32 / bytes.len().max(1) as f32 * 0.5)?;
        let start = archive.cursor.clone();
        let Some(tag) = archive.tag()? else {
            return if is_first {
                Err(start.malformed("tag", "there is no tag".into()))
            } else {
                archive.report_trailing(objects.end, archive.cursor.remaining());
                Ok(objects)
            };
        };
        if !tag.starts_with("ozz-") && !is_first {
            archive.report_trailing(objects.end, start.remaining());
            return Ok(objects);
        }
        archive.report_text(Element::ChunkHeader, tag.len() + 1);
        let is_known = [SKELETON, RAW_SKELETON, ANIMATION, RAW_ANIMATION, MESH].contains(&tag);
        let track = track::kind_of(tag);
        if !is_known && track.is_none() {
            let what = format!("objects of the kind {tag:?} cannot be shown");
            return Err(start.unsupported("tag", what));
        }
        let version = archive.u32("version")?;
        archive.report_records(Element::ChunkHeader, 0, 1, &[("version", Scalar::U32, 1)]);
        let clip = as_u32(objects.animations.len());
        if let Some(kind) = track {
            let first = objects.tracks.iter().map(|track| track.ratios.len()).sum();
            let track = track::read(&mut archive, version, kind, first)?;
            objects.tracks.push(track);
            objects.tags.push(format!("{tag} {version}"));
            continue;
        }
        match tag {
            RAW_SKELETON => {
                let skeleton = raw_skeleton::read(&mut archive, version, limits)?;
                objects.skeletons.push(skeleton);
            }
            SKELETON => {
                let skeleton =
                    skeleton::read(&mut archive, version, limits, objects.skeletons.is_empty())?;
                objects.skeletons.push(skeleton);
            }
            ANIMATION => {
                let animation = animation::read(&mut archive, version, clip, limits)?;
                objects.animations.push(animation);
            }
            RAW_ANIMATION => {
                let animation = raw::read(&mut archive, version, clip, limits)?;
                objects.animations.push(animation);
            }
            _ => {
                let number = as_u32(objects.meshes.len());
                objects.meshes.push(mesh::read(&mut archive, version, number)?);
            }
        }
        objects.tags.push(format!("{tag} {version}"));
    }
}
