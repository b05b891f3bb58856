//! `thumbnail`.

use super::runner::Folder;
use crate::support::fixtures;

#[cfg_attr(no_gpu, ignore = "no GPU")]
#[test]
fn a_thumbnail_is_a_square_image_with_a_transparent_background() {
    let folder = Folder::new();
    folder.put_bytes("a.bsm2", include_bytes!("../../assets/sample.bsm2"));
    // File managers make the file first, and call it anything.
    folder.put_bytes("out", b"");
    folder.run_to(0, &["thumbnail", "a.bsm2", "out", "96"]);
    let image = image::load_from_memory(&folder.bytes("out")).unwrap().to_rgba8();
    assert_eq!(image.dimensions(), (96, 96));
    let rows: Vec<_> = image.rows().map(|row| row.filter(|pixel| pixel[3] > 0).count()).collect();
    let num_rows = rows.iter().filter(|num| **num > 0).count();
    let num_drawn: usize = rows.iter().sum();
    assert!((60..=96).contains(&num_rows), "{num_rows} rows");
    assert!((500..6000).contains(&num_drawn), "{num_drawn} pixels");
    assert_eq!(image.get_pixel(0, 0)[3], 0);
}

#[test]
fn unreadable_files_give_no_thumbnail() {
    let folder = Folder::with(&fixtures::two_triangles());
    folder.put_bytes("bad.bsm2", b"nothing");
    let ran = folder.run_to(2, &["thumbnail", "bad.bsm2", "out.png", "96"]);
    assert!(ran.stderr.contains("bad.bsm2"), "{}", ran.stderr);
    assert!(!folder.path("out.png").exists());
    folder.run_to(2, &["thumbnail", "a.bsm2", "out.png", "0"]);
    let ran = folder.run_to(2, &["thumbnail", "a.bsm2", "a.bsm2", "96"]);
    assert!(ran.stderr.contains("input"), "{}", ran.stderr);
}
