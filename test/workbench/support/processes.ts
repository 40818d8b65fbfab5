import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface RunningProcess {
  readonly pid: number;
  readonly commandLine: readonly string[];
}

/** The processes that run in this home directory, no matter what started them. */
export function processesIn(home: string): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const environment = readFileSync(`/proc/${id}/environ`, 'utf8').split('\0');
        if (!environment.includes(`HOME=${home}`)) return [];
        const commandLine = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
        return [{ pid: Number(id), commandLine }];
      } catch {
        return []; // it has ended meanwhile
      }
    });
}

/** Those that run one of our programs: `svc-language-server`. */
export function programsIn(home: string, program: string): RunningProcess[] {
  return processesIn(home).filter(({ commandLine }) => commandLine.some((one) => basename(one) === `${program}.js`));
}
