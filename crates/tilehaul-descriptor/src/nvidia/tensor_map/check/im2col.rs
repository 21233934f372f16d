//! What an im2col copy takes: channels, pixels, corners of the bounding box.

use super::super::rules as r;
use super::{Check, Checked, MAX_BOX_BYTES};
use crate::nvidia::Interleave;

impl Check<'_> {
    pub(crate) fn channels(&mut self, channels: u64) -> Option<u32> {
        if (1..=256).contains(&channels) {
            return Some(channels as u32);
        }
        let name = self.plain("channels per pixel", "channelsPerPixel");
        let fix = if channels == 0 {
            "use at least 1".to_owned()
        } else {
            format!("use at most 256, in {} copies", channels.div_ceil(256))
        };
        self.tell(&r::CHANNELS_RANGE, format!("{name} is {channels}, not within 1 to 256"), fix);
        None
    }

    pub(crate) fn pixels(&mut self, pixels: u64) -> Option<u32> {
        if (1..=1024).contains(&pixels) {
            return Some(pixels as u32);
        }
        let name = self.plain("pixels per column", "pixelsPerColumn");
        let fix = if pixels == 0 {
            "use at least 1".to_owned()
        } else {
            format!("use at most 1024, in {} copies", pixels.div_ceil(1024))
        };
        self.tell(&r::PIXELS_RANGE, format!("{name} is {pixels}, not within 1 to 1024"), fix);
        None
    }

    /// Corners of W, H, D: `given` of them are looked at, the others are 0.
    pub(crate) fn corners(
        &mut self,
        checked: &Checked,
        corners: (&[i64], &[i64]),
        given: usize,
    ) -> Option<([i32; 3], [i32; 3])> {
        let rank = checked.rank?;
        let lower = self.corner_entries(corners.0, given, rank, ("lower_corner", "pixelBoxLowerCorner"));
        let upper = self.corner_entries(corners.1, given, rank, ("upper_corner", "pixelBoxUpperCorner"));
        let (lower, upper) = (lower?, upper?);
        let axes = rank - 2;
        let half: i64 = match axes {
            1 => 1 << 15,
            2 => 1 << 7,
            _ => 1 << 4,
        };
        let mut legal = true;
        for axis in 0..axes.min(given) {
            for (which, cuda, corner) in
                [("lower", "pixelBoxLowerCorner", lower[axis]), ("upper", "pixelBoxUpperCorner", upper[axis])]
            {
                if !(-half..half).contains(&corner) {
                    legal = false;
                    let name = self.corner_name(which, cuda, axis);
                    let what = format!(
                        "{name} is {corner}, not within {} to {} as rank {rank} allows",
                        -half,
                        half - 1
                    );
                    self.tell(&r::CORNER_RANGE, what, format!("use {}", corner.clamp(-half, half - 1)));
                }
            }
        }
        if let (true, Some(dims)) = (legal, checked.dims) {
            let first = usize::from(checked.interleave == Some(Interleave::None));
            for axis in 0..axes {
                let size = dims[first + axis];
                // The driver adds in 32 bits: h200 fact 12.
                let end = (size as u32).wrapping_add(upper[axis] as u32) as i32;
                if lower[axis] >= i64::from(end) {
                    legal = false;
                    let name = self.corner_name("lower", "pixelBoxLowerCorner", axis);
                    let wraps =
                        if i64::from(end) == size as i64 + upper[axis] { "" } else { " (in 32 bits)" };
                    let what = format!(
                        "{name} is {}, not below size {size} + upper corner {} = {end}{wraps}, so the bounding box is empty",
                        lower[axis], upper[axis]
                    );
                    let most = i64::from(end) - 1;
                    let fix = if (-half..half).contains(&most) {
                        format!("use a lower corner of at most {most}")
                    } else {
                        "use a size below 2^31".to_owned()
                    };
                    self.tell(&r::CORNER_EMPTY, what, fix);
                }
            }
        }
        let narrow = |corners: [i64; 3]| corners.map(|c| c as i32);
        legal.then(|| (narrow(lower), narrow(upper)))
    }

    pub(crate) fn wide_mode(&mut self, mode: u32) {
        if mode > 1 {
            self.tell(
                &r::WIDE_MODE,
                format!("mode is {mode}, and the highest is 1"),
                "use W (0) or W128 (1)",
            );
        }
    }

    /// The whole column against 228 KiB.
    pub(crate) fn im2col_bytes(&mut self, checked: &Checked, channels: Option<u32>, pixels: Option<u32>) {
        let (Some(data_type), Some(channels), Some(pixels)) = (checked.data_type, channels, pixels) else {
            return;
        };
        let row = data_type.element().global_bytes(channels.into());
        let bytes = row * u64::from(pixels);
        if bytes > MAX_BOX_BYTES {
            let what = format!(
                "the column is {pixels} pixels of {channels} channels = {bytes} B, more than 228 KiB (233472 B)"
            );
            let most = MAX_BOX_BYTES / row.max(1);
            self.tell(&r::BOX_BYTES, what, format!("use at most {most} pixels, or fewer channels"));
        }
    }
}
