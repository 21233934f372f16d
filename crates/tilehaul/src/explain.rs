//! Words of a descriptor become everything there is to say about it.
//!
//! The kind is guessed when nobody names it, and the guess is part of the answer. A descriptor in several register groups
//! gives one part a group, so that bit positions are those of the vendor's tables.

use std::fmt;

use tilehaul_descriptor::Explanation;
use tilehaul_descriptor::amd::buffer_resource::{BufferGeneration, judge_vbuf};
use tilehaul_descriptor::amd::lds_barrier_word::{LdsBarrierWord, PendingWidth};
use tilehaul_descriptor::amd::tdm::{TdmContext, TdmDescriptor, TdmFields, TdmWords, judge_tdm_words};
use tilehaul_descriptor::field::FormatSpec;
use tilehaul_descriptor::nvidia::tensor_map::{MAP_BYTES, MapKind};
use tilehaul_descriptor::nvidia::{
    Architecture, Context, Interleave, MatrixUnit, Naming, OobFill, Swizzle, TensorMap, explain_matrix,
    explain_mbarrier, tensor_map,
};
use tilehaul_diag::{Diagnostic, Level};
use tilehaul_render::picture::{Outside, TileInTensor};

use crate::encode;
use crate::words::{self, Guess, Kind, Words};

/// What is known beside the words.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The kind, when the user says it.
    pub kind: Option<Kind>,
    /// The target, such as `sm_100a` or `gfx1250`.
    pub target: Option<String>,
    /// Bytes allocated from the descriptor's address on.
    pub alloc_bytes: Option<u64>,
    /// Where the tile begins in the tensor, innermost first, for the picture.
    pub coords: Vec<i64>,
    /// Workgroups of the cluster, for a D# with a mask.
    pub cluster_size: Option<u16>,
    /// Bits of an LDS barrier's pending count.
    pub pending_width: Option<u32>,
}

/// Everything there is to say about one descriptor.
#[derive(Clone, Debug)]
pub struct Explained {
    /// What it was taken for.
    pub kind: Kind,
    /// The guess, when nobody named the kind.
    pub guess: Option<Guess>,
    /// One clause about how the words were read.
    pub reading: String,
    /// Readings that were not the only possible ones.
    pub notes: Vec<String>,
    /// The fields, one part a register group.
    pub parts: Vec<Explanation>,
    /// Rules broken and remarks, worst first.
    pub diagnostics: Vec<Diagnostic>,
    /// The tile in its tensor.
    pub tile: Option<TileInTensor>,
    /// The permutation of chunks in shared memory.
    pub swizzle: Option<Swizzle>,
}

impl Explained {
    /// A rule that makes the descriptor illegal is broken.
    #[must_use]
    pub fn is_illegal(&self) -> bool {
        self.diagnostics.iter().any(|d| d.level == Level::Error)
    }

    /// Nothing but the kind.
    pub(crate) fn of(kind: Kind) -> Explained {
        Explained {
            kind,
            guess: None,
            reading: String::new(),
            notes: Vec::new(),
            parts: Vec::new(),
            diagnostics: Vec::new(),
            tile: None,
            swizzle: None,
        }
    }
}

/// Why words cannot be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplainError {
    /// No descriptor looks like that, or the named kind has another size.
    Unusable(String),
    /// A target that is not modelled.
    Unsupported(String),
}

impl ExplainError {
    /// The same error, led by the name of the file that it is about.
    #[must_use]
    pub fn in_file(self, name: &str) -> ExplainError {
        match self {
            ExplainError::Unusable(text) => ExplainError::Unusable(format!("{name}: {text}")),
            ExplainError::Unsupported(text) => ExplainError::Unsupported(format!("{name}: {text}")),
        }
    }
}

