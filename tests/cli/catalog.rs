//! `catalog`, whose table other programs read; here by the library that wrote it.

use std::fs::File;
use std::path::Path;

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Row, RowAccessor as _};

use super::runner::{Folder, native};
use crate::support::{files_below, fixtures, samples};

fn rows(path: &Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(Result::unwrap).collect()
}

fn column(row: &Row, name: &str) -> usize {
    row.get_column_iter().position(|(column, _)| column == name).unwrap()
}

#[test]
fn every_file_has_one_row_even_if_unreadable() {
    let folder = Folder::new();
    for number in 0..600 {
        folder.put(&format!("in/{number:03}.bsm2"), &fixtures::two_triangles());
    }
    folder.put("in/100.bsm2", &fixtures::with_zero_normal());
    folder.put_bytes("in/200.bsm2", b"cut");
    let args = ["catalog", "in", "-o", "out.parquet", "--cache", "kept"];
    let ran = folder.run_to(0, &args);
    assert!(ran.stderr.contains("out.parquet: note: 600 rows written"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
    let first = rows(&folder.path("out.parquet"));
    assert_eq!(first.len(), 600);
    for (number, row) in first.iter().enumerate() {
        let file = row.get_string(column(row, "file")).unwrap();
        assert_eq!(*file, native(&format!("in/{number:03}.bsm2")));
        assert_eq!(row.get_bool(column(row, "ok")).unwrap(), number != 200, "{row}");
    }
    let [good, odd, cut] = [0, 100, 200].map(|number| &first[number]);
    assert_eq!(good.get_string(column(good, "format")).unwrap(), "bsm2");
    let totals = good.get_group(column(good, "totals")).unwrap();
    assert_eq!(totals.get_long(column(totals, "vertices")).unwrap(), 4);
    let clips = good.get_list(column(good, "clips")).unwrap().elements();
    assert!(clips[0].to_string().contains("name: \"idle\""), "{}", clips[0]);
    assert!(odd.to_string().contains("zero-normal") && !good.to_string().contains("zero-normal"));
    assert!(cut.get_string(column(cut, "error")).unwrap().contains("BSM2"), "{cut}");
    assert_eq!(cut.get_long(column(cut, "bytes")).unwrap(), 3);

    folder.run_to(2, &args);
    let again = [&args[..], &["--force"]].concat();
    folder.run_to(0, &again);
    assert_eq!(rows(&folder.path("out.parquet")), first);
}

/// The table, `info --json`, its list of bones and the library count bones and other nodes alike.
#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn bones_are_counted_alike_everywhere() {
    let folder = Folder::new();
    let mut files = files_below(&samples());
    let extensions = ["glb", "gltf", "bsm2", "iqm", "fbx", "ozz", "skn"];
    files.retain(|path| extensions.iter().any(|own| path.extension() == Some(own.as_ref())));
    let list: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    folder.put_bytes("list", list.join("\n").as_bytes());
    folder.run(&["catalog", "--files-from", "list", "-o", "out.parquet"]);
    let ran = folder.run(&["info", "--json", "--files-from", "list"]);
    let infos = ran.json();
    let (mut num, mut num_with_nodes) = (0, 0);
    for row in rows(&folder.path("out.parquet")) {
        let path = row.get_string(column(&row, "file")).unwrap();
        let infos = infos.as_array().unwrap();
        let Some(info) = infos.iter().find(|info| info["file"] == path.as_str()) else { continue };
        let totals = row.get_group(column(&row, "totals")).unwrap();
        let listed = info["bones"].as_array().unwrap();
        let model = rigscope::open(path).unwrap().model;
        let counts = [("bones", "bone", model.num_bones()), ("nodes", "node", model.num_nodes())];
        for (total, kind, expected) in counts {
            let of_kind = listed.iter().filter(|bone| bone["kind"] == kind).count();
            assert_eq!(of_kind, expected, "{path}: list of {total}");
            assert_eq!(info["totals"][total], expected, "{path}: info");
            let in_table = totals.get_long(column(totals, total)).unwrap();
            assert_eq!(usize::try_from(in_table).unwrap(), expected, "{path}: table");
        }
        num += 1;
        num_with_nodes += usize::from(model.num_bones() > 0 && model.num_nodes() > 0);
        if path.ends_with("raylib_robot.glb") {
            assert_eq!(model.bones_text(), "44 bones, 14 other nodes");
        }
    }
    assert!(num > 40 && num_with_nodes > 5, "{num} files, {num_with_nodes} with other nodes");
}

#[test]
fn missing_files_are_reported_and_inputs_are_not_overwritten() {
    let folder = Folder::with(&fixtures::two_triangles());
    let ran = folder.run_to(2, &["catalog", "a.bsm2", "none", "-o", "out.parquet"]);
    assert!(ran.stderr.contains("none"), "{}", ran.stderr);
    assert_eq!(rows(&folder.path("out.parquet")).len(), 1);
    let ran = folder.run_to(2, &["catalog", "a.bsm2", "-o", "a.bsm2", "--force"]);
    assert!(ran.stderr.contains("input"), "{}", ran.stderr);
    folder.put_bytes("list", b"gone.bsm2\n");
    folder.run_to(0, &["catalog", "--files-from", "list", "-o", "out.parquet", "--force"]);
    let [row] = rows(&folder.path("out.parquet")).try_into().unwrap();
    assert!(row.get_string(column(&row, "error")).unwrap().contains("no such file"), "{row}");
}
