/** The main of both command lines, `svc-memory` and `svc`. */
import { runProgram } from '../cli/run-program';
import { argumentsOf, openCli } from './open-cli';

interface CommandLineOptions {
  /** The command that runs where none is named; the help is printed where it is missing. */
  readonly alone?: string;
  /** Its commands end on signals in their own way. */
  readonly stopsByItself?: boolean;
}

/** Runs the command line of this process: what `svc-memory` and `svc` share. */
export async function runCommandLine(
  name: string,
  build: Parameters<typeof runProgram>[1],
  { alone, stopsByItself }: CommandLineOptions = {},
): Promise<void> {
  const args = argumentsOf(process.argv);
  const wanted = args.length === 0 && alone !== undefined ? [alone] : args;
  process.exitCode = await runProgram(openCli(name, stopsByItself), build, wanted);
}
