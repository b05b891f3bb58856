//! Text files: characters from bytes, lines and tokens from characters, and the line and column of
//! everything that goes wrong.
//!
//! For: formats of plain lines and numbers, and what all text files share, JSON too.
//! Not for: trees.
//!
//! | what a file may be in | how it is known |
//! |---|---|
//! | UTF-8, with or without its mark | it is valid |
//! | UTF-16, either byte order | its mark |
//! | Windows-1252 | what is left |
//!
//! Lines end in LF, CR LF or CR alone, also in one file.

mod cursor;
mod digits;
mod encoding;
mod number;
mod place;

pub use cursor::TextCursor;
pub use digits::Words;
pub use encoding::{decode, is_utf16, mark_len, plain, windows_1252, windows_1252_text};
pub use number::{is_not_finite, is_plain_number};
pub use place::{line_and_column, line_bytes};

pub(super) use cursor::shortened;
