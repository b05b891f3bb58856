//! Finds sides that aren't powers of two: old GPUs can't make mipmaps of such textures, or repeat them.

use super::{read, report_finding};
use crate::model::{EffectFacts, FindingKind, Model, Report, findings};

findings! {
    pub(super) FINDINGS:
    // All devices with OpenGL ES 3 support any size.
    SizeNoPowerOfTwo, "size-no-power-of-two", Info, Mesh,
        "the width or height of a texture of an effect isn't a power of two",
        "none on current devices; old GPUs can't repeat the texture or make mipmaps of it, and may show it black",
        "if old devices matter, scale the image to a width and height of 256, 512, 1024 and so on",
        "images/skin.png has 400 × 400 pixels, which aren't both powers of two at materials[0]";
}

/// Reports [`FindingKind::SizeNoPowerOfTwo`].
pub(super) fn check(effect: &EffectFacts, _: &Model, report: &Report) {
    let odd = read(effect).filter(|(_, layout)| !layout.size.iter().all(|s| s.is_power_of_two()));
    let found = odd.map(|(image, layout)| {
        let [width, height] = layout.size;
        (image, format!("has {width} × {height} pixels, which aren't both powers of two"))
    });
    report_finding(found.collect(), FindingKind::SizeNoPowerOfTwo, report);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::bar::{is_silent, the};
    use crate::validate::fixtures::effect::{change, effect};

    #[test]
    fn texture_sizes_that_are_not_powers_of_two_are_reported() {
        assert!(is_silent(&effect(), FindingKind::SizeNoPowerOfTwo));
        let broken = change("color.png", |layout| layout.size = [350, 256]);
        let finding = the(&broken, FindingKind::SizeNoPowerOfTwo);
        assert_eq!(
            (finding.count, finding.message.as_str()),
            (1, "color.png has 350 × 256 pixels, which aren't both powers of two")
        );
    }
}
