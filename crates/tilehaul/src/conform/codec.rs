//! How records carry numbers, bytes and source memories.

use std::io::{Read, Write};
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Refusal;

/// Largest blob that is taken.
const MAX_BLOB: u64 = 64 << 20;
/// Multiplier of the golden ratio, in every generated memory.
const GOLDEN: u32 = 0x9e37_79b1;
/// Bytes of the region that loads of `load`, `store` and `multicast` records read.
pub(super) const REGION: usize = 2 << 20;

/// The region that recorded loads read: word j is the murmur3 finalizer of j times the golden ratio plus 1.
pub(super) static LOAD_SOURCE: LazyLock<Vec<u8>> = LazyLock::new(|| hashed(REGION, 1));

/// A field, read into a type.
pub(super) fn field<T: DeserializeOwned>(record: &Value, name: &str) -> Result<T, Refusal> {
    let value =
        record.get(name).ok_or_else(|| Refusal::Malformed(format!("the record has no field \"{name}\"")))?;
    serde_json::from_value(value.clone())
        .map_err(|error| Refusal::Malformed(format!("field \"{name}\" cannot be read: {error}")))
}

/// A field, or a default where it is absent.
pub(super) fn field_or<T: DeserializeOwned>(record: &Value, name: &str, default: T) -> Result<T, Refusal> {
    match record.get(name) {
        None | Some(Value::Null) => Ok(default),
        Some(_) => field(record, name),
    }
}

/// A size in bytes, at most `most`, so that no record asks for more memory than its kernel could have had.
pub(super) fn size(record: &Value, name: &str, most: usize) -> Result<usize, Refusal> {
    let size: usize = field(record, name)?;
    if size <= most {
        Ok(size)
    } else {
        Err(Refusal::Malformed(format!("\"{name}\" is {size}, above {most}")))
    }
}

/// A number, also one that stands as text or ends a text such as `sync -> 715`.
pub(super) fn number(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.rsplit(' ').next()?.parse().ok(),
        other => other.as_i64(),
    }
}

/// `size` bytes whose 32-bit word j is the murmur3 finalizer of j times the golden ratio plus `seed`.
pub(super) fn hashed(size: usize, seed: u32) -> Vec<u8> {
    words(size, |j| {
        let mut h = j.wrapping_mul(GOLDEN).wrapping_add(seed);
        h = (h ^ h >> 16).wrapping_mul(0x85eb_ca6b);
        h = (h ^ h >> 13).wrapping_mul(0xc2b2_ae35);
        h ^ h >> 16
    })
}

/// `size` bytes whose 32-bit word j is j times the golden ratio plus `seed`.
pub(super) fn linear(size: usize, seed: u32) -> Vec<u8> {
    words(size, |j| j.wrapping_mul(GOLDEN).wrapping_add(seed))
}

fn words(size: usize, word: impl Fn(u32) -> u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(size + 3);
    for j in 0..size.div_ceil(4) {
        bytes.extend_from_slice(&word(j as u32).to_le_bytes());
    }
    bytes.truncate(size);
    bytes
}

/// Bytes of base64 text.
pub(super) fn from_base64(text: &str) -> Result<Vec<u8>, Refusal> {
    STANDARD
        .decode(text.trim())
        .map_err(|error| Refusal::Malformed(format!("base64 text is damaged: {error}")))
}

/// Base64 text of bytes.
pub(super) fn to_base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Bytes of base64 text of a zlib stream.
pub(super) fn unpack(text: &str) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(from_base64(text)?.as_slice())
        .take(MAX_BLOB)
        .read_to_end(&mut bytes)
        .map_err(|error| Refusal::Malformed(format!("a zlib stream is damaged: {error}")))?;
    Ok(bytes)
}

/// Base64 text of a zlib stream of bytes.
pub(super) fn pack(bytes: &[u8]) -> String {
    let mut stream = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to a vector cannot fail; an empty stream would show in every comparison.
    let packed = stream.write_all(bytes).and_then(|()| stream.finish());
    to_base64(&packed.unwrap_or_default())
}

