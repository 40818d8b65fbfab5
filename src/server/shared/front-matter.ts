/** Parts the fields at the top of a file from its text, and tells what is wrong with them. Pure. */
import type { Page } from '../bring/markdown';
import type { FileProblem } from './shared-memory';

/** Loaded when there is a file to read: a hook that meets none is waited for. */
type Yaml = typeof import('yaml');

/** The longest list of fields, in characters. */
const MAX_LENGTH = 60_000;

export type FoundPage = { readonly page: Page } | { readonly problem: FileProblem };

/** @param text with `\n` at the ends of lines */
export function readPage(text: string): FoundPage {
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text;
  const conflict = lineOfConflict(whole);
  if (conflict !== undefined) {
    return { problem: { line: conflict, reason: 'a merge of Git left a conflict in it' } };
  }
  if (!whole.startsWith('---\n')) return { page: { fields: {}, body: whole } };
  const end = whole.slice(0, MAX_LENGTH).search(/\n---[ \t]*(?:\n|$)/);
  if (end < 0) return { problem: { line: 1, reason: 'nothing ends the fields that begin with "---"' } };
  const yaml = whole.slice(4, end + 1);
  const body = whole.slice(whole.indexOf('\n', end + 1) + 1 || whole.length);
  const { LineCounter, parseDocument } = require('yaml') as Yaml;
  const lines = new LineCounter();
  const document = parseDocument(yaml, { schema: 'core', lineCounter: lines, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) {
    return {
      problem: { line: lines.linePos(error.pos[0]).line + 1, reason: 'the fields are not valid YAML' },
    };
  }
  let value: unknown;
  try {
    // Aliases could make a short text very large.
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    return { problem: { line: 2, reason: 'the fields use aliases' } };
  }
  if (value === null) return { page: { fields: {}, body } };
  if (typeof value !== 'object' || Array.isArray(value)) {
    return { problem: { line: 2, reason: 'what stands between "---" is no list of fields' } };
  }
  return { page: { fields: { ...value }, body } };
}

/** The line where two versions begin that Git could not merge, counted from 1. */
function lineOfConflict(text: string): number | undefined {
  // Most files have none, and a stranger's may be made of such lines: each is looked at once.
  if (!text.includes('<<<<<<< ')) return undefined;
  let begun: number | undefined;
  let isParted = false;
  for (const [i, line] of text.split('\n').entries()) {
    if (begun === undefined) begun = line.startsWith('<<<<<<< ') ? i + 1 : undefined;
    else if (!isParted) isParted = line === '=======';
    else if (line.startsWith('>>>>>>> ')) return begun;
  }
  return undefined;
}

/** The line of a field, counted from 1; 1 where there is none. */
export function lineOfField(text: string, name: string): number {
  const lines = text.split('\n');
  return (
    Math.max(
      0,
      lines.findIndex((line) => line.startsWith(`${name}:`)),
    ) + 1
  );
}
