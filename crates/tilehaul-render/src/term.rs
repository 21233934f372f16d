//! Pictures of characters.
