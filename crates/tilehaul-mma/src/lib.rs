//! Tensor-core arithmetic, bit for bit.
