//! Material parameters at a moment.

use glam::{Affine2, Vec4};

use super::base_pose::time_read;
use super::{Moment, PoseSpec, track};
use crate::model::{
    Clip, DefaultPose, MaterialId, MaterialLook, MaterialProperty, MaterialTrack, Model,
    TextureRole, TextureTransform,
};

/// The look of `material` in the pose `spec`, if it is `at_rest` outside clips. Only the first clip of a
/// pose animates materials.
#[must_use]
pub fn posed_look(
    model: &Model,
    material: MaterialId,
    at_rest: &MaterialLook,
    spec: &PoseSpec,
) -> MaterialLook {
    let mut look = *at_rest;
    for (property, value) in posed_values(model, material, spec) {
        property.set(&mut look, value);
    }
    look
}

/// The transform of a texture of `material` in the pose `spec`, if it is `at_rest` outside clips; `None` if no clip
/// of the pose animates it.
#[must_use]
pub fn posed_texture(
    model: &Model,
    material: MaterialId,
    role: TextureRole,
    at_rest: &Affine2,
    spec: &PoseSpec,
) -> Option<Affine2> {
    let own = posed_values(model, material, spec).filter_map(|(property, value)| match property {
        MaterialProperty::Texture(of, property) if of == role => Some((property, value)),
        _ => None,
    });
    let mut own = own.peekable();
    own.peek()?;
    let mut transform = TextureTransform::from_affine(at_rest);
    own.for_each(|(property, value)| property.set(&mut transform, value));
    Some(transform.to_affine())
}

/// The animated parameters of `material` in the pose `spec`.
fn posed_values(
    model: &Model,
    material: MaterialId,
    spec: &PoseSpec,
) -> impl Iterator<Item = (MaterialProperty, Vec4)> {
    let is_rest = spec.clip.is_none()
        && spec.moment == Moment::Default
        && model.default_pose == DefaultPose::Rest;
    let clip: Option<&Clip> = spec.clip_of(model).filter(|_| !is_rest);
    let time_secs = clip.map(|clip| time_read(clip, spec.moment, spec.sampling.in_clip(clip)));
    let tracks = clip.into_iter().flat_map(|clip| &clip.material_tracks);
    tracks
        .filter(move |track| track.material == material)
        .filter_map(move |own| Some((own.property, track::read(&own.values, time_secs?)?)))
}

/// Whether any clip moves textures of `material`.
#[must_use]
pub fn moves_textures(model: &Model, material: MaterialId) -> bool {
    let is_texture =
        |track: &MaterialTrack| matches!(track.property, MaterialProperty::Texture(..));
    tracks_of(model, material).any(is_texture)
}

/// The tracks of `material` in all clips.
pub fn tracks_of(model: &Model, material: MaterialId) -> impl Iterator<Item = &MaterialTrack> {
    let tracks = model.clips.iter().flat_map(|clip| &clip.material_tracks);
    tracks.filter(move |track| track.material == material)
}

/// The look of `material` with the most visible value that each of its parameters has in any clip
/// ([`MaterialTrack::set_peak`]), for choices that can't change while a clip plays.
#[must_use]
pub fn peak_look(model: &Model, material: MaterialId, at_rest: &MaterialLook) -> MaterialLook {
    let mut look = *at_rest;
    tracks_of(model, material).for_each(|track| track.set_peak(&mut look));
    look
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clip, Interpolation, MaterialProperty, MaterialTrack, Track};
    use glam::Vec4;

    #[test]
    fn materials_follow_their_tracks_within_the_clip() {
        let track = |property, values: [Vec4; 2]| MaterialTrack {
            material: MaterialId(1),
            property,
            values: Track {
                times_secs: vec![1.0, 3.0],
                values: values.to_vec(),
                interpolation: Interpolation::Linear,
            },
        };
        let clip = Clip {
            start_secs: 1.0,
            duration_secs: 2.0,
            material_tracks: vec![
                track(MaterialProperty::BaseColor, [Vec4::ZERO, Vec4::ONE]),
                track(MaterialProperty::Roughness, [Vec4::X * 0.5, Vec4::X]),
            ],
            ..Clip::default()
        };
        let model = Model { clips: vec![clip].into(), ..Model::default() };
        let at_rest = MaterialLook { metallic: 0.25, ..MaterialLook::default() };
        let look = |material, spec| posed_look(&model, MaterialId(material), &at_rest, &spec);
        let halfway = look(1, PoseSpec::at_secs(None, 2.0));
        assert_eq!((halfway.base_color, halfway.roughness), (Vec4::splat(0.5), 0.75));
        assert_eq!(halfway.metallic, 0.25);
        assert_eq!(look(1, PoseSpec::at_secs(None, 99.0)).base_color, Vec4::ONE);
        assert_eq!(look(0, PoseSpec::at_secs(None, 2.0)), at_rest);
        let outside = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
        assert_eq!(look(1, outside), at_rest);
    }
}
