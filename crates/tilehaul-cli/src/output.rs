//! What a command answers, and how it is printed.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::ValueEnum;
use serde_json::{Map, Value, json};
use tilehaul::explain::ExplainError;
use tilehaul_diag::{Diagnostic, Level};
use tilehaul_render::{Sources, Style, diagnostic};

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs; the schema is in docs/schema.
    Json,
}

/// When text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Clean,
    Findings,
    Invalid,
    Unsupported,
}

impl Verdict {
    /// `findings` if any diagnostic is an error.
    pub(crate) fn of(diagnostics: &[Diagnostic]) -> Verdict {
        if diagnostics.iter().any(|d| d.level == Level::Error) { Verdict::Findings } else { Verdict::Clean }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Clean => "clean",
            Verdict::Findings => "findings",
            Verdict::Invalid => "invalid",
            Verdict::Unsupported => "unsupported",
        }
    }

    fn code(self) -> u8 {
        match self {
            Verdict::Clean => 0,
            Verdict::Findings => 1,
            Verdict::Invalid => 2,
            Verdict::Unsupported => 3,
        }
    }
}

/// The answer of a command that could use its input.
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    /// For people; ends with a newline.
    pub(crate) text: String,
    /// For programs.
    pub(crate) json: Map<String, Value>,
    /// The text is for programs already and is printed in either format.
    pub(crate) lines: bool,
}

/// Why a command could not use its input.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) verdict: Verdict,
    /// What is wrong: names the file, the place and the remedy.
    pub(crate) message: String,
    /// Diagnostics with places, where there are any.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) sources: Sources,
}

impl Failure {
    pub(crate) fn invalid(message: impl Into<String>) -> Failure {
        Failure {
            verdict: Verdict::Invalid,
            message: message.into(),
            diagnostics: Vec::new(),
            sources: Sources::default(),
        }
    }

    pub(crate) fn of_explain(error: ExplainError) -> Failure {
        match error {
            ExplainError::Unusable(text) => Failure::invalid(text),
            ExplainError::Unsupported(text) => Failure::unsupported(text),
        }
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Failure {
        Failure { verdict: Verdict::Unsupported, ..Failure::invalid(message) }
    }
}

pub(crate) type Outcome = Result<Answer, Failure>;

/// Where answers go.
pub(crate) struct Output {
    format: Format,
    /// Of standard output.
    pub(crate) style: Style,
}

impl Output {
    pub(crate) fn new(format: Format, colour: Colour) -> Output {
        let on = match colour {
            Colour::Always => true,
            Colour::Never => false,
            // https://no-color.org: any value that is not empty.
            Colour::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            }
        };
        Output { format, style: if on && format == Format::Text { Style::Ansi } else { Style::Plain } }
    }

    /// Prints an answer or a failure. A closed pipe is nobody's mistake.
    pub(crate) fn finish(&self, outcome: Outcome) -> ExitCode {
        let verdict = match outcome {
            Ok(answer) => {
                match self.format {
                    Format::Text => write(std::io::stdout(), &answer.text),
                    Format::Json if answer.lines => write(std::io::stdout(), &answer.text),
                    Format::Json => {
                        let mut json = answer.json;
                        json.insert("verdict".to_owned(), json!(answer.verdict.word()));
                        write(std::io::stdout(), &pretty(&Value::Object(json)));
                    }
                }
                answer.verdict
            }
            Err(failure) => {
                self.fail(&failure);
                failure.verdict
            }
        };
        ExitCode::from(verdict.code())
    }

    /// Says something to people beside an answer that programs take: on standard error, and not at all in JSON.
    pub(crate) fn aside(&self, text: &str) {
        if self.format == Format::Text && !text.is_empty() {
            write(std::io::stderr(), text);
        }
    }

    fn fail(&self, failure: &Failure) {
        match self.format {
            Format::Text => {
                let text = if failure.diagnostics.is_empty() {
                    format!("error: {}\n", failure.message)
                } else {
                    diagnostic::all_text(&failure.diagnostics, &failure.sources, self.style)
                };
                write(std::io::stderr(), &text);
            }
            Format::Json => {
                let findings: Vec<Value> =
                    failure.diagnostics.iter().map(|d| diagnostic::json(d, &failure.sources)).collect();
                let json = json!({
                    "verdict": failure.verdict.word(),
                    "error": failure.message,
                    "findings": findings,
                    "hints": [],
                });
                write(std::io::stdout(), &pretty(&json));
            }
        }
    }
}

/// Does something that may take long; a terminal at standard error sees a clock after a while.
pub(crate) fn with_clock<T>(doing: &str, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (done, ended) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut seconds = 0u64;
            // The sender's end is the end of the work.
            while ended.recv_timeout(std::time::Duration::from_secs(1))
                == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                seconds += 1;
                if seconds >= 2 {
                    write(std::io::stderr(), &format!("\r{doing}: {seconds} s"));
                }
            }
            if seconds >= 2 {
                write(std::io::stderr(), "\r\x1b[K");
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Adds `findings` and `hints`: errors, and the rest.
pub(crate) fn add_diagnostics(json: &mut Map<String, Value>, diagnostics: &[Diagnostic], sources: &Sources) {
    let list = |errors: bool| -> Vec<Value> {
        diagnostics
            .iter()
            .filter(|d| (d.level == Level::Error) == errors)
            .map(|d| diagnostic::json(d, sources))
            .collect()
    };
    json.insert("findings".to_owned(), json!(list(true)));
    json.insert("hints".to_owned(), json!(list(false)));
}

fn pretty(value: &Value) -> String {
    // A map of strings and numbers always becomes text.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

fn write(mut stream: impl Write, text: &str) {
    let _ = stream.write_all(text.as_bytes());
    let _ = stream.flush();
}
