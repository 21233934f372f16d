//! Encode calls: the driver's answer, and the maps that other records use.

use serde::Deserialize;
use serde_json::{Value, json};
use tilehaul_descriptor::nvidia::tensor_map::{MAP_BYTES, check_map_pointer};
use tilehaul_descriptor::nvidia::{Context, EncodeIm2col, EncodeIm2colWide, EncodeTiled};
use tilehaul_diag::Diagnostic;

use super::{Refusal, codec};

/// One number or a list of them: the wide call has one corner each.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Corners {
    One(i64),
    Many(Vec<i64>),
}

impl Default for Corners {
    fn default() -> Corners {
        Corners::Many(Vec::new())
    }
}

impl Corners {
    fn list(self) -> Vec<i64> {
        match self {
            Corners::One(corner) => vec![corner],
            Corners::Many(corners) => corners,
        }
    }
}

/// The arguments of an encode call, as records write them.
#[derive(Clone, Debug, Deserialize)]
struct Parameters {
    dt: u32,
    rank: u32,
    /// A number, or in scripts the name of a buffer with an offset.
    addr: Value,
    dim: Vec<u64>,
    stride: Vec<u64>,
    #[serde(default, rename = "box")]
    box_dims: Vec<u64>,
    estride: Vec<u64>,
    il: u32,
    sw: u32,
    l2: u32,
    oob: u32,
    #[serde(default)]
    lo: Corners,
    #[serde(default)]
    hi: Corners,
    #[serde(default)]
    ch: u64,
    #[serde(default)]
    px: u64,
    #[serde(default)]
    mode: u32,
}

/// A call to the driver's encoder.
pub(super) enum Call {
    Tiled(EncodeTiled),
    Im2col(EncodeIm2col),
    Wide(EncodeIm2colWide),
}

impl Call {
    /// Reads a call; `address` says what the record's address stands for.
    pub(super) fn read(
        kind: &str,
        parameters: &Value,
        address: impl FnOnce(&Value) -> Result<u64, Refusal>,
    ) -> Result<Call, Refusal> {
        let p: Parameters = serde_json::from_value(parameters.clone())
            .map_err(|error| Refusal::Malformed(format!("encode arguments cannot be read: {error}")))?;
        let address = address(&p.addr)?;
        let ordinary = |p: Parameters| EncodeIm2col {
            data_type: p.dt,
            rank: p.rank,
            address,
            dims: p.dim,
            strides: p.stride,
            lower_corner: p.lo.list(),
            upper_corner: p.hi.list(),
            channels_per_pixel: p.ch,
            pixels_per_column: p.px,
            element_strides: p.estride,
            interleave: p.il,
            swizzle: p.sw,
            l2_promotion: p.l2,
            oob_fill: p.oob,
            alloc_bytes: None,
        };
        match kind {
            "tiled" => Ok(Call::Tiled(EncodeTiled {
                data_type: p.dt,
                rank: p.rank,
                address,
                dims: p.dim,
                strides: p.stride,
                box_dims: p.box_dims,
                element_strides: p.estride,
                interleave: p.il,
                swizzle: p.sw,
                l2_promotion: p.l2,
                oob_fill: p.oob,
                alloc_bytes: None,
            })),
            "im2col" => Ok(Call::Im2col(ordinary(p))),
            "im2colw" => {
                let mode = p.mode;
                Ok(Call::Wide(EncodeIm2colWide { ordinary: ordinary(p), mode }))
            }
            other => Err(Refusal::Unsupported(format!("encode calls of kind \"{other}\" are not known"))),
        }
    }

    /// Bytes allocated from the address on; only hints look at it.
    pub(super) fn with_allocation(mut self, bytes: Option<u64>) -> Call {
        match &mut self {
            Call::Tiled(call) => call.alloc_bytes = bytes,
            Call::Im2col(call) => call.alloc_bytes = bytes,
            Call::Wide(call) => call.ordinary.alloc_bytes = bytes,
        }
        self
    }

    /// The 128 bytes, or every broken rule.
    pub(super) fn encode(&self, context: &Context) -> Result<[u8; MAP_BYTES], Vec<Diagnostic>> {
        match self {
            Call::Tiled(call) => call.encode(context),
            Call::Im2col(call) => call.encode(context),
            Call::Wide(call) => call.encode(context),
        }
    }

    /// Every broken rule, or hints.
    pub(super) fn diagnose(&self, context: &Context) -> Vec<Diagnostic> {
        match self {
            Call::Tiled(call) => call.diagnose(context),
            Call::Im2col(call) => call.diagnose(context),
            Call::Wide(call) => call.diagnose(context),
        }
    }
}

/// A plain number as an address.
pub(super) fn plain_address(value: &Value) -> Result<u64, Refusal> {
    value.as_u64().ok_or_else(|| Refusal::Malformed(format!("address {value} is no number")))
}

/// `r` and `map` of an encode record.
pub(super) fn answer(record: &Value) -> Result<Value, Refusal> {
    let kind: String = codec::field(record, "kind")?;
    if kind == "align" {
        // hardware: h200 fact 15. A null pointer for the map is refused, any alignment is taken.
        let offset: Option<u64> = codec::field_or(record, "off", None)?;
        return Ok(json!({ "r": u32::from(offset.is_none_or(|offset| !map_pointer_works(offset))) }));
    }
    let parameters: Value = codec::field(record, "p")?;
    let call = Call::read(&kind, &parameters, plain_address)?;
    Ok(match call.encode(&Context::default()) {
        Ok(map) => json!({ "r": 0, "map": codec::to_hex(&map) }),
        Err(_) => json!({ "r": 1, "map": null }),
    })
}

/// `offset` from an aligned address; 0 is an address like any other here.
fn map_pointer_works(offset: u64) -> bool {
    const SOME_ALIGNED_ADDRESS: u64 = 1 << 20;
    !check_map_pointer(SOME_ALIGNED_ADDRESS + offset).iter().any(|d| d.level == tilehaul_diag::Level::Error)
}
