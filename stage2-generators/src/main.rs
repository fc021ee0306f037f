//! The program: `stage2-generators [OPTIONS] [ROOT]...`

fn main() -> std::process::ExitCode {
    shared::program::run(&stage2_generators::PROGRAM, stage2_generators::crawl)
}
