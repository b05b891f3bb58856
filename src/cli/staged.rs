//! Work of two stages, in order: while one item is finished the next is made.

/// Calls `make` on this thread for each number below `num`, and `finish` with what it made beside the next.
///
/// # Errors
/// The first of either, in the order of items; nothing is made after it.
pub(super) fn staged<T: Send>(
    num: usize,
    mut make: impl FnMut(usize) -> anyhow::Result<T>,
    mut finish: impl FnMut(usize, T) -> anyhow::Result<()> + Send,
) -> anyhow::Result<()> {
    let mut made = None;
    for number in 0..num {
        let (last, mut finished) = (made.take(), Ok(()));
        let next = rayon::in_place_scope(|scope| {
            if let Some((number, item)) = last {
                let (finish, finished) = (&mut finish, &mut finished);
                scope.spawn(move |_| *finished = finish(number, item));
            }
            make(number)
        });
        finished?;
        made = Some((number, next?));
    }
    made.map_or(Ok(()), |(number, item)| finish(number, item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_finished_in_order_up_to_the_first_error() {
        for num in [0, 1, 2, 50] {
            let mut finished = Vec::new();
            let finish = |number, item: usize| {
                finished.push((number, item));
                Ok(())
            };
            staged(num, |number| Ok(number * 2), finish).unwrap();
            assert_eq!(finished, (0..num).map(|number| (number, number * 2)).collect::<Vec<_>>());
        }
        let mut num_made = 0;
        let make = |_| {
            num_made += 1;
            Ok(())
        };
        let finish = |number, ()| match number {
            3 => anyhow::bail!("no room"),
            _ => Ok(()),
        };
        assert_eq!(staged(50, make, finish).unwrap_err().to_string(), "no room");
        assert!(num_made < 8, "{num_made}");
        let make = |number| match number {
            5 => anyhow::bail!("no picture"),
            _ => Ok(()),
        };
        let mut num_finished = 0;
        let finish = |_, ()| {
            num_finished += 1;
            Ok(())
        };
        assert_eq!(staged(50, make, finish).unwrap_err().to_string(), "no picture");
        assert_eq!(num_finished, 5, "what was made is finished");
    }
}
