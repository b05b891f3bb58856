//! The expressions of an animation for avatars, as morph weights, colours and texture transforms of a model.
//!
//! Source: VRM Consortium, "VRMC_vrm_animation-1.0" (`expressions`) and "VRM 1.0", `expressions.md`. Weights are clamped
//! to 0 to 1.
//!
//! Ambiguous: overrides of look-at apply only to expressions, as in three-vrm, not to bones of eyes.

use std::collections::{BTreeMap, HashMap};

use glam::Vec4;

use super::gaze::Gaze;
use crate::model::{
    BoneId, BoneTrack, Clip, Expression, ExpressionOverride, ExpressionTextures, Interpolation,
    LookAt, MaterialId, MaterialProperty, MaterialTrack, MeshId, Model, MorphTrack, Motion,
    TextureProperty, TextureRef, TextureTransform, Track,
};
use crate::pose::track::read;

/// Lines between keys stay this near to the weights.
const TOLERANCE: f32 = 2e-5;
/// The shortest time between inserted keys, in seconds: where weights jump.
const SHORTEST_SECS: f64 = 1e-4;
/// The most keys of a clip; beyond, lines are less exact.
const MAX_KEYS: usize = 1 << 16;
/// The most values per clip: keys of files with very many targets are farther apart.
const MAX_VALUES: usize = 1 << 23;
/// The most expressions whose effect on each other is computed.
const MAX_EXPRESSIONS: usize = 4096;

/// A morph target or a parameter of a material that expressions change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Morph(MeshId, usize),
    Parameter(MaterialId, MaterialProperty),
}

/// The source of the weights of an expression.
#[derive(Clone, Copy)]
enum Source<'a> {
    Driver(&'a BoneTrack),
    Gaze(&'a BoneTrack, &'a LookAt),
}

/// The expressions of a model that the expressions or the gaze of an animation move.
pub(super) struct Expressions<'a> {
    animation: &'a Model,
    model: &'a Model,
    /// For each expression of the model, the one of the animation.
    source_of: Vec<Option<usize>>,
}

impl<'a> Expressions<'a> {
    pub(super) fn new(animation: &'a Model, model: &'a Model) -> Self {
        let there = expressions(animation);
        let mut taken = vec![false; there.len()];
        let source_of = expressions(model).iter().map(|own| {
            let is_same = |other: &Expression| {
                other.driver.is_some() && own.driver.is_none() && other.key() == own.key()
            };
            let at = there.iter().position(is_same)?;
            // The first expression of a name counts.
            let is_first = !std::mem::replace(taken.get_mut(at)?, true);
            is_first.then_some(at)
        });
        Self { source_of: source_of.collect(), animation, model }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.source_of.iter().all(Option::is_none) && self.look_at().is_none()
    }

    /// How the model looks in a direction, if the animation has a gaze and expressions follow it.
    fn look_at(&self) -> Option<&'a LookAt> {
        self.animation.avatar.as_ref()?.gaze?;
        let look_at = self.model.avatar.as_ref()?.look_at.as_ref()?;
        look_at.by_expressions.then_some(look_at)
    }

    /// The names of animated expressions that the model lacks.
    pub(super) fn unmatched(&self) -> Vec<&'a str> {
        let animated = expressions(self.animation).iter().enumerate();
        animated
            .filter(|(at, own)| own.driver.is_some() && !self.source_of.contains(&Some(*at)))
            .map(|(_, own)| own.key())
            .collect()
    }

    /// The names of animated expressions, and the number of their changes of materials that aren't played.
    pub(super) fn unplayed(&self) -> (Vec<&'a str>, usize) {
        let own = expressions(self.model).iter().zip(&self.source_of);
        let unplayed = own.filter(|(_, source)| source.is_some()).filter_map(|(own, _)| {
            let num =
                own.num_material_changes.saturating_sub(own.colors.len() + own.textures.len());
            (num > 0).then_some((own.key(), num))
        });
        let (names, numbers): (Vec<_>, Vec<_>) = unplayed.unzip();
        (names, numbers.iter().sum())
    }

    /// The tracks of a clip of the animation.
    pub(super) fn tracks(&self, clip: &Clip) -> (Vec<MorphTrack>, Vec<MaterialTrack>) {
        let none = (Vec::new(), Vec::new());
        let Motion::Tracks(tracks) = &clip.motion else { return none };
        let sources = self.sources(tracks);
        if sources.iter().all(Option::is_none) {
            return none;
        }
        let mut times: Vec<f64> = sources.iter().flatten().flat_map(key_times).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let weights = Weights::of(expressions(self.model), &sources, self.model);
        let most = (MAX_VALUES / weights.size()).clamp(2, MAX_KEYS);
        let step = times.len().div_ceil(most).max(1);
        let times: Vec<f64> = times.into_iter().step_by(step).collect();
        let keys = refined(&times, most, |time| weights.at(time));
        weights.tracks(&keys)
    }

    /// The source of each expression of the model.
    fn sources<'t>(&self, tracks: &'t [BoneTrack]) -> Vec<Option<Source<'t>>>
    where
        'a: 't,
    {
        let avatar = self.animation.avatar.as_ref();
        let look_at = self.look_at();
        let by_bone: HashMap<BoneId, &'t BoneTrack> =
            tracks.iter().map(|track| (track.bone, track)).collect();
        let track = |bone: Option<BoneId>| by_bone.get(&bone?).copied();
        let gaze =
            track(avatar.and_then(|avatar| avatar.gaze)).filter(|track| track.rotation.is_some());
        let there = expressions(self.animation);
        let source = |(own, source): (&Expression, &Option<usize>)| {
            let is_gaze = own.group() == Some(crate::model::ExpressionGroup::LookAt);
            if let (Some(gaze), Some(look_at), true) = (gaze, look_at, is_gaze) {
                return Some(Source::Gaze(gaze, look_at));
            }
            let driver = there.get((*source)?)?.driver;
            let track = track(driver).filter(|track| track.translation.is_some());
            track.map(Source::Driver)
        };
        expressions(self.model).iter().zip(&self.source_of).map(source).collect()
    }
}

