//! `cargo show NAME`: an output, one line for each press of Enter, so that a class can
//! guess the next one.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, IsTerminal, PipeReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use step::{Step, exit_code, find, root, typed, unknown};

const USAGE: &str = "\
Usage: cargo show [--live] [--all] NAME [ARGUMENTS…]

Shows the stored output of a step, or of a run in book/runs, one line each time you press
Enter. Type `a` and Enter for all the rest, `q` and Enter to end.

  --live   runs the step with these arguments, and shows what it prints in the same way
  --all    shows all at once, as happens where the output is no terminal
  --ask    waits for Enter even there
";

/// What the command line asks for.
#[derive(Default)]
struct Wanted {
    is_live: bool,
    all: bool,
    ask: bool,
    /// The name, and what the step gets.
    words: Vec<OsString>,
}

impl Wanted {
    fn read(arguments: &[OsString]) -> Wanted {
        let mut wanted = Wanted::default();
        for argument in arguments {
            match argument.to_str() {
                Some("--live") => wanted.is_live = true,
                Some("--all") => wanted.all = true,
                Some("--ask") => wanted.ask = true,
                _ => wanted.words.push(argument.clone()),
            }
        }
        wanted
    }
}

/// Shows what the arguments ask for.
pub(crate) fn act(arguments: &[OsString], steps: &[Step]) -> Result<ExitCode, String> {
    let wanted = Wanted::read(arguments);
    let Some((name, rest)) = wanted.words.split_first() else {
        return crate::print(USAGE);
    };
    let name = name.to_string_lossy();
    if ["-h", "--help"].contains(&&*name) {
        return crate::print(USAGE);
    }
    let mut screen = Screen::new(&wanted);
    let result = match wanted.is_live {
        true => live(find(steps, &name)?, rest, &mut screen)?,
        false if !rest.is_empty() => {
            return Err("a stored output has no arguments; `--live` does".to_string());
        }
        false => stored(steps, &name, &mut screen)?,
    };
    match result {
        // `cargo show NAME | head` has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => Err(error.to_string()),
        Ok(code) => Ok(code),
    }
}

/// Shows what a step or another command of the book has printed in a real run.
fn stored(
    steps: &[Step],
    name: &str,
    screen: &mut Screen,
) -> Result<io::Result<ExitCode>, String> {
    let read = |file: &Path| {
        fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
    };
    let (command, text) = match steps.iter().find(|step| step.name == name) {
        Some(step) => (step_command(name, &[]), read(&step.output())?),
        None => {
            let text = read(&run(steps, name)?)?;
            let (command, output) = text.split_once('\n').unwrap_or((&text, ""));
            (command.trim().to_string(), output.to_string())
        }
    };
    let lines = text.lines().map(|line| Ok(line.to_string()));
    Ok(screen.show(&command, lines).map(|_| ExitCode::SUCCESS))
}

/// Returns the file in `book/runs` with this name.
fn run(steps: &[Step], name: &str) -> Result<PathBuf, String> {
    let folder = root().join("book/runs");
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let mut runs: Vec<String> = files
        .filter(|file| file.extension().is_some_and(|it| it == "out"))
        .filter_map(|file| Some(file.file_stem()?.to_str()?.to_string()))
        .collect();
    runs.sort();
    if runs.iter().any(|run| run == name) {
        return Ok(folder.join(name).with_extension("out"));
    }
    let names = steps.iter().map(|step| &*step.name);
    Err(unknown("step or run", name, names.chain(runs.iter().map(String::as_str))))
}

