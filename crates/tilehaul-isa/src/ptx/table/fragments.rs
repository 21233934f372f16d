//! Rows of matrix fragments whose layout is the hardware's own.

use super::Op::*;
use super::Support::*;
use super::{Row, row};

const WMMA: super::Support =
    Approximate("the manual leaves open where the elements of a fragment lie: as for mma.sync here");

pub(super) const ROWS: &[Row] = &[
    row(
        WmmaLoad,
        "wmma.load",
        "=a|b|c sync aligned row|col m16n16k16|m32n8k16|m8n32k16|m16n16k8|m8n8k4 global|shared|shared::cta? f16|bf16|tf32|s8|u8|f32|s32|f64",
        "d,[a],c?",
        "70",
        WMMA,
        "A fragment from memory.",
    ),
    row(
        WmmaStore,
        "wmma.store",
        "=d sync aligned row|col m16n16k16|m32n8k16|m8n32k16|m16n16k8|m8n8k4 global|shared|shared::cta? f16|f32|s32|f64",
        "[a],b,c?",
        "70",
        WMMA,
        "A fragment of results to memory.",
    ),
    row(
        WmmaMma,
        "wmma.mma",
        "sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 f16|f32 f16|f32",
        "d,a,b,c",
        "70",
        WMMA,
        "Product of fragments of halves.",
    ),
    row(
        WmmaMma,
        "wmma.mma",
        "sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 f32 bf16 bf16 f32",
        "d,a,b,c",
        "80",
        WMMA,
        "Product of fragments of bfloats.",
    ),
    row(
        WmmaMma,
        "wmma.mma",
        "sync aligned row|col row|col m16n16k8 f32 tf32 tf32 f32",
        "d,a,b,c",
        "80",
        WMMA,
        "Product of fragments of tf32.",
    ),
    row(
        WmmaMma,
        "wmma.mma",
        "sync aligned row|col row|col m16n16k16|m32n8k16|m8n32k16 s32 s8|u8 s8|u8 s32 satfinite?",
        "d,a,b,c",
        "72",
        WMMA,
        "Product of fragments of bytes.",
    ),
    row(
        WmmaMma,
        "wmma.mma",
        "sync aligned row|col row|col m8n8k4 rn? f64 f64 f64 f64",
        "d,a,b,c",
        "80",
        WMMA,
        "Product of fragments of doubles.",
    ),
    row(
        Unmodelled,
        "wmma.load",
        "=a|b|c sync aligned row|col m8n8k32|m8n8k128 global|shared|shared::cta|shared::cluster? s4|u4|b1|s32",
        "d,[a],c?",
        "75",
        Unsupported("fragments of 4-bit integers and single bits are not modelled"),
        "A fragment of 4-bit integers or single bits from memory.",
    ),
    row(
        Unmodelled,
        "wmma.store",
        "=d sync aligned row|col m8n8k32|m8n8k128 global|shared|shared::cta|shared::cluster? s32",
        "[a],b,c?",
        "75",
        Unsupported("fragments of 4-bit integers and single bits are not modelled"),
        "A fragment of results to memory.",
    ),
    row(
        Unmodelled,
        "wmma.mma",
        "sync aligned row col m8n8k32 s32 s4|u4 s4|u4 s32 satfinite?",
        "d,a,b,c",
        "75",
        Unsupported("fragments of 4-bit integers and single bits are not modelled"),
        "Product of fragments of 4-bit integers.",
    ),
    row(
        Unmodelled,
        "wmma.mma",
        "xor|and popc sync aligned row col m8n8k128 s32 b1 b1 s32",
        "d,a,b,c",
        "75",
        Unsupported("fragments of 4-bit integers and single bits are not modelled"),
        "Product of fragments of single bits.",
    ),
];
