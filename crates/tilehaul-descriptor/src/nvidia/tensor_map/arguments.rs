//! The arguments of the driver's encode calls, as the user gave them: codes and numbers that may be illegal.

use tilehaul_diag::Diagnostic;

use super::check::{Check, RowName};
use super::hints::{hints, wide_hints};
use super::{MAP_BYTES, MAX_RANK, MapKind, TensorMap, rules};
use crate::nvidia::{Architecture, DataType};

/// How messages name an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// In words, for command lines and launch files: `box dimension 0`.
    #[default]
    Plain,
    /// As cuda.h does: `boxDim[0]`.
    Cuda,
}

/// What a list longer than the rank means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lists {
    /// An array behind a pointer, as cuda.h takes it: entries past the rank are not read.
    #[default]
    Arrays,
    /// A list with a length of its own, on command lines and in launch files: a number too many is a mistake.
    Exact,
}

/// What an encode call is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The target.
    pub architecture: &'static Architecture,
    /// How messages name an argument.
    pub naming: Naming,
    /// What a list longer than the rank means.
    pub lists: Lists,
}

impl Default for Context {
    fn default() -> Context {
        Context { architecture: Architecture::SM_90A, naming: Naming::Plain, lists: Lists::Arrays }
    }
}

/// Arguments of `cuTensorMapEncodeTiled`. Index 0 is the innermost dimension; entries past the rank are not looked at unless
/// [`Lists::Exact`] asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeTiled {
    /// `CUtensorMapDataType`.
    pub data_type: u32,
    /// Number of dimensions.
    pub rank: u32,
    /// Global address.
    pub address: u64,
    /// Elements along each dimension.
    pub dims: Vec<u64>,
    /// Bytes between neighbours along dimension 1 and up.
    pub strides: Vec<u64>,
    /// Elements of the box along each dimension.
    pub box_dims: Vec<u64>,
    /// Every how manyth element is moved.
    pub element_strides: Vec<u64>,
    /// `CUtensorMapInterleave`.
    pub interleave: u32,
    /// `CUtensorMapSwizzle`.
    pub swizzle: u32,
    /// `CUtensorMapL2promotion`.
    pub l2_promotion: u32,
    /// `CUtensorMapFloatOOBfill`.
    pub oob_fill: u32,
    /// Bytes allocated from the address on, where the user told; only hints look at it.
    pub alloc_bytes: Option<u64>,
}

/// Arguments of `cuTensorMapEncodeIm2col`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeIm2col {
    /// `CUtensorMapDataType`.
    pub data_type: u32,
    /// Number of dimensions.
    pub rank: u32,
    /// Global address.
    pub address: u64,
    /// Elements along each dimension: C, W, H, D, N as far as the rank goes.
    pub dims: Vec<u64>,
    /// Bytes between neighbours along dimension 1 and up.
    pub strides: Vec<u64>,
    /// First index of W, H, D that the walk visits.
    pub lower_corner: Vec<i64>,
    /// Added to the sizes of W, H, D: the index at which the walk wraps.
    pub upper_corner: Vec<i64>,
    /// Channels moved for each pixel.
    pub channels_per_pixel: u64,
    /// Pixels moved by one copy.
    pub pixels_per_column: u64,
    /// Every how manyth element is moved.
    pub element_strides: Vec<u64>,
    /// `CUtensorMapInterleave`.
    pub interleave: u32,
    /// `CUtensorMapSwizzle`.
    pub swizzle: u32,
    /// `CUtensorMapL2promotion`.
    pub l2_promotion: u32,
    /// `CUtensorMapFloatOOBfill`.
    pub oob_fill: u32,
    /// Bytes allocated from the address on, where the user told; only hints look at it.
    pub alloc_bytes: Option<u64>,
}

/// Arguments of `cuTensorMapEncodeIm2colWide`: corners for W only, and a mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeIm2colWide {
    /// The arguments shared with the ordinary call; of the corners only entry 0 (W) is looked at.
    pub ordinary: EncodeIm2col,
    /// `CUtensorMapIm2ColWideMode`: 0 W, 1 W128.
    pub mode: u32,
}

