//! Conversions.

use tilehaul_isa::ptx::ast::{Operand, Type};

use super::{At, Lower, Lowered};
use crate::alu;
use crate::arith::convert::{Cvt, Packed, Scalar};
use crate::arith::int::mask;
use crate::inst::{Inst, SmallCvt};

impl<'m> Lower<'m> {
    pub(super) fn cvt(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let names: Vec<&str> = o
            .modifiers
            .iter()
            .map(String::as_str)
            .filter(|m| scalar(m).is_some() || packed(m).is_some() || *m == "tf32")
            .collect();
        if o.has("rs") {
            let to = o.first(|m| packed(&m.replace("x4", "x2"))).ok_or("no narrow type")?;
            return self.cvt_random(to, at);
        }
        let [to, from] = names[..] else { return Err("expected two types".to_owned()) };
        let (rounding, relu) = (alu::rounding(o), o.has("relu"));
        let satfinite = o.has("satfinite");
        let small = |op, d, a, b| Inst::CvtSmall { op, d, a, b, rounding, satfinite, relu };
        if to == "tf32" {
            let (d, a) = (self.dst(at, 0)?, self.src(at, 1, Type::F32)?);
            return Ok(small(SmallCvt::Tf32, d, a, a));
        }
        match (packed(to), packed(from)) {
            (Some(to), None) => {
                let (d, a, b) = (self.dst(at, 0)?, self.src(at, 1, Type::F32)?, self.src(at, 2, Type::F32)?);
                return Ok(small(SmallCvt::Join(to), d, a, b));
            }
            (Some(to), Some(from)) => {
                let (d, a) = (self.dst(at, 0)?, self.src(at, 1, Type::B32)?);
                return Ok(small(SmallCvt::Repack(to, from), d, a, a));
            }
            (None, Some(_)) => return Err("this pair of types".to_owned()),
            (None, None) => {}
        }
        let (Some(to), Some(from)) = (scalar(to), scalar(from)) else {
            return Err("unknown types".to_owned());
        };
        let source_type = match from {
            Scalar::F32 => Type::F32,
            Scalar::F64 => Type::F64,
            Scalar::Int { bits: 64, .. } => Type::B64,
            Scalar::Int { .. } | Scalar::F16 | Scalar::Bf16 => Type::B32,
        };
        let whole = o.modifiers.iter().any(|m| matches!(m.as_str(), "rni" | "rzi" | "rmi" | "rpi"));
        let (d, bits) = self.destination(at, at.ops.first().ok_or("no operands")?)?;
        let a = self.src(at, 1, source_type)?;
        let keep = mask(bits);
        if let (
            Scalar::Int { bits: from_bits, signed: false },
            Scalar::Int { bits: to_bits, signed: false },
            false,
        ) = (from, to, o.has("sat"))
        {
            return Ok(Inst::Mask { d, a, keep: keep & mask(from_bits.min(to_bits)) });
        }
        let cvt = Cvt { to, from, rounding, whole, ftz: o.has("ftz"), sat: o.has("sat"), relu };
        Ok(Inst::Cvt { d, a, cvt: Box::new(cvt), keep })
    }

    /// `cvt.rs`: two values, or four in braces, and the random word.
    fn cvt_random(&mut self, to: Packed, at: &At<'m>) -> Lowered<Inst> {
        let (d, last) = (self.dst(at, 0)?, at.ops.len().saturating_sub(1));
        let mut values = Vec::new();
        for index in 1..last {
            match at.ops.get(index) {
                Some(Operand::Vector(_)) => values.extend(self.source_list(at, index, Type::F32)?),
                _ => values.push(self.src(at, index, Type::F32)?),
            }
        }
        let wanted = if at.opcode.modifiers.iter().any(|m| m.ends_with("x4")) { 4 } else { 2 };
        if values.len() != wanted {
            return Err(format!("{} values are given, {wanted} are needed", values.len()));
        }
        Ok(Inst::CvtRandom {
            to,
            d,
            values: values.into(),
            random: self.src(at, last, Type::B32)?,
            satfinite: at.opcode.has("satfinite"),
            relu: at.opcode.has("relu"),
        })
    }

    pub(super) fn cvt_pack(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let (bits, signed) = at
            .opcode
            .first(|m| match m {
                "u16" => Some((16, false)),
                "s16" => Some((16, true)),
                "u8" => Some((8, false)),
                "s8" => Some((8, true)),
                "u4" => Some((4, false)),
                "s4" => Some((4, true)),
                "u2" => Some((2, false)),
                "s2" => Some((2, true)),
                _ => None,
            })
            .ok_or("no type")?;
        let c = if at.ops.len() > 3 { self.src(at, 3, Type::B32)? } else { self.constant(0) };
        Ok(Inst::CvtPack {
            d: self.dst(at, 0)?,
            a: self.src(at, 1, Type::S32)?,
            b: self.src(at, 2, Type::S32)?,
            c,
            bits,
            signed,
        })
    }
}

fn scalar(name: &str) -> Option<Scalar> {
    Some(match name {
        "f16" => Scalar::F16,
        "bf16" => Scalar::Bf16,
        "f32" => Scalar::F32,
        "f64" => Scalar::F64,
        _ => {
            let ty = Type::from_name(name)?;
            let signed = match ty {
                Type::S8 | Type::S16 | Type::S32 | Type::S64 => true,
                Type::U8 | Type::U16 | Type::U32 | Type::U64 => false,
                _ => return None,
            };
            Scalar::Int { bits: ty.bits(), signed }
        }
    })
}

fn packed(name: &str) -> Option<Packed> {
    Some(match name {
        "f16x2" => Packed::F16x2,
        "bf16x2" => Packed::Bf16x2,
        "e4m3x2" => Packed::E4m3x2,
        "e5m2x2" => Packed::E5m2x2,
        "e2m1x2" => Packed::E2m1x2,
        "e2m3x2" => Packed::E2m3x2,
        "e3m2x2" => Packed::E3m2x2,
        "ue8m0x2" => Packed::Ue8m0x2,
        _ => return None,
    })
}
