//! What the reader of PTX says.

use super::{Entry, OWN, PTX, PTXAS};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        code: "ptx-initialiser",
        means: "The initialiser of a variable names something that it cannot.",
        why: "Addresses in initialisers are those of global and constant variables.",
        fix: "Name such a variable.",
        source: PTX,
    },
    Entry {
        code: "ptx-operands",
        means: "An instruction has a wrong number of operands.",
        why: "ptxas refuses the text.",
        fix: "Give as many as the PTX ISA says.",
        source: PTXAS,
    },
    Entry {
        code: "ptx-syntax",
        means: "The text is no PTX at this place.",
        why: "ptxas refuses the text.",
        fix: "Mend the place shown.",
        source: PTXAS,
    },
    Entry {
        code: "ptx-target",
        means: "An instruction, or a modifier of it, does not exist on the target that the text is written for.",
        why: "ptxas refuses the text.",
        fix: "Write for a target that has it, or use another form.",
        source: PTXAS,
    },
    Entry {
        code: "ptx-unknown-instruction",
        means: "A spelling is not in the instruction table.",
        why: "Reaching it ends a run as unsupported. If ptxas refuses it too, it is misspelt.",
        fix: "Compare the spelling with the PTX ISA.",
        source: OWN,
    },
    Entry {
        code: "ptx-unknown-name",
        means: "A name is used that nothing declares.",
        why: "ptxas refuses the text.",
        fix: "Declare it, or mend the spelling.",
        source: PTXAS,
    },
    Entry {
        code: "ptx-variable-size",
        means: "A variable is larger than its memory.",
        why: "ptxas or the driver refuses it.",
        fix: "Declare less.",
        source: PTXAS,
    },
];
