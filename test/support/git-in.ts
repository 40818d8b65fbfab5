import { execFileSync } from 'node:child_process';

/** Runs Git in a folder, as somebody with a name. It fails where Git does. */
export function gitIn(folder: string): (...args: readonly string[]) => void {
  return (...args) => {
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  };
}
