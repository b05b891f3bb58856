//! Seek tables: for some moments, which key of every track a player is at.
//!
//! ozz 0.16 plays forward key by key and jumps to the nearest table when it is asked for a far
//! moment (`runtime/sampling_job.cc`). It needs none: without tables it starts from the first keys.
//! Written are those that its own tools write (`offline/animation_builder.cc`, `BuildIFrames`): one
//! every ten seconds, at least one at the end, none where no key follows the first two of every
//! track.
//!
//! A table is the number of each track's last key, four by four as a byte of four lengths (2 bits
//! each, less 1) and the numbers in so many bytes; two u32 beside it say where it begins and which
//! key was the last.

/// Seconds between tables.
const INTERVAL_SECS: f32 = 10.0;

/// The tables of one kind of keys.
#[derive(Debug, PartialEq)]
pub(super) struct SeekTables {
    pub(super) entries: Vec<u8>,
    pub(super) descriptions: Vec<u32>,
    /// Between tables, as a part of the duration.
    pub(super) interval: f32,
}

/// Tables for keys in stored order, each with its track and the moment of the key before it on its
/// track as a part of the duration, below 0 for first ones.
pub(super) fn tables(
    keys: impl Iterator<Item = (usize, f32)>,
    num_tracks: usize,
    duration_secs: f32,
) -> SeekTables {
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "at least 1")]
    let num_moments = (duration_secs / INTERVAL_SECS).max(1.0) as u32;
    let mut tables = SeekTables {
        entries: Vec::new(),
        descriptions: Vec::new(),
        interval: 1.0,
    };
    let mut last_of_track = vec![0u32; num_tracks];
    let mut last_key = 0u32;
    let mut keys = (0u32..).zip(keys).peekable();
    for moment in 1..=num_moments {
        let ratio = moment as f32 / num_moments as f32;
        while let Some((number, (track, _))) = keys.next_if(|(_, (_, before))| *before <= ratio) {
            if let Some(last) = last_of_track.get_mut(track) {
                *last = number;
            }
            last_key = number;
        }
        let is_beginning = (last_key as usize) < num_tracks * 2;
        let is_known = tables.descriptions.last().is_some_and(|l| last_key <= *l);
        if is_beginning || is_known {
            continue;
        }
        let begin = u32::try_from(tables.entries.len()).unwrap_or(u32::MAX);
        tables.descriptions.extend([begin, last_key]);
        let (groups, _) = last_of_track.as_chunks::<4>();
        for group in groups {
            pack(group, &mut tables.entries);
        }
    }
    let num_tables = tables.descriptions.len() / 2;
    if num_tables > 0 {
        tables.interval = 1.0 / num_tables as f32;
    }
    tables
}

/// Adds four numbers in as many bytes as they need.
fn pack(group: &[u32; 4], entries: &mut Vec<u8>) {
    let num_bytes: [u8; 4] = group.map(|number| match number {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xff_ffff => 3,
        _ => 4,
    });
    let lens = num_bytes.iter().zip([0, 2, 4, 6]);
    entries.push(lens.fold(0, |all, (len, shift)| all | (len - 1) << shift));
    for (number, len) in group.iter().zip(num_bytes) {
        entries.extend(number.to_le_bytes().iter().take(usize::from(len)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_bytes_that_they_need() {
        let mut entries = Vec::new();
        pack(&[0, 256, 0x01_0000, 0x0100_0000], &mut entries);
        assert_eq!(entries, [0b11_10_01_00, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1]);
    }

    #[test]
    fn there_is_a_table_every_ten_seconds_and_none_for_two_keys_a_track() {
        let first = (0..4)
            .map(|track| (track, -1.0))
            .chain((0..4).map(|t| (t, 0.0)));
        let still = tables(first.clone(), 4, 100.0);
        assert_eq!((still.entries.len(), still.interval), (0, 1.0));
        let keys = first.chain([(2, 0.3), (1, 0.4), (2, 0.8)]);
        let two = tables(keys, 4, 20.0);
        assert_eq!(two.descriptions, [0, 9, 5, 10]);
        assert_eq!(two.entries, [0, 4, 9, 8, 7, 0, 4, 9, 10, 7]);
        assert_eq!(two.interval, 0.5);
    }
}
