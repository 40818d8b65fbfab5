/** Runs a command that a person wrote into their own environment or on their own command line. */
import { execFile } from 'node:child_process';

interface Limits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** By the system's shell. @returns what it printed @throws Error where it does not end with 0 in time; it repeats nothing */
export function runPersonsCommand(command: string, { timeoutMs, maxBytes }: Limits): Promise<string> {
  const [shell, ...before] = process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c'] : ['/bin/sh', '-c'];
  return new Promise((resolve, reject) => {
    execFile(
      shell ?? '',
      [...before, command],
      { timeout: timeoutMs, maxBuffer: maxBytes, windowsHide: true },
      // What it printed may be a secret, so that its own error is not repeated.
      (error, stdout) => (error ? reject(new Error(`ended with ${error.code ?? error.signal}`)) : resolve(stdout)),
    );
  });
}
