//! The tilehaul command: reads arguments and files, asks the library, prints, and says by its exit code how it went.
//!
//! | exit code | verdict | meaning |
//! |---|---|---|
//! | 0 | `clean` | clean or done |
//! | 1 | `findings` | findings, a refused descriptor, a failed expectation, a disagreement |
//! | 2 | `invalid` | bad usage, unreadable or malformed input |
//! | 3 | `unsupported` | something tilehaul does not model |

mod banks;
mod check;
mod check_llvm;
mod conform;
mod copy;
mod draw;
mod encode;
mod explain;
mod hw;
mod input;
mod layout;
mod mutate;
mod numbers;
mod output;
mod tmem;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use output::{Colour, Failure, Format, Output};

/// Runs and checks GPU tile-movement code without the GPU.
///
/// Exit codes: 0 clean or done; 1 findings, a refused descriptor or a failed expectation; 2 the input cannot be used;
/// 3 it meets something tilehaul does not model. `-` reads standard input wherever a file is named.
#[derive(Parser)]
#[command(
    name = "tilehaul",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
struct Cli {
    /// What is printed: text for people, JSON for programs.
    #[arg(long, global = true, value_enum, default_value = "text", value_name = "FORMAT")]
    format: Format,
    /// Colours: auto colours a terminal only.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    color: Colour,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Explain(explain::Args),
    Encode(Box<encode::Args>),
    Copy(copy::Args),
    Draw(draw::Args),
    Run(check::RunArgs),
    Check(check::CheckArgs),
    Mutate(mutate::Args),
    Conform(conform::Args),
    Layout(layout::Args),
    Tmem(tmem::Args),
    Banks(Box<banks::Args>),
    Hw(hw::Args),
}

/// Whether `--format json` stands on a command line that could not be read.
fn asks_for_json() -> bool {
    let arguments: Vec<String> = std::env::args().collect();
    arguments.iter().any(|a| a == "--format=json")
        || arguments.windows(2).any(|pair| matches!(pair, [a, b] if a == "--format" && b == "json"))
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors; clap prints them to the right stream.
            if error.use_stderr() && asks_for_json() {
                let told = error.to_string();
                let message = told.trim().trim_start_matches("error: ").to_owned();
                return Output::new(Format::Json, Colour::Never).finish(Err(Failure::invalid(message)));
            }
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let output = Output::new(cli.format, cli.color);
    let answer = match cli.command {
        Command::Explain(args) => explain::run(&args, &output),
        Command::Encode(args) => encode::run(&args, &output),
        Command::Copy(args) => copy::run(&args, &output),
        Command::Draw(args) => draw::run(&args),
        Command::Run(args) => check::execute(&args, &output),
        Command::Check(args) => check::check(&args, &output),
        Command::Mutate(args) => mutate::run(&args, &output),
        Command::Layout(args) => layout::run(&args, &output),
        Command::Tmem(args) => tmem::run(&args),
        Command::Banks(args) => banks::run(&args),
        Command::Conform(args) => conform::run(&args),
        Command::Hw(args) => hw::run(&args),
    };
    output.finish(answer)
}
