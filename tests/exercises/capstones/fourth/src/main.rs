//! The program: `cargo run -- [OPTIONS] [ROOT]...`

fn main() -> std::process::ExitCode {
    shared::program::run(&fourth::PROGRAM, fourth::crawl)
}
