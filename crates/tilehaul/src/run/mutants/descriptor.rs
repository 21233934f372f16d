//! D# fields made wrong in front of the instruction that reads them.
//!
//! One bit of the register that holds the field is flipped for the tensor instruction alone: registers and SCC are as they
//! were afterwards, so that a loop that keeps its D# in registers meets a wrong one each time round, and nothing else.

use tilehaul_descriptor::amd::tdm::format::{self, GROUP0, GROUP1};
use tilehaul_descriptor::field::{FieldSpec, FormatSpec};

use super::Change;

/// Fields that say what moves where, each with the bit of it that is flipped.
const FIELDS: [(&FormatSpec, &FieldSpec, u32); 12] = [
    (&GROUP0, &format::COUNT, 0),
    (&GROUP0, &format::LDS_ADDR, 4),
    (&GROUP0, &format::GLOBAL_ADDR, 4),
    (&GROUP1, &format::WORKGROUP_MASK, 0),
    (&GROUP1, &format::DATA_SIZE, 0),
    (&GROUP1, &format::ATOMIC_BARRIER_ENABLE, 0),
    (&GROUP1, &format::PAD_ENABLE, 0),
    (&GROUP1, &format::TENSOR_DIM0, 0),
    (&GROUP1, &format::TENSOR_DIM1, 0),
    (&GROUP1, &format::TILE_DIM0, 0),
    (&GROUP1, &format::TILE_DIM1, 0),
    (&GROUP1, &format::TENSOR_DIM0_STRIDE, 3),
];

/// Two scalar registers that a text does not use.
pub(super) struct Scratch(u32, u32);

impl Scratch {
    /// The last two of the file, when no operand names them.
    pub(super) fn free_in(text: &str) -> Option<Scratch> {
        let (a, b) = (104, 105);
        let used = text.contains(&format!("s{a}"))
            || text.contains(&format!("s{b}"))
            || text.contains(&format!(":{a}]"))
            || text.contains(&format!(":{b}]"));
        (!used).then_some(Scratch(a, b))
    }
}

/// Adds the mutants of a tensor instruction.
pub(super) fn changes(
    code: &str,
    mnemonic: &str,
    rest: &str,
    Scratch(kept, scc): &Scratch,
    list: &mut Vec<Change>,
) {
    if mnemonic != "tensor_load_to_lds" && mnemonic != "tensor_store_from_lds" {
        return;
    }
    let groups: Vec<Option<u32>> = rest.split(", ").map(first_register).collect();
    for (table, field, bit) in FIELDS {
        let group = usize::from(std::ptr::eq(table, &GROUP1));
        let (Some(Some(base)), Some(piece)) = (groups.get(group), field.pieces.first()) else { continue };
        let register = base + u32::from(piece.word);
        let mask = 1u32 << (u32::from(piece.low) + bit);
        let lines = [
            format!("s_cselect_b32 s{scc}, 1, 0"),
            format!("s_mov_b32 s{kept}, s{register}"),
            format!("s_xor_b32 s{register}, s{register}, {mask:#x}"),
            code.to_owned(),
            format!("s_mov_b32 s{register}, s{kept}"),
            format!("s_cmp_lg_u32 s{scc}, 0"),
        ];
        list.push((format!("flip bit {bit} of the D#'s {}", field.name), lines.join("\n\t")));
    }
}

/// 12 of `s[12:15]`.
fn first_register(operand: &str) -> Option<u32> {
    operand.trim().strip_prefix("s[")?.split(':').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_wrong_for_the_tensor_instruction_alone() {
        let code = "tensor_load_to_lds s[12:15], s[4:11]";
        let mut list = Vec::new();
        changes(code, "tensor_load_to_lds", "s[12:15], s[4:11]", &Scratch(104, 105), &mut list);
        let (what, text) = &list[9];
        assert_eq!(what, "flip bit 0 of the D#'s tile_dim0");
        assert_eq!(
            text,
            "s_cselect_b32 s105, 1, 0\n\ts_mov_b32 s104, s7\n\ts_xor_b32 s7, s7, 0x10000\n\t\
             tensor_load_to_lds s[12:15], s[4:11]\n\ts_mov_b32 s7, s104\n\ts_cmp_lg_u32 s105, 0"
        );
        assert!(Scratch::free_in("s_mov_b32 s104, 0").is_none());
        assert!(Scratch::free_in("s_mov_b32 s4, 0").is_some());
    }
}
