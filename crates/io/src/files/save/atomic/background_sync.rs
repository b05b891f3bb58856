//! Syncs a large file to disk in the background while it is being written, so that the final sync is short.
//!
//! Not for: durability. The caller still has to sync the file at the end.

use std::fs::File;
use std::io::{Error, Result, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Bytes written between two background syncs.
const PART_BYTES: usize = 32 << 20;

/// A writer to a file that starts background syncs.
pub(super) struct BackgroundSync<'a> {
    file: &'a mut File,
    /// Bytes written since the last sync was requested.
    num_new: usize,
    part_bytes: usize,
    disk: Option<SyncThread>,
}

/// The thread that syncs the file.
struct SyncThread {
    ask: SyncSender<()>,
    thread: JoinHandle<Result<()>>,
}

impl<'a> BackgroundSync<'a> {
    pub(super) fn new(file: &'a mut File) -> Self {
        Self::in_parts(file, PART_BYTES)
    }

    fn in_parts(file: &'a mut File, part_bytes: usize) -> Self {
        Self { file, num_new: 0, part_bytes, disk: None }
    }

    /// Requests a sync of everything written so far, unless a request is pending.
    fn ask(&mut self) {
        if self.disk.is_none() {
            self.disk = SyncThread::of(self.file);
        }
        if let Some(disk) = &self.disk {
            let _ = disk.ask.try_send(());
        }
    }

    /// Waits until the thread has closed its handle of the file.
    ///
    /// # Errors
    /// An error of a background sync. The system reports it only once (fsync(2)), not again at the
    /// final sync.
    pub(super) fn finish(self) -> Result<()> {
        let Some(SyncThread { ask, thread }) = self.disk else { return Ok(()) };
        drop(ask);
        thread.join().unwrap_or_else(|_| Err(Error::other("the thread for the disk has stopped")))
    }
}

impl SyncThread {
    /// `None` if no thread can be started; then the final sync takes longer.
    fn of(file: &File) -> Option<Self> {
        let file = file.try_clone().ok()?;
        let (ask, asked) = sync_channel(1);
        let work = move || asked.into_iter().try_for_each(|()| file.sync_data());
        let thread = std::thread::Builder::new().name("disk".to_owned()).spawn(work).ok()?;
        Some(Self { ask, thread })
    }
}

impl Write for BackgroundSync<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let num = self.file.write(bytes)?;
        self.num_new += num;
        if self.num_new >= self.part_bytes {
            self.num_new = 0;
            self.ask();
        }
        Ok(num)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek};

    use super::*;

    #[test]
    fn bytes_are_written_in_order_during_background_sync() {
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..1000u32).flat_map(u32::to_le_bytes).collect();
        let mut writer = BackgroundSync::in_parts(&mut file, 64);
        bytes.chunks(7).for_each(|part| writer.write_all(part).unwrap());
        assert!(writer.disk.is_some());
        writer.finish().unwrap();
        let mut read = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
    }

    // A pipe can be written to, but syncing it fails.
    #[cfg(unix)]
    #[test]
    fn finish_returns_sync_errors() {
        let (_reader, writer) = std::io::pipe().unwrap();
        let mut file = File::from(std::os::fd::OwnedFd::from(writer));
        let mut writer = BackgroundSync::in_parts(&mut file, 64);
        writer.write_all(&[0; 64]).unwrap();
        assert!(writer.finish().is_err());
    }
}
