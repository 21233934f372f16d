//! Exchange between the lanes of a warp.

use super::{Cx, Step, Stepped};
use crate::alu::Lanes;
use crate::arith::float::pick32;
use crate::inst::{AtomKind, AtomType, PredSource, Routes, Shuffle, ShuffleOp, VoteKind};

impl Cx<'_> {
    /// The lanes that an instruction names, from the lowest executing lane's operand.
    pub(crate) fn named(&self, mask: u32) -> u32 {
        self.reg(mask)[self.first()] as u32
    }

    /// Serves lanes that execute together but name different lanes one team after the other: `cg::reduce` over tiles of 16
    /// gives each half of the warp its own mask. manual: PTX `redux.sync`: each executing thread names the members of its own.
    pub(crate) fn each_team(&mut self, mask: u32, mut serve: impl FnMut(&mut Self) -> Stepped) -> Stepped {
        let all = self.mask;
        let names = self.reg(mask);
        // Nearly always all lanes name the same: one look at the whole row.
        if all == u32::MAX && names.iter().fold(0, |bits, name| bits | (name ^ names[0])) == 0 {
            return serve(self);
        }
        let names = *names;
        let team_of = |first: u64, lanes: u32| {
            (0..32)
                .filter(|&l| lanes >> l & 1 == 1 && names[l as usize] == first)
                .fold(0u32, |t, l| t | 1 << l)
        };
        if team_of(names[self.first()], all) == all {
            return serve(self);
        }
        // Nobody goes on before all of every team are here.
        let mut teams = Vec::new();
        let mut rest = all;
        while rest != 0 {
            let named = names[rest.trailing_zeros() as usize];
            let team = team_of(named, rest);
            if let Some(step) = self.awaited(named as u32 & !all) {
                return Ok(step);
            }
            teams.push(team);
            rest &= !team;
        }
        for team in teams {
            self.mask = team;
            let served = serve(self);
            self.mask = all;
            served?;
        }
        Ok(Step::Next)
    }

    /// The named lanes that are here. Whoever learns a vote, a match or a reduction knows that these lanes came so far with
    /// all that they did before. inferred: the manual promises no order of memory, but NVIDIA's own `cuda::pipeline` lets
    /// the lane that `match.sync` picks end barriers that the others used.
    fn together(&mut self, named: u32) -> u32 {
        let lanes = self.mask & named;
        let who = self.who_of(lanes);
        self.core.lanes_meet(who);
        lanes
    }

    pub(crate) fn shuffle(&mut self, op: &ShuffleOp) -> Stepped {
        match &op.routes {
            Some(routes) => self.shuffle_along(op, routes, u32::MAX),
            None => self.each_team(op.mask, |cx| {
                let routes = Routes::new(op.kind, cx.reg(op.b), cx.reg(op.c));
                cx.shuffle_along(op, &routes, cx.named(op.mask))
            }),
        }
    }

    fn shuffle_along(&mut self, op: &ShuffleOp, routes: &Routes, named: u32) -> Stepped {
        if let Some(step) = self.need(named) {
            return Ok(step);
        }
        let (source, mut out) = (self.reg(op.a), [0; 32]);
        for (v, from) in out.iter_mut().zip(&routes.from) {
            *v = source[(from & 31) as usize] & 0xffff_ffff;
        }
        self.set(op.d, &out);
        if let Some(p) = op.p {
            self.set_pred(p, routes.valid);
        }
        Ok(Step::Next)
    }

    pub(crate) fn vote(&mut self, kind: VoteKind, d: u32, p: u32, source: PredSource, mask: u32) -> Stepped {
        let named = self.named(mask);
        if let Some(step) = self.need(named) {
            return Ok(step);
        }
        let voters = self.together(named);
        let yes = self.truth(source) & voters;
        let all = |v: bool| if v { u32::MAX } else { 0 };
        match kind {
            VoteKind::Ballot => self.set(d, &[u64::from(yes); 32]),
            VoteKind::All => self.set_pred(p, all(yes == voters)),
            VoteKind::Any => self.set_pred(p, all(yes != 0)),
            VoteKind::Uni => self.set_pred(p, all(yes == voters || yes == 0)),
        }
        Ok(Step::Next)
    }

    pub(crate) fn match_lanes(
        &mut self,
        all: bool,
        bits: u32,
        d: u32,
        p: Option<u32>,
        a: u32,
        mask: u32,
    ) -> Stepped {
        let named = self.named(mask);
        if let Some(step) = self.need(named) {
            return Ok(step);
        }
        let value = self.reg(a).map(|v| v & crate::arith::int::mask(bits));
        let voters = self.together(named);
        let mut out = [0; 32];
        for lane in self.lanes() {
            for other in 0..32 {
                if voters >> other & 1 == 1 && value[other] == value[lane] {
                    out[lane] |= 1 << other;
                }
            }
        }
        if all {
            let same = self.lanes().all(|lane| out[lane] as u32 == voters);
            out = [if same { u64::from(voters) } else { 0 }; 32];
            if let Some(p) = p {
                self.set_pred(p, if same { u32::MAX } else { 0 });
            }
        }
        self.set(d, &out);
        Ok(Step::Next)
    }

    pub(crate) fn reduce_lanes(
        &mut self,
        kind: AtomKind,
        ty: AtomType,
        abs: bool,
        nan: bool,
        [d, a, mask]: [u32; 3],
    ) -> Stepped {
        let named = self.named(mask);
        if let Some(step) = self.need(named) {
            return Ok(step);
        }
        self.together(named);
        let mut result: Option<u64> = None;
        for lane in self.lanes() {
            let v = self.reg(a)[lane] & if abs { 0x7fff_ffff } else { 0xffff_ffff };
            result = Some(match result {
                None => v,
                Some(r) => match (kind, ty) {
                    (AtomKind::Max, AtomType::F32) if nan => pick32::<true, false, true>(r, v),
                    (AtomKind::Max, AtomType::F32) => pick32::<true, false, false>(r, v),
                    (_, AtomType::F32) if nan => pick32::<false, false, true>(r, v),
                    (_, AtomType::F32) => pick32::<false, false, false>(r, v),
                    _ => super::atomics::combine(kind, ty, 4, r, v),
                },
            });
        }
        self.set(d, &[result.unwrap_or(0); 32]);
        Ok(Step::Next)
    }

    pub(crate) fn elect(&mut self, d: u32, p: u32, mask: u32) -> Stepped {
        let named = self.named(mask);
        if let Some(step) = self.need(named) {
            return Ok(step);
        }
        // manual: which lane is elected is left open, always the same for the same mask; hardware takes the lowest (inferred).
        let leader = (self.mask & named).trailing_zeros().min(31);
        self.set(d, &[u64::from(leader); 32]);
        self.set_pred(p, 1 << leader);
        Ok(Step::Next)
    }
}

impl Routes {
    /// manual: PTX `shfl`: c holds the clamp in bits 4:0 and the segment mask in bits 12:8.
    pub(crate) fn new(kind: Shuffle, b: &Lanes, c: &Lanes) -> Routes {
        let mut routes = Routes { from: [0; 32], valid: 0 };
        let operands = b.iter().zip(c);
        for (l, (from, (b, c))) in (0u32..).zip(routes.from.iter_mut().zip(operands)) {
            let (b, clamp, segment) = (*b as u32 & 0x1f, *c as u32 & 0x1f, (c >> 8) as u32 & 0x1f);
            let min = l & segment;
            let max = min | (clamp & !segment);
            let (other, ok) = match kind {
                Shuffle::Up => (l.wrapping_sub(b), l >= b && (l - b).cast_signed() >= max.cast_signed()),
                Shuffle::Down => (l + b, l + b <= max),
                Shuffle::Bfly => (l ^ b, l ^ b <= max),
                Shuffle::Idx => (min | (b & !segment), (min | (b & !segment)) <= max),
            };
            *from = (if ok { other } else { l }) as u8 & 31;
            routes.valid |= u32::from(ok) << l;
        }
        routes
    }
}