/// Like [`unpack`], of the differences of successive words.
pub(super) fn unpack_differences(text: &str) -> Result<Vec<u8>, Refusal> {
    let mut bytes = unpack(text)?;
    let mut last = 0u32;
    for word in bytes.as_chunks_mut::<4>().0 {
        last = last.wrapping_add(u32::from_le_bytes(*word));
        *word = last.to_le_bytes();
    }
    Ok(bytes)
}

/// Like [`pack`], of the differences of successive words (the first against 0; a tail under 4 bytes as it is).
pub(super) fn pack_differences(bytes: &[u8]) -> String {
    let mut out = bytes.to_vec();
    let mut last = 0u32;
    for word in out.as_chunks_mut::<4>().0 {
        let this = u32::from_le_bytes(*word);
        *word = this.wrapping_sub(last).to_le_bytes();
        last = this;
    }
    pack(&out)
}

/// Lower-case hex of bytes.
pub(super) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes of hex text.
pub(super) fn from_hex(text: &str) -> Result<Vec<u8>, Refusal> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    if digits.len() != text.len() || !digits.len().is_multiple_of(2) {
        return Err(Refusal::Malformed(format!("\"{text}\" is no hex text of whole bytes")));
    }
    Ok(digits.chunks_exact(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

/// Whether two `data` fields hold the same bytes; plain and packed forms are told apart by whether they unpack.
pub(super) fn same_data(said: &Value, ours: &Value) -> bool {
    said == ours || bytes_of(said).is_some_and(|bytes| Some(bytes) == bytes_of(ours))
}

fn bytes_of(value: &Value) -> Option<Vec<u8>> {
    let text = value.as_str()?;
    unpack(text).or_else(|_| from_base64(text)).ok()
}

/// What differs, in words: the first byte of blobs, else both values.
pub(super) fn difference(said: Option<&Value>, ours: Option<&Value>, data: bool) -> String {
    let blobs = said.zip(ours).and_then(|(said, ours)| Some((bytes_of(said)?, bytes_of(ours)?)));
    match blobs {
        Some((said, ours)) if data => first_difference(&said, &ours),
        _ => {
            let text = |value: Option<&Value>| {
                value.map_or_else(|| "nothing".to_owned(), |v| shorten(&v.to_string()))
            };
            format!("recorded {}, the model says {}", text(said), text(ours))
        }
    }
}

/// The first byte in which two blobs differ, in words.
pub(super) fn first_difference(said: &[u8], ours: &[u8]) -> String {
    if said.len() != ours.len() {
        return format!("recorded {} bytes, the model gives {}", said.len(), ours.len());
    }
    let count = said.iter().zip(ours).filter(|(a, b)| a != b).count();
    match said.iter().zip(ours).position(|(a, b)| a != b) {
        Some(at) => format!(
            "{count} bytes differ, the first at offset {at}: recorded {:#04x}, the model says {:#04x}",
            said[at], ours[at]
        ),
        None => "no difference".to_owned(),
    }
}

fn shorten(text: &str) -> String {
    if text.len() <= 160 { text.to_owned() } else { text.chars().take(160).chain("...".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blobs_survive_the_round_trip() {
        let bytes: Vec<u8> = (0..999u32).map(|k| (k * k) as u8).collect();
        assert_eq!(unpack(&pack(&bytes)).unwrap(), bytes);
        assert_eq!(unpack_differences(&pack_differences(&bytes)).unwrap(), bytes);
        assert_eq!(from_hex(&to_hex(&bytes)).unwrap(), bytes);
        assert!(unpack("AAAA").is_err() && from_hex("abc").is_err());
    }

    #[test]
    fn numbers_are_found_in_texts() {
        assert_eq!(number(&serde_json::json!("sync -> 715")), Some(715));
        assert_eq!(number(&serde_json::json!(716)), Some(716));
    }
}
