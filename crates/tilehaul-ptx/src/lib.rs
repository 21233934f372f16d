//! Executes PTX programs on the machine.
