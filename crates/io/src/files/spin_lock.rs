//! Locking in a browser.

use std::sync::{Mutex, MutexGuard, TryLockError};

/// Locks `mutex` by trying until it is free, because the main thread of a page must not block. Only for locks
/// that are held briefly. A panic of another holder is ignored.
pub fn spin_lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    loop {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(guard)) => return guard.into_inner(),
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
}
