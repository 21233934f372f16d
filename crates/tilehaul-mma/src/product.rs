//! What a unit multiplies, and how it is asked to.

use std::fmt;

use tilehaul_diag::Source;

use crate::chain;
use crate::format::{Format, to_f32};
use crate::fused::{self, Block, Fused};
use crate::grouped::{self, Grouped};
use crate::panel::{self, LANES, Lanes, Panels, Strip};
use crate::split;

/// How products become a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// All products of the instruction and C in one block, cut below the largest exponent, rounded once.
    Fused {
        /// Bits kept below the largest exponent, 1 to 25.
        kept: u32,
        /// Significant bits that the sum is cut to before it is packed, if fewer than the accumulator's.
        significant: Option<u32>,
    },
    /// 8-bit floats as two fused blocks of halves and an ordinary addition of C.
    SplitHalves,
    /// Groups of products cut and added to the accumulator one after the other.
    Grouped {
        /// Products of a group.
        size: usize,
        /// Are even and odd k summed apart?
        parity: Parity,
    },
    /// Exact, then modulo 2^32.
    Wrap,
    /// Exact, then clamped once to 32 bits signed.
    Saturate,
    /// Fused multiply-adds in the accumulator's own precision, K ascending, to nearest even; doubles choose among NaNs
    /// as NVIDIA's do.
    Chain,
    /// The plain order of a loop over K in singles: not the bits of any device, for speed.
    Fast,
}

/// How the products of matrix instructions are summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sums {
    /// As the device does, bit for bit.
    #[default]
    Exact,
    /// In the plain order of a loop over K in singles ([`Arithmetic::Fast`]): several times faster, not the bits of any
    /// device.
    Fast,
}

/// Are the products of even and of odd k summed apart before they meet?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// One sum.
    Together,
    /// Two sums, as for 8-bit floats.
    Apart,
}

/// One matrix instruction: formats, K, arithmetic. Rows and columns come with the operands, for they change no bit.
///
/// Made by [`crate::catalogue`], which only pairs formats with an arithmetic that holds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Product {
    /// Format of A.
    pub a: Format,
    /// Format of B.
    pub b: Format,
    /// Format of C and D.
    pub accumulator: Format,
    /// Products of one element of D.
    pub depth: usize,
    /// How they become a result.
    pub arithmetic: Arithmetic,
    /// Where that is known from.
    pub source: Source,
}

/// Are the products negated? The signs of A and of B together: two negations are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sign {
    /// As they are.
    #[default]
    Keep,
    /// Each product changes its sign before everything else.
    Flip,
}

impl Sign {
    /// Are products negated?
    #[must_use]
    pub fn flips(self) -> bool {
        self == Sign::Flip
    }

    /// This and another negation together.
    #[must_use]
    pub fn and(self, other: Sign) -> Sign {
        if self == other { Sign::Keep } else { Sign::Flip }
    }
}

/// The operands of one instruction, as raw elements.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'t, A, B, C> {
    /// Rows of A and D.
    pub rows: usize,
    /// Columns of B and D.
    pub columns: usize,
    /// Rows x K, row-major.
    pub a: &'t [A],
    /// Columns x K: B transposed, so that K is contiguous.
    pub b: &'t [B],
    /// Rows x columns, row-major; `None` when the instruction does not read C.
    pub c: Option<&'t [C]>,
    /// Are the products negated?
    pub sign: Sign,
}

/// Dwords for one product, of the lengths that its shape asks for: whoever fills them cannot make them fit badly, so
/// multiplying cannot fail.
#[derive(Clone, Debug)]
pub struct Workspace {
    product: Product,
    rows: usize,
    columns: usize,
    a: Vec<u32>,
    b: Vec<u32>,
    c: Option<Vec<u32>>,
}

impl Workspace {
    /// Rows x K, row-major; zeros at first.
    pub fn a(&mut self) -> &mut [u32] {
        &mut self.a
    }

