//! Pictures for documents.
