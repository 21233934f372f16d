//! `buffer_load_format_*` and `buffer_store_format_*` of gfx9: elements in the format that the V# names.
//!
//! A component is made a single (or an integer) on the way in and its format's bits on the way out; `d16` forms have halves,
//! two to a register. What the buffer's format lacks is what its component selects say. manual: CDNA3 ISA 9.1, buffer
//! formats; inferred: that a load out of range gives zeros in all components.

use half::f16;
use tilehaul_descriptor::amd::buffer_resource::{BufferAccess, BufferElement};
use tilehaul_machine::{Access, Core, LaneMask, Space, Who};

use crate::Gcn;
use crate::buffer::{buffer_operands, unsupported_buffer};
use crate::form::Kind;
use crate::memory::{channel_of, read_word, write_word};
use crate::op::{Flow, Op, Stop};
use crate::wave::Wave;

/// How the bits of a component are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Unorm,
    Snorm,
    Uscaled,
    Sscaled,
    Uint,
    Sint,
    Float,
}

/// What an element of a buffer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Typed {
    components: usize,
    /// Bits of each component.
    bits: u32,
    number: Number,
    /// What each result component takes: 0, 1, or a component from 4 on.
    select: [u32; 4],
}

/// The components whose selects name the element's own components in order.
const STRAIGHT: [u32; 4] = [4, 5, 6, 7];

impl Typed {
    /// From the fourth word of a V#; the reason where its format is not modelled.
    fn of(word: u32) -> Result<Typed, &'static str> {
        let (components, bits) = match word >> 15 & 15 {
            1 => (1, 8),
            2 => (1, 16),
            3 => (2, 8),
            4 => (1, 32),
            5 => (2, 16),
            10 => (4, 8),
            11 => (2, 32),
            12 => (4, 16),
            13 => (3, 32),
            14 => (4, 32),
            0 => return Err("the V# has no data format"),
            _ => return Err("a data format with components of unlike sizes"),
        };
        let number = match word >> 12 & 7 {
            0 => Number::Unorm,
            1 => Number::Snorm,
            2 => Number::Uscaled,
            3 => Number::Sscaled,
            4 => Number::Uint,
            5 => Number::Sint,
            7 if bits > 8 => Number::Float,
            _ => return Err("a number format that its data format does not have"),
        };
        if bits == 32 && !matches!(number, Number::Uint | Number::Sint | Number::Float) {
            return Err("a number format that its data format does not have");
        }
        Ok(Typed { components, bits, number, select: [0, 3, 6, 9].map(|at| word >> at & 7) })
    }

    fn bytes(self) -> u32 {
        self.components as u32 * self.bits / 8
    }

    /// A component of an element's bytes as it stands in a register.
    fn read(self, element: &[u8], component: usize) -> u32 {
        let size = self.bits as usize / 8;
        let raw = element.get(component * size..).map_or(0, |b| read_word(&b[..size.min(b.len())])) as u32;
        let signed = ((raw << (32 - self.bits)) as i32) >> (32 - self.bits);
        let most = |bits: u32| (1u64 << bits) as f32 - 1.0;
        let value = match self.number {
            Number::Uint => return raw,
            Number::Sint => return signed as u32,
            Number::Float if self.bits == 32 => return raw,
            Number::Float => f16::from_bits(raw as u16).to_f32(),
            Number::Unorm => raw as f32 / most(self.bits),
            Number::Snorm => (signed as f32 / most(self.bits - 1)).max(-1.0),
            Number::Uscaled => raw as f32,
            Number::Sscaled => signed as f32,
        };
        value.to_bits()
    }

    /// The bits of a component whose register holds `value`.
    fn write(self, value: u32) -> u32 {
        let x = f32::from_bits(value);
        let (unsigned, signed) = ((1u64 << self.bits) as f32 - 1.0, (1u64 << (self.bits - 1)) as f32 - 1.0);
        let bits = match self.number {
            Number::Uint | Number::Sint => value,
            Number::Float if self.bits == 32 => value,
            Number::Float => u32::from(f16::from_f32(x).to_bits()),
            Number::Unorm => (x.clamp(0.0, 1.0) * unsigned).round_ties_even() as u32,
            Number::Snorm => (x.clamp(-1.0, 1.0) * signed).round_ties_even() as i32 as u32,
            Number::Uscaled => x.clamp(0.0, unsigned) as u32,
            Number::Sscaled => x.clamp(-signed - 1.0, signed) as i32 as u32,
        };
        bits & u32::MAX >> (32 - self.bits)
    }

    /// A result component, after the selects.
    fn selected(self, element: &[u8], component: usize) -> u32 {
        match self.select[component & 3] {
            1 if matches!(self.number, Number::Uint | Number::Sint) => 1,
            1 => 1f32.to_bits(),
            n @ 4..=7 if (n as usize - 4) < self.components => self.read(element, n as usize - 4),
            _ => 0,
        }
    }

    /// Whether halves are floats.
    fn floats(self) -> bool {
        !matches!(self.number, Number::Uint | Number::Sint)
    }
}

