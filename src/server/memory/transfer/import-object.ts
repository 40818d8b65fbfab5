/** Checks one object of an import. */

import { KINDS, NODE_KINDS, type NodeKind } from '../../../kinds/kinds';
import { parseTimestamp } from '../../base/clock';
import { invalidInput } from '../../base/errors';
import { leadsOut } from '../../base/project-path';
import { isBlank, oneLine, quoted } from '../../base/text';
import type { PlacedTouch, SymbolKey } from '../code/touches';
import { valuesNamed } from '../code/values-named';
import {
  DEFAULT_NAMESPACE,
  isTooLong,
  LONGEST_CONTENT,
  MAX_CONTENT_BYTES,
  MAX_ENTITIES,
  MAX_NAME_LENGTH,
} from '../limits';
import { checkNamespace } from '../namespaces';
import { ORIGIN_KINDS, type Origin, STANDINGS, type Standing } from '../origins';
import { storable } from '../text/search-terms';

/** One object of an import, checked: every value is in the form in which it is stored. */
export interface ImportObject {
  /** Its place in the message. */
  readonly index: number;
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly entities: readonly string[];
  readonly valid_from: string | undefined;
  readonly rationale: string | undefined;
  readonly alternatives_rejected: readonly string[];
  /** Null: it belongs to no session, as only an exported node can say. */
  readonly session_id: string | null | undefined;
  readonly namespace: string | undefined;
  readonly id: string | undefined;
  readonly recorded_at: string | undefined;
  readonly valid_until: string | undefined;
  readonly tombstoned: 0 | 1;
  readonly aliases: readonly string[];
  readonly supersedes: readonly string[];
  readonly occurred_in: string | undefined;
  readonly touches: readonly PlacedTouch[];
  /** As an export has them. */
  readonly origin: Origin | undefined;
  readonly standing: Standing | undefined;
}

/** An entity that a memory names and nobody describes. */
export function newEntity(name: string): ImportObject {
  return readImportObject({ kind: 'entity', content: name }, NOT_IN_MESSAGE);
}

const NOT_IN_MESSAGE = -1;

const ID_SUFFIX = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_LINKS = 10_000;
const NONE: readonly never[] = [];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks one object of an import by hand: a message may hold a hundred thousand of them. Fields that we do not know are
 * ignored; null is the same as absent.
 * @throws SvcError invalid_input that names the field
 */
export function readImportObject(value: unknown, index: number): ImportObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidInput('This entry is not an object', 'Give each memory as an object with "content" and "kind"');
  }
  // Nothing is known of the fields yet: each is looked at below.
  const fields = value as Fields;
  const kind = readKind(fields);
  const id = readId(fields, kind);
  const longest = kind === 'entity' ? MAX_NAME_LENGTH : MAX_CONTENT_BYTES;
  const content = storable(required(readText(fields, 'content', longest), 'content'));
  return {
    index,
    kind,
    content: kind === 'entity' ? oneLine(content) : content,
    confidence: readConfidence(fields),
    entities: readTexts(fields, 'entities', MAX_ENTITIES),
    valid_from: readTime(fields, 'valid_from'),
    rationale: readText(fields, 'rationale', MAX_CONTENT_BYTES),
    alternatives_rejected: readTexts(fields, 'alternatives_rejected', MAX_ENTITIES, MAX_CONTENT_BYTES),
    session_id: id !== undefined && fields.session_id === null ? null : readText(fields, 'session_id', MAX_NAME_LENGTH),
    namespace: readNamespace(fields),
    id,
    recorded_at: readTime(fields, 'recorded_at'),
    valid_until: readTime(fields, 'valid_until'),
    tombstoned: readFlag(fields, 'tombstoned'),
    aliases: readTexts(fields, 'aliases', MAX_LINKS),
    supersedes:
      typeof fields.supersedes === 'string' ? [fields.supersedes] : readTexts(fields, 'supersedes', MAX_LINKS),
    occurred_in: readText(fields, 'occurred_in', MAX_NAME_LENGTH),
    touches: readTouches(fields),
    origin: readOrigin(fields),
    standing: readStanding(fields),
  };
}

function readKind(fields: Fields): NodeKind {
  const { kind } = fields;
  if (typeof kind === 'string' && Object.hasOwn(KINDS, kind)) return kind as NodeKind;
  throw kind === undefined || kind === null
    ? missing('kind')
    : invalidInput(
        `"kind" is ${typeof kind === 'string' ? quoted(kind) : 'not text'}`,
        `Give one of ${NODE_KINDS.join(', ')}`,
      );
}

function readId(fields: Fields, kind: NodeKind): string | undefined {
  const { id } = fields;
  if (id === undefined || id === null) return undefined;
  const { prefix } = KINDS[kind];
  if (typeof id === 'string' && id.startsWith(prefix) && ID_SUFFIX.test(id.slice(prefix.length))) return id;
  throw invalidInput(
    `"id" is ${typeof id === 'string' ? quoted(id) : 'not text'}, which is not a valid id of kind ${kind}`,
    `Use "${prefix}" and up to 64 letters or digits, or leave "id" out to get a new one`,
  );
}

function readText(fields: Fields, name: string, max: number): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidInput(`"${name}" must be text`, 'Give it as a string');
  checkText(value, name, max);
  return value;
}

