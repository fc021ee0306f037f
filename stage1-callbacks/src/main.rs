//! The program: `stage1-callbacks [OPTIONS] [ROOT]...`

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    shared::program::run(&stage1_callbacks::STAGE, stage1_callbacks::crawl)
}
