//! Layout algebra, swizzles, tensor-memory images and shared-memory banks.
