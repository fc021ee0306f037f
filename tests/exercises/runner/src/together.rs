//! Several solutions of an exercise as one program. Most of a compiler's time goes into its
//! start and into linking, so a dozen solutions cost little more than one.
//!
//! Each solution is a module. An environment variable, which only the program's `main`
//! reads, names the one whose `main` is called.

use crate::compile::{Library, Program};
use crate::run::{self, Verdict};
use std::fs;
use std::process::Command;

/// Says which solution a program is.
const NUMBER: &str = "EXERCISE_SOLUTION";

/// A compiled program of several solutions.
pub struct Together(Program);

impl Together {
    /// Compiles these solutions to a program of this name.
    ///
    /// # Errors
    /// What the compiler says. It does not say which of the solutions is to blame: compile
    /// each of them alone.
    pub fn compile<T: AsRef<str>>(
        library: &Library,
        name: &str,
        solutions: &[T],
    ) -> Result<Together, String> {
        let folder = library.work().join(format!("{name}.together"));
        let write = |file: String, text: &str| {
            let path = folder.join(file);
            let written =
                fs::create_dir_all(&folder).and_then(|()| fs::write(&path, text));
            written.map_err(|error| format!("{}: {error}", path.display()))?;
            Ok::<_, String>(path)
        };
        for (number, text) in solutions.iter().enumerate() {
            let text = text.as_ref();
            if !text.contains("\nfn main()") {
                return Err("a solution has no `fn main()`".into());
            }
            let text = text.replacen("\nfn main()", "\npub fn main()", 1);
            write(format!("of_{number}.rs"), &text)?;
        }
        let main = write("main.rs".into(), &main_of(solutions.len()))?;
        library.compile_stripped(&main, name).map(Together)
    }

    /// Runs the solution with this number. Each case has this many seconds.
    pub fn run(&self, number: usize, seconds: u64) -> Result<Verdict, String> {
        let mut program = Command::new(&self.0.path);
        program.env(NUMBER, number.to_string());
        run::run(program, seconds)
    }
}

/// The program's `main`, which calls that of a solution.
fn main_of(count: usize) -> String {
    let modules: String = (0..count).map(|it| format!("mod of_{it};\n")).collect();
    let arm = |it: usize| {
        format!(
            "        Ok(\"{it}\") => std::process::Termination::report(of_{it}::main()),\n"
        )
    };
    let arms: String = (0..count).map(arm).collect();
    format!(
        "{modules}\n\
         fn main() -> std::process::ExitCode {{\n    \
         match std::env::var(\"{NUMBER}\").as_deref() {{\n\
         {arms}        \
         other => panic!(\"no solution has the number {{other:?}}\"),\n    }}\n}}\n"
    )
}
