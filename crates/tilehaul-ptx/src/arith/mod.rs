//! Arithmetic on bits, one value at a time, without any state.
//!
//! Registers hold bits; every function here takes and gives the low bits of a `u64`, zero-extended. Rounding in the
//! directed modes goes through one idea: the exact value is a double plus an error term, the double is *rounded to odd*
//! (its last bit remembers that something was left), and a double has enough bits more than any smaller format for the
//! second rounding to be right.

pub(crate) mod approx;
pub(crate) mod convert;
mod exact;
pub(crate) mod float;
pub(crate) mod half;
pub(crate) mod int;
mod round;
pub(crate) mod video;

/// Rounding modes as const parameters.
pub(crate) mod mode {
    /// To nearest, ties to even.
    pub(crate) const NEAR: u8 = 0;
    /// Toward zero.
    pub(crate) const ZERO: u8 = 1;
    /// Toward minus infinity.
    pub(crate) const DOWN: u8 = 2;
    /// Toward plus infinity.
    pub(crate) const UP: u8 = 3;
    /// To nearest, ties away from zero (`cvt.rna`).
    pub(crate) const AWAY: u8 = 4;
}

/// The NaN that single-precision instructions produce. hardware: h200 fact 71 shows it for adds.
pub(crate) const NAN32: u32 = 0x7fff_ffff;
/// The NaN that half-precision instructions produce.
pub(crate) const NAN16: u16 = 0x7fff;
