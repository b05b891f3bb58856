//! Seek tables: the current key of every track at certain times.
//!
//! ozz 0.16 plays forward key by key, and to seek to a distant time it jumps to the nearest table
//! (`runtime/sampling_job.cc`). Tables are optional: without them it starts from the first keys. The writer
//! creates the same tables as ozz's tools (`offline/animation_builder.cc`, `BuildIFrames`): one every ten
//! seconds, at least one at the end, and none if no track has more than two keys.
//!
//! A table contains the number of each track's last key. Four numbers are stored as one byte with their
//! lengths (2 bits each, minus 1), followed by the numbers in as many bytes. Two u32 outside the table state
//! its offset and the last key.

use rigscope_core::model::as_u32;
/// Seconds between tables.
const INTERVAL_SECS: f32 = 10.0;

/// The tables of one kind of keys.
#[derive(Debug, PartialEq)]
pub(super) struct SeekTables {
    pub(super) entries: Vec<u8>,
    pub(super) descriptions: Vec<u32>,
    /// Interval between tables, relative to the duration.
    pub(super) interval: f32,
}

/// Tables for keys in stored order. Each key is given by its track and the time of the previous key on its
/// track, relative to the duration; negative for first keys.
pub(super) fn tables(
    keys: impl Iterator<Item = (usize, f32)>,
    num_tracks: usize,
    duration_secs: f32,
) -> SeekTables {
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "at least 1")]
    let num_moments = (duration_secs / INTERVAL_SECS).max(1.0) as u32;
    let mut tables = SeekTables { entries: Vec::new(), descriptions: Vec::new(), interval: 1.0 };
    let ratio_of = |moment: u32| moment as f32 / num_moments as f32;
    let mut last_of_track = vec![0u32; num_tracks];
    let mut last_key = 0u32;
    let mut keys = (0u32..).zip(keys).peekable();
    let mut moment = 0;
    while moment < num_moments {
        moment += 1;
        while let Some((number, (track, _))) =
            keys.next_if(|(_, (_, before))| *before <= ratio_of(moment))
        {
            if let Some(last) = last_of_track.get_mut(track) {
                *last = number;
            }
            last_key = number;
        }
        let is_beginning = (last_key as usize) < num_tracks * 2;
        let is_known = tables.descriptions.last().is_some_and(|l| last_key <= *l);
        if !is_beginning && !is_known {
            let begin = as_u32(tables.entries.len());
            tables.descriptions.extend([begin, last_key]);
            let (groups, _) = last_of_track.as_chunks::<4>();
            for group in groups {
                pack(group, &mut tables.entries);
            }
        }
        // Skip times that don't precede another key and would get no table; a clip with an extreme duration
        // has very many of them.
        let Some((_, (_, before))) = keys.peek() else { break };
        moment = moment.max(moment_before(*before, num_moments));
    }
    let num_tables = tables.descriptions.len() / 2;
    if num_tables > 0 {
        tables.interval = 1.0 / num_tables as f32;
    }
    tables
}

/// An interval number that is certain to be before the first one at or after `ratio`.
fn moment_before(ratio: f32, num_moments: u32) -> u32 {
    // The rounding error of a single-precision ratio, plus one for rounding down.
    let slack = 1.0 + f64::from(num_moments) * f64::from(f32::EPSILON);
    let exact = f64::from(ratio) * f64::from(num_moments) - slack;
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    #[expect(clippy::cast_sign_loss, reason = "not negative")]
    let moment = exact.max(0.0) as u32;
    moment
}

/// Appends four numbers with the minimum number of bytes each.
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
    fn numbers_are_packed_into_as_few_bytes_as_needed() {
        let mut entries = Vec::new();
        pack(&[0, 256, 0x01_0000, 0x0100_0000], &mut entries);
        assert_eq!(entries, [0b11_10_01_00, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1]);
    }

    #[test]
    fn tables_are_ten_seconds_apart_and_omitted_for_two_keys_per_track() {
        let first = (0..4).map(|track| (track, -1.0)).chain((0..4).map(|t| (t, 0.0)));
        let still = tables(first.clone(), 4, 100.0);
        assert_eq!((still.entries.len(), still.interval), (0, 1.0));
        let keys = first.chain([(2, 0.3), (1, 0.4), (2, 0.8)]);
        let two = tables(keys, 4, 20.0);
        assert_eq!(two.descriptions, [0, 9, 5, 10]);
        assert_eq!(two.entries, [0, 4, 9, 8, 7, 0, 4, 9, 10, 7]);
        assert_eq!(two.interval, 0.5);
    }

    #[test]
    fn the_number_of_tables_depends_on_the_keys_not_the_duration() {
        let first = (0..4).map(|track| (track, -1.0)).chain((0..4).map(|track| (track, 0.0)));
        let keys = first.chain([(2, 0.3), (1, 0.300_01), (2, 0.8)]);
        let tables = tables(keys, 4, 1e30);
        let last_keys: Vec<u32> = tables.descriptions.iter().skip(1).step_by(2).copied().collect();
        assert_eq!(last_keys, [8, 9, 10], "one wherever there is another key");
    }

    #[test]
    fn skipped_times_have_no_table() {
        // The straightforward walk over all times, as in the tools.
        let walked = |keys: &[(usize, f32)], num_tracks: usize, num_moments: u32| {
            let mut last_keys = Vec::new();
            let mut num_before = 0;
            for moment in 1..=num_moments {
                let ratio = moment as f32 / num_moments as f32;
                let passed = keys.iter().skip(num_before).take_while(|key| key.1 <= ratio);
                num_before += passed.count();
                let last_key = u32::try_from(num_before).unwrap() - 1;
                let is_known = last_keys.last().is_some_and(|last| last_key <= *last);
                if (last_key as usize) >= num_tracks * 2 && !is_known {
                    last_keys.push(last_key);
                }
            }
            last_keys
        };
        let mut random = rigscope_testing::Random(7);
        for num_moments in [1u16, 2, 7, 100, 3001] {
            let mut before: Vec<f32> = (0..200).map(|_| random.unit().powi(3)).collect();
            before.sort_by(f32::total_cmp);
            let first = (0..4).map(|track| (track, -1.0));
            let keys: Vec<(usize, f32)> = first
                .chain(before.iter().enumerate().map(|(at, ratio)| (at % 4, *ratio)))
                .collect();
            let made = tables(keys.iter().copied(), 4, f32::from(num_moments) * 10.0 + 1.0);
            let last_keys: Vec<u32> =
                made.descriptions.iter().skip(1).step_by(2).copied().collect();
            assert_eq!(last_keys, walked(&keys, 4, u32::from(num_moments)));
        }
    }
}
