//! The instruction table: one row a family, from which the reader's validation, the executor's dispatch and the
//! reference page come.
//!
//! A row's `modifiers` are slots, separated by blanks. A slot lists what may stand there (`a|b|c`), `?` at its end makes
//! it optional, and `*` stands for any run of characters. A spelling belongs to the first row whose every modifier fills a
//! slot and whose every required slot is filled; modifiers that fit several slots fill them from left to right, which
//! keeps `cvt.f16.f32` and `mma…f32.f16.f16.f32` apart and lets compilers order the others as they like. What ptxas takes
//! in one order only keeps it here, too: a slot that begins with `=` is a word of the name and stands where it stands in
//! the row, and state spaces, types and layouts of matrices come in the order of their slots.

mod bulk;
mod convert;
mod float;
mod flow;
mod fragments;
mod integer;
mod logic;
mod matrix;
mod memory;
mod multimem;
mod spelling;
mod sync;
mod targets;
mod tensor_memory;
mod texture;
mod video;
mod warpgroup;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use spelling::fills;

/// The family that the executor dispatches on; one implementation each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the doc of each is its row's")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Mul24,
    Mad,
    Mad24,
    Fma,
    Div,
    Rem,
    Abs,
    Neg,
    Min,
    Max,
    Sad,
    Popc,
    Clz,
    Bfind,
    Fns,
    Brev,
    Bfe,
    Bfi,
    Bmsk,
    Szext,
    Dp4a,
    Dp2a,
    AddCc,
    Addc,
    SubCc,
    Subc,
    MadCc,
    Madc,
    Testp,
    Copysign,
    Rcp,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Lg2,
    Ex2,
    Tanh,
    Set,
    Setp,
    Selp,
    Slct,
    And,
    Or,
    Xor,
    Not,
    Cnot,
    Lop3,
    Shf,
    Shl,
    Shr,
    Mov,
    Prmt,
    Cvt,
    CvtPack,
    Video,
    Ld,
    St,
    Prefetch,
    Discard,
    Isspacep,
    Cvta,
    Mapa,
    Getctarank,
    Createpolicy,
    CacheHint,
    StAsync,
    ClusterTryCancel,
    ClusterIsCanceled,
    ClusterFirstBlock,
    RedAsync,
    StBulk,
    Alloca,
    Stack,
    Bra,
    BrxIdx,
    Call,
    Ret,
    Exit,
    Trap,
    Brkpt,
    Nanosleep,
    Pmevent,
    Bar,
    BarWarpSync,
    BarrierCluster,
    Fence,
    FenceProxyAsync,
    FenceProxyAlias,
    FenceMbarrierInit,
    FenceSyncRestrict,
    FenceTensormapRelease,
    FenceTensormapAcquire,
    Atom,
    Red,
    Vote,
    MatchSync,
    Activemask,
    Redux,
    Griddepcontrol,
    Elect,
    Setmaxnreg,
    Shfl,
    MbarrierInit,
    MbarrierInval,
    MbarrierArrive,
    MbarrierArriveDrop,
    MbarrierExpectTx,
    MbarrierCompleteTx,
    MbarrierTestWait,
    MbarrierTryWait,
    MbarrierPendingCount,
    MbarrierCheckLayout,
    CpAsync,
    CpAsyncCommit,
    CpAsyncWait,
    CpAsyncWaitAll,
    CpAsyncMbarrierArrive,
    Bulk,
    BulkReduce,
    BulkPrefetch,
    BulkTensorLoad,
    BulkTensorStore,
    BulkTensorReduce,
    BulkTensorPrefetch,
    BulkCommit,
    BulkWait,
    TensormapReplace,
    TensormapCpFence,
    Ldmatrix,
    Stmatrix,
    Movmatrix,
    Mma,
    WarpProduct,
    QuadProduct,
    LoadNarrow,
    StoreNarrow,
    WmmaLoad,
    WmmaStore,
    WmmaMma,
    WgmmaFence,
    WgmmaCommit,
    WgmmaWait,
    WgmmaMma,
    TcAlloc,
    TcDealloc,
    TcRelinquish,
    TcLd,
    TcLdRed,
    TcSt,
    TcWaitLd,
    TcWaitSt,
    TcCp,
    TcShift,
    TcMma,
    TcCommit,
    TcFenceBefore,
    TcFenceAfter,
    /// Known by name, executed by nothing.
    Unmodelled,
}

