//! Reads the parts in file order. Vertices, indices and keys remain views of the file.

use std::sync::Arc;

use glam::{Affine3A, Mat4};

use super::ID;
use super::layout::{
    CLIP_FIELDS, CLIP_MIN_BYTES, ClipHead, Header, INDEX_BYTES, INDEX_FIELDS, InverseBind,
    KEY_FIELDS, MAX_NAMED_BONES, PARENT_FIELDS, STRING_FIELDS, STRING_MIN_BYTES, SubsetRecord,
    VERTEX_FIELDS,
};
use crate::formats::record::{Record, offset_of};
use crate::formats::unknown_bytes::{kept, lossy, report_trailing};
use crate::formats::{Cursor, ReadError, ReadOptions, Source};
use rigscope_core::model::{
    Axes, Bone, BoneId, ByteView, Clip, DefaultPose, Detail, Element, Field, FindingKind, Indices,
    Influences, InverseBindSkin, KEY_STRIDE_BYTES, KeySpace, LocalTransform, Material, MaterialId,
    Mesh, Model, PackedKeys, PackedVertices, Place, Preserved, Report, SampledMotion, Skeleton,
    Skin, Span, Subset, VERTEX_STRIDE_BYTES, VertexData, as_u32, counted, numbers,
};

/// A stored parent index that means "no parent" if there are fewer bones.
const NO_PARENT: u8 = 255;
/// Minimum share of weighted bones whose two keys are inverse to each other in a bind pair.
const BIND_PAIR_SHARE: f64 = 0.9;
/// From this share on, a possible bind pair is reported, although its keys are shown as stored: the files of
/// the eyelash family pose some bones away from their bind.
const POSSIBLE_BIND_PAIR_SHARE: f64 = 0.25;
/// Tolerance when comparing the product of a key and its inverse with the identity.
const BIND_PAIR_TOLERANCE: f32 = 1e-3;

struct Reader<'a> {
    cursor: Cursor<'a>,
    owner: &'a Arc<Vec<u8>>,
    report: &'a Report,
}

pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let mut reader =
        Reader { cursor: Cursor::new(ID, &bytes, &options.limits), owner: &bytes, report };
    reader.model(options)
}

