//! The tilehaul command.

fn main() {}