/// How well the executor's answer is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// Bit for bit what a device answered; the citation says where.
    Hardware(&'static str),
    /// From the PTX manual; the result is fully defined there.
    Manual,
    /// The manual leaves bits open; the closest faithful result is computed.
    Approximate(&'static str),
    /// Executing it ends the run as unsupported, for this reason.
    Unsupported(&'static str),
}

/// One family of spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What the executor does.
    pub op: Op,
    /// The spelling before the first modifier.
    pub name: &'static str,
    /// The modifier slots.
    pub modifiers: &'static str,
    /// Operands, separated by commas; one with `?` at its end may be left out, and `policy?`, `mask?`, `offsets?` and `q?` follow
    /// from the modifiers.
    pub operands: &'static str,
    /// Architectures that have it: a number is the first one, a number with a letter one of several exact ones; empty
    /// for all.
    pub targets: &'static str,
    /// How well its answer is known.
    pub support: Support,
    /// One sentence.
    pub doc: &'static str,
}

/// Shorthand for table rows.
const fn row(
    op: Op,
    name: &'static str,
    modifiers: &'static str,
    operands: &'static str,
    targets: &'static str,
    support: Support,
    doc: &'static str,
) -> Row {
    Row { op, name, modifiers, operands, targets, support, doc }
}

/// A distinct spelling of an opcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opcode {
    /// As written: `mbarrier.try_wait.parity.shared::cta.b64`.
    pub text: String,
    /// What stands after the row's name, without dots.
    pub modifiers: Vec<String>,
    /// The row it belongs to, if any.
    pub row: Option<&'static Row>,
}

impl Opcode {
    /// Finds the row of a spelling.
    #[must_use]
    pub fn new(text: &str) -> Opcode {
        let (row, modifiers) = find(text);
        Opcode { text: text.to_owned(), modifiers, row }
    }

    /// True when that modifier is written.
    #[must_use]
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers.iter().any(|m| m == modifier)
    }

    /// What keeps this spelling from existing on `target` (`sm_90a`, `sm_100f`): the modifiers that need another one, empty
    /// when the instruction itself does, and the targets that have them. `None` when it exists, or has no row.
    #[must_use]
    pub fn missing_on(&self, target: &str) -> Option<(&'static str, &'static str)> {
        let row = self.row?;
        if !among(row.targets, target) {
            return Some(("", row.targets));
        }
        // Of several the last says most.
        let missing = targets::FEATURES
            .iter()
            .rfind(|f| f.applies(row.name, &self.modifiers) && !among(f.targets, target))?;
        Some((missing.modifiers, missing.targets))
    }

    /// Least and greatest number of operands; `None` without a row.
    ///
    /// A cache policy stands where `.L2::cache_hint` does, a mask where a copy goes to several blocks or writes some bytes
    /// only, offsets where the map is read as an image, a second predicate where a comparison is combined with one. manual: PTX ISA, syntax of each; ptxas 13.5 counts so.
    #[must_use]
    pub fn operand_count(&self) -> Option<(usize, usize)> {
        let row = self.row?;
        let names = row.operands.split(',').filter(|name| !name.is_empty());
        Some(names.fold((0, 0), |(least, most), name| match name.strip_suffix('?') {
            None => (least + 1, most + 1),
            Some(name) => {
                let written = match name {
                    "policy" => self.has("L2::cache_hint"),
                    "mask" => self.modifiers.iter().any(|m| m.starts_with("multicast::") || m == "cp_mask"),
                    "q" => self.modifiers.iter().any(|m| matches!(m.as_str(), "and" | "or" | "xor")),
                    "offsets" => {
                        self.modifiers.iter().any(|m| m.starts_with("im2col") && m != "im2col_no_offs")
                    }
                    _ => return (least, most + 1),
                };
                (least + usize::from(written), most + usize::from(written))
            }
        }))
    }

    /// The first modifier for which `read` has an answer.
    pub fn first<T>(&self, mut read: impl FnMut(&str) -> Option<T>) -> Option<T> {
        self.modifiers.iter().find_map(|m| read(m))
    }

    /// Every modifier for which `read` has an answer, in order.
    pub fn all<T>(&self, mut read: impl FnMut(&str) -> Option<T>) -> Vec<T> {
        self.modifiers.iter().filter_map(|m| read(m)).collect()
    }
}

/// True when `target` (`sm_90a`, `sm_100f`) is one of `targets`, written as in a row.
fn among(targets: &str, target: &str) -> bool {
    let Some(arch) = target.strip_prefix("sm_") else { return true };
    if targets.is_empty() {
        return true;
    }
    let number: u32 = arch.trim_end_matches(['a', 'f']).parse().unwrap_or(0);
    targets.split(' ').any(|t| match t.parse::<u32>() {
        Ok(first) => number >= first,
        Err(_) => t == arch,
    })
}

