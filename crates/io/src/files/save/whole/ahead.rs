//! What has been written of a large file goes to the disk while what follows is made, so that little is left to wait
//! for at its end.
//!
//! Not for: being sure that all of it is there, which whoever writes waits for.

use std::fs::File;
use std::io::{Error, Result, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

/// So many bytes are worth a turn of the disk.
const PART_BYTES: usize = 32 << 20;

/// A file that is being written.
pub(super) struct Ahead<'a> {
    file: &'a mut File,
    /// Bytes that the disk has not been asked for.
    num_new: usize,
    part_bytes: usize,
    disk: Option<Disk>,
}

/// The thread that waits for the disk.
struct Disk {
    ask: SyncSender<()>,
    thread: JoinHandle<Result<()>>,
}

impl<'a> Ahead<'a> {
    pub(super) fn new(file: &'a mut File) -> Self {
        Self::in_parts(file, PART_BYTES)
    }

    fn in_parts(file: &'a mut File, part_bytes: usize) -> Self {
        Self { file, num_new: 0, part_bytes, disk: None }
    }

    /// Asks for what has been written so far, unless that is asked already.
    fn ask(&mut self) {
        if self.disk.is_none() {
            self.disk = Disk::of(self.file);
        }
        if let Some(disk) = &self.disk {
            let _ = disk.ask.try_send(());
        }
    }

    /// Waits until the thread has the file open no more.
    ///
    /// # Errors
    /// What the disk has said meanwhile: a system says so once (fsync(2)), and not again at the end.
    pub(super) fn finish(self) -> Result<()> {
        let Some(Disk { ask, thread }) = self.disk else { return Ok(()) };
        drop(ask);
        thread.join().unwrap_or_else(|_| Err(Error::other("the thread for the disk has stopped")))
    }
}

impl Disk {
    /// None where there is no thread to be had: the end takes longer then.
    fn of(file: &File) -> Option<Self> {
        let file = file.try_clone().ok()?;
        let (ask, asked) = sync_channel(1);
        let work = move || asked.into_iter().try_for_each(|()| file.sync_data());
        let thread = std::thread::Builder::new().name("disk".to_owned()).spawn(work).ok()?;
        Some(Self { ask, thread })
    }
}

impl Write for Ahead<'_> {
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
    fn all_is_written_in_order_while_parts_go_to_the_disk() {
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..1000u32).flat_map(u32::to_le_bytes).collect();
        let mut ahead = Ahead::in_parts(&mut file, 64);
        bytes.chunks(7).for_each(|part| ahead.write_all(part).unwrap());
        assert!(ahead.disk.is_some());
        ahead.finish().unwrap();
        let mut read = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
    }

    // A pipe is written to, but no disk is behind it that could be asked.
    #[cfg(unix)]
    #[test]
    fn what_the_disk_says_is_said_at_the_end() {
        let (_reader, writer) = std::io::pipe().unwrap();
        let mut file = File::from(std::os::fd::OwnedFd::from(writer));
        let mut ahead = Ahead::in_parts(&mut file, 64);
        ahead.write_all(&[0; 64]).unwrap();
        assert!(ahead.finish().is_err());
    }
}
