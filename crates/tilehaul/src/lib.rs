//! Runs and checks GPU tile-movement code without the GPU.
