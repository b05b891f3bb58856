//! Reports the GPU memory of an effect's textures.

use crate::model::{
    EffectFacts, EffectImage, FindingKind, Model, Place, Report, findings, numbers,
};

findings! {
    pub(super) FINDINGS:
    TextureMemory, "texture-memory", Info, Mesh,
        "the textures of an effect use this much GPU memory, largest first",
        "none; large textures slow down loading, and may not fit into the memory of phones",
        "store large images as compressed KTX, or scale them down",
        "the textures use 771 KiB of GPU memory: images/ibl_spec.ktx 512 KiB, images/skin.png 171 KiB, images/brdf.ktx 64 KiB, images/ibl_diff.ktx 24 KiB";
}

/// The most textures to list.
const MAX_NAMED: usize = 12;

/// Reports [`FindingKind::TextureMemory`].
pub(super) fn check(effect: &EffectFacts, _: &Model, report: &Report) {
    let bytes = |image: &EffectImage| image.layout.map_or(0, |layout| layout.gpu_bytes);
    let mut images: Vec<&EffectImage> = effect.images.iter().filter(|i| bytes(i) > 0).collect();
    images.sort_by_key(|image| std::cmp::Reverse(bytes(image)));
    let total = images.iter().map(|image| bytes(image)).fold(0, u64::saturating_add);
    report.add_many(FindingKind::TextureMemory, Place::File, u64::from(total > 0), || {
        let each = images.iter().take(MAX_NAMED);
        let each = each.map(|image| format!("{} {}", image.path, kib(bytes(image))));
        let more = images.len().saturating_sub(MAX_NAMED);
        let more = (more > 0).then(|| format!("{more} more"));
        let each: Vec<String> = each.chain(more).collect();
        format!("the textures use {} of GPU memory: {}", kib(total), each.join(", "))
    });
}

fn kib(bytes: u64) -> String {
    format!("{} KiB", numbers::grouped(bytes.div_ceil(1024)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::bar::the;
    use crate::validate::fixtures::effect::change;

    #[test]
    fn texture_memory_is_listed_largest_first() {
        let model = change("spec.ktx", |layout| layout.gpu_bytes = 5000);
        let told = the(&model, FindingKind::TextureMemory).message;
        assert!(
            told.starts_with(
                "the textures use 10 KiB of GPU memory: spec.ktx 5 KiB, color.png 1 KiB, "
            ),
            "{told}"
        );
    }
}