impl EncodeTiled {
    /// A plain map of a tensor: element strides 1, nothing interleaved, swizzled, promoted or filled with NaN.
    #[must_use]
    pub fn new(
        data_type: DataType,
        address: u64,
        dims: &[u64],
        strides: &[u64],
        box_dims: &[u64],
    ) -> EncodeTiled {
        EncodeTiled {
            data_type: data_type.code(),
            rank: u32::try_from(dims.len()).unwrap_or(u32::MAX),
            address,
            dims: dims.to_vec(),
            strides: strides.to_vec(),
            box_dims: box_dims.to_vec(),
            element_strides: vec![1; dims.len().min(MAX_RANK)],
            interleave: 0,
            swizzle: 0,
            l2_promotion: 0,
            oob_fill: 0,
            alloc_bytes: None,
        }
    }

    /// The map that the driver makes of these arguments.
    ///
    /// # Errors
    /// Every rule they break; the driver says `CUDA_ERROR_INVALID_VALUE` (1) then.
    pub fn map(&self, context: &Context) -> Result<TensorMap, Vec<Diagnostic>> {
        let mut check = Check::new(context);
        let head = check.head(&self.head(), 1);
        let element_strides = check.element_strides(&self.element_strides, self.rank);
        let box_dims = check.box_dims(&self.box_dims, self.rank);
        check.row(&head, self.box_dims.first().copied(), RowName::Box);
        check.tiled_bytes(&head, box_dims.as_ref(), element_strides.as_ref());
        let broken = check.finish();
        match (head.map(), box_dims, element_strides) {
            (Some(map), Some(box_dims), Some(element_strides)) if broken.is_empty() => {
                Ok(TensorMap { element_strides, kind: MapKind::Tiled { box_dims }, ..map })
            }
            _ => Err(broken),
        }
    }

    /// The 128 bytes that the driver writes.
    ///
    /// # Errors
    /// As [`EncodeTiled::map`].
    pub fn encode(&self, context: &Context) -> Result<[u8; MAP_BYTES], Vec<Diagnostic>> {
        self.map(context).map(|map| map.encode())
    }

    /// Every broken rule; for legal arguments, what is probably a mistake and what is good to know.
    #[must_use]
    pub fn diagnose(&self, context: &Context) -> Vec<Diagnostic> {
        match self.map(context) {
            Ok(map) => hints(&map, self.alloc_bytes, Some(&self.strides), context),
            Err(broken) => broken,
        }
    }

    fn head(&self) -> Head<'_> {
        Head {
            data_type: self.data_type,
            rank: self.rank,
            address: self.address,
            dims: &self.dims,
            strides: &self.strides,
            interleave: self.interleave,
            swizzle: self.swizzle,
            l2_promotion: self.l2_promotion,
            oob_fill: self.oob_fill,
        }
    }
}

impl EncodeIm2col {
    /// The map that the driver makes of these arguments.
    ///
    /// # Errors
    /// Every rule they break; the driver says `CUDA_ERROR_INVALID_VALUE` (1) then.
    pub fn map(&self, context: &Context) -> Result<TensorMap, Vec<Diagnostic>> {
        let mut check = Check::new(context);
        let corners = self.rank.saturating_sub(2).min(3) as usize;
        self.judge(&mut check, (&self.lower_corner, &self.upper_corner), corners)
    }

    /// The 128 bytes that the driver writes.
    ///
    /// # Errors
    /// As [`EncodeIm2col::map`].
    pub fn encode(&self, context: &Context) -> Result<[u8; MAP_BYTES], Vec<Diagnostic>> {
        self.map(context).map(|map| map.encode())
    }

    /// Every broken rule; for legal arguments, what is probably a mistake and what is good to know.
    #[must_use]
    pub fn diagnose(&self, context: &Context) -> Vec<Diagnostic> {
        match self.map(context) {
            Ok(map) => hints(&map, self.alloc_bytes, Some(&self.strides), context),
            Err(broken) => broken,
        }
    }

