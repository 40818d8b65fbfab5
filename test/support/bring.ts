import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CommandLine } from './command-line';

export interface Brought {
  readonly sources: readonly {
    readonly source: string;
    readonly new: number;
    readonly changed: number;
    readonly known: number;
    readonly unsaid: number;
    readonly secrets: number;
    readonly unread: readonly string[];
    readonly memories: readonly {
      readonly id: string;
      readonly kind: string;
      readonly content: string;
      readonly rationale?: string;
      readonly entities: string[];
      readonly valid_from?: string;
      readonly supersedes: string[];
    }[];
  }[];
  readonly imported: number;
  readonly operation?: number;
}

/** Files of a project, by their paths. */
export async function write(place: CommandLine, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(place.path(path)), { recursive: true });
    await writeFile(place.path(path), text);
  }
}

/** Brings all that is there, without asking. */
export const bring = (place: CommandLine, ...more: string[]) =>
  place.json<Brought>('import', '--from', 'here', '--yes', ...more);
