//! Rows of textures and surfaces, which are known by name only.

use super::Op::*;
use super::Support::*;
use super::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row(
        Unmodelled,
        "tex",
        "*? *? *? *? *? *?",
        "d,a,b?,c?,e?",
        "",
        Unsupported("textures are not modelled"),
        "Texture fetch.",
    ),
    row(
        Unmodelled,
        "tld4",
        "*? *? *? *? *? *?",
        "d,a,b?,c?,e?",
        "",
        Unsupported("textures are not modelled"),
        "Texture gather.",
    ),
    row(
        Unmodelled,
        "txq",
        "*? *? *? *? *? *?",
        "d,a,b?",
        "",
        Unsupported("textures are not modelled"),
        "Texture query.",
    ),
    row(
        Unmodelled,
        "suld",
        "*? *? *? *? *? *?",
        "d,a,b?",
        "",
        Unsupported("surfaces are not modelled"),
        "Surface load.",
    ),
    row(
        Unmodelled,
        "sust",
        "*? *? *? *? *? *?",
        "a,b,c?",
        "",
        Unsupported("surfaces are not modelled"),
        "Surface store.",
    ),
    row(
        Unmodelled,
        "sured",
        "*? *? *? *? *? *?",
        "a,b,c?",
        "",
        Unsupported("surfaces are not modelled"),
        "Surface reduction.",
    ),
    row(
        Unmodelled,
        "suq",
        "*? *? *? *? *? *?",
        "d,a",
        "",
        Unsupported("surfaces are not modelled"),
        "Surface query.",
    ),
];
