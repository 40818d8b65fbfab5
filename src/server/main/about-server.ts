/** `--version` and `--help` of the MCP servers. */
import packageJson from '../../../package.json';
import { stderrLog } from './process';

/**
 * Answers a person who starts an MCP server by hand: `--version` and `--help`, and a word at a terminal.
 * @param about what it serves
 * @returns whether that was all that was asked
 */
export async function isAskedAbout(program: string, about: string): Promise<boolean> {
  const asked = (...options: string[]): boolean => process.argv.slice(2).some((argument) => options.includes(argument));
  const { out, err, noColour } = { out: process.stdout, err: process.stderr, noColour: true };
  const answer = asked('--version', '-V') ? `${packageJson.version}\n` : asked('--help', '-h') && help(program, about);
  if (answer) {
    const { openOutput } = await import('../cli/output');
    await openOutput({ out, err, noColour }).raw(answer);
    return true;
  }
  if (process.stdin.isTTY)
    stderrLog(program)('this speaks MCP, and waits for a client; "--help" tells how to connect one');
  return false;
}

function help(program: string, about: string): string {
  return `Usage: ${program}

Serves ${about} of the project around it to one MCP client, on
standard input and output. "svc-memory init --register" tells the clients of a
project about it (.mcp.json); others take this program as their command.

Options:
  --tools <set>  which tools agents are offered: all, or core, those that they
                 use by themselves while they work (SVC_TOOLS)
  -V, --version  print the version
  -h, --help     print this

Environment: SVC_MEMORY_DB names the store, SVC_NAMESPACE the namespace.
`;
}
