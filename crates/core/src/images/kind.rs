//! Supported kinds of image files, one table row each.

/// A kind of image file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageKind {
    /// Portable Network Graphics.
    Png,
    /// Truevision TGA, which has no signature.
    Tga,
    /// JPEG.
    Jpeg,
    /// Windows bitmap.
    Bmp,
    /// `DirectDraw` surface: block-compressed, with mipmaps and cubemaps.
    Dds,
    /// WebP.
    WebP,
    /// Khronos texture, version 2.
    Ktx2,
    /// Khronos texture, version 1.
    Ktx,
    /// Radiance HDR, floats.
    Hdr,
    /// `OpenEXR`, floats.
    Exr,
    /// GIF; only the first frame is read.
    Gif,
}

/// A row of the table of image kinds.
#[derive(Clone, Copy, Debug)]
pub struct ImageKindInfo {
    /// The kind of this row.
    pub kind: ImageKind,
    /// Name shown to users.
    pub name: &'static str,
    /// Lower case; the most common one first.
    pub extensions: &'static [&'static str],
    /// Signature at the start of the file; empty if there isn't one.
    magic: &'static [u8],
    /// Decoder in the `image` crate; `None` for containers, which are decoded in this module.
    pub(super) codec: Option<image::ImageFormat>,
}

/// All image kinds, most likely first: of two files with the same stem, the earlier kind is used.
pub const IMAGE_KINDS: &[ImageKindInfo] = {
    use ImageKind as Kind;
    use image::ImageFormat as Codec;
    &[
        row(Kind::Png, "PNG", &["png"], b"\x89PNG\r\n\x1a\n", Some(Codec::Png)),
        row(Kind::Tga, "TGA", &["tga"], b"", Some(Codec::Tga)),
        row(Kind::Jpeg, "JPEG", &["jpg", "jpeg"], b"\xff\xd8\xff", Some(Codec::Jpeg)),
        row(Kind::Bmp, "BMP", &["bmp"], b"BM", Some(Codec::Bmp)),
        row(Kind::Dds, "DDS", &["dds"], b"DDS ", None),
        row(Kind::WebP, "WebP", &["webp"], b"RIFF", Some(Codec::WebP)),
        row(Kind::Ktx2, "KTX2", &["ktx2"], b"\xabKTX 20\xbb\r\n\x1a\n", None),
        row(Kind::Ktx, "KTX", &["ktx"], b"\xabKTX 11\xbb\r\n\x1a\n", None),
        row(Kind::Hdr, "Radiance HDR", &["hdr"], b"#?", Some(Codec::Hdr)),
        row(Kind::Exr, "OpenEXR", &["exr"], b"\x76\x2f\x31\x01", Some(Codec::OpenExr)),
        row(Kind::Gif, "GIF", &["gif"], b"GIF8", Some(Codec::Gif)),
    ]
};

const fn row(
    kind: ImageKind,
    name: &'static str,
    extensions: &'static [&'static str],
    magic: &'static [u8],
    codec: Option<image::ImageFormat>,
) -> ImageKindInfo {
    ImageKindInfo { kind, name, extensions, magic, codec }
}

impl ImageKind {
    /// The table row of this kind.
    pub fn info(self) -> &'static ImageKindInfo {
        let row = IMAGE_KINDS.iter().find(|row| row.kind == self);
        row.unwrap_or(&IMAGE_KINDS[0])
    }

    /// The kind whose signature matches the start of `bytes`.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        // RIFF files may also contain sound or video.
        let is_riff_of_another = |row: &ImageKindInfo| {
            row.kind == Self::WebP && bytes.get(8..12).is_some_and(|four| four != b"WEBP")
        };
        let is_marked = |row: &&ImageKindInfo| {
            !row.magic.is_empty() && bytes.starts_with(row.magic) && !is_riff_of_another(row)
        };
        IMAGE_KINDS.iter().find(is_marked).map(|row| row.kind)
    }

    /// The kind by file extension, ignoring case.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let has = |row: &&ImageKindInfo| {
            row.extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
        };
        IMAGE_KINDS.iter().find(has).map(|row| row.kind)
    }
}

impl ImageKind {
    /// Whether such files are usually environment maps rather than textures.
    pub fn is_light(self) -> bool {
        matches!(self, Self::Hdr | Self::Exr)
    }

    /// Rank of a file name by extension, lowest first, to choose among files with the same stem.
    pub fn rank_of_name(name: &str) -> Option<usize> {
        let (_, extension) = name.rsplit_once('.')?;
        let mut all = IMAGE_KINDS.iter().flat_map(|row| row.extensions);
        all.position(|known| extension.eq_ignore_ascii_case(known))
    }
}

/// Detects the kind by content, or by name otherwise, since TGA has no signature.
pub fn kind_of(bytes: &[u8], name: &str) -> Option<ImageKind> {
    ImageKind::of_content(bytes).or_else(|| ImageKind::of_name(name))
}
