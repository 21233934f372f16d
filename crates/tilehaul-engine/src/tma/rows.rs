//! Where the rows of a tensor copy start in global memory: one after the other along dimension 1 of a tile, gathered by a
//! list, or pixel by pixel.
//!
//! Rows along one dimension, while all others stand still, are a line; walks go from line to line.

/// Most axes that a column of pixels walks: W, H, D and the batch.
pub(super) const MAX_AXES: usize = 4;

/// One dimension outside the row of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outer {
    /// First coordinate.
    pub(super) start: i64,
    /// Coordinates between steps.
    pub(super) step: i64,
    /// Number of steps.
    pub(super) count: u64,
    /// Size of the tensor.
    pub(super) size: i64,
    /// Bytes between coordinates.
    pub(super) stride: u64,
}

/// One axis of a column of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Axis {
    /// Where the cursor starts.
    pub(super) start: i64,
    /// Where it returns to.
    pub(super) lower: i64,
    /// One past the last coordinate of the bounding box; `i64::MAX` for the batch, which never returns.
    pub(super) end: i64,
    /// Coordinates between pixels.
    pub(super) step: i64,
    /// Added to the cursor for the fetch only.
    pub(super) offset: i64,
    /// Size of the tensor.
    pub(super) size: i64,
    /// Bytes between coordinates.
    pub(super) stride: u64,
}

/// Where the rows start in global memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rows {
    /// A box; dimension 1 is fastest.
    Tile {
        /// Dimensions 1 and up. Unused ones have count 1.
        outer: [Outer; 4],
    },
    /// A list of row numbers of a two-dimensional tensor.
    Listed {
        /// Row numbers in landing order.
        rows: [i64; 4],
        /// Rows of the tensor.
        size: i64,
        /// Bytes between rows.
        stride: u64,
    },
    /// Pixels of a bounding box, W fastest, then H, D and the batch.
    Pixels(Box<Pixels>),
}

/// A column of pixels. It stands in a box so that the plans of tiles stay small.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pixels {
    /// Spatial axes, then the batch, then unused ones that stand still.
    pub(super) axes: [Axis; MAX_AXES],
    /// Pixels to fetch.
    pub(super) count: u64,
    /// Bytes to add for coordinates that do not move (the slice index of interleaved layouts), and whether they are
    /// inside the tensor.
    pub(super) fixed: (u64, bool),
    /// How pixels are laid out in shared memory when not in the order of the walk: 128 main pixels and their halos
    /// (`im2col::w::128`).
    pub(super) halo: Option<Halo>,
}

/// Main pixels of one chunk of `im2col::w::128`. manual: PTX ISA, im2col::w::128 mode.
const CHUNK: u64 = 32;
/// Chunks of `im2col::w::128`.
const CHUNKS: u64 = 4;

/// Where the halo pixels of `im2col::w::128` land.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Halo {
    /// Halo pixels per chunk of 32 main pixels, 0 to 31.
    pub pixels: u64,
    /// The order of the halo pixels behind the 128 main ones.
    pub order: HaloOrder,
}

/// Public sources disagree on this order; no sm_90 device can settle it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HaloOrder {
    /// All halo pixels of chunk 0, then of chunk 1, and so on.
    #[default]
    ByChunk,
    /// The first halo pixel of every chunk, then the second of every chunk, and so on.
    Interleaved,
}

impl Rows {
    /// Number of rows.
    pub(super) fn count(&self) -> u64 {
        match self {
            Rows::Tile { outer } => outer.iter().map(|dim| dim.count).product(),
            Rows::Listed { rows, .. } => rows.len() as u64,
            Rows::Pixels(pixels) => pixels.count + pixels.halo.map_or(0, |halo| CHUNKS * halo.pixels),
        }
    }
}

impl Halo {
    /// The pixel of the walk that lands in place `place`: 128 main pixels, then the halos.
    /// inferred: every chunk of 32 pixels has its halo right behind it in the tensor.
    fn pixel(self, place: u64, main: u64) -> u64 {
        let Some(halo) = place.checked_sub(main) else { return place };
        let (chunk, index) = match self.order {
            HaloOrder::ByChunk => (halo / self.pixels, halo % self.pixels),
            HaloOrder::Interleaved => (halo % CHUNKS, halo / CHUNKS),
        };
        (chunk + 1) * CHUNK + index
    }
}

