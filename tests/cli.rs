//! The program as other programs see it: arguments in; files, stdout, stderr and an exit code out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests are tests too"
)]

mod support;

mod cli {
    mod files;
    mod info;
    mod pose;
    mod program;
    mod render;
    mod runner;
    mod validate;
}
