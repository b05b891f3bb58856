//! Contact sheets of `render`: one image with a row per clip, and evenly spaced times in columns.

use rigscope_core::model::{ClipId, Model, numbered, numbers, spread};
use rigscope_core::pose::{Moment, PoseSpec};
use rigscope_gpu::Shot;
use rigscope_gpu::headless::Image;

use super::text::{counted, plain};

/// The longest side, and the most pixels: 1 GiB.
const MAX_SIDE_PX: u32 = 32_768;
const MAX_PIXELS: u64 = 1 << 28;
/// The most rows; more clips are chosen evenly.
const MAX_ROWS: usize = 100;

/// The arrangement of a contact sheet.
pub(super) struct Sheet {
    rows: Vec<ClipId>,
    columns: u32,
    /// Of one image.
    cell_px: [u32; 2],
}

impl Sheet {
    /// A sheet of `clip`, or of all clips.
    ///
    /// # Errors
    /// The model has no clips, or the sheet would be too large.
    pub(super) fn new(
        model: &Model,
        clip: Option<ClipId>,
        columns: u32,
        cell_px: [u32; 2],
    ) -> Result<Self, String> {
        let all = || spread(model.clips.len(), MAX_ROWS).map(ClipId::from_index).collect();
        let rows: Vec<ClipId> = clip.map_or_else(all, |clip| vec![clip]);
        if rows.is_empty() {
            return Err("the model has no clips; a contact sheet has a row per clip".to_owned());
        }
        let sheet = Self { rows, columns, cell_px };
        let sides = sheet.sides_px();
        let fits = |[width, height]: &[u64; 2]| {
            width.max(height) <= &u64::from(MAX_SIDE_PX) && width * height <= MAX_PIXELS
        };
        if fits(&sides) {
            return Ok(sheet);
        }
        let [width, height] = sides;
        Err(format!(
            "the sheet would have {width} x {height} pixels; choose a smaller --size, fewer columns or one --clip"
        ))
    }

    fn sides_px(&self) -> [u64; 2] {
        let [width, height] = self.cell_px.map(u64::from);
        [width * u64::from(self.columns), height * self.rows.len() as u64]
    }

    /// The poses, row by row.
    pub(super) fn shots(&self, spec: PoseSpec, model: &Model) -> Vec<Shot> {
        let of_row = |clip: &ClipId| {
            let (clip, own) = (*clip, model.clip(*clip));
            let (start_secs, duration_secs) = (own.start_secs, own.duration_secs);
            let step_secs = duration_secs / f64::from(self.columns.saturating_sub(1).max(1));
            (0..self.columns).map(move |column| {
                let secs = start_secs + step_secs * f64::from(column);
                let pose = PoseSpec { clip: Some(clip), moment: Moment::TimeSecs(secs), ..spec };
                Shot { pose, turn_rad: 0.0 }
            })
        };
        self.rows.iter().flat_map(of_row).collect()
    }

    /// The clip and the times of each row.
    pub(super) fn descriptions(&self, model: &Model) -> Vec<String> {
        let rows = self.rows.iter().enumerate();
        let mut lines: Vec<String> = rows
            .map(|(row, clip)| {
                let own = model.clip(*clip);
                let end_secs = own.start_secs + own.duration_secs;
                let name = plain(&numbered("clip", clip.index(), &own.name));
                let [from, to] = [own.start_secs, end_secs].map(numbers::number);
                format!("row {}: {name} from {from} s to {to} s", row + 1)
            })
            .collect();
        if self.rows.len() < model.clips.len() && self.rows.len() > 1 {
            let num = counted(model.clips.len() as u64, "clip");
            lines.push(format!("{} of {num} are shown", self.rows.len()));
        }
        lines
    }

    /// An empty image of the sheet.
    pub(super) fn canvas(&self) -> Image {
        let [width, height] = self.sides_px();
        let num_bytes = usize::try_from(width * height * 4).unwrap_or(0);
        let [width, height] = [width, height].map(|side| u32::try_from(side).unwrap_or(0));
        Image { width, height, rgba8: vec![0; num_bytes] }
    }

    /// Copies image `number` of [`Self::shots`] to its place.
    pub(super) fn place(&self, number: usize, image: &Image, canvas: &mut Image) {
        let columns = self.columns as usize;
        let (row, column) = (number / columns, number % columns);
        let [width, height] = self.cell_px.map(|side| side as usize);
        let stride = canvas.width as usize * 4;
        for (line, pixels) in image.rgba8.chunks_exact(width * 4).enumerate().take(height) {
            let start = (row * height + line) * stride + column * width * 4;
            if let Some(place) = canvas.rgba8.get_mut(start..start + pixels.len()) {
                place.copy_from_slice(pixels);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_placed_row_by_row() {
        let sheet = Sheet { rows: vec![ClipId(0), ClipId(1)], columns: 3, cell_px: [2, 1] };
        let mut canvas = sheet.canvas();
        assert_eq!((canvas.width, canvas.height), (6, 2));
        for number in 0..6_u8 {
            let image = Image { width: 2, height: 1, rgba8: vec![number + 1; 8] };
            sheet.place(number.into(), &image, &mut canvas);
        }
        let first: Vec<u8> = canvas.rgba8.chunks_exact(8).map(|cell| cell[0]).collect();
        assert_eq!(first, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn sheets_that_are_too_large_are_refused() {
        let model = rigscope_core::model::grid(4, 2);
        assert!(Sheet::new(&model, Some(ClipId(0)), 400, [1000, 600]).is_err());
        assert_eq!(Sheet::new(&model, Some(ClipId(0)), 6, [10, 10]).unwrap().rows.len(), 1);
    }
}
