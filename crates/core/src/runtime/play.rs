//! The model as a runtime plays it.

use super::playback_difference::PlaybackDifference;
use super::{
    Runtime, attributes, bind_poses, culling, fbx, fbx_curves, influences, instances, jointless,
    keys, loose, model_poses, morphs, names, nodes, normals, outside_joints, paths, split_nodes,
    tracks, unpredicted,
};
use crate::model::Model;

/// A copy of a model, changed so that it moves as a runtime plays it.
pub struct Played {
    pub model: Model,
    /// The ignored parts and other differences; empty if the runtime plays everything as specified.
    pub differences: Vec<PlaybackDifference>,
}

impl Runtime {
    /// Plays a model.
    pub fn play(&self, model: &Model) -> Played {
        let mut played = model.clone();
        let mut differences = Vec::new();
        let (rules, found) = (&self.rules, &mut differences);
        fbx::apply(&mut played, rules, found);
        fbx_curves::apply(&mut played, rules, found);
        tracks::remove_pointers(&mut played, rules, found);
        tracks::use_last_channels(&mut played, rules, found);
        tracks::multiply_integers(&mut played, rules, found);
        tracks::search_unsorted(&mut played, rules, found);
        tracks::use_single_tangents(&mut played, rules, found);
        tracks::drop_repeated_keys(&mut played, rules, found);
        nodes::apply(&mut played, rules, found);
        outside_joints::replace(&mut played, rules, found);
        jointless::place(&mut played, rules, found);
        instances::draw_once(&mut played, rules, found);
        split_nodes::split(&mut played, rules, found);
        loose::unskin(&mut played, rules, found);
        bind_poses::apply(&mut played, rules, found);
        influences::apply(&mut played, rules, found);
        model_poses::apply(&mut played, rules, found);
        attributes::apply(&mut played, rules, found);
        morphs::add_missing_offsets(&mut played, rules, found);
        morphs::limit_normals(&mut played, rules);
        morphs::share_weights(&mut played, rules, found);
        keys::apply(&mut played, rules, found);
        paths::apply(&mut played, rules, found);
        names::apply(&mut played, rules, found);
        normals::apply(&mut played, rules);
        if model.normal_matrix != played.normal_matrix {
            normals::check(&played, found);
        }
        unpredicted::report(model, rules, found);
        culling::check(&played, rules, found);
        Played { model: played, differences }
    }
}
