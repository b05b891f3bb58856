//! The bytes of a file, either in memory or on disk, where parts are read on demand.
//!
//! For: large files of which a reader copies only the parts that it needs. Such a file isn't in memory
//! together with its model, and may be larger than memory.
//! Not for: file access. The shell implements [`ReadAt`].

use std::io::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{PROBE_WINDOW_BYTES, ProbeInput, ReadError};
use rigscope_core::model::{ByteView, Cancelled};

/// Bytes read between two checks for cancellation.
const CHUNK_BYTES: usize = 4 << 20;

/// A file that supports reads at any offset.
pub trait ReadAt: Send + Sync {
    /// Fills `bytes` from the file, starting at `offset`.
    ///
    /// # Errors
    /// If the file ends before, has changed since it was opened, or the system reports an error.
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()>;
}

/// A file's bytes. Cloning copies a pointer.
#[derive(Clone)]
pub struct Content(Kind);

#[derive(Clone)]
enum Kind {
    Memory(Arc<Vec<u8>>),
    Disk(Arc<DiskContent>),
}

struct DiskContent {
    file: Box<dyn ReadAt>,
    len: u64,
    /// The first [`PROBE_WINDOW_BYTES`] bytes, for probing.
    front: Vec<u8>,
    /// The whole file, as long as a caller keeps it.
    whole: Mutex<Weak<Vec<u8>>>,
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Arc::new(bytes).into()
    }
}

impl From<Arc<Vec<u8>>> for Content {
    fn from(bytes: Arc<Vec<u8>>) -> Self {
        Self(Kind::Memory(bytes))
    }
}

impl Content {
    /// A file of `len` bytes that is read on demand; `front` is its first [`PROBE_WINDOW_BYTES`].
    pub fn on_disk(file: Box<dyn ReadAt>, len: u64, front: Vec<u8>) -> Self {
        Self(Kind::Disk(Arc::new(DiskContent { file, len, front, whole: Mutex::default() })))
    }

    /// Size of the file in bytes.
    pub fn len(&self) -> u64 {
        match &self.0 {
            Kind::Memory(bytes) => bytes.len() as u64,
            Kind::Disk(disk) => disk.len,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first [`PROBE_WINDOW_BYTES`], or all of a shorter file.
    pub fn front(&self) -> &[u8] {
        let known = match &self.0 {
            Kind::Memory(bytes) => bytes.as_slice(),
            Kind::Disk(disk) => &disk.front,
        };
        known.get(..PROBE_WINDOW_BYTES).unwrap_or(known)
    }

    /// Input for probing the format.
    pub fn probe_input(&self) -> ProbeInput<'_> {
        ProbeInput { head: self.front(), len: self.len() }
    }

    /// The whole file. It's read once and shared by all callers that keep it at the same time.
    ///
    /// # Errors
    /// If it can't be read or doesn't fit in memory.
    pub fn whole(&self) -> Result<Arc<Vec<u8>>> {
        let disk = match &self.0 {
            Kind::Memory(bytes) => return Ok(Arc::clone(bytes)),
            Kind::Disk(disk) => disk,
        };
        let mut known = disk.whole.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(whole) = known.upgrade() {
            return Ok(whole);
        }
        let whole = Arc::new(disk.read(0..disk.len)?);
        *known = Arc::downgrade(&whole);
        Ok(whole)
    }

    /// The same, with progress and cancellation.
    ///
    /// # Errors
    /// If it can't be read, doesn't fit in memory, or `on_progress` cancels.
    pub fn load(
        &self,
        mut on_progress: impl FnMut(f32) -> std::result::Result<(), Cancelled>,
    ) -> std::result::Result<Arc<Vec<u8>>, ReadError> {
        let disk = match (&self.0, self.in_memory()) {
            (Kind::Disk(disk), None) => disk,
            (_, Some(whole)) => return Ok(whole),
            (Kind::Memory(bytes), None) => return Ok(Arc::clone(bytes)),
        };
        let len = usize::try_from(disk.len).map_err(|error| ReadError::Io(Error::other(error)))?;
        let bytes = bytemuck::allocation::try_zeroed_vec::<u8>(len);
        let mut bytes = bytes.map_err(|()| ReadError::Io(ErrorKind::OutOfMemory.into()))?;
        let mut offset = 0;
        for chunk in bytes.chunks_mut(CHUNK_BYTES) {
            on_progress(offset as f32 / disk.len as f32)?;
            disk.file.read_at(offset, chunk).map_err(ReadError::Io)?;
            offset += chunk.len() as u64;
        }
        let whole = Arc::new(bytes);
        let mut known = disk.whole.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Arc::downgrade(&whole);
        Ok(whole)
    }

    /// The bytes of `range`: a view if the file is in memory, else read from disk.
    ///
    /// # Errors
    /// If the file ends before, or they can't be read.
    pub fn part(&self, range: Range<u64>) -> Result<ByteView> {
        match self.in_memory() {
            Some(bytes) => {
                let place = place(&range, bytes.len()).ok_or(ErrorKind::UnexpectedEof)?;
                ByteView::new(bytes, place).ok_or_else(|| ErrorKind::UnexpectedEof.into())
            }
            None => match &self.0 {
                Kind::Disk(disk) => disk.read(range).map(ByteView::whole),
                Kind::Memory(_) => Err(ErrorKind::UnexpectedEof.into()),
            },
        }
    }

    /// Fills `bytes` starting at `offset`.
    ///
    /// # Errors
    /// If the file ends before, or they can't be read.
    pub fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        match (&self.0, self.in_memory()) {
            (Kind::Disk(disk), None) => disk.file.read_at(offset, bytes),
            (_, whole) => {
                let whole = whole.as_ref().map_or(&[][..], |whole| whole.as_slice());
                let range = offset..offset.saturating_add(bytes.len() as u64);
                let place = place(&range, whole.len()).and_then(|place| whole.get(place));
                bytes.copy_from_slice(place.ok_or(ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }

    /// Whether both are the same file, not just equal bytes.
    pub fn is_same(&self, other: &Self) -> bool {
        self.address() == other.address()
    }

    /// A number that is unique among all contents that exist at the same time.
    pub fn address(&self) -> usize {
        match &self.0 {
            Kind::Memory(bytes) => Arc::as_ptr(bytes).addr(),
            Kind::Disk(disk) => Arc::as_ptr(disk).addr(),
        }
    }

    /// Whether the bytes equal `bytes`; false if they can't be read.
    pub fn equals(&self, bytes: &[u8]) -> bool {
        self.len() == bytes.len() as u64 && self.whole().is_ok_and(|own| *own == bytes)
    }

    fn in_memory(&self) -> Option<Arc<Vec<u8>>> {
        match &self.0 {
            Kind::Memory(bytes) => Some(Arc::clone(bytes)),
            Kind::Disk(disk) => disk.whole.lock().unwrap_or_else(PoisonError::into_inner).upgrade(),
        }
    }
}

impl DiskContent {
    fn read(&self, range: Range<u64>) -> Result<Vec<u8>> {
        let len = range.end.checked_sub(range.start).filter(|_| range.end <= self.len);
        let len = usize::try_from(len.ok_or(ErrorKind::UnexpectedEof)?).map_err(Error::other)?;
        // Zeroed pages take no memory until they are written to.
        let bytes = bytemuck::allocation::try_zeroed_vec(len);
        let mut bytes = bytes.map_err(|()| Error::from(ErrorKind::OutOfMemory))?;
        self.file.read_at(range.start, &mut bytes)?;
        Ok(bytes)
    }
}

fn place(range: &Range<u64>, len: usize) -> Option<Range<usize>> {
    let place = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
    (place.start <= place.end && place.end <= len).then_some(place)
}

/// True for the same file, or for equal bytes in memory.
impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Kind::Memory(own), Kind::Memory(other)) => own == other,
            _ => self.is_same(other),
        }
    }
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Content({} bytes)", self.len())
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A file in memory that counts the bytes read.
    pub struct Counted(pub Vec<u8>, pub Arc<Mutex<u64>>);

