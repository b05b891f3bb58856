//! A three-stage pipeline: items are begun on this thread, waited for on this thread some items later, and finished
//! on the thread pool. The slowest stage determines the total time.

use std::collections::VecDeque;
use std::sync::mpsc;

use super::timings;

/// Number of items that may be in each stage, at least 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Begun and not yet waited for.
    pub(super) begun: usize,
    /// Being finished. With 1, items are finished one after another in their order.
    pub(super) finishing: usize,
}

/// Begins and waits for the items 0 to `num` - 1 in order, and finishes them on the thread pool.
///
/// # Errors
/// The error of the item with the lowest number among those that failed. Nothing is begun after a failure; items
/// before one that couldn't be begun are still finished, and so are those that are being finished.
pub(super) fn run_pipeline<C, B, T: Send>(
    num: usize,
    limits: Limits,
    context: &mut C,
    mut begin: impl FnMut(&mut C, usize) -> anyhow::Result<B>,
    mut wait: impl FnMut(&mut C, B) -> anyhow::Result<T>,
    finish: impl Fn(usize, T) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    let (finish, mut failure) = (&finish, Failure::default());
    let (sender, results) = mpsc::channel();
    rayon::in_place_scope(|scope| {
        let mut begun = VecDeque::new();
        let (mut next, mut num_finishing) = (0, 0);
        loop {
            while next < num && begun.len() < limits.begun.max(1) && failure.is_none() {
                match begin(context, next) {
                    Ok(item) => begun.push_back((next, item)),
                    Err(error) => failure.add(next, error),
                }
                next += 1;
            }
            let Some((number, item)) = begun.pop_front() else { break };
            if !failure.is_before(number) {
                match wait(context, item) {
                    Ok(item) => {
                        timings::at("waiting for encoders");
                        while num_finishing >= limits.finishing.max(1) {
                            let Ok((number, result)) = results.recv() else { break };
                            num_finishing -= 1;
                            failure.add_if_any(number, result);
                        }
                        if failure.is_before(number) {
                            continue;
                        }
                        num_finishing += 1;
                        let report = Report { number, sender: sender.clone(), result: None };
                        scope.spawn(move |_| {
                            // Moves the whole report into the closure, which drops it at the end.
                            let mut report = report;
                            report.result = Some(finish(number, item));
                        });
                    }
                    Err(error) => failure.add(number, error),
                }
            }
            for (number, result) in results.try_iter() {
                num_finishing -= 1;
                failure.add_if_any(number, result);
            }
        }
        timings::at("waiting for encoders");
    });
    drop(sender);
    for (number, result) in results {
        failure.add_if_any(number, result);
    }
    failure.into_result()
}

/// Sends the result of finishing an item when it is dropped, also if finishing panics.
struct Report {
    number: usize,
    sender: mpsc::Sender<(usize, anyhow::Result<()>)>,
    result: Option<anyhow::Result<()>>,
}

impl Drop for Report {
    fn drop(&mut self) {
        // After a panic, which the scope propagates, the message doesn't matter.
        let result = self.result.take().unwrap_or_else(|| Err(anyhow::anyhow!("stopped")));
        let _ = self.sender.send((self.number, result));
    }
}

/// The failed item with the lowest number.
#[derive(Default)]
struct Failure(Option<(usize, anyhow::Error)>);

impl Failure {
    fn is_none(&self) -> bool {
        self.0.is_none()
    }

    fn is_before(&self, number: usize) -> bool {
        self.0.as_ref().is_some_and(|(failed, _)| *failed < number)
    }

    fn add(&mut self, number: usize, error: anyhow::Error) {
        if self.0.as_ref().is_none_or(|(failed, _)| number < *failed) {
            self.0 = Some((number, error));
        }
    }

    fn add_if_any(&mut self, number: usize, result: anyhow::Result<()>) {
        if let Err(error) = result {
            self.add(number, error);
        }
    }

