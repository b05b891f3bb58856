//! The command line that renders the image of the view.
//!
//! Not for: running it. Keep in sync with `cli::RenderArgs`; a test in `app::pictures` runs the
//! command line and compares the images.

use crate::{AppState, Selection, Theme};
use rigscope_core::camera::Projection;
use rigscope_core::model::{ClipId, Model, UpAxis, subset_color};
use rigscope_core::pose::{LayerMode, Moment, Normals, Sampling, SecondClip};
use rigscope_core::visual::{Light, Marks, USUAL_GLYPH_PERMILLE};

/// Options for light settings that differ from the defaults.
fn light_words(light: &Light, file: Option<String>, words: &mut Vec<String>) {
    let usual = Light::USUAL;
    words.extend(file.map(|path| format!("--environment={path}")));
    // The default depends on the file.
    words.push(format!("--shading={}", light.shading.info().word));
    let choices = [
        ("environment", light.environment.info().word, usual.environment.info().word),
        ("backdrop", light.backdrop.info().word, usual.backdrop.info().word),
        ("tone-mapping", light.tone_mapping.info().word, usual.tone_mapping.info().word),
    ];
    let changed = choices.into_iter().filter(|(_, word, usual)| word != usual);
    words.extend(changed.map(|(name, word, _)| format!("--{name}={word}")));
    if light.exposure_centistops != usual.exposure_centistops {
        words.push(format!("--exposure={}", f64::from(light.exposure_centistops) / 100.0));
    }
    if light.intensity_percent != usual.intensity_percent {
        words.push(format!("--light-intensity={}", light.intensity_percent));
    }
    if light.turn_degrees != usual.turn_degrees {
        words.push(format!("--light-turn={}", light.turn_degrees));
    }
}

/// The name of a clip if it is unique, else its number.
fn clip_word(model: &Model, id: ClipId) -> String {
    let name = model.clips.get(id).map(|clip| clip.name.as_str());
    let is_found = |name: &&str| !name.is_empty() && model.find_clip(name) == Some(id);
    name.filter(is_found).map_or_else(|| id.index().to_string(), str::to_owned)
}

/// Options for a second clip.
fn layer_words(layer: &SecondClip, model: &Model, words: &mut Vec<String>) {
    words.push(format!("--blend={}", clip_word(model, layer.clip)));
    words.push(format!("--blend-weight={}", layer.weight));
    match layer.mode {
        LayerMode::Crossfade => {}
        LayerMode::AddToStart => words.push("--blend-mode=add".into()),
        LayerMode::AddToRest => words.push("--blend-mode=add-to-rest".into()),
    }
    if let Some(fade) = layer.fade {
        let end_secs = fade.start_secs + fade.duration_secs;
        words.push(format!("--fade={}..{end_secs}", fade.start_secs));
    }
    words.extend(layer.reference_secs.map(|secs| format!("--blend-reference={secs}")));
    words.extend(layer.mask.map(|bone| {
        let name = model.skeleton.display_name(bone);
        format!("--blend-mask={name}")
    }));
}

