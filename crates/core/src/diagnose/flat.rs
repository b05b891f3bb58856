//! Joins the tables of several files at compile time.

/// Number of items in all tables.
pub(super) const fn num_items<T>(tables: &[&[T]]) -> usize {
    let (mut num, mut table) = (0, 0);
    while table < tables.len() {
        num += tables[table].len();
        table += 1;
    }
    num
}

/// The items of all tables, in order. `N` is [`num_items`]; the first table has items.
pub(super) const fn flat<T: Copy, const N: usize>(tables: &[&[T]]) -> [T; N] {
    let mut all = [tables[0][0]; N];
    let (mut num, mut table) = (0, 0);
    while table < tables.len() {
        let mut item = 0;
        while item < tables[table].len() {
            all[num] = tables[table][item];
            num += 1;
            item += 1;
        }
        table += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_joined_in_order() {
        const TABLES: &[&[u8]] = &[&[1], &[], &[2, 3]];
        assert_eq!(flat::<_, { num_items(TABLES) }>(TABLES), [1, 2, 3]);
    }
}
