//! NumPy's `.npy` files: one array, as bytes with a type and a shape.
//!
//! Format versions 1 to 3, C order, little endian. A header is text that somebody else wrote, so it is read with care: lengths
//! are checked against the file before anything is allocated, and shapes are multiplied without overflow.
//! `.npy` has no bf16, fp8 or packed types: their bits travel as `uint16` and `uint8`.

use std::fmt;

use tilehaul_descriptor::ElementType;

const MAGIC: &[u8] = b"\x93NUMPY";

/// Longest header that is read; NumPy's own are below 200 bytes.
const LONGEST_HEADER: usize = 1 << 16;

/// How NumPy names an element: a kind letter and a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descr {
    /// `i` signed, `u` unsigned, `f` float, `b` bool, `V` raw.
    pub kind: char,
    /// Bytes of one element.
    pub bytes: u32,
}

/// One array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Type of its elements.
    pub descr: Descr,
    /// Extents, outermost first.
    pub shape: Vec<u64>,
    /// The elements, row-major, little endian.
    pub data: Vec<u8>,
}

/// Why bytes are not an array that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NpyError(String);

impl fmt::Display for NpyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NpyError {}

fn error<T>(text: impl Into<String>) -> Result<T, NpyError> {
    Err(NpyError(text.into()))
}

impl Descr {
    /// What an element type is called in a file.
    #[must_use]
    pub fn of(element: ElementType) -> Descr {
        let bytes = element.bytes().unwrap_or(1);
        let kind = match element {
            ElementType::F16
            | ElementType::F32
            | ElementType::F32Ftz
            | ElementType::F64
            | ElementType::Tf32
            | ElementType::Tf32Ftz => 'f',
            _ if element.is_signed_integer() => 'i',
            _ => 'u',
        };
        Descr { kind, bytes }
    }

    /// The element type that a file's name suggests: `f2` is f16, `u2` is u16 (or bf16 bits).
    #[must_use]
    pub fn element(self) -> Option<ElementType> {
        Some(match (self.kind, self.bytes) {
            ('u' | 'b', 1) => ElementType::U8,
            ('u', 2) => ElementType::U16,
            ('u', 4) => ElementType::U32,
            ('u', 8) => ElementType::U64,
            ('i', 1) => ElementType::I8,
            ('i', 2) => ElementType::I16,
            ('i', 4) => ElementType::I32,
            ('i', 8) => ElementType::I64,
            ('f', 2) => ElementType::F16,
            ('f', 4) => ElementType::F32,
            ('f', 8) => ElementType::F64,
            _ => return None,
        })
    }
}

impl fmt::Display for Descr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = if self.bytes == 1 { '|' } else { '<' };
        write!(f, "{order}{}{}", self.kind, self.bytes)
    }
}

impl Array {
    /// An array of that type and shape.
    #[must_use]
    pub fn new(element: ElementType, shape: Vec<u64>, data: Vec<u8>) -> Array {
        Array { descr: Descr::of(element), shape, data }
    }

    /// Reads a file's contents.
    ///
    /// # Errors
    /// When the header is malformed, the layout is not C order and little endian, or the data is shorter than the shape.
    pub fn parse(file: &[u8]) -> Result<Array, NpyError> {
        let Some(rest) = file.strip_prefix(MAGIC) else {
            return error("this is not a .npy file: it does not begin with \\x93NUMPY");
        };
        let (header_len, prefix) = match *rest {
            [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([a, b])), 4),
            [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]) as usize, 6),
            [major, ..] => {
                return error(format!(".npy format version {major} is not known (1, 2 and 3 are)"));
            }
            [] => return error("the file ends inside its .npy header"),
        };
        if header_len > LONGEST_HEADER {
            return error(format!("the .npy header claims {header_len} bytes"));
        }
        let Some(header) = rest.get(prefix..prefix + header_len) else {
            return error("the file ends inside its .npy header");
        };
        let Ok(header) = std::str::from_utf8(header) else { return error("the .npy header is not text") };
        let (descr, shape) = parse_header(header)?;
        let data = rest.get(prefix + header_len..).unwrap_or_default();
        let bytes = shape
            .iter()
            .try_fold(u64::from(descr.bytes), |product, &extent| product.checked_mul(extent))
            .filter(|&b| b <= data.len() as u64);
        match bytes {
            // The length was compared with a slice's, so it fits usize.
            Some(bytes) => {
                let data = data.get(..bytes as usize).unwrap_or_default().to_vec();
                Ok(Array { descr, shape, data })
            }
            None => error(format!(
                "the .npy header says shape {shape:?} of {descr}, but only {} bytes follow",
                data.len()
            )),
        }
    }

    /// The array as a file, format version 1.
    #[must_use]
    pub fn to_file(&self) -> Vec<u8> {
        let extents: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        let comma = if extents.len() == 1 { "," } else { "" };
        let mut header = format!(
            "{{'descr': '{}', 'fortran_order': False, 'shape': ({}{comma}), }}",
            self.descr,
            extents.join(", ")
        );
        // NumPy pads so that the data begins at a multiple of 64 bytes.
        while !(MAGIC.len() + 4 + header.len() + 1).is_multiple_of(64) {
            header.push(' ');
        }
        header.push('\n');
        let mut file = MAGIC.to_vec();
        file.extend([1, 0]);
        // A few dozen bytes and one number a dimension: far below 64 KiB for any shape that fits memory.
        file.extend(u16::try_from(header.len()).unwrap_or(u16::MAX).to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(&self.data);
        file
    }
}