fn expressions(model: &Model) -> &[Expression] {
    let all = model.avatar.as_ref().map_or(&[][..], |avatar| &avatar.expressions);
    all.get(..MAX_EXPRESSIONS).unwrap_or(all)
}

fn key_times<'t>(source: &Source<'t>) -> impl Iterator<Item = f64> + use<'t> {
    let times = match source {
        Source::Driver(track) => track.translation.as_ref().map(|track| &track.times_secs),
        Source::Gaze(track, _) => track.rotation.as_ref().map(|track| &track.times_secs),
    };
    times.into_iter().flatten().copied()
}

impl Source<'_> {
    /// The weight of `expression` at a time.
    fn weight(&self, expression: &Expression, time: f64) -> f32 {
        match self {
            Self::Driver(track) => {
                let place = track.translation.as_ref().and_then(|track| read(track, time));
                place.map_or(0.0, |place| place.x).clamp(0.0, 1.0)
            }
            Self::Gaze(track, look_at) => {
                let rotation = track.rotation.as_ref().and_then(|track| read(track, time));
                let weights = rotation.map(|rotation| Gaze::of(rotation).weights(look_at));
                let own = weights.into_iter().flatten();
                own.filter(|(name, _)| Some(*name) == expression.preset)
                    .map(|(_, weight)| weight)
                    .sum()
            }
        }
    }
}

/// The effect of all expressions at any time.
struct Weights<'a> {
    moving: Vec<(&'a Expression, Source<'a>)>,
    targets: Vec<Target>,
    /// The values without any expression.
    start: Vec<Vec4>,
    /// For each moving expression: places in `targets`, and the change of the value at full weight.
    changes: Vec<Vec<(usize, Vec4)>>,
}

