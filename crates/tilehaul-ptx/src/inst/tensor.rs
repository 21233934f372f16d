//! Products of matrices and tensor memory.

use tilehaul_mma::Format;

use super::{Addr, Mem, PredSource, Slot};
use crate::warp_product::Sparse;

#[derive(Clone, Debug)]
pub(crate) struct MmaOp {
    pub(crate) m: u32,
    pub(crate) n: u32,
    pub(crate) k: u32,
    pub(crate) a_type: Format,
    pub(crate) b_type: Format,
    pub(crate) d_type: Format,
    pub(crate) c_type: Format,
    pub(crate) saturate: bool,
    pub(crate) d: Box<[Slot]>,
    pub(crate) a: Box<[Slot]>,
    pub(crate) b: Box<[Slot]>,
    pub(crate) c: Box<[Slot]>,
}

/// A fragment of `wmma` in memory.
#[derive(Clone, Debug)]
pub(crate) struct WmmaMove {
    pub(crate) fragment: Fragment,
    pub(crate) regs: Box<[Slot]>,
    pub(crate) addr: Addr,
    pub(crate) space: Mem,
    /// Elements from one row or column to the next; as many as there are in one when absent.
    pub(crate) stride: Option<Slot>,
    /// Elements that lie side by side in a register lie side by side in memory.
    pub(crate) along: bool,
    /// Bytes of an element.
    pub(crate) bytes: u32,
}

/// A product of `wmma` fragments.
#[derive(Clone, Debug)]
pub(crate) struct WmmaOp {
    pub(crate) a: (Fragment, Box<[Slot]>),
    pub(crate) b: (Fragment, Box<[Slot]>),
    pub(crate) c: (Fragment, Box<[Slot]>),
    pub(crate) d: Box<[Slot]>,
    pub(crate) k: u32,
    pub(crate) a_type: Format,
    pub(crate) b_type: Format,
    pub(crate) acc: Format,
    pub(crate) saturate: bool,
}

/// Where the elements of a `wmma` fragment lie: rows of M (of N for B) by columns of K (of N for results).
///
/// inferred: blocks of 8 rows by 4 words as in the fragments of `mma.sync`; registers beyond those repeat them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    /// Elements of a row that a lane has of a block.
    pub(crate) width: u32,
    /// Elements of a register.
    pub(crate) each: u32,
    /// Blocks follow each other down the rows; along the columns otherwise.
    pub(crate) down: bool,
}

impl Fragment {
    /// Registers that hold different elements.
    pub(crate) fn registers(self) -> u32 {
        self.rows * self.columns / 32 / self.each
    }

    /// Row and column of the first element that a lane has in a register.
    pub(crate) fn place(self, register: u32, lane: u32) -> (u32, u32) {
        let register = register % self.registers().max(1);
        let parts = self.width / self.each;
        let (block, part) = (register / parts, register % parts * self.each);
        let (high, wide) = (self.rows / 8, self.columns / (4 * self.width));
        let (down, right) =
            if self.down { (block % high, block / high) } else { (block / wide, block % wide) };
        (down * 8 + lane / 4, right * 4 * self.width + lane % 4 * self.width + part)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct WgmmaOp {
    /// Straight code before it writes registers that it reads, behind the last wgmma.fence.
    pub(crate) changed: bool,
    pub(crate) n: u32,
    pub(crate) k: u32,
    pub(crate) a_type: Format,
    pub(crate) b_type: Format,
    pub(crate) d_type: Format,
    pub(crate) saturate: bool,
    pub(crate) d: Box<[Slot]>,
    /// Four fragments, or one descriptor.
    pub(crate) a: Box<[Slot]>,
    pub(crate) b: Slot,
    pub(crate) scale_d: PredSource,
    pub(crate) negate_a: bool,
    pub(crate) negate_b: bool,
    pub(crate) transpose_a: bool,
    pub(crate) transpose_b: bool,
    /// A holds half of K.
    pub(crate) sparse: Option<Sparse>,
}

/// Reduction of a `tcgen05.ld.red`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LdRed {
    pub(crate) max: bool,
    pub(crate) float: bool,
    pub(crate) signed: bool,
    pub(crate) abs: bool,
    pub(crate) nan: bool,
    pub(crate) dst: Slot,
}

#[derive(Clone, Debug)]
pub(crate) struct TcMove {
    pub(crate) image: tilehaul_layout::tmem::NativeImage,
    pub(crate) addr: Addr,
    pub(crate) split: Option<i32>,
    pub(crate) regs: Box<[Slot]>,
    pub(crate) reduce: Option<LdRed>,
}

#[derive(Clone, Debug)]
pub(crate) struct TcMmaOp {
    pub(crate) kind: TcKind,
    pub(crate) pair: bool,
    /// `.ws`: B stays in the unit, and M may be 32.
    pub(crate) weight_stationary: bool,
    /// A mask of columns of B that count as zeroes, with `.ws`.
    pub(crate) zero_columns: Option<Slot>,
    pub(crate) d: Addr,
    /// Tensor-memory address or shared-memory descriptor.
    pub(crate) a: Slot,
    pub(crate) a_in_tensor: Option<i64>,
    pub(crate) b: Slot,
    pub(crate) idesc: Slot,
    pub(crate) enable: PredSource,
    /// Mask words of lanes whose result is not written.
    pub(crate) disable: Box<[Slot]>,
    /// Factors of blocks of both operands, in tensor memory.
    pub(crate) scales: Option<TcScales>,
}

/// Where the factors of block-scaled operands lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TcScales {
    /// Blocks of K of one instruction, each with a factor.
    pub(crate) each: u32,
    pub(crate) a: Addr,
    pub(crate) b: Addr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TcKind {
    F16,
    Tf32,
    F8f6f4,
    I8,
    /// With a factor for each block of 32.
    Mxf8f6f4,
    /// Two to a byte, with a factor for each block of 32.
    Mxf4,
    /// The same, with a factor for each block of 16 or 32.
    Mxf4nvf4,
}
