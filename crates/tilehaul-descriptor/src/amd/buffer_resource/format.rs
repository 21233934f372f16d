//! The bits of a V#, one table a generation.

use tilehaul_diag::Source;

use crate::field::Encoding::{Choice, Flag, Plain, Reserved, Shifted};
use crate::field::{FormatSpec, bits, field};

pub(super) const GFX9: Source = Source::manual("CDNA3 ISA 9.1.8, buffer resource");
pub(super) const GFX1250: Source =
    Source::inferred("rocjitsu gfx1250 buffer resource, ROCm/rocm-systems #8784");

/// V# of gfx9 (CDNA1 to CDNA4).
pub static VBUF_GFX9: FormatSpec = FormatSpec {
    name: "V# (gfx9)",
    words: 4,
    fields: &[
        field("base", &[bits(0, 0, 32), bits(1, 0, 16)], Plain, "bytes", "Address of the first byte.", GFX9),
        field("stride", &[bits(1, 16, 14)], Plain, "bytes", "Bytes of a record; 0 for a raw buffer.", GFX9),
        field("cache_swizzle", &[bits(1, 30, 1)], Flag, "", "Spreads the buffer over cache banks.", GFX9),
        field("swizzle_enable", &[bits(1, 31, 1)], Flag, "", "Array-of-structures swizzle.", GFX9),
        field(
            "num_records",
            &[bits(2, 0, 32)],
            Plain,
            "bytes",
            "Range: bytes, or records for an indexed access with a stride.",
            GFX9,
        ),
        field("dst_sel_x", &[bits(3, 0, 3)], Plain, "", "Component select of format operations.", GFX9),
        field("dst_sel_y", &[bits(3, 3, 3)], Plain, "", "Component select of format operations.", GFX9),
        field("dst_sel_z", &[bits(3, 6, 3)], Plain, "", "Component select of format operations.", GFX9),
        field("dst_sel_w", &[bits(3, 9, 3)], Plain, "", "Component select of format operations.", GFX9),
        field("num_format", &[bits(3, 12, 3)], Plain, "", "Number format of format operations.", GFX9),
        field(
            "data_format",
            &[bits(3, 15, 4)],
            Plain,
            "",
            "Data format; stride bits 17:14 when add_tid_enable is set.",
            GFX9,
        ),
        field("user_vm", &[bits(3, 19, 2)], Plain, "", "User virtual-memory bits.", GFX9),
        field(
            "index_stride",
            &[bits(3, 21, 2)],
            Shifted(8),
            "records",
            "Records of one swizzle block.",
            GFX9,
        ),
        field("add_tid_enable", &[bits(3, 23, 1)], Flag, "", "Adds the lane number to the index.", GFX9),
        field("reserved_125_120", &[bits(3, 24, 6)], Reserved(0), "", "Reserved or driver state, 0.", GFX9),
        field("type", &[bits(3, 30, 2)], Choice(&[(0, "buffer")]), "", "Must be 0 (buffer).", GFX9),
    ],
};

/// V# of gfx1250.
pub static VBUF_GFX1250: FormatSpec = FormatSpec {
    name: "V# (gfx1250)",
    words: 4,
    fields: &[
        field(
            "base",
            &[bits(0, 0, 32), bits(1, 0, 25)],
            Plain,
            "bytes",
            "Address of the first byte.",
            GFX1250,
        ),
        field(
            "num_records",
            &[bits(1, 25, 7), bits(2, 0, 32), bits(3, 0, 6)],
            Plain,
            "bytes",
            "Range in bytes.",
            GFX1250,
        ),
        field("reserved_107_102", &[bits(3, 6, 6)], Reserved(0), "", "Reserved, 0.", GFX1250),
        field("stride", &[bits(3, 12, 14)], Plain, "units", "Record size in units of stride_scale.", GFX1250),
        field(
            "stride_scale",
            &[bits(3, 26, 2)],
            Choice(&[(0, "1"), (1, "4"), (2, "8"), (3, "32")]),
            "",
            "Bytes of a stride unit.",
            GFX1250,
        ),
        field("swizzle_enable", &[bits(3, 28, 1)], Flag, "", "Array-of-structures swizzle.", GFX1250),
        field(
            "oob_select",
            &[bits(3, 29, 1)],
            Flag,
            "",
            "Also checks the offset inside a record against the stride.",
            GFX1250,
        ),
        field("type", &[bits(3, 30, 2)], Choice(&[(0, "buffer")]), "", "Must be 0 (buffer).", GFX1250),
    ],
};
