/** Says in a few words what happened to a symbol. */
import { shownDay } from '../base/shown';
import { oneLine } from '../base/text';
import type { Verdict } from '../memory/code/touches';

interface Place {
  readonly file_path: string;
  readonly name: string;
}

export interface ChangedPlace {
  readonly verdict: Verdict;
  readonly was: Place & { readonly code_type: string };
  readonly now: Place | null;
}

export interface CodeChange extends ChangedPlace {
  /** When the memory was linked to it or confirmed; undefined when that does not matter. */
  readonly since?: string | undefined;
  /** The whole file is not there. */
  readonly missing?: boolean;
}

/** What happened to a symbol, in a few words: `renamed to openStore`. */
export function describeChange({ verdict, was, now, since, missing = false }: CodeChange): string {
  const isFile = was.code_type === 'file';
  if (verdict === 'gone' || now === null) {
    return missing || isFile ? `${oneLine(was.file_path)} is gone` : `${oneLine(was.name)} is gone`;
  }
  const elsewhere = now.file_path !== was.file_path;
  const renamed = !isFile && now.name !== was.name;
  const way = elsewhere
    ? `moved from ${oneLine(was.file_path)}${renamed ? `, where it was ${oneLine(was.name)}` : ''}`
    : renamed
      ? `renamed from ${oneLine(was.name)}`
      : '';
  if (verdict === 'other version') return `is another version on this branch${way === '' ? '' : `, ${way}`}`;
  if (verdict !== 'changed') return way === '' ? 'stands where it was' : way;
  return `changed${since === undefined ? '' : ` since ${shownDay(since)}`}${way === '' ? '' : `, ${way}`}`;
}

/** What a reader of a memory is told of its code; undefined where that is as it was, or has only moved. */
export function toldOfCode(verdict: Verdict): string | undefined {
  switch (verdict) {
    case 'changed':
      return 'the code has changed since';
    case 'other version':
      return 'this branch has another version of the code';
    case 'gone':
      return 'gone';
    case 'not judged':
      return 'not judged: its file is left out of the code graph';
    default:
      return undefined;
  }
}
