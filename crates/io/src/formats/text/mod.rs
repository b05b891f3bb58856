//! Text files: characters from bytes, lines and tokens from characters, and the line and column of
//! every error.
//!
//! For formats of plain lines and numbers, and for tasks that all text files share, including JSON.
//! Doesn't parse trees.
//!
//! | encoding | detected by |
//! |---|---|
//! | UTF-8, with or without byte order mark | validity |
//! | UTF-16, either byte order | byte order mark |
//! | Windows-1252 | anything else |
//!
//! Lines end in LF, CR LF or CR, which may be mixed.

mod cursor;
mod encoding;
mod json_path;
mod number;
mod place;
mod text_writer;

pub use cursor::TextCursor;
pub use encoding::{decode, is_utf16, mark_len, plain, windows_1252, windows_1252_text};
pub use json_path::json_path;
pub use number::{is_not_finite, is_plain_number};
pub use place::{line_and_column, line_bytes};
pub use text_writer::TextWriter;

pub(super) use cursor::shortened;