impl fmt::Display for ExplainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExplainError::Unusable(text) | ExplainError::Unsupported(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ExplainError {}

/// Explains words.
///
/// # Errors
/// When their number fits no descriptor (or not the named kind), or the target is not modelled.
pub fn explain(words: &Words, around: &Surroundings) -> Result<Explained, ExplainError> {
    let dwords = words.dwords();
    let ragged = words.bytes.len() % 4;
    if let (Some(kind), 1..) = (around.kind, ragged) {
        return Err(ExplainError::Unusable(format!(
            "{} are no whole number of 32-bit words, which a {} is made of",
            words.reading,
            kind.title()
        )));
    }
    let (kind, guess) = match around.kind {
        Some(kind) => (kind, None),
        None => {
            let guess = words::guess(words, around.target.as_deref()).map_err(ExplainError::Unusable)?;
            (guess.kind, Some(guess))
        }
    };
    if let Some(target) = &around.target {
        has_kind(target, kind)?;
    }
    let mut explained = match kind {
        Kind::Tma => explain_map(&dwords, around)?,
        Kind::Tdm => explain_tdm(&dwords, around)?,
        Kind::Vbuf => explain_vbuf(&dwords, around)?,
        Kind::LdsBarrier => explain_lds_barrier(&dwords, around)?,
        Kind::Wgmma | Kind::Tcgen05 | Kind::Mbarrier => explain_nvidia_word(kind, &dwords)?,
    };
    explained.guess = guess;
    explained.reading.clone_from(&words.reading);
    explained.notes.splice(0..0, words.notes.iter().cloned());
    // Stable: the checks' own order stays within a level.
    explained.diagnostics.sort_by_key(|d| d.level);
    Ok(explained)
}

/// Whether a target has such a thing at all.
fn has_kind(target: &str, kind: Kind) -> Result<(), ExplainError> {
    let amd = BufferGeneration::of_target(target);
    let nvidia = Architecture::parse(target);
    if amd.is_none() && nvidia.is_none() {
        let known: Vec<&str> =
            Architecture::all().iter().map(|a| a.name).chain(BufferGeneration::targets()).collect();
        return Err(ExplainError::Unsupported(format!(
            "target `{target}` is not known; known targets are {}",
            known.join(", ")
        )));
    }
    let (has, whose) = match kind {
        Kind::Tma | Kind::Mbarrier => (nvidia.is_some(), "sm_90 and later"),
        Kind::Wgmma => (nvidia.is_some_and(|a| a.number == 90), "sm_90a"),
        Kind::Tcgen05 => (nvidia.is_some_and(|a| (100..120).contains(&a.number)), "sm_100 to sm_110"),
        Kind::Vbuf => (amd.is_some(), "gfx9 and gfx1250"),
        Kind::Tdm | Kind::LdsBarrier => (amd == Some(BufferGeneration::Gfx1250), "gfx1250"),
    };
    if has {
        return Ok(());
    }
    Err(ExplainError::Unusable(format!("{target} has no {}: it exists on {whose}", kind.title())))
}

fn wrong_size(kind: Kind, dwords: &[u32], wanted: &str) -> ExplainError {
    ExplainError::Unusable(format!(
        "a {} has {wanted}, these are {} words of 32 bits ({} bytes)",
        kind.title(),
        dwords.len(),
        dwords.len() * 4
    ))
}

fn explain_map(dwords: &[u32], around: &Surroundings) -> Result<Explained, ExplainError> {
    let bytes: Vec<u8> = dwords.iter().flat_map(|w| w.to_le_bytes()).collect();
    let bytes: [u8; MAP_BYTES] = bytes.try_into().map_err(|_| wrong_size(Kind::Tma, dwords, "128 bytes"))?;
    let architecture = encode::architecture(around.target.as_deref())?;
    let context = Context { architecture, naming: Naming::Cuda, ..Context::default() };
    let mut explained = Explained::of(Kind::Tma);
    let mut part = tensor_map::explain(&bytes, around.alloc_bytes, &context);
    explained.diagnostics = std::mem::take(&mut part.diagnostics);
    explained.parts.push(part);
    if let Some(map) = TensorMap::decode(&bytes, architecture).map {
        explained.tile = map_picture(&map, &around.coords);
        explained.swizzle = Some(map.swizzle).filter(|&s| s != Swizzle::None);
    }
    Ok(explained)
}

/// The two innermost dimensions of a tiled map with its box.
#[must_use]
pub fn map_picture(map: &TensorMap, coords: &[i64]) -> Option<TileInTensor> {
    let MapKind::Tiled { box_dims } = map.kind else { return None };
    if map.interleave != Interleave::None {
        return None;
    }
    let element = map.data_type.element();
    let extent = [map.dims[0], if map.rank > 1 { map.dims[1] } else { 1 }];
    let pitch = match element.bytes() {
        Some(bytes) if map.rank > 1 => map.strides[0] / u64::from(bytes),
        _ => extent[0],
    };
    Some(TileInTensor {
        extent,
        pitch,
        tile: [box_dims[0].into(), if map.rank > 1 { box_dims[1].into() } else { 1 }],
        start: [0, 1].map(|d| coords.get(d).copied().unwrap_or(0)),
        outside: if map.oob_fill == OobFill::Nan { Outside::Nan } else { Outside::Zeros },
        element: element.name().to_owned(),
        beyond: u32::try_from(map.rank.saturating_sub(2)).unwrap_or(0),
    })
}

fn explain_tdm(dwords: &[u32], around: &Surroundings) -> Result<Explained, ExplainError> {
    let mut explained = Explained::of(Kind::Tdm);
    if dwords.len() == 4 {
        // Group 0 alone says where and whether, not what.
        let group0: &FormatSpec = &tilehaul_descriptor::amd::tdm::format::GROUP0;
        explained.parts.push(shown(Explanation::of(group0, dwords)));
        explained.notes.push("group 0 alone: paste group 1 behind it to see the tile".to_owned());
        return Ok(explained);
    }
    if !matches!(dwords.len(), 12 | 16 | 20) {
        return Err(wrong_size(Kind::Tdm, dwords, "12 words (groups 0 and 1) or 20 (groups 0 to 3)"));
    }
    let context = TdmContext {
        tensor_bytes: around.alloc_bytes,
        cluster_size: around.cluster_size,
        ..TdmContext::default()
    };
    let (descriptor, diagnostics) = judge_tdm_words(&TdmWords::from_flat(dwords), &context);
    explained.diagnostics = diagnostics;
    let Some(descriptor) = descriptor else { return Ok(explained) };
    explained.parts = tdm_parts(&descriptor);
    explained.tile = tdm_picture(&descriptor.fields());
    Ok(explained)
}

/// One part a register group, the first with a summary and what follows from the fields.
#[must_use]
pub fn tdm_parts(descriptor: &TdmDescriptor) -> Vec<Explanation> {
    let fields = descriptor.fields();
    let mut parts: Vec<Explanation> = descriptor
        .formats()
        .into_iter()
        .map(|(format, words)| shown(Explanation::of(format, &words)))
        .collect();
    if let Some(first) = parts.first_mut() {
        first.summary = tdm_summary(&fields);
    }
    if let Some(last) = parts.last_mut() {
        let sizes = fields.tile_dim.iter().filter(|&&t| t != 0).map(|&t| u64::from(t));
        let tile = sizes.fold(1, u64::saturating_mul);
        let data = tile.saturating_mul(fields.data_size_bytes);
        last.derive("bytes of the tile", format!("{data} B"));
        if let Some(padding) = fields.padding {
            let interval = u64::from(padding.interval_dwords) * 4;
            let amount = u64::from(padding.amount_dwords) * 4;
            // manual: the counter runs over the whole tile, and no gap follows the last byte that counts.
            let holes = (data.saturating_sub(1) / interval.max(1)).saturating_mul(amount);
            last.derive(
                "LDS bytes spanned",
                format!("{} B, {holes} B of them gaps", data.saturating_add(holes)),
            );
            last.derive("a gap of", format!("{amount} B after every {interval} B"));
        }
    }
    parts
}

fn tdm_summary(fields: &TdmFields) -> String {
    if fields.count == 0 {
        return "A NULL tensor: nothing is copied and no barrier is signalled.".to_owned();
    }
    let rank = fields.rank().max(1);
    let sizes = |values: &[u64]| values.iter().map(u64::to_string).collect::<Vec<_>>().join(" x ");
    let tile: Vec<u64> = fields.tile_dim.iter().take(rank).map(|&t| t.into()).collect();
    let dims: Vec<u64> = fields.tensor_dim.iter().take(rank).map(|&t| t.into()).collect();
    let rows = fields.rows();
    let bytes = fields.data_size_bytes;
    if rows.is_empty() {
        format!("A tile of {} elements of {bytes} B, bounds {} from its start.", sizes(&tile), sizes(&dims))
    } else {
        let list: Vec<String> = rows.iter().map(u32::to_string).collect();
        format!("Rows {} of {} elements of {bytes} B each.", list.join(", "), fields.tile_dim[0])
    }
}

/// The tile at the tensor's beginning: a D# knows its bounds from the tile's start only.
#[must_use]
pub fn tdm_picture(fields: &TdmFields) -> Option<TileInTensor> {
    if fields.count == 0 || fields.tile_dim[0] == 0 || !fields.rows().is_empty() {
        return None;
    }
    let two = fields.rank() > 1;
    Some(TileInTensor {
        extent: [fields.tensor_dim[0].into(), if two { fields.tensor_dim[1].into() } else { 1 }],
        pitch: if two { fields.tensor_dim_stride[0] } else { fields.tensor_dim[0].into() },
        tile: [fields.tile_dim[0].into(), if two { fields.tile_dim[1].into() } else { 1 }],
        start: [0, 0],
        outside: Outside::Zeros,
        element: format!("{} B", fields.data_size_bytes),
        beyond: u32::try_from(fields.rank().saturating_sub(2)).unwrap_or(0),
    })
}

/// Leaves out reserved fields that hold what they must.
pub(crate) fn shown(mut explanation: Explanation) -> Explanation {
    let kept: Vec<&'static str> = explanation
        .fields
        .iter()
        .filter(|f| f.stored != 0 || !f.name.starts_with("reserved"))
        .map(|f| f.name)
        .collect();
    explanation.fields.retain(|f| kept.contains(&f.name));
    explanation
}

fn explain_vbuf(dwords: &[u32], around: &Surroundings) -> Result<Explained, ExplainError> {
    let words: [u32; 4] = dwords.try_into().map_err(|_| wrong_size(Kind::Vbuf, dwords, "4 words"))?;
    let mut explained = Explained::of(Kind::Vbuf);
    let generation = match &around.target {
        Some(target) => encode::buffer_generation(target)?,
        None => {
            let (generation, why) = BufferGeneration::guess(words);
            let (name, other) = match generation {
                BufferGeneration::Gfx9 => ("gfx9 (CDNA1 to CDNA4)", "gfx1250"),
                BufferGeneration::Gfx1250 => ("gfx1250 (CDNA5)", "gfx942"),
            };
            explained.notes.push(format!("read as {name}: {why}; --target {other} reads it the other way"));
            generation
        }
    };
    let (_, diagnostics) = judge_vbuf(dwords, generation, around.alloc_bytes);
    explained.diagnostics = diagnostics;
    explained.parts.push(shown(Explanation::of(generation.format(), dwords)));
    Ok(explained)
}

fn explain_lds_barrier(dwords: &[u32], around: &Surroundings) -> Result<Explained, ExplainError> {
    let &[low, high] = dwords else { return Err(wrong_size(Kind::LdsBarrier, dwords, "2 words")) };
    let width = match around.pending_width {
        None => PendingWidth::from_bits(29),
        Some(bits) => PendingWidth::from_bits(bits),
    };
    let Some(width) = width else {
        let known: Vec<String> = PendingWidth::ALL.iter().map(|w| w.bits().to_string()).collect();
        return Err(ExplainError::Unusable(format!(
            "the pending count has one of {} bits",
            known.join(", ")
        )));
    };
    let mut explained = Explained::of(Kind::LdsBarrier);
    if around.pending_width.is_none() {
        explained.notes.push(
            "read with a 29-bit pending count, as hardware was seen to do; --pending-width changes it"
                .to_owned(),
        );
    }
    let word = LdsBarrierWord { word: u64::from(high) << 32 | u64::from(low), width };
    let mut part = shown(Explanation::of(width.format(), dwords));
    part.derive("arrivals until the phase changes", (word.pending() + 1).to_string());
    part.derive("arrivals of every later phase", (word.init() + 1).to_string());
    let mut after = word;
    after.arrive(word.pending() + 1);
    part.derive("word after them", format!("{:#018x}", after.word));
    explained.parts.push(part);
    Ok(explained)
}

fn explain_nvidia_word(kind: Kind, dwords: &[u32]) -> Result<Explained, ExplainError> {
    let &[low, high] = dwords else { return Err(wrong_size(kind, dwords, "2 words, or 1 of 64 bits")) };
    let word = u64::from(high) << 32 | u64::from(low);
    let mut explained = Explained::of(kind);
    let mut part = match kind {
        Kind::Wgmma => explain_matrix(MatrixUnit::Wgmma, word),
        Kind::Tcgen05 => explain_matrix(MatrixUnit::Tcgen05, word),
        _ => explain_mbarrier(word),
    };
    explained.diagnostics = std::mem::take(&mut part.diagnostics);
    explained.parts.push(part);
    Ok(explained)
}
