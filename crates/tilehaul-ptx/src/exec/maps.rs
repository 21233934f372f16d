//! Tensor maps that a kernel makes: `tensormap.replace`, `tensormap.cp_fenceproxy`, and what the driver would have said.

use tilehaul_descriptor::nvidia::tensor_map::{
    Context, Field, MAP_BYTES, TensorMap, refused_map, refused_value, replace, rules::ADDRESS_ALIGNMENT,
};
use tilehaul_diag::{Diagnostic, Level};
use tilehaul_machine::{Access, ProxyFence, Space};

use super::addresses::Where;
use super::{Cx, Step, Stepped, Stop};
use crate::inst::{Addr, Mem, ReplaceField};

impl Cx<'_> {
    pub(super) fn replace(&mut self, field: &ReplaceField, addr: Addr, space: Mem, value: u32) -> Stepped {
        let addresses = self.addresses(addr);
        let n = field.ordinal;
        let field = match field.name.as_str() {
            "global_address" => Field::GlobalAddress,
            "rank" => Field::Rank,
            "box_dim" => Field::BoxDim(n),
            "global_dim" => Field::GlobalDim(n),
            "global_stride" => Field::GlobalStride(n),
            "element_stride" => Field::ElementStride(n),
            "elemtype" => Field::ElementType,
            "interleave_layout" => Field::InterleaveLayout,
            "swizzle_mode" => Field::SwizzleMode,
            "swizzle_atomicity" => Field::SwizzleAtomicity,
            "fill_mode" => Field::FillMode,
            other => return Err(Stop::Unsupported(format!("tensormap.replace of {other}"))),
        };
        for lane in self.lanes() {
            let (Where::Memory(space), at) = self.resolve(space, addresses[lane])? else {
                return Err(self.fail(
                    "tensor-map-address",
                    "tensormap.replace of a map in parameter memory".to_owned(),
                ));
            };
            let value = self.reg(value)[lane];
            let inside = [at; 64];
            let access = Access::new(self.who_of(1 << lane), space, &inside, MAP_BYTES as u32);
            let architecture = self.p.architecture;
            let mut refused = None;
            let mut map = [0; MAP_BYTES];
            // manual: one weak read and write of the whole 1024 bits.
            self.core.load(&access, |_, bytes| map.copy_from_slice(bytes)).map_err(|t| self.trap(t))?;
            if let Err(error) = replace(&mut map, field, value, architecture) {
                refused = Some(error);
            }
            if let Some(error) = refused {
                return Err(self.fail("tensormap-replace", format!("tensormap.replace: {error}")));
            }
            self.core.store(&access, |_, bytes| bytes.copy_from_slice(&map)).map_err(|t| self.trap(t))?;
            self.judge_replaced(lane, field, value, &map);
        }
        Ok(Step::Next)
    }

    /// Says what the driver would have said of a value that the map has no room for.
    fn judge_replaced(&mut self, lane: usize, field: Field, value: u64, map: &[u8; MAP_BYTES]) {
        let context = Context { architecture: self.p.architecture, ..Context::default() };
        // Mostly legal: nothing is read back then.
        if refused_value(field, value, None, &context).is_empty() {
            return;
        }
        let map = TensorMap::decode(map, self.p.architecture).map;
        // Along a dimension of one element its stride moves nothing.
        let idle = matches!((field, &map), (Field::GlobalStride(n @ 0..=3), Some(map)) if map.dims[n as usize + 1] == 1);
        for mut told in refused_value(field, value, map.as_ref(), &context) {
            if idle {
                told.level = Level::Warning;
            }
            let who = self.who_of(1 << lane);
            self.core.report(who, told);
        }
    }

    /// Says what the driver would have said of a map in memory: a kernel may have made it. Those in parameters are the host's.
    pub(super) fn judge_made(&mut self, lane: usize, bytes: &[u8; MAP_BYTES]) {
        let Some(map) = TensorMap::fetch(bytes, self.p.architecture) else { return };
        let context = Context { architecture: self.p.architecture, ..Context::default() };
        // The copy itself dies of an address without its alignment.
        let address = |told: &Diagnostic| told.code.0 == ADDRESS_ALIGNMENT.code.0;
        for told in refused_map(&map, &context).into_iter().filter(|told| !address(told)) {
            let who = self.who_of(1 << lane);
            let note = "The engine takes the map all the same; what it then moves is nowhere defined.";
            self.core.report(who, told.note(note));
        }
    }

    pub(super) fn map_copy(&mut self, dst: Addr, src: Addr) -> Stepped {
        if let Some(step) = self.need_warp() {
            return Ok(step);
        }
        // The warp copies together; its lanes name one map, and the lowest writes it.
        let lane = self.first();
        let (to, from) = (self.address(dst, lane), self.address(src, lane));
        let (block, offset) = self.shared(from as u32)?;
        let who = self.who();
        let one = self.who_of(1 << lane);
        let mut map = [0; MAP_BYTES];
        // manual: PTX ISA, tensormap.cp_fenceproxy: which lane reads is not said, and .sync orders no memory accesses (as
        // bar.warp.sync does), so that every lane must know of what it copies.
        let inside = [offset; 64];
        let access = Access::new(who, Space::Shared(block), &inside, MAP_BYTES as u32);
        self.core.load(&access, |_, bytes| map.copy_from_slice(bytes)).map_err(|t| self.trap(t))?;
        let (Where::Memory(Space::Global), at) = self.resolve(Mem::Generic, to)? else {
            return Err(self
                .fail("tensor-map-address", "tensormap.cp_fenceproxy writes global memory only".to_owned()));
        };
        let inside = [at; 64];
        let access = Access::new(one, Space::Global, &inside, MAP_BYTES as u32);
        self.core.store(&access, |_, bytes| bytes.copy_from_slice(&map)).map_err(|t| self.trap(t))?;
        // All lanes have been there, and none of them still reads the copy in shared memory.
        self.core.lanes_meet(who);
        self.core.proxy_fence(who, ProxyFence::TensormapRelease);
        Ok(Step::Next)
    }
}