    /// The rules of both im2col calls; `given` corners must be there, further ones are 0.
    fn judge(
        &self,
        check: &mut Check,
        corners: (&[i64], &[i64]),
        given: usize,
    ) -> Result<TensorMap, Vec<Diagnostic>> {
        let head = check.head(&self.head(), 3);
        let element_strides = check.element_strides(&self.element_strides, self.rank);
        let corners = check.corners(&head, corners, given);
        let channels = check.channels(self.channels_per_pixel);
        let pixels = check.pixels(self.pixels_per_column);
        check.row(&head, Some(self.channels_per_pixel), RowName::Channels);
        check.im2col_bytes(&head, channels, pixels);
        let broken = check.finish();
        match (head.map(), element_strides, corners, channels, pixels) {
            (Some(map), Some(element_strides), Some((lower, upper)), Some(channels), Some(pixels))
                if broken.is_empty() =>
            {
                Ok(TensorMap {
                    element_strides,
                    kind: MapKind::Im2col { lower, upper, channels, pixels },
                    ..map
                })
            }
            _ => Err(broken),
        }
    }

    fn head(&self) -> Head<'_> {
        Head {
            data_type: self.data_type,
            rank: self.rank,
            address: self.address,
            dims: &self.dims,
            strides: &self.strides,
            interleave: self.interleave,
            swizzle: self.swizzle,
            l2_promotion: self.l2_promotion,
            oob_fill: self.oob_fill,
        }
    }
}

impl EncodeIm2colWide {
    /// The map that the driver makes of these arguments: an ordinary im2col map whose H and D corners are 0.
    ///
    /// hardware: h200 fact 14 (sm_90's driver takes the call and applies the ordinary rules; cuda.h would have it
    /// refused below sm_100 and other swizzles demanded).
    ///
    /// # Errors
    /// Every rule they break.
    pub fn map(&self, context: &Context) -> Result<TensorMap, Vec<Diagnostic>> {
        let mut check = Check::new(context);
        check.wide_mode(self.mode);
        self.ordinary.judge(&mut check, (&self.ordinary.lower_corner, &self.ordinary.upper_corner), 1)
    }

    /// The 128 bytes that the driver writes.
    ///
    /// # Errors
    /// As [`EncodeIm2colWide::map`].
    pub fn encode(&self, context: &Context) -> Result<[u8; MAP_BYTES], Vec<Diagnostic>> {
        self.map(context).map(|map| map.encode())
    }

    /// Every broken rule; for legal arguments, what is probably a mistake and what is good to know.
    #[must_use]
    pub fn diagnose(&self, context: &Context) -> Vec<Diagnostic> {
        match self.map(context) {
            Ok(map) => {
                let mut said = wide_hints(&map, context);
                said.extend(hints(&map, self.ordinary.alloc_bytes, Some(&self.ordinary.strides), context));
                said
            }
            Err(broken) => broken,
        }
    }
}

/// What the driver, and later the engine, think of the place where the map itself lies.
///
/// hardware: h200 facts 15 (null refused with 1, alignment not looked at) and 100 (the engine wants 64).
#[must_use]
pub fn check_map_pointer(pointer: u64) -> Option<Diagnostic> {
    if pointer == 0 {
        return Some(rules::MAP_POINTER_NULL.told("the pointer to the tensor map is null"));
    }
    let past = pointer % 64;
    (past != 0).then(|| {
        rules::MAP_POINTER_ALIGNMENT.broken(
            format!(
                "the tensor map lies at {pointer:#x}, {past} B past a multiple of 64: the driver takes it, a copy that reads it there faults with 716"
            ),
            "Align the map to 64 bytes (alignas(64) in C).",
        )
    })
}

/// The arguments that all calls share.
pub(super) struct Head<'a> {
    pub(super) data_type: u32,
    pub(super) rank: u32,
    pub(super) address: u64,
    pub(super) dims: &'a [u64],
    pub(super) strides: &'a [u64],
    pub(super) interleave: u32,
    pub(super) swizzle: u32,
    pub(super) l2_promotion: u32,
    pub(super) oob_fill: u32,
}
