//! The image of one instruction in element numbers of its operands.

use crate::apply::operand::Fitted;
use crate::tmem::NativeImage;

/// Offsets of every lane's register (and half) from the origin of an atom, as element numbers.
pub(super) struct Atom {
    pub(super) image: NativeImage,
    /// By lane, then register: element offset in the register operand.
    pub(super) register: Vec<u64>,
    /// By access; within one by lane, register and half.
    pub(super) tensor: Vec<Vec<Spot>>,
}

/// One half of one register.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) lane: u32,
    pub(super) register: u32,
    /// Row of the image.
    pub(super) row: i64,
    /// Column of the image.
    pub(super) column: i64,
    pub(super) half: i64,
    /// Elements from the atom's origin in the tensor operand.
    pub(super) offset: u64,
}

impl Atom {
    pub(super) fn new(image: &NativeImage, registers: &Fitted<'_>, views: &[Fitted<'_>]) -> Atom {
        let split = image.accesses() == 2;
        let parts = image.packing().parts();
        let register_steps = registers.atom_steps(if split { 3 } else { 2 });
        let step = |steps: &[u64], k: usize| steps.get(k).copied().unwrap_or(0);
        let mut register = Vec::new();
        let mut tensor = vec![Vec::new(); views.len()];
        for lane in 0..32 {
            for r in 0..image.registers() {
                let Some((access, row, column)) = image.coordinate(lane, r) else { continue };
                let (row, column) = (u64::from(row), u64::from(column));
                let lead = if split { u64::from(access) * step(register_steps, 0) } else { 0 };
                let k = usize::from(split);
                register.push(lead + row * step(register_steps, k) + column * step(register_steps, k + 1));
                let Some((view, spots)) = views.get(access as usize).zip(tensor.get_mut(access as usize))
                else {
                    continue;
                };
                let steps = view.atom_steps(if parts == 2 { 3 } else { 2 });
                for half in 0..u64::from(parts) {
                    let offset = row * step(steps, 0) + column * step(steps, 1) + half * step(steps, 2);
                    // Rows, columns and halves of an image are small.
                    let (row, column, half) = (row as i64, column as i64, half as i64);
                    spots.push(Spot { lane, register: r, row, column, half, offset });
                }
            }
        }
        Atom { image: image.clone(), register, tensor }
    }
}
