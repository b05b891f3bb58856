//! Tests of the comparison on models made in code.