impl AppState {
    /// `rigscope render …` for a shell, if the document was loaded from disk.
    pub fn command_line(&self) -> Option<String> {
        let document = self.tab.document.as_ref()?;
        let path = document.origin.path()?;
        let size = self.view_size_points.round().max(glam::Vec2::ONE);
        let (width, height) = if self.view_size_points.min_element() >= 1.0 {
            (size.x, size.y)
        } else {
            (1280.0, 720.0)
        };
        let camera = &self.tab.view.camera;
        let angles = [camera.yaw_rad, camera.pitch_rad].map(degrees).join(",");
        let target = camera.target.to_array().map(|n| n.to_string()).join(",");
        let mut words = vec![
            "rigscope".to_owned(),
            "render".into(),
            file_word(&path.display().to_string()),
            "-o".into(),
            "image.png".into(),
            "--size".into(),
            format!("{width}x{height}"),
            format!("--camera={angles}"),
            format!("--target={target}"),
            format!("--distance={}", camera.distance),
        ];
        if camera.projection == Projection::Orthographic {
            words.push("--orthographic".into());
        }
        for related_file in &document.options.with {
            words.push("--with".into());
            words.push(file_word(&related_file.display().to_string()));
        }
        for name in &document.options.without {
            words.push(format!("--without={name}"));
        }
        words.extend(document.options.fps.map(|fps| format!("--fps={fps}")));
        words.extend(document.options.up.map(|up| match up {
            UpAxis::Y => "--up=y".to_owned(),
            UpAxis::Z => "--up=z".to_owned(),
        }));
        for map in &document.options.bone_map {
            words.push("--bone-map".into());
            words.push(file_word(&map.display().to_string()));
        }
        if document.options.bones_by_order {
            words.push("--bones-by-order".into());
        }
        self.pose_words(&mut words);
        words.push(format!("--show={}", self.tab.view.overlays.words()));
        let file = self.active_environment().map(|file| file.path.display().to_string());
        light_words(&self.tab.view.overlays.light, file, &mut words);
        self.subset_words(&mut words);
        match self.tab.selection {
            Selection::Subset(number) => words.push(format!("--select=subset:{number}")),
            Selection::Bone(bone) => words.push(format!("--select=bone:{}", bone.0)),
            _ => {}
        }
        let quoted: Vec<_> = words.iter().map(|word| quoted(word)).collect();
        Some(quoted.join(" "))
    }

    /// Parts of the view that the command line can't express.
    pub fn beyond_command_line(&self) -> Vec<&'static str> {
        let mut beyond = Vec::new();
        if self.tab.view.overlays.coloring.is_some_and(|c| c.info().is_none()) {
            beyond.push("computed vertex colours");
        }
        if self.marks() != Marks::default() {
            beyond.push("overlay marks");
        }
        if self.layers().len() > 1 {
            beyond.push("the second model");
        }
        let spec = self.tab.playback.pose_spec();
        let layer = self.tab.playback.layer;
        let is_own_speed = layer.is_some_and(|layer| layer.fade.is_none() && !layer.is_in_step);
        let document = self.tab.document.as_ref();
        let bind_pairs = document.map_or(&[][..], |document| &document.bind_pair_choices);
        let overlays = &self.tab.view.overlays;
        let has_glyphs = overlays.normals || overlays.tangents || overlays.bitangents;
        for (is_shown, what) in [
            (
                has_glyphs && overlays.glyph_permille != USUAL_GLYPH_PERMILLE,
                "the length of direction lines",
            ),
            (self.tab.view.user_images.has_textures(), "replaced textures"),
            (!self.tab.view.bone_pairs.stated.entries.is_empty(), "unsaved pairs of bones"),
            (overlays.bones && self.settings.bones.usable_size() != 1.0, "the bone size"),
            (overlays.bones && self.tab.view.bones.hides_some(), "hidden bones"),
            (overlays.bones && self.tab.view.weights.locked.is_some(), "the locked bone"),
            (self.settings.theme == Theme::HighContrast, "the high-contrast background"),
            // The command line stretches clips that aren't faded in.
            (spec.layer.is_some() && is_own_speed, "the speed of the second clip"),
            (spec.in_place.is_some(), "in-place playback"),
            (!spec.morphs.is_empty(), "morph target weights"),
            (spec.clip.is_some_and(|clip| bind_pairs.contains(&clip)), "the bind pair setting"),
        ] {
            if is_shown {
                beyond.push(what);
            }
        }
        beyond
    }

    fn pose_words(&self, words: &mut Vec<String>) {
        let spec = self.tab.playback.pose_spec();
        let model = self.tab.document.as_ref().map(|document| &document.model);
        if let (Some(id), Some(model), false) = (spec.clip, model, spec.moment.is_still()) {
            words.push(format!("--clip={}", clip_word(model, id)));
        }
        match spec.moment {
            Moment::Default => {}
            Moment::TimeSecs(time_secs) => words.push(format!("--time={time_secs}")),
            Moment::Key(key) => words.push(format!("--key={key}")),
            Moment::Rest => words.push("--pose=rest".into()),
            Moment::Bind => words.push("--pose=bind".into()),
        }
        match spec.sampling {
            Sampling::Runtime => {}
            Sampling::Step => words.push("--sampling=step".into()),
            Sampling::Linear => words.push("--sampling=linear".into()),
            Sampling::Decomposed => words.push("--sampling=decomposed".into()),
        }
        if let (Some(layer), Some(_), Some(model)) = (self.tab.playback.layer, spec.layer, model)
            && self.layer_fits(layer.clip)
        {
            layer_words(&layer, model, words);
        }
        if spec.normals == Normals::Exact {
            words.push("--normals=exact".into());
        }
    }

    fn subset_words(&self, words: &mut Vec<String>) {
        let Some(document) = &self.tab.document else { return };
        let changed = |is_hidden: bool| {
            let is_changed = |(number, by_file): &(usize, bool)| {
                *by_file != is_hidden && self.tab.view.shows(*number) != is_hidden
            };
            let numbers = document.model.hidden_parts().enumerate().filter(is_changed);
            numbers.map(|(number, _)| number.to_string()).collect::<Vec<_>>()
        };
        for (option, numbers) in [("--hide", changed(true)), ("--unhide", changed(false))] {
            if !numbers.is_empty() {
                words.push(format!("{option}={}", numbers.join(",")));
            }
        }
        for (number, look) in self.tab.view.looks.iter().enumerate() {
            if look.color != subset_color(number) {
                let color = look.color.map(|channel| channel.to_string()).join(",");
                words.push(format!("--subset-color={number}={color}"));
            }
        }
    }
}

