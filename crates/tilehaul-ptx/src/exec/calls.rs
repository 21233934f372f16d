//! Calls and returns.
//!
//! Every function has fixed registers and fixed local memory in each lane. A function that may be active already in the
//! lane keeps what it had on the lane's stack until the inner activation returns, so that recursion works; the others need
//! no stack at all. Lanes of a warp may be in different functions and at different depths: all of this is per lane.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::Space;

use super::{Cx, Step, Stepped, Stop};
use crate::inst::{CallOp, Inst};
use crate::lower::{CODE_WINDOW, Callee, Room};
use crate::wave::Saved;

/// Activations of one lane that wait for an inner one.
const DEEPEST: usize = 4096;
/// Bytes of an `assert` message that are shown.
const SHOWN: u64 = 200;

impl Cx<'_> {
    pub(super) fn call(&mut self, op: &CallOp) -> Stepped {
        let mut targets: Vec<(u32, u32)> = Vec::new();
        for lane in self.lanes() {
            let id = match op.function {
                Some(id) => id,
                None => self.pointed(op, lane)?,
            };
            match targets.iter_mut().find(|t| t.1 == id) {
                Some(t) => t.0 |= 1 << lane,
                None => targets.push((1 << lane, id)),
            }
        }
        for (lanes, target) in &mut targets {
            let Some(callee) = self.p.code.callees.get(*target as usize).and_then(Option::as_ref) else {
                return Err(Stop::Unsupported("a call of a function without a body".to_owned()));
            };
            for lane in tilehaul_machine::LaneMask(u64::from(*lanes)).iter() {
                self.enter(callee, op, lane as usize)?;
            }
            *target = callee.base;
        }
        Ok(Step::Call(targets))
    }

    /// The function that a pointer names.
    fn pointed(&self, op: &CallOp, lane: usize) -> Result<u32, Stop> {
        let address = self.reg(op.pointer)[lane];
        let id = address.wrapping_sub(CODE_WINDOW) / 16;
        let callee = usize::try_from(id).ok().and_then(|i| self.p.code.callees.get(i)?.as_ref());
        match callee {
            Some(callee) if address >= CODE_WINDOW && address.is_multiple_of(16) => {
                let fits = |rooms: &[Room], given: &[Room]| {
                    rooms.len() == given.len() && rooms.iter().zip(given).all(|(a, b)| a.bytes == b.bytes)
                };
                if fits(&callee.params, &op.arguments) && fits(&callee.returns, &op.returns) {
                    Ok(id as u32)
                } else {
                    let message = format!("lane {lane} calls a function that takes other arguments");
                    Err(self.fail("call-arguments", message))
                }
            }
            _ => {
                let message = format!("lane {lane} calls through {address:#x}, which is no function");
                Err(self.fail("call-target", message))
            }
        }
    }

    fn enter(&mut self, callee: &Callee, op: &CallOp, lane: usize) -> Result<(), Stop> {
        let given: Vec<Vec<u8>> = op.arguments.iter().map(|&r| self.room(r, lane).to_vec()).collect();
        if callee.again {
            let regs = &self.w.regs[callee.slots.start as usize..callee.slots.end as usize];
            let preds = &self.w.preds[callee.preds.start as usize..callee.preds.end as usize];
            let saved = Saved {
                regs: regs.iter().map(|r| r[lane]).collect(),
                preds: preds.iter().map(|p| p >> lane & 1 == 1).collect(),
                memory: self.room(callee.memory, lane).into(),
            };
            if self.w.stacks.is_empty() {
                self.w.stacks.resize_with(32, Vec::new);
            }
            if self.w.stacks[lane].len() >= DEEPEST {
                let message = format!("lane {lane} is {DEEPEST} calls deep: its stack would overflow");
                return Err(self.fail("call-stack", message));
            }
            self.w.stacks[lane].push(saved);
        }
        for (&room, bytes) in callee.params.iter().zip(given) {
            let taken = bytes.len().min(room.bytes as usize);
            self.room_mut(room, lane)[..taken].copy_from_slice(&bytes[..taken]);
        }
        self.w.regs[callee.ret as usize][lane] = u64::from(self.pc) + 1;
        Ok(())
    }

    /// Returns from a function, each lane to where it was called.
    pub(super) fn leave(&mut self, function: u32) -> Stepped {
        let Some(callee) = self.p.code.callees.get(function as usize).and_then(Option::as_ref) else {
            return Err(Stop::Unsupported("a return from a function that was never called".to_owned()));
        };
        let mut targets: Vec<(u32, u32)> = Vec::new();
        for lane in self.lanes() {
            let to = self.reg(callee.ret)[lane] as u32;
            let results: Vec<Vec<u8>> = callee.returns.iter().map(|&r| self.room(r, lane).to_vec()).collect();
            if callee.again
                && let Some(saved) = self.w.stacks.get_mut(lane).and_then(Vec::pop)
            {
                self.restore(callee, &saved, lane);
            }
            if let Some(Inst::Call(op)) =
                self.p.code.insts.get((to as usize).wrapping_sub(1)).map(Inst::plain)
            {
                for (&room, bytes) in op.returns.iter().zip(results) {
                    let taken = bytes.len().min(room.bytes as usize);
                    self.room_mut(room, lane)[..taken].copy_from_slice(&bytes[..taken]);
                }
            }
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

    fn restore(&mut self, callee: &Callee, saved: &Saved, lane: usize) {
        let regs = &mut self.w.regs[callee.slots.start as usize..callee.slots.end as usize];
        for (row, &value) in regs.iter_mut().zip(&saved.regs) {
            row[lane] = value;
        }
        let preds = &mut self.w.preds[callee.preds.start as usize..callee.preds.end as usize];
        for (row, &value) in preds.iter_mut().zip(&saved.preds) {
            *row = *row & !(1 << lane) | u32::from(value) << lane;
        }
        self.room_mut(callee.memory, lane).copy_from_slice(&saved.memory);
    }

    fn room(&self, room: Room, lane: usize) -> &[u8] {
        let start = self.p.code.local_bytes as usize * lane + room.at as usize;
        &self.w.local[start..start + room.bytes as usize]
    }

    fn room_mut(&mut self, room: Room, lane: usize) -> &mut [u8] {
        let start = self.p.code.local_bytes as usize * lane + room.at as usize;
        &mut self.w.local[start..start + room.bytes as usize]
    }

    /// manual: CUDA C++ programming guide, formatted output: the call gives 0 when all went well. What it would print is not
    /// shown, and the report says so.
    pub(super) fn print(&mut self, returns: &[Room]) -> Stepped {
        for lane in self.lanes() {
            for &room in returns {
                self.room_mut(room, lane).fill(0);
            }
        }
        let message = "the kernel calls printf; what it prints is not shown".to_owned();
        let told = Diagnostic::new(Code("printf-not-shown"), Level::Note, message)
            .source(Source::manual("CUDA C++ programming guide, formatted output"));
        let who = self.who();
        self.core.report(who, told);
        Ok(Step::Next)
    }

    /// A failed `assert` ends the launch (CUDA error 710). Its arguments: message, file, line, function, size of a character.
    pub(super) fn assert_fail(&mut self, arguments: &[Room]) -> Stop {
        let lane = self.first();
        let number = |room: Option<&Room>| {
            let mut bytes = [0; 8];
            if let Some(&room) = room {
                let given = self.room(room, lane);
                let taken = given.len().min(8);
                bytes[..taken].copy_from_slice(&given[..taken]);
            }
            u64::from_le_bytes(bytes)
        };
        let [text, file, line] = [0, 1, 2].map(|i| number(arguments.get(i)));
        let (text, file) = (self.string(text), self.string(file));
        self.fail(
            "assertion-failed",
            format!("the assertion {text} fails in lane {lane} ({file}:{line}; CUDA error 710)"),
        )
    }

    /// The zero-ended text at an address of device memory, as far as it can be read.
    fn string(&self, address: u64) -> String {
        let byte = |i: u64| {
            let at = self.core.memories.bytes(Space::Global, address.checked_add(i)?, 1).ok()?;
            at.first().copied()
        };
        let bytes = (0..SHOWN).map_while(byte);
        let bytes: Vec<u8> = bytes.take_while(|&b| b != 0).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
