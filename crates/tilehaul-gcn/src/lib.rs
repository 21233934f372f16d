//! Executes AMD GPU programs on the machine.
