//! A D# from the numbers that a command line gives.
//!
//! A D# has a field for every dimension whether it is used or not, so a list that is too short or too long would be taken
//! without a word; here it is refused by its name.

use tilehaul_descriptor::amd::tdm::{FieldValue, TdmContext, field_names, judge_tdm_fields, rules};
use tilehaul_diag::{Diagnostic, Level, nearest};

use super::{Encoded, STAND_IN_ADDRESS};
use crate::explain::{ExplainError, Explained, tdm_parts, tdm_picture};
use crate::words::Kind;

/// Arguments of a D# as a person gives them, innermost dimension first, decoded (bytes, elements, dwords).
#[derive(Clone, Debug, Default)]
pub struct TdmArguments {
    /// Bytes of an element.
    pub data_size: i128,
    /// Extents of the tile in elements.
    pub tile: Vec<i128>,
    /// What is left of the tensor from the tile's start; the tile itself when empty.
    pub dims: Vec<i128>,
    /// Elements from one index to the next, dimension 1 up; rows without gaps when empty.
    pub strides: Vec<i128>,
    /// Global address of the tile's first element.
    pub address: Option<u64>,
    /// LDS byte address.
    pub lds: u64,
    /// Dwords of data between two gaps, and dwords of a gap.
    pub padding: Option<(i128, i128)>,
    /// Row numbers to gather or scatter.
    pub gather: Vec<i128>,
    /// Bits of a row number, 16 or 32.
    pub index_size: i128,
    /// Passes, and LDS and global elements from one to the next.
    pub iterate: Option<[i128; 3]>,
    /// LDS byte address of a barrier to arrive at.
    pub barrier: Option<i128>,
    /// Workgroups that a load goes to.
    pub workgroup_mask: u64,
    /// Further fields by name; they win.
    pub set: Vec<(String, i128)>,
}

/// Encodes a D#.
///
/// # Errors
/// For a name in `set` that is no field; broken rules are part of the answer.
pub fn tdm(arguments: &TdmArguments) -> Result<Encoded, ExplainError> {
    known_names(&arguments.set)?;
    let wrong = arguments.miscounted();
    if !wrong.is_empty() {
        let explained = Explained { diagnostics: wrong, ..Explained::of(Kind::Tdm) };
        return Ok(Encoded { words: None, explained, assumptions: Vec::new() });
    }
    let (descriptor, mut diagnostics) = judge_tdm_fields(&arguments.fields(), None, &TdmContext::default());
    diagnostics.sort_by_key(|d| d.level);
    let illegal = diagnostics.iter().any(|d| d.level == Level::Error);
    let mut explained = Explained { diagnostics, ..Explained::of(Kind::Tdm) };
    if let Some(descriptor) = &descriptor {
        explained.parts = tdm_parts(descriptor);
        explained.tile = tdm_picture(&descriptor.fields());
    }
    let words = descriptor.filter(|_| !illegal).map(|d| d.words());
    let given = arguments.address.is_some() || arguments.set.iter().any(|(name, _)| name.contains("addr"));
    let assumptions =
        if given { Vec::new() } else { vec![format!("--address: taken as {STAND_IN_ADDRESS:#x}")] };
    Ok(Encoded { words, explained, assumptions })
}

fn known_names(set: &[(String, i128)]) -> Result<(), ExplainError> {
    let unknown = |name: &str| {
        let (_, said) =
            judge_tdm_fields(&[(name.to_owned(), FieldValue::Int(0))], None, &TdmContext::default());
        said.iter().any(|d| d.code == rules::FIELD_UNKNOWN.code)
    };
    let Some((name, _)) = set.iter().find(|(name, _)| unknown(name)) else { return Ok(()) };
    let remedy = match nearest(&name.to_ascii_lowercase(), field_names(), 3.min(name.len() / 3)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the fields are {}", field_names().collect::<Vec<_>>().join(", ")),
    };
    Err(ExplainError::Unusable(format!("--set {name}: a D# has no such field; {remedy}")))
}

