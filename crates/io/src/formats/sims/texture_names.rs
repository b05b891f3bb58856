//! Determines the image of a skin from the naming scheme of the game's files.
//!
//! A skin's texture name is often `x`: then the game chooses an image by the skin's name, the figure's skin
//! tone (`lgt`, `med`, `drk`) and the existing files.
//!
//! | skin | image |
//! |---|---|
//! | `xskin-{b,f,h,l,s,w}NNN{f,m,u}{a,c}{fit,fat,skn,chd}_NAME-PELVIS-BODY` | same up to `_`, tone, `_NAME…`;
//! else any `_…` |
//! | `xskin-cNNN{f,m,u}{a,c}_NAME-HEAD-HEAD` | same up to `_`, tone, `_NAME…`; else any `_…` |
//! | `xskin-h{u,f,m}{l,r}{c,o,p}-…` | `h`, u or sex, a or side, pose, tone … |
//!
//! Source: the published behaviour of two open-source runtimes. NNN may contain letters.
//!
//! Ambiguous: according to a document, the game ignores the texture name of a suit's first skin; here an
//! existing texture of that name is preferred, because it was made for the mesh.
//! Ambiguous: the files don't state a figure's tone; the lightest existing one is used.

use crate::formats::{last_part, stem, textures::is_image};

const TONES: [&str; 3] = ["lgt", "med", "drk"];
const BUILDS: [&str; 4] = ["fit", "fat", "skn", "chd"];
/// Extensions of textures, most likely first.
const EXTENSIONS: [&str; 3] = ["bmp", "tga", "png"];

/// The texture of a skin.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SkinTexture {
    /// An image with that name or path, which may be missing.
    Image(String),
    /// A single linear colour.
    Color(f32),
    /// Not specified.
    Nothing,
}

/// Whether a skin's texture name refers to a file.
pub(super) fn is_named(texture: &str) -> bool {
    let texture = texture.to_lowercase();
    !matches!(&*texture, "" | "x" | "white" | "grey" | "gray")
}

/// Chooses the image of the skin in the file `skin_stem`, with the texture name `texture`, from the existing
/// paths.
pub(super) fn choose(skin_stem: &str, texture: &str, paths: &[String]) -> SkinTexture {
    let is_named = is_named(texture);
    // Some tools write paths or extensions.
    let file = last_part(texture).trim();
    let own_stem = if is_image(file) { stem(file) } else { file };
    let own = EXTENSIONS.map(|extension| format!("{own_stem}.{extension}"));
    let find_own = || {
        own.iter().find_map(|name| {
            let mut paths = paths.iter();
            paths.find(|path| last_part(path).eq_ignore_ascii_case(name))
        })
    };
    if is_named && let Some(path) = find_own() {
        return SkinTexture::Image(path.clone());
    }
    let prefixes = prefixes(skin_stem);
    let images: Vec<(String, &String)> = if prefixes.is_empty() {
        Vec::new()
    } else {
        paths
            .iter()
            .filter(|path| is_image(path))
            .map(|path| (last_part(path).to_lowercase(), path))
            .collect()
    };
    for prefix in &prefixes {
        let found = images.iter().find(|(name, _)| name.starts_with(prefix));
        if let Some((_, path)) = found {
            return SkinTexture::Image((*path).clone());
        }
    }
    match (&*texture.to_lowercase(), prefixes.first()) {
        ("white", _) => SkinTexture::Color(1.0),
        // Half of the perceived brightness.
        ("grey" | "gray", _) => SkinTexture::Color(0.214),
        _ if is_named => SkinTexture::Image(format!("{own_stem}.bmp")),
        // Report the first name that the game would search for.
        (_, Some(prefix)) => SkinTexture::Image(format!("{}.bmp", prefix.trim_end_matches('_'))),
        _ => SkinTexture::Nothing,
    }
}

/// Prefixes of image names for a skin, best first; empty if the skin's name has another form.
fn prefixes(stem: &str) -> Vec<String> {
    let stem = stem.to_lowercase();
    let Some(rest) = stem.strip_prefix("xskin-") else { return Vec::new() };
    let part = rest.split('-').next().unwrap_or_default();
    of_hand(part).or_else(|| of_body_or_head(part)).unwrap_or_default()
}

