/** Tells which code a tool of an agent is about to edit. */
import type { ToolUse } from './foreign-reading';

export interface TouchedFile {
  /** As the tool was given it. */
  readonly path: string;
  /** Pieces of its text that are replaced or stand beside what is; empty where the whole file may be meant. */
  readonly pieces: readonly string[];
}

/** More files of one call are not looked at. */
const MOST_FILES = 5;
const MOST_PIECES = 20;
/** The names that hosts gave their tools for editing and for reading files, as of November 2026. */
const EDITS = /edit|write|create_?file|^create$|replace|patch|insert/i;
const READS = /^read|view_?file|open_?file/i;
const OF_SERVERS = /^mcp/i;
const PATHS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path', 'target_file'] as const;
const LISTS = ['files', 'file_paths', 'paths'] as const;
const OLD_TEXTS = ['old_string', 'oldString', 'old_str', 'oldText'] as const;
/** Lists of edits, each with a text of its own and, in some hosts, a path. */
const EDIT_LISTS = ['edits', 'replacements'] as const;
/** Where the text of a patch stands. */
const PATCHES = ['input', 'patch', 'command'] as const;

/** The files that a call edits; with `reading` also those that it reads. */
export function touchedFiles({ tool, input }: ToolUse, reading = false): TouchedFile[] {
  if (OF_SERVERS.test(tool) || !(EDITS.test(tool) || (reading && READS.test(tool)))) return [];
  const files = new Map<string, string[]>();
  const add = (path: string | undefined, pieces: readonly string[]): void => {
    if (path === undefined) return;
    const known = files.get(path) ?? [];
    if (files.size < MOST_FILES || files.has(path)) files.set(path, [...known, ...pieces].slice(0, MOST_PIECES));
  };
  const own = textAt(input, PATHS);
  add(own, textsAt(input, OLD_TEXTS));
  for (const name of LISTS) for (const path of listAt(input, name)) if (typeof path === 'string') add(path, []);
  for (const name of EDIT_LISTS) {
    for (const edit of listAt(input, name)) {
      if (isObject(edit)) add(textAt(edit, PATHS) ?? own, textsAt(edit, OLD_TEXTS));
    }
  }
  for (const patch of textsAt(input, PATCHES)) {
    for (const { path, pieces } of filesOfPatch(patch)) add(path, pieces);
  }
  return [...files].map(([path, pieces]) => ({ path, pieces }));
}

/** `*** Update File: <path>`, then hunks whose lines begin with a space, `-` or `+`. */
function filesOfPatch(patch: string): TouchedFile[] {
  const files: { path: string; pieces: string[] }[] = [];
  let piece: string[] = [];
  const end = (): void => {
    // An empty line stands anywhere.
    if (piece.some((line) => line.trim() !== '')) files.at(-1)?.pieces.push(piece.join('\n'));
    piece = [];
  };
  for (const line of patch.split(/\r?\n/)) {
    const path = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/.exec(line)?.[1];
    if (path !== undefined) {
      end();
      files.push({ path: path.trim(), pieces: [] });
    } else if (/^[ -]/.test(line)) piece.push(line.slice(1));
    else if (!line.startsWith('+')) end();
  }
  end();
  return files;
}

function textAt(input: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  return textsAt(input, names)[0];
}

function textsAt(input: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = input[name];
    return typeof value === 'string' && value.trim() !== '' ? [value] : [];
  });
}

function listAt(input: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const value = input[name];
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
