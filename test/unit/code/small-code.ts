import { emptyCodeIndex } from '../../../src/server/code/empty-code-index';
import { FILE_TYPE, type StandingSymbol } from '../../../src/server/code/working-files';
import type { CodeIndex, CodeSymbol, TouchKey } from '../../../src/server/memory/code/touches';

/** A text of one definition a line: `function open = its text`. The file itself comes first, and is the whole text. */
export function symbolsIn(path: string, text: string): StandingSymbol[] {
  const lines = text.split('\n');
  const file = symbol(path, FILE_TYPE, path.slice(path.lastIndexOf('/') + 1), text, 1, lines.length);
  const inside = lines.flatMap((line, i) => {
    const [, type, name, body] = /^(\w+) (\S+) = (.*)$/.exec(line) ?? [];
    return type && name && body ? [symbol(path, type, name, body, i + 1, i + 1)] : [];
  });
  return [file, ...inside];
}

function symbol(path: string, type: string, name: string, text: string, from: number, to: number): StandingSymbol {
  return { file_path: path, code_type: type, name, hash: text, start_line: from, end_line: to, since: undefined };
}

/** A link on what `function open = its text` says, made in this file. */
export function linkOn(path: string, line: string, more: Partial<TouchKey> = {}): Required<TouchKey> {
  const [, key] = symbolsIn(path, line);
  if (!key) throw new Error(`${line} defines nothing`);
  return { ...keyOf(key), ...more };
}

/** A link on a whole file with this text. */
export function linkOnFile(path: string, text: string): Required<TouchKey> {
  const [file] = symbolsIn(path, text);
  if (!file) throw new Error('there is always the file');
  return keyOf(file);
}

function keyOf({ file_path, code_type, name, hash }: CodeSymbol): Required<TouchKey> {
  return { file_path, code_type, name, hash, confirmed: '[]', linked_at: '', commit: null, beside: '[]' };
}

/** What reads such texts. */
export const smallCode: CodeIndex = {
  ...emptyCodeIndex('/project'),
  inFile: async (path, text = '') => symbolsIn(path, text),
};
