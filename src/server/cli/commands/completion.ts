/** `svc-memory completion`, `svc completion`. */
import { Argument, Command, InvalidArgumentError, type Option } from 'commander';
import type { Cli, ExitStatus } from '../cli';
import { type CompletedCommand, completionScript, SHELLS, type Shell } from '../completion-scripts';
import { notAChoice } from '../did-you-mean';
import { offeredBy, offering } from '../offered';

/** @param program the name of the command line that it is of */
export function completionCommand(program: string): (cli: Cli, finish: (status: ExitStatus) => void) => Command {
  return (cli, finish) => {
    const shell = offering(new Argument('<shell>', SHELLS.join(', ')), SHELLS).argParser((value: string) => {
      if (SHELLS.some((one) => one === value)) return value;
      throw new InvalidArgumentError(notAChoice(value, SHELLS));
    });
    const command = new Command('completion')
      .summary('Print what makes a shell complete the commands')
      .description(
        `Print a script by which bash, zsh or fish completes the commands of ${program}, their options and values. Put eval "$(${program} completion bash)" into ~/.bashrc, the same with zsh into ~/.zshrc; for fish write it to ~/.config/fish/completions/${program}.fish.`,
      )
      .addArgument(shell)
      .addHelpText('after', `\nExamples:\n  eval "$(${program} completion bash)"\n`);
    return command.action(async (asked: Shell) => {
      await cli.output.raw(completionScript(asked, { program, commands: (command.parent?.commands ?? []).map(known) }));
      finish(0);
    });
  };
}

function known(command: Command): CompletedCommand {
  const options = command.options.filter(({ hidden, long }) => !hidden && long !== undefined);
  return {
    name: command.name(),
    about: firstSentence(command.summary() || command.description()),
    options: [
      ...options.map((option: Option) => ({
        flag: option.long ?? '',
        about: firstSentence(option.description),
        takesValue: option.required || option.optional,
        choices: offeredBy(option),
      })),
      { flag: '--help', about: 'print this help', takesValue: false, choices: [] },
    ],
    choices: command.registeredArguments.flatMap(offeredBy),
  };
}

function firstSentence(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[.;(].*$/, '')
    .trim();
}
