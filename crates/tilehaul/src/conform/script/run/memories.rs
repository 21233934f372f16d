//! Plain accesses, fences, edits of maps and single-word asynchronous operations of scripts.

use tilehaul_descriptor::nvidia::Architecture;
use tilehaul_descriptor::nvidia::tensor_map::{self, Field, MAP_BYTES};
use tilehaul_engine::Memory;
use tilehaul_engine::bulk;
use tilehaul_engine::reduce::{ReduceOp, ReduceType, Reduction};
use tilehaul_engine::tma::{Cluster, TmaFault};

use super::copies::{aligned_map, word};
use super::{Blob, Interpreter, Log, Place, Stop, Value};
use crate::conform::Refusal;
use crate::conform::script::ops::Op;

/// The comparand, and the new value, of the kernel's compare-and-swap.
const SWAPPED: u64 = 0x0123_4567;
/// A piece of a signal of single-word operations: they signal once.
const WHOLE: u32 = u32::MAX;

impl Interpreter {
    /// One access by CTA `cta`.
    pub(super) fn memory_op(&mut self, cta: usize, op: &Op) -> Result<Option<Value>, Stop> {
        match op.name.as_str() {
            "fill" => {
                let place = self.place(cta, op.shared(0)?)?;
                let byte = op.number(2)? as u8;
                self.shared(place).bytes_mut(place.address, u64::from(op.number(1)?))?.fill(byte);
            }
            "copyin" => {
                let place = self.place(cta, op.shared(0)?)?;
                let len = u64::from(op.number(1)?);
                let source = self.device.global.address(&op.value(2))?;
                let bytes = self.device.global.bytes(source, len)?.to_vec();
                let known = self.device.global.known(source, len);
                self.shared(place).bytes_mut(place.address, len)?.copy_from_slice(&bytes);
                self.shared(place).set_known(place.address, &known);
            }
            "lds" | "lds_r" => {
                let place = self.present(self.place(cta, op.shared(0)?)?, cta)?;
                return Ok(Some(self.load_shared(place, 8)?));
            }
            "lds32" => {
                let place = self.place(cta, op.shared(0)?)?;
                return Ok(Some(match self.load_shared(place, 4)? {
                    Value::Word(bits) => Value::Number(i64::from(bits as u32)),
                    other => other,
                }));
            }
            "sts" | "gsts" => {
                let place = self.place(cta, op.shared(0)?)?;
                let bits = self.device.global.address(&op.value(1))?;
                aligned(place.address, 8)?;
                self.shared(place).bytes_mut(place.address, 8)?.copy_from_slice(&bits.to_le_bytes());
                self.overwritten(place, 8);
            }
            "cas" => {
                let place = self.place(cta, op.shared(0)?)?;
                let old = self.load_shared(place, 8)?;
                if old == Value::Word(SWAPPED) {
                    self.shared(place).bytes_mut(place.address, 8)?.copy_from_slice(&SWAPPED.to_le_bytes());
                }
                return Ok(Some(old));
            }
            "ldsdump" => {
                let place = self.place(cta, op.shared(0)?)?;
                let count = u64::from(op.number(1)?);
                aligned(place.address, 8)?;
                let bytes = self.shared(place).bytes(place.address, count * 8)?;
                let words = bytes.as_chunks::<8>().0.iter().map(|w| u64::from_le_bytes(*w)).collect();
                self.launch.logs.push(Log::Words(words));
            }
            "ldg" => {
                let address = self.device.global.address(&op.value(0))?;
                aligned(address, 8)?;
                let bits = word(&self.device.global, address)?;
                let known = self.device.global.known(address, 8).iter().all(|known| *known);
                return Ok(Some(if known { Value::Word(bits) } else { Value::UnknownWord }));
            }
            "stg" => {
                let address = self.device.global.address(&op.value(0))?;
                let bits = self.device.global.address(&op.value(1))?;
                aligned(address, 8)?;
                self.device.global.bytes_mut(address, 8)?.copy_from_slice(&bits.to_le_bytes());
            }
            "pollg" => return Ok(Some(Value::IgnoredPair)),
            "fence" => self.fence(op)?,
            "prefmap" => {
                let address = self.device.global.address(&op.value(0))?;
                match self.fetch_map(address) {
                    // hardware: h200 fact 88. Unmapped memory shows only when the next launch starts.
                    Err(Stop::Fault(700)) => self.device.late_fault = Some(700),
                    other => drop(other?),
                }
            }
            "replace" => self.replace(cta, op)?,
            "cpmap" => {
                let place = self.place(cta, op.shared(0)?)?;
                let bytes = self.shared(place).bytes(place.address, MAP_BYTES as u64)?.to_vec();
                let address = self.device.global.address(&op.value(1))?;
                self.device.global.bytes_mut(address, MAP_BYTES as u64)?.copy_from_slice(&bytes);
            }
            "stasync" => {
                let bits = self.device.global.address(&op.value(2))?;
                self.store_async(cta, op, &bits.to_le_bytes())?;
            }
            "async" => self.numbered_async(cta, op)?,
            "cpasync" => {
                let place = self.place(cta, op.shared(0)?)?;
                let source = self.device.global.address(&op.value(1))?;
                aligned(place.address, 8)?;
                aligned(source, 8)?;
                let bits = word(&self.device.global, source)?;
                self.shared(place).bytes_mut(place.address, 8)?.copy_from_slice(&bits.to_le_bytes());
            }
            other => {
                return Err(Refusal::Unsupported(format!("accesses called \"{other}\" are not known")).into());
            }
        }
        Ok(None)
    }

