//! What kills a launch: conditions that the copy engine checks and that no encoder can see.

use std::fmt;

use tilehaul_diag::Source;

/// A condition under which the device ends the launch with a CUDA error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TmaFault {
    /// An address operand without its alignment (716). hardware: h200 facts 33, 85, 100.
    Misaligned {
        /// Which operand.
        operand: &'static str,
        /// Its value.
        address: u64,
        /// What it must be a multiple of, in bytes.
        alignment: u64,
    },
    /// Without interleave the first coordinate times the element size must be a multiple of 16 bytes (715).
    /// hardware: h200 fact 34.
    InnerCoordinate {
        /// The first coordinate in elements.
        coordinate: i32,
        /// Bits of an element.
        element_bits: u32,
    },
    /// A packed type needs a first coordinate at a multiple of this many elements (715).
    /// manual: PTX ISA, restrictions of sub-byte types.
    PackedCoordinate {
        /// The first coordinate in elements.
        coordinate: i32,
        /// What it must be a multiple of.
        multiple: u32,
    },
    /// A store or reduction that starts at a negative coordinate (715). hardware: h200 fact 64.
    NegativeStart {
        /// The dimension, 0 innermost.
        dimension: usize,
        /// Its coordinate.
        coordinate: i32,
    },
    /// The instruction names another number of dimensions than the map has (715). hardware: h200 fact 102.
    RankMismatch {
        /// Dimensions of the instruction.
        instruction: usize,
        /// Dimensions of the map.
        map: usize,
    },
    /// A tile instruction with an im2col map, or the reverse (715). hardware: h200 fact 102.
    KindMismatch {
        /// The map is an im2col map.
        map_is_im2col: bool,
    },
    /// The map's bits contradict themselves (715). hardware: h200 fact 29.
    BadMap {
        /// Stable name of the rule.
        rule: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The start pixel lies outside the bounding box (715). hardware: h200 fact 58.
    PixelOutsideBox {
        /// The dimension, 0 innermost.
        dimension: usize,
        /// Its coordinate.
        coordinate: i32,
        /// Lowest legal start.
        lower: i64,
        /// One past the highest legal start.
        end: i64,
    },
    /// An im2col store whose bounding box reaches outside the tensor (715). hardware: h200 fact 63.
    StoreBoxOutside {
        /// The spatial axis, 0 is W.
        axis: usize,
    },
    /// The element type has no such reduction (715). hardware: h200 fact 70.
    NoSuchReduction {
        /// Operation and type.
        what: String,
    },
    /// The element type cannot be stored (715). manual: PTX ISA `.b4x16_p64`.
    CannotStore {
        /// Name of the type.
        element: &'static str,
    },
    /// gather4 and scatter4 need a 2-D map with one row in its box and no interleave (715). manual: PTX ISA.
    NotAGatherMap {
        /// Dimensions of the map.
        rank: usize,
        /// Rows of its box.
        rows: u32,
    },
    /// A multicast mask or a destination names a CTA that the cluster does not have (719). hardware: h200 fact 92.
    BeyondCluster {
        /// The lowest rank that is missing.
        rank: u32,
        /// CTAs of the cluster.
        size: u32,
    },
    /// A form that needs a cluster, in a launch without one (715). hardware: h200 fact 92.
    NeedsCluster {
        /// What was tried.
        what: &'static str,
    },
    /// The destination CTA has exited (719). hardware: h200 fact 94.
    CtaExited {
        /// Its rank.
        rank: u32,
    },
    /// Bytes that no allocation holds (700). hardware: h200 facts 47, 49, 50, 68.
    IllegalAddress {
        /// What was accessed.
        what: &'static str,
        /// First byte.
        address: u64,
        /// Number of bytes.
        len: u64,
    },
}

