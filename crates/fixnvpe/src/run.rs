//! From the arguments to the exit code.

use std::ffi::{OsStr, OsString};
use std::io::Write;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use jiff::Timestamp;

use crate::arguments::older_script::{Differences, OlderScript};
use crate::arguments::{Arguments, Color, Command, Document, General, help, usage_error};
use crate::caller::{self, Caller};
use crate::catalogue::Catalogue;
use crate::commands;
use crate::document::ErrorDocument;
use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::language::Language;
use crate::message;
use crate::output::Output;
use crate::session::Session;
use crate::window;

/// Runs the program, and lets its result be read.
pub(crate) fn run(arguments: &[OsString]) -> ExitCode {
    // Asked first: what shares the console at the end may not be the shell.
    let start = caller::start(arguments.len().saturating_sub(1));
    let language = Language::choose(Language::asked_in(arguments), caller::locales());
    let code = run_in(language, arguments);
    if start.owns_its_window() && code != ExitCode::Interrupted {
        window::keep_open(&Catalogue::of(language));
    }
    code
}

fn run_in(language: Language, arguments: &[OsString]) -> ExitCode {
    let catalogue = Catalogue::of(language);
    let parsed = match parse(arguments, &catalogue) {
        Ok(parsed) => parsed,
        Err(Stop::Shown) => return ExitCode::Done,
        Err(Stop::Wrong(fatal)) => return before_parsing(arguments, catalogue, &fatal),
    };
    caller::choose_color(parsed.general.color);
    let document = parsed.command.document().cloned().unwrap_or_default();
    let session = session(catalogue, parsed.general, document.redact);
    // What these tell with `--verbose` is advice; the reading of each file would
    // bury it.
    if !matches!(parsed.command, Command::Doctor(_) | Command::Explain(_)) {
        session.trace();
    }
    if let Some(differences) = parsed.differences {
        say_differences(&session, differences);
    }
    let wants_json = document.json || parsed.command.wants_lines();
    match dispatch(&session, &parsed.command) {
        Ok(code) => {
            if parsed.begins {
                commands::doctor::what_next(&session);
            }
            code
        }
        Err(fatal) => end(&session, &fatal, wants_json.then_some(&document)),
    }
}

/// What was asked for.
struct Parsed {
    general: General,
    command: Command,
    differences: Option<Differences>,
    /// Whether nothing was typed: someone who begins here wants to know how to
    /// go on.
    begins: bool,
}

/// Why there is nothing to run.
enum Stop {
    /// Help or version were asked for and shown.
    Shown,
    /// The command line is wrong.
    Wrong(Box<Fatal>),
}

fn parse(arguments: &[OsString], catalogue: &Catalogue) -> Result<Parsed, Stop> {
    if OlderScript::is_meant_by(arguments) {
        let older: OlderScript = parse_as(arguments, catalogue)?;
        let (general, patch, differences) = older.into_patch();
        return Ok(Parsed {
            general,
            command: Command::Patch(patch),
            differences: Some(differences),
            begins: false,
        });
    }
    let begins = caller::stdout_is_terminal() && names_no_command(arguments);
    let mut words = arguments.to_vec();
    if begins {
        words.push("doctor".into());
    }
    let parsed: Arguments = parse_as(&words, catalogue)?;
    Ok(Parsed {
        general: parsed.general,
        command: parsed.command,
        differences: None,
        begins,
    })
}

/// Whether options are all that was typed, if anything was.
fn names_no_command(arguments: &[OsString]) -> bool {
    Arguments::command()
        .try_get_matches_from(arguments)
        .is_err_and(|error| {
            matches!(
                error.kind(),
                ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            )
        })
}

fn parse_as<T: CommandFactory + FromArgMatches>(
    arguments: &[OsString],
    catalogue: &Catalogue,
) -> Result<T, Stop> {
    let command = help::in_language(T::command(), catalogue);
    let matches = if arguments.len() < 2 {
        // Without any argument the help says more than an error would; on
        // standard error, since it is no result.
        let _ = write!(
            anstream::stderr(),
            "{}",
            command.clone().render_help().ansi()
        );
        Err(command.clone().error(ErrorKind::MissingSubcommand, ""))
    } else {
        command.try_get_matches_from(arguments)
    };
    matches
        .and_then(|matches| T::from_arg_matches(&matches))
        .map_err(|error| {
            if let Some(fatal) = usage_error::of_parser(&error) {
                return Stop::Wrong(Box::new(fatal));
            }
            // A reader that went away has seen enough.
            let _ = write!(anstream::stdout(), "{}", error.render().ansi());
            Stop::Shown
        })
}

fn session(catalogue: Catalogue, general: General, redact: bool) -> Session {
    let caller = Caller::this();
    Session {
        redactor: redact.then(|| caller.redactor()),
        catalogue,
        general,
        caller,
        started: Timestamp::now(),
    }
}

fn dispatch(session: &Session, command: &Command) -> Result<ExitCode, Fatal> {
    match command {
        Command::Scan(asked) => commands::scan::run(session, asked),
        Command::Patch(asked) => commands::patch::run(session, asked),
        Command::Restore(asked) => commands::restore::run(session, asked),
        Command::Verify(asked) => commands::verify::run(session, asked),
        Command::Inspect(asked) => commands::inspect::run(session, asked),
        Command::History(asked) => commands::history::run(session, asked),
        Command::Envs(asked) => commands::envs::run(session, asked),
        Command::Doctor(asked) => commands::doctor::run(session, asked),
        Command::Explain(asked) => commands::explain::run(session, asked),
        Command::Measure(asked) => commands::measure::run(session, asked),
        Command::MeasuredProcess => commands::measure::serve(),
        Command::Completions { shell } => commands::completions::run(session, *shell),
        Command::Man => commands::man::run(session),
        Command::Schema { document } => commands::schema::run(session, *document),
    }
}

fn say_differences(session: &Session, differences: Differences) {
    if differences.aslr_is_kept {
        session.notes().note(&message!("older-script-keeps-aslr"));
    }
}

/// An error before the options are known: what matters for its form is read
/// from the words themselves.
fn before_parsing(arguments: &[OsString], catalogue: Catalogue, fatal: &Fatal) -> ExitCode {
    let asks_for = |option: &str| {
        arguments
            .iter()
            .take_while(|argument| *argument != OsStr::new("--"))
            .any(|argument| argument == option)
    };
    let general = General {
        lang: None,
        quiet: false,
        verbose: false,
        color: Color::Auto,
    };
    let session = session(catalogue, general, asks_for("--redact"));
    let wants_json = asks_for("--json") || asks_for("--jsonl");
    end(&session, fatal, wants_json.then_some(&Document::default()))
}

/// Says what ended the run: to people always, and to the script that asked for
/// JSON, where it expects the result.
fn end(session: &Session, fatal: &Fatal, document: Option<&Document>) -> ExitCode {
    if let Some(document) = document {
        let head = session.head(ErrorDocument::SCHEMA);
        let output = match session.output(document) {
            // The file of `-o` may be what is wrong.
            Err(_) => Output::open(None, session.redactor.clone()),
            opened if fatal.word == Word::Output => {
                drop(opened);
                Output::open(None, session.redactor.clone())
            }
            opened => opened,
        };
        if let Ok(mut output) = output {
            output.json(&ErrorDocument::new(head, fatal));
            // Nobody is left to be told.
            let _ = output.finish();
        }
    }
    session.notes().fatal(fatal);
    fatal.exit
}