    /// The bytes that every thread of CTA `cta` together copies out.
    pub(super) fn dump(&mut self, cta: usize, op: &Op) -> Result<Blob, Stop> {
        let place = self.place(cta, op.shared(0)?)?;
        let len = u64::from(op.number(1)?);
        let shared = self.shared(place);
        Ok(Blob {
            bytes: shared.bytes(place.address, len)?.to_vec(),
            known: shared.known(place.address, len)?,
        })
    }

    fn shared(&mut self, place: Place) -> &mut crate::conform::script::device::Shared {
        &mut self.device.ctas[place.cta].shared
    }

    /// A plain load of 4 or 8 bytes; it sees memory, not the barrier cache.
    fn load_shared(&mut self, place: Place, len: u64) -> Result<Value, Stop> {
        aligned(place.address, len)?;
        let shared = self.shared(place);
        let mut bits = [0; 8];
        bits[..len as usize].copy_from_slice(shared.bytes(place.address, len)?);
        Ok(if shared.is_known(place.address, len) {
            Value::Word(u64::from_le_bytes(bits))
        } else {
            Value::UnknownWord
        })
    }

    /// Of all fences only the acquire of a tensor map changes what is read here. hardware: h200 facts 83, 96.
    fn fence(&mut self, op: &Op) -> Result<(), Stop> {
        const LAST: u32 = 7;
        const ACQUIRE_MAP: u32 = 6;
        match op.number(0)? {
            ACQUIRE_MAP => {
                let address = self.device.global.address(&op.value(1))?;
                aligned_map(address)?;
                self.device.cached_maps.remove(&address);
                Ok(())
            }
            0..=LAST => Ok(()),
            other => Err(Refusal::Unsupported(format!("fences of number {other} are not known")).into()),
        }
    }

    /// `tensormap.replace` of the address, dimension 0 or box dimension 0, in shared or global memory.
    fn replace(&mut self, cta: usize, op: &Op) -> Result<(), Stop> {
        let field = match op.number(1)? {
            0 => Field::GlobalAddress,
            1 => Field::GlobalDim(0),
            2 => Field::BoxDim(0),
            other => {
                return Err(
                    Refusal::Unsupported(format!("map fields of number {other} are not known")).into()
                );
            }
        };
        let value = self.device.global.address(&op.value(4))?;
        let place = self.place(cta, op.shared(0)?)?;
        if op.number(2)? == 0 {
            let address = self.device.global.address(&op.value(3))?;
            return edit(&mut self.device.global, address, field, value);
        }
        let shared = self.shared(place);
        // Bytes that the edit leaves alone are as determined as before.
        let known = shared.known(place.address, MAP_BYTES as u64)?;
        edit(shared, place.address, field, value)?;
        shared.set_known(place.address, &known);
        Ok(())
    }