/// `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`, keys in any order.
fn parse_header(header: &str) -> Result<(Descr, Vec<u64>), NpyError> {
    let value = |key: &str| {
        let quoted = [format!("'{key}'"), format!("\"{key}\"")];
        let at = quoted.iter().find_map(|q| header.find(q.as_str()).map(|i| i + q.len()))?;
        header.get(at..)?.trim_start().strip_prefix(':').map(str::trim_start)
    };
    let Some(descr) = value("descr") else { return error("the .npy header has no 'descr'") };
    let quote = descr.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let Some(name) = quote.and_then(|q| descr.get(1..)?.split(q).next()) else {
        return error("structured .npy arrays (a list as 'descr') cannot be used; save one field");
    };
    let descr = parse_descr(name)?;
    let shape = value("shape").and_then(|s| s.strip_prefix('(')?.split(')').next());
    let Some(shape) = shape else { return error("the .npy header has no 'shape'") };
    let mut extents = Vec::new();
    for extent in shape.split(',').map(str::trim).filter(|e| !e.is_empty()) {
        let digits = extent.trim_end_matches('L');
        let Ok(extent) = digits.parse::<u64>() else {
            return error(format!("the .npy header has the extent `{extent}`"));
        };
        extents.push(extent);
    }
    let fortran = value("fortran_order").is_some_and(|v| v.starts_with("True"));
    if fortran && extents.iter().filter(|&&e| e > 1).count() > 1 {
        return error("the array is in Fortran order; save np.ascontiguousarray(it)");
    }
    Ok((descr, extents))
}

fn parse_descr(name: &str) -> Result<Descr, NpyError> {
    let bare = name.trim_start_matches(['<', '|', '=']);
    let mut chars = bare.chars();
    let kind = chars.next().unwrap_or(' ');
    let bytes = chars.as_str().parse().unwrap_or(0);
    if name.starts_with('>') && bytes != 1 {
        return error(format!(
            "the array is big endian ({name}); save it with .astype('<{bare}')",
            bare = name.trim_start_matches('>')
        ));
    }
    if !matches!(kind, 'i' | 'u' | 'f' | 'b' | 'V') || !matches!(bytes, 1 | 2 | 4 | 8) {
        return error(format!("arrays of {name} cannot be used; integers and floats of 1 to 8 bytes can"));
    }
    Ok(Descr { kind, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn arrays_survive_the_round_trip() {
        for (element, shape) in
            [(ElementType::F32, vec![2, 3]), (ElementType::U8, vec![5]), (ElementType::I64, vec![])]
        {
            let elements: u64 = shape.iter().product();
            let bytes = element.global_bytes(elements);
            let array = Array::new(element, shape, (0..bytes).map(|b| b as u8).collect());
            let file = array.to_file();
            assert_eq!(Array::parse(&file), Ok(array));
            assert_eq!(file.windows(1).position(|w| w == b"\n").map(|at| (at + 1) % 64), Some(0));
        }
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        let file = |header: &str| {
            let mut file = b"\x93NUMPY\x01\x00".to_vec();
            file.extend((header.len() as u16).to_le_bytes());
            file.extend(header.as_bytes());
            file.extend([0; 32]);
            file
        };
        let message = |header: &str| Array::parse(&file(header)).unwrap_err().to_string();
        assert!(message("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }").contains("big endian"));
        assert!(message("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }").contains("Fortran"));
        assert!(message("{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }").contains("<c8"));
        let huge = "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967295, 4294967295, 9), }";
        assert!(message(huge).contains("only 32 bytes"));
        assert!(Array::parse(b"PK").unwrap_err().to_string().contains("not a .npy"));
    }

    proptest! {
        #[test]
        fn hostile_headers_get_an_answer(header in "[ -~]{0,120}", tail in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut file = b"\x93NUMPY\x01\x00".to_vec();
            file.extend((header.len() as u16).to_le_bytes());
            file.extend(header.as_bytes());
            file.extend(&tail);
            let _ = Array::parse(&file);
            let _ = Array::parse(&tail);
        }
    }
}
