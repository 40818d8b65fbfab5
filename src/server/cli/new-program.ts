/** The settings that all our command lines share. */
import { Command } from 'commander';
import type { Cli } from './cli';

/** A command line of ours, before its commands are added. @param print takes the help and the version */
export function newProgram(cli: Cli, name: string, about: string, print: (text: string) => void): Command {
  const { colours, errorColours, width } = cli.output;
  const program = new Command(name)
    .description(about)
    .version(cli.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .enablePositionalOptions();
  program.configureOutput({
    writeOut: print,
    writeErr: print,
    outputError: () => {},
    getOutHelpWidth: () => width,
    getErrHelpWidth: () => width,
    getOutHasColors: () => colours.isColorSupported,
    getErrHasColors: () => errorColours.isColorSupported,
  });
  program.configureHelp({
    subcommandTerm: (command) => command.name(),
    styleTitle: (title) => colours.bold(title),
    styleSubcommandTerm: (term) => colours.cyan(term),
    styleOptionTerm: (term) => colours.cyan(term),
    styleArgumentTerm: (term) => colours.cyan(term),
  });
  return program;
}

/** Commands that are made on their own do not inherit the program's ways by themselves. */
export function own(program: Command, command: Command): Command {
  return command.copyInheritedSettings(program).helpOption('-h, --help', 'print this help');
}
