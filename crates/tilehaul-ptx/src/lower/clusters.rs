//! `clusterlaunchcontrol`: taking over the work of clusters that have not started.

use tilehaul_isa::ptx::Op;
use tilehaul_isa::ptx::ast::Type;

use super::operands::space;
use super::{At, Lower, Lowered};
use crate::inst::Inst;

impl<'m> Lower<'m> {
    pub(super) fn cluster_cancel(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        if op == Op::ClusterTryCancel {
            return Ok(Inst::ClusterTryCancel {
                addr: self.address(at, 0)?,
                mbar: self.address(at, 1)?,
                space: space(at.opcode),
                all: at.opcode.has("multicast::cluster::all"),
            });
        }
        let answer = match self.source_list(at, 1, Type::B64)?[..] {
            [low, high] => [low, high],
            _ => return Err("the answer is a value of 128 bits".to_owned()),
        };
        if op == Op::ClusterIsCanceled {
            let p = self.pred_dst(at, at.ops.first().ok_or("no operands")?)?;
            return Ok(Inst::ClusterIsCanceled { p, answer });
        }
        let d = self.destination_list(at, 0)?;
        let first = at.opcode.first(|m| match m {
            "get_first_ctaid::x" => Some(0),
            "get_first_ctaid::y" => Some(1),
            "get_first_ctaid::z" => Some(2),
            _ => None,
        });
        let wanted = if first.is_some() { 1 } else { 4 };
        if d.len() != wanted {
            return Err(format!("{} registers are given, {wanted} are needed", d.len()));
        }
        Ok(Inst::ClusterFirstBlock { d: d.into(), answer, first: first.unwrap_or(0) })
    }
}