    /// Columns x K; zeros at first.
    pub fn b(&mut self) -> &mut [u32] {
        &mut self.b
    }

    /// Rows x columns, row-major; zeros at first. Once asked for it is added to the products.
    pub fn c(&mut self) -> &mut [u32] {
        let len = self.len();
        self.c.get_or_insert_with(|| vec![0; len])
    }

    /// All of D, row-major: what `d` held before is gone.
    pub fn multiply(&self, sign: Sign, d: &mut Vec<u32>) {
        d.resize(self.len(), 0);
        let Workspace { product, rows, columns, a, b, c } = self;
        let operands =
            Operands { rows: *rows, columns: *columns, a: &a[..], b: &b[..], c: c.as_deref(), sign };
        product.compute(&operands, d);
    }

    fn len(&self) -> usize {
        self.rows.saturating_mul(self.columns)
    }
}

/// Operands that do not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeError {
    /// Which operand.
    pub operand: &'static str,
    /// Elements that it has.
    pub given: usize,
    /// Elements that the shape asks for.
    pub wanted: usize,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "matrix {} has {} elements, and the shape asks for {}",
            self.operand, self.given, self.wanted
        )
    }
}

impl std::error::Error for ShapeError {}

/// A raw element: the format's bits at the low end.
pub trait Bits: Copy {
    /// The bits.
    fn raw(self) -> u64;
    /// The low bits of `raw`.
    fn from_raw(raw: u64) -> Self;
}

macro_rules! bits {
    ($($type:ty)*) => {$(
        impl Bits for $type {
            #[inline]
            fn raw(self) -> u64 {
                self.into()
            }

            #[inline]
            fn from_raw(raw: u64) -> $type {
                raw as $type
            }
        }
    )*};
}

bits!(u8 u16 u32 u64);

impl Product {
    /// The same instruction, summed as asked. Integers and doubles stay exact.
    #[must_use]
    pub fn summed(self, sums: Sums) -> Product {
        match (sums, self.arithmetic) {
            (Sums::Fast, Arithmetic::Fused { .. } | Arithmetic::SplitHalves | Arithmetic::Grouped { .. }) => {
                Product {
                    arithmetic: Arithmetic::Fast,
                    source: Source::inferred("a loop in singles; not the bits of a device"),
                    ..self
                }
            }
            _ => self,
        }
    }

    /// One element of D: `a` and `b` hold K raw elements each.
    #[must_use]
    pub fn dot(&self, a: &[u64], b: &[u64], c: u64, sign: Sign) -> u64 {
        let pairs = || a.iter().copied().zip(b.iter().copied());
        match self.arithmetic {
            Arithmetic::Fused { kept, significant } => {
                fused::dot(&self.fused(kept, significant), pairs(), sign, c).unwrap_or(0)
            }
            Arithmetic::SplitHalves => split::dot(self, pairs(), sign, c),
            Arithmetic::Grouped { size, parity } => {
                let unit = self.grouped(size, parity);
                chain::finish(
                    self.accumulator,
                    grouped::dot(&unit, pairs(), sign, to_f32(self.accumulator, c)),
                )
            }
            Arithmetic::Wrap | Arithmetic::Saturate => self.integer(pairs(), sign, c),
            Arithmetic::Chain if self.accumulator == Format::F64 => chain::doubles(pairs(), sign, c),
            Arithmetic::Chain | Arithmetic::Fast => {
                let values = pairs().map(|(a, b)| (to_f32(self.a, a), to_f32(self.b, b)));
                chain::finish(self.accumulator, chain::singles(values, sign, to_f32(self.accumulator, c)))
            }
        }
    }