impl Reader<'_> {
    fn model(&mut self, options: &ReadOptions) -> Result<Model, ReadError> {
        let header = self.header(options)?;
        self.report.progress("reading", 0.1)?;
        let vertices = self.view(
            header.num_vertices,
            VERTEX_STRIDE_BYTES,
            Element::Vertex { mesh: 0 },
            VERTEX_FIELDS,
            "number of vertices",
        )?;
        let indices = self.view(
            header.num_indices,
            INDEX_BYTES,
            Element::Index { mesh: 0 },
            INDEX_FIELDS,
            "number of indices",
        )?;
        let subsets = self.subsets(header.num_subsets)?;
        let materials = self.materials(header.num_materials)?;
        let mut clips = self.clips(header.num_clips, header.num_bones)?;
        let num_bones = header.num_bones as usize;

        let mut skin = InverseBindSkin {
            bones: (0..header.num_bones).map(BoneId).collect(),
            bone_from_mesh: Vec::new(),
            influences: Influences::InVertices,
            ..InverseBindSkin::default()
        };
        let mut preserved = Vec::new();
        // Remaining bytes are the only sign of a hierarchy.
        let has_hierarchy = self.cursor.remaining() > 0;
        let skeleton = if has_hierarchy {
            self.hierarchy(num_bones, &clips, &mut skin, &mut preserved)?
        } else {
            self.skeleton(nameless_bones(num_bones), false)?
        };
        self.trailing(&mut preserved);

        let vertices = packed(PackedVertices::new(vertices), &self.cursor)?;
        for clip in &mut clips {
            if let rigscope_core::model::Motion::Sampled(motion) = &mut clip.motion {
                motion.space = if has_hierarchy { KeySpace::Local } else { KeySpace::Skin };
            }
        }
        if !has_hierarchy {
            self.bind_pairs(&mut clips, &vertices, num_bones);
        }
        Ok(Model {
            axes: Axes::default(),
            meshes: vec![Mesh {
                vertices: VertexData::Packed(vertices),
                indices: Indices::U16(indices),
                subsets,
                skin: Skin::InverseBind(skin),
                ..Mesh::default()
            }]
            .into(),
            materials: materials.into(),
            skeleton,
            clips: clips.into(),
            default_pose: DefaultPose::FirstKey,
            provenance: self.report.take_provenance(),
            details: vec![("hierarchy", Detail::Bool(has_hierarchy))],
            preserved,
            ..Model::default()
        })
    }

    fn header(&mut self, options: &ReadOptions) -> Result<Header, ReadError> {
        let header = self.cursor.record::<Header>()?;
        self.span(Element::Header, 0, Header::BYTES, 1, Header::FIELDS);
        let (num, max) = (header.num_bones, options.limits.max_bones);
        if num > max {
            // Bones themselves take no bytes, so without keys and hierarchy only this limits their number.
            let what = format!("number of bones {num} exceeds the {max} allowed");
            return Err(self.cursor.over_limit("number of bones", what));
        }
        if num > MAX_NAMED_BONES {
            const BONES_AT: u16 = offset_of(Header::FIELDS, "number of bones");
            let place = Place::Offset(BONES_AT.into());
            let bones = counted(u64::from(num), "bone");
            let what = format!(
                "the file has {bones}, but vertices can only refer to the first {MAX_NAMED_BONES}"
            );
            self.report.add(FindingKind::BonesBeyondU8, place, what);
        }
        Ok(header)
    }

    /// A view of `num` records of `stride` bytes.
    fn view(
        &mut self,
        num: u32,
        stride: usize,
        element: Element,
        fields: &'static [Field],
        field: &'static str,
    ) -> Result<ByteView, ReadError> {
        let num = self.cursor.fit(num, stride, field)?;
        let start = self.cursor.offset();
        self.cursor.take(num * stride, field)?;
        self.span(element, start, stride, num, fields);
        packed(ByteView::new(Arc::clone(self.owner), start..start + num * stride), &self.cursor)
    }

    fn span(
        &self,
        element: Element,
        offset: usize,
        stride: usize,
        count: usize,
        fields: &'static [Field],
    ) {
        let span = Span::new(element, offset, stride, count);
        self.report.span(span.with_fields(fields));
    }

    fn subsets(&mut self, num: u32) -> Result<Vec<Subset>, ReadError> {
        let field = "number of geometry subsets";
        let num = self.cursor.fit(num, SubsetRecord::BYTES, field)?;
        let mut subsets = self.cursor.vec(num, field)?;
        let start = self.cursor.offset();
        for _ in 0..num {
            let SubsetRecord { first_index, index_count, material } = self.cursor.record()?;
            subsets.push(Subset { first_index, index_count, material: Some(MaterialId(material)) });
        }
        let element = Element::Subset { mesh: 0 };
        self.span(element, start, SubsetRecord::BYTES, num, SubsetRecord::FIELDS);
        Ok(subsets)
    }

    fn materials(&mut self, num: u32) -> Result<Vec<Material>, ReadError> {
        let field = "number of material names";
        let num = self.cursor.fit(num, STRING_MIN_BYTES, field)?;
        let mut materials = self.cursor.vec(num, field)?;
        for name in self.strings(Element::MaterialName, num, "material name")? {
            materials.push(Material { name, ..Material::default() });
        }
        Ok(materials)
    }

    /// Reads `num` strings and reports their spans as `element`, including those read before an error.
    fn strings(
        &mut self,
        element: Element,
        num: usize,
        field: &'static str,
    ) -> Result<Vec<String>, ReadError> {
        let mut strings = self.cursor.vec(num, field)?;
        let mut ends = self.cursor.vec(num, field)?;
        let start = self.cursor.offset();
        let mut outcome = Ok(());
        while strings.len() < num && outcome.is_ok() {
            outcome = self.string(field).map(|string| {
                strings.push(string);
                ends.push(as_u32(self.cursor.offset() - start));
            });
        }
        let span = Span::varied(element, start, ends);
        self.report.span(span.with_fields(STRING_FIELDS));
        outcome.map(|()| strings)
    }

    fn string(&mut self, field: &'static str) -> Result<String, ReadError> {
        let start = self.cursor.offset();
        let len = self.cursor.u32_le(field)?;
        let len = self.cursor.fit(len, 1, field)?;
        let bytes = self.cursor.take(len, field)?;
        Ok(lossy(bytes, Place::Offset(start as u64), field, self.report))
    }

    fn clips(&mut self, num: u32, num_bones: u32) -> Result<Vec<Clip>, ReadError> {
        let field = "number of animations";
        let num = self.cursor.fit(num, CLIP_MIN_BYTES, field)?;
        let mut clips = self.cursor.vec(num, field)?;
        for clip in 0..as_u32(num) {
            self.report.progress("reading clips", 0.1 + 0.4 * clip as f32 / num as f32)?;
            clips.push(self.clip(clip, num_bones)?);
        }
        Ok(clips)
    }

    fn clip(&mut self, clip: u32, num_bones: u32) -> Result<Clip, ReadError> {
        let start = self.cursor.offset();
        let name = self.string("animation name")?;
        let name_len = self.cursor.offset() - start;
        let element = Element::ClipName { clip };
        self.span(element, start, name_len, 1, STRING_FIELDS);
        let start = self.cursor.offset();
        let ClipHead { duration_ns, interval_ns, num_keys } = self.cursor.record_as(CLIP_FIELDS)?;
        self.span(Element::ClipHeader { clip }, start, ClipHead::BYTES, 1, ClipHead::FIELDS);

        let field = "animation number of keys";
        let key_bytes = num_bones as usize * KEY_STRIDE_BYTES;
        if key_bytes == 0 && num_keys > 0 {
            // Keys without bones take no bytes and have no content.
            let place = Place::Clip(clip);
            self.report.add(
                FindingKind::ClipWithoutKeys,
                place,
                format!(
                    "the clip has {}, but the file has no bones",
                    counted(u64::from(num_keys), "key")
                ),
            );
        }
        let num_keys = self.cursor.fit(num_keys, key_bytes, field)?;
        let keys_start = self.cursor.offset();
        self.cursor.take(num_keys * key_bytes, field)?;
        let range = keys_start..keys_start + num_keys * key_bytes;
        let num_records = num_keys * num_bones as usize;
        self.span(Element::Key { clip }, keys_start, KEY_STRIDE_BYTES, num_records, KEY_FIELDS);
        let view = ByteView::new(Arc::clone(self.owner), range);
        let keys = view.and_then(|bytes| PackedKeys::new(bytes, num_bones));
        Ok(Clip::sampled(
            name,
            SampledMotion {
                duration_ns,
                interval_ns,
                space: KeySpace::Skin,
                is_bind_pair: false,
                keys: packed(keys, &self.cursor)?,
            },
        ))
    }

    fn skeleton(&self, bones: Vec<Bone>, has_hierarchy: bool) -> Result<Skeleton, ReadError> {
        Skeleton::new(bones, has_hierarchy)
            .map_err(|error| self.cursor.malformed("parent bone index", error.to_string()))
    }

    fn hierarchy(
        &mut self,
        num_bones: usize,
        clips: &[Clip],
        skin: &mut InverseBindSkin,
        preserved: &mut Vec<Preserved>,
    ) -> Result<Skeleton, ReadError> {
        let least = num_bones * (1 + InverseBind::BYTES + STRING_MIN_BYTES);
        let left = self.cursor.remaining();
        if left < least {
            let what = format!("{left} bytes are left and {num_bones} bones need at least {least}");
            return Err(self.cursor.malformed("hierarchy", what));
        }
        let parents_start = self.cursor.offset();
        let stored = self.cursor.take(num_bones, "parent bone index")?;
        self.span(Element::BoneParent, parents_start, 1, num_bones, PARENT_FIELDS);
        let parents: Vec<Option<BoneId>> = (stored.iter().enumerate())
            .map(|(bone, &parent)| self.parent(bone, parent, num_bones, parents_start))
            .collect();
        let is_usual = (stored.iter().enumerate().zip(&parents))
            .all(|((bone, &byte), parent)| parent.is_some() || usize::from(byte) == bone);
        if !is_usual {
            let bytes = ByteView::whole(stored.to_vec());
            preserved.push(Preserved { format: ID, what: "parents", bytes });
        }

        let start = self.cursor.offset();
        skin.bone_from_mesh = self.cursor.vec(num_bones, "inverse base pose matrix")?;
        for _ in 0..num_bones {
            let InverseBind { x, y, z, w } = self.cursor.record()?;
            skin.bone_from_mesh.push(Mat4::from_cols(x, y, z, w));
        }
        let element = Element::BoneInverseBind;
        self.span(element, start, InverseBind::BYTES, num_bones, InverseBind::FIELDS);

        let first_keys = clips.first().and_then(Clip::as_sampled);
        let mut bones = self.cursor.vec(num_bones, "bone name")?;
        let names = self.strings(Element::BoneName, num_bones, "bone name")?;
        for (index, (parent, name)) in parents.into_iter().zip(names).enumerate() {
            let local = first_keys.and_then(|motion| motion.keys.matrix(0, index));
            let local = local.filter(|m| m.is_finite()).unwrap_or(Affine3A::IDENTITY);
            bones.push(Bone {
                name,
                parent,
                rest_local: LocalTransform::Matrix(local),
                ..Bone::default()
            });
        }
        self.skeleton(bones, true)
    }

    /// The bone that a stored parent refers to; reports unusual values.
    fn parent(&self, bone: usize, stored: u8, num_bones: usize, start: usize) -> Option<BoneId> {
        let (parent, place) = (usize::from(stored), Place::Offset((start + bone) as u64));
        if parent == bone {
            return None;
        }
        if parent >= num_bones {
            let kind = match stored {
                NO_PARENT => FindingKind::RootStoredAs255,
                _ => FindingKind::ParentOutOfRange,
            };
            self.report.add_many(kind, place, 1, || match stored {
                NO_PARENT => format!("the parent of root bone {bone} is stored as {parent}"),
                _ => format!(
                    "the parent of bone {bone} is bone {parent}, but the file has {}",
                    counted(num_bones as u64, "bone")
                ),
            });
            return None;
        }
        let is_later = u64::from(parent > bone);
        self.report.add_many(FindingKind::ParentAfterChild, place, is_later, || {
            format!("the parent of bone {bone} is bone {parent}, which follows it")
        });
        Some(BoneId::from_index(parent))
    }

    fn trailing(&mut self, preserved: &mut Vec<Preserved>) {
        let (start, left) = (self.cursor.offset(), self.cursor.remaining());
        report_trailing(start, left, "the last clip", self.report);
        preserved.extend(kept(ID, "trailing", self.owner, start..start + left));
    }

    /// Marks clips whose two keys are bone matrices and their inverses.
    ///
    /// Source: `get_transform_autobone` in the SDK's `mat_hades.vert`, which multiplies key 0 by key 1. Two
    /// equal keys (a static pose) aren't a pair, even if their product is the identity.
    fn bind_pairs(&self, clips: &mut [Clip], vertices: &PackedVertices, num_bones: usize) {
        let mut is_used = vec![false; num_bones];
        let pairs: Vec<usize> = (clips.iter().enumerate())
            .filter(|(_, clip)| clip.as_sampled().is_some_and(|m| m.keys.num_keys() == 2))
            .map(|(index, _)| index)
            .collect();
        if pairs.is_empty() {
            return;
        }
        for vertex in vertices.iter() {
            for (bone, _) in vertex.influences() {
                if let Some(used) = is_used.get_mut(usize::from(bone)) {
                    *used = true;
                }
            }
        }
        for index in pairs {
            let Some(clip) = clips.get_mut(index) else { continue };
            let rigscope_core::model::Motion::Sampled(motion) = &mut clip.motion else { continue };
            let share = inverse_share(&motion.keys, &is_used);
            motion.is_bind_pair = share > BIND_PAIR_SHARE;
            let kind = if motion.is_bind_pair {
                FindingKind::BindPair
            } else {
                FindingKind::PossibleBindPair
            };
            let is_worth_telling = u64::from(share > POSSIBLE_BIND_PAIR_SHARE);
            let place = Place::Clip(as_u32(index));
            self.report.add_many(kind, place, is_worth_telling, || {
                let percent = numbers::percent(share);
                format!(
                    "for {percent} of the bones, the two keys of clip {:?} are inverse to each other",
                    clip.name
                )
            });
        }
    }
}

