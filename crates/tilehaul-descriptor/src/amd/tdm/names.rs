//! Names that people give to fields of a D#.

use super::encode::Group;
use super::format;
use crate::field::FieldSpec;

/// Every field that a name can mean, with its group.
pub(super) static FIELDS: &[(Group, FieldSpec)] = &[
    (Group::Zero, format::COUNT),
    (Group::Zero, format::IS_RESTORE),
    (Group::Zero, format::IS_STORE),
    (Group::Zero, format::NV),
    (Group::Zero, format::SCOPE),
    (Group::Zero, format::TH),
    (Group::Zero, format::USER_NULL),
    (Group::Zero, format::RESERVED_29_11),
    (Group::Zero, format::GATHER_INDEX_SIZE),
    (Group::Zero, format::GATHER_MODE),
    (Group::Zero, format::LDS_ADDR),
    (Group::Zero, format::GLOBAL_ADDR),
    (Group::Zero, format::RESERVED_125_121),
    (Group::Zero, format::TYPE),
    (Group::One, format::WORKGROUP_MASK),
    (Group::One, format::DATA_SIZE),
    (Group::One, format::ATOMIC_BARRIER_ENABLE),
    (Group::One, format::ITERATE_ENABLE),
    (Group::One, format::PAD_ENABLE),
    (Group::One, format::EARLY_TIMEOUT),
    (Group::One, format::PAD_INTERVAL),
    (Group::One, format::PAD_AMOUNT),
    (Group::One, format::ATOMIC_BARRIER_ADDRESS),
    (Group::One, format::TENSOR_DIM0),
    (Group::One, format::TENSOR_DIM1),
    (Group::One, format::TILE_DIM0),
    (Group::One, format::TILE_DIM1),
    (Group::One, format::TILE_DIM2),
    (Group::One, format::TENSOR_DIM0_STRIDE),
    (Group::One, format::TENSOR_DIM1_STRIDE),
    (Group::Two, format::TENSOR_DIM2),
    (Group::Two, format::TENSOR_DIM3),
    (Group::Two, format::TENSOR_DIM2_STRIDE),
    (Group::Two, format::TILE_DIM3),
    (Group::Two, format::LDS_ADDR_INCREMENT),
    (Group::Two, format::GLOBAL_ADDR_INCREMENT),
    (Group::Two, format::ITERATE_COUNT),
    (Group::Three, format::TENSOR_DIM3_STRIDE),
    (Group::Three, format::TENSOR_DIM4),
    (Group::Three, format::TILE_DIM4),
    (Group::Three, format::RESERVED_127_96),
];

/// The fields that a program sets, by their names in the manual.
pub fn field_names() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|(_, field)| field.name).filter(|name| !name.starts_with("reserved"))
}

/// Spellings in use, squeezed to letters and digits, and the field that each means.
pub(super) static ALIASES: &[(&str, &str)] = &[
    ("valid", "count"),
    ("pred", "count"),
    ("desctype", "type"),
    ("descriptortype", "type"),
    ("usernull", "user_null"),
    ("lds", "lds_addr"),
    ("ldsaddress", "lds_addr"),
    ("ldsoffset", "lds_addr"),
    ("ldsbase", "lds_addr"),
    ("addr", "global_addr"),
    ("address", "global_addr"),
    ("base", "global_addr"),
    ("globaladdress", "global_addr"),
    ("mask", "workgroup_mask"),
    ("wgmask", "workgroup_mask"),
    ("multicastmask", "workgroup_mask"),
    ("datasize", "data_size_bytes"),
    ("elementbytes", "data_size_bytes"),
    ("elementsize", "data_size_bytes"),
    ("elembytes", "data_size_bytes"),
    ("elemsize", "data_size_bytes"),
    ("itemsize", "data_size_bytes"),
    ("barrierenable", "atomic_barrier_enable"),
    ("barrieraddress", "atomic_barrier_address"),
    ("barrieraddr", "atomic_barrier_address"),
    ("atomicbarrieraddr", "atomic_barrier_address"),
    ("barrier", "atomic_barrier_address"),
    ("iterate", "iterate_enable"),
    ("iterationcount", "iterate_count"),
    ("passes", "iterate_count"),
    ("iterations", "iterate_count"),
    ("iteratepasses", "iterate_count"),
    ("ldsincrement", "lds_addr_increment"),
    ("ldsinc", "lds_addr_increment"),
    ("ldsaddrinc", "lds_addr_increment"),
    ("globalincrement", "global_addr_increment"),
    ("globalinc", "global_addr_increment"),
    ("globaladdrinc", "global_addr_increment"),
    ("gather", "gather_mode"),
    ("scatter", "gather_mode"),
    ("scattermode", "gather_mode"),
    ("indexsize", "gather_index_size"),
    ("indexbits", "gather_index_size"),
    ("gatherindexbits", "gather_index_size"),
    ("padding", "pad_enable"),
    ("padinterval", "pad_interval_dwords"),
    ("padamount", "pad_amount_dwords"),
    ("tensordim1stride0", "tensor_dim0_stride"),
];