    /// `red.async` and `st.async` by the numbers of the recording kernel.
    fn numbered_async(&mut self, cta: usize, op: &Op) -> Result<(), Stop> {
        let value = op.wide(3)?;
        let half = (value as u32).to_le_bytes();
        match op.number(2)? {
            0 => self.reduce_async(cta, op, &half, (ReduceOp::Add, ReduceType::U32)),
            1 => self.reduce_async(cta, op, &half, (ReduceOp::Inc, ReduceType::U32)),
            2 => self.reduce_async(cta, op, &value.to_le_bytes(), (ReduceOp::Add, ReduceType::U64)),
            3 => self.reduce_async(cta, op, &half, (ReduceOp::Min, ReduceType::S32)),
            4 => self.store_async(cta, op, &half),
            5 => self.store_async(cta, op, &half.repeat(4)),
            other => {
                Err(Refusal::Unsupported(format!("asynchronous operations of number {other} are not known"))
                    .into())
            }
        }
    }

    /// hardware: h200 fact 95: it signals its own size, at the destination.
    fn store_async(&mut self, cta: usize, op: &Op, bytes: &[u8]) -> Result<(), Stop> {
        let (place, barrier) = self.async_places(cta, op, bytes.len() as u64)?;
        self.shared(place).bytes_mut(place.address, bytes.len() as u64)?.copy_from_slice(bytes);
        self.landed(barrier, bytes.len() as u32, WHOLE)
    }

    fn reduce_async(
        &mut self,
        cta: usize,
        op: &Op,
        bytes: &[u8],
        (reduce, ty): (ReduceOp, ReduceType),
    ) -> Result<(), Stop> {
        let (place, barrier) = self.async_places(cta, op, bytes.len() as u64)?;
        let unknown = || Refusal::Unsupported(format!("red.async {reduce:?} on {ty:?} is not known"));
        let reduction = Reduction::bulk_shared(reduce, ty).ok_or_else(unknown)?;
        reduction.apply(self.shared(place).bytes_mut(place.address, bytes.len() as u64)?, bytes);
        self.landed(barrier, bytes.len() as u32, WHOLE)
    }

    /// hardware: h200 facts 90, 92: not without a cluster; the barrier is that of the destination CTA.
    fn async_places(&self, cta: usize, op: &Op, len: u64) -> Result<(Place, Place), Stop> {
        if self.device.cluster == Cluster::None {
            return Err(TmaFault::NeedsCluster { what: "a store to the shared memory of a cluster" }.into());
        }
        let place = self.present(self.place(cta, op.shared(0)?)?, cta)?;
        let barrier = self.place(cta, op.shared(1)?)?;
        aligned(place.address, len)?;
        bulk::barrier(barrier.address)?;
        Ok((place, Place { cta: place.cta, address: barrier.address }))
    }
}

/// `tensormap.replace` on the 128 bytes at `address`.
fn edit<M: Memory>(memory: &mut M, address: u64, field: Field, value: u64) -> Result<(), Stop> {
    let mut bytes = [0; MAP_BYTES];
    bytes.copy_from_slice(memory.bytes(address, MAP_BYTES as u64)?);
    tensor_map::replace(&mut bytes, field, value, Architecture::SM_90A)
        .map_err(|error| Refusal::Malformed(error.to_string()))?;
    memory.bytes_mut(address, MAP_BYTES as u64)?.copy_from_slice(&bytes);
    Ok(())
}

/// Plain accesses are aligned to their size (error 716).
fn aligned(address: u64, alignment: u64) -> Result<(), TmaFault> {
    if address.is_multiple_of(alignment) {
        Ok(())
    } else {
        Err(TmaFault::Misaligned { operand: "address of the access", address, alignment })
    }
}
