//! Combines a structure file, animation files, or both to one model.

use std::sync::Arc;

use glam::{DAffine3, DVec3, Mat4, Vec3};

use super::ID;
use super::animation::{self, Animation};
use super::convention::{Convention, Rig, binds, solve};
use super::grammar::{Mode, Representation, System, skip_title, without_comments};
use super::motion::{bones_clip, has_growth, interval_secs, local, narrow, vertex_clip, vertices};
use super::related_exports::{FoundAnimation, FoundStructure, RelatedExports};
use super::structure::{self, Structure};
use crate::formats::related_file_choice;
use crate::formats::text::{TextCursor, decode};
use crate::formats::{Failure, Limits, ReadError, ReadOptions, Source, stem};
use rigscope_core::model::{
    Axes, Bone, BoneId, ByteView, Clip, Detail, FindingKind, Influences, InverseBindSkin,
    LocalTransform, Mesh, Model, Place, Preserved, RelatedFileRole, RelatedFileUse, Report,
    Skeleton, Skin, Streams, UpAxis, VertexData, counted, numbers,
};

/// Reads a whole file and the files that belong to it.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let text = decode(&bytes);
    // Places in the text are only places in the file if the text hasn't been converted.
    let cursor = TextCursor::new(ID, &text, &options.limits);
    if cursor.bytes_before(&bytes) != Some(0) {
        report.close_spans();
    }
    let text = without_comments(&text);
    let beside = RelatedExports::new(source, options, report)?;
    let mut parts = ModelFiles::default();
    let what = if is_animation(&text) {
        let own = animation::read(&text, &options.limits, report)?;
        report.close_spans();
        let (num_bones, num_vertices) = (own.num_bones, own.num_vertices);
        parts.structure = beside.structure(&own)?;
        parts.clips.push(FoundAnimation {
            name: source.name.clone(),
            animation: own,
            bytes,
            is_given: true,
            is_used: false,
            fit: None,
        });
        for found in beside.animations(num_bones, num_vertices, None)? {
            let list = if found.is_given && !found.is_used {
                &mut parts.clips
            } else {
                &mut parts.references
            };
            list.push(found);
        }
        "animation"
    } else {
        let own = structure::read(&text, &options.limits, report)?;
        report.close_spans();
        let found = beside.animations(own.bones.len(), own.positions.len(), Some(&own))?;
        let any_given = found.iter().any(|found| found.is_given);
        for found in found {
            let is_wanted = !found.is_used && (found.is_given || !any_given);
            let list = if is_wanted { &mut parts.clips } else { &mut parts.references };
            list.push(found);
        }
        parts.structure = Some(FoundStructure { name: source.name.clone(), structure: own, bytes });
        "structure"
    };
    parts.report_files(source, report);
    let mut model = parts.model(source, options, report)?;
    model.details.insert(0, ("file", Detail::Text(what.to_owned())));
    model.provenance = report.take_provenance();
    Ok(model)
}

/// Preserves the text of a file, which also contains node transforms, box sizes and comments.
fn keep(model: &mut Model, what: &'static str, bytes: &Arc<Vec<u8>>) {
    let view = ByteView::new(Arc::clone(bytes), 0..bytes.len());
    model.preserved.extend(view.map(|bytes| Preserved { format: ID, what, bytes }));
}

/// Name of a clip from its file name, without the prefix of the structure file's name.
fn clip_name<'a>(file: &'a str, structure: Option<&FoundStructure>) -> &'a str {
    let name = stem(file);
    let common = structure.map(|found| stem(&found.name));
    let own = common.and_then(|common| name.strip_prefix(common)?.strip_prefix('.'));
    own.filter(|own| !own.is_empty()).unwrap_or(name)
}