/// Every row, group by group.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [
        integer::ROWS,
        float::ROWS,
        logic::ROWS,
        convert::ROWS,
        video::ROWS,
        flow::ROWS,
        memory::ROWS,
        bulk::ROWS,
        multimem::ROWS,
        texture::ROWS,
        sync::ROWS,
        matrix::ROWS,
        fragments::ROWS,
        warpgroup::ROWS,
        tensor_memory::ROWS,
    ]
    .into_iter()
    .flatten()
}

fn by_first_word() -> &'static FxHashMap<&'static str, Vec<&'static Row>> {
    static INDEX: OnceLock<FxHashMap<&'static str, Vec<&'static Row>>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index: FxHashMap<&'static str, Vec<&'static Row>> = FxHashMap::default();
        for row in rows() {
            let first = row.name.split('.').next().unwrap_or(row.name);
            index.entry(first).or_default().push(row);
        }
        // Longer names first, so that `cp.async.bulk.tensor` is tried before `cp.async.bulk`.
        for list in index.values_mut() {
            list.sort_by_key(|row| std::cmp::Reverse(row.name.matches('.').count()));
        }
        index
    })
}

fn find(text: &str) -> (Option<&'static Row>, Vec<String>) {
    let words: Vec<&str> = text.split('.').collect();
    let candidates = words.first().and_then(|w| by_first_word().get(w)).map_or(&[][..], Vec::as_slice);
    for row in candidates {
        let depth = row.name.split('.').count();
        if depth > words.len() || !row.name.split('.').eq(words[..depth].iter().copied()) {
            continue;
        }
        if fills(row.modifiers, &words[depth..]) {
            return (Some(row), words[depth..].iter().map(|&w| w.to_owned()).collect());
        }
    }
    (None, words.iter().skip(1).map(|&w| w.to_owned()).collect())
}

/// The spelling of the table that `text`, which has no row, is nearly: one word of it replaced.
#[must_use]
pub fn similar(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split('.').collect();
    let first = *words.first()?;
    let Some(candidates) = by_first_word().get(first) else {
        // Sorted, so that the answer does not depend on the order of a hash map.
        let mut names: Vec<&str> = by_first_word().keys().copied().collect();
        names.sort_unstable();
        let near = tilehaul_diag::nearest(first, names, first.len() / 4 + 1)?;
        return Some(text.replacen(first, near, 1));
    };
    (1..words.len()).find_map(|at| {
        let word = *words.get(at)?;
        let known = candidates.iter().flat_map(|row| {
            let name = row.name.split('.').skip(1);
            name.chain(row.modifiers.split([' ', '|']).map(|m| m.trim_matches(['=', '?'])))
        });
        let known: Vec<&str> = known.filter(|k| *k != word && !k.is_empty() && !k.contains('*')).collect();
        let near = tilehaul_diag::nearest(word, known, word.len() / 4 + 1)?;
        let mut mended = words.clone();
        *mended.get_mut(at)? = near;
        let mended = mended.join(".");
        find(&mended).0.is_some_and(|row| row.op != Op::Unmodelled).then_some(mended)
    })
}

#[cfg(test)]
mod tests {
    use super::spelling::{MOST_SLOTS, glob};
    use super::*;

    fn op(text: &str) -> Option<Op> {
        Opcode::new(text).row.map(|r| r.op)
    }

    #[test]
    fn spellings_find_their_rows() {
        assert_eq!(op("add.s32"), Some(Op::Add));
        assert_eq!(op("add.cc.u32"), Some(Op::AddCc));
        assert_eq!(op("cvt.rn.f16x2.f32"), Some(Op::Cvt));
        assert_eq!(op("max.f32"), Some(Op::Max));
        assert_eq!(op("bar.warp.sync"), Some(Op::BarWarpSync));
        assert_eq!(op("bar.sync"), Some(Op::Bar));
        assert_eq!(op("barrier.cluster.arrive"), Some(Op::BarrierCluster));
        assert_eq!(op("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"), Some(Op::WgmmaMma));
        assert_eq!(op("cp.async.cg.shared.global"), Some(Op::CpAsync));
        assert_eq!(op("cp.async.bulk.wait_group.read"), Some(Op::BulkWait));
        assert_eq!(
            op("cp.async.bulk.tensor.2d.tile::gather4.shared::cta.global.mbarrier::complete_tx::bytes"),
            Some(Op::BulkTensorLoad)
        );
        assert_eq!(op("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"), Some(Op::BulkTensorStore));
        assert_eq!(
            op("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"),
            Some(Op::BulkTensorReduce)
        );
        assert_eq!(op("tcgen05.wait::ld.sync.aligned"), Some(Op::TcWaitLd));
        assert_eq!(op("add.s33"), None);
        assert_eq!(op("frobnicate.b32"), None);
    }