    fn into_result(self) -> anyhow::Result<()> {
        self.0.map_or(Ok(()), |(_, error)| Err(error))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const ALL: [Limits; 3] = [
        Limits { begun: 1, finishing: 1 },
        Limits { begun: 3, finishing: 1 },
        Limits { begun: 3, finishing: 4 },
    ];

    /// Numbers in the order in which they were finished.
    fn run(
        num: usize,
        limits: Limits,
        begin: impl Fn(usize) -> anyhow::Result<usize>,
        finish: impl Fn(usize) -> anyhow::Result<()> + Sync,
    ) -> (Vec<usize>, usize, anyhow::Result<()>) {
        let finished = Mutex::new(Vec::new());
        let mut num_begun = 0;
        let result = run_pipeline(
            num,
            limits,
            &mut num_begun,
            |num_begun, number| {
                *num_begun += 1;
                begin(number)
            },
            |_, item| Ok(item * 2),
            |number, item| {
                assert_eq!(item, number * 2);
                finish(number)?;
                finished.lock().unwrap().push(number);
                Ok(())
            },
        );
        (finished.into_inner().unwrap(), num_begun, result)
    }

    #[test]
    fn all_items_are_finished_and_in_order_if_one_at_a_time() {
        for (limits, num) in
            ALL.into_iter().flat_map(|limits| [0, 1, 2, 50].map(|num| (limits, num)))
        {
            let (mut finished, num_begun, result) = run(num, limits, Ok, |_| Ok(()));
            result.unwrap();
            if limits.finishing > 1 {
                finished.sort_unstable();
            }
            assert_eq!(finished, (0..num).collect::<Vec<_>>());
            assert_eq!(num_begun, num);
        }
    }

    #[test]
    fn no_item_is_begun_after_one_fails_to_finish() {
        for limits in ALL {
            let (finished, num_begun, result) = run(50, limits, Ok, |number| match number {
                3 => anyhow::bail!("no room"),
                _ => Ok(()),
            });
            assert_eq!(result.unwrap_err().to_string(), "no room");
            assert!(!finished.contains(&3));
            // Items that are already running when the failure is known still finish; their number depends on the
            // threads.
            if limits.finishing == 1 {
                assert!(num_begun <= 4 + limits.begun + 1, "{num_begun}");
                assert!(finished.len() <= 4, "{finished:?}");
            }
        }
    }

    #[test]
    fn items_before_one_that_fails_to_begin_are_finished() {
        for limits in ALL {
            let begin = |number| match number {
                5 => anyhow::bail!("no picture"),
                _ => Ok(number),
            };
            let (mut finished, num_begun, result) = run(50, limits, begin, |_| Ok(()));
            assert_eq!(result.unwrap_err().to_string(), "no picture");
            finished.sort_unstable();
            assert_eq!((finished.as_slice(), num_begun), (&[0, 1, 2, 3, 4][..], 6));
        }
    }

    #[test]
    fn the_failure_with_the_lowest_number_is_reported() {
        let limits = Limits { begun: 3, finishing: 4 };
        let (_, _, result) = run(50, limits, Ok, |number| {
            if number == 0 {
                // The others fail first.
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            anyhow::bail!("{number}")
        });
        assert_eq!(result.unwrap_err().to_string(), "0");
    }

    #[test]
    fn the_limits_of_stages_are_respected() {
        for limits in ALL {
            let (finishing, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            run(40, limits, Ok, |_| {
                most.fetch_max(finishing.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(std::time::Duration::from_millis(1));
                finishing.fetch_sub(1, Ordering::SeqCst);
                Ok(())
            })
            .2
            .unwrap();
            assert!(most.into_inner() <= limits.finishing, "{limits:?}");
        }
    }

    #[test]
    #[should_panic(expected = "a fault while encoding")]
    fn panic_while_finishing_stops_the_pipeline() {
        let _ = run(20, ALL[2], Ok, |number| match number {
            7 => panic!("a fault while encoding"),
            _ => Ok(()),
        });
    }
}