/// Whether the three counts are followed by words, as in an animation file.
fn is_animation(text: &str) -> bool {
    let mut cursor = TextCursor::new(ID, text, &Limits::default());
    skip_title(&mut cursor);
    let counts = cursor.numbers::<i64, 3>("counts");
    let is_word = |c: char| !c.is_ascii_digit() && !"<*+-.".contains(c);
    counts.is_ok() && cursor.peek().is_none_or(is_word)
}

/// The files of one model.
#[derive(Default)]
struct ModelFiles {
    structure: Option<FoundStructure>,
    /// Animations that become clips.
    clips: Vec<FoundAnimation>,
    /// Animations that are only used to determine the convention.
    references: Vec<FoundAnimation>,
}

impl ModelFiles {
    fn model(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError> {
        let mut model =
            Model { axes: Axes { up: UpAxis::Z, ..Axes::default() }, ..Model::default() };
        let Some(FoundStructure { name, structure, bytes }) = &self.structure else {
            self.without_structure(&mut model, source, options, report)?;
            return Ok(model);
        };
        if *name != source.name {
            model.details.push(("structure file", Detail::Text(name.clone())));
        }
        let tree = skeleton(structure, &[])?;
        let rig = Rig::of(structure, tree.parents_first());
        let convention = self.convention(structure, &rig, &mut model, source, report)?;
        let binds = binds(structure, convention);
        model.skeleton = skeleton(structure, &binds)?;
        model.meshes = vec![mesh(structure, &binds)].into();
        describe(&mut model, structure);
        // Texts in another convention than the documented one are rewritten.
        if convention == Convention::default() {
            keep(&mut model, "structure", bytes);
        }

        let sizes: Vec<[f64; 3]> = structure.bones.iter().map(|bone| bone.size).collect();
        let any_growth = self.clips.iter().any(|found| has_growth(&found.animation, &sizes));
        if any_growth && !convention.scales {
            report.add(
                FindingKind::BoxSizeVaries,
                Place::File,
                "the size of a bone's box in an animation differs from that in the structure",
            );
        }
        self.add_clips(&mut model, &rig, convention, &binds, source, options, report)?;
        let added: Vec<&str> = (self.clips.iter())
            .filter(|found| found.name != source.name)
            .map(|found| stem(&found.name))
            .collect();
        report.add_many(FindingKind::AddedClips, Place::File, u64::from(!added.is_empty()), || {
            let files = counted(added.len() as u64, "related file");
            format!("the clips of {files} were added: {}", added.join(", "))
        });
        Ok(model)
    }

    /// Reports which files were found and used.
    fn report_files(&self, source: &Source, report: &Report) {
        let tell = |found: &FoundAnimation, is_used: bool, why: &str| {
            if found.name == source.name {
                return;
            }
            report.related_file(RelatedFileUse {
                is_used,
                is_found: !found.is_given,
                fit: found.fit,
                ..RelatedFileUse::unused(&found.name, RelatedFileRole::Animation, why)
            });
            if is_used {
                related_file_choice::report_fit(&found.name, found.fit, "the structure", report);
            }
        };
        for found in &self.clips {
            let why = match found.is_given {
                true => "given by the user",
                false if found.fit.is_none() => "has as many bones and vertices as the structure",
                false => "has as many bones and vertices as the structure, and fits it",
            };
            tell(found, true, why);
        }
        for found in &self.references {
            tell(found, found.is_used, "only used to determine the transform convention");
        }
    }

    fn all(&self) -> impl Iterator<Item = &FoundAnimation> {
        self.clips.iter().chain(&self.references)
    }

    /// Determines the convention of transforms from two exports, one of vertices and one of bones.
    fn convention(
        &self,
        structure: &Structure,
        rig: &Rig<'_>,
        model: &mut Model,
        source: &Source,
        report: &Report,
    ) -> Result<Convention, ReadError> {
        let is_of = |found: &&FoundAnimation, mode: Mode| found.animation.mode() == mode;
        let mut pairs: Vec<(&FoundAnimation, &FoundAnimation)> = Vec::new();
        for bones in self.all().filter(|found| is_of(found, Mode::Bones)) {
            let vertices = self.all().find(|found| {
                is_of(found, Mode::MeshAbsolute) && found.animation.is_beside(&bones.animation)
            });
            pairs.extend(vertices.map(|vertices| (bones, vertices)));
        }
        // Angles are more informative than matrices.
        pairs.sort_by_key(|(bones, _)| bones.animation.representation != Representation::Euler);
        let Some((bones, vertices)) = pairs.first() else { return Ok(Convention::default()) };
        let (bones_name, vertices_name) = (&bones.name, &vertices.name);
        let solved = solve(structure, rig, &bones.animation, &vertices.animation, report)?;
        let Some(solved) = solved else { return Ok(Convention::default()) };
        for name in [bones_name, vertices_name] {
            source.mark_used(name);
        }
        let text = solved.convention.to_string();
        model.details.push(("convention", Detail::Text(text.clone())));
        let error =
            format!("{:.3e} at most, {bones_name} against {vertices_name}", solved.distance);
        model.details.push(("convention error", Detail::Text(error)));
        let is_other = u64::from(solved.convention != Convention::default());
        report.add_many(FindingKind::OtherConvention, Place::File, is_other, || {
            format!(
                "{vertices_name} shows that the transforms follow another convention ({text}): vertices deviate \
                 by at most {} units, instead of {} units in the documented one",
                numbers::number(solved.distance),
                numbers::number(solved.documented)
            )
        });
        Ok(solved.convention)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a clip")]
    fn add_clips(
        &self,
        model: &mut Model,
        rig: &Rig<'_>,
        convention: Convention,
        binds: &[DAffine3],
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<(), ReadError> {
        let rest: Vec<Vec3> = match model.meshes.first().map(|mesh| &mesh.vertices) {
            Some(VertexData::Streams(streams)) => streams.positions.clone(),
            _ => Vec::new(),
        };
        for (number, found) in self.clips.iter().enumerate() {
            report.progress("making clips", number as f32 / self.clips.len() as f32)?;
            let animation = &found.animation;
            let interval_secs = interval_secs(animation, options, report);
            let name = clip_name(&found.name, self.structure.as_ref());
            source.mark_used(&found.name);
            let clip = match animation.mode() {
                Mode::Bones => bones_clip(name, animation, rig, convention, interval_secs),
                _ => Some(self.vertex_clip(
                    name,
                    animation,
                    interval_secs,
                    &rest,
                    &|frame, bones| {
                        bones.map_or_else(
                            || binds.to_vec(),
                            |bones| rig.model_from_bone(bones, frame, convention),
                        )
                    },
                    report,
                )),
            };
            if let Some(clip) = clip {
                model.clips.push(clip);
                if convention == Convention::default() {
                    keep(model, "animation", &found.bytes);
                }
            }
        }
        Ok(())
    }

    /// A clip of vertices, from absolute positions or from copies in the bones' systems.
    fn vertex_clip(
        &self,
        name: &str,
        animation: &Animation,
        interval_secs: f64,
        rest: &[Vec3],
        transforms: &dyn Fn(usize, Option<&Animation>) -> Vec<DAffine3>,
        report: &Report,
    ) -> Clip {
        let bones = self
            .all()
            .map(|found| &found.animation)
            .find(|other| other.mode() == Mode::Bones && other.is_beside(animation));
        if animation.mode() == Mode::MeshBones && bones.is_none() {
            report.add(
                FindingKind::MissingRelatedFile,
                Place::File,
                format!(
                    "{name} needs the bone animation of the same frames, which was not found; its \
                     vertices stay on bones that don't move"
                ),
            );
        }
        let positions = vertices(animation, rest, |frame| transforms(frame, bones));
        vertex_clip(name, animation.num_frames, positions, interval_secs)
    }

    /// An animation without structure: bones without names and vertices without faces.
    fn without_structure(
        &self,
        model: &mut Model,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<(), ReadError> {
        report.add(
            FindingKind::MissingSkeleton,
            Place::File,
            "no structure file with the same numbers of bones and vertices was found",
        );
        let bones = self.clips.iter().find(|found| found.animation.mode() == Mode::Bones);
        let bones = bones.map(|found| &found.animation);
        if bones.is_some_and(|bones| bones.system == System::RelativeToParent) {
            report.add(
                FindingKind::Dropped,
                Place::File,
                "the transforms are relative to parents, which only a structure file defines",
            );
        }
        let keys = bones.map_or(&[][..], |bones| bones.bone_keys(0));
        let convention = Convention::default();
        let rest = keys.iter().map(|key| Bone {
            rest_local: LocalTransform::Matrix(narrow(convention.transform(&key.transform))),
            ..Bone::default()
        });
        let tree = Skeleton::new(rest.collect(), false).map_err(|error| malformed(&error))?;
        let rig = Rig::without_structure(keys, tree.parents_first());
        self.add_clips(model, &rig, convention, &[], source, options, report)?;
        let first = model.clips.iter().find_map(|clip| match &clip.motion {
            rigscope_core::model::Motion::VertexAnimation(cache) => Some(cache),
            _ => None,
        });
        if let Some(cache) = first {
            let num = cache.positions.len() / cache.times_secs.len().max(1);
            let positions = cache.positions.get(..num).unwrap_or_default().to_vec();
            model.meshes = vec![Mesh {
                vertices: VertexData::Streams(Streams { positions, ..Streams::default() }),
                ..Mesh::default()
            }]
            .into();
        }
        model.skeleton = tree;
        Ok(())
    }
}

/// Details for the inspector.
fn describe(model: &mut Model, structure: &Structure) {
    let bones = structure.bones.iter();
    let num_apart = bones.filter(|bone| bone.transform != bone.node).count();
    let num = structure.bones.len();
    let text = format!("{num_apart} of {num} differ from the bone's");
    model.details.push(("node transforms", Detail::Text(text)));
}

/// The bones of a structure with `binds` as rest pose.
fn skeleton(structure: &Structure, binds: &[DAffine3]) -> Result<Skeleton, ReadError> {
    let parents: Vec<Option<usize>> = structure.bones.iter().map(|bone| bone.parent).collect();
    let mut rests = local(binds, &parents);
    let bones = structure.bones.iter().map(|bone| Bone {
        name: bone.name.clone(),
        parent: bone.parent.map(BoneId::from_index),
        rest_local: rests.next().map_or(LocalTransform::default(), LocalTransform::Matrix),
        box_size: Some(DVec3::from(bone.size).as_vec3()),
        ..Bone::default()
    });
    let bones = bones.collect();
    Skeleton::new(bones, true).map_err(|error| malformed(&error))
}

fn malformed(error: &rigscope_core::model::SkeletonError) -> ReadError {
    ReadError::Malformed(Box::new(Failure::new(ID, "parent bone", Place::File, error.to_string())))
}

/// The vertices of a structure as points.
fn mesh(structure: &Structure, binds: &[DAffine3]) -> Mesh {
    let inverse = |bind: &DAffine3| {
        let inverse = Some(bind.inverse()).filter(DAffine3::is_finite);
        Mat4::from(narrow(inverse.unwrap_or(DAffine3::IDENTITY)))
    };
    Mesh {
        vertices: VertexData::Streams(Streams {
            positions: structure.positions.clone(),
            ..Streams::default()
        }),
        skin: Skin::InverseBind(InverseBindSkin {
            bones: (0..binds.len()).map(BoneId::from_index).collect(),
            bone_from_mesh: binds.iter().map(inverse).collect(),
            influences: Influences::Rows {
                first: structure.first.clone(),
                slots: structure.slots.clone(),
                weights: structure.weights.clone(),
            },
            ..InverseBindSkin::default()
        }),
        ..Mesh::default()
    }
}