    /// All of D, row-major into `d`.
    ///
    /// # Errors
    /// When an operand has too few or too many elements for the shape; `d` is untouched then.
    pub fn multiply<A: Bits, B: Bits, C: Bits>(
        &self,
        operands: &Operands<'_, A, B, C>,
        d: &mut [C],
    ) -> Result<(), ShapeError> {
        let Operands { rows, columns, a, b, c, .. } = *operands;
        let check = |operand, given, wanted| match given == wanted {
            true => Ok(()),
            false => Err(ShapeError { operand, given, wanted }),
        };
        check("A", a.len(), rows.saturating_mul(self.depth))?;
        check("B", b.len(), columns.saturating_mul(self.depth))?;
        check("D", d.len(), rows.saturating_mul(columns))?;
        if let Some(c) = c {
            check("C", c.len(), d.len())?;
        }
        self.compute(operands, d);
        Ok(())
    }

    /// The product of operands that fit.
    fn compute<A: Bits, B: Bits, C: Bits>(&self, operands: &Operands<'_, A, B, C>, d: &mut [C]) {
        let Operands { columns, a, b, c, sign, .. } = *operands;
        if d.is_empty() {
            return;
        }
        match self.arithmetic {
            Arithmetic::Fused { kept, significant } => {
                self.blocks(&self.fused(kept, significant), operands, d)
            }
            Arithmetic::SplitHalves => split::multiply(self, operands, d),
            Arithmetic::Grouped { size, parity } => self.groups(&self.grouped(size, parity), operands, d),
            Arithmetic::Wrap | Arithmetic::Saturate => self.integers(operands, d),
            Arithmetic::Chain if self.accumulator == Format::F64 => {
                for (at, element) in d.iter_mut().enumerate() {
                    let pairs = row_pairs(self.depth, a, b, at / columns, at % columns);
                    let c = c.and_then(|c| c.get(at)).map_or(0, |c| c.raw());
                    *element = C::from_raw(chain::doubles(pairs, sign, c));
                }
            }
            Arithmetic::Chain | Arithmetic::Fast => chain::multiply(self, operands, d),
        }
    }

    /// Room for the operands of `rows` by `columns` results.
    #[must_use]
    pub fn workspace(self, rows: usize, columns: usize) -> Workspace {
        let (a, b) = (vec![0; rows.saturating_mul(self.depth)], vec![0; columns.saturating_mul(self.depth)]);
        Workspace { product: self, rows, columns, a, b, c: None }
    }

    /// [`Self::multiply`] of dwords, compiled once for whoever needs no other types.
    ///
    /// # Errors
    /// As there.
    pub fn multiply_dwords(
        &self,
        operands: &Operands<'_, u32, u32, u32>,
        d: &mut [u32],
    ) -> Result<(), ShapeError> {
        self.multiply(operands, d)
    }

    /// [`Self::multiply`] of 64-bit elements, compiled once.
    ///
    /// # Errors
    /// As there.
    pub fn multiply_longs(
        &self,
        operands: &Operands<'_, u64, u64, u64>,
        d: &mut [u64],
    ) -> Result<(), ShapeError> {
        self.multiply(operands, d)
    }

    fn grouped(&self, size: usize, parity: Parity) -> Grouped {
        Grouped { a: self.a, b: self.b, size: size.max(1), apart: parity == Parity::Apart }
    }

    fn fused(&self, kept: u32, significant: Option<u32>) -> Fused {
        // More than 25 bits would overflow the sums; no known unit has them.
        Fused { a: self.a, b: self.b, accumulator: self.accumulator, kept: kept.min(25), significant }
    }

    /// A fused product by panels, with the exact scalar form where the panels step aside.
    fn blocks<A: Bits, B: Bits, C: Bits>(&self, unit: &Fused, operands: &Operands<'_, A, B, C>, d: &mut [C]) {
        let Operands { a, b, sign, .. } = *operands;
        let Some(block) = Block::new(*unit, sign) else { return };
        let panels = Panels::new((self.a, self.b), self.depth, a, b, None);
        panel::fill(
            panels.as_ref(),
            operands,
            d,
            |strip, c| block.row(strip, c),
            |row, column, c| fused::dot(unit, row_pairs(self.depth, a, b, row, column), sign, c).unwrap_or(0),
        );
    }