/// Share of the bones with weights whose second key is the inverse of the first; 0 for a static pose.
fn inverse_share(keys: &PackedKeys, is_used: &[bool]) -> f64 {
    let (mut num_used, mut num_inverse, mut num_equal) = (0u32, 0u32, 0u32);
    for (bone, _) in is_used.iter().enumerate().filter(|(_, used)| **used) {
        let (Some(first), Some(second)) = (keys.matrix(0, bone), keys.matrix(1, bone)) else {
            continue;
        };
        let product = first * second;
        let far = first.translation.length().max(1.0);
        num_used += 1;
        num_equal += u32::from(first == second);
        num_inverse += u32::from(
            product.matrix3.abs_diff_eq(glam::Mat3A::IDENTITY, BIND_PAIR_TOLERANCE)
                && product.translation.length() <= BIND_PAIR_TOLERANCE * far,
        );
    }
    if num_equal == num_used {
        return 0.0;
    }
    f64::from(num_inverse) / f64::from(num_used)
}

fn nameless_bones(num: usize) -> Vec<Bone> {
    let bone = Bone {
        name: String::new(),
        parent: None,
        rest_local: LocalTransform::Matrix(Affine3A::IDENTITY),
        ..Bone::default()
    };
    vec![bone; num]
}

/// Unwraps a view that previous checks guarantee to be valid.
fn packed<T>(view: Option<T>, cursor: &Cursor<'_>) -> Result<T, ReadError> {
    view.ok_or_else(|| cursor.malformed("view", "a range is outside the file".into()))
}