impl TmaFault {
    /// The CUDA error with which the launch ends: 700 illegal address, 715 illegal instruction, 716 misaligned
    /// address, 719 launch failure.
    #[must_use]
    pub fn cuda_error(&self) -> u32 {
        match self {
            TmaFault::IllegalAddress { .. } => 700,
            TmaFault::Misaligned { .. } => 716,
            TmaFault::BeyondCluster { .. } | TmaFault::CtaExited { .. } => 719,
            TmaFault::InnerCoordinate { .. }
            | TmaFault::PackedCoordinate { .. }
            | TmaFault::NegativeStart { .. }
            | TmaFault::RankMismatch { .. }
            | TmaFault::KindMismatch { .. }
            | TmaFault::BadMap { .. }
            | TmaFault::PixelOutsideBox { .. }
            | TmaFault::StoreBoxOutside { .. }
            | TmaFault::NoSuchReduction { .. }
            | TmaFault::CannotStore { .. }
            | TmaFault::NotAGatherMap { .. }
            | TmaFault::NeedsCluster { .. } => 715,
        }
    }

    /// Stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.facts().0
    }

    /// Where the rule is known from (on sm_90; other architectures are assumed alike).
    #[must_use]
    pub fn source(&self) -> Source {
        self.facts().1
    }

    /// What to change, where the sentence does not say it.
    #[must_use]
    pub fn fix(&self) -> Option<String> {
        Some(match self {
            TmaFault::NegativeStart { dimension, .. } => {
                format!(
                    "Start the store at 0 or above in dimension {dimension}: move the source and shrink the box instead."
                )
            }
            TmaFault::RankMismatch { map, .. } => {
                format!(
                    "Use the .{map}d form with {map} coordinates, or encode the map with the instruction's rank."
                )
            }
            TmaFault::KindMismatch { map_is_im2col: true } => {
                "Use the .im2col form, or encode a tiled map.".into()
            }
            TmaFault::KindMismatch { map_is_im2col: false } => {
                "Use the .tile form, or encode the map for im2col.".into()
            }
            TmaFault::PixelOutsideBox { dimension, lower, end, .. } => format!(
                "Start in {lower} to {} in dimension {dimension}, or change the corners of the map's bounding box.",
                end - 1
            ),
            TmaFault::NotAGatherMap { .. } => {
                "Encode the map with 2 dimensions, no interleave and a box of 1 row.".into()
            }
            TmaFault::BeyondCluster { size, .. } => {
                format!("Name only ranks below {size}, or launch clusters that have the CTA.")
            }
            TmaFault::NeedsCluster { .. } => "Launch the kernel with a cluster.".into(),
            TmaFault::CtaExited { .. } => {
                "Let every CTA of the cluster wait at barrier.cluster before it ends.".into()
            }
            TmaFault::StoreBoxOutside { .. } => "Keep the bounding box of a store inside the tensor.".into(),
            TmaFault::IllegalAddress { .. } => {
                "Check the address and the dimensions and strides of the map against the buffer.".into()
            }
            TmaFault::Misaligned { .. }
            | TmaFault::InnerCoordinate { .. }
            | TmaFault::PackedCoordinate { .. }
            | TmaFault::BadMap { .. }
            | TmaFault::NoSuchReduction { .. }
            | TmaFault::CannotStore { .. } => return None,
        })
    }

    fn facts(&self) -> (&'static str, Source) {
        let hardware = Source::hardware;
        match self {
            TmaFault::Misaligned { .. } => ("tma-misaligned", hardware("h200 facts 33, 85, 100")),
            TmaFault::InnerCoordinate { .. } => ("tma-inner-coordinate", hardware("h200 fact 34")),
            TmaFault::PackedCoordinate { .. } => {
                ("tma-packed-coordinate", Source::manual("PTX ISA, sub-byte types of cp.async.bulk.tensor"))
            }
            TmaFault::NegativeStart { .. } => ("tma-negative-start", hardware("h200 fact 64")),
            TmaFault::RankMismatch { .. } => ("tma-rank-mismatch", hardware("h200 fact 102")),
            TmaFault::KindMismatch { .. } => ("tma-kind-mismatch", hardware("h200 fact 102")),
            TmaFault::BadMap { rule, .. } => (rule, hardware("h200 facts 29, 45")),
            TmaFault::PixelOutsideBox { .. } => ("tma-pixel-outside-box", hardware("h200 fact 58")),
            TmaFault::StoreBoxOutside { .. } => ("tma-store-box-outside", hardware("h200 fact 63")),
            TmaFault::NoSuchReduction { .. } => ("tma-no-such-reduction", hardware("h200 fact 70")),
            TmaFault::CannotStore { .. } => {
                ("tma-cannot-store", Source::manual("PTX ISA, sub-byte types of cp.async.bulk.tensor"))
            }
            TmaFault::NotAGatherMap { .. } => {
                ("tma-not-a-gather-map", Source::manual("PTX ISA .tile::gather4 and .tile::scatter4"))
            }
            TmaFault::BeyondCluster { .. } => ("tma-beyond-cluster", hardware("h200 fact 92")),
            TmaFault::NeedsCluster { .. } => ("tma-needs-cluster", hardware("h200 fact 92")),
            TmaFault::CtaExited { .. } => ("tma-cta-exited", hardware("h200 fact 94")),
            TmaFault::IllegalAddress { .. } => ("tma-illegal-address", hardware("h200 facts 47, 49, 50, 68")),
        }
    }
}

