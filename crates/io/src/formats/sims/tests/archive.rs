//! FAR: the displayed entry, and damage.

use std::sync::Arc;

use super::super::skin_file::Skin;
use super::bytes::bmf;
use super::{SKELETON, count, open_beside, tiny};
use crate::formats::source::tests::InMemory;
use crate::formats::{ReadOptions, RelatedFile, Source, open};
use rigscope_core::model::{FindingKind, Report};

/// Position of the directory offset.
const DIRECTORY_AT: usize = 12;

fn far(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let word = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
    let mut bytes = b"FAR!byAZ\x01\0\0\0\0\0\0\0".to_vec();
    let mut directory = word(entries.len()).to_vec();
    for (name, content) in entries {
        let parts = [content.len(), content.len(), bytes.len(), name.len()];
        directory.extend(parts.into_iter().flat_map(word));
        directory.extend(name.as_bytes());
        bytes.extend(*content);
    }
    let start = bytes.len();
    bytes[DIRECTORY_AT..DIRECTORY_AT + 4].copy_from_slice(&word(start));
    bytes.extend(directory);
    bytes
}

/// Position of the first field of the first entry.
fn first_entry(bytes: &[u8]) -> usize {
    let stored = bytes[DIRECTORY_AT..DIRECTORY_AT + 4].try_into().unwrap();
    u32::from_le_bytes(stored) as usize + 4
}

#[test]
fn archives_show_a_suit_before_a_skin_and_a_skin_before_a_skeleton() {
    let skin = bmf(&tiny());
    let suit = b"version 300\n0\n1\ns\n0\n0\n1\nROOT\ntiny\n0\n0\n0\n";
    let entries = [
        ("a\\adult-skeleton.cmx", SKELETON.as_bytes()),
        ("b\\tiny.bmf", &*skin),
        ("b\\other.bmf", &*skin),
        ("c\\suit.cmx", suit.as_slice()),
    ];
    let shown = ["c/suit.cmx", "b/tiny.bmf"];
    for (entries, shown) in [(&entries[..], shown[0]), (&entries[..3], shown[1])] {
        let (opened, findings) = open_beside("a.far", far(entries), &[]);
        let model = opened.unwrap().model;
        assert_eq!((model.meshes.len(), model.skeleton.len()), (1, 3));
        let finding = findings.iter().find(|n| n.kind == FindingKind::PartShown);
        assert!(finding.unwrap().message.starts_with(shown), "{findings:?}");
    }
    let (opened, _) = open_beside("a.far", far(&entries[..1]), &[]);
    assert_eq!(opened.unwrap().model.skeleton.len(), 3);
    let (opened, _) = open_beside("a.far", far(&[("a.txt", b"text")]), &[]);
    assert!(opened.err().unwrap().to_string().contains("none of 1 entries"));
}

#[test]
fn suit_parts_are_found_in_given_archives_and_in_those_of_the_folder() {
    let suit = b"version 300\n0\n1\ns\n0\n0\n1\nROOT\ntiny\n0\n0\n0\n".as_slice();
    let skin = bmf(&Skin { texture: "coat".into(), ..tiny() });
    let archive = far(&[
        ("Skeletons\\adult-skeleton.cmx", SKELETON.as_bytes()),
        ("Skins\\tiny.bmf", &skin),
        ("Textures\\coat.bmp", b"BM and a picture"),
    ]);
    let broken = far(&[("tiny.bmf", &skin)])[..20].to_vec();
    let beside: [(&str, &[u8]); 3] =
        [("GameData/Figure.FAR", &archive), ("broken.far", &broken), ("text.far", b"no archive")];
    let given = RelatedFile { name: "figure.far".into(), bytes: Arc::new(archive.clone()) };
    for (beside, related_files, used) in
        [(&beside[..], vec![], "GameData/Figure.FAR"), (&[], vec![given], "figure.far")]
    {
        let source = Source::new("suit.cmx", suit.to_vec())
            .with_folders(vec![InMemory::of(beside.iter().copied())])
            .with_related_files(related_files);
        let report = Report::new();
        let model = open(&source, &ReadOptions::default(), &report).unwrap().model;
        assert_eq!((model.num_vertices(), model.skeleton.len()), (4, 3), "{used}");
        let images = model.images.iter().map(|image| (&*image.name, &image.bytes[..2]));
        assert_eq!(images.collect::<Vec<_>>(), [("Textures/coat.bmp", &b"BM"[..])], "{used}");
        assert!(source.used().contains(&used.to_owned()), "{:?}", source.used());
    }
    let (opened, findings) = open_beside("suit.cmx", suit, &[("broken.far", &broken)]);
    assert!(opened.unwrap().model.meshes.is_empty(), "nothing to wear");
    assert_eq!(count(&findings, FindingKind::MissingRelatedFile), 1, "{findings:?}");
}

#[test]
fn unreadable_entries_are_left_out() {
    let skin = bmf(&tiny());
    let sound = far(&[("a.bmf", &skin), ("tiny.bmf", &skin)]);
    let entry = first_entry(&sound);
    // Size, stored size and offset: past the end, or compressed.
    for at in [entry, entry + 4, entry + 8] {
        let mut bytes = sound.clone();
        bytes[at..at + 4].copy_from_slice(&0x7fff_ffffu32.to_le_bytes());
        let (opened, findings) = open_beside("a.far", bytes, &[]);
        assert_eq!(opened.unwrap().model.num_vertices(), 4);
        assert_eq!(count(&findings, FindingKind::BrokenRecord), 1);
    }
    // Both entries may be in the same place.
    let mut bytes = sound.clone();
    bytes[entry + 8..entry + 12].copy_from_slice(&(16 + 325u32).to_le_bytes());
    let (_, findings) = open_beside("a.far", bytes, &[]);
    assert_eq!(count(&findings, FindingKind::BrokenRecord), 0);
    for len in 0..sound.len() {
        let (opened, _) = open_beside("a.far", &sound[..len], &[]);
        assert!(opened.is_err(), "cut to {len}");
    }
    for (at, value) in [(8, 3), (DIRECTORY_AT, u32::MAX), (entry - 4, u32::MAX), (entry + 12, 999)]
    {
        let mut bytes = sound.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        assert!(open_beside("a.far", bytes, &[]).0.is_err(), "{at}");
    }
}

#[test]
fn entries_that_share_bytes_are_limited() {
    let mut skin = bmf(&tiny());
    skin.resize(1 << 20, 0);
    let mut suit = "version 300\n0\n1\ns\n0\n0\n100\n".to_owned();
    for number in 0..100 {
        suit += &format!("ROOT\ns{number}\n0\n0\n");
    }
    suit += "0\n";
    let mut bytes = far(&[("suit.cmx", suit.as_bytes()), ("s0.bmf", &skin)]);
    let name_at = bytes.len() - "s0.bmf".len();
    let entry = bytes[name_at - 16..name_at].to_vec();
    for number in 1..100 {
        let name = format!("s{number}.bmf");
        bytes.extend(&entry[..12]);
        bytes.extend(u32::try_from(name.len()).unwrap().to_le_bytes());
        bytes.extend(name.as_bytes());
    }
    let count_at = first_entry(&bytes) - 4;
    bytes[count_at..count_at + 4].copy_from_slice(&101u32.to_le_bytes());
    let (opened, findings) = open_beside("a.far", bytes, &[]);
    assert_eq!(opened.unwrap().model.meshes.len(), 16);
    assert_eq!(count(&findings, FindingKind::Dropped), 84);
}