/// For `b001fafit_name` or `c001fa_name`.
fn of_body_or_head(part: &str) -> Option<Vec<String>> {
    let (code, name) = part.split_once('_')?;
    let letters: Vec<char> = code.chars().collect();
    let [kind, _, _, _, sex, age, build @ ..] = &*letters else { return None };
    let build: String = build.iter().collect();
    let is_body = matches!(kind, 'b' | 'f' | 'h' | 'l' | 's' | 'w') && BUILDS.contains(&&*build);
    let is_head = *kind == 'c' && build.is_empty();
    let is_figure = matches!(sex, 'f' | 'm' | 'u') && matches!(age, 'a' | 'c');
    if !is_figure || !(is_body || is_head) {
        return None;
    }
    let named = TONES.map(|tone| format!("{code}{tone}_{name}"));
    let any = TONES.map(|tone| format!("{code}{tone}_"));
    Some([named, any].concat())
}

/// For `hulo`: hand, sex, side, pose.
fn of_hand(part: &str) -> Option<Vec<String>> {
    let letters: Vec<char> = part.chars().collect();
    let ['h', sex @ ('u' | 'f' | 'm'), side @ ('l' | 'r'), pose @ ('c' | 'o' | 'p')] = *letters
    else {
        return None;
    };
    let mut prefixes = Vec::new();
    for sex in [sex, 'u'] {
        for side in [side, 'a'] {
            prefixes.extend(TONES.map(|tone| format!("h{sex}{side}{pose}{tone}")));
        }
    }
    Some(prefixes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(stem: &str, texture: &str, paths: &[&str]) -> SkinTexture {
        let paths: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
        choose(stem, texture, &paths)
    }

    fn image(name: &str) -> SkinTexture {
        SkinTexture::Image(name.to_owned())
    }

    #[test]
    fn an_existing_named_texture_is_used() {
        let stem = "xskin-b001fafit_01-PELVIS-BODY";
        let paths = ["b001fafitlgt_01.bmp", "t/Coat.BMP"];
        for name in ["coat", "t\\coat", "C:\\art\\Coat.bmp", ".\\coat.BMP"] {
            assert_eq!(chosen(stem, name, &paths), image("t/Coat.BMP"), "{name}");
        }
        assert_eq!(chosen(stem, "none", &paths), image("b001fafitlgt_01.bmp"));
    }

    #[test]
    fn body_head_and_hand_textures_are_found_by_name_and_skin_tone() {
        let paths = [
            "b001fafitdrk_01.bmp",
            "b001fafitmed_02.bmp",
            "c001fadrk_x.skn",
            "C001FADRK_x.bmp",
            "hfaomed.bmp",
        ];
        let body = |name: &str| format!("xskin-b001fafit_{name}-PELVIS-BODY");
        assert_eq!(chosen(&body("01"), "x", &paths), image(paths[0]));
        assert_eq!(chosen(&body("02"), "x", &paths), image(paths[1]));
        assert_eq!(chosen(&body("03"), "x", &paths), image(paths[1]), "any name");
        let head = "xskin-c001fa_y-HEAD-HEAD";
        assert_eq!(chosen(head, "x", &paths), image(paths[3]));
        let hand = "xskin-hflo-L_HAND-HAND";
        assert_eq!(chosen(hand, "x", &paths), image(paths[4]));
    }

    #[test]
    fn without_an_image_the_expected_name_is_returned() {
        let stem = "xskin-c001fa_anna-HEAD-HEAD";
        assert_eq!(chosen(stem, "x", &[]), image("c001falgt_anna.bmp"));
        assert_eq!(chosen(stem, "hair", &[]), image("hair.bmp"));
        assert_eq!(chosen("tiny", "x", &["b.bmp"]), SkinTexture::Nothing);
        assert_eq!(chosen("tiny", "White", &[]), SkinTexture::Color(1.0));
        for odd in ["xskin-", "xskin-b", "xskin-b001fa\u{e9}_x-", "xskin-_", ""] {
            assert_eq!(chosen(odd, "x", &["b001.bmp"]), SkinTexture::Nothing, "{odd}");
        }
    }
}
