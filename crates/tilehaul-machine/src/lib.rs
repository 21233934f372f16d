//! Threads, waves, memories, barriers, asynchronous operations, schedules: one machine for two instruction sets.