/// Runs a step, and shows its lines as they are asked for.
fn live(
    step: &Step,
    arguments: &[OsString],
    screen: &mut Screen,
) -> Result<io::Result<ExitCode>, String> {
    let mut commands = step.commands(arguments);
    let mut last = commands.pop().expect("each step is run by a command at least");
    for mut command in commands {
        let status = command.current_dir(root()).status();
        let status = status.map_err(|error| format!("{}: {error}", typed(&command)))?;
        if !status.success() {
            return Ok(Ok(exit_code(status)));
        }
    }
    let (mut child, output) =
        start(&mut last).map_err(|error| format!("{}: {error}", typed(&last)))?;
    let lines = BufReader::new(output).split(b'\n').map(|line| {
        let line = line?;
        Ok(String::from_utf8_lossy(&line).trim_end_matches('\r').to_string())
    });
    let shown = screen.show(&step_command(&step.name, arguments), lines);
    if !matches!(shown, Ok(End::Reached)) {
        // It may have ended by itself just now.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    Ok(shown.map(|end| match end {
        End::Reached => exit_code(status),
        End::Left => ExitCode::SUCCESS,
    }))
}

/// Starts a program with one pipe for all that it prints.
fn start(command: &mut Command) -> io::Result<(Child, PipeReader)> {
    let (reader, writer) = io::pipe()?;
    // What cargo says of itself is no line of the step.
    command.current_dir(root()).env("CARGO_TERM_QUIET", "true");
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let child = command.spawn()?;
    // The command holds the ends that were for the child. While they are open, the
    // output does not end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok((child, reader))
}

/// Returns `cargo step …` as one would type it.
fn step_command(name: &str, arguments: &[OsString]) -> String {
    let mut command = Command::new("cargo");
    format!("$ {}", typed(command.args(["step", name]).args(arguments)))
}

/// How a show ended.
enum End {
    /// All lines were shown.
    Reached,
    /// The teacher, or the end of the input, ended it.
    Left,
}

/// What an answer of the teacher means.
enum Answer {
    Next,
    All,
    Leave,
}

/// Where lines are shown, one after the other.
struct Screen {
    /// Whether it waits for Enter.
    asks: bool,
    /// Whether the lines come from a program that still runs.
    is_live: bool,
    /// Whether the terminal moves to the next line when Enter is pressed.
    echoes: bool,
}

impl Screen {
    fn new(wanted: &Wanted) -> Screen {
        let echoes = io::stdin().is_terminal() && io::stdout().is_terminal();
        let asks = !wanted.all && (echoes || wanted.ask);
        Screen { asks, is_live: wanted.is_live, echoes }
    }

    /// Prints the command, and then each line when it is asked for.
    fn show(
        &mut self,
        command: &str,
        lines: impl Iterator<Item = io::Result<String>>,
    ) -> io::Result<End> {
        if self.asks {
            eprintln!("(Enter: the next line; a: all the rest; q: the end)");
        }
        let mut out = io::stdout().lock();
        let mut lines = lines.peekable();
        let mut line = command.to_string();
        loop {
            write!(out, "{line}")?;
            out.flush()?;
            // A program that runs may be silent for long, and `q` does not wait for it.
            let is_last = !self.is_live && lines.peek().is_none();
            if !self.asks || is_last {
                writeln!(out)?;
            } else {
                match self.ask(&mut out, &line)? {
                    Answer::Next => {}
                    Answer::All => self.asks = false,
                    Answer::Leave => return Ok(End::Left),
                }
            }
            match lines.next() {
                Some(next) => line = next?,
                None => return Ok(End::Reached),
            }
        }
    }

    /// Waits for Enter. The cursor is at the end of this line, so what is typed would
    /// stay there.
    fn ask(&self, out: &mut impl Write, line: &str) -> io::Result<Answer> {
        let mut typed = String::new();
        let count = io::stdin().lock().read_line(&mut typed)?;
        if count == 0 || !self.echoes {
            writeln!(out)?;
        } else if cfg!(unix) && !typed.trim().is_empty() {
            writeln!(out, "\x1b[1A\r{line}\x1b[K")?; // up, again, and nothing after it
        }
        Ok(match typed.trim() {
            _ if count == 0 => Answer::Leave,
            "a" => Answer::All,
            "q" => Answer::Leave,
            _ => Answer::Next,
        })
    }
}
