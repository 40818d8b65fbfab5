/** `--version` and `--help` of the MCP servers. */
import { version } from '../../../package.json';
import { stderrLog } from './process';

/** What a server says of itself to a person who starts it by hand. */
interface AboutServer {
  readonly help: string;
  /** At a terminal: whom it waits for. */
  readonly waits: string;
}

/** @param about what it serves */
export function aboutMcpServer(program: string, about: string): AboutServer {
  return {
    help: mcpHelp(program, about),
    waits: 'this speaks MCP, and waits for a client; "--help" tells how to connect one',
  };
}

/**
 * Answers a person who starts a server by hand: `--version` and `--help`, and a word at a terminal.
 * @returns whether that was all that was asked
 */
export async function isAskedAbout(program: string, { help, waits }: AboutServer): Promise<boolean> {
  const asked = (...options: string[]): boolean => process.argv.slice(2).some((argument) => options.includes(argument));
  const { out, err, noColour } = { out: process.stdout, err: process.stderr, noColour: true };
  const answer = asked('--version', '-V') ? `${version}\n` : asked('--help', '-h') && help;
  if (answer) {
    const { openOutput } = await import('../cli/output');
    await openOutput({ out, err, noColour }).raw(answer);
    return true;
  }
  if (process.stdin.isTTY) stderrLog(program)(waits);
  return false;
}

function mcpHelp(program: string, about: string): string {
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