/// How many steps reach at least `distance`. Most steps are 1, and a division costs as much as a row.
pub(super) fn steps_up_to(distance: u64, step: u64) -> u64 {
    if step <= 1 { distance } else { distance.div_ceil(step) }
}

/// `x * stride` modulo 2^64: an address outside every mapping, when it overflows, as on the device.
pub(super) fn scaled(x: i64, stride: u64) -> u64 {
    x.cast_unsigned().wrapping_mul(stride)
}

/// Rows along one dimension while all others stand still.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Bytes that the other dimensions contribute.
    pub(super) base: u64,
    /// Whether the others are inside the tensor.
    pub(super) inside: bool,
    pub(super) start: i64,
    pub(super) step: i64,
    pub(super) count: u64,
    pub(super) size: i64,
    pub(super) stride: u64,
}

impl Line {
    /// The rows of the first `count` that are inside the tensor.
    pub(super) fn inside_of(&self, count: u64) -> (u64, u64) {
        let step = self.step.unsigned_abs();
        let from = steps_up_to((-self.start).max(0).unsigned_abs(), step).min(count);
        let to = steps_up_to((self.size - self.start).max(0).unsigned_abs(), step).min(count);
        (from, to.max(from))
    }
}

/// The rows of a box from row `q` on along dimension 1.
pub(super) fn tile_line(outer: &[Outer; 4], q: u64) -> Line {
    let first = &outer[0];
    // Most boxes have one line, and a division costs as much as a row.
    let mut rest = if q == 0 { 0 } else { q / first.count };
    let done = q - rest * first.count;
    let mut line = Line {
        base: 0,
        inside: true,
        start: first.start + done.cast_signed() * first.step,
        step: first.step,
        count: first.count - done,
        size: first.size,
        stride: first.stride,
    };
    for dim in &outer[1..] {
        let (next, k) =
            if dim.count == 1 || rest == 0 { (rest, 0) } else { (rest / dim.count, rest % dim.count) };
        rest = next;
        let x = dim.start + k.cast_signed() * dim.step;
        line.base = line.base.wrapping_add(scaled(x, dim.stride));
        line.inside &= (0..dim.size).contains(&x);
    }
    line
}

/// The pixels from pixel `q` on along W, up to where the cursor returns.
///
/// The cursor moves along the first axis until it leaves the bounding box, returns to the box's lower edge and steps
/// the next axis; the batch never returns. hardware: h200 fact 57.
fn pixel_line(axes: &[Axis; MAX_AXES], q: u64) -> Line {
    let first = &axes[0];
    let (x, mut carry) = first.advance(q);
    let mut line = Line {
        base: 0,
        inside: true,
        start: x + first.offset,
        step: first.step,
        count: steps_up_to(first.end.saturating_sub(x).max(1).unsigned_abs(), first.step.unsigned_abs()),
        size: first.size,
        stride: first.stride,
    };
    for axis in &axes[1..] {
        let (x, next) = axis.advance(carry);
        carry = next;
        let fetched = x + axis.offset;
        line.base = line.base.wrapping_add(scaled(fetched, axis.stride));
        line.inside &= (0..axis.size).contains(&fetched);
    }
    line
}

impl Pixels {
    pub(super) fn line(&self, q: u64) -> Line {
        let mut line = match self.halo {
            // Halo pixels are fetched one by one.
            Some(halo) => Line { count: 1, ..pixel_line(&self.axes, halo.pixel(q, self.count)) },
            None => pixel_line(&self.axes, q),
        };
        line.base = line.base.wrapping_add(self.fixed.0);
        line.inside &= self.fixed.1;
        line
    }
}

impl Axis {
    /// An axis that the tensor does not have.
    pub(super) const UNUSED: Axis =
        Axis { start: 0, lower: 0, end: i64::MAX, step: 1, offset: 0, size: 1, stride: 0 };

    /// The cursor after `steps` steps, and how often it returned to the lower edge.
    fn advance(&self, steps: u64) -> (i64, u64) {
        if steps == 0 {
            return (self.start, 0);
        }
        let positions = |from: i64| {
            self.end.saturating_sub(from).max(1).cast_unsigned().div_ceil(self.step.cast_unsigned())
        };
        let first = positions(self.start);
        if steps < first {
            return (self.start + steps.cast_signed() * self.step, 0);
        }
        let later = positions(self.lower);
        let rest = steps - first;
        (self.lower + (rest % later).cast_signed() * self.step, rest / later + 1)
    }
}
