//! The less common instructions on registers alone, and the dispatch of everything that is not arithmetic.

use super::{Cx, Step, Stepped, Stop, join_bools, set_pred};
use crate::arith::convert::{pack_ints, to_tf32};
use crate::arith::float::flush;
use crate::arith::int::{lop3, mask, mul_hi};
use crate::inst::{Carry, Inst, SmallCvt};
use crate::wave::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW};

impl Cx<'_> {
    /// Executes an instruction that the main loop does not.
    pub(crate) fn other(&mut self, inst: &Inst) -> Stepped {
        match inst {
            // The main loop has these; one that came here would be left out.
            Inst::One { .. }
            | Inst::Two { .. }
            | Inst::Three { .. }
            | Inst::Four { .. }
            | Inst::Mask { .. }
            | Inst::Setp { .. }
            | Inst::Selp { .. }
            | Inst::PredOp { .. }
            | Inst::PredMov { .. } => {
                Err(Stop::Unsupported(format!("{} outside the main loop", self.p.name(self.pc))))
            }
            Inst::Unwritten(held) => {
                self.core.report(self.who(), held.diagnostic.clone());
                if let Some(guard) = held.guard {
                    self.mask &= self.truth(guard);
                }
                if self.mask == 0 { Ok(Step::Next) } else { self.other(&held.inst) }
            }
            Inst::Nop => Ok(Step::Next),
            Inst::Bra { target } => Ok(Step::Branch(self.mask, *target)),
            Inst::Fold { f, d, a, b, c } => {
                let (mut first, mut out) = ([0; 32], [0; 32]);
                f(&mut first, self.reg(*a), self.reg(*b));
                f(&mut out, &first, self.reg(*c));
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::Lop3Pred { d, a, b, c, table, p, q, op } => {
                let mut out = [0; 32];
                let mut any = 0;
                #[expect(clippy::needless_range_loop, reason = "a lane number indexes several registers")]
                for lane in 0..32 {
                    out[lane] = lop3(
                        self.reg(*a)[lane],
                        self.reg(*b)[lane],
                        self.reg(*c)[lane],
                        self.reg(*table)[lane],
                    );
                    any |= u32::from(out[lane] != 0) << lane;
                }
                let v = join_bools(*op, any, self.truth(*q));
                self.set(*d, &out);
                self.set_pred(*p, v);
                Ok(Step::Next)
            }
            Inst::WithCarry { op, bits, signed, uses, sets, d, a, b, c } => {
                self.with_carry(*op, *bits, *signed, *uses, *sets, [*d, *a, *b, *c]);
                Ok(Step::Next)
            }
            Inst::Cvt { d, a, cvt, keep } => {
                let out = self.reg(*a).map(|v| cvt.apply(v) & keep);
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::CvtSmall { op, d, a, b, rounding, satfinite, relu } => {
                let mut out = [0; 32];
                for lane in self.lanes() {
                    let (x, y) = (self.reg(*a)[lane], self.reg(*b)[lane]);
                    out[lane] = match op {
                        SmallCvt::Join(to) => {
                            let [x, y] = [x, y].map(|v| f64::from(f32::from_bits(v as u32)));
                            to.join(x, y, *rounding, *satfinite, *relu)
                        }
                        SmallCvt::Repack(to, from) => {
                            let (high, low) = from.split(x);
                            to.join(high, low, *rounding, *satfinite, *relu)
                        }
                        SmallCvt::Tf32 => to_tf32(x, *rounding, *relu, *satfinite),
                    };
                }
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::CvtRandom { to, d, values, random, satfinite, relu } => {
                let mut out = [0; 32];
                for lane in self.lanes() {
                    let value = |&slot: &u32| f64::from(f32::from_bits(self.reg(slot)[lane] as u32));
                    let values: Vec<f64> = values.iter().map(value).collect();
                    out[lane] = to.join_random(&values, self.reg(*random)[lane] as u32, *satfinite, *relu);
                }
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::Alloca { d, size, align, stack } => {
                let mut out = [0; 32];
                for lane in self.lanes() {
                    let (end, size) = (self.reg(*stack)[lane], self.reg(*size)[lane]);
                    let Some(start) = end.checked_sub(size).map(|at| at & !(align - 1)).filter(|at| *at > 0)
                    else {
                        return Err(Stop::Unsupported(format!(
                            "{} of {size} bytes: more than {} bytes of a thread's stack",
                            self.p.name(self.pc),
                            crate::lower::STACK
                        )));
                    };
                    out[lane] = start;
                }
                self.set(*stack, &out);
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::CvtPack { d, a, b, c, bits, signed } => {
                let mut out = [0; 32];
                for lane in self.lanes() {
                    out[lane] =
                        pack_ints(self.reg(*a)[lane], self.reg(*b)[lane], self.reg(*c)[lane], *bits, *signed);
                }
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::Video { video, d, a, b, c } => {
                let mut out = [0; 32];
                for (lane, v) in out.iter_mut().enumerate() {
                    *v = video.apply(self.reg(*a)[lane], self.reg(*b)[lane], self.reg(*c)[lane]);
                }
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::Pack { d, parts, bits } => {
                self.pack(d, parts, *bits);
                Ok(Step::Next)
            }
            Inst::Unpack { parts, a, bits } => {
                self.unpack(parts, a, *bits);
                Ok(Step::Next)
            }
            Inst::Set { test, upper, d, a, b, with, yes, only } => {
                let (x, y) = (self.reg(*a), self.reg(*b));
                let (low, high) = (test(x, y), upper.map(|t| t(x, y)));
                let other = with.map(|(op, c)| (op, self.truth(c)));
                let join = |v: u32| other.map_or(v, |(op, c)| join_bools(op, v, c));
                let mut out = [0; 32];
                for (lane, v) in out.iter_mut().enumerate() {
                    let bit = |m: u32| join(m) >> lane & 1 == 1;
                    *v = match high {
                        None => {
                            if bit(low) {
                                *yes
                            } else {
                                0
                            }
                        }
                        Some(high) => {
                            (if bit(low) { yes & 0xffff } else { 0 })
                                | if bit(high) { yes & 0xffff_0000 } else { 0 }
                        }
                    };
                }
                if let Some(only) = only {
                    // hardware: generated programs on an H200: the compiled code (ptxas 13.5) guards the comparison, whose
                    // answer is a whole number, and converts its absolute value to single precision in all lanes: lanes that the
                    // guard holds back convert what they had.
                    let runs = self.truth(*only);
                    for (lane, v) in out.iter_mut().enumerate() {
                        if runs >> lane & 1 == 0 {
                            let held = (self.reg(*d)[lane] as u32).cast_signed().wrapping_abs();
                            *v = u64::from((held as f32).to_bits());
                        }
                    }
                }
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::Slct { d, a, b, c, float, ftz } => {
                let mut out = [0; 32];
                for (lane, v) in out.iter_mut().enumerate() {
                    let c = self.reg(*c)[lane] as u32;
                    // manual: NaN selects the second operand; -0 the first.
                    let first = match (*float, *ftz) {
                        (true, true) => flush(f32::from_bits(c)) >= 0.0,
                        (true, false) => f32::from_bits(c) >= 0.0,
                        (false, _) => c.cast_signed() >= 0,
                    };
                    *v = if first { self.reg(*a)[lane] } else { self.reg(*b)[lane] };
                }
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::Clock { d, high, keep } => {
                let now = self.core.now().wrapping_mul(64).wrapping_add(self.w.steps);
                let value = if *high { now >> 32 } else { now };
                self.set(*d, &[value & keep; 32]);
                Ok(Step::Next)
            }
            Inst::Isspacep { p, a, space } => {
                let mut bits = 0;
                for lane in self.lanes() {
                    let address = self.reg(*a)[lane];
                    let inside = |window: u64| (window..window + (1 << 32)).contains(&address);
                    let own =
                        !self.p.launch.clustered || (address >> 24 & 0xff) as u32 == self.w.info.block.rank;
                    let yes = match *space {
                        "shared::cluster" => inside(SHARED_WINDOW),
                        "shared::cta" => inside(SHARED_WINDOW) && own,
                        "local" => inside(LOCAL_WINDOW),
                        "param" => inside(PARAM_WINDOW),
                        // Constants are ordinary device memory here.
                        "const" => false,
                        _ => !inside(SHARED_WINDOW) && !inside(LOCAL_WINDOW) && !inside(PARAM_WINDOW),
                    };
                    bits |= u32::from(yes) << lane;
                }
                self.set_pred(*p, bits);
                Ok(Step::Next)
            }
            Inst::Cvta { d, a, to_generic, space } => {
                use crate::inst::Mem;
                let window = match space {
                    Mem::Shared => SHARED_WINDOW,
                    Mem::Local => LOCAL_WINDOW,
                    Mem::Param => PARAM_WINDOW,
                    Mem::Global | Mem::Generic => 0,
                };
                let out = self.reg(*a).map(|v| match (window, to_generic) {
                    (0, _) => v,
                    (_, true) => window + (v & 0xffff_ffff),
                    (_, false) => v & 0xffff_ffff,
                });
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::Mapa { d, a, rank, generic } => {
                let mut out = [0; 32];
                for (lane, v) in out.iter_mut().enumerate() {
                    let offset = self.reg(*a)[lane] & 0xff_ffff;
                    let mapped = offset | (self.reg(*rank)[lane] & 0xff) << 24;
                    *v = if *generic { SHARED_WINDOW + mapped } else { mapped };
                }
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::Getctarank { d, a, .. } => {
                let clustered = self.p.launch.clustered;
                let out = self.reg(*a).map(|v| if clustered { v >> 24 & 0xff } else { 0 });
                self.set(*d, &out);
                Ok(Step::Next)
            }
            Inst::BrxIdx { index, table } => self.branch_table(*index, *table),
            Inst::Call(op) => self.call(op),
            Inst::Ret { function } => self.leave(*function),
            Inst::Print { returns } => self.print(returns),
            Inst::AssertFail { arguments } => Err(self.assert_fail(arguments)),
            Inst::Exit => Ok(Step::End(self.mask)),
            Inst::Trap => Err(self.fail("trap", "trap ends the launch (CUDA error 719)".to_owned())),
            Inst::Nanosleep => Ok(Step::Poll(tilehaul_machine::WaitFor::Time)),
            Inst::Unsupported(text) => Err(Stop::Unsupported(text.to_string())),
            _ => self.effect(inst),
        }
    }

    fn branch_table(&mut self, index: u32, table: u32) -> Stepped {
        let Some(entries) = self.p.code.tables.get(table as usize) else {
            return Err(Stop::Unsupported("brx.idx without its table".to_owned()));
        };
        let mut targets: Vec<(u32, u32)> = Vec::new();
        for lane in self.lanes() {
            let i = self.reg(index)[lane] as u32;
            let Some(&to) = entries.get(i as usize) else {
                let message =
                    format!("brx.idx with index {i} by lane {lane}; its table has {} targets", entries.len());
                return Err(self.fail("branch-index", message));
            };
            match targets.iter_mut().find(|t| t.1 == to) {
                Some(t) => t.0 |= 1 << lane,
                None => targets.push((1 << lane, to)),
            }
        }
        match targets[..] {
            [(lanes, to)] => Ok(Step::Branch(lanes, to)),
            _ => Ok(Step::Scatter(targets)),
        }
    }

    fn with_carry(
        &mut self,
        op: Carry,
        bits: u32,
        signed: bool,
        uses: bool,
        sets: bool,
        [d, a, b, c]: [u32; 4],
    ) {
        let mut out = [0; 32];
        let mut carries = 0;
        for lane in self.lanes() {
            let (x, y) = (self.reg(a)[lane] & mask(bits), self.reg(b)[lane] & mask(bits));
            let z = self.reg(c)[lane] & mask(bits);
            let carry = u128::from(uses && self.w.carry >> lane & 1 == 1);
            let product = match (op, bits, signed) {
                (Carry::MadLow, ..) => x.wrapping_mul(y) & mask(bits),
                (Carry::MadHigh, 64, true) => mul_hi::<64, true>(x, y),
                (Carry::MadHigh, 64, false) => mul_hi::<64, false>(x, y),
                (Carry::MadHigh, _, true) => mul_hi::<32, true>(x, y),
                (Carry::MadHigh, _, false) => mul_hi::<32, false>(x, y),
                (Carry::Add | Carry::Sub, ..) => x,
            };
            let wide = match op {
                // manual: `subc` subtracts the borrow, which is what the flag holds.
                Carry::Sub => u128::from(x).wrapping_sub(u128::from(y)).wrapping_sub(carry),
                Carry::Add => u128::from(x) + u128::from(y) + carry,
                Carry::MadLow | Carry::MadHigh => u128::from(product) + u128::from(z) + carry,
            };
            out[lane] = wide as u64 & mask(bits);
            carries |= u32::from(wide >> bits & 1 == 1) << lane;
        }
        if sets {
            let mask = self.mask;
            set_pred(&mut self.w.carry, carries, mask);
        }
        self.set(d, &out);
    }

    fn pack(&mut self, d: &[u32], parts: &[u32], bits: u32) {
        let per_slot = (64 / bits) as usize;
        let results: Vec<_> = parts
            .chunks(per_slot)
            .map(|chunk| {
                let mut out = [0; 32];
                for (i, &part) in chunk.iter().enumerate() {
                    for (v, &x) in out.iter_mut().zip(self.reg(part)) {
                        *v |= (x & mask(bits)) << (bits * i as u32);
                    }
                }
                out
            })
            .collect();
        for (&slot, out) in d.iter().zip(&results) {
            self.set(slot, out);
        }
    }

    fn unpack(&mut self, parts: &[u32], a: &[u32], bits: u32) {
        let per_slot = (64 / bits) as usize;
        let sources: Vec<_> = a.iter().map(|&slot| *self.reg(slot)).collect();
        for (i, &part) in parts.iter().enumerate() {
            let Some(source) = sources.get(i / per_slot) else { continue };
            let shift = bits * (i % per_slot) as u32;
            self.set(part, &source.map(|v| v >> shift & mask(bits)));
        }
    }
}
