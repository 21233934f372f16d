//! Encode calls with any numbers: an answer in words, or a map that reads back as itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilehaul_descriptor::nvidia::tensor_map::has_error;
use tilehaul_descriptor::nvidia::{
    Architecture, Context, EncodeIm2col, EncodeTiled, Lists, Naming, TensorMap,
};

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    /// Small numbers, powers of two and their neighbours, or any number.
    fn number(&mut self) -> u64 {
        let kind = self.byte();
        match kind & 3 {
            0 => u64::from(self.byte()),
            1 => (1u64 << (self.byte() & 63)).wrapping_add(u64::from(kind >> 2)).wrapping_sub(16),
            2 => u64::from(self.byte()) * 16,
            _ => (0..8).fold(0, |n, _| n << 8 | u64::from(self.byte())),
        }
    }

    fn numbers(&mut self) -> Vec<u64> {
        let count = self.byte() % 7;
        (0..count).map(|_| self.number()).collect()
    }

    fn code(&mut self) -> u32 {
        u32::from(self.byte() & 31)
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let architectures = Architecture::all();
    let architecture = &architectures[usize::from(bytes.byte()) % architectures.len()];
    let told = bytes.byte();
    let context = Context {
        architecture,
        naming: if told & 1 == 0 { Naming::Plain } else { Naming::Cuda },
        lists: if told & 2 == 0 { Lists::Arrays } else { Lists::Exact },
    };
    let signed = |numbers: Vec<u64>| numbers.into_iter().map(|n| n as i64).collect::<Vec<_>>();
    let im2col = bytes.byte() & 1 == 1;
    let (data_type, rank, address) = (bytes.code(), bytes.code() & 7, bytes.number());
    let (dims, strides, element_strides) = (bytes.numbers(), bytes.numbers(), bytes.numbers());
    let (interleave, swizzle, l2_promotion, oob_fill) =
        (bytes.code() & 3, bytes.code() & 7, bytes.code() & 7, bytes.code() & 3);
    let alloc_bytes = Some(bytes.number());
    let (map, said) = if im2col {
        let encode = EncodeIm2col {
            data_type,
            rank,
            address,
            dims,
            strides,
            lower_corner: signed(bytes.numbers()),
            upper_corner: signed(bytes.numbers()),
            channels_per_pixel: bytes.number(),
            pixels_per_column: bytes.number(),
            element_strides,
            interleave,
            swizzle,
            l2_promotion,
            oob_fill,
            alloc_bytes,
        };
        (encode.map(&context), encode.diagnose(&context))
    } else {
        let box_dims = bytes.numbers();
        let encode = EncodeTiled {
            data_type,
            rank,
            address,
            dims,
            strides,
            box_dims,
            element_strides,
            interleave,
            swizzle,
            l2_promotion,
            oob_fill,
            alloc_bytes,
        };
        (encode.map(&context), encode.diagnose(&context))
    };
    match map {
        Ok(map) => {
            assert!(!has_error(&said));
            assert_eq!(TensorMap::decode(&map.encode(), architecture).map, Some(map));
        }
        Err(broken) => assert!(has_error(&broken)),
    }
});