/// `format_xy`: how many components, whether they are halves, and whether the half is the upper one.
fn components(name: &str) -> Option<(usize, bool, bool)> {
    let rest = name.split_once("_format_")?.1;
    let (rest, half) = rest.strip_prefix("d16_").map_or((rest, false), |r| (r, true));
    let (rest, high) = rest.strip_prefix("hi_").map_or((rest, false), |r| (r, true));
    matches!(rest, "x" | "xy" | "xyz" | "xyzw").then_some((rest.len(), half, high))
}

pub(crate) fn format<const L: usize>(
    g: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
) -> Result<Flow, Stop> {
    let Some((count, half, high)) = components(op.name()).filter(|_| !w.gfx12) else {
        return Err(g.not_modelled(op.place));
    };
    let loads = op.name().starts_with("buffer_load");
    let (resource, accesses) = buffer_operands(w, op);
    let typed = Typed::of(w.rs(usize::from(op.rsrc) + 3)).map_err(|what| unsupported_buffer(g, op, what))?;
    if !loads && (typed.select != STRAIGHT || typed.components > count) {
        let what = "a store of fewer components than the V# has, or of others";
        return Err(unsupported_buffer(g, op, what));
    }
    let who = w.who(op);
    let channel = channel_of(w.gfx12, if loads { Kind::Load } else { Kind::Store }, false);
    let seq = w.next(core, channel);
    let at = w.reg(if loads { op.vdst } else { op.data });
    let size = typed.bytes();
    for lane in who.lanes.iter() {
        let slot = lane as usize % L;
        let access = BufferAccess { format_op: true, ..accesses[slot] };
        let address = match resource.element(&access, 0, size, 1, true) {
            BufferElement::At(address) => Some(address),
            BufferElement::OutOfRange => None,
            BufferElement::Unsupported(what) => return Err(unsupported_buffer(g, op, what)),
        };
        let here = [address.unwrap_or(0); L];
        let one = Who { lanes: LaneMask::one(lane), ..who };
        let access = Access::new(one, Space::Global, &here, size).on(channel, seq);
        if loads {
            let mut values = [0u32; 4];
            if address.is_some() {
                core.load(&access, |_, element| {
                    values = std::array::from_fn(|i| typed.selected(element, i));
                })?;
            }
            for (i, value) in values.into_iter().enumerate().take(count) {
                if half {
                    let short = if typed.floats() {
                        f16::from_f32(f32::from_bits(value)).to_bits()
                    } else {
                        value as u16
                    };
                    let word = &mut w.v[(at + i / 2) & 1023][slot];
                    *word = crate::valu::merge_half(*word, short, high || i % 2 == 1);
                } else {
                    w.v[(at + i) & 1023][slot] = value;
                }
            }
        } else if address.is_some() {
            let values: [u32; 4] = std::array::from_fn(|i| {
                if !half {
                    return w.v[(at + i) & 1023][slot];
                }
                let word = w.v[(at + i / 2) & 1023][slot];
                let short = if high || i % 2 == 1 { word >> 16 } else { word & 0xffff };
                if typed.floats() { f16::from_bits(short as u16).to_f32().to_bits() } else { short }
            });
            core.store(&access, |_, element| {
                for (slot, value) in element.chunks_exact_mut(typed.bits as usize / 8).zip(values) {
                    write_word(slot, u64::from(typed.write(value)));
                }
            })?;
        }
    }
    if loads {
        let registers = if half { count.div_ceil(2) } else { count };
        w.fills(core, op.vdst, registers as u16, channel, seq, op.place);
    }
    Ok(Flow::Next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(data: u32, number: u32) -> u32 {
        data << 15 | number << 12 | 0o7654
    }

    #[test]
    fn components_survive_a_round_trip() {
        for (data, bits) in [(10, 8), (12, 16), (14, 32)] {
            for number in [0, 1, 4, 5, 7] {
                let Ok(typed) = Typed::of(word(data, number)) else { continue };
                for raw in [0u32, 1, 77, 127] {
                    let element = raw.to_le_bytes().repeat(4);
                    let bytes: Vec<u8> = element.chunks(4).flat_map(|w| w[..bits / 8].to_vec()).collect();
                    assert_eq!(typed.write(typed.read(&bytes, 3)), raw, "{data} {number}");
                }
            }
        }
    }

    #[test]
    fn normalised_bytes_are_fractions_of_255_and_selects_fill_in() {
        let typed = Typed::of(word(10, 0)).unwrap();
        assert_eq!(f32::from_bits(typed.read(&[0, 51, 255, 1], 1)), 0.2);
        assert_eq!(Typed::of(word(10, 1)).map(|t| f32::from_bits(t.read(&[128, 0, 0, 0], 0))), Ok(-1.0));
        let one = Typed { select: [4, 0, 1, 7], ..Typed::of(word(1, 4)).unwrap() };
        assert_eq!([0, 1, 2, 3].map(|i| one.selected(&[9], i)), [9, 0, 1, 0]);
        assert!(Typed::of(word(6, 7)).is_err() && Typed::of(word(4, 0)).is_err());
    }
}
