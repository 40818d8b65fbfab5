/** Exports and imports the store of a project. */
import { type ParseError, parse } from 'jsonc-parser/lib/esm/main.js';
import { invalidInput } from '../base/errors';
import { convertOfficialJsonl, isOfficialJsonl } from '../memory/transfer/official-jsonl';

/** What a file for import holds. */
export interface ReadImport {
  readonly form: 'export' | 'list' | 'official';
  readonly nodes: readonly unknown[];
  /** Lines of the official form that could not be read, counted from 1. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

/**
 * Reads our export, a plain list of objects, or the file of the official memory server. The content decides which one.
 * @throws SvcError invalid_input for any other content
 */
export function readImport(bytes: Buffer, name: string): ReadImport {
  const text = decode(bytes);
  if (isOfficialJsonl(text)) return { form: 'official', ...convertOfficialJsonl(text) };
  const value = parseJson(text, name);
  if (Array.isArray(value)) return { form: 'list', nodes: value, errors: [] };
  if (typeof value === 'object' && value !== null && 'nodes' in value && Array.isArray(value.nodes)) {
    return { form: 'export', nodes: value.nodes, errors: [] };
  }
  throw invalidInput(`${name} holds JSON, but no memories`, FORMS);
}

const FORMS =
  'Give an export {"nodes": [...]}, a JSON list of objects with "content" and "kind", or the JSONL file of the official memory server';

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const errors: ParseError[] = [];
    parse(text, errors, { disallowComments: true });
    const line = text.slice(0, errors[0]?.offset ?? 0).split('\n').length;
    throw invalidInput(
      text.trim() === '' ? `${name} is empty` : `${name} is not valid JSON: the first error is in line ${line}`,
      FORMS,
    );
  }
}

/** UTF-8, or UTF-16 as some shells redirect it, without the byte order mark. */
function decode(bytes: Buffer): string {
  return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
}