/// An angle with as few digits as are needed to restore it exactly.
fn degrees(angle_rad: f32) -> String {
    let degrees = f64::from(angle_rad).to_degrees();
    let texts = (0..=12).map(|decimals| format!("{degrees:.decimals$}"));
    let leads_back = |text: &String| {
        let read: f64 = text.parse().unwrap_or(f64::NAN);
        #[expect(clippy::cast_possible_truncation, reason = "an angle, as it is read again")]
        let read_rad = read.to_radians() as f32;
        read_rad == angle_rad
    };
    let mut texts = texts.filter(leads_back);
    texts.next().unwrap_or_else(|| degrees.to_string())
}

/// A path that can't be mistaken for an option.
fn file_word(path: &str) -> String {
    if path.starts_with('-') { format!("./{path}") } else { path.to_owned() }
}

/// `word` quoted for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if cfg!(windows) {
        return format!("\"{}\"", word.replace('"', "\\\""));
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(windows, ignore = "other shells are quoted for")]
    fn words_with_special_shell_characters_are_quoted() {
        assert_eq!(quoted("a/b.bsm2"), "a/b.bsm2");
        assert_eq!(quoted("two words"), "'two words'");
        assert_eq!(quoted("it's $1"), r"'it'\''s $1'");
        assert_eq!(quoted(""), "''");
        assert_eq!(file_word("-x.bsm2"), "./-x.bsm2");
    }

    #[test]
    fn angles_are_written_with_only_the_necessary_digits() {
        assert_eq!(degrees(0.0), "0");
        assert_eq!(degrees(std::f32::consts::FRAC_PI_2), "90");
        for angle_rad in [0.5f32, 0.3, 1.234_567, 6.2] {
            let text = degrees(angle_rad);
            let read: f64 = text.parse().unwrap();
            assert!((read.to_radians() - f64::from(angle_rad)).abs() < 1e-7);
            assert!(text.len() < 12, "{text}");
        }
    }

    #[test]
    fn without_a_file_there_is_no_command() {
        assert_eq!(AppState::default().command_line(), None);
    }
}