impl<'a> Weights<'a> {
    fn of(expressions: &'a [Expression], sources: &[Option<Source<'a>>], model: &Model) -> Self {
        let moving: Vec<_> = expressions
            .iter()
            .zip(sources)
            .filter_map(|(own, source)| Some((own, (*source)?)))
            .collect();
        let mut starts: BTreeMap<Target, Vec4> = BTreeMap::new();
        for (own, _) in &moving {
            for weight in &own.weights {
                starts.insert(Target::Morph(weight.mesh, weight.target), Vec4::ZERO);
            }
            for color in &own.colors {
                let look = model.materials.get(color.material).and_then(|own| own.look.as_deref());
                let start = color.property.get(&look.copied().unwrap_or_default());
                starts.insert(Target::Parameter(color.material, color.property), start);
            }
            for textures in &own.textures {
                starts.extend(
                    texture_parts(model, textures).map(|(target, start, _)| (target, start)),
                );
            }
        }
        let (targets, start): (Vec<Target>, Vec<Vec4>) = starts.into_iter().unzip();
        let place = |target: Target| targets.binary_search(&target).ok();
        let changes = moving.iter().map(|(own, _)| {
            let weights = own.weights.iter().filter_map(|weight| {
                let place = place(Target::Morph(weight.mesh, weight.target))?;
                Some((place, Vec4::X * weight.weight))
            });
            let colors = own.colors.iter().filter_map(|color| {
                let place = place(Target::Parameter(color.material, color.property))?;
                Some((place, color.value - *start.get(place)?))
            });
            let textures = own.textures.iter().flat_map(|own| texture_parts(model, own));
            let textures =
                textures.filter_map(|(target, start, end)| Some((place(target)?, end - start)));
            weights.chain(colors).chain(textures).collect()
        });
        let changes = changes.collect();
        Self { moving, targets, start, changes }
    }

    /// The number of values that are computed for each time.
    fn size(&self) -> usize {
        self.changes.iter().map(|own| own.len() + 1).sum::<usize>() + self.targets.len() + 1
    }

    /// The values of all targets.
    fn at(&self, time: f64) -> Vec<Vec4> {
        let outputs: Vec<f32> = self
            .moving
            .iter()
            .map(|(own, source)| match (own.is_binary, source.weight(own, time)) {
                (true, weight) => f32::from(u8::from(weight > 0.5)),
                (false, weight) => weight,
            })
            .collect();
        let mut multipliers = [1.0f32; 3];
        for ((own, _), output) in self.moving.iter().zip(&outputs) {
            for (multiplier, kind) in multipliers.iter_mut().zip(own.overrides) {
                *multiplier -= match kind {
                    ExpressionOverride::None => 0.0,
                    ExpressionOverride::Block => f32::from(u8::from(*output > 0.0)),
                    ExpressionOverride::Blend => *output,
                };
            }
        }
        let mut values = self.start.clone();
        for (((own, _), output), changes) in self.moving.iter().zip(outputs).zip(&self.changes) {
            let multiplier = own.group().and_then(|group| multipliers.get(group as usize));
            let mut weight = output * multiplier.copied().unwrap_or(1.0).max(0.0);
            if own.is_binary && weight < 1.0 {
                weight = 0.0;
            }
            for (place, change) in changes {
                if let Some(value) = values.get_mut(*place) {
                    *value += *change * weight;
                }
            }
        }
        values
    }

    fn tracks(&self, keys: &[(f64, Vec<Vec4>)]) -> (Vec<MorphTrack>, Vec<MaterialTrack>) {
        let times_secs: Vec<f64> = keys.iter().map(|(time, _)| *time).collect();
        let (mut morphs, mut materials) = (Vec::new(), Vec::new());
        for (place, target) in self.targets.iter().enumerate() {
            let values = keys.iter().filter_map(|(_, values)| values.get(place).copied());
            let values = Track {
                times_secs: times_secs.clone(),
                values: values.collect(),
                interpolation: Interpolation::Linear,
            };
            match *target {
                Target::Morph(mesh, target) => {
                    let weights = values.map(|value: Vec4| value.x);
                    morphs.push(MorphTrack { mesh, target, weights });
                }
                Target::Parameter(material, property) => {
                    materials.push(MaterialTrack { material, property, values });
                }
            }
        }
        (morphs, materials)
    }
}

/// The transforms of textures that an expression changes: without it, and at its full weight.
fn texture_parts(
    model: &Model,
    own: &ExpressionTextures,
) -> impl Iterator<Item = (Target, Vec4, Vec4)> {
    let own = *own;
    let textures = model.materials.get(own.material).map_or(&[][..], |stored| &stored.textures);
    // The first texture of a role counts.
    let is_first = |(at, own): &(usize, &TextureRef)| {
        textures.iter().position(|other| other.role == own.role) == Some(*at)
    };
    let first = textures.iter().enumerate().filter(is_first);
    first.flat_map(move |(_, texture)| {
        let start = TextureTransform::of(texture);
        let end = TextureTransform { offset: own.offset, scale: own.scale, ..start };
        [TextureProperty::Offset, TextureProperty::Scale].map(|property| {
            let target = MaterialProperty::Texture(texture.role, property);
            (Target::Parameter(own.material, target), property.get(&start), property.get(&end))
        })
    })
}

/// Keys at `times`, and at further times between them until lines between keys are near enough to the values.
fn refined(times: &[f64], most: usize, at: impl Fn(f64) -> Vec<Vec4>) -> Vec<(f64, Vec<Vec4>)> {
    let mut keys: Vec<(f64, Vec<Vec4>)> = Vec::new();
    for &time in times {
        let next = (time, at(time));
        // The parts of a span, nearest first.
        let mut open = vec![next];
        while let Some(end) = open.pop() {
            let Some((start, from)) = keys.last() else {
                keys.push(end);
                continue;
            };
            let secs = end.0 - *start;
            let is_straight = || {
                [0.25f32, 0.5, 0.75].iter().all(|share| {
                    let values = at(start + secs * f64::from(*share));
                    let lines = from.iter().zip(&end.1).map(|(a, b)| a.lerp(*b, *share));
                    let mut apart = values.iter().zip(lines).map(|(a, b)| (*a - b).abs());
                    apart.all(|apart| apart.max_element() <= TOLERANCE)
                })
            };
            let is_full = keys.len() + open.len() >= most;
            if is_full || secs <= SHORTEST_SECS * 2.0 || is_straight() {
                keys.push(end);
            } else {
                let middle = start + secs / 2.0;
                let values = at(middle);
                open.push(end);
                open.push((middle, values));
            }
        }
    }
    keys
}