    fn groups<A: Bits, B: Bits, C: Bits>(
        &self,
        unit: &Grouped,
        operands: &Operands<'_, A, B, C>,
        d: &mut [C],
    ) {
        let Operands { a, b, sign, .. } = *operands;
        let order: Option<Vec<usize>> =
            unit.apart.then(|| (0..self.depth).map(|k| unit.place(k, self.depth)).collect());
        let panels = Panels::new((self.a, self.b), self.depth, a, b, order.as_deref());
        let block = |strip: &Strip<'_>, c: &[u64; LANES]| {
            let (values, good) = grouped::row(unit, strip, sign, grouped::accumulators(self.accumulator, c));
            Lanes { bits: values.map(|value| chain::finish(self.accumulator, value)), good }
        };
        panel::fill(panels.as_ref(), operands, d, block, |row, column, c| {
            let pairs = row_pairs(self.depth, a, b, row, column);
            chain::finish(self.accumulator, grouped::dot(unit, pairs, sign, to_f32(self.accumulator, c)))
        });
    }

    fn integers<A: Bits, B: Bits, C: Bits>(&self, operands: &Operands<'_, A, B, C>, d: &mut [C]) {
        let Operands { columns, a, b, c, sign, .. } = *operands;
        let depth = self.depth.max(1);
        // Bytes and nibbles: products fit 17 bits, and any K that fits memory fits 64 bits.
        let a: Vec<i32> = a.iter().map(|raw| self.a.integer(raw.raw()) as i32).collect();
        let b: Vec<i32> = b.iter().map(|raw| self.b.integer(raw.raw()) as i32).collect();
        for (at, element) in d.iter_mut().enumerate() {
            let (row, column) = (at / columns.max(1), at % columns.max(1));
            let a = a.get(row * depth..(row + 1) * depth).unwrap_or_default();
            let b = b.get(column * depth..(column + 1) * depth).unwrap_or_default();
            let mut sum = 0i64;
            for (a, b) in a.chunks(1024).zip(b.chunks(1024)) {
                sum += i64::from(a.iter().zip(b).map(|(a, b)| a.wrapping_mul(*b)).sum::<i32>());
            }
            let c = c.and_then(|c| c.get(at)).map_or(0, |c| c.raw());
            *element = C::from_raw(self.integer_result(if sign.flips() { -sum } else { sum }, c));
        }
    }

    fn integer(&self, pairs: impl Iterator<Item = (u64, u64)>, sign: Sign, c: u64) -> u64 {
        let sum: i64 = pairs.map(|(a, b)| self.a.integer(a) * self.b.integer(b)).sum();
        self.integer_result(if sign.flips() { -sum } else { sum }, c)
    }

    /// hardware: h200-mma 5.
    fn integer_result(&self, sum: i64, c: u64) -> u64 {
        let exact = sum + Format::S32.integer(c);
        let result = match self.arithmetic {
            Arithmetic::Saturate => exact.clamp(i64::from(i32::MIN), i64::from(i32::MAX)),
            _ => exact,
        };
        u64::from(result as u32)
    }
}

/// The raw pairs of one element of D.
pub(crate) fn row_pairs<'t, A: Bits, B: Bits>(
    depth: usize,
    a: &'t [A],
    b: &'t [B],
    row: usize,
    column: usize,
) -> impl Iterator<Item = (u64, u64)> + Clone + use<'t, A, B> {
    let a = a.get(row * depth..(row + 1) * depth).unwrap_or_default();
    let b = b.get(column * depth..(column + 1) * depth).unwrap_or_default();
    a.iter().zip(b).map(|(a, b)| (a.raw(), b.raw()))
}
