//! `mma.sync` with narrow elements, with factors of blocks and with a sparse A.

use crate::exec::quads::QuadProduct;
use tilehaul_isa::ptx::Op;
use tilehaul_isa::ptx::ast::{Immediate, Operand, Type};
use tilehaul_mma::{Factor, Format, Scaled};

use super::operands::space;
use super::tensor::shape;
use super::{At, Lower, Lowered};
use crate::inst::{Inst, Slot};
use crate::warp_product::{
    Extra, FactorSource, Fragment, NarrowMove, Sparse, SparseUnit, Unpack, WarpProduct,
};

impl<'m> Lower<'m> {
    pub(super) fn warp_product(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let (m, n, k) = o.first(shape).ok_or("no shape")?;
        let types: Vec<Format> = o.all(Format::parse);
        let bits = o.has("b1");
        let (accumulator, a_format, b_format, c_format) = match types[..] {
            [d, a, b, c] => (d, a, b, c),
            // Single bits are no format of their own: their products are counted.
            [d, c] if bits => (d, Format::U8, Format::U8, c),
            _ => return Err("expected four types".to_owned()),
        };
        if !matches!(m, 8 | 16) || accumulator != c_format {
            return Err("C and D of different types are not modelled".to_owned());
        }
        let sparse = o.has("sp") || o.has("sp::ordered_metadata");
        let packed = o.has("kind::mxf4") || o.has("kind::mxf4nvf4");
        let container = |format: Format| match format {
            _ if bits => 1,
            Format::E2m1 if packed => 4,
            Format::E2m1 | Format::E2m3 | Format::E3m2 => 8,
            other => other.bits(),
        };
        let (a_bits, b_bits) = (container(a_format), container(b_format));
        let held = if sparse { k / 2 } else { k };
        let acc_bits = accumulator.bits();
        let d = self.destination_list(at, 0)?;
        let a = self.source_list(at, 1, Type::B32)?;
        let b = self.source_list(at, 2, Type::B32)?;
        let c = self.source_list(at, 3, Type::B32)?;
        let wanted = [
            (d.len(), m * n * acc_bits),
            (a.len(), m * held * a_bits),
            (b.len(), n * k * b_bits),
            (c.len(), m * n * acc_bits),
        ];
        // 32 lanes with 32 bits each.
        if let Some((got, bits)) = wanted.iter().find(|(got, bits)| *got != (bits / 1024) as usize) {
            return Err(format!("a fragment has {got} registers, {} are needed", bits / 1024));
        }
        let extra = if bits {
            Extra::Bits { and: o.has("and") }
        } else if sparse {
            let ordered = o.has("sp::ordered_metadata");
            Extra::Sparse(Sparse { ordered, ..self.sparse(at, 4, SparseUnit::of(a_bits), k)? })
        } else if o.has("block_scale") {
            let factor = if o.has("ue4m3") { Factor::Ue4m3 } else { Factor::Ue8m0 };
            // manual: PTX ISA, mma: the default of each kind.
            let each = o.first(|w| match w {
                "scale_vec::1X" => Some(1),
                "scale_vec::2X" => Some(2),
                "scale_vec::4X" => Some(4),
                _ => None,
            });
            let each = each.unwrap_or(if packed { 2 } else { 1 });
            let unit = Scaled::new(a_format, b_format, factor, k as usize, each)
                .ok_or("these formats have no factors")?;
            Extra::Scaled { unit, a: self.factors(at, 4)?, b: self.factors(at, 6)? }
        } else {
            Extra::None
        };
        let fragment = |format, container, regs: Vec<Slot>| Fragment { format, container, regs: regs.into() };
        Ok(Inst::WarpProduct(Box::new(WarpProduct {
            m,
            n,
            k,
            a: fragment(a_format, a_bits, a),
            b: fragment(b_format, b_bits, b),
            accumulator,
            saturate: o.has("satfinite"),
            c: c.into(),
            d: d.into(),
            extra,
        })))
    }

