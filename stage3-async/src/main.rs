//! The program: `stage3-async [OPTIONS] [ROOT]...`

fn main() -> std::process::ExitCode {
    shared::program::run(&stage3_async::PROGRAM, stage3_async::crawl)
}
