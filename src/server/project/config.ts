/** Reads `.svc/config.yaml`. */
import { dirname, join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import type { StorePlace } from '../../store-place/store-place';
import { invalidInput } from '../base/errors';
import { isSame } from '../base/paths';
import { readRegularFile, unreadError } from '../base/regular-file';
import { cut, oneLine, shownPath } from '../base/text';

/** Loaded when there is a file to read: a hook that meets none is waited for. */
type Yaml = typeof import('yaml');

/** The settings of `.svc/config.yaml` that the program reads. */
export interface Config {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly keep: Keep | undefined;
  readonly tools: ToolChoice | undefined;
  readonly share: SharePolicy | undefined;
  /** The address of a team's memory. */
  readonly team: string | undefined;
}

/** What becomes of what agents store, less strict ones first: it is kept, a person is asked, or it waits for one. */
export const KEEPS = ['keep', 'ask', 'propose'] as const;
export type Keep = (typeof KEEPS)[number];

/** Which tools agents are offered. */
export const TOOL_CHOICES = ['all', 'core'] as const;
export type ToolChoice = (typeof TOOL_CHOICES)[number];

/** What goes into files of the repository when a person stores, confirms or keeps it; `ask`: what a person shares. */
export const SHARE_POLICIES = ['ask', 'decisions', 'all'] as const;
export type SharePolicy = (typeof SHARE_POLICIES)[number];

const NOTHING: Config = {
  ...{ provider: undefined, model: undefined, keep: undefined, tools: undefined, share: undefined, team: undefined },
};
export const CONFIG_NAME = 'config.yaml';
/** It is a few lines; a longer one that nests deeply would keep its reader busy. */
const MAX_BYTES = 10_000;

/** How a provider's keys look, and where they belong. */
export interface KeyPlace {
  readonly provider: string;
  readonly shape: RegExp;
  readonly variable: string;
}

/** All that the file may hold. */
const BLOCK = 'llm';
/** What stands outside of the block: words that a repository may choose without harm. */
const CHOICES = { keep: KEEPS, tools: TOOL_CHOICES, share: SHARE_POLICIES } as const;
const TEAM = 'team';
const CHOICE_WORDS = [...Object.keys(CHOICES), TEAM].map((name) => `"${name}"`).join(', ');
const KNOWN = ['provider', 'model'] as const;
const KNOWN_WORDS = KNOWN.map((name) => `"${name}"`).join(' and ');
/** Also where the file is no YAML, or has it in a comment. */
const PROVIDER = /\bprovider["']?\s*:\s*["']?(\w+)/gi;
const MAX_SHOWN_NAME = 40;
const NAMED_LIKE_A_KEY = /^(?:.*[_-])?(?:api[_-]?key|key|token|secret|password|auth[_-]?token|credentials?)$/i;

export interface ConfigFile {
  readonly path: string;
  /** It is the one in the home directory, and no project's. */
  readonly ofHome: boolean;
}

/** Beside the store that was found, or in the project where that is the home store; else in the home directory. */
export function configFile(
  place: StorePlace,
  graphRoot: string,
  exists: (path: string) => boolean,
  home: string,
): ConfigFile {
  const root = place.root ?? graphRoot;
  const ofRoot = join(root, STORE_FOLDER, CONFIG_NAME);
  if (place.root !== undefined || exists(ofRoot)) return { path: ofRoot, ofHome: isSame(root, home) };
  return { path: join(home, STORE_FOLDER, CONFIG_NAME), ofHome: true };
}

/**
 * Reads the file; one that is not there says nothing.
 * @throws SvcError invalid_input when it is malformed or holds a key, which is never repeated
 */
export function readConfig({ path, ofHome }: ConfigFile, keys: readonly KeyPlace[]): Config {
  // Another folder is no business of a project, nor of a clone that links to it. In their home, people keep links.
  const links = ofHome ? 'followed' : { inside: dirname(dirname(path)) };
  const read = readRegularFile(path, { max: MAX_BYTES, links });
  if (read.why === 'missing') return NOTHING;
  if (read.why === 'too large') throw malformed(path, 'is too long for a configuration file');
  if (!read.bytes) throw unreadError(path, read);
  return parseConfig(path, read.bytes.toString('utf8'), keys);
}

function parseConfig(path: string, text: string, keys: readonly KeyPlace[]): Config {
  // Anywhere in the file, comments included: committing it gives the key away.
  if (keys.some(({ shape }) => shape.test(text))) throw keyRefused(path, text, keys, '');
  const { LineCounter, parseDocument } = require('yaml') as Yaml;
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
  if (value === null || value === undefined) return NOTHING;
  if (!isObject(value)) throw malformed(path, `holds no block "${BLOCK}"`);
  const named = keyName(value);
  // A key of an unknown provider is recognised by the name of its field.
  if (named !== undefined) throw keyRefused(path, text, keys, named);
  refuseUnknown(path, value);
  const block = value[BLOCK];
  const choices = {
    keep: choiceIn(path, value, 'keep'),
    tools: choiceIn(path, value, 'tools'),
    share: choiceIn(path, value, 'share'),
    team: teamIn(path, value[TEAM]),
  };
  if (block === undefined || block === null) return { ...NOTHING, ...choices };
  if (!isObject(block)) throw malformed(path, `has an "${BLOCK}" that is no block`);
  const unknown = Object.keys(block).find((name) => !isKnown(name));
  if (unknown !== undefined) {
    throw malformed(path, `has "${shownName(unknown)}" in its block "${BLOCK}", which knows ${KNOWN_WORDS}`);
  }
  return { provider: textOf(path, block, 'provider'), model: textOf(path, block, 'model'), ...choices };
}

function choiceIn<Name extends keyof typeof CHOICES>(
  path: string,
  value: Readonly<Record<string, unknown>>,
  name: Name,
): (typeof CHOICES)[Name][number] | undefined {
  const chosen = value[name];
  if (chosen === undefined || chosen === null) return undefined;
  const known = CHOICES[name].find((one) => one === chosen);
  if (known === undefined) throw malformed(path, `has a "${name}" that is none of ${CHOICES[name].join(', ')}`);
  return known;
}

/** Where nobody listens in: this machine. */
const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const MAX_ADDRESS = 300;

/** Without what may stand behind it: a slash, and the path of the protocol. */
function teamIn(path: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value.trim() : '';
  const url = text.length <= MAX_ADDRESS && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '')
    throw malformed(path, `has a "${TEAM}" that is no address, such as https://memory.example/shop`);
  if (url.search !== '' || url.hash !== '') throw malformed(path, `has a "${TEAM}" with more behind its path`);
  if (url.protocol === 'http:' && !LOCAL.test(url.hostname))
    throw malformed(
      path,
      `has a "${TEAM}" that begins with http:, where everybody on the way can read along; use https:`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/mcp$/, '')}`;
}

/** What is not known here may have been meant to keep everything on this machine: it is never passed over. */
function refuseUnknown(path: string, value: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(value).filter((name) => name !== BLOCK && name !== TEAM && !Object.hasOwn(CHOICES, name));
  const [first] = unknown;
  if (first === undefined) return;
  const misplaced = unknown.find(isKnown);
  throw misplaced === undefined
    ? malformed(
        path,
        `has "${shownName(first)}", and knows only ${CHOICE_WORDS} and the block "${BLOCK}" with ${KNOWN_WORDS}`,
      )
    : malformed(path, `has "${misplaced}" outside of the block "${BLOCK}", and it belongs inside`);
}

function isKnown(name: string): boolean {
  return KNOWN.some((one) => one === name);
}

function shownName(name: string): string {
  return cut(oneLine(name), MAX_SHOWN_NAME);
}

function textOf(
  path: string,
  block: Readonly<Record<string, unknown>>,
  name: (typeof KNOWN)[number],
): string | undefined {
  const value = block[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.trim() === '') throw malformed(path, `has a "${name}" that is not text`);
  return value.trim();
}

function keyName(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, one] of Object.entries(value)) {
    if (NAMED_LIKE_A_KEY.test(name)) return name;
    const inside = isObject(one) ? keyName(one) : undefined;
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/**
 * Names the variable of the provider that the file names; else of the one whose keys look so, or that the key is called
 * after; else all of them.
 * @param named what the key is called; '' where that is not known
 */
function keyRefused(path: string, text: string, keys: readonly KeyPlace[], named: string): Error {
  const providers = new Set(Array.from(text.matchAll(PROVIDER), ([, name = '']) => name.toLowerCase()));
  const meant = [
    keys.filter(({ provider }) => providers.has(provider)),
    keys.filter(({ shape }) => shape.test(text)),
    keys.filter(({ provider }) => named.toLowerCase().includes(provider)),
  ].find(({ length }) => length === 1);
  const variable = (meant ?? keys).map((one) => one.variable).join(' or ');
  return invalidInput(
    `${shownPath(path)} holds an API key, and keys do not belong in files that are shared`,
    `Remove the key, treat it as compromised, and set ${variable} in the environment instead`,
  );
}

function malformed(path: string, how: string): Error {
  return invalidInput(
    `${shownPath(path)} ${how}`,
    `Correct the file and try again. It may hold ${CHOICE_WORDS}, and "${BLOCK}:" with ${KNOWN_WORDS}`,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
