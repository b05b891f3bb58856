//! The kinds of image files that can be decoded: one row each.

/// A kind of image file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageKind {
    /// Portable Network Graphics.
    Png,
    /// Truevision TGA, which has no mark of its own.
    Tga,
    /// JPEG.
    Jpeg,
    /// Windows bitmap.
    Bmp,
    /// `DirectDraw` surface: block-compressed, with levels and cubemaps.
    Dds,
    /// WebP.
    WebP,
    /// Khronos texture, version 2.
    Ktx2,
    /// Khronos texture, version 1.
    Ktx,
    /// Radiance picture, floats.
    Hdr,
    /// `OpenEXR`, floats.
    Exr,
    /// GIF: its first picture.
    Gif,
}

/// One row of the table of image files.
#[derive(Clone, Copy, Debug)]
pub struct ImageKindInfo {
    /// Which kind.
    pub kind: ImageKind,
    /// As people write it.
    pub name: &'static str,
    /// Lower case; the usual one first.
    pub extensions: &'static [&'static str],
    /// How its bytes begin; empty where they have no mark.
    magic: &'static [u8],
    /// Its reader in the `image` crate; `None` for containers, which are read here.
    pub(super) codec: Option<image::ImageFormat>,
}

/// The table of image files, likeliest first: of two with one name the earlier is taken.
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
    /// Its row.
    pub fn info(self) -> &'static ImageKindInfo {
        let row = IMAGE_KINDS.iter().find(|row| row.kind == self);
        row.unwrap_or(&IMAGE_KINDS[0])
    }

    /// The kind whose mark `bytes` begin with.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        // RIFF holds sounds and films too.
        let is_riff_of_another = |row: &ImageKindInfo| {
            row.kind == Self::WebP && bytes.get(8..12).is_some_and(|four| four != b"WEBP")
        };
        let is_marked = |row: &&ImageKindInfo| {
            !row.magic.is_empty() && bytes.starts_with(row.magic) && !is_riff_of_another(row)
        };
        IMAGE_KINDS.iter().find(is_marked).map(|row| row.kind)
    }

    /// The kind that a file's name says, in any case.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let has = |row: &&ImageKindInfo| {
            row.extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
        };
        IMAGE_KINDS.iter().find(has).map(|row| row.kind)
    }
}

impl ImageKind {
    /// Whether its files are mostly light from everywhere and not textures.
    pub fn is_light(self) -> bool {
        matches!(self, Self::Hdr | Self::Exr)
    }

    /// How likely an image of that name is meant where several have one name: the lowest first.
    pub fn rank_of_name(name: &str) -> Option<usize> {
        let (_, extension) = name.rsplit_once('.')?;
        let mut all = IMAGE_KINDS.iter().flat_map(|row| row.extensions);
        all.position(|known| extension.eq_ignore_ascii_case(known))
    }
}

/// What an image is: by its content, else by its name, as TGA has no mark.
pub fn kind_of(bytes: &[u8], name: &str) -> Option<ImageKind> {
    ImageKind::of_content(bytes).or_else(|| ImageKind::of_name(name))
}
