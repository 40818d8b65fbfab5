import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { invalidInput, unavailable } from '../base/errors';
import { cut, oneLine, shownPath } from '../base/text';
import { STORE_FOLDER, type StorePlace } from './locate';

/** `.svc/config.yaml`, as far as anybody reads it. */
export interface Config {
  readonly provider: string | undefined;
  readonly model: string | undefined;
}

export const CONFIG_NAME = 'config.yaml';
const MAX_BYTES = 100_000;

/** How a kind of key looks, and where it belongs. */
export interface KeyPlace {
  readonly shape: RegExp;
  readonly variable: string;
}

const NAMED_LIKE_A_KEY = /^(?:.*[_-])?(?:api[_-]?key|key|token|secret|password|auth[_-]?token|credentials?)$/i;

/** The folder of the file: beside the store that was found, or in the project where that is the home store. */
export function configFile(
  place: StorePlace,
  graphRoot: string,
  exists: (path: string) => boolean,
  home: string,
): string {
  const ofRoot = join(place.root ?? graphRoot, STORE_FOLDER, CONFIG_NAME);
  return place.root !== undefined || exists(ofRoot) ? ofRoot : join(home, STORE_FOLDER, CONFIG_NAME);
}

/**
 * Reads the file; one that is not there says nothing.
 * @throws SvcError invalid_input when it is malformed or holds a key, which is never repeated
 */
export function readConfig(path: string, keys: readonly KeyPlace[]): Config {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return { provider: undefined, model: undefined };
    }
    throw unavailable(`${shownPath(path)} cannot be read`, 'Give this user the right to read it, or remove it');
  }
  if (text.length > MAX_BYTES) throw malformed(path, 'is too long for a configuration file');
  refuseKeys(path, text, keys);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) throw malformed(path, `is not valid YAML (line ${lines.linePos(error.pos[0]).line})`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    throw malformed(path, 'uses aliases');
  }
  if (value === null || value === undefined) return { provider: undefined, model: undefined };
  if (!isObject(value)) throw malformed(path, 'holds no block "llm"');
  refuseKeyNames(path, value, keys);
  const { llm } = value;
  if (llm === undefined || llm === null) return { provider: undefined, model: undefined };
  if (!isObject(llm)) throw malformed(path, 'has an "llm" that is no block');
  const unknown = Object.keys(llm).find((name) => name !== 'provider' && name !== 'model');
  if (unknown !== undefined) {
    throw malformed(path, `has "${cut(oneLine(unknown), 40)}" in its block "llm", which knows "provider" and "model"`);
  }
  return { provider: textOf(path, llm, 'provider'), model: textOf(path, llm, 'model') };
}

function textOf(path: string, block: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = block[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.trim() === '') throw malformed(path, `has a "${name}" that is no text`);
  return value.trim();
}

/** Anywhere in the file, comments included: whoever commits it gives the key away. */
function refuseKeys(path: string, text: string, keys: readonly KeyPlace[]): void {
  const found = keys.find(({ shape }) => shape.test(text));
  if (found) throw keyRefused(path, found.variable);
}

/** A key of any look is told by what it is called. */
function refuseKeyNames(path: string, value: Readonly<Record<string, unknown>>, keys: readonly KeyPlace[]): void {
  const named = keyName(value);
  if (named === undefined) return;
  const provider = isObject(value.llm) && typeof value.llm.provider === 'string' ? value.llm.provider : '';
  const own = keys.filter(({ variable }) => {
    const [maker = ''] = variable.toLowerCase().split('_');
    return `${named} ${provider}`.toLowerCase().includes(maker);
  });
  throw keyRefused(path, (own.length === 1 ? own : keys).map(({ variable }) => variable).join(' or '));
}

function keyName(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, one] of Object.entries(value)) {
    if (NAMED_LIKE_A_KEY.test(name)) return name;
    const inside = isObject(one) ? keyName(one) : undefined;
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function keyRefused(path: string, variable: string): Error {
  return invalidInput(
    `${shownPath(path)} holds an API key, and keys do not belong into files that are shared`,
    `Take it out, treat it as known to others, and set ${variable} in the environment instead`,
  );
}

function malformed(path: string, how: string): Error {
  return invalidInput(
    `${shownPath(path)} ${how}`,
    'Repair it and try again; it may hold "llm:" with "provider" and "model"',
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
