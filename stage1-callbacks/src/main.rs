//! The program: `stage1-callbacks [OPTIONS] [ROOT]...`

fn main() -> std::process::ExitCode {
    shared::program::run(&stage1_callbacks::PROGRAM, stage1_callbacks::crawl)
}
