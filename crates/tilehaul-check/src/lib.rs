//! Happens-before over bytes, and one file per hazard.