    /// `mma.m8n8k4` of halves.
    pub(super) fn quad_product(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let layouts = o.all(|m| matches!(m, "row" | "col").then_some(m == "col"));
        let [a_columns, b_columns] = layouts[..] else { return Err("expected two layouts".to_owned()) };
        let types: Vec<Format> = o.all(Format::parse);
        let [d, _, _, c] = types[..] else { return Err("expected four types".to_owned()) };
        let (c_halves, d_halves) = (c == Format::F16, d == Format::F16);
        if d_halves && !c_halves {
            return Err("D in halves of a C in singles".to_owned());
        }
        let op = QuadProduct {
            a_columns,
            b_columns,
            c_halves,
            d_halves,
            d: self.destination_list(at, 0)?.into(),
            a: self.source_list(at, 1, Type::B32)?.into(),
            b: self.source_list(at, 2, Type::B32)?.into(),
            c: self.source_list(at, 3, Type::B32)?.into(),
        };
        let wanted = |halves| if halves { 4 } else { 8 };
        let lengths = [op.d.len(), op.a.len(), op.b.len(), op.c.len()];
        if lengths != [wanted(d_halves), 2, 2, wanted(c_halves)] {
            return Err(format!("fragments of {lengths:?} registers"));
        }
        Ok(Inst::QuadProduct(Box::new(op)))
    }

    /// What `wgmma.mma_async.sp` says of its A: as `mma.sp` for each warp's 16 rows.
    pub(super) fn wgmma_sparse(&mut self, at: &At<'m>, a_bits: u32, k: u32) -> Lowered<Sparse> {
        self.sparse(at, 3, SparseUnit::of(a_bits), k)
    }

    /// Metadata and selector from operand `index` on.
    fn sparse(&mut self, at: &At<'m>, index: usize, unit: SparseUnit, k: u32) -> Lowered<Sparse> {
        let selector = match at.ops.get(index + 1) {
            Some(Operand::Imm(Immediate::Int(v))) => u32::try_from(*v).unwrap_or(u32::MAX),
            _ => return Err("the sparsity selector must be a constant".to_owned()),
        };
        if selector >= 4 / unit.threads(k) {
            return Err(format!("sparsity selector {selector} names no threads of this shape"));
        }
        Ok(Sparse { metadata: self.src(at, index, Type::B32)?, selector, unit, ordered: false })
    }

    pub(super) fn narrow_move(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let count = o.first(|w| w.strip_prefix('x').and_then(|n| n.parse::<usize>().ok())).unwrap_or(1);
        let load = op == Op::LoadNarrow;
        let tall = o.has("m16n16");
        let regs = if load { self.destination_list(at, 0)? } else { self.source_list(at, 1, Type::B32)? };
        let wanted = if tall { 2 * count } else { count };
        if regs.len() != wanted || wanted > 4 {
            return Err(format!("expected {wanted} registers, found {}", regs.len()));
        }
        let unpack = match () {
            () if o.has("b6x16_p32") => Unpack::SixBits,
            () if o.has("b4x16_p64") => Unpack::Nibbles,
            () => Unpack::Bytes,
        };
        let addr = self.address(at, usize::from(load))?;
        let moved =
            Box::new(NarrowMove { regs: regs.into(), addr, space: space(o), transpose: tall, unpack });
        Ok(if load { Inst::LoadNarrow(moved) } else { Inst::StoreNarrow(moved) })
    }

    /// `data, {byte, thread}` from operand `index` on.
    fn factors(&mut self, at: &At<'m>, index: usize) -> Lowered<FactorSource> {
        let data = match self.source_list(at, index, Type::B32)?[..] {
            [data] => data,
            _ => return Err("factors come in one register".to_owned()),
        };
        match self.source_list(at, index + 1, Type::U16)?[..] {
            [byte, thread] => Ok(FactorSource { data, byte, thread }),
            _ => Err("a byte and a thread select the factors".to_owned()),
        }
    }
}