/// What is wrong with the lengths of a D#'s lists: the tile decides the rank, `dims` has as many numbers, `strides` one fewer.
/// Empty lists stand for their defaults.
#[must_use]
pub fn miscounted(tile: &[i128], dims: &[i128], strides: &[i128]) -> Vec<Diagnostic> {
    let rank = tile.len();
    let mut wrong = Vec::new();
    if !(1..=5).contains(&rank) {
        wrong.push(rules::ARGUMENT_COUNT.broken(
            format!("tile has {}, and a D# has 1 to 5 dimensions", numbers(tile)),
            "give the extents of the tile, innermost first",
        ));
        return wrong;
    }
    for (name, list, wanted) in [("dims", dims, rank), ("strides", strides, rank - 1)] {
        if list.len() == wanted || list.is_empty() {
            continue;
        }
        wrong.push(rules::ARGUMENT_COUNT.broken(
            format!("{name} has {} where the {rank} dimensions of the tile ask for {wanted}", numbers(list)),
            match wanted {
                0 => format!("leave {name} out"),
                1 => "give 1 number".to_owned(),
                _ => format!("give {wanted} numbers, innermost first"),
            },
        ));
    }
    wrong
}

/// `2 numbers (64, 64)`.
fn numbers(list: &[i128]) -> String {
    let shown: Vec<String> = list.iter().take(8).map(i128::to_string).collect();
    match list.len() {
        0 => "no number".to_owned(),
        1 => format!("1 number ({})", shown.join("")),
        count => format!("{count} numbers ({})", shown.join(", ")),
    }
}

impl TdmArguments {
    /// The tile; a gather's rows are its second dimension.
    fn shape(&self) -> Vec<i128> {
        let mut tile = self.tile.clone();
        if let (1, false) = (tile.len(), self.gather.is_empty()) {
            tile.push(self.gather.len() as i128);
        }
        tile
    }

    /// What is wrong with the lengths of the lists.
    #[must_use]
    pub fn miscounted(&self) -> Vec<Diagnostic> {
        let tile = self.shape();
        let mut wrong = miscounted(&tile, &self.dims, &self.strides);
        let rows = self.gather.len() as i128;
        if rows > 0 && tile.len() == 2 && tile[1] != rows {
            wrong.push(rules::ARGUMENT_COUNT.broken(
                format!("tile has {} rows (tile_dim1), and gather names {rows}", tile[1]),
                format!("give a tile of {} alone, or {},{rows}", tile[0], tile[0]),
            ));
        }
        wrong
    }

    /// The fields by name. Lists must have been counted.
    #[must_use]
    pub fn fields(&self) -> Vec<(String, FieldValue)> {
        let tile = self.shape();
        let mut dims = if self.dims.is_empty() { tile.clone() } else { self.dims.clone() };
        if let (true, Some(last), Some(rows)) =
            (self.dims.is_empty(), self.gather.iter().max(), dims.get_mut(1))
        {
            *rows = last.saturating_add(1);
        }
        let mut strides = self.strides.clone();
        if strides.is_empty() {
            let mut product = 1i128;
            for &extent in dims.iter().take(dims.len().saturating_sub(1)) {
                product = product.saturating_mul(extent);
                strides.push(product);
            }
        }
        let mut fields = vec![
            ("dims".to_owned(), FieldValue::List(dims)),
            ("tile".to_owned(), FieldValue::List(tile)),
            ("strides".to_owned(), FieldValue::List(strides)),
        ];
        let mut put = |name: &str, value: i128| fields.push((name.to_owned(), FieldValue::Int(value)));
        put("count", 1);
        put("type", 2);
        put("data_size_bytes", self.data_size);
        put("global_addr", self.address.unwrap_or(STAND_IN_ADDRESS).into());
        put("lds_addr", self.lds.into());
        put("workgroup_mask", self.workgroup_mask.into());
        if let Some((interval, amount)) = self.padding {
            put("pad_enable", 1);
            put("pad_interval_dwords", interval);
            put("pad_amount_dwords", amount);
        }
        if let Some(address) = self.barrier {
            put("atomic_barrier_enable", 1);
            put("atomic_barrier_address", address);
        }
        if let Some([passes, lds, global]) = self.iterate {
            put("iterate_enable", 1);
            put("iterate_count", passes);
            put("lds_addr_increment", lds);
            put("global_addr_increment", global);
        }
        if !self.gather.is_empty() {
            put("gather_mode", 1);
            put("gather_index_size", self.index_size);
            fields.push(("rows".to_owned(), FieldValue::List(self.gather.clone())));
        }
        fields.extend(self.set.iter().map(|(name, value)| (name.clone(), FieldValue::Int(*value))));
        fields
    }
}