impl fmt::Display for TmaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TmaFault::Misaligned { operand, address, alignment } => {
                let below = address - address % alignment;
                write!(
                    f,
                    "the {operand} {address:#x} is not a multiple of {alignment} bytes; the nearest below is {below:#x}"
                )
            }
            TmaFault::InnerCoordinate { coordinate, element_bits } => {
                let step = (128 / element_bits).max(1).cast_signed();
                write!(
                    f,
                    "the first coordinate {coordinate} is {} bytes into the row, not a multiple of 16; use a multiple \
                     of {step} elements, such as {}",
                    i64::from(*coordinate) * i64::from(*element_bits) / 8,
                    coordinate.div_euclid(step).saturating_mul(step)
                )
            }
            TmaFault::PackedCoordinate { coordinate, multiple } => {
                write!(
                    f,
                    "the first coordinate {coordinate} of a packed type is not a multiple of {multiple} elements"
                )
            }
            TmaFault::NegativeStart { dimension, coordinate } => write!(
                f,
                "a store or reduction starts at coordinate {coordinate} in dimension {dimension}; only loads may start \
                 below 0"
            ),
            TmaFault::RankMismatch { instruction, map } => {
                write!(f, "a {instruction}-dimensional instruction uses a tensor map of {map} dimensions")
            }
            TmaFault::KindMismatch { map_is_im2col: true } => {
                f.write_str("a tile instruction uses an im2col tensor map")
            }
            TmaFault::KindMismatch { map_is_im2col: false } => {
                f.write_str("an im2col instruction uses a tiled tensor map")
            }
            TmaFault::BadMap { reason, .. } => write!(f, "the copy engine refuses the tensor map: {reason}"),
            TmaFault::PixelOutsideBox { dimension, coordinate, lower, end } => write!(
                f,
                "the start coordinate {coordinate} in dimension {dimension} is outside the bounding box {lower} to {}",
                end - 1
            ),
            TmaFault::StoreBoxOutside { axis } => write!(
                f,
                "an im2col store or reduction uses a bounding box that reaches outside the tensor in {}",
                ["W", "H", "D"].get(*axis).copied().unwrap_or("an axis")
            ),
            TmaFault::NoSuchReduction { what } => write!(f, "the copy engine has no reduction {what}"),
            TmaFault::CannotStore { element } => {
                write!(f, "elements of type {element} can be loaded but not stored")
            }
            TmaFault::NotAGatherMap { rank, rows } => write!(
                f,
                "gather4 and scatter4 need a tensor map of 2 dimensions without interleave and a box of 1 row; this one \
                 has {rank} dimensions and {rows} rows"
            ),
            TmaFault::BeyondCluster { rank, size } => {
                write!(
                    f,
                    "CTA {rank} is named, but the cluster has only {size} CTAs (0 to {})",
                    size.saturating_sub(1)
                )
            }
            TmaFault::NeedsCluster { what } => write!(f, "{what} needs a launch with a cluster"),
            TmaFault::CtaExited { rank } => {
                write!(f, "CTA {rank} of the cluster has exited and cannot receive anything")
            }
            TmaFault::IllegalAddress { what, address, len } => {
                write!(f, "{what}: {len} bytes at {address:#x} are in no allocation")
            }
        }
    }
}

impl std::error::Error for TmaFault {}