/** @param longest of each text, in characters */
function readTexts(fields: Fields, name: string, max: number, longest = MAX_NAME_LENGTH): readonly string[] {
  const value = fields[name];
  if (value === undefined || value === null) return NONE;
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string')) {
    throw invalidInput(`"${name}" must be a list of strings`, 'Give it like ["one", "another"]');
  }
  if (value.length > max) {
    throw invalidInput(`"${name}" has ${value.length} entries`, `Give at most ${max}`);
  }
  const texts: readonly string[] = value;
  for (const entry of texts) checkText(entry, name, longest);
  return texts.map(storable);
}

function checkText(value: string, name: string, max: number): void {
  if (value.length > max) {
    throw invalidInput(`"${name}" is ${value.length} characters long`, `Give at most ${max}; split a longer text`);
  }
  if (isTooLong(value)) {
    throw invalidInput(`"${name}" is longer than ${LONGEST_CONTENT}`, 'Split it into memories that stand on their own');
  }
  if (isBlank(value)) throw invalidInput(`"${name}" is blank`, 'Give a text, or leave it out where it is optional');
}

function readConfidence({ confidence }: Fields): number {
  if (confidence === undefined || confidence === null) return 1;
  if (typeof confidence === 'number' && confidence >= 0 && confidence <= 1) return confidence;
  throw invalidInput('"confidence" must be a number from 0.0 to 1.0', 'Correct it, or leave it out for 1.0');
}

// Our own form is what an export holds; everything else takes the longer way.
const OWN_FORM = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

function readTime(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidInput(`"${name}" must be text`, 'Write it like 2026-03-31T09:30:00Z');
  return OWN_FORM.test(value) ? value : parseTimestamp(value, name);
}

function readFlag(fields: Fields, name: string): 0 | 1 {
  const value = fields[name];
  if (value === undefined || value === null || value === 0 || value === false) return 0;
  if (value === 1 || value === true) return 1;
  throw invalidInput(`"${name}" must be 0 or 1`, 'Give 1 for a forgotten memory; otherwise leave it out');
}

function readNamespace({ namespace }: Fields): string | undefined {
  if (namespace === undefined || namespace === null) return undefined;
  if (typeof namespace !== 'string') throw invalidInput('"namespace" must be text', 'Give its name as a string');
  return namespace === DEFAULT_NAMESPACE ? namespace : checkNamespace(namespace);
}

function readStanding({ standing }: Fields): Standing | undefined {
  if (standing === undefined || standing === null) return undefined;
  const found = STANDINGS.find((one) => one === standing);
  if (found !== undefined) return found;
  throw invalidInput(`"standing" is not one of ${STANDINGS.join(', ')}`, 'Correct it, or leave it out');
}

function readOrigin({ origin }: Fields): Origin | undefined {
  if (origin === undefined || origin === null) return undefined;
  const { kind, name, hash = null, store = null, marked = false } = isFields(origin) ? origin : {};
  const known = ORIGIN_KINDS.find((one) => one === kind);
  if (known === undefined || !isShort(name) || !isShort(hash ?? '') || !isShort(store ?? '')) throw noOrigin();
  return {
    kind: known,
    name: oneLine(storable(name)),
    hash: typeof hash === 'string' ? hash : null,
    store: typeof store === 'string' ? store : null,
    marked: marked === true,
  };
}

function isShort(text: unknown): text is string {
  return typeof text === 'string' && text.length <= MAX_NAME_LENGTH;
}

const noOrigin = () =>
  invalidInput(
    '"origin" does not have the form of an export',
    'Leave it out, or give an object with kind, name, hash, store and marked',
  );

function readTouches({ touches }: Fields): readonly PlacedTouch[] {
  if (touches === undefined || touches === null) return NONE;
  if (!Array.isArray(touches) || touches.length > MAX_LINKS) throw noTouches();
  return touches.map((touch: unknown) => {
    const { hash, commit, confirmed = NONE } = isFields(touch) ? touch : {};
    if (!Array.isArray(confirmed) || confirmed.length > MAX_LINKS) throw noTouches();
    return {
      ...readPlace(touch),
      hash: readTouchText(hash),
      commit: commit === undefined || commit === null ? null : readCommit(commit),
      confirmed: confirmed.map(readTouchText),
    };
  });
}

function readPlace(place: unknown): Omit<SymbolKey, 'hash'> {
  if (!isFields(place)) throw noTouches();
  const { file_path, code_type, name } = place;
  return { file_path: readTouchPath(file_path), code_type: readTouchText(code_type), name: readTouchText(name) };
}

/** Where a memory is linked to is looked at whenever it is shown. */
function readTouchPath(text: unknown): string {
  const path = readTouchText(text);
  if (!leadsOut(path)) return path;
  throw invalidInput(
    `"touches" names ${quoted(path)}, which is not a path inside the project`,
    'Give paths relative to its folder, without "..", or leave "touches" out',
  );
}

function readTouchText(text: unknown): string {
  if (typeof text === 'string' && text.length <= MAX_CONTENT_BYTES) return text;
  throw noTouches();
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

function readCommit(text: unknown): string {
  if (typeof text === 'string' && COMMIT.test(text)) return text;
  throw noTouches();
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

const noTouches = () =>
  invalidInput(
    '"touches" does not have the form of an export',
    'Leave it out, or give a list of objects with file_path, code_type, name and hash',
  );

const missing = (name: string) => invalidInput(`"${name}" is missing`, 'Every memory needs "content" and "kind"');

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw missing(name);
  return value;
}

/** What it is about, and the values that its text names there. */
export function namesOfCode({ content, entities }: ImportObject): string[] {
  return [...entities, ...valuesNamed(content, entities)];
}
