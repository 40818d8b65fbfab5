import { spawn } from 'node:child_process';
import { type Place, serverEnvironment } from './stdio-client';

/** What somebody types when a text appears. */
export type Typed = readonly [appears: string, keys: string];

export interface OnTerminal {
  readonly status: number;
  /** What stood on the terminal, standard output and error together. */
  readonly screen: string;
}

export const CONTROL_C = '\x03';
/** Closes the terminal. */
export const CONTROL_D = '\x04';
/** Progress is a line that the next one replaces. */
const ERASE_LINE = '\r\u001b[K';
/** In seconds: for each text to appear, and for the end. */
const PATIENCE = 30;

/** Node has no pseudo terminal; Python, which compiles the SQLite module, brings one everywhere. */
const DRIVER = `
import fcntl, json, os, pty, select, struct, sys, termios, time
command, typed, patience = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
seen, searched, deadline = b'', 0, time.time() + patience
while time.time() < deadline:
    if typed and typed[0][0].encode() in seen[searched:]:
        searched, deadline = len(seen), time.time() + patience
        os.write(terminal, typed.pop(0)[1].encode())
    if select.select([terminal], [], [], 0.05)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
else:
    os.kill(child, 9)
status = os.waitpid(child, 0)[1]
sys.stdout.buffer.write(seen)
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) and not typed else 255)
`;

/**
 * Runs a built program on a terminal of 80 columns, with a person at it.
 * @throws Error when a text does not appear, or the program does not end by itself
 */
export function runOnTerminal(
  place: Place,
  program: string,
  args: readonly string[],
  typed: readonly Typed[],
  env: Readonly<Record<string, string>> = {},
): Promise<OnTerminal> {
  const task = JSON.stringify([[process.execPath, program, ...args], typed, PATIENCE]);
  const child = spawn('python3', ['-c', DRIVER, task], { cwd: place.folder, env: serverEnvironment(place, env) });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    screen += piece;
  });
  let problem = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    problem += piece;
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (status) => {
      const lines = screen
        .split('\r\n')
        .map((line) => line.split(ERASE_LINE).at(-1))
        .join('\n');
      if (status === null || status === 255) fail(new Error(`On the terminal stood: ${lines}${problem}`));
      else done({ status, screen: lines });
    });
  });
}
