//! Exchange inside a warp.

use super::Op::*;
use super::Support::Manual;
use super::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row(Shfl, "shfl", "sync up|down|bfly|idx b32", "d,a,b,c,mask", "30", Manual, "Exchange between lanes."),
    row(Vote, "vote", "sync all|any|uni pred", "p,a,mask", "30", Manual, "Vote of the lanes."),
    row(Vote, "vote", "sync ballot b32", "d,a,mask", "30", Manual, "Votes of the lanes as bits."),
    row(MatchSync, "match", "any sync b32|b64", "d,a,mask", "70", Manual, "Lanes with the same value."),
    row(
        MatchSync,
        "match",
        "all sync b32|b64",
        "d,a,mask",
        "70",
        Manual,
        "Whether all lanes hold the same value.",
    ),
    row(Activemask, "activemask", "b32", "d", "30", Manual, "Lanes that run together."),
    row(Redux, "redux", "sync add|min|max u32|s32", "d,a,mask", "80", Manual, "Reduction over the lanes."),
    row(Redux, "redux", "sync and|or|xor b32", "d,a,mask", "80", Manual, "Bitwise reduction over the lanes."),
    row(
        Redux,
        "redux",
        "sync min|max abs? NaN? f32",
        "d,a,mask",
        "100a 100f 103a 103f",
        Manual,
        "Smallest or largest float over the lanes.",
    ),
    row(Elect, "elect", "sync", "d,mask", "90", Manual, "Elects one lane: here the lowest."),
];
