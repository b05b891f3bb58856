//! Exports made in code.