    impl ReadAt for Counted {
        fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
            *self.1.lock().unwrap() += bytes.len() as u64;
            Content::from(self.0.clone()).read_at(offset, bytes)
        }
    }

    /// `bytes` as a file on disk, and the number of bytes read so far.
    pub fn on_disk(bytes: Vec<u8>) -> (Content, Arc<Mutex<u64>>) {
        let front = bytes.get(..PROBE_WINDOW_BYTES).unwrap_or(&bytes).to_vec();
        let (len, num_read) = (bytes.len() as u64, Arc::default());
        let file = Counted(bytes, Arc::clone(&num_read));
        (Content::on_disk(Box::new(file), len, front), num_read)
    }

    #[test]
    fn memory_and_disk_content_give_equal_parts_within_bounds() {
        let bytes: Vec<u8> = (0..=255).cycle().take(40_000).collect();
        let memory = Content::from(bytes.clone());
        let (disk, num_read) = on_disk(bytes.clone());
        for content in [&memory, &disk] {
            assert_eq!(content.len(), 40_000);
            assert_eq!(content.front(), &bytes[..PROBE_WINDOW_BYTES]);
            assert_eq!(*content.part(20_000..20_004).unwrap(), bytes[20_000..20_004]);
            assert!(content.part(39_999..40_001).is_err());
            let (start, end) = (7, 3);
            assert!(content.part(start..end).is_err());
            assert!(content.part(u64::MAX - 1..u64::MAX).is_err());
            let mut few = [0; 3];
            content.read_at(39_997, &mut few).unwrap();
            assert_eq!(few, bytes[39_997..]);
            assert!(content.read_at(39_998, &mut few).is_err());
        }
        // The requested bytes, including the last read, which failed.
        assert_eq!(*num_read.lock().unwrap(), 4 + 3 + 3);
        assert!(disk.is_same(&disk.clone()) && !disk.is_same(&memory));
        assert!(disk.equals(&bytes) && !disk.equals(&bytes[1..]));
    }

    #[test]
    fn loading_can_be_cancelled_and_is_shared() {
        let (disk, num_read) = on_disk(vec![7; 3 * CHUNK_BYTES]);
        let mut num_calls = 0;
        let stopped = disk.load(|_| {
            num_calls += 1;
            if num_calls == 2 { Err(Cancelled) } else { Ok(()) }
        });
        assert!(matches!(stopped, Err(ReadError::Cancelled)));
        assert_eq!(*num_read.lock().unwrap(), CHUNK_BYTES as u64);
        let whole = disk.load(|_| Ok(())).unwrap();
        assert!(Arc::ptr_eq(&whole, &disk.whole().unwrap()));
        assert_eq!(*whole, vec![7; 3 * CHUNK_BYTES]);
    }

    #[test]
    fn whole_content_is_read_once_while_referenced() {
        let (disk, num_read) = on_disk(vec![7; 20_000]);
        let whole = disk.whole().unwrap();
        assert!(Arc::ptr_eq(&whole, &disk.whole().unwrap()));
        assert_eq!(disk.part(3..5).unwrap().offset(), 3);
        assert_eq!(*num_read.lock().unwrap(), 20_000);
        drop(whole);
        assert_eq!(*disk.part(3..5).unwrap(), [7, 7]);
        assert_eq!(*num_read.lock().unwrap(), 20_002);
    }
}
