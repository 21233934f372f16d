//! Line tables of code objects: which source line an instruction comes from.

use gimli::{EndianSlice, LittleEndian};
use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSection as _};

use super::kernel::Module;

/// Gives every instruction the file and line of the DWARF line table, where the code object has one.
///
/// A table that does not read leaves the instructions after it without a line: findings then show the instruction.
pub(crate) fn apply_line_table(file: &ElfFile64<'_, Endianness>, module: &mut Module) {
    let load = |id: gimli::SectionId| -> Result<EndianSlice<'_, LittleEndian>, gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|s| s.data().ok()).unwrap_or_default();
        Ok(EndianSlice::new(data, LittleEndian))
    };
    let Ok(dwarf) = gimli::Dwarf::load(load) else { return };
    let mut rows: Vec<(u64, u32, u32)> = Vec::new();
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let Some(program) = unit.line_program.clone() else { continue };
        let mut states = program.rows();
        while let Ok(Some((header, row))) = states.next_row() {
            let name = row.file(header).and_then(|f| dwarf.attr_string(&unit, f.path_name()).ok());
            let name = name.map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let file = match module.files.iter().position(|f| *f == name) {
                Some(i) => i,
                None => {
                    module.files.push(name);
                    module.files.len() - 1
                }
            };
            let line = if row.end_sequence() { 0 } else { row.line().map_or(0, |l| l.get() as u32) };
            rows.push((row.address(), file as u32, line));
        }
    }
    rows.sort_by_key(|r| r.0);
    for placed in &mut module.code {
        let after = rows.partition_point(|r| r.0 <= placed.address);
        placed.line = after.checked_sub(1).and_then(|i| rows.get(i)).filter(|r| r.2 != 0).map(|r| (r.1, r.2));
    }
}