pub(super) const TENSOR_DIMS: [&str; 5] =
    ["tensor_dim0", "tensor_dim1", "tensor_dim2", "tensor_dim3", "tensor_dim4"];
pub(super) const TILE_DIMS: [&str; 5] = ["tile_dim0", "tile_dim1", "tile_dim2", "tile_dim3", "tile_dim4"];
pub(super) const STRIDES: [&str; 4] =
    ["tensor_dim0_stride", "tensor_dim1_stride", "tensor_dim2_stride", "tensor_dim3_stride"];

/// Whether a field of groups 2 and 3 exists in the mode (gather is handled apart).
pub(super) fn belongs(name: &str, iterate: bool) -> bool {
    match name {
        "lds_addr_increment" | "global_addr_increment" | "iterate_count" => iterate,
        "tensor_dim3" | "tensor_dim2_stride" | "tile_dim3" => !iterate,
        _ => true,
    }
}

/// Letters and digits, lower case, without a leading group name.
pub(super) fn squeeze(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let mut rest = lower.as_str();
    for prefix in ["d#.", "desc.", "g0.", "g1.", "g2.", "g3.", "group0.", "group1.", "group2.", "group3."] {
        rest = rest.strip_prefix(prefix).unwrap_or(rest);
    }
    rest.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The field that a squeezed name means.
pub(super) fn lookup(key: &str) -> Option<FieldSpec> {
    let direct = FIELDS.iter().find(|(_, f)| squeeze(f.name) == key);
    if let Some((_, field)) = direct {
        return Some(*field);
    }
    let numbered = |prefixes: &[&str], names: &[&'static str]| -> Option<&'static str> {
        let digit = prefixes.iter().find_map(|p| key.strip_prefix(p))?.parse::<usize>().ok()?;
        names.get(digit).copied()
    };
    let alias = ALIASES.iter().find(|(alias, _)| *alias == key).map(|(_, name)| *name);
    let name = alias
        .or_else(|| numbered(&["tile", "tiledim"], &TILE_DIMS))
        .or_else(|| numbered(&["dim", "tensor", "tensordim"], &TENSOR_DIMS))
        .or_else(|| numbered(&["stride", "tensorstride", "dimstride", "tensordimstride"], &STRIDES))
        .or_else(|| {
            let digit = key.strip_prefix("dim").and_then(|k| k.strip_suffix("stride"))?;
            STRIDES.get(digit.parse::<usize>().ok()?).copied()
        })?;
    FIELDS.iter().find(|(_, f)| f.name == name).map(|(_, f)| *f)
}

/// The dimension of a name such as `tensor_dim0_stride_bytes` or `stride0_bytes`.
pub(super) fn byte_stride(key: &str) -> Option<usize> {
    let name = key.strip_suffix("bytes").and_then(lookup)?.name;
    STRIDES.iter().position(|&s| s == name)
}

pub(super) fn parse_number(text: &str) -> Option<i128> {
    let text = text.trim().replace('_', "");
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}
