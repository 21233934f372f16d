//! AMD formats: the tensor descriptor (D#), the buffer resource (V#) and the LDS barrier word.

pub mod buffer_resource;
pub mod lds_barrier_word;
pub mod tdm;