    #[test]
    fn spellings_exist_where_ptxas_assembles_them() {
        let recorded = include_str!("../../../../../evidence/ptxas/targets.tsv");
        let all = "90 90a 100 100f 100a 103 103f 103a 110 110f 110a 120 120f 120a 121 121f 121a";
        let mut wrong = Vec::new();
        for line in recorded.lines().filter(|l| !l.starts_with('#')) {
            let (text, on) = line.split_once('\t').unwrap();
            let opcode = Opcode::new(text);
            if opcode.row.is_none() {
                // Not in the table: unsupported wherever it is.
                continue;
            }
            for target in all.split(' ') {
                let want = on.split(' ').any(|t| t == target);
                if opcode.missing_on(&format!("sm_{target}")).is_none() != want {
                    wrong.push(format!("{text} on sm_{target}: ptxas says {want}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    }

    #[test]
    fn misspelt_words_are_recognised() {
        assert_eq!(similar("mvo.u32").as_deref(), Some("mov.u32"));
        assert_eq!(
            similar("mbarrier.try_wiat.parity.shared::cta.b64").as_deref(),
            Some("mbarrier.try_wait.parity.shared::cta.b64")
        );
        assert_eq!(similar("cp.async.cg.shraed.global").as_deref(), Some("cp.async.cg.shared.global"));
        assert_eq!(similar("frobnicate.b32"), None);
    }

    #[test]
    fn globs() {
        assert!(glob("m64n*k16", "m64n128k16"));
        assert!(!glob("m64n*k16", "m64n128k32"));
        assert!(glob("*", "x"));
        assert!(!glob("ab", "abc"));
    }

    #[test]
    fn no_row_takes_any_modifier() {
        for row in rows().filter(|row| {
            !matches!(
                row.support,
                Support::Unsupported("textures are not modelled" | "surfaces are not modelled")
            )
        }) {
            for word in row.modifiers.split([' ', '|']).filter(|word| word.contains('*')) {
                assert!(word.starts_with("m64n*k"), "{}: {word}", row.name);
            }
        }
    }

    #[test]
    fn words_that_ptxas_keeps_in_order_are_kept() {
        for (right, wrong) in [
            ("fence.proxy.async.global", "fence.async.proxy.global"),
            ("bar.red.popc.u32", "bar.popc.red.u32"),
            ("cp.async.ca.shared.global", "cp.async.ca.global.shared"),
            (
                "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned",
                "tensormap.cp_fenceproxy.shared::cta.global.tensormap::generic.release.gpu.sync.aligned",
            ),
            (
                "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128",
                "clusterlaunchcontrol.query_cancel.is_canceled.b128.pred",
            ),
            ("tcgen05.mma.ws.sp.cta_group::1.kind::f16", "tcgen05.mma.sp.ws.cta_group::1.kind::f16"),
        ] {
            assert!(op(right).is_some(), "{right}");
            assert_eq!(op(wrong), None, "{wrong}");
        }
        // These it takes in any order.
        for text in
            ["redux.min.sync.s32", "vote.uni.sync.pred", "mma.aligned.sync.m16n8k16.row.col.f32.f16.f16.f32"]
        {
            assert!(op(text).is_some(), "{text}");
        }
    }

    #[test]
    fn operands_follow_from_modifiers() {
        let count = |text: &str| Opcode::new(text).operand_count();
        assert_eq!(count("ld.global.u32"), Some((2, 2)));
        assert_eq!(count("ld.global.L2::cache_hint.u32"), Some((3, 3)));
        assert_eq!(count("cp.async.cg.shared.global"), Some((3, 4)));
        assert_eq!(count("cp.async.cg.shared.global.L2::cache_hint"), Some((4, 5)));
        let load = "cp.async.bulk.tensor.3d.shared::cluster.global";
        assert_eq!(count(&format!("{load}.tile.mbarrier::complete_tx::bytes")), Some((3, 3)));
        assert_eq!(
            count(&format!("{load}.im2col.mbarrier::complete_tx::bytes.multicast::cluster")),
            Some((5, 5))
        );
        assert_eq!(count("tcgen05.mma.cta_group::1.kind::f16"), Some((5, 7)));
    }

    #[test]
    fn every_row_has_a_doc_and_few_enough_slots() {
        for row in rows() {
            assert!(row.doc.ends_with('.'), "{}", row.name);
            assert!(row.modifiers.split_ascii_whitespace().count() <= MOST_SLOTS, "{}", row.name);
        }
    }
}
